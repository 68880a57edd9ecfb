#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes schema/ecma_property_values.c, ecma_property_binary.c and ecma_name_ranges.c from the
Unicode Character Database.

    make_unicode_tables.py [DIRECTORY]

DIRECTORY holds the files of Unicode 15.0.0 as in Debian's package unicode-data (where it is
installed: /usr/share/unicode). The tables hold what \\p may name in ECMA-262: all values of
General_Category, Script and Script_Extensions, and the binary properties of its table 69.

A set of code points is a text of numbers: how many code points are left out, how many belong to
the set, and so on in turn. A number is written big-endian, digits to base 28 as '@'.. ('@' = 0),
then one to base 34 as ']'.., which ends it.
"""
import os
import sys

LAST = 0x10FFFF
BINARY = """ASCII_Hex_Digit Alphabetic Bidi_Control Bidi_Mirrored Case_Ignorable Cased
Changes_When_Casefolded Changes_When_Casemapped Changes_When_Lowercased
Changes_When_NFKC_Casefolded Changes_When_Titlecased Changes_When_Uppercased Dash
Default_Ignorable_Code_Point Deprecated Diacritic Emoji Emoji_Component Emoji_Modifier
Emoji_Modifier_Base Emoji_Presentation Extended_Pictographic Extender Grapheme_Base Grapheme_Extend
Hex_Digit IDS_Binary_Operator IDS_Trinary_Operator ID_Continue ID_Start Ideographic Join_Control
Logical_Order_Exception Lowercase Math Noncharacter_Code_Point Pattern_Syntax Pattern_White_Space
Quotation_Mark Radical Regional_Indicator Sentence_Terminal Soft_Dotted Terminal_Punctuation
Unified_Ideograph Uppercase Variation_Selector White_Space XID_Continue XID_Start""".split()
FILES = ["PropList.txt", "DerivedCoreProperties.txt", "DerivedNormalizationProps.txt",
         "emoji/emoji-data.txt", "extracted/DerivedBinaryProperties.txt"]
# where ECMA-262 knows another short name than the database, or the database none
SHORT = {"White_Space": "space", "Emoji_Component": "EComp", "Emoji_Modifier": "EMod",
         "Emoji_Modifier_Base": "EBase", "Emoji_Presentation": "EPres",
         "Extended_Pictographic": "ExtPict"}

HEAD = """/* SPDX-License-Identifier: MIT
 *
 * Made by scripts/make_unicode_tables.py from the Unicode Character Database, version 15.0.0.
 * Names of one set are separated by spaces; the script says how the sets are written.
 */
#include "schema/ecma_property.h"

/* clang-format off */
const struct ecma_property ecma_property_%s[] = {
"""
TAIL = """};
/* clang-format on */

const unsigned ecma_property_n_%s = sizeof ecma_property_%s / sizeof *ecma_property_%s;
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


def aliases(directory, name, key):
    """[names] of the lines of an alias file that begin with `key` (None: all lines)."""
    result = []
    with open(os.path.join(directory, name), encoding="utf-8") as file:
        for line in file:
            fields = [field.strip() for field in line.split("#")[0].split(";")]
            if len(fields) < 2:
                continue
            if key is None:
                result.append(fields)
            elif fields[0] == key:
                result.append(fields[1:])
    return result


def number(n):
    text = chr(ord("]") + n % 34)
    n //= 34
    while n:
        text = chr(ord("@") + n % 28) + text
        n //= 28
    return text


def encode(codes):
    """A set of code points as a text."""
    out, at = [], 0
    ordered = sorted(codes)
    i = 0
    while i < len(ordered):
        j = i
        while j + 1 < len(ordered) and ordered[j + 1] == ordered[j] + 1:
            j += 1
        out += [number(ordered[i] - at), number(j - i + 1)]
        at = ordered[j] + 1
        i = j + 1
    return "".join(out)


def write(part, entries):
    with open("schema/ecma_property_%s.c" % part, "w", encoding="utf-8") as file:
        file.write(HEAD % part)
        for kind, names, codes in entries:
            unique = list(dict.fromkeys(name for name in names if name != "n/a"))
            lines = ['    {ECMA_%s, "%s",' % (kind, " ".join(unique))]
            text = encode(codes)
            width = 91
            pieces = [text[i:i + width] for i in range(0, len(text), width)] or [""]
            if len(pieces) == 1 and len(lines[0]) + len(text) + 5 <= 100:
                lines[0] += ' "%s"},' % text
            else:
                lines += ['     "%s"' % piece for piece in pieces]
                lines[-1] += "},"
            assert max(map(len, lines)) <= 100 and len(text) < 4096
            file.write("\n".join(lines) + "\n")
        file.write(TAIL.replace("%s", part))


def runs(codes, starts):
    """Ranges (first, last, starts) of a set."""
    out = []
    for code in sorted(codes):
        if out and out[-1][1] == code - 1:
            out[-1][1] = code
        else:
            out.append([code, code, starts])
    return out


def write_names(start, go_on):
    """What may stand in names of groups, beyond ASCII."""
    ranges = sorted(runs({c for c in start if c > 127}, 1) +
                    runs({c for c in go_on - start | {0x200C, 0x200D} if c > 127}, 0))
    with open("schema/ecma_name_ranges.c", "w", encoding="utf-8") as file:
        file.write("""/* SPDX-License-Identifier: MIT
 *
 * Made by scripts/make_unicode_tables.py from the Unicode Character Database, version 15.0.0.
 */
#include "schema/ecma_names.h"

/* clang-format off */
const struct ecma_name_range ecma_name_ranges[] = {
""")
        line = ""
        for first, last, starts in ranges:
            item = "{0x%X,0x%X,%d}," % (first, last, starts)
            if len(line) + len(item) > 100:
                file.write(line + "\n")
                line = ""
            line += item
        file.write(line + """
};
/* clang-format on */

const unsigned ecma_n_name_ranges = sizeof ecma_name_ranges / sizeof *ecma_name_ranges;
""")


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
    everything = set(range(LAST + 1))
    values = []

    category = {}
    for first, last, fields in rows(directory, "extracted/DerivedGeneralCategory.txt"):
        category.setdefault(fields[0], set()).update(range(first, last + 1))
    assigned = set().union(*(codes for name, codes in category.items() if name != "Cn"))
    category["Cn"] = everything - assigned
    for names in aliases(directory, "PropertyValueAliases.txt", "gc"):
        # C, L, ... are the unions of the categories that begin alike; LC is said to be cased
        parts = ["Lu", "Ll", "Lt"] if names[0] == "LC" else \
            [c for c in category if c.startswith(names[0])]
        values.append(("CATEGORY", names, set().union(*(category[part] for part in parts))))

    script, extended = {}, {}
    short = {}
    script_names = aliases(directory, "PropertyValueAliases.txt", "sc")
    for names in script_names:
        short[names[1]] = names[0]
        script[names[0]] = set()
    for first, last, fields in rows(directory, "Scripts.txt"):
        script[short[fields[0]]].update(range(first, last + 1))
    script["Zzzz"] = everything - set().union(*script.values())
    extended = {name: set(codes) for name, codes in script.items()}
    explicit = list(rows(directory, "ScriptExtensions.txt"))
    for first, last, _ in explicit:
        for codes in extended.values():
            codes.difference_update(range(first, last + 1))
    for first, last, fields in explicit:
        for name in fields[0].split():
            extended[name].update(range(first, last + 1))
    for names in script_names:
        values.append(("SCRIPT", names, script[names[0]]))
    for names in script_names:
        if extended[names[0]] != script[names[0]]:
            values.append(("EXTENSIONS", names, extended[names[0]]))

    binary = {name: set() for name in BINARY}
    for name in FILES:
        for first, last, fields in rows(directory, name):
            if fields[0] in binary:
                binary[fields[0]].update(range(first, last + 1))
    short = {names[1]: names[0] for names in aliases(directory, "PropertyAliases.txt", None)}
    short.update(SHORT)
    properties = []
    for name in BINARY:
        assert binary[name], name
        properties.append(("BINARY", [name, short[name]], binary[name]))
    properties.append(("BINARY", ["ASCII"], set(range(128))))
    properties.append(("BINARY", ["Any"], everything))
    properties.append(("BINARY", ["Assigned"], assigned))
    write("values", values)
    write("binary", properties)
    write_names(binary["ID_Start"], binary["ID_Continue"])


main()
