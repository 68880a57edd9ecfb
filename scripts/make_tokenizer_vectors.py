#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write fixed tokenizer vectors with the `tokenizers` package: JSON objects, one a line.

    tiny.jsonl     {"text", "ids"} for the vocabulary of fixtures/models
    smollm2.jsonl  {"text", "ids"} for SmolLM2's vocabulary (with --model)
    splits.jsonl   {"pre", "text", "pieces"} for every family of pre-tokenizers

    scripts/make_tokenizer_vectors.py [--model models/SmolLM2-135M-Instruct.Q4_1.gguf]
"""
import argparse
import json
import os
import random

import check_tokenizer as check

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fixtures")


def some_texts(seed, n, longest):
    rng = random.Random(seed)
    texts = ["", " ", "  ", "\n\n", "a", "The end.", "It's 2024!", "'S it'll 'VE", " \u00a0 x  3  y"]
    texts += check.SNIPPETS
    while len(texts) < n:
        text = check.random_text(rng)
        if len(text.encode()) <= longest:
            texts.append(text)
    return texts


def write(name, rows):
    path = os.path.join(FOLDER, "tokenizer", name)
    with open(path, "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, separators=(",", ":")) + "\n")


def vectors(model, seed, n):
    oracle = check.reference(model)
    return [{"text": t, "ids": oracle.encode(t, add_special_tokens=False).ids}
            for t in some_texts(seed, n, 120)]


def splits(seed):
    for name in ("smollm", "gpt-2", "llama-bpe", "qwen2"):
        cut = check.pre_tokenizer(name)
        for text in some_texts(seed, 150, 80):
            pieces = [text[a:b] for _, (a, b) in cut.pre_tokenize_str(text)]
            # Characters that the byte stand-ins tear apart come back whole only if joined.
            if "".join(pieces) == text:
                yield {"pre": name, "text": text, "pieces": pieces}


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--model")
    args = options.parse_args()
    tiny = os.path.join(FOLDER, "models", "f16-mha.gguf")
    write("tiny.jsonl", vectors(tiny, 1, 300))
    write("splits.jsonl", splits(3))
    if args.model:
        write("smollm2.jsonl", vectors(args.model, 2, 400))


if __name__ == "__main__":
    main()
