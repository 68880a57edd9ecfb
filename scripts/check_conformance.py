# SPDX-License-Identifier: MIT
"""How far forma decides JSON Schema rightly: `make conformance`, and a sample in `make check`.

    python3 scripts/check_conformance.py --forma FORMA [--data DIR] [--quick] [--decisions N]

Measured are the official test suite (required tests of five drafts), the cases and real schemas
that lie in DIR (json-schema-test-suite.tar.xz, cases.jsonl, viability.jsonl, maskbench-dev.tar.xz;
what is not there is left out, and said), fixtures/cases/, and random schemas judged by two
validators. Work files go to build/conformance/; misses.jsonl there has every miss with its case.

Each row of the table is a measure; its columns count verdicts: decided rightly; wrongly accepted;
wrongly refused; those of schemas that were refused, met a limit, or hold what is not supported; and
those listed with a reason (faults of the data, patterns that are no regular language) in
fixtures/conformance/*.txt (FILE, INDEX of the instance or `-` for the schema, reason, between
tabs). What is listed and yet decided as expected fails, too: the list is stale. The last line is "N passed, N failed".
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor

from validators import DRAFTS, Exact, Native, parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "conformance"
LISTED = ROOT / "fixtures" / "conformance"
COLUMNS = ["right", "accepted", "refused", "no schema", "limits", "unsupported", "listed"]
SHOWN_MISSES = 20  # of a measure; misses.jsonl has all


# ---- running forma


class Measure:
    def __init__(self, name):
        self.name, self.counts, self.misses = name, collections.Counter(), []

    def add(self, report, cases=None, listed=None):
        """A report of `forma check --json` into the columns."""
        self.counts["right"] += report["passed"]
        self.counts["skipped"] += report["skipped"]
        for miss in report["failures"]:
            column = column_of(miss)
            excuse = listed and column != "limits" and listed.excuse(miss)
            column = "listed" if excuse else column
            self.counts[column] += miss["verdicts"]
            if not excuse:
                self.misses.append(
                    {**miss, "column": column, "case": (cases or {}).get(miss["id"])}
                )

    @property
    def failed(self):
        return sum(self.counts[c] for c in COLUMNS if c not in ("right", "listed"))


def column_of(miss):
    if miss["got"] in ("a limit",):
        return "limits"
    if miss["what"] == "schema" and miss["got"] != "a form":
        return "unsupported" if "not supported" in miss["detail"] else "no schema"
    if miss["got"] in ("accepted", "viable", "a form"):
        return "accepted"
    return "refused" if miss["got"] in ("refused", "dead") else "limits"


def forma(options, arguments):
    """The report of one run. What cannot be reported (a crash, a broken file) ends all."""
    command = [options.forma, "check", "--json", "-q", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        report = {}
    if "failures" not in report:
        message = report.get("error", {}).get("message") or done.stderr[-500:]
        raise SystemExit(f"{' '.join(command)}\nended with status {done.returncode}: {message}")
    return report


def in_halves(options, pool, lines):
    """The reports on lines of cases, run as two processes; every other line to each."""
    parts = []
    for half in range(2):
        part = WORK / f"half-{half}.jsonl"
        part.write_text("".join(lines[half::2]), encoding="utf-8", newline="\n")
        parts.append(part)
    return pool.map(lambda part: forma(options, ["--cases", part]), parts)


def measure_cases(options, pool, name, paths, keep=lambda line: True, listed=None):
    lines = []
    for path in paths:
        with open(path, encoding="utf-8", newline="\n") as file:
            lines += [line for line in file if keep(line)]
    measure = Measure(name)
    for report in in_halves(options, pool, lines):
        missed = {miss["id"] for miss in report["failures"]}
        cases = {}
        if missed:
            cases = {c["id"]: line for line in lines if (c := json.loads(line))["id"] in missed}
        measure.add(report, cases, listed)
    if listed:
        measure.counts["refused"] += listed.stale(measure)
    return measure


# ---- faults of the data


class Listed:
    """The listed faults of one set of files, by what forma reports of them."""

    def __init__(self, path, case_lines):
        self.path, self.used, self.texts = path, set(), {}
        entries = []
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            if line and not line.startswith("#"):
                entries.append(tuple(line.split("\t")[:2]))
        files = {file for file, _ in entries}
        cases = {}
        for line in case_lines if files else []:
            if any(f'"id": "{file}"' in line[:200] for file in files):
                case = json.loads(line)
                cases[case["id"]] = case
        for file, index in entries:
            if file in cases:
                self.texts[(file, index)] = self.text(cases[file], index)

    @staticmethod
    def text(case, index):
        """What stands at an index of the file: the kind and the text, or that it is the schema."""
        if index == "-":
            return "schema", None
        order, at = case["order"], int(index)
        kind = {"v": "valid", "i": "invalid"}[order[at]]
        return f"{kind} text", case[kind][order[:at].count(order[at])]

    def excuse(self, miss):
        for entry, (what, text) in self.texts.items():
            if (
                entry[0] == miss["id"]
                and what == miss["what"]
                and (text is None or text == miss["text"])
            ):
                self.used.add(entry)
                return True
        return False

    def stale(self, measure):
        unused = sorted(set(self.texts) - self.used)
        for file, index in unused:
            measure.misses.append(
                {
                    "id": file,
                    "what": f"listed fault {index} of {self.path.name}",
                    "text": None,
                    "got": "as expected",
                    "detail": "take it off the list",
                }
            )
        return len(unused)


# ---- the measures


def measure_suite(options, pool):
    archive = options.data / "json-schema-test-suite.tar.xz"
    folder = WORK / "suite"
    if not folder.exists():
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
    suite = next(p.parent for p in folder.rglob("tests") if p.is_dir())

    def run(draft):
        measure = Measure(f"official suite, draft {draft}")
        measure.add(
            forma(options, ["--suite", suite, "--draft", draft, "--remotes", suite / "remotes"])
        )
        return measure

    return list(pool.map(run, DRAFTS))


def generated(path, script, *arguments):
    """A file of cases, made by a script unless it is there and newer than the scripts."""
    helpers = ("validators", "random_instances", "random_schemas")
    made_by = [ROOT / "scripts" / f"{name}.py" for name in (script, *helpers)]
    newest = max(p.stat().st_mtime for p in made_by)
    if not path.exists() or path.stat().st_mtime < newest:
        command = [sys.executable, made_by[0], *map(str, arguments)]
        draft = path.with_suffix(".part")
        with open(draft, "w", encoding="utf-8") as out:
            subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=True)
        draft.replace(path)
    return path


def measure_real(options, pool):
    sample = ["--every", "20"] if options.quick else []
    cases = generated(
        WORK / f"{'quick-' if sample else ''}maskbench.jsonl",
        "maskbench_cases",
        "--faults",
        WORK / "maskbench_faults.tsv",
        *sample,
        options.data / "maskbench-dev.tar.xz",
    )
    with open(cases, encoding="utf-8", newline="\n") as file:
        listed = Listed(LISTED / "maskbench_faults.txt", file)
    return measure_cases(options, pool, "real schemas (MaskBench)", [cases], listed=listed)


def random_measures(options, pool):
    """Random cases of each draft, of exact numbers and of prefixes: as many as give the decisions
    that are asked for, at some 24 a case."""
    count = options.decisions // (24 * 7) + 1
    jobs = [(f"random schemas, draft {d}", d, ["--draft", d]) for d in DRAFTS]
    jobs.append(("random schemas, exact numbers", "numbers", ["--exact-numbers"]))
    jobs.append(("random schemas, prefixes", "prefixes", ["--prefixes"]))

    def make(job):
        name, file, arguments = job
        path = WORK / f"random-{options.seed}-{count}-{file}.jsonl"
        generated(path, "random_cases", "--seed", options.seed, "--count", count, *arguments)
        return name, [path]

    return [measure_cases(options, pool, *made) for made in list(pool.map(make, jobs))]


def judged_fixtures(paths):
    """The fixtures themselves, by the validators: texts as the styles `exact` read them. `oracle`
    names who is right where these two are not."""
    measure = Measure("fixtures, by two validators")
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if "style" in case or "oracle" in case or case.get("expect") == "compile_error":
                continue
            schema, draft = parse(line)["schema"], case.get("draft", "2020-12")
            verdicts = {}
            for judge in (Exact, Native):
                try:
                    validator = judge(schema, draft)
                except Exception:  # it cannot use the schema; the other one judges
                    continue
                for kind in ("valid", "invalid"):
                    for text in case.get(kind, []):
                        try:
                            verdict = validator.is_valid(parse(text))
                        except ValueError:
                            verdict = False
                        verdicts.setdefault((kind, text), set()).add(verdict)
            for (kind, text), given in verdicts.items():
                right = (kind == "valid") in given
                measure.counts["right" if right else "refused"] += 1
                if not right:
                    measure.misses.append(
                        {
                            "id": case["id"],
                            "what": f"{kind} text",
                            "text": text,
                            "got": "otherwise from both validators",
                            "detail": "",
                        }
                    )
    return measure


# ---- the table


def show(measures):
    width = max(len(m.name) for m in measures)
    heads = [
        "verdicts",
        "right",
        "wrongly accepted",
        "wrongly refused",
        "no schema",
        "limits",
        "unsupported",
        "listed",
    ]
    print(f"{'':{width}}  " + "  ".join(heads))
    for m in measures:
        numbers = [sum(m.counts[c] for c in COLUMNS), *(m.counts[c] for c in COLUMNS)]
        print(f"{m.name:{width}}  " + "  ".join(f"{n:{len(h)},}" for n, h in zip(numbers, heads)))


def show_misses(measures):
    for m in measures:
        for miss in m.misses[:SHOWN_MISSES]:
            text = (
                miss["text"]
                if miss["text"] is None or len(miss["text"]) < 100
                else (miss["text"][:100] + "...")
            )
            place = " ".join(filter(None, [miss.get("id"), miss.get("test")]))
            quoted = f" {text!r}" if text is not None else ""
            print(f"{place}: {miss['what']}{quoted}: {miss['got']} {miss['detail'][:160]}")
        if len(m.misses) > SHOWN_MISSES:
            print(f"... {len(m.misses) - SHOWN_MISSES} more misses of {m.name}")
        skipped = m.counts["skipped"]
        if skipped:
            print(f"{m.name}: {skipped} skipped, of a kind that is not supported yet")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--forma", required=True, help="the command to judge")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--quick", action="store_true", help="a sample: under a minute")
    parser.add_argument("--seed", type=int, default=1, help="of the random schemas")
    parser.add_argument(
        "--decisions", type=int, help="on random schemas; default 140000, quick 9000"
    )
    options = parser.parse_args()
    options.decisions = options.decisions or (9_000 if options.quick else 140_000)
    options.forma = os.path.abspath(options.forma)
    WORK.mkdir(parents=True, exist_ok=True)

    measures = []
    fixtures = sorted((ROOT / "fixtures" / "cases").glob("[nr]a*.jsonl"))  # naive_*, random*
    with ThreadPoolExecutor(2) as pool:
        if (options.data / "json-schema-test-suite.tar.xz").exists():
            measures += measure_suite(options, pool)
        for name in ("cases.jsonl", "viability.jsonl"):
            if (options.data / name).exists():  # grammars and the like have their own checks
                keep = lambda line: '"schema' in line
                measures.append(measure_cases(options, pool, name, [options.data / name], keep))
        if (options.data / "maskbench-dev.tar.xz").exists():
            measures.append(measure_real(options, pool))
        measures.append(measure_cases(options, pool, "fixtures/cases", fixtures))
        measures.append(judged_fixtures(fixtures))
        measures += random_measures(options, pool)

    with open(WORK / "misses.jsonl", "w", encoding="utf-8", newline="\n") as file:
        for m in measures:
            file.writelines(
                json.dumps({"measure": m.name, **miss}, ensure_ascii=False) + "\n"
                for miss in m.misses
            )
    show_misses(measures)
    show(measures)
    if not options.data.is_dir():
        print(f"not run: {options.data} is not there (official suite, real schemas)")
    passed = sum(m.counts["right"] + m.counts["listed"] for m in measures)
    failed = sum(m.failed for m in measures)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
