#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the runtime's logits with a model in numpy, in double precision, on fixed prompts.

    scripts/check_model.py --model models/SmolLM2-135M-Instruct.Q4_1.gguf \\
        [--dump build/release/tests/dump_logits] [--prompts fixtures/prompts/prompts.jsonl]
        [--only ID] [--fixtures fixtures/models]

Judged, a check a prompt and path:
    reference path, fp32 KV    largest |logit difference| <= 1e-3
    fast path, fp16 KV         KL(oracle || forma), in nats a position: largest <= 0.05;
                               same best token wherever the oracle's best two are > 1.5 apart
    over all prompts           mean KL <= 0.01
and, where the package llama_cpp can be imported (an independent engine; skipped with a message
otherwise): its greedy tokens equal the oracle's up to the first step where the oracle's best two
lie within 1.5, and it loads the fixture models.

Needs numpy, gguf and tokenizers. The last line is `model check: N passed, N failed`; the exit
status is 0 when none failed.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
from gguf import GGUFReader

import check_tokenizer
import oracle_llama

MAX_DIFFERENCE = 1e-3
MAX_MEAN_KL = 0.01
MAX_KL = 0.05
GAP = 1.5  # logits: a larger lead must survive quantised activations
GREEDY_STEPS = 24


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, ok, text):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {text}")


def tokenizer(path):
    """A function from text to ids; control tokens in the text count as such."""
    plain = check_tokenizer.reference(path)
    fields = GGUFReader(path).fields
    tokens = fields["tokenizer.ggml.tokens"].contents()
    types = fields["tokenizer.ggml.token_type"].contents()
    control = {t: i for i, (t, kind) in enumerate(zip(tokens, types)) if kind in (3, 4)}
    cut = re.compile("(" + "|".join(map(re.escape, sorted(control, key=len, reverse=True))) + ")")

    def encode(text):
        ids = []
        for piece in cut.split(text):
            if piece in control:
                ids.append(control[piece])
            elif piece:
                ids += plain.encode(piece).ids
        return ids

    return encode


def dump(args, ids, *options):
    with tempfile.NamedTemporaryFile() as out:
        command = [args.dump, args.model, "--ids", ",".join(map(str, ids)), "--out", out.name]
        subprocess.run([*command, *options], check=True)
        return np.fromfile(out.name, "<f4").reshape(len(ids), -1).astype(np.float64)


def log_softmax(x):
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def compare(args, checks, name, ids, oracle, kls):
    reference = dump(args, ids, "--path", "reference", "--kv", "f32")
    fast = dump(args, ids, "--path", "fast", "--kv", "f16")
    difference = np.abs(reference - oracle).max()
    p, q = log_softmax(oracle), log_softmax(fast)
    kl = (np.exp(p) * (p - q)).sum(-1)
    best = np.sort(oracle, -1)[:, -2:]
    clear = best[:, 1] - best[:, 0] > GAP
    wrong = clear & (oracle.argmax(-1) != fast.argmax(-1))
    print(f"{name:14} {len(ids):4} tokens: reference differs by {difference:.2e}; "
          f"fast: KL mean {kl.mean():.1e}, largest {kl.max():.1e}, "
          f"logits differ by {np.abs(fast - oracle).max():.2f}")
    checks.check(difference <= MAX_DIFFERENCE, f"{name}: reference path differs by {difference}")
    checks.check(kl.max() <= MAX_KL, f"{name}: KL of {kl.max():.4f} after token {kl.argmax()}")
    checks.check(not wrong.any(), f"{name}: another best token after token {wrong.argmax()}")
    kls.append(kl)


def greedy_by_oracle(model, ids, steps):
    """Greedy tokens, up to the first choice that is not clear."""
    out = []
    for _ in range(steps):
        logits = oracle_llama.forward(model, ids + out)[-1]
        second, best = np.sort(logits)[-2:]
        if best - second <= GAP:
            break
        out.append(int(logits.argmax()))
    return out


def compare_peer(args, checks, model, prompts):
    try:
        import llama_cpp
    except ImportError:
        print("skipped: the package llama_cpp cannot be imported")
        return
    peer = llama_cpp.Llama(args.model, n_ctx=1024, verbose=False, logits_all=False)
    for name, ids in prompts:
        if len(ids) > 64:
            continue  # the oracle recomputes everything at each step
        want = greedy_by_oracle(model, ids, GREEDY_STEPS)
        peer.reset()
        got = []
        for token in peer.generate(ids, temp=0.0, repeat_penalty=1.0):
            got.append(int(token))
            if len(got) >= len(want):
                break
        checks.check(got[: len(want)] == want, f"{name}: llama.cpp writes {got}, oracle {want}")
    for path in sorted(glob.glob(os.path.join(args.fixtures, "*.gguf"))):
        try:
            llama_cpp.Llama(path, n_ctx=64, verbose=False)
            checks.check(True, path)
        except Exception as e:  # whatever the package raises is a failure to load
            checks.check(False, f"{path}: llama.cpp does not load it: {e}")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--model", required=True)
    p.add_argument("--dump", default="build/release/tests/dump_logits")
    p.add_argument("--prompts", default="fixtures/prompts/prompts.jsonl")
    p.add_argument("--fixtures", default="fixtures/models")
    p.add_argument("--only", help="id of a single prompt")
    p.add_argument("--no-peer", action="store_true", help="leave llama_cpp out")
    args = p.parse_args()
    checks = Checks()
    encode = tokenizer(args.model)
    with open(args.prompts, encoding="utf-8") as f:
        cases = [json.loads(line) for line in f]
    prompts = [(c["id"], encode(c["text"])) for c in cases if args.only in (None, c["id"])]
    model = oracle_llama.Model(args.model)
    kls = []
    for name, ids in prompts:
        compare(args, checks, name, ids, oracle_llama.forward(model, ids), kls)
    kl = np.concatenate(kls)
    print(f"{len(kl)} positions: mean KL {kl.mean():.1e}, largest {kl.max():.1e}")
    checks.check(args.only or kl.mean() <= MAX_MEAN_KL, f"mean KL {kl.mean():.5f}")
    if not args.no_peer:
        compare_peer(args, checks, model, prompts)
    print(f"model check: {checks.passed} passed, {checks.failed} failed")
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main())
