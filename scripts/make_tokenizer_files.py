#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write fixtures/tokenizer/files.jsonl with the `tokenizers` package: small tokenizer.json files of
many kinds, one a line, with texts and their ids: {"name", "file", "rows": [[text, ids, ids with
special tokens as text]]}.

    scripts/make_tokenizer_files.py
"""
import json
import os
import random

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers
from tokenizers import decoders

import check_tokenizer as check

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fixtures")
CORPUS = [" ".join(check.WORDS)] * 3 + check.SNIPPETS * 2 + ["<x> a  b\n\n c ' ' 12 345 é e\u0301"]
SMALL = ["the café", "a<x>b <x>  c", " é é \u1100\u1161 ", "<s>the</s>", "  the  <m>  of ", "1234 56",
         "-and-the--of-", "\u2581the\u2581of", "日本語 the 🙂🙂 of", "\u212b\u0344", "<e\u0301> é", ""]
LLAMA = (r"(?i:'s|'t)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+"
         r"|\s+(?!\S)|\s+")
BYTES = decoders.ByteLevel()
SENTENCE = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
STAND_INS = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)


def train(model, normalizer, pre, decoder, alphabet=(), fallback=False, size=340, added=()):
    tokenizer = Tokenizer(model)
    if normalizer:
        tokenizer.normalizer = normalizer
    if pre:
        tokenizer.pre_tokenizer = pre
    tokenizer.decoder = decoder
    special = ["<unk>"] + ([f"<0x{b:02X}>" for b in range(256)] if fallback else [])
    trainer = trainers.BpeTrainer(vocab_size=size + (256 if fallback else 0), show_progress=False,
                                  special_tokens=special, initial_alphabet=list(alphabet),
                                  limit_alphabet=256 if alphabet else 60)
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.add_special_tokens([AddedToken("<s>", normalized=False), AddedToken("</s>")])
    tokenizer.add_tokens([AddedToken("<x>", normalized=False), AddedToken("<xx>", normalized=False),
                          AddedToken("<é>", normalized=True), AddedToken("<e\u0301>", normalized=False),
                          AddedToken("<m>", lstrip=True, rstrip=True, normalized=False), *added])
    value = json.loads(tokenizer.to_str())
    # The bytes and the unknown token are pieces of the model, not added tokens.
    value["added_tokens"] = [a for a in value["added_tokens"] if a["content"] not in special]
    return value


def split(behavior, pattern=Regex("[aeio]+|-"), invert=False):
    return pre_tokenizers.Sequence([pre_tokenizers.Split(pattern, behavior, invert), STAND_INS])


def files():
    letters = pre_tokenizers.ByteLevel.alphabet()

    def byte_level(pre, normalizer=None, model=None, **more):
        return train(model or models.BPE(), normalizer, pre, BYTES, letters, **more)

    def characters(normalizer, pre, fallback=True, fuse=True, **more):
        model = models.BPE(unk_token="<unk>", fuse_unk=fuse, byte_fallback=fallback)
        return train(model, normalizer, pre, SENTENCE, fallback=fallback, **more)

    yield "gpt2", byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True))
    yield "gpt2 with a space", byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True))
    yield "llama", byte_level(split("isolated", Regex(LLAMA)), model=models.BPE(ignore_merges=True))
    yield "nfc", byte_level(split("isolated", Regex(LLAMA)), normalizers.NFC())
    for behavior in ("isolated", "removed", "merged_with_previous", "merged_with_next", "contiguous"):
        yield behavior, byte_level(split(behavior))
        yield behavior + ", inverted", byte_level(split(behavior, invert=True))
        yield behavior + ", of a text", byte_level(split(behavior, "the"))
    for alone in (False, True):
        yield f"digits {alone}", byte_level(pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=alone), STAND_INS]))
    yield "chain", byte_level(pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(r"\p{N}{1,3}"), "isolated"),
         pre_tokenizers.Split(Regex("[\u4e00-\u9fa5]+"), "isolated"),
         pre_tokenizers.Split(Regex(r"[!-/:-@][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|\s+(?!\S)"),
                              "isolated"), STAND_INS]))
    for scheme in ("always", "first", "never"):
        yield "metaspace " + scheme, characters(None, pre_tokenizers.Metaspace(prepend_scheme=scheme))
    yield "metaspace, whole", characters(None, pre_tokenizers.Metaspace(split=False))
    replace = normalizers.Replace(" ", "▁")
    yield "llama 2", characters(normalizers.Sequence([normalizers.Prepend("▁"), replace]), None)
    yield "gemma", characters(replace, pre_tokenizers.Split(" ", "merged_with_previous"))
    yield "unknown, fused", characters(replace, None, fallback=False, size=200)
    yield "unknown, each", characters(replace, None, fallback=False, fuse=False, size=200)


def main():
    rng = random.Random(5)
    path = os.path.join(FOLDER, "tokenizer", "files.jsonl")
    with open(path, "w", encoding="utf-8") as out:
        for name, value in files():
            tokenizer = Tokenizer.from_str(json.dumps(value))
            texts = SMALL + [check.random_text(rng)[:60] + rng.choice(SMALL) for _ in range(12)]
            rows = []
            for text in texts:
                row = [text]
                for as_text in (False, True):
                    tokenizer.encode_special_tokens = as_text
                    row.append(tokenizer.encode(text, add_special_tokens=False).ids)
                rows.append(row)
            line = {"name": name, "file": value, "rows": rows}
            out.write(json.dumps(line, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
