# SPDX-License-Identifier: MIT
"""Two validators to judge forma by, for the scripts beside this one.

`Exact` is the package jsonschema on exact numbers, with its known faults mended: equality and
uniqueness as JSON has them (true is not 1), scalar rules on decimals, evaluated properties and
items by the text of the specification, the base URI kept under `not`, `if`, `contains` and `oneOf`.
`Native` is the package jsonschema-rs, unchanged but for the numbers, which it gets exactly too.
Both take the draft as forma names it (4, 6, 7, 2019-09, 2020-12) where `$schema` is silent, and
fetch nothing. Patterns are matched by jsonschema-rs in both: the rules of ECMA-262 need an engine.
"""

import decimal
import functools
import json
import re

import jsonschema
import jsonschema_rs
import referencing.jsonschema
from jsonschema import _keywords, _legacy_keywords, _utils
from jsonschema_specifications import REGISTRY

decimal.getcontext().prec = 100_000  # remainders of numbers with many digits are exact
decimal.getcontext().Emax = 1_000_000
decimal.getcontext().Emin = -1_000_000

SCHEMA_URIS = {
    "4": "http://json-schema.org/draft-04/schema#",
    "6": "http://json-schema.org/draft-06/schema#",
    "7": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}
DRAFTS = list(SCHEMA_URIS)


# ---- texts to values


def unique_names(pairs):
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name occurs twice")
    return value


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def parse(text):
    """Strict JSON with exact numbers: no duplicate names, no lone surrogates, no NaN. What has a
    fraction or an exponent becomes a Decimal, even if it is whole: draft 4 tells 1.0 from 1."""
    value = json.loads(
        text, object_pairs_hook=unique_names, parse_float=decimal.Decimal, parse_constant=refuse
    )
    if re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False, default=str)):
        raise ValueError("a lone surrogate")
    return value


def draft_of(schema, default="2020-12"):
    """The draft of a parsed schema, or None for a dialect of someone's own."""
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(uri, str):
        return default
    return {u.rstrip("#"): d for d, u in SCHEMA_URIS.items()}.get(uri.rstrip("#"))


# ---- the package jsonschema, mended


class Patterns:
    """Stands in for the module `re` in jsonschema: `search`, by the rules of ECMA-262."""

    @staticmethod
    @functools.lru_cache(4096)
    def validator(pattern):
        # "." leaves out four line ends in ECMA-262, one in the library.
        pattern = re.sub(
            r"(\\.)|(\[\^?\]?(?:\\.|[^\]])*\])|\.",
            lambda m: m[0] if m[0] != "." else r"[^\n\r\u2028\u2029]",
            pattern,
        )
        return jsonschema_rs.validator_for({"pattern": pattern})

    @staticmethod
    def search(pattern, text):
        return Patterns.validator(pattern).is_valid(text)


_keywords.re = _legacy_keywords.re = _utils.re = Patterns


def is_number(_, value):
    return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)


def is_integer(_, value):
    if isinstance(value, decimal.Decimal):
        return value == value.to_integral_value()
    return isinstance(value, int) and not isinstance(value, bool)


def is_integer_spelling(_, value):
    return isinstance(value, int) and not isinstance(value, bool)


def equal(a, b):
    """JSON equality: true is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    return a == b


def canonical(value):
    """A hashable key: equal keys for equal values."""
    if isinstance(value, list):
        return ("array", *map(canonical, value))
    if isinstance(value, dict):
        return ("object", frozenset((k, canonical(v)) for k, v in value.items()))
    return (type(value) if isinstance(value, (bool, str)) else None, value)


def failure(yes, message):
    if not yes:
        yield jsonschema.ValidationError(message)


def check_enum(_, values, value, __):
    return failure(any(equal(value, v) for v in values), "not in the enum")


def check_const(_, const, value, __):
    return failure(equal(value, const), "not the constant")


def check_multiple(_, step, value, __):
    if is_number(None, value):
        remainder = decimal.Decimal(value) % decimal.Decimal(step)
        yield from failure(remainder == 0, f"{value} is no multiple of {step}")


def check_unique(_, unique, value, __):
    if unique and isinstance(value, list):
        keys = set(map(canonical, value))
        yield from failure(len(keys) == len(value), "two items are equal")


def check_additional_items(validator, schema, value, parent):
    if isinstance(value, list) and isinstance(parent.get("items"), list):
        for item in value[len(parent["items"]) :]:
            yield from validator.descend(item, schema)


def holds(validator, value, schema):
    return next(validator.descend(value, schema), None) is None


def check_not(validator, schema, value, _):
    return failure(not holds(validator, value, schema), "valid under `not`")


def check_one_of(validator, schemas, value, _):
    count = sum(holds(validator, value, s) for s in schemas)
    return failure(count == 1, f"valid under {count} of oneOf")


def check_if(validator, schema, value, parent):
    branch = "then" if holds(validator, value, schema) else "else"
    if branch in parent:
        yield from validator.descend(value, parent[branch])


def check_contains(validator, schema, value, parent):
    """From draft 2019-09 with its counts; before, they are not keywords."""
    if isinstance(value, list):
        counts = validator.VALIDATORS.get("unevaluatedItems") is not None
        low = parent.get("minContains", 1) if counts else 1
        high = parent.get("maxContains", len(value)) if counts else len(value)
        count = sum(holds(validator, item, schema) for item in value)
        yield from failure(low <= count <= high, f"{count} items are valid under `contains`")


def under(validator, schema):
    resource = validator._resolver  # the package offers no public way to keep the base URI
    if isinstance(schema, dict):
        specification = referencing.jsonschema.specification_with(
            validator.META_SCHEMA.get("$id") or validator.META_SCHEMA["id"]
        )
        resource = resource.in_subresource(specification.create_resource(schema))
    return validator.evolve(schema=schema, _resolver=resource)


def at_reference(validator, keyword, value):
    if keyword == "$recursiveRef":
        resolved = referencing.jsonschema.lookup_recursive_ref(validator._resolver)
    else:
        resolved = validator._resolver.lookup(value)
    return validator.evolve(schema=resolved.contents, _resolver=resolved.resolver)


def evaluated(validator, value, left_out=None):
    """Names or indices that the schema evaluates, given that the value is valid under it."""
    schema, found = validator.schema, set()
    if not isinstance(schema, dict):
        return found
    everything = set(value) if isinstance(value, dict) else set(range(len(value)))
    for keyword, v in schema.items():
        if keyword == left_out or keyword not in validator.VALIDATORS:
            continue
        if keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            found |= evaluated(at_reference(validator, keyword, v), value)
        elif keyword in ("allOf", "anyOf", "oneOf"):
            for branch in v:
                if holds(validator, value, branch):
                    found |= evaluated(under(validator, branch), value)
        elif keyword == "if":
            condition = holds(validator, value, v)
            branches = [v, schema.get("then")] if condition else [schema.get("else")]
            for branch in branches:
                if branch is not None:
                    found |= evaluated(under(validator, branch), value)
        elif isinstance(value, dict):
            if keyword in ("dependentSchemas", "dependencies"):
                for name, branch in v.items():
                    if name in value and not isinstance(branch, list):
                        found |= evaluated(under(validator, branch), value)
            elif keyword == "properties":
                found |= v.keys() & everything
            elif keyword == "patternProperties":
                found |= {name for name in value for p in v if Patterns.search(p, name)}
            elif keyword == "additionalProperties":
                patterns = schema.get("patternProperties", {})
                found |= {
                    name
                    for name in value
                    if name not in schema.get("properties", {})
                    and not any(Patterns.search(p, name) for p in patterns)
                }
            elif keyword == "unevaluatedProperties":
                found |= everything
        elif keyword == "prefixItems" or (keyword == "items" and isinstance(v, list)):
            found |= set(range(min(len(v), len(value))))
        elif keyword in ("items", "unevaluatedItems") or (
            keyword == "additionalItems" and isinstance(schema.get("items"), list)
        ):
            found |= everything
        elif keyword == "contains" and "prefixItems" in validator.VALIDATORS:  # from 2020-12
            found |= {i for i, item in enumerate(value) if holds(validator, item, v)}
    return found


def check_unevaluated_items(validator, schema, value, _):
    if isinstance(value, list):
        seen = evaluated(validator, value, "unevaluatedItems")
        for i, item in enumerate(value):
            if i not in seen:
                yield from validator.descend(item, schema)


def check_unevaluated_properties(validator, schema, value, _):
    if isinstance(value, dict):
        seen = evaluated(validator, value, "unevaluatedProperties")
        for name, member in value.items():
            if name not in seen:
                yield from validator.descend(member, schema)


MENDED = {
    "enum": check_enum,
    "const": check_const,
    "multipleOf": check_multiple,
    "uniqueItems": check_unique,
    "additionalItems": check_additional_items,
    "not": check_not,
    "oneOf": check_one_of,
    "if": check_if,
    "contains": check_contains,
    "unevaluatedItems": check_unevaluated_items,
    "unevaluatedProperties": check_unevaluated_properties,
}


def mended(draft, base):
    types = base.TYPE_CHECKER.redefine_many(
        {"number": is_number, "integer": is_integer_spelling if draft == "4" else is_integer}
    )
    keywords = {k: f for k, f in MENDED.items() if k in base.VALIDATORS}
    # The later drafts let it be as it was, and forma and jsonschema-rs do.
    keywords["dependencies"] = _legacy_keywords.dependencies_draft4_draft6_draft7
    made = jsonschema.validators.extend(base, keywords, type_checker=types)
    # Takes the place of the original: a `$schema` inside a schema leads here as well.
    return jsonschema.validators.validates(f"exact {draft}")(made)


EXACT = {
    draft: mended(draft, base)
    for draft, base in {
        "4": jsonschema.Draft4Validator,
        "6": jsonschema.Draft6Validator,
        "7": jsonschema.Draft7Validator,
        "2019-09": jsonschema.Draft201909Validator,
        "2020-12": jsonschema.Draft202012Validator,
    }.items()
}
NATIVE = {
    "4": jsonschema_rs.Draft4Validator,
    "6": jsonschema_rs.Draft6Validator,
    "7": jsonschema_rs.Draft7Validator,
    "2019-09": jsonschema_rs.Draft201909Validator,
    "2020-12": jsonschema_rs.Draft202012Validator,
}


class AnyFormat:
    """Asserts the formats as 2020-12 names them, whatever the draft of the schema: both packages
    must accept the value."""

    checkers = jsonschema.Draft202012Validator.FORMAT_CHECKER

    @staticmethod
    @functools.lru_cache(None)
    def native(name):
        return jsonschema_rs.Draft202012Validator({"format": name}, validate_formats=True)

    @staticmethod
    def check(value, name):
        if name != "regex":  # the library means Python's
            AnyFormat.checkers.check(value, name)
        if isinstance(value, str) and not AnyFormat.native(name).is_valid(value):
            raise jsonschema.FormatError(f"{value!r} is no {name}")


# The library knows those of later drafts in these drafts only.
NATIVE_FORMATS = {name: AnyFormat.native(name).is_valid for name in AnyFormat.checkers.checkers}


class Exact:
    """Judges values that `parse` made. Raises what the package raises where a schema is broken."""

    def __init__(self, schema, draft="2020-12", formats=False):
        kind = EXACT[draft_of(schema, draft) or draft]
        checker = AnyFormat if formats else None
        self.validator = kind(schema, registry=REGISTRY, format_checker=checker)

    def why_invalid(self, value):
        """None for a valid value, else the reason."""
        error = next(self.validator.iter_errors(value), None)
        return error and error.message

    def is_valid(self, value):
        return self.why_invalid(value) is None


class Native:
    def __init__(self, schema, draft="2020-12", formats=False):
        kind = NATIVE[draft_of(schema, draft) or draft]
        self.validator = kind(
            schema,
            validate_formats=formats,
            formats=NATIVE_FORMATS if formats else None,
            offline=True,
        )

    def why_invalid(self, value):
        """None for a valid value, else the reason."""
        error = next(self.validator.iter_errors(value), None)
        return error and error.message

    def is_valid(self, value):
        return self.validator.is_valid(value)


def schema_is_valid(schema, draft):
    """Against its metaschema; two answers, None where a validator cannot say."""
    draft = draft_of(schema, draft) or draft
    answers = []
    uri = SCHEMA_URIS[draft]
    for judge in (
        lambda: Exact(EXACT[draft].META_SCHEMA, draft).is_valid(schema),
        lambda: jsonschema_rs.meta.is_valid(
            {**schema, "$schema": uri} if isinstance(schema, dict) else schema
        ),
    ):
        try:
            answers.append(judge())
        except Exception:  # whatever a validator stumbles over is its own fault, not an answer
            answers.append(None)
    return answers
