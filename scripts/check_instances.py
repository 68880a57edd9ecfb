# SPDX-License-Identifier: MIT
"""Judges texts by an independent validator.

    python3 scripts/check_instances.py FILE      JSON lines {"schema": TEXT, "text": TEXT}

Prints `instances: N passed, N failed`; exit status 1 when a text is no valid instance. Needs the
packages jsonschema (the rules, here on exact numbers) and jsonschema-rs (ECMA-262 patterns).
"""
import decimal
import functools
import json
import re
import sys

import jsonschema
import jsonschema_rs

decimal.getcontext().prec = 100_000  # remainders of numbers with many digits are exact


def unique(pairs):
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name occurs twice")
    return value


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def parse(text):
    """Strict JSON with exact numbers: no duplicate names, no lone surrogates, no NaN."""
    value = json.loads(
        text, object_pairs_hook=unique, parse_float=decimal.Decimal, parse_constant=refuse
    )
    if re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False, default=str)):
        raise ValueError("a lone surrogate")
    return value


def is_integer(_, value):
    if isinstance(value, decimal.Decimal):
        return value == value.to_integral_value()
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(_, value):
    return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)


def equal(a, b):
    """JSON equality: true is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    return a == b


@functools.lru_cache(None)
def pattern_validator(pattern):
    # "." leaves out four line ends in ECMA-262, one in the library.
    pattern = re.sub(r"(\\.)|\.", lambda m: m[1] or r"[^\n\r\u2028\u2029]", pattern)
    return jsonschema_rs.validator_for({"pattern": pattern})


def check_pattern(_, pattern, value, __):
    if isinstance(value, str) and not pattern_validator(pattern).is_valid(value):
        yield jsonschema.ValidationError(f"{value!r} does not match {pattern!r}")


def check_enum(_, values, value, __):
    if not any(equal(value, v) for v in values):
        yield jsonschema.ValidationError(f"{value!r} is not in the enum")


def check_const(_, const, value, __):
    if not equal(value, const):
        yield jsonschema.ValidationError(f"{value!r} is not {const!r}")


def check_multiple(_, step, value, __):
    if is_number(None, value) and decimal.Decimal(value) % decimal.Decimal(step) != 0:
        yield jsonschema.ValidationError(f"{value} is no multiple of {step}")


Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    {
        "pattern": check_pattern,
        "enum": check_enum,
        "const": check_const,
        "multipleOf": check_multiple,
    },
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", is_integer
    ).redefine("number", is_number),
)


@functools.lru_cache(None)
def validator_of(schema_text):
    return Validator(parse(schema_text))


def why_invalid(schema_text, text):
    """None for a valid instance, else the reason."""
    try:
        value = parse(text)
    except (ValueError, RecursionError, decimal.InvalidOperation) as error:
        return str(error)
    error = next(validator_of(schema_text).iter_errors(value), None)
    return error and error.message


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
