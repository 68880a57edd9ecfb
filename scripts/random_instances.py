# SPDX-License-Identifier: MIT
"""Values for random schemas: some that follow the schema's hints, some mutated, some of no
relation; and the many spellings of a value. Used by random_cases.py."""

import decimal
import json
import re

from validators import Patterns, parse

HAND_SPELLED = {
    1: ["1.0", "1e0", "10e-1", "0.1E+1"],
    0: ["-0", "0.0", "0e5", "-0.0"],
    2: ["2.0", "20e-1"],
}


class Instances:
    """Values of one schema. A hint is not a promise: what comes out may be valid or not."""

    def __init__(self, rng, schema, names, strings, numbers):
        self.rng, self.root = rng, schema
        self.names, self.strings, self.numbers = names, strings, numbers
        self.scalars = [None, True, False, *strings[:4], *numbers[:6]]
        self.by_id = {}
        self.index(schema)

    def index(self, schema):
        """Where references may lead, by the last part of the URI or by the anchor."""
        if isinstance(schema, dict):
            for word in ("$id", "id", "$anchor", "$dynamicAnchor"):
                if isinstance(schema.get(word), str):
                    self.by_id.setdefault(re.split("[/#]", schema[word])[-1], schema)
            for value in schema.values():
                self.index(value)
        elif isinstance(schema, list):
            for value in schema:
                self.index(value)

    def target(self, reference):
        if reference == "#":
            return self.root
        name = re.split("[/#]", reference)[-1]
        definitions = {**self.root.get("definitions", {}), **self.root.get("$defs", {})}
        return self.by_id.get(name, definitions.get(name, True))

    def flat(self, schema, depth=0):
        """The schema objects that judge a value together with this one, as the dice have it."""
        rng = self.rng
        if schema is True or schema is False or depth > 12:
            return []
        found = [schema]
        for word in ("$ref", "$dynamicRef", "$recursiveRef"):
            if isinstance(schema.get(word), str):
                found += self.flat(self.target(schema[word]), depth + 1)
        for branch in schema.get("allOf", []):
            found += self.flat(branch, depth + 1)
        for word in ("anyOf", "oneOf"):
            if word in schema:
                found += self.flat(rng.choice(schema[word]), depth + 1)
        if "if" in schema:
            if rng.random() < 0.5:
                found += self.flat(schema["if"], depth + 1)
                found += self.flat(schema.get("then", True), depth + 1)
            else:
                found += self.flat(schema.get("else", True), depth + 1)
        for word in ("dependentSchemas", "dependencies"):
            for branch in schema.get(word, {}).values():
                if not isinstance(branch, list) and rng.random() < 0.5:
                    found += self.flat(branch, depth + 1)
        return found

    def value(self, schemas=None, depth=0):
        rng = self.rng
        parts = (
            self.flat(self.root) if schemas is None else [p for s in schemas for p in self.flat(s)]
        )
        if depth > 4:
            return rng.choice(self.scalars)
        fixed = [v for p in parts for v in p.get("enum", [p["const"]] if "const" in p else [])]
        if fixed and rng.random() < 0.75:
            return rng.choice(fixed)
        return getattr(self, self.kind(parts))(parts, depth)

    def kind(self, parts):
        rng, allowed = self.rng, None
        for part in parts:
            if "type" in part and rng.random() < 0.95:
                listed = part["type"] if isinstance(part["type"], list) else [part["type"]]
                allowed = set(listed) if allowed is None else (allowed & set(listed) or allowed)
        if allowed:
            return rng.choice(sorted(allowed))
        words = " ".join(word for part in parts for word in part)
        if re.search("ropert|required|dependen", words) and rng.random() < 0.75:
            return "object"
        if re.search("[iI]tems|ontains", words) and rng.random() < 0.8:
            return "array"
        if re.search("imum|multiple", words) and rng.random() < 0.7:
            return "number"
        if re.search("Length|pattern", words) and rng.random() < 0.5:
            return "string"
        return rng.choice(["null", "boolean", "number", "string", "array", "object"])

    def null(self, *_):
        return None

    def boolean(self, *_):
        return self.rng.random() < 0.5

    def string(self, parts, _):
        fitting = [
            s
            for s in self.strings
            if all(Patterns.search(p["pattern"], s) for p in parts if "pattern" in p)
            and all(len(s) >= p["minLength"] for p in parts if "minLength" in p)
            and all(len(s) <= p["maxLength"] for p in parts if "maxLength" in p)
        ]
        return self.rng.choice(fitting or self.strings)

    def number(self, parts, _):
        near = list(self.numbers)
        for part in parts:
            for word in (
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
            ):
                if word in part and not isinstance(part[word], bool):
                    bound = part[word]
                    near += [bound, bound + 1, bound - 1, 2 * bound]
        return self.rng.choice(near)

    def integer(self, parts, depth):
        value = self.number(parts, depth)
        return (
            int(value) if abs(value) < 10**30 and value == int(value) else self.rng.randint(-1, 6)
        )

    def array(self, parts, depth):
        rng = self.rng
        low = max([int(p.get("minItems", 0)) for p in parts] + [0])
        high = min([int(p.get("maxItems", 4)) for p in parts] + [4])
        made = []
        for index in range(rng.randint(low, max(low, min(high, low + 2)))):
            schemas = []
            for part in parts:
                tuple_ = part.get("prefixItems", part.get("items"))
                tuple_ = tuple_ if isinstance(tuple_, list) else []
                if index < len(tuple_):
                    schemas.append(tuple_[index])
                elif isinstance(part.get("items"), dict):
                    schemas.append(part["items"])
                elif isinstance(part.get("additionalItems"), dict) and tuple_:
                    schemas.append(part["additionalItems"])
                if isinstance(part.get("unevaluatedItems"), dict) and rng.random() < 0.3:
                    schemas.append(part["unevaluatedItems"])
                if "contains" in part and rng.random() < 0.4:
                    schemas.append(part["contains"])
            made.append(self.value(schemas, depth + 1))
        return made

    def object(self, parts, depth):
        rng, wanted, known = self.rng, [], []
        for part in parts:
            wanted += part.get("required", [])
            known += part.get("properties", {})
            for word in ("dependentRequired", "dependencies"):
                for name, others in part.get(word, {}).items():
                    known.append(name)
                    if isinstance(others, list):
                        known += others
            if isinstance(part.get("propertyNames"), dict):
                known += [n for n in part["propertyNames"].get("enum", []) if isinstance(n, str)]
        closed = any(
            False in (p.get("additionalProperties"), p.get("unevaluatedProperties")) for p in parts
        )
        pool = known if closed and known and rng.random() < 0.8 else known + self.names
        low = max([int(p.get("minProperties", 0)) for p in parts] + [0])
        high = min([int(p.get("maxProperties", 4)) for p in parts] + [4])
        names = list(dict.fromkeys(wanted))
        for _ in range(rng.randint(low, max(low, high))):
            names.append(rng.choice(pool))
        names = list(dict.fromkeys(names))
        if len(names) > high:
            names = names[: max(high, len(set(wanted)))]
        rng.shuffle(names)
        return {name: self.value(self.member(parts, name), depth + 1) for name in names}

    def member(self, parts, name):
        schemas = []
        for part in parts:
            own = [part["properties"][name]] if name in part.get("properties", {}) else []
            own += [
                s for p, s in part.get("patternProperties", {}).items() if Patterns.search(p, name)
            ]
            for word in ("additionalProperties", "unevaluatedProperties"):
                if not own and word in part:
                    own.append(part[word])
            schemas += own
        return schemas

    # ---- values that have nothing to do with the schema, and values that nearly have

    def random_value(self, depth=3):
        rng, kind = self.rng, self.rng.random()
        if depth and kind < 0.3:
            return [self.random_value(depth - 1) for _ in range(rng.randint(0, 3))]
        if depth and kind < 0.65:
            names = dict.fromkeys(rng.choice(self.names) for _ in range(rng.randint(0, 3)))
            return {name: self.random_value(depth - 1) for name in names}
        return rng.choice(self.scalars)

    def mutated(self, value):
        rng = self.rng
        if isinstance(value, list) and value and rng.random() < 0.8:
            i = rng.randrange(len(value))
            return rng.choice(
                [
                    lambda: value[:i] + value[i + 1 :],
                    lambda: value[: i + 1] + [value[i]] + value[i + 1 :],
                    lambda: value + [self.random_value(1)],
                    lambda: rng.sample(value, len(value)),
                    lambda: value[:i] + [self.mutated(value[i])] + value[i + 1 :],
                    lambda: value[:i] + [self.mutated(value[i])] + value[i + 1 :],
                ]
            )()
        if isinstance(value, dict) and value and rng.random() < 0.85:
            name = rng.choice(list(value))
            rest = {n: v for n, v in value.items() if n != name}
            return rng.choice(
                [
                    lambda: rest,
                    lambda: {**value, rng.choice(self.names): self.random_value(1)},
                    lambda: {**rest, rng.choice(self.names): value[name]},
                    lambda: dict(rng.sample(list(value.items()), len(value))),
                    lambda: {**value, name: self.mutated(value[name])},
                    lambda: {**value, name: self.mutated(value[name])},
                ]
            )()
        if isinstance(value, bool):
            return rng.choice([int(value), not value])
        if isinstance(value, (int, decimal.Decimal)):
            return rng.choice(
                [
                    value + 1,
                    value - 1,
                    -value,
                    value + decimal.Decimal("0.5"),
                    bool(value),
                    rng.choice(self.numbers),
                ]
            )
        if isinstance(value, str):
            return rng.choice([value + "a", value[:-1], rng.choice(self.strings), [value]])
        return self.random_value(1)


class Spelling:
    """One of the texts of a value: as json.dumps writes it, or with blanks, escapes and other
    numbers."""

    def __init__(self, rng):
        self.rng, self.free = rng, False

    def write(self, value):
        self.free = self.rng.random() < 0.25
        return self.spell(value)

    def blank(self):
        return self.rng.choice(["", "", "", " ", "\n", "\t ", "\r\n"]) if self.free else ""

    def string(self, text):
        if not self.free:
            return json.dumps(text, ensure_ascii=False)
        return (
            '"'
            + "".join(
                (
                    json.dumps(c)[1:-1]
                    if self.rng.random() < 0.5 or len(c.encode("utf-16-le")) > 2
                    else f"\\u{ord(c):04{self.rng.choice('xX')}}"
                )
                for c in text
            )
            + '"'
        )

    def number(self, value):
        others = HAND_SPELLED.get(value, [])
        if others and self.rng.random() < (0.4 if self.free else 0.1):
            return self.rng.choice(others)
        return str(value)

    def spell(self, value):
        b = self.blank
        if value is None or isinstance(value, bool):
            text = json.dumps(value)
        elif isinstance(value, str):
            text = self.string(value)
        elif isinstance(value, list):
            text = "[" + (",".join(map(self.spell, value)) or b()) + "]"
        elif isinstance(value, dict):
            text = (
                "{"
                + (
                    ",".join(
                        f"{b()}{self.string(n)}{b()}:{self.spell(v)}" for n, v in value.items()
                    )
                    or b()
                )
                + "}"
            )
        else:
            text = self.number(value)
        return b() + text + b()


def breakage(rng, text):
    """A text that is not JSON, or names a member twice, made of one that is."""
    broken = [
        text + ",",
        "[" + text,
        text + text if text.strip() not in ("", "0") else "00",
        "\ufeff" + text,
    ]
    named = re.fullmatch(r'\s*\{\s*("[^"\\]*")\s*:(.*)', text, re.DOTALL)
    if named:
        broken.append(f"{{{named[1]}:null,{named[1]}:{named[2]}")
    number = re.search(r"(?<![\w.\"+-])([1-9])", text)
    if number and '"' not in text:
        broken.append(text[: number.start()] + "0" + text[number.start() :])
    candidate = rng.choice(broken)
    try:
        parse(candidate)
    except ValueError:
        return candidate
    return "{"
