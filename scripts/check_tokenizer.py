#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare `forma tokenize` with the `tokenizers` package on a model's own vocabulary.

The package's tokenizer is rebuilt from the GGUF file's keys, so both sides read the same tokens
and merges; texts are seeded and of many kinds. Needs the Python packages gguf and tokenizers.

    scripts/check_tokenizer.py --model models/SmolLM2-135M-Instruct.Q4_1.gguf \\
        [--forma build/release/forma] [--texts 20000] [--seed 1] [--vectors FILE]

The last line is `tokenizer: N passed, N failed`; the exit status is 0 when none failed.
"""
import argparse
import json
import random
import subprocess
import sys
import unicodedata

from gguf import GGUFReader
from tokenizers import Regex, Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence, Split

CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
SMOLLM = "smollm starcoder refact command-r codeshell exaone minerva minerva-7b".split()
GPT2 = "gpt-2 phi-2 mpt olmo jina-es jina-de jina-v2-es jina-v2-de gigachat".split()
LLAMA3 = "llama-bpe llama3 llama-v3 falcon3 pixtral lfm2".split()
DBRX = "dbrx smaug-bpe".split()
QWEN2 = "qwen2 deepseek-r1-qwen stablelm2 megrez grok-2".split()


def modern_split(digits):
    pattern = (CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|" + digits +
               r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
    return Sequence([Split(Regex(pattern), "isolated"),
                     ByteLevel(add_prefix_space=False, use_regex=False)])


def pre_tokenizer(name):
    byte_level = ByteLevel(add_prefix_space=False, use_regex=True)
    if name in SMOLLM:
        return Sequence([Digits(individual_digits=True), byte_level])
    if name in GPT2:
        return byte_level
    if name in LLAMA3 + DBRX:
        return modern_split(r"\p{N}{1,3}")
    if name in QWEN2:
        return modern_split(r"\p{N}")
    sys.exit(f"check_tokenizer: this script does not know the pre-tokenizer {name!r}")


def reference(path):
    fields = GGUFReader(path).fields
    if fields["tokenizer.ggml.model"].contents() != "gpt2":
        sys.exit("check_tokenizer: only byte-level BPE models can be compared")
    tokens = fields["tokenizer.ggml.tokens"].contents()
    types = fields["tokenizer.ggml.token_type"].contents()
    merges = [tuple(m.split(" ")) for m in fields["tokenizer.ggml.merges"].contents()]
    vocab = {t: i for i, t in enumerate(tokens) if types[i] == 1}
    name = fields["tokenizer.ggml.pre"].contents()
    tokenizer = Tokenizer(BPE(vocab=vocab, merges=merges, ignore_merges=name in LLAMA3))
    tokenizer.pre_tokenizer = pre_tokenizer(name)
    return tokenizer


WORDS = """the of and to in is that it was for on are as with his they at be this have from
function return class import void const unsigned struct printf malloc null true false
SELECT FROM WHERE Straße naïve café über Ærøskøbing señor façade co-operate o'clock""".split()
SNIPPETS = [
    "def f(x):\n    return x ** 2\n", "for (int i = 0; i < n; i++) {\n\tsum += a[i];\n}\n",
    '{"name": "Ada", "age": 36, "tags": ["a", "b"], "ok": true, "n": null}',
    "https://example.org/a/b?c=d&e=%20f#g", "<div class=\"x\">text</div>\r\n", "a@b.example",
    "SELECT * FROM t WHERE a >= 10 AND b <> 'x';", "#include <stdio.h>\n\nint main(void) { }\n",
    "C:\\Users\\x\\y.txt", "$ ls -la | grep '^d'", "| a | b |\n|---|---|\n| 1 | 2 |",
    "```python\nprint('hi')\n```", "1,234,567.89", "2024-02-29T23:59:60Z", "+49 (0)30 1234-5678",
    "λx.x ∀y∈ℝ: y²≥0 → ∃z", "½ ¼ Ⅳ ⅷ ² ³ ① ㊷ 〇 一 二 十",
]
SCRIPTS = [
    (0x20, 0x7E), (0xA1, 0xFF), (0x100, 0x24F), (0x370, 0x3FF), (0x400, 0x4FF), (0x531, 0x58A),
    (0x591, 0x5F4), (0x600, 0x6FF), (0x900, 0x97F), (0x980, 0x9FF), (0xB80, 0xBFF), (0xE01, 0xE5B),
    (0x10A0, 0x10FF), (0x1100, 0x11FF), (0x1200, 0x137C), (0x1780, 0x17F9), (0x1E00, 0x1EFF),
    (0x2000, 0x206F), (0x2070, 0x209C), (0x2100, 0x218B), (0x2190, 0x22FF), (0x2460, 0x24FF),
    (0x3040, 0x30FF), (0x3105, 0x312F), (0x3200, 0x32FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3),
    (0xE000, 0xE0FF), (0xFB00, 0xFB4F), (0xFF00, 0xFFEF), (0x10330, 0x1034A), (0x12000, 0x12399),
    (0x1D400, 0x1D7FF), (0x1F300, 0x1F64F), (0x1F680, 0x1F6FF), (0x20000, 0x2A6DF),
]
DIGITS = [0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xBE6, 0xE50, 0x1040, 0x17E0, 0xFF10, 0x1D7CE]
BLANKS = (" \t\n\r\v\f\x85\xa0\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
          "\u2009\u200a\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff")
EMOJI = ["😀", "👍🏽", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "😶‍🌫️", "✅", "❤️", "🧑🏿‍🚀", "1️⃣", "🦙"]
APOSTROPHES = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'T", "'RE", "'Ve", "'M", "'lL",
               "'D", "'", "''", "’s", "'x", "'\u017f"]
MARKS = [chr(c) for c in range(0x300, 0x370)] + ["\u0483", "\u0591", "\u093c", "\u20dd", "\ufe0f"]


def random_code_point(rng):
    """Any assigned code point but NUL; unassigned ones depend on each side's Unicode version."""
    while True:
        top = rng.choice([0x7F, 0x7FF, 0xFFFF, 0x10FFFF])
        c = chr(rng.randint(1, top))
        if unicodedata.category(c) not in ("Cs", "Cn"):
            return c


def part(rng):
    kind = rng.randrange(16)
    n = rng.randint(1, 8)
    if kind <= 1:
        return " ".join(rng.choice(WORDS) for _ in range(n))
    if kind == 2:
        return rng.choice(SNIPPETS)
    if kind == 3:
        low, high = rng.choice(SCRIPTS)
        return "".join(chr(rng.randint(low, high)) for _ in range(2 * n))
    if kind == 4:
        return "".join(rng.choice(BLANKS) for _ in range(n))
    if kind == 5:
        return rng.choice(" \t\n\r") * n
    if kind == 6:
        zero = rng.choice(DIGITS)
        return "".join(chr(zero + rng.randrange(10)) for _ in range(n))
    if kind == 7:
        return "".join(rng.choice("0123456789.,- ") for _ in range(n))
    if kind == 8:
        return "".join(rng.choice(EMOJI) for _ in range(n))
    if kind == 9:
        return rng.choice(WORDS) + rng.choice(APOSTROPHES) + rng.choice(["", " ", rng.choice(WORDS)])
    if kind == 10:
        return "".join(chr(rng.randint(1, 0x9F)) for _ in range(n))
    if kind == 11:
        return rng.choice("aàé한e ") + "".join(rng.choice(MARKS) for _ in range(n))
    if kind == 12:
        return "".join(random_code_point(rng) for _ in range(n))
    if kind == 13:
        return rng.choice(["a", "A", "=", "-", " ", "\n", "0", "é", "한", "🚀", "\u0301", "ha", "()"]
                          ) * rng.randint(1, 200)
    if kind == 14:
        return "".join(chr(rng.randint(0x20, 0x7E)) for _ in range(3 * n))
    return "".join(rng.choice("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") for _ in range(n))


def random_text(rng):
    return "".join(part(rng) for _ in range(rng.choice([1, 1, 2, 3, 5, 8, 13])))


def tokenize(forma, model, texts):
    """One process for all texts: a JSON string a line in, a JSON list of ids a line out."""
    lines = "".join(json.dumps(t) + "\n" for t in texts)
    run = subprocess.run([forma, "tokenize", "-m", model, "--json-lines"], input=lines.encode(),
                         stdout=subprocess.PIPE, check=False)
    out = run.stdout.decode().splitlines()
    if run.returncode != 0 or len(out) != len(texts):
        sys.exit(f"check_tokenizer: {forma} ended with status {run.returncode} after {len(out)} of "
                 f"{len(texts)} texts")
    return [json.loads(line) for line in out]


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--model", "-m", required=True)
    options.add_argument("--forma", default="build/release/forma")
    options.add_argument("--texts", type=int, default=20000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--vectors", help="a file of fixed vectors to check as well")
    args = options.parse_args()
    rng = random.Random(args.seed)
    texts = ["", " ", "\n"] + SNIPPETS + [random_text(rng) for _ in range(args.texts)]
    oracle = reference(args.model)
    want = [e.ids for e in oracle.encode_batch(texts, add_special_tokens=False)]
    if args.vectors:
        with open(args.vectors, encoding="utf-8") as file:
            vectors = [json.loads(line) for line in file if line.strip()]
        texts += [v["text"] for v in vectors]
        want += [v["ids"] for v in vectors]
    got = tokenize(args.forma, args.model, texts)
    failed = 0
    for text, w, g in zip(texts, want, got):
        if w != g:
            failed += 1
            if failed <= 20:
                print(f"{text!r} (seed {args.seed})\n  got  {g}\n  want {w}", file=sys.stderr)
    print(f"tokenizer: {len(texts) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
