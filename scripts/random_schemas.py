# SPDX-License-Identifier: MIT
"""Random schemas over all keywords of a draft; used by random_cases.py.

Names and values come from a small vocabulary, so that keywords meet in one object. `dependencies`
and the counts of `contains` come in drafts that do not have them, too.
"""

import decimal
import json

from validators import SCHEMA_URIS, parse

NAMES = ["a", "b", "c", "ab", "", "$ref", "\u00e9"]
PATTERNS = ["a", "^a", "b$", "^[ab]$", "^.b", "^(a|c)", "^[^a]", "^$", "^a*$", "."]
STRINGS = ["", "a", "b", "ab", "ba", "abc", "\u00e9", "\U0001f600"]
NUMBERS = [
    parse(n) for n in ("0", "1", "2", "3", "-1", "1.0", "1.5", "0.5", "-0.0", "5", "10", "2e0")
]
BIG_NUMBERS = [
    parse(n)
    for n in (
        "9007199254740991 9007199254740992 9007199254740993 9007199254740993.0 -9007199254740993 "
        "18446744073709551616 18446744073709551615 1e400 1e399 -1e400 1e-400 2e-400 0.1 0.2 0.3 "
        "0.30 0.7 1.1 3.3 1e22 10000000000000000000000 1e23 0.1e1 1 0 -0.0 "
        "123456789012345678901234567890 123456789012345678901234567890.5 "
        "0.1000000000000000055511151231257827 1e-1 33e-1 7 1001"
    ).split()
]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]
LATER = ("2019-09", "2020-12")


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
            return {
                "$ref": self.rng.choice(
                    [self.names[target], f"http://forma.test/{self.names[target]}"]
                )
            }
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
            group = (
                theme
                if self.chance(0.75)
                else self.rng.choice(["object", "array", "scalar", "logic"])
            )
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
        return self.rng.choice(
            [None, True, False, self.number(), self.number(), self.rng.choice(STRINGS)]
        )

    def several(self, make, low=1, high=3):
        return [make() for _ in range(self.rng.randint(low, high))]

    def scalar(self, made):
        word = self.rng.choice(
            [
                "type",
                "type",
                "enum",
                "const",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "minLength",
                "maxLength",
                "pattern",
            ]
        )
        if word == "type":
            made[word] = self.types()
        elif word == "enum" or (word == "const" and self.draft == "4"):
            values = {
                json.dumps(v, default=float, sort_keys=True): v
                for v in self.several(self.value, 1, 4)
            }
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
        words = ["properties"] * 4 + [
            "required",
            "required",
            "additionalProperties",
            "patternProperties",
            "minProperties",
            "maxProperties",
            "dependencies",
        ]
        words += ["propertyNames"] if self.draft != "4" else []
        words += ["dependentRequired", "dependentSchemas"] if self.later else []
        words += ["unevaluatedProperties"] * 3 if self.later else []
        word = self.rng.choice(words)
        if word == "properties":
            made[word] = {n: self.child() for n in self.pick_names(1, 3)}
        elif word == "required":
            made[word] = self.pick_names(1, 2)
        elif word == "patternProperties":
            made[word] = {
                self.rng.choice(PATTERNS): self.child() for _ in range(self.rng.randint(1, 2))
            }
        elif word in ("minProperties", "maxProperties"):
            made[word] = self.count()
        elif word == "dependentRequired":
            made[word] = {n: self.pick_names(0, 2) for n in self.pick_names(1, 2)}
        elif word == "dependentSchemas":
            made[word] = {n: self.schema() for n in self.pick_names(1, 2)}
        elif word == "dependencies":
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
        words = [
            "items",
            "items",
            "items",
            "minItems",
            "maxItems",
            "uniqueItems",
            "additionalItems",
        ]
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
        word = rng.choice(
            [
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "multipleOf",
                "enum",
                "const",
                "type",
            ]
        )
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
    return {
        "type": "array",
        "contains": atom(),
        **({"maxContains": 1} if draft in LATER else {}),
        "uniqueItems": True,
    }
