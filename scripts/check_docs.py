#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands in the documentation and compares what they print; docs/testing.md has the
conventions. Usage: check_docs.py [--build DIR] FILE... The last line is "docs: N passed, N failed".

    ```console   `$ ` begins a command, what follows is its output; `...` stands for anything
    ```c, ```cpp a program, where it has a main: compiled, run; an `output` fence holds its output
    ```sh        not run: each `make` target and each option of `forma` must exist

Links and paths of the repository must lead somewhere. Standard library only.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What commands may name, as links in the scratch directory; what they write stays in there.
SHARED = ("fixtures", "models", "include", "scripts", "tests")
COMPILERS = {"c": (os.environ.get("CC", "gcc"), "-std=c11"),
             "cpp": (os.environ.get("CXX", "g++"), "-std=c++17")}
TIMEOUT_S = 300


class Checker:
    def __init__(self, build, copy):
        self.build = os.path.join(ROOT, build)
        self.copy = copy
        subprocess.run([os.environ.get("MAKE", "make"), "-s", "install", f"prefix={copy}",
                        f"VARIANT={os.path.basename(self.build)}"], cwd=ROOT, check=True)
        self.passed = self.failed = 0
        self.helps = {}
        makefile = open(os.path.join(ROOT, "Makefile"), encoding="utf-8").read()
        rules = re.findall(r"^([a-z][a-z -]*):(?!=)", makefile, re.M)
        self.targets = {t for rule in rules for t in rule.split()}

    def result(self, ok, place, text):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            print(f"{place}: {text}")

    # ---- one file ---------------------------------------------------------------------------
    def file(self, name):
        text = open(os.path.join(ROOT, name), encoding="utf-8").read()
        with tempfile.TemporaryDirectory(prefix="forma-docs-") as scratch:
            for shared in SHARED:
                os.symlink(os.path.join(ROOT, shared), os.path.join(scratch, shared))
            shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(scratch, "examples"),
                            ignore=lambda _, names: [n for n in names if "." not in n
                                                     and n != "Makefile"])
            self.env = dict(os.environ, LC_ALL="C.UTF-8",
                            PATH=self.copy + "/bin" + os.pathsep + os.environ["PATH"],
                            LD_LIBRARY_PATH=self.copy + "/lib",
                            PKG_CONFIG_PATH=self.copy + "/lib/pkgconfig")
            blocks = fences(text)
            for i, (tag, line, body) in enumerate(blocks):
                place = f"{name}:{line}"
                if tag == "console":
                    self.console(scratch, name, line, body)
                elif tag in COMPILERS and any("int main" in row for row in body):
                    after = blocks[i + 1] if i + 1 < len(blocks) else ("", 0, [])
                    self.program(scratch, place, tag, body,
                                 after[2] if after[0] == "output" else None)
                elif tag == "sh":
                    for offset, row in enumerate(body):
                        self.shown(f"{name}:{line + offset}", row)
            if name == "docs/cli.md":
                self.complete(name, text)
        self.links(name, text)

    # ---- console ----------------------------------------------------------------------------
    def console(self, scratch, name, line, body):
        for start, command, expected in commands(body):
            place = f"{name}:{line + start}"
            absent = [m for m in re.findall(r"models/[\w.-]+\.gguf", command)
                      if not os.path.exists(os.path.join(ROOT, m))]
            if absent:
                print(f"{place}: skipped, {absent[0]} is not there (`make model` fetches it)")
                continue
            want_status = 0
            if expected and (m := re.fullmatch(r"\[exit (\d+)\]", expected[-1])):
                want_status = int(m.group(1))
                expected = expected[:-1]
            status, output = self.run(["sh", "-e", "-c", command], scratch)
            if status != want_status:
                self.result(False, place, f"exit status {status}, not {want_status}: {command}\n"
                            + output)
            else:
                self.compare(place, command, output, expected)

    def compare(self, place, what, output, expected):
        ok = matches([row.rstrip() for row in output.splitlines()],
                     [row.rstrip() for row in expected])
        self.result(ok, place, f"other output than shown: {what}\n{output}")

    def run(self, argv, cwd):
        try:
            done = subprocess.run(argv, cwd=cwd, env=self.env, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return -1, f"still running after {TIMEOUT_S} s"
        return done.returncode, done.stdout.decode("utf-8", "replace")

    # ---- C and C++ --------------------------------------------------------------------------
    def program(self, scratch, place, tag, body, expected):
        source = os.path.join(scratch, "program." + tag)
        with open(source, "w", encoding="utf-8") as f:
            f.write("\n".join(body) + "\n")
        flags = self.run(["pkg-config", "--cflags", "--libs", "forma"], scratch)[1].split()
        status, output = self.run([*COMPILERS[tag], "-Wall", "-Wextra", "-Werror", "-o", "program",
                                   source, *flags], scratch)
        if status == 0:
            status, output = self.run(["./program"], scratch)
        if status != 0 or expected is None:
            self.result(status == 0, place, f"the program ended with status {status}\n{output}")
        else:
            self.compare(place, "the program", output, expected)

    # ---- sh, links --------------------------------------------------------------------------
    def shown(self, place, row):
        row = row.split("#")[0].strip()
        if m := re.match(r"make\b(.*)", row):
            for word in m.group(1).split():
                if "=" not in word and not word.startswith("-"):
                    self.result(word in self.targets, place, f"the Makefile has no target {word}")
        elif m := re.match(r"forma ((?:bench )?[a-z]+)(.*)", row):
            known = self.help(m.group(1))
            for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", m.group(2)):
                self.result(option in known, place, f"forma {m.group(1)} has no option {option}")

    def help(self, command):
        if command not in self.helps:
            text = self.run(["forma", *command.split(), "--help"], ROOT)[1]
            self.helps[command] = set(re.findall(r"(?<![\w-])--?[a-z][a-z0-9-]*", text))
        return self.helps[command]

    def links(self, name, text):
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
        folder = os.path.dirname(os.path.join(ROOT, name))
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
            self.result(os.path.exists(os.path.join(folder, target)), name, f"no file {target}")
        tops = "|".join(d for d in os.listdir(ROOT) if os.path.isdir(os.path.join(ROOT, d))
                        and not d.startswith(".") and d not in ("build", "models"))
        for path in re.findall(rf"`((?:{tops})/[\w./*-]*)`", prose):
            self.result(bool(glob.glob(os.path.join(ROOT, path))), name, f"no file {path}")


    def complete(self, name, text):
        """Every command and every option of it is in the manual."""
        benches = re.findall(r"^  ([a-z]+)  ", self.run(["forma", "bench", "--help"], ROOT)[1], re.M)
        commands = re.findall(r"^  ([a-z]+)  ", self.run(["forma", "--help"], ROOT)[1], re.M)
        for command in commands + ["bench " + bench for bench in benches]:
            for option in sorted(o for o in self.help(command) if o.startswith("--")):
                self.result(re.search(re.escape(option) + r"(?![\w-])", text) is not None, name,
                            f"does not mention {option} of forma {command}")


def fences(text):
    """(tag, number of the first line, lines) of each fenced block."""
    blocks, tag = [], None
    for number, row in enumerate(text.split("\n"), 1):
        if row.startswith("```"):
            if tag is None:
                tag = row[3:].strip()
                blocks.append((tag, number + 1, []))
            else:
                tag = None
        elif tag is not None:
            blocks[-1][2].append(row)
    return blocks


def commands(body):
    """(line, command, expected output) of each command; `\\` at its end continues a command."""
    found, going_on = [], False
    for number, row in enumerate(body):
        if going_on:
            found[-1][1] += "\n" + row
        elif row.startswith("$ "):
            found.append([number, row[2:], []])
        elif found:
            found[-1][2].append(row)
        going_on = bool(found) and not found[-1][2] and row.endswith("\\")
    return found


def line_matches(got, want):
    return re.fullmatch(".*".join(re.escape(part) for part in want.split("...")), got) is not None


def matches(got, want):
    """`...` as a line stands for any number of lines; reach = how many of `got` may be used up."""
    reach = {0}
    for row in want:
        if row.strip() == "...":
            reach = set(range(min(reach), len(got) + 1)) if reach else set()
        else:
            reach = {i + 1 for i in reach if i < len(got) and line_matches(got[i], row)}
    return len(got) in reach


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build/release", help="where forma was built")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    if not os.path.exists(os.path.join(ROOT, args.build, "forma")):
        sys.exit(f"check_docs: there is no {args.build}/forma; run make first")
    with tempfile.TemporaryDirectory(prefix="forma-docs-") as copy:
        checker = Checker(args.build, copy)
        for name in args.files:
            checker.file(os.path.relpath(os.path.abspath(name), ROOT))
    print(f"docs: {checker.passed} passed, {checker.failed} failed")
    sys.exit(1 if checker.failed else 0)


if __name__ == "__main__":
    main()
