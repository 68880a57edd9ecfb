#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares patterns with node: same syntax accepted, same strings matched.

    check_patterns.py --tool build/release/tests/dump_patterns [--data DIR] [--strings 50]
                      [--random 500] [--seed 1]

Strings are drawn from the automaton of each pattern, from its complement, and mutated; node judges
them by `new RegExp(pattern, "u")`. What forma tolerates beyond that (docs/schemas.md) is counted
apart and judged without the flag, on strings of the basic plane. The patterns are those below,
random ones, and those of the real schemas in DIR/maskbench-dev.tar.xz, where that is. Needs node
(Debian: nodejs); says so and passes where there is none.
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tarfile

# node looks for a match between the halves of a surrogate pair, too, where ECMA-262 has no place; a
# prefix that consumes whole characters puts that right.
JUDGE = r"""
const lines = require('fs').readFileSync(0, 'utf8').split('\n').filter(x => x);
for (const line of lines) {
  const {pattern, strings} = JSON.parse(line);
  let flags = 'u', error = '', verdicts = null;
  try { new RegExp(pattern, 'u'); } catch (e) { error = String(e.message); flags = ''; }
  try {
    const re = new RegExp(pattern, flags), whole = new RegExp('^[^]*?(?:' + pattern + ')', flags);
    verdicts = strings.map(s => (/[\u{10000}-\u{10FFFF}]/u.test(s) ? whole : re).test(s));
  } catch (e) { error = String(e.message); }
  console.log(JSON.stringify({error, verdicts}));
}
"""

# Every kind of thing that the syntax knows; properties that Unicode has not changed since 15.0.
BUILT_IN = r"""
^(?!foo|bar)[a-z]+$
^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,16}$
^((?!mode)(?!Mode).)*$
(?<=\$)\d+(?!\.)
(?<!\w)foo(?!\w)
\bfoo\b
\Bfoo\B
^\b|\b$
(?:\b\w+\b\s*)+$
(a(?=b)|b(?!a))*c
(?<=^a|b)c
(?<=(?<!a)b)c
(?<=a(?=bc))b
(?=(?<=a)b)b
(?<!^)x(?!$)
(?<=a{2,3})b
^(?:(?=a)a|(?!a)b){2,5}$
(?!(?!(?!a)))a
x(?=y|$)
(?:a|(?<=b)c)*d$
^(?<year>\d{4})-(?<month>\d\d)$
^\cA\x41\u0042\u{43}\u{1F600}\uD83D\uDE00$
[\uD83D\uDE00-\u{1F610}]
^[\w-]+$
^[^\W\d_]+$
^\s*\S+?\s*?$
a{2,4}?b*?c+?d??
^\p{Lu}\p{L}+(?:[ -]\p{L}[\p{L}\p{M}]*)*$
^[^\p{Script=Greek}\P{Letter}]{1,5}$
\p{scx=Hira}\P{gc=Nd}\p{White_Space}*
^\p{ID_Start}[\p{ID_Start}\p{Nd}]*$
(?<=\p{Sc})\d
(a)\1
(?<x>a)\k<x>
(?<x>a)(?<x>b)
(?=a)*
\pL
\p{latin}
[b-a]
a{2,1}
x{1}{2}
\-\_\@\:\"
]{a}{,2}
[\w-x]
(?i)a
\A\Z
\01
[\B]
\c1
\u{110000}
(?<1>a)
""".strip().split("\n")


UNSUPPORTED = 3  # enum forma_status: a backreference, a group with modifiers


def random_pattern(rng, depth=3):
    atoms = ["a", "b", "c", "-", "é", "😀", "[ab]", "[^a]", ".", r"\w", r"\d", r"\s", r"\W", "1", " "]
    assertions = ["^", "$", r"\b", r"\B"]
    out = []
    for _ in range(rng.randint(1, 3)):
        alternative = ""
        for _ in range(rng.randint(0, 3)):
            kind = rng.random()
            if kind < 0.15:
                alternative += rng.choice(assertions)
            elif kind < 0.35 and depth:
                head = rng.choice(["(?=", "(?!", "(?<=", "(?<!"])
                alternative += head + random_pattern(rng, depth - 1) + ")"
            else:
                if kind < 0.55 and depth:
                    alternative += rng.choice(["(?:", "("]) + random_pattern(rng, depth - 1) + ")"
                else:
                    alternative += rng.choice(atoms)
                if rng.random() < 0.35:
                    alternative += rng.choice(["*", "+", "?", "{2}", "{0,2}", "{1,3}", "{2,}", "*?"])
        out.append(alternative)
        if rng.random() < 0.6:
            break
    return "|".join(out)


def find_patterns(value, found):
    """Patterns of a schema, wherever they stand, to the set `found`."""
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            if isinstance(value.get("pattern"), str):
                found.add(value["pattern"])
            if isinstance(value.get("patternProperties"), dict):
                found.update(value["patternProperties"])
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)


def real_patterns(archive):
    found = set()
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.name.endswith(".json"):
                with tar.extractfile(member) as file:
                    data = json.load(file)
                find_patterns(data.get("schema") if isinstance(data, dict) else data, found)
    return sorted(found)


def dump(tool, patterns, n, seed):
    """Verdicts of forma: [(error or None, [(string, verdict)])]."""
    text = "".join(p.encode("utf-8").hex() + "\n" for p in patterns)
    run = subprocess.run([tool, str(n), str(seed)], input=text, capture_output=True, text=True,
                         check=True)
    results = []
    for line in run.stdout.splitlines():
        words = line.split(" ", 3)
        if words[0] == "pattern":
            error = None if words[1] == "0" else (int(words[1]), int(words[2]), words[3])
            results.append((error, []))
        elif words[0] == "memory":
            results[-1][1].append((None, None))
        else:
            string = bytes.fromhex(words[1]).decode("utf-8")
            results[-1][1].append((string, words[0] == "1"))
    assert len(results) == len(patterns), "the tool stopped early"
    return results


def judge(node, patterns, results):
    lines = (json.dumps({"pattern": p, "strings": [s for s, _ in strings if s is not None]})
             for p, (_, strings) in zip(patterns, results))
    run = subprocess.run([node, "-e", JUDGE], input="\n".join(lines), capture_output=True,
                         text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--strings", type=int, default=50)
    parser.add_argument("--random", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    node = shutil.which("node") or shutil.which("nodejs")
    if not node:
        print("patterns: not run, node is not installed (apt install nodejs)")
        return 0
    rng = random.Random(args.seed)
    patterns = BUILT_IN + [random_pattern(rng) for _ in range(args.random)]
    archive = args.data / "maskbench-dev.tar.xz"
    if archive.exists():
        patterns += real_patterns(archive)
    else:
        print(f"patterns of real schemas: not run, {archive} is not there")
    results = dump(args.tool, patterns, args.strings, args.seed)
    differences = strings = refused = tolerated = 0
    for pattern, (error, drawn), node_says in zip(patterns, results, judge(node, patterns, results)):
        verdicts = node_says["verdicts"]
        if error and (verdicts is None or node_says["error"] or error[0] == UNSUPPORTED):
            refused += 1
        elif error or verdicts is None:
            differences += 1
            print(f"only one refuses: {pattern!r}: {error or node_says['error']}")
        else:
            drawn = [pair for pair in drawn if pair[0] is not None]
            pairs = list(zip(drawn, verdicts))
            if node_says["error"]:
                tolerated += 1
                pairs = [(d, v) for d, v in pairs if max(d[0], default="") < "\U00010000"]
            strings += len(pairs)
            wrong = [d for d, v in pairs if d[1] != v]
            if wrong:
                differences += 1
                print(f"differs: {pattern!r}: {len(wrong)} strings, {wrong[:3]!r}")
    print(f"{strings} strings; {refused} patterns refused, {tolerated} more than ECMA-262 allows")
    print(f"patterns: {len(patterns) - differences} passed, {differences} failed")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
