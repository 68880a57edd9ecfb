#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One table of masks: forma on all files of a MaskBench folder, its peers on a seeded sample.

    bench/peers/maskbench.py --tokenizer F.json --data DIR|ARCHIVE.tar.xz [--forma build/release/forma]
        [--python VENV/bin/python --tools DIR] [--peers llguidance,xgrammar,maskforge]
        [--eos TOKEN] [--limit 1000] [--seed 1] [--all N] [--rounds 3] [--timeout 10] [--out DIR]

The peers run by DIR/maskbench_peers.py in a Python that has them; without --python only forma is
measured. forma also runs on the peers' sample, without its cache, and in the style in which
`forma generate` writes. `--all N` takes N files instead of all. The max over the files is the median
of `--rounds` fresh processes. The JSON lines stay in --out.
"""
import argparse
import glob
import json
import os
import random
import statistics
import subprocess
import sys
import tarfile
import tempfile

import numpy as np

HEAD = ("| engine | files | right | no compile | wrongly refuses / accepts | no answer "
        "| mask µs: mean, p50, p90, p99, p99.9, max | first mask µs: mean, p50, p90, p99, max |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |")


def read_rows(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def figures(rows):
    masks = np.array([x for r in rows for x in r.get("tbm", [])] or [0.0])
    first = np.array([r["ttfm"] for r in rows if "tbm" in r] or [0.0])
    return masks, first


def numbers(values):
    return ", ".join(f"{v:,.2f}" if v < 10 else f"{v:,.0f}" for v in values)


def row(name, runs):
    """A line of the table; `runs`: the rows of each round, the first counts but for the max."""
    rows = runs[0]
    masks, first = figures(rows)
    most = [statistics.median(f.max() for f in column)
            for column in zip(*(figures(r) for r in runs))]
    bad = [r.get("bad", []) for r in rows]
    lost = sum(bool(r.get("timeout") or r.get("crash")) for r in rows)
    print(f"| {name} | {len(rows)} | {sum('tbm' in r and not r.get('bad') for r in rows)} "
          f"| {sum('compile_error' in r for r in rows)} "
          f"| {sum(any(b['want'] for b in x) for x in bad)} / "
          f"{sum(any(not b['want'] for b in x) for x in bad)} | {lost} "
          f"| {numbers([masks.mean(), *np.percentile(masks, [50, 90, 99, 99.9]), most[0]])} "
          f"| {numbers([first.mean(), *np.percentile(first, [50, 90, 99]), most[1]])} |", flush=True)
    calls = [r["call"] for r in rows if r.get("call")]
    return f"{name}: an empty call costs {statistics.median(calls):.2f} µs" if calls else ""


def run_forma(args, name, files, rounds, *more):
    runs = []
    for i in range(rounds):
        out = os.path.join(args.out, f"forma-{name}-{i + 1}.jsonl")
        command = [args.forma, "bench", "masks", "--tokenizer", args.tokenizer, "--data", files,
                   "--out", out, "--json", *(["--eos", args.eos] if args.eos else []), *more]
        run = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        if run.returncode not in (0, 1):
            sys.exit(f"maskbench: {' '.join(command)} ended with status {run.returncode}")
        with open(out + ".sum", "wb") as file:
            file.write(run.stdout)
        runs.append(read_rows(out))
    return runs


def run_peer(args, engine, eos, files):
    out = os.path.join(args.out, engine + ".jsonl")
    stub = os.path.join(args.tools, "torch_stub")
    command = [args.python, os.path.join(args.tools, "maskbench_peers.py"), engine, args.tokenizer,
               eos, files, out, "--timeout", str(args.timeout)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": stub})
    return read_rows(out)


def find_files(args):
    if os.path.isdir(args.data):
        return sorted(glob.glob(os.path.join(args.data, "**", "*.json"), recursive=True))
    folder = os.path.join(args.out, "data")
    with tarfile.open(args.data) as tar:
        tar.extractall(folder, filter="data")
    return sorted(glob.glob(os.path.join(folder, "**", "*.json"), recursive=True))


def write_list(args, name, files):
    path = os.path.join(args.out, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(f + "\n" for f in files))
    return path


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--tokenizer", required=True)
    options.add_argument("--data", required=True)
    options.add_argument("--forma", default="build/release/forma")
    options.add_argument("--python", help="a Python that has the peers")
    options.add_argument("--tools", default="../shared/tools")
    options.add_argument("--peers", default="llguidance,xgrammar,maskforge")
    options.add_argument("--eos", help="the end token; default: what forma knows by name")
    options.add_argument("--limit", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--all", type=int, help="forma on so many files, drawn too")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--timeout", type=float, default=10)
    options.add_argument("--out")
    args = options.parse_args()
    if args.python and not args.eos:
        sys.exit("maskbench: the peers need --eos, such as <|end_of_text|> for Llama 3.1")
    with tempfile.TemporaryDirectory() as folder:
        args.out = args.out or folder
        os.makedirs(args.out, exist_ok=True)
        every = find_files(args)
        rng = random.Random(args.seed)
        sample = sorted(rng.sample(every, min(args.limit, len(every))))
        if args.all and args.all < len(every):
            every = sorted(rng.sample(every, args.all))
        all_list = write_list(args, "all.txt", every)
        some_list = write_list(args, "sample.txt", sample)
        notes = []
        print(HEAD)
        row("forma, all files", run_forma(args, "all", all_list, args.rounds))
        row("forma, no cache", run_forma(args, "no-cache", some_list, 1, "--no-cache"))
        row("forma, style of generate", run_forma(
            args, "generate", some_list, 1, "--keys", "schema", "--numbers", "plain", "--escapes",
            "minimal"))
        row("forma, the sample", run_forma(args, "sample", some_list, args.rounds))
        for engine in args.peers.split(",") if args.python else []:
            notes.append(row(engine, [run_peer(args, engine, args.eos, some_list)]))
        print("\n" + "\n".join(n for n in notes if n))


if __name__ == "__main__":
    main()
