#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Patterns made to take for ever, or all memory: each is answered in time and in little memory.

    check_hostile.py --forma build/release/forma [--data DIR] [--only WORD] [-v]

Each form is compiled, reads texts and makes masks at some of their places, each in a process of its
own. An answer is a result, or an error (exit status 2) of one sentence that says where (for a
schema its pointer) and what to do. A process may take SECONDS of processor time and BYTES of memory
more than the same command on a form that is nothing. Masks are over the Llama 3.1 vocabulary where
DIR has it, else over a small one.
"""
import argparse
import json
import lzma
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# A machine that is busy otherwise, or slow, is no fault of a form: make check allows more.
SECONDS, MEGABYTES = float(os.environ.get("HOSTILE_SECONDS", "2")), 256
KILL_SECONDS = 20
SMALL = "fixtures/vocabularies/byte_level.gguf"
LARGE = "tokenizers/llama3_1.tokenizer.json.xz"


# What is not reached, and why. Measured like the others, but not judged.
KNOWN = {"counts, 100 kB": "10,000 counts run at once: each character costs a step of all of them"}


def pattern(p, **more):
    return {"schema": {"type": "string", "pattern": p, **more}}


def regex(p):
    return {"regex": p}


def words(n, rng, length=7):
    return ["".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(length))
            for _ in range(n)]


def numbered(n, text):
    return [text % i for i in range(n)]


def cases():
    """(name, form, texts): masks are made at the beginning, in the middle and at the end of each."""
    rng = random.Random(7)
    a = "a" * 400
    nested = "a*"
    for _ in range(50):
        nested = f"({nested})*"
    secret = "(AKIA|ghp_)[A-Za-z0-9]{16,40}.{0,30}$"
    secrets = [f"({x}|ghp_{x})[A-Za-z0-9]{{{16 + i},{40 + i}}}.{{0,{30 + i}}}$"
               for i, x in enumerate(words(20, rng, 4))]
    strings = [
        ("nested stars", nested, [a, a + "b"]),
        ("nested plus", nested.replace("*", "+"), [a, a + "b"]),
        ("nested stars, then b", nested + "b", [a]),
        ("(a|a)*", "(a|a)*", [a]),
        ("(a|aa)+$", "^(a|aa)+$", [a + "b"]),
        ("(a*)*b", "(a*)*b", [a]),
        ("(x+x+)+y", "(x+x+)+y", ["x" * 400]),
        ("(.*a){50}", "(.*a){50}", ["ab" * 100]),
        ("(.*a){50}b", "^(.*a){50}b$", ["ab" * 100]),
        ("(.*){50}x", "(.*){50}x", [a]),
        ("(a?){1000}a{1000}", "^(a?){1000}a{1000}$", [a]),
        ("(a?){30}a{30}", "^" + "a?" * 30 + "a{30}$", [a]),
        ("(a{1000}){1000}", "^(a{1000}){1000}$", [a]),
        ("(a{1,1000}){1,1000}", "^(a{1,1000}){1,1000}b$", [a]),
        ("((a{1,100}b?){1,100}c?){1,100}", "^((a{1,100}b?){1,100}c?){1,100}$", [a, "aab" * 90]),
        (".{100000}x", ".{100000}x", [a]),
        ("(?=.{100000}x).{100000}", "(?=.{100000}x).{100000}", [a]),
        ("(?!.{100000}x).{100000}", "^(?!.{100000}x).{100000}$", [a]),
        ("(?<=x.{100000})y", "(?<=x.{100000})y", [a]),
        (r"[\s\S]{10^9}", r"^[\s\S]{1000000000}$", [a]),
        (r"[\s\S]{10^9,}x", r"^[\s\S]{1000000000,}x", [a]),
        ("(ab){10^9}", "^(ab){1000000000}$", [a]),
        (".*a.{500}", "^.*a.{500}$", ["ab" * 300, "abcdefg" * 100]),
        (".*a.{20}", "^.*a.{20}$", ["ab" * 30]),
        (".*[a-m].{0,500}[n-z].{500}", ".*[a-m].{0,500}[n-z].{500}", ["anbmcz" * 60]),
        (".*a.{500}b.{500}c", ".*a.{500}b.{500}c", ["abc" * 100]),
        ("groups 10,000 deep", "(" * 10000 + "a" + ")" * 10000, [a]),
        ("groups 200 deep", "(" * 200 + "a" + ")*" * 200, [a]),
        ("lookaheads, 2,000", "".join(numbered(2000, "(?=.*a%d)")) + ".*", [a]),
        ("lookaheads, 900", "".join(numbered(900, "(?=.*a%d)")) + ".*", [a]),
        ("negated lookaheads, 900", "^" + "".join(numbered(900, "(?!.*a%d)")) + ".*$", [a]),
        ("lookaheads inside each other", "(?=a" * 200 + ")" * 200, [a]),
        ("lookaheads in a star", "^(?:(?=.{0,50}b)(?!.{0,40}c)[a-d])*$", ["ab" * 60]),
        ("lookbehinds in a star", r"^(?:(?<=a.{0,9})b|(?<!b.{0,9})a|\bc\b)*$", ["ab" * 60]),
        ("boundaries, 400", r"\b.?" * 400, [a]),
        ("words, 100 kB", "^(" + "|".join(words(13000, rng)) + ")$", ["ab"]),
        ("words searched, 100 kB", "(" + "|".join(words(13000, rng)) + ")", [a]),
        ("words refused, 100 kB", "^(?!" + "|".join(words(13000, rng)) + ").*$", [a]),
        ("prefixes, 100 kB", "|".join("a" * i + "b" for i in range(450)), [a]),
        ("patterns, 100 kB", "^(" + "|".join(f"{w}\\d+{w}*" for w in words(5500, rng)) + ")$", ["a"]),
        ("patterns searched, 100 kB", "|".join(f"{w}\\d+{w}*" for w in words(5500, rng)), [a]),
        ("counts, 100 kB", "|".join(f"a{{{i},{2 * i}}}{w}" for i, w in enumerate(words(5500, rng))),
         [a]),
        ("classes, 100 kB", "^(" + "|".join(f"[{x}]+" for x in words(9000, rng)) + ")$", [a]),
        ("sequences of classes, 100 kB",
         "^(" + "|".join(f"[{x[:4]}][{x[4:]}]*" for x in words(6000, rng)) + ")$", [a]),
        ("a class, 100 kB", "^[" + "".join(chr(0x4E00 + 2 * i) for i in range(10000)) + "]+$", [a]),
        ("a text, 100 kB", "^" + "ab" * 50000 + "$", ["ab" * 50]),
        (r"\p{L}{1,1000} negated", r"^(?!\p{L}{1,1000}$).*$", ["é" * 200]),
        (r"(\p{L}\p{N}?){1000}", r"^(\p{L}\p{N}?){1000}$", ["é1" * 200]),
        (r"(\p{Lu}|\p{Ll}|\w)*x{9}", r"(\p{Lu}|\p{Ll}|\w)*x{9}", ["éx" * 20]),
        ("a counter of counters", "^(((a{1,9}b){1,9}c){1,9}d)$", ["aabcd"]),
        ("an exponent", "^" + "(" * 30 + "a" + "{2})" * 30 + "$", [a]),
        ("ranges that overlap", "^(" + "|".join(f"[{chr(97 + i % 9)}-{chr(110 + i % 13)}]{{{i},}}"
                                              for i in range(1, 300)) + ")x$", ["h" * 300]),
    ]
    for name, p, texts in strings:
        yield name, pattern(p), ['"' + t for t in texts]
        yield name, regex(p), texts
    many = words(10000, rng)
    yield from [
        ("an enum of 10,000 patterns", {"schema": {"enum": [f"^{w}.*$" for w in many]}}, ['"']),
        ("negated patterns, 1,000", {"schema": {"type": "string", "not": {"anyOf": [
            {"pattern": f"{w}.*\\d$"} for w in many[:1000]]}}}, ['"abc']),
        ("any of 1,000 negated", {"schema": {"type": "string", "anyOf": [
            {"not": {"pattern": f"{w}.*\\d$"}} for w in many[:1000]]}}, ['"abc']),
        ("all of 1,000 negated", {"schema": {"type": "string", "allOf": [
            {"not": {"pattern": f"{w}.*\\d$"}} for w in many[:1000]]}}, ['"abc']),
        ("any of 1,000", {"schema": {"type": "string", "anyOf": [
            {"pattern": f"^{w}.*\\d$"} for w in many[:1000]]}}, ['"']),
        ("one of 200", {"schema": {"type": "string", "oneOf": [
            {"pattern": f"^{w[:2]}.*\\d$"} for w in many[:200]]}}, ['"']),
        ("300 patternProperties that overlap", {"schema": {"type": "object", "patternProperties": {
            f"{w[0]}.*{w[1]}": {"minimum": i} for i, w in enumerate(many[:300])},
            "minProperties": 2}}, ['{"abcdefghij": 400, "']),
        ("10 of .*x.*", {"schema": {"type": "string", "allOf": [
            {"pattern": f".*{x}.*"} for x in "abcdefghij"]}}, ['"abc']),
        ("16 of .*x.* in 20", {"schema": {"type": "string", "maxLength": 20, "allOf": [
            {"pattern": f".*{x}.*"} for x in "abcdefghijklmnop"]}}, ['"abc']),
        ("12 of .*ab.*, one too few", {"schema": {"type": "string", "maxLength": 11, "allOf": [
            {"pattern": f".*{x}.*"} for x in "abcdefghijkl"]}}, ['"abc']),
        ("10 of .*x.{n}", {"schema": {"type": "string", "allOf": [
            {"pattern": f"^.*{x}.{{{i + 5}}}$"} for i, x in enumerate("abcdefghij")]}}, ['"abc']),
        ("multiples", {"schema": {"type": "string", "minLength": 1, "allOf": [
            {"pattern": f"^(?:.{{{n}}})*$"} for n in (7, 11, 13, 17, 19, 23)]}}, ['"abc']),
        ("a secret refused", pattern(".*", minLength=60, **{"not": {"pattern": secret}}), ['"abc']),
        ("a secret refused, short", pattern(".*", maxLength=60, **{"not": {"pattern": secret}}),
         ['"abc']),
        ("20 secrets refused", {"schema": {"type": "string", "minLength": 60, "allOf": [
            {"not": {"pattern": s}} for s in secrets]}}, ['"abc', '"AKIA0123456789abcdef']),
        ("everything together", pattern(
            "^[a-z]+(-[a-z0-9]+)*$", minLength=10, maxLength=253, format="hostname",
            **{"not": {"pattern": "(--|internal|^xn)"}, "anyOf": [
                {"pattern": "x.{3,9}y"}, {"enum": many[:500]}, {"format": "ipv4"}]}), ['"abc']),
        ("formats and patterns", {"schema": {"type": "string", "allOf": [
            {"format": "uri"}, {"format": "iri"}, {"pattern": "^https?://[^/]+/.{10,200}$"},
            {"not": {"pattern": "\\.(exe|zip)$"}}], "maxLength": 2000}}, ['"https://e']),
        ("names", {"schema": {"type": "object", "propertyNames": {
            "pattern": "^(.*a){9}", "not": {"pattern": "b.{50}c"}, "minLength": 100},
            "minProperties": 3}}, ['{"aaaaaaaaaabc']),
    ]


def command(forma, form, action):
    if "regex" in form:
        return [forma, action, "--regex", form["regex"]], None
    return [forma, action, "--schema", "FORM"], json.dumps(form["schema"], ensure_ascii=False)


class Runner:
    def __init__(self, forma, vocabulary, folder):
        self.forma, self.vocabulary, self.folder = forma, vocabulary, folder
        self.base = {}
        for action in ("check", "mask"):
            runs = [self.run({"regex": "a"}, action, "a") for _ in range(3)]
            self.base[action] = (min(r["seconds"] for r in runs), min(r["mb"] for r in runs))

    def run(self, form, action, text):
        """What the process said, and what it took beyond an empty form's."""
        args, schema = command(self.forma, form, action)
        if "regex" in form and len(form["regex"].encode()) > 100_000:
            return {"seconds": 0, "mb": 0, "status": 0, "error": "", "skipped": True}
        (self.folder / "text").write_text(text)
        if schema is not None:
            (self.folder / "form.json").write_text(schema)
            args[args.index("FORM")] = str(self.folder / "form.json")
        if action == "check":
            args += ["--partial", str(self.folder / "text")]
        else:
            args += ["--json", "--tokenizer", self.vocabulary, "-f", str(self.folder / "text")]
        with open(self.folder / "out", "w+") as out, open(self.folder / "err", "w+") as err:
            process = subprocess.Popen(["timeout", str(KILL_SECONDS), *args], stdout=out, stderr=err)
            _, status, used = os.wait4(process.pid, 0)
        base = self.base.get(action, (0, 0))
        result = {"seconds": used.ru_utime + used.ru_stime - base[0],
                  "mb": used.ru_maxrss / 1024 - base[1],
                  "status": os.waitstatus_to_exitcode(status), "skipped": False,
                  "error": (self.folder / "err").read_text(errors="replace")}
        if result["status"] == 2 and action == "mask":
            result["error"] = (self.folder / "out").read_text(errors="replace")
        return result


def fault(form, result):
    """What is wrong with an answer, or None."""
    if result["status"] not in (0, 1, 2):
        return f"exit status {result['status']}"
    if result["status"] == 2:
        text = result["error"]
        place = r"/pattern|--regex|pointer|/[a-z]+" if "schema" in form else r"byte \d|--regex"
        if text.count("\n") != 1 or not re.search(place, text) or ";" not in text:
            return "an error without place or advice: " + text.strip()[:200]
    if result["seconds"] > SECONDS:
        return "too slow"
    if result["mb"] > MEGABYTES:
        return "too large"
    return None


def judge(runner, name, form, texts, verbose):
    kind = "regex" if "regex" in form else "schema"
    asked = [("check", t) for t in texts] + [("mask", "")]
    for t in texts:
        asked += [("mask", t[:len(t) // 2]), ("mask", t)]
    worst, faults, answers = (0.0, 0.0), [], set()
    for action, text in asked:
        result = runner.run(form, action, text)
        if result["skipped"]:
            continue
        worst = (max(worst[0], result["seconds"]), max(worst[1], result["mb"]))
        answers.add({0: "yes", 1: "no", 2: "error"}.get(result["status"], "?"))
        if "search limit" in result["error"]:
            answers.add("narrowed" if result["status"] == 0 else "limit")
        wrong = fault(form, result)
        if wrong:
            faults.append(f"{action} {text[:30]!r} of {len(text)}: {wrong} "
                          f"({result['seconds']:.2f} s, {result['mb']:.0f} MB)")
        if verbose and result["error"]:
            print("   ", result["error"].strip()[:300])
    print(f"{'FAIL' if faults else 'ok  '} {worst[0]:6.2f} s {worst[1]:5.0f} MB  {kind:6} {name}: "
          f"{', '.join(sorted(answers))}", flush=True)
    for f in faults:
        print("     ", f)
    return not faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--forma", required=True)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--only", default="")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        vocabulary = SMALL
        if (args.data / LARGE).exists():
            vocabulary = str(folder / "tokenizer.json")
            with lzma.open(args.data / LARGE) as packed:
                pathlib.Path(vocabulary).write_bytes(packed.read())
        runner = Runner(args.forma, vocabulary, folder)
        results = []
        for case in cases():
            if args.only not in case[0]:
                continue
            fine = judge(runner, *case, args.verbose)
            if case[0] in KNOWN:
                print(f"known: {case[0]}: {KNOWN[case[0]]}")
            else:
                results.append(fine)
    print(f"hostile patterns: {sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
