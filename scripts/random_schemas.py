# SPDX-License-Identifier: MIT
"""Random schemas over all keywords of a draft, with instances that two validators have judged.

    python3 scripts/random_schemas.py --seed 1 --count 500 [--draft 7]... [--exact-numbers] \\
        [--prefixes] [--disputes FILE] > cases.jsonl

Writes lines for `forma check --cases`: the same ones for the same arguments. Without --draft the five
drafts take turns. Names and values come from a small vocabulary, so that keywords meet in one
object; about half of the texts are valid where valid ones can be found. A text is the value in some
spelling (blanks, escapes, 1.0 for 1), now and then no JSON at all.

Each value is judged by validators.Exact and validators.Native. Where they agree, the text is `valid`
or `invalid`; where they differ, `may`, unless the fault of one is known (KNOWN_FAULTS below). All
disputes are listed by --disputes. --exact-numbers makes schemas of numbers beyond doubles instead:
bounds, steps, enum, const and uniqueItems, judged by decimal arithmetic alone (validators.Exact).
`expect` is compile if a valid text is known, else compile_or_error. Left out: schemas that reach
themselves without going into a child, which validators do not survive.

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
from validators import DRAFTS, SCHEMA_URIS, Exact, Native, parse, schema_is_valid

NAMES = ["a", "b", "c", "ab", "", "$ref", "\u00e9"]
PATTERNS = ["a", "^a", "b$", "^[ab]$", "^.b", "^(a|c)", "^[^a]", "^$", "^a*$", "."]
STRINGS = ["", "a", "b", "ab", "ba", "abc", "\u00e9", "\U0001f600"]
NUMBERS = [parse(n) for n in ("0", "1", "2", "3", "-1", "1.0", "1.5", "0.5", "-0.0", "5", "10", "2e0")]
BIG_NUMBERS = [
    parse(n)
    for n in (
        "9007199254740991 9007199254740992 9007199254740993 9007199254740993.0 -9007199254740993 "
        "18446744073709551616 18446744073709551615 1e400 1e399 -1e400 1e-400 2e-400 0.1 0.2 0.3 0.30 "
        "0.7 1.1 3.3 1e22 10000000000000000000000 1e23 0.1e1 1 0 -0.0 123456789012345678901234567890 "
        "123456789012345678901234567890.5 0.1000000000000000055511151231257827 1e-1 33e-1 7 1001"
    ).split()
]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]
LATER = ("2019-09", "2020-12")

# Where the two validators differ and the specification decides: (what must occur in the schema, who
# is right). jsonschema-rs takes 1e0 for an integer in draft 4, lets `contains` evaluate items in
# 2019-09 already, and asserts `dependencies` in the drafts that have no such keyword any more.
KNOWN_FAULTS = {
    "4": [(('"integer"',), "exact")],
    "2019-09": [(('"contains"', '"unevaluatedItems"'), "exact"), (('"dependencies"',), "exact")],
    "2020-12": [(('"dependencies"',), "exact")],
}


class Schemas:
    """Makes one schema. In-place references (those that judge the same value) lead from the root to
    definitions, and from a definition to later ones only; any other goes into a child first."""

    def __init__(self, rng, draft, budget):
        self.rng, self.draft, self.budget = rng, draft, budget
        self.later = draft in LATER
        self.id_word = "id" if draft == "4" else "$id"
        self.definitions_word = "$defs" if self.later else "definitions"
        count = rng.choice([0, 0, 1, 1, 2, 3]) if budget > 4 else 0
        self.names = [f"d{i}" for i in range(count)]
        self.own_resource = [count and rng.random() < 0.2 for _ in self.names]
        self.has_id = any(self.own_resource) or rng.random() < 0.1
        self.anchors = [
            rng.random() < 0.2 and draft != "4" and not own for own in self.own_resource
        ]
        self.dynamic = self.later and rng.random() < 0.3
        self.place = -1  # the definition that is being made; -1 is the root
        self.inside_child = False

    def chance(self, p):
        return self.rng.random() < p

    # ---- the whole

    def make(self):
        definitions = {}
        for i, name in enumerate(self.names):
            self.place, self.inside_child = i, False
            body = self.body()
            if self.own_resource[i]:
                body = {self.id_word: name, **self.dynamic_anchor(), **body}
            elif self.anchors[i]:
                anchor = {"$anchor": f"at{i}"} if self.later else {self.id_word: f"#at{i}"}
                body = {**anchor, **body}
            definitions[name] = body
        self.place, self.inside_child = -1, False
        root, head = self.body(), {}
        if self.chance(0.5) or self.draft != "2020-12":
            head["$schema"] = SCHEMA_URIS[self.draft]
        if self.has_id:
            head[self.id_word] = "http://forma.test/root"
        head.update(self.dynamic_anchor())
        if definitions:
            root = {**root, self.definitions_word: definitions}
        return {**head, **root}

    def body(self):
        """A schema that may get an identifier: none counts beside `$ref` up to draft 7."""
        made = self.schema(force=True)
        return {"allOf": [made]} if "$ref" in made and not self.later else made

    def dynamic_anchor(self):
        if not self.dynamic:
            return {}
        if self.draft == "2019-09":
            return {"$recursiveAnchor": self.chance(0.8)}
        return {"$dynamicAnchor" if self.chance(0.8) else "$anchor": "n"}

    def reference(self):
        """A reference to a definition or the root, or None where none may stand."""
        targets = range(0 if self.inside_child else self.place + 1, len(self.names))
        if self.inside_child and self.dynamic and self.chance(0.4):
            word = "$recursiveRef" if self.draft == "2019-09" else "$dynamicRef"
            # Without a resource of its own, a definition belongs to that of the root.
            return {word: "#" if word == "$recursiveRef" else "#n"}
        choices = list(targets) + ([-1] if self.inside_child else [])
        if not choices:
            return None
        target = self.rng.choice(choices)
        in_root = self.place < 0 or not self.own_resource[self.place]
        base = "" if in_root else self.rng.choice(["root", "http://forma.test/root"])
        if target < 0:
            return {"$ref": base or "#"}
        if self.own_resource[target]:
            return {"$ref": self.rng.choice([self.names[target], f"http://forma.test/{self.names[target]}"])}
        if self.anchors[target] and self.chance(0.5):
            return {"$ref": f"{base}#at{target}"}
        return {"$ref": f"{base}#/{self.definitions_word}/{self.names[target]}"}

    # ---- one schema

    def child(self, **options):
        was, self.inside_child = self.inside_child, True
        made = self.schema(**options)
        self.inside_child = was
        return made

    def schema(self, force=False):
        self.budget -= 1
        if not force and (self.budget <= 0 or self.chance(0.12)):
            return self.leaf()
        if self.chance(0.22):
            reference = self.reference()
            if reference:
                if self.later or self.chance(0.1):
                    reference.update(self.keywords(self.rng.choice([0, 0, 1])))
                return reference
        return self.keywords(self.rng.choice([1, 1, 2, 2, 3, 4]))

    def leaf(self):
        kind = self.rng.random()
        if kind < 0.3:
            return {"type": self.types()}
        if kind < 0.5:
            return {"const": self.value(1)} if self.draft != "4" else {"enum": [self.value(1)]}
        if kind < 0.6:
            return {"minimum": self.number()}
        if kind < 0.7:
            return {"required": [self.name()]}
        if kind < 0.85 and self.draft != "4":
            return self.chance(0.6)
        return {} if self.chance(0.6) else {"not": {}}

    def keywords(self, count):
        """Keywords of one theme, mostly, so that they have to do with each other."""
        theme = self.rng.choice(["object", "object", "array", "array", "scalar", "logic", "any"])
        made = {}
        for _ in range(count):
            group = theme if self.chance(0.75) else self.rng.choice(["object", "array", "scalar", "logic"])
            if group == "any":
                group = self.rng.choice(["object", "array", "scalar", "logic"])
            getattr(self, group)(made)
        if theme in ("object", "array") and self.chance(0.3):
            made.setdefault("type", theme)
        keys = list(made)
        self.rng.shuffle(keys)
        return {k: made[k] for k in keys}

    def name(self):
        return self.rng.choice(NAMES[:4] if self.chance(0.85) else NAMES)

    def pick_names(self, low, high):
        return list(dict.fromkeys(self.name() for _ in range(self.rng.randint(low, high))))

    def number(self):
        return self.rng.choice(NUMBERS)

    def count(self, high=3):
        count = self.rng.randint(0, high)
        return decimal.Decimal(f"{count}.0") if self.chance(0.03) and self.draft != "4" else count

    def types(self):
        one = self.rng.choice(TYPES)
        return one if self.chance(0.7) else list(dict.fromkeys([one, self.rng.choice(TYPES)]))

    def value(self, depth=2):
        kind = self.rng.random()
        if depth and kind < 0.2:
            return [self.value(depth - 1) for _ in range(self.rng.randint(0, 2))]
        if depth and kind < 0.4:
            return {n: self.value(depth - 1) for n in self.pick_names(0, 2)}
        return self.rng.choice([None, True, False, self.number(), self.number(), self.rng.choice(STRINGS)])

    def several(self, make, low=1, high=3):
        return [make() for _ in range(self.rng.randint(low, high))]

    def scalar(self, made):
        word = self.rng.choice(
            ["type", "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum",
             "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern"]
        )
        if word == "type":
            made[word] = self.types()
        elif word == "enum" or (word == "const" and self.draft == "4"):
            values = {json.dumps(v, default=float, sort_keys=True): v for v in self.several(self.value, 1, 4)}
            made["enum"] = list(values.values())
        elif word == "const":
            made[word] = self.value()
        elif word == "multipleOf":
            made[word] = self.rng.choice([1, 2, 3, decimal.Decimal("0.5"), decimal.Decimal("1.5")])
        elif word == "pattern":
            made[word] = self.rng.choice(PATTERNS)
        elif word in ("minLength", "maxLength"):
            made[word] = self.count()
        elif word.startswith("exclusive") and self.draft == "4":
            made[word] = self.chance(0.7)
            made.setdefault(word.replace("exclusiveM", "m"), self.number())
        else:
            made[word] = self.number()

    def object(self, made):
        words = ["properties"] * 4 + ["required", "required", "additionalProperties", "patternProperties",
                 "minProperties", "maxProperties", "dependencies"]
        words += ["propertyNames"] if self.draft != "4" else []
        words += ["dependentRequired", "dependentSchemas"] if self.later else []
        words += ["unevaluatedProperties"] * 3 if self.later else []
        word = self.rng.choice(words)
        if word == "properties":
            made[word] = {n: self.child() for n in self.pick_names(1, 3)}
        elif word == "required":
            made[word] = self.pick_names(1, 2)
        elif word == "patternProperties":
            made[word] = {self.rng.choice(PATTERNS): self.child() for _ in range(self.rng.randint(1, 2))}
        elif word in ("minProperties", "maxProperties"):
            made[word] = self.count()
        elif word == "dependentRequired":
            made[word] = {n: self.pick_names(0, 2) for n in self.pick_names(1, 2)}
        elif word == "dependentSchemas":
            made[word] = {n: self.schema() for n in self.pick_names(1, 2)}
        elif word == "dependencies":  # in the later drafts no keyword: it must have no effect
            made[word] = {
                n: self.schema() if self.chance(0.5) else self.pick_names(1, 2)
                for n in self.pick_names(1, 2)
            }
        elif word == "propertyNames":
            made[word] = self.names_schema()
        elif word == "unevaluatedProperties":
            made[word] = False if self.chance(0.6) else self.child()
        else:
            made[word] = False if self.chance(0.4) else self.child()

    def names_schema(self):
        kind = self.rng.random()
        if kind < 0.4:
            return {"pattern": self.rng.choice(PATTERNS)}
        if kind < 0.6:
            return {"enum": self.pick_names(1, 3)}
        if kind < 0.8:
            return {self.rng.choice(["minLength", "maxLength"]): self.count(2)}
        return self.child()

    def array(self, made):
        words = ["items", "items", "items", "minItems", "maxItems", "uniqueItems", "additionalItems"]
        words += ["contains", "contains"] if self.draft != "4" else []
        words += ["unevaluatedItems"] * 2 if self.later else []
        words += ["prefixItems"] * 2 if self.draft == "2020-12" else []
        word = self.rng.choice(words)
        if word == "items" and self.draft != "2020-12" and self.chance(0.5):
            made[word] = self.several(self.child)
        elif word == "prefixItems":
            made[word] = self.several(self.child)
        elif word in ("minItems", "maxItems"):
            made[word] = self.count()
        elif word == "uniqueItems":
            made[word] = self.chance(0.85)
        elif word == "contains":
            made[word] = self.child()
            if self.chance(0.4):
                made["minContains"] = self.count(2)
            if self.chance(0.4):
                made["maxContains"] = self.count(2)
        elif word in ("unevaluatedItems", "additionalItems"):
            made[word] = self.child() if self.draft == "4" or self.chance(0.5) else False
        else:
            made[word] = self.child()

    def logic(self, made):
        words = ["allOf", "anyOf", "anyOf", "oneOf", "oneOf", "not"]
        words += ["if", "if"] if self.draft not in ("4", "6") else []
        word = self.rng.choice(words)
        if word == "not":
            made[word] = self.schema()
        elif word == "if":
            made[word] = self.schema()
            for branch in ("then", "else"):
                if self.chance(0.7):
                    made[branch] = self.schema()
        else:
            made[word] = self.several(self.schema)


def number_schema(rng, draft):
    """Bounds, steps and equality on numbers that no double holds."""

    def number():
        return rng.choice(BIG_NUMBERS)

    def atom():
        word = rng.choice(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
                           "multipleOf", "enum", "const", "type"])
        if word == "multipleOf":
            return {word: abs(rng.choice([n for n in BIG_NUMBERS if n and abs(n) < 10**30]))}
        if word == "enum" or (word == "const" and draft == "4"):
            return {"enum": [number() for _ in range(3)]}
        if word == "type":
            return {"type": rng.choice(["integer", "number"])}
        if word.startswith("exclusive") and draft == "4":
            return {word: True, word.replace("exclusiveM", "m"): number()}
        return {word: number()}

    shape = rng.random()
    if shape < 0.4:
        return {**atom(), **atom()}
    if shape < 0.6:
        return {rng.choice(["anyOf", "oneOf", "allOf"]): [atom(), atom()]}
    if shape < 0.7:
        return {"not": atom(), **atom()}
    if shape < 0.85:
        return {"type": "array", "items": atom(), "uniqueItems": rng.random() < 0.8}
    return {"type": "array", "contains": atom(), **({"maxContains": 1} if draft in LATER else {}),
            "uniqueItems": True}


# ---- small sets of values, to know all that is valid

SMALL = {  # what stands in an array, in an object, and alone
    "items": [1, 2, "a", []],
    "members": [1, "a", {}],
    "scalars": [None, True, 1, 2, "a", "ab"],
}


def small_schema():
    member = {"enum": SMALL["members"]}
    return {"anyOf": [
        {"enum": SMALL["scalars"]},
        {"type": "array", "items": {"enum": SMALL["items"]}, "maxItems": 3},
        {"type": "object", "properties": {n: member for n in "abc"}, "additionalProperties": False},
    ]}


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
    case["style"] = {"keys": "any" if any_order else "schema", "blanks": "compact",
                     "numbers": "plain", "escapes": "minimal"}
    viable, texts = set(), {True: [], False: []}
    for value in small_values(any_order):
        verdict = judge(value)
        if verdict is None:
            return False
        text = json.dumps(value, separators=(",", ":"))
        texts[verdict].append(text)
        if verdict:
            viable.update(text[:i] for i in range(1, len(text) + 1))
    if not texts[True]:
        case["expect"] = "compile_error"
        return True
    dead = {text[: next(i for i in range(1, len(text) + 1) if text[:i] not in viable)]
            for text in texts[False] if text not in viable}
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
            (who for words, who in KNOWN_FAULTS.get(draft, []) if all(w in text for w in words)), None
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
    if options.prefixes:  # first, so that the order of keys is its own
        schema = {"allOf": [small_schema(), *schema.pop("allOf", [])], **schema}
    text = spelled(schema)
    if schema_is_valid(schema, draft) != [True, True]:
        counts["schemas that a metaschema refuses"] += 1
        return None
    case = {"id": f"random-{draft}-{seed}-{number}", "draft": draft, "valid": [], "invalid": [], "may": []}
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
                disputes.append({"schema": text, "draft": draft, "text": written,
                                 "exact": judge.exact.is_valid(value)})
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
    parser.add_argument("--disputes", metavar="FILE", help="where to list what the validators differ on")
    options = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    counts, disputes, made, number = collections.Counter(), [], 0, options.first
    while made < options.count:
        drafts = options.draft or DRAFTS
        line = case_of(options.seed, number, drafts[number % len(drafts)], options, counts, disputes)
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
