# SPDX-License-Identifier: MIT
"""Random schemas over all keywords of a draft, with instances that two validators have judged.

    python3 scripts/random_cases.py --seed 1 --count 500 [--draft 7]... [--exact-numbers] \\
        [--prefixes] [--disputes FILE] > cases.jsonl

Writes lines for `forma check --cases`: the same ones for the same arguments. Without --draft the
five drafts take turns. About half of the texts are valid where valid ones can be found. A text is
the value in some spelling (blanks, escapes, 1.0 for 1), now and then no JSON at all.

Each value is judged by validators.Exact and validators.Native. Where they agree, the text is
`valid` or `invalid`; where they differ, `may`, unless the fault of one is known (KNOWN_FAULTS
below). All disputes are listed by --disputes. --exact-numbers makes schemas of numbers beyond
doubles instead: bounds, steps, enum, const and uniqueItems, judged by decimal arithmetic alone
(validators.Exact). `expect` is compile if a valid text is known, else compile_or_error. Left out:
schemas that reach themselves without going into a child, which validators do not survive.

--prefixes makes schemas that allow, among whatever they allow, only values of a small set (SMALL),
in a style in which each value has one text, or one an order of its keys. All are judged, so it is
known which prefixes can be completed: `viable` and `dead`, mostly at the letter that decides. A
schema without a value expects compile_error.
"""

import argparse
import collections
import decimal
import itertools
import json
import random
import sys

from random_instances import Instances, Spelling, breakage
from random_schemas import BIG_NUMBERS, NAMES, NUMBERS, STRINGS, Schemas, number_schema
from validators import DRAFTS, Exact, Native, parse, schema_is_valid

# Where the two validators differ and the specification decides: (what must occur in the schema, who
# is right). jsonschema-rs takes 1e0 for an integer in draft 4, and lets `contains` evaluate items
# in 2019-09 already.
KNOWN_FAULTS = {
    "4": [(('"integer"',), "exact")],
    "2019-09": [(('"contains"', '"unevaluatedItems"'), "exact")],
}


# ---- small sets of values, to know all that is valid

SMALL = {  # what stands in an array, in an object, and alone
    "items": [1, 2, 12, "a", []],
    "members": [1, "a", {}],
    "scalars": [None, True, False, -1, 0, 1, 1.5, 2, 10, 12, "", "a", "ab", "ba", 'b"', "\u00e9"],
}


def small_schema():
    member = {"enum": SMALL["members"]}
    return {
        "anyOf": [
            {"enum": SMALL["scalars"]},
            {"type": "array", "items": {"enum": SMALL["items"]}, "maxItems": 3},
            {
                "type": "object",
                "properties": {n: member for n in "abc"},
                "additionalProperties": False,
            },
        ]
    }


def small_parts(rng, schema):
    """The schema with the small set in allOf; now and then with some of the values in an enum, or
    with these for the whole set. What comes first declares the order of the keys."""
    objects = [value for value in small_values(False) if isinstance(value, dict)]
    others = [value for value in small_values(False) if not isinstance(value, dict)]
    some = {"enum": rng.sample(objects, rng.randint(2, 6)) + rng.sample(others, rng.randint(0, 4))}
    parts, choice = schema.pop("allOf", []), rng.random()
    order = {"properties": {name: {} for name in "abc"}}
    if choice < 0.1:
        return {"allOf": [order, some]}
    if choice < 0.3:
        return {"allOf": [order, some, *parts], **schema}
    if choice < 0.4:
        parts.append({"not": some})
    elif choice < 0.6:
        parts.append({rng.choice(["anyOf", "oneOf"]): [some, *parts[:1], {"required": ["a", "c"]}]})
    return {"allOf": [small_schema(), *parts], **schema}


def small_values(any_order):
    yield from SMALL["scalars"]
    for count in range(4):
        yield from map(list, itertools.product(SMALL["items"], repeat=count))
        choose = itertools.permutations if any_order else itertools.combinations
        for names in choose("abc", count):
            for members in itertools.product(SMALL["members"], repeat=count):
                yield dict(zip(names, members))


def prefixes_case(rng, case, judge):
    """Fills the case. False if the validators differ on a value: nothing is known then."""
    any_order = rng.random() < 0.5
    case["style"] = {
        "keys": "any" if any_order else "schema",
        "blanks": "compact",
        "numbers": "plain",
        "escapes": "minimal",
    }
    viable, texts = set(), {True: [], False: []}
    for value in small_values(any_order):
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        verdict = judge(parse(text))
        if verdict is None:
            return False
        texts[verdict].append(text)
        if verdict:
            viable.update(text[:i] for i in range(1, len(text) + 1))
    if not texts[True]:
        case["expect"] = "compile_error"
        return True
    dead = {
        text[: next(i for i in range(1, len(text) + 1) if text[:i] not in viable)]
        for text in texts[False]
        if text not in viable
    }
    case["valid"] = rng.sample(texts[True], min(6, len(texts[True])))
    case["invalid"] = rng.sample(texts[False], min(6, len(texts[False])))
    case["viable"] = rng.sample(sorted(viable), min(8, len(viable)))
    case["dead"] = rng.sample(sorted(dead), min(16, len(dead)))
    case["expect"] = "compile"
    return True


# ---- cases


def spelled(value):
    """A schema as text: decimals keep their spelling."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {spelled(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(spelled, value)) + "]"
    return str(value) if isinstance(value, decimal.Decimal) else json.dumps(value)


class Judges:
    """Both validators on one schema, and what they say together: True, False or None."""

    def __init__(self, schema, text, draft, numbers_only, counts):
        self.exact, self.counts = Exact(schema, draft), counts
        self.native = None if numbers_only else Native(schema, draft)
        self.trusted = next(
            (who for words, who in KNOWN_FAULTS.get(draft, []) if all(w in text for w in words)),
            None,
        )

    def __call__(self, value):
        exact = self.exact.is_valid(value)
        if self.native is None:
            return exact
        native = self.native.is_valid(value)
        if exact == native:
            return exact
        if self.trusted:
            self.counts["decided by a known fault"] += 1
            return exact if self.trusted == "exact" else native
        return None


def case_of(seed, number, draft, options, counts, disputes):
    """A case, or None where the dice made nothing of use."""
    rng = random.Random(f"{seed} {number} {draft}")
    if options.exact_numbers:
        schema = number_schema(rng, draft)
    else:
        schema = Schemas(rng, draft, rng.choice([2, 4, 8, 8, 14, 20, 40])).make()
    if options.prefixes:
        schema = small_parts(rng, schema)
    text = spelled(schema)
    if schema_is_valid(schema, draft) != [True, True]:
        counts["schemas that a metaschema refuses"] += 1
        return None
    kind = "numbers" if options.exact_numbers else "prefixes" if options.prefixes else "random"
    case = {
        "id": f"{kind}-{draft}-{seed}-{number}",
        "draft": draft,
        "valid": [],
        "invalid": [],
        "may": [],
    }
    try:
        judge = Judges(schema, text, draft, options.exact_numbers, counts)
        if options.prefixes:
            known = prefixes_case(rng, case, judge)
            return written_case(case, text, counts) if known else None
        vocabulary = BIG_NUMBERS if options.exact_numbers else NUMBERS
        instances = Instances(rng, schema, NAMES, STRINGS, vocabulary)
        spelling, seen = Spelling(rng), set()
        wanted = rng.randint(10, 18)
        for attempt in range(200):
            if min(len(case["valid"]), len(case["invalid"])) >= wanted or len(seen) >= 2 * wanted:
                break
            known = case["valid"] or case["invalid"]
            if known and attempt % 2:
                value = instances.mutated(parse(rng.choice(known)))
            else:
                value = instances.value() if attempt % 8 else instances.random_value()
            written = spelling.write(value)
            value = parse(written)  # a number is what its text says, to draft 4 also as it says it
            verdict = judge(value)
            kind = {True: "valid", False: "invalid", None: "may"}[verdict]
            if written in seen or (kind != "may" and len(case[kind]) >= wanted):
                continue
            seen.add(written)
            case[kind].append(written)
            if kind == "may":
                disputes.append(
                    {
                        "schema": text,
                        "draft": draft,
                        "text": written,
                        "exact": judge.exact.is_valid(value),
                    }
                )
        for good in case["valid"][:1]:
            if rng.random() < 0.3:
                case["invalid"].append(breakage(rng, good))
    except Exception as error:  # a validator gave up: unusable, and worth a look
        counts[f"validator error: {type(error).__name__}"] += 1
        disputes.append({"schema": text, "draft": draft, "error": str(error)[:200]})
        return None
    case["expect"] = "compile" if case["valid"] else "compile_or_error"
    return written_case(case, text, counts)


def written_case(case, text, counts):
    for kind in ("valid", "invalid", "may", "viable", "dead"):
        counts[kind] += len(case.get(kind, []))
    counts[case["expect"]] += 1
    rest = json.dumps({k: v for k, v in case.items() if v and k != "id"}, ensure_ascii=False)
    return f'{{"id": "{case["id"]}", "schema": {text}, {rest[1:]}'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500, help="cases to write")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--draft", action="append", choices=DRAFTS)
    parser.add_argument("--exact-numbers", action="store_true")
    parser.add_argument("--prefixes", action="store_true")
    parser.add_argument(
        "--disputes", metavar="FILE", help="where to list what the validators differ on"
    )
    options = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    counts, disputes, made, number = collections.Counter(), [], 0, options.first
    while made < options.count:
        drafts = options.draft or DRAFTS
        line = case_of(
            options.seed, number, drafts[number % len(drafts)], options, counts, disputes
        )
        number += 1
        if line:
            print(line)
            made += 1
    if options.disputes:
        with open(options.disputes, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(d, ensure_ascii=False) + "\n" for d in disputes)
    print(", ".join(f"{name}: {n}" for name, n in sorted(counts.items())), file=sys.stderr)


if __name__ == "__main__":
    main()
