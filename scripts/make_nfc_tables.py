#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes base/nfc_tables.c from the Unicode Character Database.

    make_nfc_tables.py [DIRECTORY]

DIRECTORY holds the files of Unicode 15.0.0 as in Debian's package unicode-data (where it is
installed: /usr/share/unicode).
"""
import os
import sys

HEAD = """/* SPDX-License-Identifier: MIT
 *
 * Made by scripts/make_nfc_tables.py from the Unicode Character Database, version 15.0.0.
 */
#include "base/nfc_tables.h"

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


def points(directory, name, *wanted):
    return {c for first, last, fields in rows(directory, name)
            if tuple(fields[:len(wanted)]) == wanted for c in range(first, last + 1)}


def fill(texts):
    """Lines of at most 100 columns."""
    line = ""
    for text in texts:
        if len(line) + len(text) > 100:
            yield line + "\n"
            line = ""
        line += text
    yield line + "\n"


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
    classes, decompositions = {}, {}
    for c, _, fields in rows(directory, "UnicodeData.txt"):
        if int(fields[2]):
            classes[c] = int(fields[2])
        if fields[4] and fields[4][0] != "<":
            decompositions[c] = [int(x, 16) for x in fields[4].split()]
    props = "DerivedNormalizationProps.txt"
    excluded = points(directory, props, "Full_Composition_Exclusion")
    watched = points(directory, props, "NFC_QC", "N") | points(directory, props, "NFC_QC", "M")
    ranges = []
    for c in sorted(watched | classes.keys()):
        klass = classes.get(c, 0)
        if ranges and ranges[-1][1] == c - 1 and ranges[-1][2] == klass:
            ranges[-1][1] = c
        else:
            ranges.append([c, c, klass])
    listed = sorted(decompositions)
    composed = sorted((decompositions[c], i) for i, c in enumerate(listed) if c not in excluded)
    out = [HEAD, "const struct nfc_range nfc_ranges[] = {\n"]
    out += fill("{0x%X,0x%X,%d}," % tuple(r) for r in ranges)
    out.append("};\nconst size_t nfc_n_ranges = sizeof nfc_ranges / sizeof *nfc_ranges;\n\n"
               "const uint32_t nfc_decompositions[][3] = {\n")
    out += fill("{0x%X,0x%X,%s}," % (c, decompositions[c][0],
                                     "0x%X" % decompositions[c][1] if len(decompositions[c]) > 1
                                     else "0") for c in listed)
    out.append("};\nconst size_t nfc_n_decompositions =\n"
               "    sizeof nfc_decompositions / sizeof *nfc_decompositions;\n\n"
               "const uint16_t nfc_compositions[] = {\n")
    out += fill("%d," % i for _, i in composed)
    out.append("};\nconst size_t nfc_n_compositions = sizeof nfc_compositions / "
               "sizeof *nfc_compositions;\n/* clang-format on */\n")
    with open("base/nfc_tables.c", "w", encoding="utf-8") as file:
        file.writelines(out)


if __name__ == "__main__":
    main()
