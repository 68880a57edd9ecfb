#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare forma with the `tokenizers` package on tokenizer.json files.

    scripts/check_tokenizers.py --data DIR [--texts 20000] [--seed 1] [--only NAME]
        [--forma build/release/forma] [--dump build/release/tests/dump_vocabulary]

DIR/tokenizers holds FILE.tokenizer.json, or the same packed as .xz; instances of real schemas come
from DIR/maskbench-dev.tar.xz. Of each tokenizer: the ids of `--texts` texts (schemas and their
instances, code, scripts, emoji, blanks, numbers, unassigned order of marks, added tokens inside), with
and without special tokens; the bytes of every token; which tokens are control and end tokens.

The last line is `tokenizers: N passed, N failed`; the exit status is 0 when none failed. Without DIR
nothing is compared, and the line says so.
"""
import argparse
import glob
import json
import lzma
import os
import random
import subprocess
import sys
import tarfile
import tempfile

import tokenizers

import check_tokenizer as texts_of

ENDS = {
    "llama3_1": ["<|end_of_text|>", "<|eom_id|>", "<|eot_id|>"],
    "qwen3": ["<|endoftext|>", "<|im_end|>"],
    "gptoss": ["<|endoftext|>", "<|return|>", "<|call|>"],
    "deepseek_v3": ["<｜end▁of▁sentence｜>", "<|EOT|>"],
    "gemma3": ["<eos>", "<end_of_turn>"],
}
MARKED = ["e\u0301", "\u1100\u1161\u11a8", "\u0344", "q\u0307\u0323", "\ufb1d", "\u212b", "\u0958",
          "a\u0315\u0300\u05ae\u0062", "\uac00\u11a7\u11a8", "\u0b47\u0300\u0b3e", "\U0001d15e"]
shown = 0


def tell(*what):
    global shown
    shown += 1
    if shown <= 20:
        print(*what, file=sys.stderr)


# ---- texts ------------------------------------------------------------------------------------


def real_texts(data, rng, count):
    """Schemas, and instances as other programs write them."""
    path = os.path.join(data, "maskbench-dev.tar.xz")
    found = []
    if not os.path.exists(path) or count <= 0:
        return found
    with tarfile.open(path) as tar:
        for member in tar:
            if not member.isfile() or rng.random() > 0.2:
                continue
            value = json.load(tar.extractfile(member))
            found.append(json.dumps(value["schema"]))
            indent = rng.choice([None, None, None, 1, 2, 4, "\t"])
            found += [json.dumps(t["data"], ensure_ascii=rng.random() < 0.1, indent=indent)
                      for t in value["tests"]]
            if len(found) >= 4 * count:
                break
    found = [t for t in found if len(t) < 20000 and not any(0xD800 <= ord(c) < 0xE000 for c in t)]
    rng.shuffle(found)
    return found[:count]


def own_code(rng, count):
    paths = [p for d in ("base", "runtime", "scripts", "docs") for p in glob.glob(f"{d}/*.*")]
    parts = []
    for path in sorted(paths):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for _ in range(8):
            start = rng.randrange(len(text))
            parts.append(text[start:start + rng.choice([20, 200, 2000])])
    rng.shuffle(parts)
    return parts[:count]


def with_added(text, added, rng):
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        token = rng.choice(added)
        if rng.random() < 0.1:
            token = token[:rng.randint(0, len(token))]
        text = text[:at] + token + text[at:]
    return text


def make_texts(data, added, rng, count):
    found = ["", " ", "\n", "\r\n", "▁", "a▁b ▁ c", "\x00", "a\x00b"] + texts_of.SNIPPETS + MARKED
    found += real_texts(data, rng, count // 5) + own_code(rng, count // 20)
    while len(found) < count:
        text = texts_of.random_text(rng)
        if rng.random() < 0.1:
            text += "".join(rng.choice(MARKED) for _ in range(rng.randint(1, 5)))
        found.append(text)
    return [with_added(t, added, rng) if rng.random() < 0.25 else t for t in found]


# ---- comparing --------------------------------------------------------------------------------


def forma_ids(forma, path, option, texts):
    lines = "".join(json.dumps(t) + "\n" for t in texts)
    run = subprocess.run([forma, "tokenize", "--tokenizer", path, option, "--json-lines"],
                         input=lines.encode(), stdout=subprocess.PIPE, check=False)
    out = run.stdout.decode().splitlines()
    if run.returncode != 0 or len(out) != len(texts):
        sys.exit(f"check_tokenizers: {forma} ended with status {run.returncode} after {len(out)} "
                 f"of {len(texts)} texts")
    return [json.loads(line) for line in out]


def compare_ids(name, tokenizer, forma, path, texts):
    """Special tokens once recognised, once text like any other."""
    failed = 0
    for option, as_text in (("--special", False), ("--added", True)):
        tokenizer.encode_special_tokens = as_text
        want = [e.ids for e in tokenizer.encode_batch(texts, add_special_tokens=False)]
        got = forma_ids(forma, path, option, texts)
        for text, w, g in zip(texts, want, got):
            if w == g:
                continue
            failed += 1
            at = next(i for i in range(max(len(w), len(g))) if w[i:i + 1] != g[i:i + 1])
            tell(f"{name} {option}: {text[:300]!r}\n  from the token {at}: got {g[at:at + 6]}, "
                 f"want {w[at:at + 6]}")
    return 2 * len(texts), failed


def stand_ins():
    """The character that stands for each byte in byte-level files, turned round."""
    own = [*range(33, 127), *range(161, 173), *range(174, 256)]
    moved = [b for b in range(256) if b not in own]
    return {**{chr(b): b for b in own}, **{chr(256 + i): b for i, b in enumerate(moved)}}


def expected_tokens(name, value):
    """{id: kind and bytes} by the rules that docs/tokenizers.md states."""
    table, tokens = stand_ins(), {}
    byte_level = '"ByteLevel"' in json.dumps(value["decoder"])
    unknown = value["model"].get("unk_token")
    for piece, number in value["model"]["vocab"].items():
        if piece == unknown:
            tokens[number] = "control"
        elif byte_level and all(c in table for c in piece):
            tokens[number] = "text " + bytes(table[c] for c in piece).hex()
        elif len(piece) == 6 and piece.startswith("<0x"):
            tokens[number] = "text " + piece[3:5].lower()
        else:
            tokens[number] = "text " + (piece if byte_level else piece.replace("▁", " ")).encode().hex()
    for a in value["added_tokens"]:
        text = a["content"] if byte_level else a["content"].replace("▁", " ")
        tokens[a["id"]] = ("end" if a["content"] in ENDS.get(name, []) else
                           "control" if a["special"] else "text " + text.encode().hex())
    return tokens


def compare_tokens(name, tokenizer, dump, path, value):
    run = subprocess.run([dump, path], stdout=subprocess.PIPE, check=False)
    got = run.stdout.decode().splitlines()
    want = expected_tokens(name, value)
    size = max(want) + 1
    failed = int(run.returncode != 0 or len(got) != size)
    for number, line in enumerate(got):
        expected = want.get(number, "none")
        ok = line == expected
        if ok and line.startswith("text "):
            text = tokenizer.decode([number], skip_special_tokens=False)
            ok = "\ufffd" in text or text.encode() == bytes.fromhex(line[5:])
        if not ok:
            failed += 1
            tell(f"{name}: token {number}: got {line!r}, want {expected!r}")
    return size, failed


def unpacked(path, folder):
    """(name, path) of a tokenizer.json, unpacked if it is not."""
    name = os.path.basename(path).split(".")[0]
    if not path.endswith(".xz"):
        return name, path
    target = os.path.join(folder, name + ".json")
    with lzma.open(path) as packed, open(target, "wb") as file:
        file.write(packed.read())
    return name, target


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--data", required=True)
    options.add_argument("--forma", default="build/release/forma")
    options.add_argument("--dump", default="build/release/tests/dump_vocabulary")
    options.add_argument("--texts", type=int, default=20000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", help="the name of one tokenizer")
    args = options.parse_args()
    paths = sorted(glob.glob(os.path.join(args.data, "tokenizers", "*.tokenizer.json*")))
    if not paths:
        print(f"tokenizers: not run: {args.data} holds no tokenizers\ntokenizers: 0 passed, 0 failed")
        return 0
    total = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for packed in paths:
            name, path = unpacked(packed, folder)
            if args.only and name != args.only:
                continue
            with open(path, encoding="utf-8") as file:
                value = json.load(file)
            tokenizer = tokenizers.Tokenizer.from_file(path)
            rng = random.Random(f"{args.seed} {name}")
            texts = make_texts(args.data, [a["content"] for a in value["added_tokens"]], rng,
                               args.texts)
            parts = [compare_ids(name, tokenizer, args.forma, path, texts),
                     compare_tokens(name, tokenizer, args.dump, path, value)]
            wrong = sum(p[1] for p in parts)
            print(f"{name}: {parts[0][0]} texts, {parts[1][0]} tokens, {wrong} failed "
                  f"(seed {args.seed})", flush=True)
            total += sum(p[0] for p in parts)
            failed += wrong
    print(f"tokenizers: {total - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
