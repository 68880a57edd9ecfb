#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""End-to-end tests of the `forma` command on the fixture models: what it prints, its messages, its
exit statuses. Run from the root of the repository; the binary is $FORMA, or build/release/forma.

The last line is `cli: N passed, N failed`; the exit status is 0 when none failed.
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

FORMA = os.environ.get("FORMA", "build/release/forma")
MODEL = "fixtures/models/f32-gqa.gguf"
TICKET = json.dumps({
    "type": "object",
    "properties": {"stato": {"enum": ["aperto", "chiuso"]},
                   "priorita": {"type": "integer", "minimum": 1, "maximum": 5}},
    "required": ["stato"], "additionalProperties": False})
passed = failed = 0


def check(what, ok, detail=""):
    global passed, failed
    if ok:
        passed += 1
        return
    failed += 1
    caller = sys._getframe(1)
    while caller.f_code.co_name in ("check", "equal", "refused"):
        caller = caller.f_back
    file = os.path.basename(caller.f_code.co_filename)
    print(f"{file}:{caller.f_lineno}: {what}: {detail}", file=sys.stderr)


def equal(what, got, want):
    check(what, got == want, f"got {got!r}, want {want!r}")


class Result:
    def __init__(self, run):
        self.status = run.returncode
        self.out, self.err = run.stdout, run.stderr.decode(errors="replace")

    @property
    def text(self):
        return self.out.decode()

    @property
    def json(self):
        try:
            return json.loads(self.text)
        except ValueError:
            return {"not JSON": self.text, "stderr": self.err}


def forma(*args, stdin=b"", **more):
    if isinstance(stdin, str):
        stdin = stdin.encode()
    return Result(subprocess.run([FORMA, *args], input=stdin, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, timeout=60, check=False, **more))


def generate(*args, **more):
    return forma("generate", "-m", MODEL, *args, **more)


def refused(args, status, *words, stdin=b""):
    """Ends with the status, prints one sentence that holds the words, nothing on stdout; the same
    as a JSON object under --json."""
    r = forma(*args, stdin=stdin)
    name = " ".join(a[:30] for a in args)
    equal(name, r.status, status)
    check(name, r.out == b"", r.out)
    check(name, r.err.startswith("forma: ") and r.err.count("\n") == 1, r.err)
    for word in words:
        check(name, word in r.err, f"{word!r} not in {r.err!r}")
    r = forma(*args, "--json", stdin=stdin)
    equal(name + " --json", r.status, status)
    error = r.json.get("error", {})
    equal(name + " --json", sorted(error),
          sorted(["status", "message", "file", "pointer", "line", "column", "offset"]))
    check(name + " --json", bool(error.get("message")), r.text)
    return error


def test_top():
    r = forma("--version")
    equal("--version", (r.status, r.text), (0, "forma 0.1.0\n"))
    r = forma()
    check("no command", r.status == 2 and "Usage" in r.err and not r.out, r.err)
    r = forma("--help")
    check("--help", r.status == 0 and "generate" in r.text and not r.err, r.err)
    check("--help", max(map(len, r.text.splitlines())) < 80, r.text)
    for command in ["generate", "check", "mask", "explain", "sample", "tokenize", "info", "bench",
                    "bench masks"]:
        r = forma(*command.split(), "--help")
        check(command + " --help", r.status == 0 and "--json" in r.text and not r.err, r.text)
        check(command + " --help", max(map(len, r.text.splitlines())) < 80, r.text)
    check("a benchmark has forms", "--schema" not in r.text and "--regex" not in r.text, r.text)
    check("help generate", forma("help", "generate").text == forma("generate", "--help").text)
    refused(["genrate"], 2, "did you mean generate?")
    refused(["gen"], 2, "did you mean generate?")
    refused(["frobnicate"], 2, "--help")
    refused(["--frobnicate"], 2, "unknown option --frobnicate")


def test_options():
    refused(["generate", "--max-token", "5"], 2, "did you mean --max-tokens?")
    refused(["check", "--shcema", "{}"], 2, "did you mean --schema?")
    refused(["generate", "--wibble"], 2, "unknown option --wibble")
    refused(["generate", "-Z"], 2, "unknown option -Z")
    for option, value in [("--temp", "warm"), ("--temp", "-1"), ("--temp", "nan"), ("--top-p", "2"),
                          ("--top-k", "-3"), ("--max-tokens", "0"), ("--max-tokens", "1e3"),
                          ("--seed", "-1"), ("--seed", "18446744073709551616"),
                          ("--max-memory", "12Q"), ("--keys", "random"), ("--blanks", "pretty:99"),
                          ("--blanks", "some"), ("--draft", "3"), ("--schema-in-prompt", "maybe"),
                          ("--repeat-penalty", "0")]:
        refused(["generate", "-m", MODEL, "-p", "x", option, value], 2, option.strip("-")[:5])
    refused(["generate", "-m", MODEL, "-p", "x", "--raw=yes"], 2, "takes no value")
    refused(["generate", "-m", MODEL, "-p", "x", "--samplers", "top-k,tok-p"], 2, "tok-p")
    for command, options in {
            "generate": ["--grammar", "--lark", "--choice", "--tools", "--tool-choice",
                         "--messages", "--think", "--logprobs", "--json-events"],
            "check": ["--lark", "--grammar"], "mask": ["--choice"]}.items():
        for option in options:
            refused([command, option, "x"], 2, option + " is not supported yet")
    dated = '{"title": "t", "items": {"type": "string", "format": "date"}}'
    for more in [[], ["--formats", "assert"]]:
        for text, status in [('["2024-02-29"]', 0), ('["2023-02-29"]', 1)]:
            r = forma("check", "--schema", dated, *more, stdin=text)
            equal("format", r.status, status)
    r = forma("check", "--schema", dated, "--formats", "annotate", "-v", stdin='["x"]')
    check("--formats annotate", r.status == 0 and r.err.count(": note: annotation ") == 2 and
          "/items/format: note: annotation 'format' has no effect" in r.err, r.err)
    r = forma("check", "--schema", dated, "--formats", "annotate", stdin='["x"]')
    equal("notes need -v", (r.status, r.err), (0, ""))
    refused(["check", "--schema", dated, "--formats", "some"], 2, "assert|annotate")
    refused(["generate", "-m", MODEL, "-p", "x", "--formats", "annotate"], 2, "--formats")
    refused(["check", "--schema", "{}", "--exact", "--keys", "any"], 2, "--exact")
    for option, value in [("--keys", "any"), ("--blanks", "any"), ("--draft", "7"),
                          ("--max-work", "9"), ("--schema-in-prompt", "on")]:
        refused(["generate", "-m", MODEL, "-p", "x", option, value], 2, option, "--schema")
    refused(["check", "--schema", ""], 2, "--schema is empty")
    large = json.dumps({"enum": [f"word {i}" for i in range(9000)]})
    for text in [large, '{"x": [' + "0," * 60000 + "0]}"]:
        error = refused(["check", "--schema", "-", "--max-memory", "1M", "x"], 2, "raise --max-memory",
                        stdin=text)
        equal("full memory", (error["status"], error["pointer"]), ("FORMA_ELIMIT", ""))
    for schema, pointer in [("false", ""), ("7", ""), ('{"type": ', None)]:
        error = refused(["check", "--schema", "-", "x"], 2, stdin=schema)
        equal("the root is a place", error["pointer"], pointer)
    for command in [["generate", "-m", MODEL, "-p", "x"], ["check"], ["mask"]]:
        refused([*command, "--schema", "{}", "--schema=true"], 2, "twice", "give one form")
    refused(["check", "--schema", "{}", "none.json"], 3, "none.json: cannot open", "check the path")
    refused(["info", "--tensor", MODEL], 2, "did you mean --tensors?")
    refused(["info", MODEL, MODEL], 2, "name one")
    for ids in ["[1, 2", "1 2]", "[", "]"]:
        refused(["tokenize", "-m", MODEL, "--decode", ids], 2, "brackets")
    refused(["generate", "-p", "x"], 2, "-m")
    refused(["generate", "-m", MODEL, "-p", "x", "-f", "y"], 2, "-p or -f")
    refused(["generate", "-m", MODEL, "extra"], 2, "extra")
    refused(["generate", "-m", MODEL, "--schema", "-"], 2, "stdin")
    refused(["generate", "-m", MODEL, "--raw", "--system", "x", "-p", "x"], 2, "--raw")
    refused(["check", "x"], 2, "--schema")
    refused(["mask", "--schema", "{}"], 2, "--tokenizer")
    refused(["tokenize", "x"], 2, "-m")


def test_files():
    error = refused(["generate", "-m", "no/such.gguf", "-p", "x"], 3, "no/such.gguf: ")
    equal("file", error["file"], "no/such.gguf")
    refused(["generate", "-m", "README.md" if os.path.exists("README.md") else "LICENSE", "-p", "x"],
            2)
    refused(["generate", "-m", MODEL, "-f", "no/such.txt"], 3, "no/such.txt")
    refused(["generate", "-m", MODEL, "-p", "x", "--schema", "no/such.json"], 3, "no/such.json")
    refused(["check", "--schema", "true", "no/such.json"], 3, "no/such.json")
    refused(["check", "--schema", "https://no.example/such"], 3, "nothing is fetched")
    refused(["check", "--schema", "fixtures"], 3, "fixtures: ", "name a file in it")
    refused(["tokenize", "-m", "LICENSE", "x"], 2, "LICENSE")
    refused(["check", "--schema", "/dev/zero"], 2, "limit of 16777216 bytes")
    refused(["check", "--max-bytes", "3", "--schema", "/dev/zero"], 2, "limit of 3 bytes")
    with open("/dev/full", "wb") as full:
        for args in [["tokenize", "-m", MODEL, "x" * 100], ["--help"],
                     ["generate", "-m", MODEL, "-p", "x", "--max-tokens", "5"],
                     ["generate", "-m", MODEL, "-p", "x", "--max-tokens", "5", "--json"]]:
            run = subprocess.run([FORMA, *args], stdout=full, stderr=subprocess.PIPE, timeout=60,
                                 check=False)
            equal("/dev/full " + args[0], run.returncode, 3)
            check("/dev/full " + args[0], b"No space left" in run.stderr, run.stderr)


def test_model():
    """A model that does not fit, options of the machine."""
    with open(MODEL, "rb") as file, tempfile.NamedTemporaryFile(suffix=".gguf") as other:
        data = file.read()
        key = b"general.architecture"
        at = data.index(b"llama", data.index(key) + len(key))
        other.write(data[:at] + b"mamba" + data[at + 5:])
        other.flush()
        error = refused(["generate", "-m", other.name, "-p", "x"], 2, other.name, "mamba")
        equal("status", error["status"] in ("FORMA_EMODEL", "FORMA_EUNSUPPORTED"), True)
        other.seek(0)
        other.truncate(len(data) // 2)
        refused(["generate", "-m", other.name, "-p", "x"], 2, other.name)
    refused(["generate", "-m", MODEL, "-p", "x", "--kernels", "abacus"], 2, "abacus")
    text = [generate("-p", "x", "--max-tokens", "8", "--temp", "0", "-q", "--kernels", "scalar",
                     *more).text for more in [[], ["--kv", "f32"]]]
    check("--kernels scalar, --kv f32", all(text), text)
    r = generate("-p", "x", "--max-tokens", "2", "--ctx", "5000")
    check("--ctx beyond training", "warning" in r.err and "512" in r.err, r.err)
    r = forma("info", MODEL, "--json")
    check("info", r.status == 0 and isinstance(r.json, dict), r.err)


def test_reader_leaves():
    for args in [["generate", "-m", MODEL, "-p", "x", "--max-tokens", "400", "--temp", "0"],
                 ["tokenize", "-m", MODEL, "word " * 20000]]:
        run = subprocess.Popen([FORMA, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        run.stdout.read(1)
        run.stdout.close()
        err = run.stderr.read()
        run.stderr.close()
        status = run.wait(timeout=60)
        check("a reader that leaves: " + args[0], status in (1, 3) and b"forma: cannot" not in err,
              (status, err))


def test_tokenize():
    text = "Hello, wörld!\n\t<|im_end|> 😀"
    r = forma("tokenize", "-m", MODEL, text, "--json")
    equal("status", r.status, 0)
    value = r.json
    equal("count", value["count"], len(value["ids"]))
    equal("tokens", [t["id"] for t in value["tokens"]], value["ids"])
    check("no control tokens in text", not any(t["control"] for t in value["tokens"]))
    equal("stdin", forma("tokenize", "-m", MODEL, "--json", stdin=text).json, value)
    with tempfile.NamedTemporaryFile() as file:
        file.write(text.encode())
        file.flush()
        equal("-f", forma("tokenize", "-m", MODEL, "--json", "-f", file.name).json, value)
    ids = " ".join(map(str, value["ids"]))
    equal("decode", forma("tokenize", "-m", MODEL, "--decode", ids).text, text)
    equal("decode stdin", forma("tokenize", "-m", MODEL, "--decode",
                                stdin=json.dumps(value["ids"])).text, text)
    equal("decode json", forma("tokenize", "-m", MODEL, "--decode", ids, "--json").json["text"], text)
    special = forma("tokenize", "-m", MODEL, text, "--json", "--special").json
    check("--special", special["count"] < value["count"] and
          any(t["control"] and t["text"] == "<|im_end|>" for t in special["tokens"]), special)
    r = forma("tokenize", "-m", MODEL, text)
    check("human", r.text.endswith(f"{value['count']} tokens, {len(text.encode())} bytes\n"), r.text)
    texts = ["", text, "\u0000\u0001", "a" * 3000, "\ufeff", '"\\']
    r = forma("tokenize", "-m", MODEL, "--json-lines",
              stdin="".join(json.dumps(t) + "\n" for t in texts))
    lines = [json.loads(line) for line in r.text.splitlines()]
    equal("--json-lines", (r.status, len(lines)), (0, len(texts)))
    for t, got in zip(texts, lines):
        want = forma("tokenize", "-m", MODEL, "--json", stdin=t).json["ids"]
        equal("--json-lines " + repr(t[:20]), got, want)
    r = forma("tokenize", "-m", MODEL, "--json-lines", stdin='"a"\n[1]\n')
    check("--json-lines, not a string", r.status == 2 and "2:1" in r.err, r.err)
    refused(["tokenize", "-m", MODEL, "--decode", "1 2 99999"], 2, "byte 4")
    refused(["tokenize", "-m", MODEL, "--decode", "one"], 2, "byte 0")


def test_generate():
    r = generate("-p", "Hello", "--seed", "1", "--max-tokens", "10", "--temp", "0", "--json")
    value = r.json
    equal("fields", list(value), ["text", "finish_reason", "stop_sequence", "tool_calls",
                                  "reasoning", "usage", "seed", "budget_forced", "narrowed",
                                  "timings"])
    equal("usage", list(value["usage"]), ["prompt_tokens", "completion_tokens", "forced_tokens",
                                          "reasoning_tokens", "cached_tokens"])
    equal("timings", list(value["timings"]), ["ttft_ms", "tpot_ms", "itl_ms", "mask_us"])
    equal("itl", list(value["timings"]["itl_ms"]), ["p50", "p95", "p99", "max"])
    equal("mask", list(value["timings"]["mask_us"]), ["mean", "p50", "p99", "max"])
    equal("seed", value["seed"], 1)
    equal("finish", (r.status, value["finish_reason"]), (1, "length"))
    equal("tokens", value["usage"]["completion_tokens"], 10)
    check("warned", "--max-tokens 10" in r.err, r.err)
    plain = generate("-p", "Hello", "--seed", "1", "--max-tokens", "10", "--temp", "0", "-q")
    equal("the text on stdout", (plain.status, plain.text, plain.err), (1, value["text"], ""))
    same = generate(stdin="Hello", *["--max-tokens", "10", "--temp", "0", "--json", "--no-kv-cache"])
    equal("stdin, no cache", same.json["text"], value["text"])
    for more in [["--threads", "1"], ["--chunk", "3"], ["--ctx", "100"], ["--seed", "9"]]:
        r = generate("-p", "Hello", "--max-tokens", "10", "--temp", "0", "--json", *more)
        equal("the same text with " + more[0], r.json["text"], value["text"])
    seeds = {generate("-p", "Hello", "--max-tokens", "2", "--json").json["seed"] for _ in range(4)}
    equal("random seeds", len(seeds), 4)
    first = generate("-p", "Hello", "--max-tokens", "30", "--json", "--temp", "1").json
    again = generate("-p", "Hello", "--max-tokens", "30", "--json", "--temp", "1", "--seed",
                     str(first["seed"])).json
    equal("a reported seed repeats the text", again["text"], first["text"])
    r = generate("-p", "Hello", "--seed", "77", "--max-tokens", "5", "--stats")
    for word in ["seed       77", "ttft", "tpot", "passes", "finish"]:
        check("--stats", word in r.err, r.err)
    check("-v reports the seed", "seed 77" in
          generate("-p", "Hello", "--seed", "77", "--max-tokens", "5", "-v").err)


def patched(find, replace):
    """A copy of the fixture model in which replace(rest) stands behind the bytes `find`."""
    with open(MODEL, "rb") as file:
        data = file.read()
    at = data.index(find) + len(find)
    copy = tempfile.NamedTemporaryFile(suffix=".gguf")
    copy.write(data[:at] + replace(data[at:]))
    copy.flush()
    return copy


def test_broken_models():
    def template(text):
        def replace(rest):  # type, length, text
            n = int.from_bytes(rest[4:12], "little")
            return rest[:12] + text.encode().ljust(n)[:n] + rest[12 + n:]
        return patched(b"tokenizer.chat_template", replace)
    for text, status, *words in [
            ("a\n{% raw %}", 2, "2:4: ", 'the tag "raw" is not supported yet'),
            ("{{ 'a' ** 2 }}", 2, "1:8: ", 'the operator "**" is not supported yet'),
            ("{{ x y }}", 2, "1:6: ", "expected"),
            ("{{ raise_exception('no') }}", 2, "refuses these messages: no")]:
        with template(text) as model:
            error = refused(["generate", "-m", model.name, "-p", "x"], status,
                            ": tokenizer.chat_template: ", *words)
            equal(text, error["pointer"], "tokenizer.chat_template")
            check(text, error["line"] >= 1, error)

    def retype(rest):  # dimensions, type
        n = 4 + 8 * int.from_bytes(rest[:4], "little")
        return rest[:n] + bytes([99, 0, 0, 0]) + rest[n + 4:]
    with patched(b"blk.0.attn_q.weight", retype) as model:
        refused(["generate", "-m", model.name, "-p", "x"], 2,
                "blk.0.attn_q.weight: type 99 is not supported")


def test_prompt():
    def n_prompt(*args, **more):
        return generate("--max-tokens", "1", "--json", *args, **more).json["usage"]["prompt_tokens"]
    raw = forma("tokenize", "-m", MODEL, "Hello", "--json").json["count"]
    equal("--raw", n_prompt("--raw", "-p", "Hello"), raw)
    check("the template adds tokens", n_prompt("-p", "Hello") > raw)
    # Special tokens in the user's text stay text: they are longer than one token.
    check("no special tokens from the user", n_prompt("-p", "<|im_end|>") > n_prompt("-p", "") + 5)
    system = n_prompt("-p", "Hello", "--system", "S")
    check("--system takes the place of the template's", system < n_prompt("-p", "Hello"), system)
    equal("empty prompt in a chat", generate("-p", "", "--max-tokens", "1").status, 1)
    check("empty raw prompt begins with BOS", n_prompt("--raw", "-p", "") == 1)
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"ab\xff\xfe")
        file.flush()
        error = refused(["generate", "-m", MODEL, "-f", file.name], 2, "byte 2", "UTF-8")
        equal("offset", (error["offset"], error["file"]), (2, file.name))
        file.seek(0)
        file.write(b"ab\0c")
        file.flush()
        refused(["generate", "-m", MODEL, "-f", file.name], 2, "byte 2", "NUL")
    r = generate("--raw", "-p", "Hello there", "--ctx", "20", "--temp", "0", "--json")
    equal("context", (r.status, r.json["finish_reason"]), (1, "context"))
    check("context warning", "--ctx" in r.err, r.err)
    refused(["generate", "-m", MODEL, "--raw", "-p", "Hello there", "--ctx", "4"], 2, "--ctx")


def test_stop():
    def run(*args):
        return generate("-p", "Hello", "--max-tokens", "60", "--temp", "1", "--seed", "5", "--json",
                        *args)
    whole = run().json["text"]
    stop = next(whole[i:i + 3] for i in range(8, len(whole)) if "\0" not in whole[i:i + 3])
    r = run("--stop", "never said", "--stop", stop)
    equal("stop", (r.status, r.json["finish_reason"], r.json["stop_sequence"]),
          (0, "stop_sequence", stop))
    equal("stop", r.json["text"], whole[:whole.index(stop)])
    refused(["generate", "-m", MODEL, "-p", "x", "--stop", ""], 2, "empty")


def test_schema():
    from_file = tempfile.NamedTemporaryFile("w", suffix=".json")
    from_file.write(TICKET)
    from_file.flush()
    for seed in range(8):
        for source in [TICKET, from_file.name]:
            r = generate("-p", "A ticket", "--schema", source, "--seed", str(seed), "--json")
            value = r.json
            equal("finish", (r.status, value.get("finish_reason")), (0, "stop"))
            ticket = json.loads(value["text"])
            check("valid", ticket["stato"] in ("aperto", "chiuso") and
                  ticket.get("priorita", 1) in range(1, 6) and set(ticket) <= {"stato", "priorita"},
                  value["text"])
            check("masks timed", value["timings"]["mask_us"]["mean"] > 0)
    r = generate("-p", "x", "--schema", "-", "--temp", "0", stdin='{"const": "ok"}')
    equal("schema from stdin", (r.status, r.text), (0, '"ok"'))
    r = generate("-p", "x", "--schema", "-", stdin='{"const": "ok"}')

    def n_prompt(*args):
        r = generate("-p", "x", "--schema", TICKET, "--json", *args)
        return r.json["usage"]["prompt_tokens"]
    check("--schema-in-prompt", n_prompt() > n_prompt("--schema-in-prompt", "off") + 50)
    error = refused(["generate", "-m", MODEL, "-p", "x", "--schema",
                     '{"properties": {"a": {"type": "strnig"}}}'], 2, "/properties/a")
    check("pointer", error["pointer"].startswith("/properties/a"), error)
    equal("file", error["file"], "--schema")
    refused(["generate", "-m", MODEL, "-p", "x", "--schema", '{"type": '], 2, "--schema: 1:")
    refused(["generate", "-m", MODEL, "-p", "x", "--schema", "false"], 2)
    r = generate("-p", "x", "--schema", '{"type": "string", "minLength": 3000}', "--json",
                 "--ctx", "4000")
    equal("cut", (r.status, r.json["finish_reason"]), (1, "length"))
    check("cut: advice", "--on-budget complete" in r.err, r.err)
    refused(["generate", "-m", MODEL, "-p", "x", "--schema", TICKET, "--max-bytes", "10"], 2)
    from_file.close()


def test_budget():
    """--max-tokens ends in a whole value; where it cannot, the least that can is named."""
    error = refused(["generate", "-m", MODEL, "-p", "x", "--schema", TICKET, "--max-tokens", "1"], 2,
                    "1 tokens are too few", "--max-tokens")
    least = int(re.search(r"\) to (\d+) or more", error["message"]).group(1))
    refused(["generate", "-m", MODEL, "-p", "x", "--schema", TICKET, "--max-tokens", str(least - 1)],
            2, f"to {least} or more")
    ruled = 0
    for n in range(least, least + 12):
        for more in [[], ["--no-forced"], ["--stop", "o"], ["--temp", "0", "--repeat-penalty", "2"]]:
            r = generate("-p", "x", "--schema", TICKET, "--max-tokens", str(n), "--json", *more)
            value = r.json
            equal("finish", (r.status, value["finish_reason"]), (0, "stop"))
            check("valid", json.loads(value["text"])["stato"] in ("aperto", "chiuso"), value)
            check("tokens", value["usage"]["completion_tokens"] <= n, value)
            ruled += value["budget_forced"]
    check("some are ruled by the budget", ruled > 0)
    r = generate("-p", "x", "--schema", TICKET, "--max-tokens", "3", "--on-budget", "cut", "--json")
    equal("cut", (r.status, r.json["finish_reason"], r.json["budget_forced"]), (1, "length", False))
    string = '{"type": "string", "minLength": 600}'
    r = generate("-p", "x", "--schema", string, "--max-tokens", "603", "--json")
    equal("long", (r.status, len(json.loads(r.json["text"])) >= 600), (0, True))
    refused(["generate", "-m", MODEL, "-p", "x", "--schema", string, "--on-budget", "complete",
             "--ctx", "140"], 2, "the context has room for")
    refused(["generate", "-m", MODEL, "-p", "x", "--on-budget", "complete"], 2, "needs a form")
    refused(["generate", "-m", MODEL, "-p", "x", "--on-budget", "whole"], 2, "--on-budget")
    r = generate("-p", "x", "--regex", "(ab|cd)+e", "--max-tokens", "9", "--json", "--temp", "3")
    check("regex", r.status == 0 and re.fullmatch("(ab|cd)+e", r.json["text"]), r.out)
    huge = '{"type": "array", "uniqueItems": true, "items": {"type": "string"}, "minItems": 1000000}'
    refused(["generate", "-m", MODEL, "-p", "x", "--schema", huge, "--max-tokens", "100"], 2,
            "short enough to be planned for")


def test_forced():
    def run(*args):
        return generate("-p", "x", "--schema", TICKET, "--seed", "3", "--temp", "0", *args)
    value = run("--json").json
    usage = value["usage"]
    check("forced tokens", 0 < usage["forced_tokens"] <= usage["completion_tokens"], usage)
    check("--stats", f"{usage['forced_tokens']} forced" in run("--stats").err)
    value = run("--no-forced", "--json").json
    equal("--no-forced", (value["usage"]["forced_tokens"], json.loads(value["text"])["stato"]
                          in ("aperto", "chiuso")), (0, True))
    value = generate("-p", "x", "--schema", '{"const": "no choice"}', "--json").json
    equal("all of it", (value["text"], value["usage"]["forced_tokens"], value["timings"]["ttft_ms"]),
          ('"no choice"', value["usage"]["completion_tokens"], None))
    equal("streamed", generate("-p", "x", "--schema", '{"const": "no choice"}', "-q").text,
          '"no choice"')


def test_dead_parts():
    inner = '{"type": "number", "minimum": 3, "maximum": 1}'
    schema = ('{"anyOf": [{"type": "integer"}, {"type": "object", "required": ["x"], '
              '"properties": {"x": %s, "y": %s}}, {"$ref": "#/$defs/l"}], "$defs": {"l": {"type": '
              '"array", "minItems": 1, "items": {"$ref": "#/$defs/l"}}}}' % (inner, "false"))
    r = forma("check", "-v", "--schema", schema, stdin="1")
    check("dead parts are named", r.status == 0 and
          "/anyOf/1/properties/x: warning: no value satisfies this part" in r.err and
          "/$defs/l: warning: no value satisfies this part" in r.err and
          "/anyOf/1: warning" not in r.err and "/anyOf/2" not in r.err, r.err)
    quiet = forma("check", "--schema", schema, stdin="1")
    check("dead parts only with -v", quiet.status == 0 and "part" not in quiet.err, quiet.err)


def test_limits_met():
    """Which limit it was, and where; the names are those of the command line."""
    schema, text = '{"items": {"$ref": "#"}}', "[[\n" + "[" * 20 + "]" * 22
    args = ["check", "--schema", schema, "--max-nesting", "10"]
    error = refused(args, 2, "stdin: 2:9: a search limit was met at byte 11", "raise --max-nesting",
                    stdin=text)
    equal("the place", (error["offset"], error["line"], error["column"]), (11, 2, 9))
    check("no other limit", "--max-work" not in error["message"], error)
    equal("raised", forma("check", "--schema", schema, "--max-nesting", "22", stdin=text).status, 0)
    refused(["check", "--schema", '{"uniqueItems": true}'], 2, "at byte 20", "no option raises",
            stdin="[1e1000000000000000000000]")
    mask = ["mask", "--schema", schema, "--max-nesting", "2", "--tokenizer",
            "fixtures/vocabularies/byte_level.gguf"]
    refused([*mask, "[[["], 2, "TEXT: 1:3: a search limit was met at byte 2", "raise --max-nesting")
    r = forma(*mask, "[[")
    check("mask", r.status == 0 and "stricter than the form; raise --max-nesting\n" in r.err, r.err)
    refused(["check", "--max-work", "1", "--schema", TICKET], 2, "raise --max-work")
    refused(["check", "--max-nesting", "2000", "--schema", "{}"], 2, "--max-nesting is 2000")
    # Words of the schema stay as they are.
    refused(["check", "--schema", '{"required": ["raise max_work", "raise max_work"]}'], 2,
            "'raise max_work' stands there twice")
    refused(["check", "--schema", "{}", "--max-work", "-1"], 2, '"-1" is not a whole number')
    refused(["check", "--schema", "{}", "--max-memory", "-1"], 2, '"-1" is not a size')


def test_loose_schemas():
    """A form that is looser than it looks is told without being asked for; -q is quiet."""
    typo = '{"type": "object", "requird": ["a"]}'
    r = forma("check", "--schema", typo, stdin="{}")
    check("typo", r.status == 0 and r.err.startswith("forma: --schema: /requird: warning: ") and
          "did you mean 'required'?" in r.err, r.err)
    equal("typo -q", forma("check", "-q", "--schema", typo, stdin="{}").err, "")
    for name, meant in ("datetime", "date-time"), ("URI", "uri"), ("host-name", "hostname"):
        schema = json.dumps({"format": name})
        r = forma("check", "--schema", schema, stdin="1")
        check(name, r.status == 0 and "/format: warning: " in r.err and
              f"did you mean '{meant}'?" in r.err, r.err)
        for args in ("--formats", "annotate"), ("-q",):
            equal(f"{name} {args}", forma("check", *args, "--schema", schema, stdin="1").err, "")
    for name in "url", "int32", "local-email", "":
        r = forma("check", "--schema", json.dumps({"format": name}), stdin="1")
        equal(f"format {name}", r.err, "")
    r = forma("check", "--schema", '{"openapi": "3.1.0", "paths": {}}', stdin="1")
    check("openapi", r.status == 0 and "warning: the schema restricts nothing: this is a document "
          "of OpenAPI" in r.err and "--ref" in r.err, r.err)
    for schema in "{}", "true", '{"title": "anything"}':
        equal(schema, forma("check", "--schema", schema, stdin="1").err, "")


def test_counted_limits():
    schema = '{"items": {"items": {}}}'
    for option, edge, word in [("--max-nodes", 3, "raise --max-nodes"),
                               ("--max-nodes", 1, "--max-nodes and --max-states must")]:
        fits = forma("check", "--schema", schema, option, "3", stdin="[[1]]")
        equal(option, fits.status, 0)
        refused(["check", "--schema", schema, option, str(edge - 1)], 2, word)
    text = "[" + "[1]," * 50 + "[1]]"
    equal("--max-states", forma("check", "--schema", schema, "--max-states", "1000",
                                stdin=text).status, 0)
    r = forma("check", "--schema", schema, "--max-states", "5", stdin=text)
    check("--max-states", r.status == 2 and "raise --max-states" in r.err, r.err)


def test_large_schemas():
    """Schemas that were too slow or too large once: answered, and rightly."""
    def tagged(i):
        return {"type": "object", "properties": {"k": {"const": i}}, "required": ["k"]}

    chain = {f"p{i}": {"required": [f"p{i + 1}"], "properties": {f"p{i}": {"minimum": i}}}
             for i in range(200)}
    members = "{" + ",".join(f'"k{i}": 1' for i in range(150))
    cases = [
        ("union of arrays", {"oneOf": [{"type": "array", "items": tagged(i)} for i in range(40)]},
         '[{"k": 3}', '[{"k": 3}, {"k": 4'),
        ("nested tags", {"oneOf": [{"properties": {"m": tagged(i), "v": {"minimum": i}},
                                    "required": ["m"]} for i in range(60)]},
         '{"v": 3, "m": {"k": 3}', '{"v": 3, "m": {"k": 7'),
        ("long tuple", {"prefixItems": [{"const": i} for i in range(500)], "minItems": 500,
                        "type": "array"}, "[0, 1, 2", "[0, 1, 3"),
        ("chain", {"dependentSchemas": chain}, '{"p190":', '{"p190": 1,'),
        ("many members", {"minProperties": 150}, members, members + "]"),
        ("one of constants", {"oneOf": [{"const": i} for i in range(3000)]}, "2999", "3000"),
        ("one of titles", {"oneOf": [{"const": f"t{i}", "title": "x"} for i in range(3000)]},
         '"t299', '"t3000'),
        ("ranges of lengths", {"oneOf": [{"type": "string", "minLength": i, "maxLength": i + 1}
                                         for i in range(300)]}, '"abc', "1"),
        ("overlapping patterns", {"patternProperties": {f"[{chr(97 + i)}]": {"minimum": i}
                                                        for i in range(13)}},
         '{"xam": 12', '{"xam": 11,'),
        ("conditions", {"allOf": [{"if": {"properties": {"k": {"const": i}}, "required": ["k"]},
                                   "then": {"required": [f"w{i}"]}} for i in range(125)],
                        "additionalProperties": {"type": "integer"}, "maxProperties": 2},
         '{"k": 7, "w7', '{"k": 7, "w8'),
    ]
    for name, schema, live, dead in cases:
        text = json.dumps(schema)
        for prefix, status in [(live, 0), (dead, 1)]:
            r = forma("check", "--partial", "--schema", text, stdin=prefix)
            check(f"{name}: {prefix[-20:]}", r.status == status, r.out[-200:] + r.err[-200:])


def test_interrupt():
    """Ctrl-C: the text so far stays, exit status 130."""
    run = subprocess.Popen(
        [FORMA, "generate", "-m", MODEL, "-p", "x", "--schema",
         '{"type": "string", "minLength": 100000}', "--max-tokens", "60000", "--ctx", "60000",
         "--no-kv-cache", "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    first = run.stdout.read(3)
    time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    rest, err = run.communicate(timeout=60)
    equal("status", run.returncode, 130)
    check("partial text", (first + rest).lstrip().startswith(b'"'), (first, err))


def test_interrupted_check():
    """Ctrl-C: the sums so far, exit status 130; in the sums of --json, too."""
    words = json.dumps({"title": "told under -v",
                        "enum": [f"word {i}" for i in range(5000)]})
    group = '{"description": "d", "schema": %s, "tests": [{"data": "word 1", "valid": true}]}' % words
    with tempfile.TemporaryDirectory() as folder:
        lines, suite = os.path.join(folder, "lines.jsonl"), os.path.join(folder, "suite.json")
        with open(lines, "w", encoding="utf-8") as file:
            file.write('{"valid": ["\\"word 1\\""]}\n' * 100000)
        with open(suite, "w", encoding="utf-8") as file:
            file.write("[" + ",".join([group] * 300) + "]")
        for args in [["--cases", lines, "--schema", words, "-v"], ["--suite", suite, "-v"]]:
            for more in [], ["--json"]:
                run = subprocess.Popen([FORMA, "check", *args, *more], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
                run.stderr.readline()
                run.send_signal(signal.SIGINT)
                out, err = run.communicate(timeout=60)
                text = out.decode()
                equal("interrupted", run.returncode, 130)
                if more:
                    value = json.loads(text)
                    check("interrupted --json", value["cancelled"] and value["failed"] == 0 and
                          value["passed"] < 100000, value)
                else:
                    check("interrupted", text.endswith(" passed, 0 failed, cancelled\n"), text)


def test_check():
    def verdict(text, *args):
        return forma("check", "--schema", TICKET, *args, stdin=text)
    for text in ['{"stato": "aperto"}', ' { "priorita" : 5e0,\n"stato":"chi\\u0075so" }\n']:
        r = verdict(text)
        equal(text, (r.status, r.text), (0, "yes\n"))
        equal(text, verdict(text, "--json").json, {"accepted": True, "partial": False})
    r = verdict('{"stato": "aperto",\n "priorita": 6}')
    check("no", r.status == 1 and r.text.startswith("no: stdin: byte 33 (2:14): '6'"), r.text)
    check("no", "expected" in r.text, r.text)
    value = verdict('{"stato": "aperto",\n "priorita": 6}', "--json")
    equal("no", (value.status, value.json["accepted"], value.json["offset"], value.json["line"],
                 value.json["column"]), (1, False, 33, 2, 14))
    check("expected", bool(value.json["expected"]), value.text)
    r = verdict('{"stato": "aper')
    check("too early", r.status == 1 and "too early" in r.text, r.text)
    equal("--partial", verdict('{"stato": "aper', "--partial").status, 0)
    equal("--partial", verdict('{"stato": "b', "--partial").status, 1)
    for work in ["1", "2", "3", "1000"]: # a limit is never a no
        r = forma("check", "--schema", '{"enum": ["ac,", 2222]}', "--max-work", work, stdin="2222")
        check("--max-work " + work, r.status == (0 if work == "1000" else 2), r.text)
    equal("--quiet", (verdict("{}", "-q").status, verdict("{}", "-q").text), (1, ""))
    equal("style", verdict('{"priorita": 1, "stato": "aperto"}', "--keys", "schema").status, 1)
    equal("style", verdict('{"priorita": 1, "stato": "aperto"}', "--keys", "any").status, 0)
    ids = forma("tokenize", "-m", MODEL, '{"stato": "aperto"}', "--json").json["ids"]
    tokens = ["--tokens", "--tokenizer", MODEL]
    equal("--tokens", verdict(json.dumps(ids), *tokens).status, 0)
    equal("--tokens, end token", verdict(json.dumps(ids + [2]), *tokens).status, 0)
    r = verdict(json.dumps(ids + [2, 2]), *tokens, "--json")
    equal("--tokens, after the end", (r.status, r.json["token_index"]), (1, len(ids) + 1))
    r = verdict(json.dumps(ids[:-3] + [2]), *tokens, "--json")
    equal("--tokens, end too early", (r.status, r.json["token_index"]), (1, len(ids) - 3))
    equal("--tokens --partial", verdict(json.dumps(ids[:-3]), *tokens, "--partial").status, 0)
    for bad in ["{}", "[1.5]", '["a"]', "[99999]", "[-1]", "[1"]:
        r = verdict(bad, *tokens)
        check("--tokens " + bad, r.status == 2 and r.err.startswith("forma: "), r.err)
    refused(["check", "--schema", TICKET, "--tokens"], 2, "--tokenizer")


def cases(lines, *args, **more):
    """Runs a cases file made of these lines: objects, or texts as they are."""
    text = b"\n".join(line if isinstance(line, bytes) else
                      (line if isinstance(line, str) else json.dumps(line)).encode()
                      for line in lines)
    return forma("check", "--cases", "-", *args, stdin=text, **more)


def test_cases():
    r = forma("check", "--cases", "fixtures/cases/ticket.jsonl", "--schema",
              "fixtures/demo/ticket.json")
    equal("a cases file", (r.status, r.text, r.err), (0, "9 passed, 0 failed\n", ""))
    r = forma("check", "--cases", "fixtures/cases/forms.jsonl")
    equal("all members", (r.status, r.text, r.err), (0, "24 passed, 0 failed\n", ""))
    r = forma("check", "--cases", "fixtures/cases/forms.jsonl", "--limits", "--json")
    equal("--json", r.json, {"passed": 25, "failed": 0, "skipped": 0, "failures": []})
    equal("--quiet", forma("check", "--cases", "fixtures/cases/forms.jsonl", "-q").text, "")
    r = forma("check", "--cases", "fixtures/cases/forms.jsonl", "-v")
    check("-v", "forms.jsonl:1: exact numbers: compiled in " in r.err and
          "forms.jsonl:8: no value: refused in " in r.err and
          "forms.jsonl:6: formats: /format: note: " in r.err, r.err)

    r = cases([{"id": "a", "schema": {"type": "integer"}, "valid": ["1", "\"x\ty\"", "é" * 200],
                "invalid": ["2"], "viable": ["-", "t"], "dead": ["4"]}])
    lines = r.text.splitlines()
    equal("failures", (r.status, len(lines), lines[-1]), (1, 6, "2 passed, 5 failed"))
    check("a text", lines[0].startswith("stdin:1: a: valid text '\"x\\ty\"': expected accepted, got "
                                        "refused (byte 0 (1:1): '\"' does not fit; expected "), lines)
    check("cut", len(lines[1]) < 500 and "é...'" in lines[1], lines)
    for line, words in zip(lines[2:], [
            "invalid text '2': expected refused, got accepted",
            "viable prefix 't': expected viable, got dead (byte 0 (1:1): 't' does not fit",
            "dead prefix '4': expected dead, got viable"]):
        check("failures", line.startswith("stdin:1: a: " + words), line)
    failure = {"file": "stdin", "line": 2, "id": "a", "test": None, "what": "invalid text",
               "text": "1\u00002"[0], "expected": "refused", "got": "accepted", "detail": "",
               "verdicts": 1}
    r = cases(["", {"id": "a", "schema": {}, "invalid": ["1"]}], "--json")
    equal("--json", (r.status, r.json),
          (1, {"passed": 0, "failed": 1, "skipped": 0, "failures": [failure]}))
    texts = {"valid": ["1", "2"], "dead": ["x"]}
    r = cases([{"id": "b", "schema": {"type": "no"}, **texts},
               {"schema": {"items": {"type": 7}}, "expect": "compile_or_error", **texts},
               {"id": "c", "schema": True, "expect": "compile_error", **texts},
               {"id": "d", "schema": False, **texts}, {"id": "e", "schema": {}, **texts}])
    lines = r.text.splitlines()
    check("the schema", lines[0].startswith(
        "stdin:1: b: schema: expected a form, got an error (/type: ") and
        lines[0].endswith(" [3 verdicts]"), lines[0])
    equal("the schema", lines[1], "stdin:3: c: schema: expected an error, got a form (it compiles)")
    check("no value is an error too", lines[2].startswith("stdin:4: d: schema: expected a form") and
          lines[-1] == "4 passed, 7 failed", lines)

    # Kinds that forma cannot judge yet are counted, and so are control tokens.
    r = cases([{"grammar": "root ::= \"a\"", "valid": ["a"], "invalid": ["b"]},
               {"choice": ["a"], "expect": "compile_error"},
               {"tools": [], "tool_format": "hermes", "valid": ["x"]},
               {"schema": {}, "valid": [["1", {"token": "</s>"}], "1"]}])
    equal("skipped", (r.status, r.text), (0, "1 passed, 0 failed, 5 skipped\n"))
    r = cases([{"regex": "a+b?", "valid": ["a", "aab"], "invalid": ["", "ba"], "viable": ["", "aa"],
                "dead": ["b"]}, {"regex": "(a", "expect": "compile_error"},
               {"regex": "a\\1", "expect": "compile_or_error", "valid": ["a"]}])
    equal("regex", (r.status, r.text), (0, "9 passed, 0 failed\n"))

    # The command's options are the defaults of the cases.
    one = {"schema": {"properties": {"a": {"minimum": 1, "exclusiveMinimum": True}}},
           "valid": ['{"a":2}'], "invalid": ['{"a":1}', '{"a": 2}']}
    equal("defaults", cases([one], "--draft", "4", "--blanks", "compact").text,
          "3 passed, 0 failed\n")
    equal("a case wins", cases([{**one, "draft": "2020-12"}], "--draft", "4").status, 1)
    equal("--tokenizer", cases([{"schema": {}, "valid": ["1"]}], "--tokenizer", MODEL).status, 0)

    # A limit is a failure that names it, in texts and in compiling; the run goes on.
    r = cases([{"id": "f", "schema": {"enum": ["ac,", 2222]}, "valid": ["2222"], "invalid": ["3"]},
               {"schema": True, "valid": ["1"]}], "--max-work", "2")
    check("limit", r.status == 1 and "got a limit (" in r.text and "max" in r.text and
          r.text.endswith("\n1 passed, 2 failed\n"), r.text)
    large = {"id": "g", "schema": {"enum": [f"word {i}" for i in range(9000)]}, "valid": ["1"]}
    r = cases([large, {"schema": True, "valid": ["1"]}], "--max-memory", "1M")
    check("memory", "g: schema: expected a form, got a limit (" in r.text and
          r.text.endswith("\n1 passed, 1 failed\n"), r.text)
    slow = {**large, "valid": ['"word 1"'], "limits": {"compile_ms": 0.001, "other": 3}}
    r = cases([slow], "--limits")
    check("--limits", "g: time to compile: expected at most 0.001 ms, got " in r.text and
          r.text.endswith("\n1 passed, 1 failed, 1 skipped\n"), r.text)
    equal("only with --limits", cases([slow]).text, "1 passed, 0 failed\n")

    r = cases([{"schema": {}, "volid1": ["1"], "mine": 1, "notes": ""}, {"schema": {}, "volid1": ["1"]}])
    check("names that are nearly known", r.status == 0 and r.err.count("\n") == 2 and
          'stdin:1: warning: "volid1" is not looked at; did you mean "valid"?' in r.err and
          'stdin:1: warning: "notes" is not looked at; did you mean "note"?' in r.err, r.err)
    r = cases([json.dumps({"id": str(i), "schema": {"type": "integer"}, "invalid": ["x"]})
               for i in range(20000)])
    equal("a long file", (r.status, r.text), (0, "20000 passed, 0 failed\n"))


def test_regex():
    equal("yes", forma("check", "--regex", "(ab)*", stdin="abab").status, 0)
    r = forma("check", "--regex", "é{2}|x", stdin="éa")
    equal("no", (r.status, r.text), (1, "no: stdin: byte 2 (1:3): 'a' does not fit; expected the "
                                        "rest of the text: \"é\"\n"))
    for text, end in ("ab\n", "a line end (byte 0x0A)"), ("ab\t", "a tab (byte 0x09)"), ("ab\r", "byte 0x0D"):
        r = forma("check", "--json", "--regex", "ab", stdin=text)
        equal("found", (r.status, r.json["found"]), (1, end))
    equal("a beginning", forma("check", "--partial", "--regex", "abc", stdin="ab").status, 0)
    r = forma("mask", "--json", "--regex", "ab|ac", "--tokenizer", MODEL, "a")
    equal("mask", {t["text"] for t in json.loads(r.text)["tokens"]}, {"b", "c"})
    for command in (["check"], ["mask", "--tokenizer", MODEL], ["generate", "-m", MODEL, "-p", "x"]):
        refused([*command, "--regex", "a", "--schema", "{}"], 2, "two forms")
        refused([*command, "--regex", "a", "--blanks", "compact"], 2, "--blanks is about a schema")
        refused([*command, "--regex", "a(?i)"], 2, "--regex: byte 1: ")
        refused([*command, "--regex", "a(?!a|)"], 2, "no text is in the form")
    refused(["check", "--suite", ".", "--regex", "a"], 2, "leave out --regex")
    refused(["check", "--regex", r"a\p{Greek}"], 2, "byte 1: ", r"write \p{Script=Greek}")
    for name in "Foo", "Script=Foo", "", "sc=":
        error = refused(["check", "--regex", rf"\p{{{name}}}"], 2, "knows no Unicode property")
        check(name, "script" not in error["message"], error)


def test_broken_cases():
    good = b'{"schema": true, "valid": ["1"]}\n'
    for line, place, *words in [
            (b'{"schema": {', "2:13", "expected"), (b"[1]", "2:1", "a case is a JSON object"),
            (b'{"schema": {}} x', "2:16"), (b'{"schema": {"a": 1, "a": 2}}', "2:21", "second"),
            (b'{"schema": {}, "id": "\xff"}', "2:", "UTF-8"), (b"\0", "2:1"),
            (b'{"schema": {}, \0}', "2:16"), (b'{"id": "x"}', "2:1", "has no form", "--schema"),
            (b'{"schema": {}, "id": 7}', "2:22", '"id" must be a string'),
            (b'{"schema": {}, "vaild": ["1"]}', "2:16", '"vaild" is no member', '"valid"?'),
            (b'{"schema": {}, "Invalid": ["1"]}', "2:16", 'did you mean "invalid"?'),
            (b'{"schema": {}, "daed": ["1"]}', "2:16", 'did you mean "dead"?'),
            (b'{"schema": {}, "expects": "compile"}', "2:16", 'did you mean "expect"?'),
            (b'{"schema": {}, "expect": "pass"}', "2:26", "compile_or_error"),
            (b'{"schema": {}, "expect": "compile\\u0000"}', "2:26", "compile_or_error"),
            (b'{"schema": {}, "valid": "1"}', "2:25", "must be a list"),
            (b'{"schema": {}, "dead": ["1", 2]}', "2:30", '"dead"', "must be a string"),
            (b'{"schema": {}, "may": [["1", {"tok": "x"}]]}', "2:24", '"token"'),
            (b'{"schema": {}, "draft": "5"}', "2:25", "2019-09"),
            (b'{"schema": {}, "formats": true}', "2:27", "annotate"),
            (b'{"schema": {}, "style": {"keys": "sorted"}}', "2:34", '"keys" schema or any'),
            (b'{"schema": {}, "style": "exact"}', "2:25", "object"),
            (b'{"schema": {}, "limits": {"compile_ms": "1"}}', "2:41", "number"),
            (b'{"schema": {}, "limits": {"compile_ms": -1}}', "2:41", "at least 0"),
            (b'{"schema": {}, "regex": "a"}', "2:25", "one form"),
            (b'{"grammar": ["a"]}', "2:13", "string"), (b'{"choice": "a"}', "2:12", "list"),
            (b"[" * 20000, "2:", "nested")]:
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
            file.write(good + line + b"\n" + good)
            file.flush()
            r = forma("check", "--cases", file.name)
            name = line[:40]
            equal(name, (r.status, r.text), (2, ""))
            for word in [f"forma: {file.name}: {place}", *words]:
                check(name, word in r.err and r.err.count("\n") == 1, r.err)
            error = forma("check", "--cases", file.name, "--json").json["error"]
            equal(name, (error["line"], error["file"]), (2, file.name))
            equal(name, error["offset"], len(good) + error["column"] - 1)
    for empty in [b"", b"\n \r\n"]:
        refused(["check", "--cases", "-"], 2, "no case", stdin=empty)
    refused(["check", "--cases", "no/such.jsonl"], 3, "no/such.jsonl: cannot open")
    refused(["check", "--cases", "-", "--suite", "x"], 2, "two runs")
    refused(["check", "--cases", "-", "x.json"], 2, "x.json")
    refused(["check", "--cases", "-", "--partial"], 2, "--partial")
    refused(["check", "--cases", "-", "--schema", "-"], 2, "stdin")
    refused(["check", "--schema", "{}", "--limits"], 2, "--cases")


SUITE = "fixtures/suite"


def test_suite():
    r = forma("check", "--suite", SUITE)
    equal("the whole suite", (r.status, r.text, r.err), (0, "draft 7, required: 5 passed, 0 failed\n"
          "draft 2020-12, required: 3 passed, 0 failed\n8 passed, 0 failed\n", ""))
    equal("the same", forma("check", "--suite", SUITE + "/tests").text, r.text)
    r = forma("check", "--suite", SUITE, "--optional", "--draft", "7", "--json")
    row = {"draft": "7", "failed": 0}
    equal("--optional, --draft, --json", r.json, {
        "passed": 8, "failed": 0, "skipped": 0, "failures": [],
        "drafts": [{**row, "optional": False, "passed": 5}, {**row, "optional": True, "passed": 3}]})
    for path, passes in [("tests/draft7", 5), ("tests/draft7/type.json", 4),
                         ("tests/draft7/optional", 3), ("tests/draft7/optional/tuple.json", 2),
                         ("tests/draft2020-12/refRemote.json", 2)]:
        r = forma("check", "--suite", f"{SUITE}/{path}")
        equal(path, (r.status, r.text.splitlines()[-1]), (0, f"{passes} passed, 0 failed"))
    here = forma("check", "--suite", ".", cwd=SUITE + "/tests/draft7") if FORMA[0] == "/" else None
    check("a relative path", here is None or here.text.endswith("\n5 passed, 0 failed\n"))
    r = forma("check", "--suite", SUITE, "--draft", "4")
    check("no such draft", r.status == 2 and "no tests" in r.err, r.err)
    # Another draft than the folder's, other formats, other remotes: the options win.
    r = forma("check", "--suite", SUITE + "/tests/draft2020-12/prefixItems.json", "--draft", "7")
    check("--draft", r.status == 1 and r.text.startswith(
        SUITE + "/tests/draft2020-12/prefixItems.json:6: prefixItems is a keyword from 2020-12 on: the first "
        "is bound: invalid text '[1]': expected refused, got accepted\n"), r.text)
    r = forma("check", "--suite", SUITE + "/tests/draft7/format.json", "--formats", "assert")
    equal("--formats", r.status, 1)
    r = forma("check", "--suite", SUITE + "/tests/draft2020-12", "--remotes", SUITE + "/tests")
    check("--remotes", r.status == 1 and "nested/word.json" in r.text, r.text)
    equal("--quiet", (forma("check", "--suite", SUITE, "-q").text), "")
    group = '[{"description": "d", "schema": {}, "tests": [{"data": 1, "valid": true}]}, '
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.json")
        for text, *words in [("{}", "1:1", "list of groups"), ("[1]", "1:2", '"schema"'),
                             (group + '{"schema": {}}]', '"tests"'),
                             ('[{"schema": {}, "tests": [{"data": 1}]}]', "1:27", '"valid"'),
                             ('[{"schema": {}, "tests": [{"valid": true}]}]', '"data"'),
                             ("[]", "no test in the file"),
                             ('[{"schema": {}, "tests": []}]', "no test in the file"),
                             ("[", "1:2")]:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            for name in [path, folder]:
                r = forma("check", "--suite", name)
                equal(text, (r.status, r.text), (2, ""))
                for word in [f"forma: {path}: ", *words]:
                    check(text, word in r.err, r.err)
        os.remove(path)
        refused(["check", "--suite", folder], 2, folder, "no tests were found")
        refused(["check", "--suite", os.path.join(folder, "none")], 3, "check the path")
    refused(["check", "--suite", SUITE, "--schema", "{}"], 2, "--schema")
    refused(["check", "--schema", "{}", "--optional"], 2, "--suite")


def test_references():
    word = SUITE + "/remotes/nested/word.json"
    with open(word, encoding="utf-8") as file:
        text = file.read()

    def verdict(uri, *args, **more):
        return forma("check", "--schema", json.dumps({"$ref": uri}), *args, stdin='"forma"', **more)
    with tempfile.TemporaryDirectory() as folder:
        def write(name, content):
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
            return path
        named = write("own/word.json", text.replace("{", '{"$id": "https://example.org/w#",', 1))
        nameless = write("own/more/nameless.json", text)
        broken = write("own/broken.json", "{")
        write("own/notes.txt", "{")
        write("own/.hidden/word.json", "{")
        write("tree/a b/é.json", text)
        for uri, *args in [
                ("urn:x", "--ref", "urn:x=" + word), ("urn:x", "--ref=urn:x#=" + word),
                ("https://example.org/w", "--ref", named),
                ("https://example.org/w", "--ref", named, "--ref", named, "-v"),
                ("https://x.org/s/nested/word.json", "--ref", f"https://x.org/s/={SUITE}/remotes"),
                ("https://x.org/a%20b/%C3%A9.json", "--ref", f"https://x.org/={folder}/tree/"),
                ("http://localhost:1234/nested/word.json", "--remotes", SUITE + "/remotes")]:
            r = verdict(uri, *args)
            equal(args, (r.status, r.text, r.err), (0, "yes\n", ""))
        r = verdict("https://example.org/w", "--ref", folder + "/own", "-v")
        check("a folder", r.status == 0 and f"{broken}: warning: left out: 1:2" in r.err and
              f"{nameless}: note: left out" in r.err and r.err.count("\n") == 2, r.err)
        r = verdict("https://example.org/none", "--ref", named)
        check("not there", r.status == 2 and "https://example.org/none" in r.err, r.err)

        def wrong(status, *args, words=(), file=None):
            error = refused(["check", "--schema", "{}", *args, word], status, *words)
            equal(args, error["file"], file)
        wrong(2, "--ref", "", words=["empty"])
        wrong(2, "--ref", "urn:x=", words=["no file"])
        wrong(2, "--ref", "https://example.org/w", words=["nothing is fetched", "URI=FILE"])
        wrong(2, "--ref", "urn:x#/a=" + word, words=["fragment"])
        wrong(2, "--ref", "https://x.org/s=" + folder, words=["end with /"])
        wrong(2, "--ref", word, words=["no absolute $id"], file=word)
        wrong(2, "--ref", broken, words=["1:2"], file=broken)
        wrong(3, "--ref", "urn:x=no/such.json", words=["cannot open"], file="no/such.json")
        wrong(3, "--ref", "no/such.json", words=["cannot open"], file="no/such.json")
        wrong(3, "--remotes", "no/such", words=["no/such"], file="no/such")
        wrong(2, "--ref", "urn:x=" + word, "--ref", "urn:x=" + named, words=["two different", "urn:x"])
        wrong(2, "--ref", "urn:x=" + word, "--max-bytes", "40", words=["limit of 40"], file=word)
        two = ["--ref", "urn:x=" + word, "--ref", named]
        wrong(2, *two, "--max-documents", "1", words=["--max-documents"], file=named)
        wrong(2, *two, "--max-document-bytes", "200", words=["--max-document-bytes"], file=named)
        for option in "--remotes", "--ref":
            wrong(2, option, folder, "--max-documents", "2", words=["--max-documents"], file=folder)
        refused(["generate", "-m", MODEL, "-p", "x", "--ref", word], 2, "--ref", "--schema")
        os.symlink(folder, folder + "/tree/again")
        r = verdict("https://x.org/a%20b/%C3%A9.json", "--ref", f"https://x.org/={folder}/tree/")
        equal("a link that leads back", (r.status, r.err), (0, ""))


def test_bench_masks():
    """Instances are written as Python writes them, sizes are those of Python's text."""
    numbers = [0, -0, 1e5, 1.0, -0.0, 1e16, 123456789012345678, 1.5e-7, 0.0001, 1e22, 5e-324, 0.1]
    texts = ["", "a\"\\/\b\f\n\r\t\x01\x7f", "é 日本 \u2028 😀"]
    data = {"numbers": numbers, "texts": texts, "more": {"é": [[], {}, None, True, False]}}
    files = {
        "a.json": {"schema": {"const": data, "description": texts},
                   "tests": [{"data": data, "valid": True}, {"data": {}, "valid": False}]},
        "b.json": {"schema": False, "tests": [{"data": 1, "valid": False}]},
        "c.json": {"schema": {"type": 5}, "tests": [{"data": 1, "valid": True}]},
        "d.json": {"schema": {"type": "integer"}, "tests": [{"data": 1, "valid": False},
                                                            {"data": "1", "valid": True}]},
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, value in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                json.dump(value, file)
        bench = ["bench", "masks", "--tokenizer", MODEL, "--data", folder]
        r = forma(*bench, "--out", "-", "--json")
        check("a wrong verdict", r.status == 1, r.err)
        lines = {row["file"]: row for row in map(json.loads, r.text.splitlines())}
        equal("files", sorted(lines), sorted(files))
        for name, value in files.items():
            equal(name, lines[name]["size"], len(json.dumps(value["schema"])))
        tokens = forma("tokenize", "-m", MODEL, "--json",
                       stdin=json.dumps(data, ensure_ascii=False)).json["count"]
        row = lines["a.json"]
        equal("right", ("bad" in row, row["tests"], len(row["tbm"])), (False, 2, tokens + 3))
        equal("no value", (lines["b.json"]["tbm"], "bad" in lines["b.json"]), ([], False))
        check("error", "/type" in lines["c.json"]["compile_error"], lines["c.json"])
        equal("bad", [(x["i"], x["want"], x["at"], x["n"]) for x in lines["d.json"]["bad"]],
              [(0, False, 1, 1), (1, True, 0, 3)])
        value = json.loads(r.err)
        equal("sums", [value[k] for k in ("files", "right", "compile_errors", "wrongly_refusing",
                                          "wrongly_accepting", "tests")], [4, 2, 1, 1, 1, 5])
        equal("masks", value["tbm_us"]["n"], sum(len(x.get("tbm", [])) for x in lines.values()))
        r = forma(*bench[:-1], os.path.join(folder, "a.json"), "--no-cache")
        check("table", r.status == 0 and "1 file, 2 tests: 1 file right" in r.text, r.text + r.err)
        r = forma(*bench[:-1], os.path.join(folder, "a.json"), "--profile")
        check("kinds", r.status == 0 and all(word in r.text for word in (
            "\nstructure", "\nnumber", "\nkey, ", "\nstring, ", "the slowest", "a.json, test 0")), r.text)
        listed = os.path.join(folder, "list")
        with open(listed, "w", encoding="utf-8") as file:
            file.write("".join(os.path.join(folder, name) + "\n" for name in files))
        drawn = [forma(*bench[:-1], listed, "--limit", "2", "--seed", "7", "--out", "-").text
                 for _ in range(2)]
        names = [[json.loads(x)["file"] for x in text.splitlines()] for text in drawn]
        check("drawn", len(names[0]) == 2 and names[0] == names[1], names)
        refused([*bench[:-1], os.path.join(folder, "none")], 3, "cannot open")
        with open(os.path.join(folder, "e.json"), "w", encoding="utf-8") as file:
            file.write('{"tests": []}')
        refused([*bench, "--quiet"], 2, "e.json", '"schema"')
    refused(["bench", "nothing"], 2, "unknown benchmark")
    refused(["bench", "masks", "--data", "x"], 2, "--tokenizer")
    refused(["bench", "masks", "--tokenizer", MODEL], 2, "--data")
    masks = ["bench", "masks", "--tokenizer", MODEL, "--data", "x"]
    for form in "--schema", "--regex":
        refused([*masks, form, "true"], 2, "leave out " + form)
    refused([*masks, "--limit", "0"], 2, "--limit 0")


def test_mask():
    def mask(*args):
        return forma("mask", "--schema", TICKET, "--tokenizer", MODEL, *args)
    value = mask("--json").json
    equal("count", value["count"], len(value["tokens"]))
    check("start", all(t["text"].lstrip().startswith("{") or not t["text"].strip()
                       for t in value["tokens"]), value)
    equal("start", value["eos"], False)
    value = mask('{"stato": "a', "--json").json
    check("forced", value["forced"] and value["forced"][0] in [t["id"] for t in value["tokens"]],
          value)
    whole = forma("tokenize", "-m", MODEL, "--decode", " ".join(map(str, value["forced"]))).text
    check("forced text", 'perto"'.startswith(whole.strip()), whole)
    equal("no text is forced", mask('{"stato": "', "--json").json["forced"], None)
    check("one way on", all("perto".startswith(t["text"].strip('", }')) or
                            t["text"].startswith("perto") for t in value["tokens"]), value)
    value = mask('{"stato": "aperto"}', "--json").json
    check("end", value["eos"] and any(t["id"] == 2 for t in value["tokens"]), value)
    r = mask()
    check("list", r.status == 0 and "tokens may come next" in r.text, r.text)
    vocabulary = "fixtures/vocabularies/byte_level.tokenizer.json"
    if os.path.exists(vocabulary):
        r = forma("mask", "--schema", '{"type": "boolean"}', "--tokenizer", vocabulary, "--json")
        texts = {t["text"].strip()[:1] for t in r.json["tokens"]}
        check("tokenizer.json", r.status == 0 and texts <= {"t", "f", ""}, r.text)
        value = forma("tokenize", "--tokenizer", vocabulary, "x", "--json").json
        equal("tokenizer.json", [t["text"] for t in value["tokens"]], ["x"])
        unigram = vocabulary.replace("byte_level", "unigram")
        refused(["tokenize", "-m", unigram, "x"], 2, unigram, "Unigram")
    r = mask("nonsense")
    check("refused text", r.status == 1 and "TEXT: byte 0" in r.err, r.err)


def run(name, groups):
    """The groups that the command line names, or all; the exit status."""
    for group in groups:
        if len(sys.argv) > 1 and group.__name__ not in sys.argv[1:]:
            continue
        try:
            group()
        except Exception as error:  # a broken answer must not hide the groups that follow
            check(group.__name__, False, repr(error))
    print(f"{name}: {passed} passed, {failed} failed")
    return failed != 0


def main():
    groups = [test_top, test_options, test_files, test_model, test_reader_leaves, test_tokenize,
              test_generate, test_prompt, test_broken_models, test_stop, test_schema, test_budget,
              test_forced,
              test_dead_parts, test_limits_met, test_loose_schemas, test_counted_limits, test_interrupt,
              test_interrupted_check, test_check, test_cases, test_broken_cases, test_regex, test_suite,
              test_references, test_mask, test_bench_masks]
    return run("cli", groups)


if __name__ == "__main__":
    sys.exit(main())
