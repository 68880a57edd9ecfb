#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""forma sample as a user sees it: what it writes, what it refuses."""
import json
import resource
import signal
import subprocess
import sys
import time

import cli_test
from cli_test import check, equal, forma, refused

TICKET = "fixtures/demo/ticket.json"


def test_drawn():
    r = forma("sample", "--schema", TICKET, "-n", "30", "--seed", "4", "--json")
    equal("status", (r.status, r.err), (0, ""))
    texts = [json.loads(line) for line in r.text.splitlines()]
    equal("seeds", [t["seed"] for t in texts], list(range(4, 34)))
    check("bytes", all(len(t["text"].encode()) == t["bytes"] for t in texts))
    check("varied", len({t["text"] for t in texts}) > 20)
    for t in texts[:10]:
        equal("accepted", forma("check", "--schema", TICKET, "-", stdin=t["text"]).status, 0)
    again = forma("sample", "--schema", TICKET, "--seed", "9", "--json", "--count", "1")
    equal("again alone", json.loads(again.text), texts[5])


def test_length():
    form = '{"type": "array", "items": {"type": "string"}, "minItems": 3}'
    r = forma("sample", "--schema", form, "-n", "50", "--seed", "1", "--max-length", "20")
    check("short", r.status == 0 and all(len(t.encode()) <= 20 for t in r.text.splitlines()))
    refused(["sample", "--schema", form, "--max-length", "5"], 2, "bytes", "raise --max-length")


def test_lines():
    """Blanks between parts hold no line end, in the style of `generate` and in `--exact`."""
    for style in [], ["--exact"], ["--blanks", "any"]:
        r = forma("sample", "--schema", "true", "-n", "3000", "--seed", "1", *style)
        texts = r.text.split("\n")[:-1]
        equal(f"one a line {style}", (r.status, len(texts)), (0, 3000))
        for text in texts:
            json.loads(text)
    r = forma("sample", "--schema", '{"type": "array", "minItems": 1}', "--blanks", "pretty:1",
              "--max-length", "20", "--seed", "1")
    check("pretty", r.status == 0 and r.text.startswith("[\n "))
    r = forma("sample", "--regex", "(\\n|\\r)+", "--seed", "1", "--json")
    check("nothing else", set(json.loads(r.text)["text"]) <= set("\n\r"))


def test_numbers():
    """Multiples of something large end, although random digits hardly ever make one."""
    step = 10**30 + 57
    form = json.dumps({"type": "integer", "multipleOf": step, "minimum": 1})
    r = forma("sample", "--schema", form, "-n", "40", "--seed", "1")
    texts = r.text.split()
    equal("multiples", (r.status, [t for t in texts if int(t) % step]), (0, []))
    check("of some digits", len(texts) == 40 and max(map(len, texts)) < 1900)
    check("varied", len(set(texts)) > 30)


def test_memory():
    """What --distinct keeps is reserved only where it is asked for."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))

    r = forma("sample", "--schema", "true", "--seed", "1", preexec_fn=limit)
    equal("little address space", (r.status, r.err), (0, ""))


def test_shortest():
    r = forma("sample", "--schema", '{"enum": ["bb", "a", 1, null]}', "-n", "9", "--shortest")
    equal("all of them", (r.status, r.text), (0, '1\n"a"\n"bb"\nnull\n'))
    check("says so", "no more than 4 texts" in r.err)
    r = forma("sample", "--schema", '{"type": "string", "minLength": 100000}', "--shortest")
    equal("long", (r.status, len(r.text)), (0, 100003))
    for least in ['{"type": "string", "minLength": 1000000000000000000}',
                  '{"type": "array", "contains": {"const": 1}, "minContains": 2000000000}']:
        began = time.monotonic()
        refused(["sample", "--schema", least], 2, "at least", "raise --max-length")
        refused(["sample", "--shortest", "--schema", least], 2, "at least", "can be written")
        check("by counting", time.monotonic() - began < 2)
    r = forma("sample", "--shortest", "--max-memory", "20M", "--schema",
              '{"type": "array", "minItems": 3000000}')
    check("memory", r.status == 2 and "raise --max-memory" in r.err, r.err)
    r = forma("sample", "--regex", "(ab|c)+", "-n", "3", "--shortest")
    equal("regex", r.text, "c\nab\ncc\n")
    r = forma("sample", "--schema", '{"type": "integer"}', "-n", "12", "--shortest",
              "--max-length", "1")
    equal("as long as may be", (r.status, r.text), (0, "".join(f"{i}\n" for i in range(10))))
    equal("says so", r.err, "forma: the next text has 2 bytes; raise --max-length, which is 1\n")
    few = ["sample", "--schema", "true", "-n", "100", "--shortest", "--max-work", "10"]
    r = forma(*few)
    check("a limit", r.status == 2 and r.text.startswith("0\n1\n"))
    check("says so", "--schema: the search for the next text met a limit; raise --max-work" in r.err)
    last = forma(*few, "--json").text.splitlines()[-1]
    equal("as JSON", json.loads(last)["error"]["status"], "FORMA_ELIMIT")


def test_interrupt():
    """Ctrl-C ends a search whose single steps take long, too."""
    form = json.dumps({"type": "string", "pattern": r"(?:a[ab](?<!\/)|\p{L}*\s)",
                       "format": "idn-email"})
    run = subprocess.Popen([cli_test.FORMA, "sample", "--schema", form, "--shortest"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    run.send_signal(signal.SIGINT)
    began = time.monotonic()
    run.communicate(timeout=60)
    check("soon", time.monotonic() - began < 3, time.monotonic() - began)
    equal("status", run.returncode, 130)


def test_refused():
    refused(["sample"], 2, "--schema or --regex")
    refused(["sample", "--schema", "false"], 2, "no value")
    refused(["sample", "--schema", "true", "--shortest", "--seed", "1"], 2, "--seed")


def main():
    groups = [test_drawn, test_length, test_lines, test_numbers, test_memory, test_shortest,
              test_interrupt, test_refused]
    return cli_test.run("cli sample", groups)


if __name__ == "__main__":
    sys.exit(main())
