# SPDX-License-Identifier: MIT
"""Judges texts by an independent validator.

    python3 scripts/check_instances.py FILE      JSON lines {"schema": TEXT, "text": TEXT}

Prints `instances: N passed, N failed`; exit status 1 when a text is no valid instance.
"""
import decimal
import functools
import json
import sys

from validators import Exact, parse


@functools.lru_cache(None)
def validator_of(schema_text):
    return Exact(parse(schema_text))


def why_invalid(schema_text, text):
    """None for a valid instance, else the reason."""
    try:
        value = parse(text)
    except (ValueError, RecursionError, decimal.InvalidOperation) as error:
        return str(error)
    return validator_of(schema_text).why_invalid(value)


def main():
    passed = failed = 0
    with open(sys.argv[1], encoding="utf-8", newline="\n") as lines:
        for line in lines:
            case = json.loads(line)
            reason = why_invalid(case["schema"], case["text"])
            passed += reason is None
            failed += reason is not None
            if reason is not None:
                print(f"{reason}\n  {case['text']}\n  {case['schema']}", file=sys.stderr)
    print(f"instances: {passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
