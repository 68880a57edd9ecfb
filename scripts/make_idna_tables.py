#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes schema/idna_ranges.c and schema/idna_compositions.c from the Unicode Character Database.

    make_idna_tables.py [DIRECTORY]

DIRECTORY holds the files of Unicode 15.0.0 as in Debian's package unicode-data (where it is
installed: /usr/share/unicode). The first table lists the code points that RFC 5892, section 3,
derives as PVALID, CONTEXTJ or CONTEXTO, with what the contextual rules (its appendix A), the Bidi
rule (RFC 5893, section 2) and the normal form NFC ask of them, and whether they are alike to all of
these. The second lists the pairs of code
points that NFC composes, with the result, as far as labels have to do with them.
"""
import os
import sys

PVALID = {0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007}
CONTEXTO = {0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, *range(0x660, 0x66A), *range(0x6F0, 0x6FA)}
DISALLOWED = {0x640, 0x7FA, 0x302E, 0x302F, *range(0x3031, 0x3036), 0x303B}
JOIN_CONTROL = {0x200C, 0x200D}
BLOCKS = [(0x20D0, 0x20FF), (0x1D100, 0x1D1FF), (0x1D200, 0x1D24F)]  # RFC 5892, section 2.4
BIDI = ["L", "R", "AL", "EN", "AN", "NSM", "ES", "CS", "ET", "ON", "BN"]
JOINING = ["U", "R", "L", "D", "T", "C"]
SCRIPTS = {"Greek": 1, "Hebrew": 2, "Hiragana": 3, "Katakana": 3, "Han": 3}

HEAD = """/* SPDX-License-Identifier: MIT
 *
 * Made by scripts/make_idna_tables.py from the Unicode Character Database, version 15.0.0.
 */
#include "schema/idna_internal.h"

/* clang-format off */
"""


def rows(directory, name):
    """(first, last, fields behind the code points) of a file of the database."""
    with open(os.path.join(directory, name), encoding="utf-8") as file:
        for line in file:
            fields = [field.strip() for field in line.split("#")[0].split(";")]
            if len(fields) < 2:
                continue
            ends = fields[0].split("..")
            yield int(ends[0], 16), int(ends[-1], 16), fields[1:]


def property_set(directory, name, value):
    found = set()
    for first, last, fields in rows(directory, name):
        if fields[0] == value:
            found.update(range(first, last + 1))
    return found


def property_map(directory, name, default):
    found = {}
    for first, last, fields in rows(directory, name):
        for c in range(first, last + 1):
            found[c] = fields[0]
    return lambda c: found.get(c, default)


def unicode_data(directory):
    """(category, combining class, canonical pair or None) by code point."""
    found = {}
    begin = None
    with open(os.path.join(directory, "UnicodeData.txt"), encoding="utf-8") as file:
        for line in file:
            f = line.rstrip("\n").split(";")
            c = int(f[0], 16)
            pair = [int(x, 16) for x in f[5].split()] if f[5] and f[5][0] != "<" else []
            first = begin if f[1].endswith(", Last>") else c
            for each in range(first, c + 1):
                found[each] = (f[2], int(f[3]), tuple(pair) if len(pair) == 2 else None)
            begin = c
    return found


def derive(directory, data):
    """The code points that labels may hold."""
    core = "DerivedCoreProperties.txt"
    unstable = property_set(directory, "DerivedNormalizationProps.txt",
                            "Changes_When_NFKC_Casefolded")
    ignorable = (property_set(directory, core, "Default_Ignorable_Code_Point")
                 | property_set(directory, "PropList.txt", "White_Space")
                 | property_set(directory, "PropList.txt", "Noncharacter_Code_Point"))
    jamo = set()
    for value in "LVT":
        jamo |= property_set(directory, "HangulSyllableType.txt", value)
    letters = {"Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"}
    for c, (category, _, _) in sorted(data.items()):
        if c in PVALID or c in CONTEXTO or c in JOIN_CONTROL:
            yield c
        elif c in DISALLOWED:
            continue
        elif c == 0x2D or 0x30 <= c <= 0x39 or 0x61 <= c <= 0x7A:
            yield c
        elif c in unstable or c in ignorable or c in jamo:
            continue
        elif any(first <= c <= last for first, last in BLOCKS):
            continue
        elif category in letters:
            yield c


def fill(texts):
    """Lines of at most 100 columns."""
    line = ""
    for text in texts:
        if len(line) + len(text) > 100:
            yield line + "\n"
            line = ""
        line += text
    yield line + "\n"


def write(name, declaration, count, rows_of_it):
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(os.path.join(root, "schema", name + ".c"), "w", encoding="ascii") as file:
        file.write(HEAD + declaration + " = {\n" + "".join(fill(rows_of_it)) + "};\n")
        file.write("const size_t %s =\n    sizeof %s / sizeof *%s;\n/* clang-format on */\n"
                   % (count, name, name))


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
    data = unicode_data(directory)
    bidi = property_map(directory, "extracted/DerivedBidiClass.txt", "L")
    joining = property_map(directory, "extracted/DerivedJoiningType.txt", "U")
    script = property_map(directory, "Scripts.txt", "Unknown")
    excluded = property_set(directory, "DerivedNormalizationProps.txt",
                            "Full_Composition_Exclusion")
    allowed = list(derive(directory, data))
    inside = set(allowed)
    pairs = sorted((*pair, c) for c, (_, _, pair) in data.items()
                   if pair and c not in excluded and (c in inside or inside.issuperset(pair)))
    ranges = []
    for c in allowed:
        category, combining, _ = data[c]
        info = (BIDI.index(bidi(c)), JOINING.index(joining(c)), int(category[0] == "M"),
                SCRIPTS.get(script(c), 0), combining)
        if ranges and ranges[-1][1] == c - 1 and ranges[-1][2] == info:
            ranges[-1][1] = c
        else:
            ranges.append([c, c, info])
    write("idna_ranges", "const struct idna_range idna_ranges[]", "idna_n_ranges",
          ["{0x%X,0x%X,%d,%d,%d,%d,%d}," % (r[0], r[1], *r[2]) for r in ranges])
    write("idna_compositions", "const uint32_t idna_compositions[][3]", "idna_n_compositions",
          ["{0x%X,0x%X,0x%X}," % pair for pair in pairs])


main()
