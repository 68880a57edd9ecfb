#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generate with the demonstration's schema under many seeds and judge each text.

    scripts/check_demo.py --model MODEL [--forma build/release/forma] [--seeds N] [--temp T]

Every text must be one JSON object that the package jsonschema finds valid, and must end by `stop`
(the schema bounds its strings, so no text needs to be cut). The last line is
`demo: N passed, N failed`; the exit status is 0 when none failed.
"""
import argparse
import json
import subprocess
import sys

import jsonschema


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--forma", default="build/release/forma")
    parser.add_argument("--schema", default="fixtures/demo/ticket.json")
    parser.add_argument("--prompt", default="fixtures/demo/prompt.txt")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--temp", default="1.0")
    a = parser.parse_args()
    with open(a.schema, encoding="utf-8") as f:
        validator = jsonschema.Draft202012Validator(json.load(f))
    passed = failed = 0
    for seed in range(1, a.seeds + 1):
        run = subprocess.run(
            [a.forma, "generate", "-m", a.model, "--schema", a.schema, "-f", a.prompt,
             "--temp", a.temp, "--seed", str(seed), "--json"], capture_output=True, text=True)
        why = f"exit status {run.returncode}: {run.stderr.strip()}" if run.returncode else None
        if why is None:
            result = json.loads(run.stdout)
            try:
                validator.validate(json.loads(result["text"]))
                if result["finish_reason"] != "stop":
                    why = f"ended by {result['finish_reason']}"
                elif result["narrowed"]:
                    why = "narrowed"
            except (ValueError, jsonschema.ValidationError) as e:
                why = f"{str(e).splitlines()[0]} in {result['text']!r}"
        if why is None:
            passed += 1
        else:
            failed += 1
            print(f"seed {seed}: {why}", file=sys.stderr)
    print(f"demo: {passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
