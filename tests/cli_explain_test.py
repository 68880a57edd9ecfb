#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""End-to-end tests of `forma explain`: the table of a schema, --support, and, where the real schemas
lie in ../shared/data, that reports of some hundred of them agree with `forma check`.

Run from the root of the repository; the binary is $FORMA. The last line is `cli explain: N passed,
N failed`; the exit status is 0 when none failed.
"""
import json
import os
import re
import sys
import tarfile

import cli_test
from cli_test import check, equal, forma, refused

REAL = "../shared/data/maskbench-dev.tar.xz"
REAL_EVERY = 30  # every so many of some 9000
STATUSES = ["enforced", "structure", "annotation", "ignored", "unknown", "unused", "refused",
            "never"]
MIXED = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "properties": {"a": {"format": "date", "minLen": 3}, "b": {"$ref": "#/definitions/x"},
                   "a long/name~": {"type": "strin"}},
    "required": ["a", 1, "a"], "title": "t",
    "definitions": {"x": {"type": "null"}, "y": {"title": "n"}}}


def explain(schema, *args):
    return forma("explain", "--schema", "-", *args, stdin=json.dumps(schema))


def lines(r):
    """The rules of a table: pointer, keyword, status, why."""
    return [re.split(r"  +", line, maxsplit=3) for line in r.text.splitlines()[:-2]]


def test_table():
    r = explain(MIXED)
    equal("status", (r.status, r.err), (2, ""))
    equal("table", lines(r), [
        ["(root)", "$schema", "structure", "draft 7"],
        ["(root)", "properties", "enforced", "members, by name"],
        ["/properties/a", "format", "enforced",
         "a language of strings: RFC 3339, section 5.6: full-date"],
        ["/properties/a", "minLen", "unknown", "no keyword of any draft"],
        ["/properties/b", "$ref", "enforced", "leads to /definitions/x"],
        ["/properties/a long~1name~0", "type", "refused",
         "a type must be one of null, boolean, string, number, integer, array, object"],
        ["(root)", "required", "refused", "/1: a required name must be a string"],
        ["(root)", "required", "refused", "/2: the name 'a' stands there twice"],
        ["(root)", "title", "annotation", "restricts nothing"],
        ["(root)", "definitions", "structure", "schemas that others refer to"],
        ["/definitions/x", "type", "enforced", "values of these types"],
        ["/definitions/y", "title", "unused", "nothing leads to this schema"]])
    equal("summary", r.text.splitlines()[-2:], [
        "4 enforced, 2 structure, 1 annotation, 1 unknown, 1 unused, 3 refused; draft 7",
        "does not compile: stdin: /required/1: a required name must be a string"])
    columns = {line.index(" " + word + " ") for line in r.text.splitlines()[:-2]
               for word in STATUSES if " " + word + " " in line[30:]}
    equal("aligned", len(columns), 1)
    r = explain({"type": "null"})
    equal("compiles", (r.status, r.text.splitlines()[-1]), (0, "compiles"))
    r = explain(True)
    equal("true", (r.status, r.text), (0, "no keywords; draft 2020-12\ncompiles\n"))
    long = "n" * 300
    r = explain({"properties": {long: {"type": "null"}}})
    check("long pointers are whole", "/properties/" + long + "  type" in r.text, r.text)
    check("no colours in a pipe", "\033" not in r.text)
    r = explain({"properties": {"a\nb\x07": {"type": "null"}}})
    check("one line a rule", len(lines(r)) == 2 and "/a\\nb\\x07" in r.text, r.text)
    r = explain({"additionalProperties": {"nullable": True}}, "--dialect", "openapi-3.0", "-q")
    check("dialect", "no 'type' beside it" in r.text and "draft 4" in r.text, r.text)
    r = explain({"format": "date"}, "--formats", "annotate")
    check("--formats annotate", "annotation  formats are annotations here" in r.text, r.text)
    r = explain({"word": 1})
    check("warnings of the whole", r.status == 0 and "restricts nothing" in r.err, r.err)


def test_json():
    value = explain(MIXED, "--json").json
    equal("object", list(value), ["compiles", "error", "draft", "rules", "summary"])
    equal("verdict", (value["compiles"], value["draft"]), (False, "7"))
    equal("error", (value["error"]["status"], value["error"]["pointer"], value["error"]["file"]),
          ("FORMA_ESCHEMA", "/required/1", "stdin"))
    equal("rule", value["rules"][2],
          {"pointer": "/properties/a", "keyword": "format", "status": "enforced",
           "reason": "a language of strings: RFC 3339, section 5.6: full-date"})
    equal("summary", value["summary"], {**dict.fromkeys(STATUSES, 0), "enforced": 4, "structure": 2,
                                        "annotation": 1, "unknown": 1, "unused": 1, "refused": 3})
    value = explain({"anyOf": [{"type": "integer", "minimum": 3, "maximum": 2}, True]},
                    "--json").json
    equal("compiles", (value["compiles"], "error" in value), (True, False))
    never = [r for r in value["rules"] if r["status"] == "never"]
    equal("never", [(r["pointer"], r["keyword"]) for r in never], [("/anyOf/0", None)])
    r = explain(False, "--json")
    equal("false", (r.status, r.json["error"]["status"], len(r.json["rules"])),
          (2, "FORMA_EUNSAT", 1))
    with_nul = explain({"a\0b\"": 1}, "--json").json
    equal("names may hold anything", len(with_nul["rules"]), 1)


def test_errors():
    refused(["explain"], 2, "--schema")
    refused(["explain", "--schema", '{"a'], 2, "1:2")
    refused(["explain", "--schema", "[1]"], 2, "an object or a boolean")
    refused(["explain", "--schema", "no such file"], 3, "cannot open")
    refused(["explain", "--schema", '{"type": "null"}', "--max-bytes", "4"], 2, "--max-bytes")
    refused(["explain", "--schema", '{"items": {"items": {}}}', "--max-nodes", "2"], 2,
            "--max-nodes")
    refused(["explain", "--schema", "{}", "a", "b"], 2, "takes one")
    refused(["explain", "--schema", "{}", "a", "-f", "x"], 2, "twice")
    refused(["explain", "--schema", "-", "-f", "-"], 2, "stdin")
    refused(["explain", "--schema", "{}", "--dot", "tree"], 2, "region|goal")
    for more in ["--dot", "goal"], ["--support"], []:
        word = "--support" if "--support" in more else "--dot region"
        refused(["explain", "--schema", "{}", "--dot-states", "9", *more], 2, word)
    refused(["explain", "--schema", "{}", "--dot", "region", "--dot-states", "0"], 2, "at least 1")
    r = forma("explain", "--schema", "{}", "--dot", "goal", "--json")
    check("--dot --json", r.status == 2 and "a drawing is no JSON" in r.json["error"]["message"])
    refused(["explain", "--support", "--schema", "{}"], 2, "--support")
    refused(["explain", "--support", "text"], 2, "--support")
    r = forma("explain", "--regex", "a(b)?")
    check("--regex", r.status == 0 and "regex  enforced" in r.text, r.text)
    r = forma("explain", "--regex", "a(b")
    check("--regex refused", r.status == 2 and "regex  refused" in r.text, r.text)


def test_text():
    """What stands in the way is named once, and well."""
    def blocked(schema, text):
        r = forma("explain", "--schema", json.dumps(schema), text)
        equal(text, (r.status, r.err), (1, ""))
        after = r.text.splitlines()
        return after[after.index("what stands there cannot come:") + 1]
    names = {"patternProperties": {"^[a-z]+[0-9]$": True}, "additionalProperties": False}
    equal("a character", blocked({"pattern": "^b*$"}, '"a'), "  a   this character  (/pattern)")
    equal("the end", blocked(names, '{"abc"'), "  \"   the end of the name  (/additionalProperties)")
    equal("what is named", blocked({"type": "object", "required": ["a"]}, "{}"),
          "  }   the end of the object: a required member is missing: \"a\"  (/required)")
    # Backslashes stay as they are: what is printed can be copied.
    digits = {"patternProperties": {"^\\d$": {"const": "\\"}}}
    equal("a pattern", blocked(digits, '{"1": 2'),
          "  2   a number  (/patternProperties/^\\d$/const)")
    way = forma("explain", "--schema", json.dumps(digits), '{"1": ').text.splitlines()[-1]
    equal("a way", way, 'a way to the end: "\\\\"}')
    columns = [line.index("enforced") for line in explain(digits).text.splitlines()[:2]]
    equal("columns", columns[0], columns[1])
    # A character is listed once: by itself, or by the rests that begin with it.
    def possible(values):
        text = forma("explain", "--schema", json.dumps({"enum": values}), '"').text.splitlines()
        return text[text.index("what may come next:") + 1:text.index("what may not:")]
    equal("characters", possible(["a", "b"]), ["      a character: a b; exactly 1 more  (/enum)"])
    equal("rests", possible(["a", "bc"]),
          ['  a   the rest "a"  (/enum)', '  b   the rest "bc"  (/enum)'])
    equal("the empty text", forma("explain", "--regex", "a*", "").text.splitlines()[0],
          "at the beginning, a whole text of the form")


def default_of(text):
    number, unit = re.search(r"default (\d+)([KMG]?)", text).groups()
    return int(number) << {"": 0, "K": 10, "M": 20, "G": 30}[unit]


def test_support():
    r = forma("explain", "--support", "--json")
    value = r.json
    equal("status", (r.status, r.err), (0, ""))
    equal("languages", value["languages"], ["4", "6", "7", "2019-09", "2020-12", "openapi-3.0"])
    for limit in value["limits"]:
        equal(limit["option"], default_of(limit["about"]), limit["default"])
        check(limit["option"], limit["option"] in forma("check", "--help").text)
    check("options", {o["option"] for o in value["styles"]} ==
          {"--keys", "--blanks", "--numbers", "--escapes", "--exact"}, value["styles"])
    properties = value["patterns"]["properties"]
    check("properties", ["Lu", "Uppercase_Letter"] in properties["General_Category"] and
          any("Greek" in names for names in properties["Script"]) and
          any("Alphabetic" in names for names in properties["binary"]))
    # The compiler says the same of each keyword as the table does.
    for entry in value["keywords"]:
        for language, status in entry["status"].items():
            option = ["--dialect", language] if "openapi" in language else ["--draft", language]
            schema = json.dumps({entry["keyword"]: None})
            rules = forma("explain", "--schema", schema, "--json", "-q", *option).json["rules"]
            got = [r["status"] for r in rules if r["status"] != "never"]
            # null is no value for most, and some need a neighbour; neither is so for what is no
            # keyword
            wanted = {None: ["ignored"], "enforced": ["enforced", "refused", "ignored"],
                      "annotation": ["annotation"], "structure": ["structure", "refused"]}[status]
            check(f"{entry['keyword']} in {language}", len(got) == 1 and got[0] in wanted, got)
            if status == "enforced" and got == ["ignored"]:
                check(entry["keyword"], rules[0]["reason"].endswith(" beside it"), rules)
    for entry in value["formats"]:
        schema = json.dumps({"format": entry["format"]})
        rule = forma("explain", "--schema", schema, "--json").json["rules"][0]
        equal(entry["format"], (rule["status"], rule["reason"]),
              ("enforced", "a language of strings: " + entry["source"]))
    r = forma("explain", "--support")
    words = set(r.text.split())
    check("tables", r.status == 0 and
          {e["keyword"] for e in value["keywords"]} | {e["format"] for e in value["formats"]} |
          {e["option"] for e in value["limits"]} <= words)


# ---- real schemas ----------------------------------------------------------------------------

def token(name):
    return "/" + name.replace("~", "~0").replace("/", "~1")


def agrees(schema, said):
    """A reason why the report of a schema does not agree with `forma check`, or None."""
    text = json.dumps(schema)
    error = forma("check", "--schema", "-", "--partial", "--json", "-q", os.devnull,
                  stdin=text).json.get("error")
    if error != said.get("error"):
        return f"{error} != {said.get('error')}"
    rules = said.get("rules", [])
    places = [(r["pointer"], r["keyword"]) for r in rules
              if r["status"] not in ("refused",) and r["keyword"] is not None]
    if len(places) != len(set(places)):
        return "a member is told twice"
    if {r["status"] for r in rules} - set(STATUSES) or not all(r["reason"] for r in rules):
        return "a status or reason is missing"
    refusals = [r["pointer"] + token(r["keyword"]) for r in rules if r["status"] == "refused"]
    about_keyword = error and error["status"] in ("FORMA_ESCHEMA", "FORMA_EUNSUPPORTED")
    if bool(refusals) != bool(about_keyword):
        return f"{len(refusals)} refusals, but {error}"
    if refusals and not any(error["pointer"].startswith(place[:200]) for place in refusals):
        return f"no refusal at {error['pointer']}"
    return None


def without_idle_words(schema, rules):
    """The schema without what its report calls an annotation, ignored, unknown or unused."""
    schema = json.loads(json.dumps(schema))
    for rule in rules:
        if rule["status"] not in ("annotation", "ignored", "unknown", "unused"):
            continue
        if rule["pointer"] and not rule["pointer"].startswith("/"):
            continue  # in another document
        place = schema
        for word in rule["pointer"].split("/")[1:]:
            word = word.replace("~1", "/").replace("~0", "~")
            place = place[int(word) if isinstance(place, list) else word]
        # What stands there may hold a schema that something leads to: that stays.
        if not isinstance(place[rule["keyword"]], (dict, list)):
            del place[rule["keyword"]]
    return schema


def real_schemas():
    with tarfile.open(REAL, "r:xz") as tar:
        for i, member in enumerate(m for m in tar if m.name.endswith(".json")):
            if i % REAL_EVERY == 0:
                yield member.name, json.load(tar.extractfile(member))


def verdicts(cases):
    """Of the texts of cases: the last line, and what failed."""
    text = "".join(json.dumps(case) + "\n" for case in cases)
    r = forma("check", "--cases", "-", "--json", "-q", stdin=text)
    return r.json


def test_real():
    if not os.path.exists(REAL):
        print(f"cli explain: real schemas: skipped, {REAL} is not there")
        return
    whole, bare = [], []
    for name, content in real_schemas():
        schema = content["schema"]
        said = explain(schema, "--json", "-q").json
        why = agrees(schema, said)
        check(name, why is None, why)
        case = {"id": name, "schema": schema, "expect": "compile_or_error"}
        for kind in (True, False):
            case["valid" if kind else "invalid"] = [
                json.dumps(t["data"]) for t in content["tests"] if t["valid"] == kind]
        whole.append(case)
        bare.append({**case, "schema": without_idle_words(schema, said.get("rules", []))})
    check("there are some", len(whole) > 200, len(whole))
    check("some words are idle", sum(a != b for a, b in zip(whole, bare)) > 100)
    equal("without idle words", verdicts(bare), verdicts(whole))


def main():
    groups = [test_table, test_json, test_errors, test_text, test_support, test_real]
    return cli_test.run("cli explain", groups)


if __name__ == "__main__":
    sys.exit(main())
