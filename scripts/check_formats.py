#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares formats with other validators, on strings drawn from their languages.

    check_formats.py --tool build/release/tests/dump_formats [--strings 300] [--seed 1] [FORMAT]...

The tool draws strings of each format, strings of its complement, and strings with a few characters
changed, each with forma's verdict. They are judged again by jsonschema-rs (dates, times, durations,
addresses, URIs, pointers, UUIDs, regular expressions, mail, hosts in ASCII) and by idna
(A-labels and international names). A difference must fall under one of the rules below, which cite their
text; any other is printed, and the exit status is 1. Counts go to standard output.
"""
import argparse
import collections
import re
import subprocess
import sys
import unicodedata

import idna
import jsonschema_rs

validators = {}


def by_jsonschema_rs(name, text):
    if name not in validators:
        validators[name] = jsonschema_rs.Draft202012Validator({"format": name},
                                                              validate_formats=True)
    return validators[name].is_valid(text)


def by_idna(text):
    try:
        idna.encode(text)
    except (idna.IDNAError, UnicodeError):
        return False
    return text[-1:] not in ("", ".", "\u3002", "\uff0e", "\uff61")


def judge(name, text):
    """jsonschema-rs takes capital letters in A-labels for others than they are."""
    if name == "hostname" and "xn--" in text.lower():
        return text.isascii() and by_idna(text.lower())
    if name == "idn-email" and not text.endswith("]"):
        # jsonschema-rs maps the domain (UTS 46) before it looks at it
        local, at, domain = text.rpartition("@")
        if not at or not by_jsonschema_rs(name, local + "@a"):
            return False
        composes = all(unicodedata.normalize("NFC", c) == c for c in domain)
        return composes and by_idna(unicodedata.normalize("NFC", domain))
    return by_idna(text) if name == "idn-hostname" else by_jsonschema_rs(name, text)


def labels(text):
    return re.split("[.\u3002\uff0e\uff61]", text.rsplit("@", 1)[-1])


def reserved(label):
    """RFC 5890, section 2.3.1: an R-LDH label that is no A-label. RFC 1123 admits it."""
    return label.isascii() and label[2:4] == "--" and not label.lower().startswith("xn")


def from_right(text):
    def decoded(label):
        try:
            return label[4:].encode("ascii").decode("punycode") if label[:4].lower() == "xn--" \
                else label
        except UnicodeError:
            return ""
    return any(unicodedata.bidirectional(c) in ("R", "AL", "AN")
               for c in "".join(map(decoded, labels(text))))


def unknown(text):
    """unicodedata, which idna asks for bidi classes, is of an older Unicode than 15.0."""
    return any(unicodedata.category(c) == "Cn" for c in text)


def explanation(name, text, ours):
    """Why the other validator says otherwise; None if there is no reason."""
    if name in ("email", "idn-email") and ours and re.search(r'^".*\\ ', text):
        return "RFC 5321, 4.1.2: quoted-pairSMTP may quote a space"
    if name in ("email", "idn-email") and ours and re.search(r"@\[.*\b0[0-9]+(\.|\]$)", text):
        return "RFC 5321, 4.1.3: Snum may have leading zeros"
    if name in ("email", "idn-email") and not ours and re.search(r'^".*[\0-\x1f].*"@', text):
        return "RFC 5321, 4.1.2: no control characters in a quoted string"
    if name in ("email", "idn-email", "hostname", "idn-hostname") and ours and \
            any(reserved(label) for label in labels(text)):
        return "RFC 1123, 2.1: hyphens may stand at the third and fourth place"
    if name == "idn-email" and not ours and re.search(r'^".*\\[^\0-\x7f].*"@', text):
        return "RFC 6531, 3.3: quotedpairSMTP is not extended beyond ASCII"
    if name in ("hostname", "idn-hostname", "idn-email") and not ours and from_right(text):
        return "RFC 5893, 2: a label from right to left binds all labels of the name"
    if name in ("idn-hostname", "idn-email") and ours and unknown(text):
        return "Unicode 15.0 is newer than Python's tables"
    if name == "uri-template" and not ours and re.search(
            "[\x80-\x9f\ufff0-\uffff\U000e0000-\U000e0fff]", text):
        return "RFC 6570, 2.1: ucschar begins at U+00A0 and leaves out specials and plane 14's tags"
    if name == "regex" and ours and re.search(r"[{}\]]|\\[^\w\s]", text):
        return "tolerated: braces and brackets that stand for themselves, needless escapes"
    if name == "regex" and not ours and re.search(r"\\[pP]\{", text):
        return "ECMA-262, table 67 to 70: not the name of a property"
    if name == "regex" and not ours and re.search(r"\\[^\w!-~]", text):
        return "ECMA-262, 22.2.1: with the u flag only syntax characters are escaped"
    return None


def strings(args):
    """(format, text, verdict) of each line of the tool."""
    command = [args.tool, str(args.strings), str(args.seed), *args.formats]
    name = None
    for line in subprocess.run(command, check=True, capture_output=True,
                               text=True).stdout.splitlines():
        head, _, rest = line.partition(" ")
        if head == "format":
            name = rest
        else:
            yield name, bytes.fromhex(rest).decode(), head == "1"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--strings", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("formats", nargs="*")
    args = parser.parse_args()
    total, reasons, bad = collections.Counter(), collections.Counter(), 0
    for name, text, ours in strings(args):
        total[name] += 1
        theirs = judge(name, text)
        if theirs == ours:
            continue
        reason = explanation(name, text, ours)
        if reason:
            reasons[name, reason] += 1
        else:
            bad += 1
            print("%s: %s: forma says %s" % (name, ascii(text), "yes" if ours else "no"))
    for (name, reason), n in sorted(reasons.items()):
        print("%s: %d explained: %s" % (name, n, reason))
    print("formats: %d strings of %d formats, seed %d: %d unexplained differences"
          % (sum(total.values()), len(total), args.seed, bad))
    sys.exit(bad != 0)


main()
