#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generate with the demonstration's schema under many seeds and budgets and judge each text.

    scripts/check_demo.py --model MODEL [--forma build/release/forma] [--seeds N] [--temp T]
                          [--budgets N]

Every text must be one JSON object that the package jsonschema finds valid, and must end by `stop`:
the schema bounds its strings, and a budget in tokens ends in a whole value. Budgets go from the
least, which is named where one is refused, to 40 tokens more. The last line is
`demo: N passed, N failed`; the exit status is 0 when none failed.
"""
import argparse
import json
import re
import subprocess
import sys

import jsonschema

MORE = 40  # tokens beyond the least


def generate(a, seed, *options):
    return subprocess.run(
        [a.forma, "generate", "-m", a.model, "--schema", a.schema, "-f", a.prompt,
         "--temp", a.temp, "--seed", str(seed), "--json", *options],
        capture_output=True, text=True, check=False)


def judge(run, validator, budget=None):
    """What is wrong; None: nothing."""
    if run.returncode:
        return f"exit status {run.returncode}: {run.stderr.strip()} {run.stdout.strip()}"
    result = json.loads(run.stdout)
    try:
        validator.validate(json.loads(result["text"]))
    except (ValueError, jsonschema.ValidationError) as e:
        return f"{str(e).splitlines()[0]} in {result['text']!r}"
    if result["finish_reason"] != "stop":
        return f"ended by {result['finish_reason']}"
    if result["narrowed"]:
        return "narrowed"
    if budget and result["usage"]["completion_tokens"] > budget:
        return f"{result['usage']['completion_tokens']} tokens"
    return None


def check_budgets(a, validator):
    """Pairs of a name and what is wrong."""
    run = generate(a, 1, "--max-tokens", "1")
    found = re.search(r"to (\d+) or more", run.stdout)
    if run.returncode != 2 or not found:
        yield "a budget of 1", f"exit status {run.returncode}: {run.stdout.strip()}"
        return
    least = int(found.group(1))
    run = generate(a, 1, "--max-tokens", str(least - 1))
    yield "a budget below the least", None if run.returncode == 2 else "not refused"
    for i in range(a.budgets):
        n = least + i * MORE // max(1, a.budgets - 1)
        more = ["--no-forced"] if i % 2 else []
        run = generate(a, i, "--max-tokens", str(n), *more)
        yield f"a budget of {n}", judge(run, validator, n)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--forma", default="build/release/forma")
    parser.add_argument("--schema", default="fixtures/demo/ticket.json")
    parser.add_argument("--prompt", default="fixtures/demo/prompt.txt")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--budgets", type=int, default=8)
    parser.add_argument("--temp", default="1.0")
    a = parser.parse_args()
    with open(a.schema, encoding="utf-8") as f:
        validator = jsonschema.Draft202012Validator(json.load(f))
    passed = failed = 0
    results = [(f"seed {s}", judge(generate(a, s), validator)) for s in range(1, a.seeds + 1)]
    for name, why in results + list(check_budgets(a, validator)):
        if why is None:
            passed += 1
        else:
            failed += 1
            print(f"{name}: {why}", file=sys.stderr)
    print(f"demo: {passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
