# SPDX-License-Identifier: MIT
"""Other spellings of a JSON text: the same value in random key order, with random blanks, escapes and
forms of numbers. `python3 scripts/respell.py [SEED] < text` prints one.

`respell(text, rng)` keeps numbers exact (digits, never a double), also whether a number is written
as an integer when `integers` is set: in draft 4 only 1 is an integer, not 1.0 or 1e0.
"""

import decimal
import json
import random
import sys

SHORT = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n",
         "\r": "\\r", "\t": "\\t"}  # fmt: skip
DIGITS = 60  # zeros that a number may gain at most
LARGE = 400  # beyond such an exponent a number keeps its spelling


class Number(str):
    """The spelling of a number."""


class Members(list):
    """Pairs of an object, in order."""


def tree(text):
    return json.loads(
        text,
        parse_int=Number,
        parse_float=Number,
        parse_constant=Number,
        object_pairs_hook=Members,
    )


def blank(rng):
    if rng.random() < 0.7:
        return ""
    return "".join(rng.choice(" \t\n\r ") for _ in range(rng.choice([1, 1, 1, 2, 5])))


def unit(code, rng):
    return "\\u" + "".join(rng.choice([c, c.upper()]) for c in f"{code:04x}")


def character(c, rng):
    """One way of several to write it in a string."""
    ways = []
    if c not in '"\\' and c >= " ":
        ways += [c] * 4
    if c in SHORT:
        ways += [SHORT[c]] * 2
    if ord(c) < 0x10000:
        ways.append(unit(ord(c), rng))
    else:
        ways.append("".join(unit(int.from_bytes(c.encode("utf-16-be")[i : i + 2], "big"), rng)
                            for i in (0, 2)))  # fmt: skip
    return rng.choice(ways)


def string(s, rng):
    if rng.random() < 0.3:
        return json.dumps(s, ensure_ascii=rng.random() < 0.5)
    return '"' + "".join(character(c, rng) for c in s) + '"'


def exponent_form(sign, digits, exponent, rng):
    """digits * 10^exponent, digits without sign, with the point somewhere and an exponent."""
    pad = rng.randint(0, 3)
    digits, exponent = digits + "0" * pad, exponent - pad
    point = rng.randint(1, len(digits)) if digits[0] != "0" else 1
    whole, fraction = digits[:point], digits[point:]
    exponent += len(fraction)
    if rng.random() < 0.2 and whole != "0":  # 0.0012e4
        zeros = rng.randint(0, 3)
        whole, fraction = "0", "0" * zeros + whole + fraction
        exponent += zeros + len(digits) - len(digits[point:])
    if exponent == 0 and rng.random() < 0.5:
        shown = ""
    else:
        head = "-" if exponent < 0 else rng.choice(["", "+"])
        shown = rng.choice("eE") + head + "0" * rng.choice([0, 0, 0, 2]) + str(abs(exponent))
    return sign + whole + ("." + fraction if fraction else "") + shown


def number(spelling, rng, integers):
    value = decimal.Decimal(spelling)
    sign, digits, exponent = value.as_tuple()
    digits = "".join(map(str, digits)).lstrip("0") or "0"
    if digits == "0":
        sign, exponent = rng.random() < 0.3, 0
    sign = "-" if sign else ""
    is_integer = all(c in "-0123456789" for c in spelling)
    if integers and is_integer:
        return "-" * bool(sign) + spelling.lstrip("-") if digits == "0" else str(spelling)
    if rng.random() < 0.3 or abs(exponent) > LARGE:
        return str(spelling)
    if rng.random() < 0.4 and -DIGITS <= exponent <= DIGITS:
        whole = digits + "0" * max(exponent, 0)
        fraction = ""
        if exponent < 0:
            whole = whole.rjust(1 - exponent, "0")
            whole, fraction = whole[:exponent], whole[exponent:]
        fraction += "0" * rng.choice([0, 0, 1, 3])
        if integers and not fraction:
            fraction = "0"
        return sign + whole + ("." + fraction if fraction else "")
    made = exponent_form(sign, digits, exponent, rng)
    if integers and all(c in "-0123456789" for c in made):
        made += ".0"
    return made


def write(value, rng, integers):
    if isinstance(value, Number):
        return number(value, rng, integers)
    if isinstance(value, Members):
        pairs = list(value)
        rng.shuffle(pairs)
        inner = ",".join(
            blank(rng) + string(k, rng) + blank(rng) + ":" + blank(rng)
            + write(v, rng, integers) + blank(rng) for k, v in pairs
        )  # fmt: skip
        return "{" + (inner or blank(rng)) + "}"
    if isinstance(value, list):
        inner = ",".join(blank(rng) + write(v, rng, integers) + blank(rng) for v in value)
        return "[" + (inner or blank(rng)) + "]"
    return string(value, rng) if isinstance(value, str) else json.dumps(value)


def plain(value):
    """Of a tree: as json.dumps writes it, numbers digit by digit."""
    if isinstance(value, Members):
        return "{" + ", ".join(f"{json.dumps(k)}: {plain(v)}" for k, v in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(plain, value)) + "]"
    return str(value) if isinstance(value, Number) else json.dumps(value)


def respell(text, rng, integers=False):
    return blank(rng) + write(tree(text), rng, integers) + blank(rng)


if __name__ == "__main__":
    sys.stdout.write(respell(sys.stdin.read(), random.Random(int(sys.argv[1]) if sys.argv[1:] else 1)))
