# SPDX-License-Identifier: MIT
"""Case lines for `forma check --cases` from MaskBench files, judged twice over on the way.

    python3 scripts/maskbench_cases.py [--faults FILE] [--every N] PATH... > cases.jsonl

PATH is a file, a folder of them, a tar archive, or a `.txt` list of paths. A MaskBench file is
{"schema": ..., "tests": [{"valid": BOOL, "data": ...}]}; its schema goes into the case letter by
letter, its data as json.dumps writes them. The case has the expectation of the file, even where a
validator (formats asserted) contradicts it: --faults writes these apart, one a line, as

    FILE <tab> INDEX <tab> EXPECTATION <tab> VERDICT OF jsonschema <tab> VERDICT OF jsonschema-rs

A verdict is valid, invalid or error (the validator cannot use the schema). `expect` is compile, or
compile_or_error where both validators find the schema invalid. `order` tells for each instance of
the file, in turn, where it went: v or i. --every N takes about one file of N, by its name alone.
Counts go to standard error.
"""

import argparse
import collections
import json
import pathlib
import sys
import tarfile
import zlib

from validators import Exact, Native, parse, schema_is_valid


def files(paths):
    """(name, text) of each MaskBench file, in the order of their names."""
    for path in map(pathlib.Path, paths):
        if path.is_dir():
            for file in sorted(path.rglob("*.json")):
                yield file.name, file.read_text(encoding="utf-8")
        elif ".tar" in path.suffixes or path.suffix == ".tgz":
            with tarfile.open(path) as archive:
                members = [m for m in archive.getmembers() if m.name.endswith(".json")]
                for member in sorted(members, key=lambda m: m.name):
                    text = archive.extractfile(member).read().decode("utf-8")
                    yield pathlib.PurePosixPath(member.name).name, text
        elif path.suffix == ".txt":
            listed = path.read_text(encoding="utf-8").splitlines()
            yield from files(path.parent / line for line in listed if line)
        else:
            yield path.name, path.read_text(encoding="utf-8")


def raw_member(text, name):
    """The text of the value of a member of the outermost object."""
    decoder, at = json.JSONDecoder(), text.index("{") + 1
    while True:
        at = text.index('"', at)
        key, at = decoder.raw_decode(text, at)
        at = text.index(":", at) + 1
        at += len(text[at:]) - len(text[at:].lstrip())
        _, end = decoder.raw_decode(text, at)
        if key == name:
            return text[at:end]
        at = end


class Judge:
    """One validator with one schema. None where it cannot use the schema or breaks on a value."""

    def __init__(self, kind, schema, **options):
        try:
            self.validator = kind(schema, **options)
        except Exception:
            self.validator = None

    def __call__(self, value):
        try:
            return self.validator.is_valid(value) if self.validator else None
        except Exception:
            return None


def word(verdict):
    return {True: "valid", False: "invalid", None: "error"}[verdict]


def case_of(name, text, counts, faults):
    raw = raw_member(text, "schema")
    schema, tests = parse(raw), json.loads(text)["tests"]
    judges = [Judge(kind, schema, formats=True) for kind in (Exact, Native)]
    case, order = {"valid": [], "invalid": []}, ""
    for index, test in enumerate(tests):
        instance = json.dumps(test["data"], ensure_ascii=False)
        value, expected = parse(instance), test["valid"]
        verdicts = [judge(value) for judge in judges]
        kind = "valid" if expected else "invalid"
        if (not expected) in verdicts:
            counts["contradicted by a validator"] += 1
            faults.append("\t".join([name, str(index), kind, *map(word, verdicts)]))
        counts[kind] += 1
        case[kind].append(instance)
        order += kind[0]
    invalid = schema_is_valid(schema, "2020-12") == [False, False]
    expect = "compile_or_error" if invalid else "compile"
    counts[expect] += 1
    rest = {k: v for k, v in case.items() if v}
    rest = {**rest, "expect": expect, "order": order}
    # The schema is copied, not written anew: 1.0 stays 1.0. Line ends occur between tokens only.
    one_line = raw.replace("\r", " ").replace("\n", " ")
    members = json.dumps(rest, ensure_ascii=False)[1:]
    return f'{{"id": {json.dumps(name)}, "schema": {one_line}, {members}'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--faults", metavar="FILE", help="where to list contradicted expectations")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="about one file of N")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    options = parser.parse_args()
    sys.setrecursionlimit(20_000)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    counts, faults = collections.Counter(), []
    for name, text in files(options.paths):
        if zlib.crc32(name.encode()) % options.every:
            continue
        counts["files"] += 1
        print(case_of(name, text, counts, faults))
    if options.faults:
        lines = "".join(line + "\n" for line in faults)
        pathlib.Path(options.faults).write_text(lines, encoding="utf-8")
    print(", ".join(f"{name}: {n}" for name, n in counts.items()), file=sys.stderr)


if __name__ == "__main__":
    main()
