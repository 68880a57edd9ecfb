# SPDX-License-Identifier: MIT
"""What must always hold, on real schemas and a real vocabulary: `make soundness`, and a sample in
`make check`.

    python3 scripts/check_soundness.py --tool build/release/tests/walk_schemas [--data DIR]
                                       [--part walks|texts|shaken]... [--every N] [--quick] [--seed N]

    walks     five random walks over the masks of each schema, in the style of `forma generate` and
              in `exact`; what comes out is judged by two validators, formats asserted; some masks
              are compared with their definition, forced tokens and plans are tried
    texts     the instances of the schemas, and of the official test suite, cut into tokens several
              ways, as they are and spelled otherwise (order of keys, blanks, escapes, numbers): the
              valid ones are accepted, each token by the mask before it; the invalid ones never
    shaken    walks with steps taken back, with copies, without a cache, and again on a fresh
              grammar by two threads: nothing of this changes a mask

The data lie in DIR (maskbench-dev.tar.xz, json-schema-test-suite.tar.xz, tokenizers/); what is not
there is not run, and said. Failures stand in build/soundness/PART.jsonl with their whole texts; the
seed and --names repeat them. The last line is "N passed, N failed".

Validators have faults in formats; fixtures/conformance/format_faults.txt lists them, each with the
text that says what is right: PACKAGE, FORMAT, PATTERN, REPLACEMENT, reason, between tabs. A string
that the package refuses is judged once more with the pattern replaced: what else is in it must be
right. Regular expressions are judged by node, where that is there. What the manual says is refused
though valid stands in documented.txt beside it.
"""

import argparse
import collections
import decimal
import functools
import json
import lzma
import multiprocessing
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import time
import zlib

import jsonschema
from maskbench_cases import files, raw_member
from respell import plain, respell, tree
from validators import DRAFTS, NATIVE_FORMATS, AnyFormat, Exact, Native, draft_of, parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "soundness"
LISTED = ROOT / "fixtures" / "conformance"
TOKENIZER = ROOT / "build" / "llama3_1.tokenizer.json"
STYLES = ["generate", "exact"]
HANG = 300  # seconds for one schema
SHOWN = 40  # failures on the terminal
SHAKEN_EVERY = 20  # one schema of so many is walked with all that is slow


# ---- the tool


class Tool:
    """A process that walks. `ask` gives its reply, or a reply with "crash"."""

    def __init__(self, command):
        self.command, self.process = command, None

    def ask(self, job):
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
            )
        alarm = threading.Timer(HANG, self.process.kill)
        alarm.start()
        try:
            self.process.stdin.write(json.dumps(job) + "\n")
            self.process.stdin.flush()
            reply = self.process.stdout.readline()
        except BrokenPipeError:
            reply = ""
        alarm.cancel()
        if reply:
            return json.loads(reply)
        status = self.process.wait()
        self.process = None
        return {"crash": f"the tool ended with status {status}"}


# ---- formats


def listed_format_faults():
    """By (package, format): compiled pattern, replacement."""
    rules = collections.defaultdict(list)
    for line in (LISTED / "format_faults.txt").read_text(encoding="utf-8").splitlines():
        if line and line[0] != "#":
            package, name, pattern, replacement, _ = line.split("\t")
            rules[package, name].append((re.compile(pattern), replacement))
    return rules


class Node:
    """Is a text a regular expression of ECMA-262? With the `u` flag; or without, for what forma
    tolerates (docs/schemas.md)."""

    SCRIPT = r"""
    require('readline').createInterface({input: process.stdin}).on('line', line => {
      const text = JSON.parse(line);
      const is = flags => { try { new RegExp(text, flags); return true; } catch { return false; } };
      console.log(is('u') || is('') ? 1 : 0);
    });"""

    def __init__(self):
        self.process = subprocess.Popen(
            ["node", "-e", self.SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def is_regex(self, text):
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline() == "1\n"


def mend_formats(rules, excused):
    """Both validators ask these checks; `excused` counts what a listed fault has decided."""
    node = Node() if shutil.which("node") else None
    packages = {
        "jsonschema": lambda text, name: name == "regex" or AnyFormat.checkers.conforms(text, name),
        "jsonschema-rs": lambda text, name: (
            node.is_regex(text) if node and name == "regex" else AnyFormat.native(name).is_valid(text)
        ),
    }

    def accepts(package, text, name):
        if packages[package](text, name):
            return True
        for pattern, replacement in rules[package, name]:
            mended = pattern.sub(replacement, text)
            if mended != text and packages[package](mended, name):
                excused[name] += 1
                return True
        return False

    def holds(text, name):
        return all(accepts(package, text, name) for package in packages)

    def check(value, name):
        if isinstance(value, str) and not holds(value, name):
            raise jsonschema.exceptions.FormatError(f"{value!r} is no {name}")

    AnyFormat.check = staticmethod(check)
    for name in NATIVE_FORMATS:
        NATIVE_FORMATS[name] = functools.partial(holds, name=name)


# ---- one schema


class Result:
    """Counts and failures of one schema; added up by the parent."""

    def __init__(self, name):
        self.name, self.counts, self.failures = name, collections.Counter(), []

    def fail(self, what, **details):
        self.counts["failed"] += 1
        self.failures.append({"schema": self.name, "what": what, **details})


class State:
    """What a worker holds."""

    options = tool = tokenizer = None
    excused = collections.Counter()


def start_worker(options, command):
    State.options, State.tool = options, Tool(command)
    sys.setrecursionlimit(20_000)
    mend_formats(listed_format_faults(), State.excused)
    try:
        import tokenizers  # the same cuts as a model's prompt has, where the package is

        State.tokenizer = tokenizers.Tokenizer.from_file(str(TOKENIZER))
    except ImportError:
        pass


def seed_of(name, *more):
    return zlib.crc32(" ".join([name, str(State.options.seed), *more]).encode())


def judges_of(schema, draft):
    """(name, function from value to None or the reason why it is invalid) of each that can."""
    made = []
    for name, kind in (("jsonschema", Exact), ("jsonschema-rs", Native)):
        try:
            made.append((name, kind(schema, draft, formats=True).why_invalid))
        except Exception:  # it cannot use the schema
            continue
    return made


def judge_walk(result, judges, style, walk):
    details = {"style": style, "policy": walk["policy"]}
    result.counts["walks"] += 1
    result.counts[f"ended: {walk['end']}"] += 1
    for mark in ("narrowed", "late"):
        result.counts[mark] += walk[mark]
    text = bytes.fromhex(walk["text"])
    if "fault" in walk:
        return result.fail(walk["fault"], **details, text=text.decode("utf-8", "replace"))
    if walk["end"] == "cut":
        return None
    try:
        value = parse(text.decode("utf-8"))
    except decimal.InvalidOperation:  # exponents that the package decimal does not have
        result.counts["not judged"] += 1
        return None
    except ValueError as error:
        return result.fail(f"no JSON: {error}", **details, text=text.decode("utf-8", "replace"))
    verdicts = {}
    for name, why_invalid in judges:
        try:
            verdicts[name] = why_invalid(value)
        except Exception:  # its own fault: too deep, a reference it cannot resolve
            result.counts[f"{name} broke"] += 1
    for name, reason in verdicts.items():
        if reason is not None:
            return result.fail(f"{name}: {reason[:300]}", **details, text=text.decode("utf-8"))
    result.counts["passed" if verdicts else "not judged"] += 1
    return None


def walk_schema(item):
    name, raw, draft = item["name"], item["schema"], item.get("draft", "2020-12")
    result, judges = Result(name), None
    for style in STYLES:
        reply = State.tool.ask(
            {
                "schema": raw,
                "style": style,
                "draft": draft,
                "walks": State.options.walks,
                "tokens": State.options.tokens,
                "ms": State.options.ms,
                "seed": seed_of(name, style),
                "slow": State.options.slow,
                "plans": State.options.plans if item["part"] == "walks" else 0,
                "shake": item["part"] == "shaken",
            }
        )
        if "crash" in reply:
            result.fail(reply["crash"], style=style)
            continue
        if "error" in reply:
            result.counts[f"refused: {reply['error']['status']}"] += 1
            continue
        result.counts["masks"] += reply["masks"]
        result.counts["mask us"] += round(reply["mask_ms"] * 1000)
        if judges is None:
            judges = judges_of(parse(raw), draft)
        for walk in reply["walks"]:
            judge_walk(result, judges, style, walk)
    result.counts["schemas"] += 1
    for name, n in State.excused.items():
        result.counts[f"{name}: listed faults"] += n
    State.excused.clear()
    return result


def spellings(text, valid, schema, draft, rng, formats):
    """(text, expectation) of the text and others for the same value."""
    yield text, valid
    try:
        parse(text)
    except ValueError:
        return  # a name twice: order has a meaning
    for _ in range(State.options.spellings):
        yield respell(text, rng, integers=draft == "4"), valid
    if draft == "4":  # there the spelling of a number decides; the validator knows
        other = respell(text, rng)
        try:
            verdict = Exact(schema, draft, formats=formats).is_valid(parse(other))
            before = Exact(schema, draft, formats=formats).is_valid(parse(text))
        except Exception:
            return
        if before == valid:
            yield other, verdict


@functools.cache
def documented():
    lines = (LISTED / "documented.txt").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def is_documented(name, text):
    """Does the manual say that this valid instance is refused?"""
    try:
        value = json.loads(text)
    except ValueError:
        return False
    shown = value if isinstance(value, str) else text
    file = name.rpartition(" ")[0]
    return any(file.endswith(end) and re.search(what, shown) for end, what, _ in documented())


def check_texts(item):
    name, raw, draft = item["name"], item["schema"], item.get("draft", "2020-12")
    result, rng = Result(name), random.Random(seed_of(name, "texts"))
    schema = parse(raw)
    drafts = draft_of(schema, draft) or draft
    formats = item.get("formats", "assert")
    texts = []
    for index, (text, valid) in enumerate(item["tests"]):
        for other, expected in spellings(text, valid, schema, drafts, rng, formats == "assert"):
            texts.append({"text": other, "valid": expected, "index": index})
    if State.tokenizer:
        for text in texts:
            ids = State.tokenizer.encode(text["text"], add_special_tokens=False).ids
            if State.tokenizer.decode(ids, skip_special_tokens=True) == text["text"]:
                text["ids"] = ids
    reply = State.tool.ask(
        {
            "schema": raw,
            "style": "exact",
            "draft": draft,
            "formats": formats,
            "seed": seed_of(name, "cuts"),
            "places": State.options.places,
            "texts": texts,
        }
    )
    if "crash" in reply:
        result.fail(reply["crash"])
        return result
    result.counts["schemas"] += 1
    result.counts["texts"] += len(texts)
    if "error" in reply:
        status = reply["error"]["status"]
        result.counts[f"refused: {status}"] += 1
        for text in texts:
            if text["valid"] and is_documented(name, text["text"]):
                result.counts["refused as documented"] += 1
            elif text["valid"] and text["text"] == item["tests"][text["index"]][0]:
                result.fail(f"schema refused: {status}", index=text["index"], text=text["text"])
        return result
    for count in ("judged", "masks", "limits"):
        result.counts[count] += reply[count]
    result.counts["mask us"] += round(reply["mask_ms"] * 1000)
    result.counts["passed"] += reply["judged"] - len(reply["misses"])
    for miss in reply["misses"]:
        text = texts[miss["text"]]
        if miss["fault"] == "refused" and text["valid"] and is_documented(name, text["text"]):
            result.counts["refused as documented"] += 1
            continue
        result.fail(miss["fault"], cut=miss["cut"], at=miss["at"], index=text["index"],
                    valid=text["valid"], text=text["text"])  # fmt: skip
    return result


def do_item(item):
    try:
        return (check_texts if item["part"] == "texts" else walk_schema)(item)
    except Exception as error:
        raise RuntimeError(f"{item['name']}: {error!r}") from error


# ---- where the schemas come from


def real_schemas(options, listed):
    for name, text in files([options.data / "maskbench-dev.tar.xz"]):
        if options.names and name not in options.names:
            continue
        tests = [
            (json.dumps(test["data"], ensure_ascii=False), test["valid"])
            for index, test in enumerate(json.loads(text)["tests"])
            if not listed & {(name, str(index)), (name, "-")}
        ]
        yield {"name": name, "schema": raw_member(text, "schema"), "tests": tests}


def suite_folder(options):
    folder = ROOT / "build" / "conformance" / "suite"
    if not folder.exists():
        with tarfile.open(options.data / "json-schema-test-suite.tar.xz") as tar:
            tar.extractall(folder, filter="data")
    return next(p.parent for p in folder.rglob("tests") if p.is_dir())


def suite_schemas(options):
    tests = suite_folder(options) / "tests"
    for draft in DRAFTS:
        folder = tests / ("draft" + draft if "-" in draft else f"draft{draft}")
        for file in sorted(folder.rglob("*.json")):
            path = file.relative_to(tests).as_posix()
            formats = "assert" if "/optional/" in path else "annotate"
            for number, group in enumerate(tree(file.read_text(encoding="utf-8"))):
                group = dict(group)
                name = f"{path} {number}"
                if options.names and name not in options.names:
                    continue
                pairs = [dict(test) for test in group["tests"]]
                yield {
                    "name": name,
                    "schema": plain(group["schema"]),
                    "draft": draft,
                    "formats": formats,
                    "tests": [(plain(test["data"]), test["valid"]) for test in pairs],
                }


def documents(options):
    """URI=FILE of each remote schema of the suite."""
    remotes = suite_folder(options) / "remotes"
    return [
        f"http://localhost:1234/{file.relative_to(remotes).as_posix()}={file}"
        for file in sorted(remotes.rglob("*.json"))
    ]


def listed_faults():
    """(file, index) of instances whose expectation is a fault of the data; -: all of the file."""
    lines = (LISTED / "maskbench_faults.txt").read_text(encoding="utf-8").splitlines()
    return {tuple(line.split("\t")[:2]) for line in lines if line and line[0] != "#"}


# ---- all of them


def show(part, counts):
    numbers = counts.copy()
    masks, us = numbers.pop("masks", 0), numbers.pop("mask us", 0)
    words = [f"{n:,} {what}" for what, n in numbers.items() if n]
    if us:
        words.append(f"{masks:,} masks, {us / max(masks, 1):,.0f} us each")
    print(f"{part}: " + ", ".join(words), flush=True)


def run_part(options, pool, part, items, log):
    counts, started, shown, last = collections.Counter(), time.monotonic(), 0, 0
    for n, result in enumerate(pool.imap_unordered(do_item, items, chunksize=2), 1):
        counts.update(result.counts)
        for failure in result.failures:
            log.write(json.dumps({"part": part, **failure}, ensure_ascii=False) + "\n")
            if shown < SHOWN:
                shown += 1
                text = failure.pop("text", None)
                words = " ".join(f"{k}={v}" for k, v in failure.items())
                print(f"{part}: {words}: {text[:160]!r}" if text else f"{part}: {words}")
        log.flush()
        if time.monotonic() - last > 60:
            last = time.monotonic()
            show(f"{part}, {last - started:.0f} s, {n} schemas so far", counts)
    show(f"{part}, {time.monotonic() - started:.0f} s, seed {options.seed}", counts)
    return counts


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", required=True, help="build/.../tests/walk_schemas")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--part", action="append", choices=["walks", "texts", "shaken"])
    parser.add_argument("--quick", action="store_true", help="a sample: half a minute")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="about one file of N")
    parser.add_argument("--offset", type=int, default=0, help="which of them: 0 to N - 1")
    parser.add_argument("--names", nargs="*", help="these schemas only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--walks", type=int, default=5, help="of each schema and style")
    parser.add_argument("--tokens", type=int, default=300, help="drawn in a walk")
    parser.add_argument("--ms", type=int, default=500, help="of a walk, in milliseconds")
    parser.add_argument("--slow", type=int, default=100, metavar="N",
                        help="one mask of N is compared with its definition")  # fmt: skip
    parser.add_argument("--plans", type=int, default=24, metavar="N",
                        help="at one place of N forced tokens and plans are tried")  # fmt: skip
    parser.add_argument("--places", type=int, default=2, help="of a cut text where a mask is asked")
    parser.add_argument("--spellings", type=int, default=2, help="of each instance, besides its own")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if options.quick:
        options.every, options.tokens, options.ms = 240, 150, 60
        options.places, options.spellings = 1, 1
    return options


def items_of(options, part):
    every = options.every * (1 if part != "shaken" else 3 if options.quick else SHAKEN_EVERY)
    sources = [real_schemas(options, listed_faults())]
    if part == "texts":
        sources.append(suite_schemas(options))
    for source in sources:
        for item in source:
            if zlib.crc32(item["name"].encode()) % every == options.offset % every or options.names:
                yield {**item, "part": part}


def main():
    options = read_options()
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    packed = options.data / "tokenizers" / "llama3_1.tokenizer.json.xz"
    needed = [packed, options.data / "maskbench-dev.tar.xz",
              options.data / "json-schema-test-suite.tar.xz"]  # fmt: skip
    missing = [path for path in needed if not path.exists()]
    if missing:
        print(f"soundness: not run: {missing[0]} is not there")
        print("0 passed, 0 failed")
        return 0
    WORK.mkdir(parents=True, exist_ok=True)
    if not TOKENIZER.exists():
        TOKENIZER.write_bytes(lzma.decompress(packed.read_bytes()))
    command = [options.tool, str(TOKENIZER), *documents(options)]
    total = collections.Counter()
    with multiprocessing.Pool(options.jobs, start_worker, (options, command)) as pool:
        for part in options.part or ["walks", "texts", "shaken"]:
            with open(WORK / f"{part}.jsonl", "w", encoding="utf-8") as log:
                total += run_part(options, pool, part, items_of(options, part), log)
    print(f"{total['passed']} passed, {total['failed']} failed")
    return total["failed"] != 0


if __name__ == "__main__":
    sys.exit(main())
