#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes schema/metaschemas.c from the JSON files of schema/metaschemas.

    make_metaschemas.py

A file's `$id` (or `id`) names it. Run it after a change to one of the files; a test compares the
two.
"""
import glob
import json

HEAD = """/* SPDX-License-Identifier: MIT
 *
 * Made by scripts/make_metaschemas.py from the files of schema/metaschemas.
 */
#include "schema/metaschemas.h"

#include <string.h>

static const struct metaschema metaschemas[] = {
"""

TAIL = """};

const struct metaschema *metaschema_find(const char *uri, size_t length) {
    /* Both schemes are in use for the same identifiers. */
    const char *path = memchr(uri, ':', length < 6 ? length : 6);
    size_t scheme = path ? (size_t)(path - uri) : 0;
    if (!(scheme == 4 && memcmp(uri, "http", 4) == 0) &&
        !(scheme == 5 && memcmp(uri, "https", 5) == 0))
        return NULL;
    for (size_t i = 0; i < sizeof metaschemas / sizeof *metaschemas; i++)
        if (strlen(metaschemas[i].path) == length - scheme &&
            memcmp(path, metaschemas[i].path, length - scheme) == 0)
            return &metaschemas[i];
    return NULL;
}
"""


def c_string(text, width):
    """`text` as lines of string literals."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    lines = []
    while escaped:
        cut = min(width, len(escaped))
        while 0 < cut < len(escaped) and escaped[cut - 1] == "\\":
            cut -= 1
        lines.append('"%s"' % escaped[:cut])
        escaped = escaped[cut:]
    return lines


def main():
    out = HEAD
    for name in sorted(glob.glob("schema/metaschemas/*.json")):
        with open(name, encoding="utf-8") as file:
            text = file.read()
        schema = json.loads(text)
        uri = (schema.get("$id") or schema["id"]).rstrip("#")
        compact = json.dumps(schema, separators=(",", ":"), ensure_ascii=True)
        out += '    {"%s",\n     ' % uri[uri.index(":"):]
        out += "\n     ".join(c_string(compact, 90)) + "},\n"
    with open("schema/metaschemas.c", "w", encoding="utf-8") as file:
        file.write(out + TAIL)


if __name__ == "__main__":
    main()
