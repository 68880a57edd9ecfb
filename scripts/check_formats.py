#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares formats with other validators, on strings drawn from their languages.

    check_formats.py --tool build/release/tests/dump_formats [--data DIR] [--strings 300] [--seed 1]
                     [FORMAT]...

The tool draws strings of each format, strings of its complement, and strings with a few characters
changed, each with forma's verdict. To these come what the official test suite holds of each format
(json-schema-test-suite.tar.xz in DIR, where that is) and N strings made by changing and crossing those.

Each string is judged twice over: by jsonschema-rs (names of hosts beyond ASCII by idna), and by a
library that knows the one thing: datetime, ipaddress, pyIsEmail, fqdn, rfc3339-validator,
isoduration, rfc3986-validator, rfc3987-syntax, uri-template, jsonpointer, uuid, or node. A difference
must fall under one of the rules below, which cite their text; any other is printed, and the exit
status is 1. Counts go to standard output.
"""
import argparse
import collections
import functools
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tarfile
import unicodedata

import idna
import jsonschema
import jsonschema_rs
import pyisemail

LIBRARY = jsonschema.Draft202012Validator.FORMAT_CHECKER
HOSTS = ("hostname", "idn-hostname", "idn-email", "email")
MAIL = ("email", "idn-email")
NODE = """
const lines = require('fs').readFileSync(0, 'utf8').split('\\n').filter(x => x);
for (const line of lines) {
  let ok = 1;
  try { new RegExp(JSON.parse(line), 'u'); } catch (e) { ok = 0; }
  console.log(ok);
}
"""


# ---- judges


@functools.lru_cache(None)
def rust(name):
    return jsonschema_rs.Draft202012Validator({"format": name}, validate_formats=True)


def by_idna(text):
    try:
        idna.encode(text)
    except (idna.IDNAError, UnicodeError):
        return False
    return text[-1:] not in ("", ".", "\u3002", "\uff0e", "\uff61")


def by_rust(name, text):
    """jsonschema-rs takes capital letters in A-labels for others than they are."""
    if name == "hostname" and "xn--" in text.lower():
        return text.isascii() and by_idna(text.lower())
    if name == "idn-email" and not text.endswith("]"):
        # it maps the domain (UTS 46) before it looks at it
        local, at, domain = text.rpartition("@")
        if not at or not rust(name).is_valid(local + "@a"):
            return False
        composes = all(unicodedata.normalize("NFC", c) == c for c in domain)
        return composes and by_idna(unicodedata.normalize("NFC", domain))
    return by_idna(text) if name == "idn-hostname" else rust(name).is_valid(text)


def by_mail(name, text):
    """pyIsEmail on ASCII; of other characters it knows nothing."""
    if text.isascii():
        try:
            return pyisemail.is_email(text)
        except IndexError:  # of "[IPv6::"
            return False
    local, _, domain = text.rpartition("@")
    if name == "email" or len(local.encode()) > 64:
        return False
    if not domain.startswith("["):
        composes = all(unicodedata.normalize("NFC", c) == c for c in domain)
        if not composes or not by_idna(unicodedata.normalize("NFC", domain)):
            return False
        domain = "a"
    return pyisemail.is_email(re.sub("[^\0-\x7f]", "x", local) + "@" + domain)


def by_library(name, text):
    if name in MAIL:
        return by_mail(name, text)
    if name == "idn-hostname":
        return rust(name).is_valid(text)
    return LIBRARY.conforms(text, name)


def by_node(texts):
    """None where there is no node."""
    if not shutil.which("node"):
        return [None] * len(texts)
    lines = "".join(json.dumps(t) + "\n" for t in texts)
    done = subprocess.run(["node", "-e", NODE], input=lines, capture_output=True, text=True, check=True)
    return [line == "1" for line in done.stdout.split()]


# ---- reasons


def labels(text):
    return re.split("[.\u3002\uff0e\uff61]", text.rsplit("@", 1)[-1])


def reserved(label):
    """RFC 5890, section 2.3.1: an R-LDH label that is no A-label. RFC 1123 admits it."""
    return label.isascii() and label[2:4] == "--" and not label.lower().startswith("xn")


def decoded(label):
    try:
        return label[4:].encode("ascii").decode("punycode") if label[:4].lower() == "xn--" else label
    except UnicodeError:
        return ""


def from_right(text):
    return any(
        unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in "".join(map(decoded, labels(text)))
    )


def unknown(text):
    """unicodedata, which idna asks for bidi classes, is of an older Unicode than 15.0."""
    return any(unicodedata.category(c) == "Cn" for c in text + "".join(map(decoded, labels(text))))


def found(pattern):
    return lambda text: re.search(pattern, text, re.S)


def is_mapped(text):
    """Does UTS 46 make other characters of it?"""
    ignored = found("[\u00ad\u200b\u2060\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]")
    return unicodedata.normalize("NFKC", text.casefold()) != text or ignored(text)


def no_literal(text):
    """Of a template, a character outside of expressions that may not stand there."""
    return found(r"[\0-\x20\"<>\\^`{|}\x7f]|%(?![0-9A-Fa-f]{2})")(re.sub(r"\{[^{}]*\}", "", text))


# A judge that errs, on which formats, what forma says there, where, and why that is right.
RULES = [
    ("both", MAIL, True, found(r'^".*\\ '), "RFC 5321, 4.1.2: quoted-pairSMTP may quote a space"),
    ("both", MAIL, True, found(r"@\[.*\b0[0-9]+(\.|\]$)"),
     "RFC 5321, 4.1.3: Snum may have leading zeros"),
    ("both", MAIL, False, found(r'^".*[\0-\x1f].*"@'),
     "RFC 5321, 4.1.2: no control characters in a quoted string"),
    ("rust", ["idn-email"], False, lambda t: len(t.rpartition("@")[0].encode()) > 64,
     "RFC 5321, 4.5.3.1.1: octets, not characters"),
    ("both", HOSTS, True, lambda t: any(map(reserved, labels(t))),
     "RFC 1123, 2.1: hyphens may stand at the third and fourth place"),
    ("both", HOSTS, False, from_right,
     "RFC 5893, 2: a label from right to left binds all labels of the name"),
    ("both", HOSTS, True, unknown, "Unicode 15.0 is newer than Python's tables"),
    ("both", ["idn-email"], False, found(r'^".*\\[^\0-\x7f].*"@'),
     "RFC 6531, 3.3: quotedpairSMTP is not extended beyond ASCII"),
    ("both", ["uri-template"], False,
     found("[\x80-\x9f\ufff0-\uffff\U000e0000-\U000e0fff]"),
     "RFC 6570, 2.1: ucschar begins at U+00A0, leaves out specials and the tags of plane 14"),
    ("both", ["regex"], True, found(r"[{}\]]|\\[^a-zA-Z0-9\s]"),
     "tolerated: braces and brackets that stand for themselves, needless escapes"),
    ("rust", ["regex"], False, found(r"\\[pP]\{"),
     "ECMA-262, table 67 to 70: not the name of a property"),
    ("rust", ["regex"], False, found(r"\\[^\w!-~]"),
     "ECMA-262, 22.2.1: with the u flag only syntax characters are escaped"),
    ("library", ["date", "date-time"], True, found("^0000"), "RFC 3339, 5.6: there is a year 0000"),
    ("library", ["time", "date-time"], True, found("^(.{11})?[0-9:]{6}60"),
     "RFC 3339, 5.7: leap seconds"),
    ("library", ["duration"], False, found("[.,]|-|\\+"),
     "RFC 3339, appendix A: no fractions, signs or dates"),
    ("library", ["duration"], False, found("W.|D.*[DH]|[0-9]e|[0-9]T|[0-9]+[YMD].*W|^P[^T]*Y[0-9]+D|H[0-9]+S"),
     "RFC 3339, appendix A: a unit is followed by the next smaller one, weeks by none"),
    ("library", ["hostname"], False, found("(?i)(^|[.])xn--"),
     "RFC 5890, 2.3.2.1: an A-label is decoded and checked"),
    ("library", ["hostname"], False, lambda t: not t.isascii(), "RFC 1123, 2.1: ASCII only"),
    ("library", ["hostname"], False, found("[.]$"), "RFC 1123, 2.1: no dot at the end"),
    ("library", ["idn-hostname"], False, is_mapped,
     "RFC 5891, 5.3: labels are in the form that mapping would lead to"),
    ("library", ["iri", "iri-reference"], True, found("[\U00010000-\U0010ffff]"),
     "RFC 3987, 2.2: ucschar and iprivate go beyond the basic plane"),
    ("library", ["iri", "iri-reference"], True, found(r"//[^/?#]*\["),
     "RFC 3987, 2.2: IP-literal"),
    ("library", ["uri", "uri-reference"], True, found(r"//[^/?#]*\[V"),
     "RFC 3986, appendix A, with RFC 5234, 2.3: the v of IPvFuture has no case"),
    ("library", ["uri-template"], True, found(r"\{="), "RFC 6570, 2.2: reserved operators"),
    ("library", ["regex"], True, found(r"\\ "), "tolerated: an escaped space"),
    ("rust", ["regex"], True, found(r"\(\?<[^>]*[^\0-\x7f]|\\k<"),
     "ECMA-262, 22.2.1: RegExpIdentifierName may hold letters beyond ASCII"),
    ("library", ["relative-json-pointer"], True, found("^[1-9][0-9]*0[0-9]"),
     "draft-handrews-relative-json-pointer-01, 3: only the first digit may not be 0"),
    ("library", ["relative-json-pointer"], False, found("^[0-9]*[^\0-\x7f]"), "ASCII digits only"),
    ("library", ["uri", "uri-reference"], False, found(r"\[.*:0[0-9]|\[.*\.0[0-9]"),
     "RFC 3986, appendix A: dec-octet has no leading zeros"),
    ("library", ["uri-template"], False, no_literal, "RFC 6570, 2.1: literals"),
    ("library", ["uri-template"], True, found(r"\{[^}]*%|\{[!@|]"),
     "RFC 6570, 2.2, 2.3: reserved operators, names with percent-encoded octets"),
    ("library", ["uri-template"], True, found(r":[1-9][0-9]{3}\b"),
     "RFC 6570, 2.4.1: lengths below 10000"),
    ("library", ["uri-template"], False, found(r"\{[^}]*([.,][.,/:*}+]|:0|[=/+#&])"),
     "RFC 6570, 2.3, 2.4.1: no such names, no such lengths"),
    ("library", ["uuid"], False, found("[^0-9A-Fa-f-]|-.*-.*-.*-.*-|[^-]{13}"),
     "RFC 4122, 3: 32 hexadecimal digits"),
    ("library", None, False, found("\n$"), "no line end may follow"),
]


def explanation(judge, name, text, ours):
    """Why the other validator says otherwise; None if there is no reason."""
    for who, names, verdict, when, why in RULES:
        if who in (judge, "both") and name in (names or [name]) and verdict == ours and when(text):
            return why
    return None


# ---- strings


def run_tool(args, lines=None):
    """(format, text, verdict) of each line that the tool prints."""
    done = subprocess.run(args, input=lines, check=True, capture_output=True, text=True)
    name = None
    for line in done.stdout.splitlines():
        head, _, rest = line.partition(" ")
        if head == "format":
            name = rest
        else:
            yield name, bytes.fromhex(rest).decode(), head == "1"


def suite_strings(archive):
    """{format: strings}, of the optional tests of all drafts."""
    strings = collections.defaultdict(set)
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            path = pathlib.PurePosixPath(member.name)
            if path.parent.name != "format" or path.suffix != ".json":
                continue
            for group in json.load(tar.extractfile(member)):
                name = group["schema"].get("format") if isinstance(group["schema"], dict) else None
                strings[name] |= {t["data"] for t in group["tests"] if isinstance(t["data"], str)}
    return {name: sorted(texts) for name, texts in strings.items() if name}


def changed(texts, draw):
    """One string, with a few characters taken from another, doubled, dropped or exchanged."""
    text, other = list(draw.choice(texts)), draw.choice(texts)
    if other and draw.random() < 0.3:  # the head of one, the tail of the other
        text = text[: draw.randrange(len(text) + 1)] + list(other[draw.randrange(len(other)) :])
    for _ in range(draw.choice((0, 1, 1, 2, 3))):
        at = draw.randrange(len(text) + 1)
        c = draw.choice(other or "-") if draw.random() < 0.7 else draw.choice("0159aAfZz-.:/@%[]\"\\ +~#?ü中א")
        text[at : at + draw.choice((0, 0, 1))] = [c] if draw.random() < 0.7 else text[at : at + 1] * 2
    return "".join(text)


def strings(args):
    names = args.formats
    yield from run_tool([args.tool, str(args.strings), str(args.seed), *names])
    archive = args.data / "json-schema-test-suite.tar.xz"
    if not archive.exists():
        print(f"formats: {archive} is not there: its strings are left out")
        return
    draw, lines = random.Random(args.seed), []
    for name, texts in suite_strings(archive).items():
        if name not in LIBRARY.checkers or (names and name not in names):
            continue
        lines.append("format " + name)
        made = texts + [changed(texts, draw) for _ in range(args.strings)]
        lines += [t.encode().hex() for t in dict.fromkeys(made) if 0 < len(t) < 1000 and is_text(t)]
    yield from run_tool([args.tool, "-"], "".join(line + "\n" for line in lines))


def is_text(text):
    """The tool knows the characters of its Unicode; lone surrogates are no text."""
    return not any(unicodedata.category(c) in ("Cs", "Cn") for c in text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--strings", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("formats", nargs="*")
    args = parser.parse_args()
    cases = collections.defaultdict(dict)
    for name, text, ours in strings(args):
        cases[name][text] = ours
    reasons, bad = collections.Counter(), 0
    for name, verdicts in cases.items():
        library = functools.partial(by_library, name)
        if name == "regex":
            library = dict(zip(verdicts, by_node(list(verdicts)))).get
        for text, ours in verdicts.items():
            for judge, theirs in (("rust", by_rust(name, text)), ("library", library(text))):
                if theirs in (None, ours):
                    continue
                reason = explanation(judge, name, text, ours)
                reasons[name, judge, reason] += 1
                if not reason:
                    bad += 1
                    print(f"{name}: {ascii(text)}: forma says {'yes' if ours else 'no'}, {judge} not so")
    for (name, judge, reason), n in sorted(reasons.items(), key=str):
        if reason:
            print(f"{name}: {n} explained ({judge}): {reason}")
    counts = ", ".join(f"{name} {len(v)} ({sum(v.values())} of it)" for name, v in cases.items())
    print(f"strings: {counts}")
    print(
        f"formats: {sum(map(len, cases.values()))} strings of {len(cases)} formats, seed {args.seed}: "
        f"{bad} unexplained differences"
    )
    sys.exit(bad != 0)


main()
