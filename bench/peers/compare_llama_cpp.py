#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Speed of `forma generate` beside llama.cpp (the package llama-cpp-python) on the same model,
prompt length and number of threads, without a form.

    bench/peers/compare_llama_cpp.py -m MODEL [--forma build/release/forma] [--threads N]
        [--tokens 128] [--prompt-words 300] [--rounds 3]

Prefill is prompt tokens over the time to the first token, decode is tokens over the time between
tokens; of each the best of the rounds, which alternate between the engines so that a busy
machine disturbs both alike. The ratios are forma / llama.cpp: above 1, forma is faster.
"""
import argparse
import json
import os
import subprocess
import sys
import time

WORDS = ("The committee met on Tuesday to review the results of the first half of the year and "
         "to decide how many of the old machines should be replaced before the winter . ").split()


def forma_round(args, prompt):
    command = [args.forma, "generate", "-m", args.model, "--raw", "-p", prompt, "--temp", "0",
               "--max-tokens", str(args.tokens), "--threads", str(args.threads), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: finished by length
        sys.exit(f"compare_llama_cpp: forma failed: {done.stderr or done.stdout}")
    result = json.loads(done.stdout)
    n = result["usage"]["prompt_tokens"]
    timings = result["timings"]
    return n, n / timings["ttft_ms"] * 1e3, 1e3 / timings["tpot_ms"]


def peer_round(engine, ids, tokens):
    engine.reset()
    start = time.perf_counter()
    engine.eval(ids)
    first = time.perf_counter()
    for i in range(tokens):
        engine.eval([ids[i % len(ids)]])
    end = time.perf_counter()
    return len(ids) / (first - start), tokens / (end - first)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("-m", "--model", required=True)
    p.add_argument("--forma", default="build/release/forma")
    p.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    p.add_argument("--tokens", type=int, default=128)
    p.add_argument("--prompt-words", type=int, default=300)
    p.add_argument("--rounds", type=int, default=3)
    args = p.parse_args()
    try:
        import llama_cpp
    except ImportError:
        print("compare_llama_cpp: the package llama-cpp-python cannot be imported; nothing compared")
        return 0
    prompt = " ".join(WORDS[i % len(WORDS)] for i in range(args.prompt_words))
    engine = llama_cpp.Llama(args.model, n_ctx=2048, n_batch=512, n_threads=args.threads,
                             n_threads_batch=args.threads, verbose=False)
    best = {"forma": (0, 0), "llama.cpp": (0, 0)}
    for _ in range(args.rounds):
        n, *ours = forma_round(args, prompt)
        ids = engine.tokenize(prompt.encode(), add_bos=False)[:n]
        for name, rates in (("forma", ours), ("llama.cpp", peer_round(engine, ids, args.tokens))):
            best[name] = tuple(map(max, best[name], rates))
    print(f"{args.threads} threads, prompt of {n} tokens, {args.tokens} tokens decoded; tokens/s")
    print(f"{'':10} {'prefill':>9} {'decode':>9}")
    for name, rates in best.items():
        print(f"{name:10} {rates[0]:9.1f} {rates[1]:9.1f}")
    ratios = [a / b for a, b in zip(best["forma"], best["llama.cpp"])]
    print(f"{'ratio':10} {ratios[0]:9.2f} {ratios[1]:9.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
