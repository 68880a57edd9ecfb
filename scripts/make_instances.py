# SPDX-License-Identifier: MIT
"""Random instances of schemas, valid and nearly valid, judged by an independent validator.

    test_properties --schemas 300 > SCHEMAS
    python3 scripts/make_instances.py SCHEMAS [SEED] > INSTANCES
    test_properties --instances INSTANCES

Writes JSON lines {"schema": TEXT, "text": TEXT, "valid": BOOL}; a line without a schema goes on with
that of the line before. fixtures/instances.jsonl, which `make test` reads, is made so:

    test_properties --schemas 180 | awk 'length < 260' > SCHEMAS
    python3 scripts/make_instances.py SCHEMAS 7 > fixtures/instances.jsonl
"""
import decimal
import json
import random
import sys

from check_instances import why_invalid
from validators import parse

MATCHES = {  # what the patterns of tests/lib_random_schema.c match, and what they nearly match
    r"^[a-z]+$": ["a", "abc"],
    r"^[a-z]{2,5}$": ["ab", "abcde", "abcdef"],
    r"^\d{4}-\d{2}$": ["2024-01", "2024-1"],
    r"^(foo|bar|baz)": ["foo", "bazaar", "ba"],
    r"[0-9]": ["x1y", "7"],
    r"a.c": ["abc", "xa cx", "a\nc", "a\u00e9c"],
    r"^\w+@\w+\.(com|org)$": ["a@b.com", "x_1@y.org", "a@b.net"],
    r"^$|^x": ["", "xyz"],
    r"^[A-F0-9]{2,4}$": ["AF", "0123", "af"],
    r"(ab)*$": ["", "abab", "q"],
    r"^[\u4e00-\u9fff]{1,4}$": ["\u4e2d", "\u4e2d\u6587", "\u3042", "1"],
    r"^[\u00e0-\u00ff]+": ["\u00e9", "\u00ffz", "z"],
    r"^-?(0|[1-9]\d*)$": ["0", "-12", "007"],
    r"\s": [" ", "a\tb", "\u00a0"],
    r"^.{3}$": ["abc", "\U0001f600\u00e9x", "ab"],
}
STRINGS = ["", "a", "ab", "abc", "abcde", "\u00e9", "\U0001f600", 'q"', "\\", "\n", "red", "rose"]
SCALARS = [None, True, False, 0, 1, -1, 3, 42, decimal.Decimal("2.5"), decimal.Decimal("0.1"), *STRINGS]


class Maker:
    def __init__(self, rng, root):
        self.rng, self.root = rng, root

    def value(self, schema, depth=0):
        rng = self.rng
        if rng.random() < 0.03 or not isinstance(schema, dict) or depth > 8:
            return rng.choice(SCALARS)
        if "$ref" in schema:
            return self.value(self.root["$defs"][schema["$ref"].rsplit("/", 1)[1]], depth + 1)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return rng.choice(schema["enum"])
        for keyword in ("anyOf", "allOf"):
            if keyword in schema and "type" not in schema:
                return self.value(rng.choice(schema[keyword]), depth + 1)
        kind = schema.get("type", "null")
        kind = rng.choice(kind) if isinstance(kind, list) else kind
        return getattr(self, kind)(schema, depth)

    def null(self, *_):
        return None

    def boolean(self, *_):
        return self.rng.random() < 0.5

    def string(self, schema, _):
        if "pattern" in schema:
            return self.rng.choice(MATCHES.get(schema["pattern"], STRINGS))
        low, high = schema.get("minLength", 0), schema.get("maxLength", 6)
        wanted = self.rng.randint(low, max(low, high))
        return "".join(self.rng.choice("abz09 \u00e9\u4e2d\"\\\n") for _ in range(wanted))

    def integer(self, schema, _):
        step = decimal.Decimal(schema.get("multipleOf", 1))
        low = decimal.Decimal(schema.get("minimum", schema.get("exclusiveMinimum", -50)))
        high = decimal.Decimal(schema.get("maximum", schema.get("exclusiveMaximum", low + 300)))
        pick = self.rng.choice([low, high, low + 1, high - 1, self.rng.randint(-10, 300)])
        value = pick // step * step
        return int(value) if value == int(value) else value

    def number(self, schema, depth):
        value = self.integer(schema, depth)
        if "multipleOf" not in schema and self.rng.random() < 0.3:
            value += decimal.Decimal(self.rng.randint(1, 99)) / 100
        return value

    def array(self, schema, depth):
        prefix = schema.get("prefixItems", [])
        low = schema.get("minItems", 0)
        high = schema.get("maxItems", low + 2)
        count = self.rng.randint(low, max(low, high))
        return [
            self.value(prefix[i] if i < len(prefix) else schema.get("items", True), depth + 1)
            for i in range(count)
        ]

    def object(self, schema, depth):
        properties, required = schema.get("properties", {}), schema.get("required", [])
        names = [n for n in properties if n in required or self.rng.random() < 0.5 - depth / 20]
        names += [n for n in required if n not in names]
        if schema.get("additionalProperties") is not False and self.rng.random() < 0.3:
            names.append(self.rng.choice(["other", "z", "\u00e9", "a"]))
        self.rng.shuffle(names)
        other = schema.get("additionalProperties", True)
        return {n: self.value(properties.get(n, other), depth + 1) for n in names}

    # ---- from valid to nearly valid

    def mutate(self, value):
        rng = self.rng
        if isinstance(value, list) and value and rng.random() < 0.7:
            i = rng.randrange(len(value))
            return rng.choice(
                [value[:i] + value[i + 1 :], value + [value[i]],
                 value[:i] + [self.mutate(value[i])] + value[i + 1 :]]
            )
        if isinstance(value, dict) and value and rng.random() < 0.8:
            name = rng.choice(list(value))
            rest = {n: v for n, v in value.items() if n != name}
            return rng.choice(
                [rest, {**value, name: self.mutate(value[name])}, {**rest, name + "x": value[name]},
                 {**value, "extra": rng.choice(SCALARS)}]
            )
        if isinstance(value, str):
            return rng.choice([value + "x", value[:-1], value.upper(), rng.choice(STRINGS), 5])
        if isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool):
            return rng.choice([value + 1, value - 1, -value, value + decimal.Decimal("0.5"), "1"])
        return rng.choice(SCALARS)

    # ---- many spellings of one value

    def blanks(self):
        return self.rng.choice(["", "", "", " ", "\n", "\t ", "\r\n"]) if self.spaced else ""

    def spell_string(self, text):
        out = []
        for c in text:
            plain = json.dumps(c, ensure_ascii=False)[1:-1]
            escaped = json.dumps(c)[1:-1]
            if len(c.encode("utf-16-le")) == 2 and self.rng.random() < 0.5:
                escaped = f"\\u{ord(c):04{self.rng.choice('xX')}}"
            out.append(escaped if self.rng.random() < 0.15 else plain)
        return '"' + "".join(out) + '"'

    def spell_number(self, value):
        value = decimal.Decimal(value)
        plain = f"{value:f}"
        kind = self.rng.random()
        if kind < 0.75:
            return plain
        if kind < 0.85:
            return plain + ("0" if "." in plain else ".0")
        shift = self.rng.randint(-3, 3)
        return f"{value.scaleb(-shift):f}" + self.rng.choice("eE") + f"{shift:+d}"

    def spell(self, value):
        b = self.blanks
        if value is None or isinstance(value, bool):
            text = json.dumps(value)
        elif isinstance(value, str):
            text = self.spell_string(value)
        elif isinstance(value, list):
            text = "[" + (",".join(map(self.spell, value)) or b()) + "]"
        elif isinstance(value, dict):
            members = (b() + self.spell_string(n) + b() + ":" + self.spell(v) for n, v in value.items())
            text = "{" + (",".join(members) or b()) + "}"
        else:
            text = self.spell_number(value)
        return b() + text + b()


def break_text(rng, text):
    """A slip of the pen: now and then still valid, mostly not even JSON."""
    at = rng.randrange(len(text) + 1)
    return rng.choice([text[:at] + text[at + 1 :], text[:at] + rng.choice('{}[],:"0-e. \\') + text[at:], text[:at]])


def main():
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    with open(sys.argv[1], encoding="utf-8") as schemas:
        for schema_text in map(str.rstrip, schemas):
            maker = Maker(rng, parse(schema_text))
            for i in range(8):
                value = maker.value(maker.root)
                if rng.random() < 0.5:
                    value = maker.mutate(value)
                maker.spaced = rng.random() < 0.4
                text = maker.spell(value)
                if rng.random() < 0.1:
                    text = break_text(rng, text)
                valid = why_invalid(schema_text, text) is None
                judged = {"text": text, "valid": valid}
                print(json.dumps(judged if i else {"schema": schema_text, **judged}))


if __name__ == "__main__":
    main()
