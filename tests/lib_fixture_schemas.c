/* SPDX-License-Identifier: MIT */
#include "tests/lib_fixture_schemas.h"

#include <stdio.h>
#include <string.h>

size_t each_fixture_schema(const struct forma_vocabulary *vocabulary,
                           void (*fn)(void *ctx, const char *schema, struct forma_grammar *g),
                           void *ctx) {
    static const char *const files[] = {"types",       "numbers", "strings",      "objects",
                                        "arrays",      "unique",  "combinations", "references",
                                        "unevaluated", "formats"};
    static const char key[] = "schema: ";
    size_t n = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[64], line[4096];
        snprintf(path, sizeof path, "fixtures/schemas/%s.test", files[i]);
        FILE *f = fopen(path, "r");
        while (f && fgets(line, sizeof line, f)) {
            struct forma_options o;
            if (strncmp(line, key, sizeof key - 1) != 0) continue;
            line[strcspn(line, "\n")] = '\0';
            forma_options_init(&o);
            if (n % 3 == 1) o.style.blanks = FORMA_BLANKS_COMPACT;
            if (n % 3 == 2) o.style = forma_style_exact();
            const char *schema = line + sizeof key - 1;
            struct forma_grammar *g =
                forma_grammar_from_json_schema(schema, strlen(schema), vocabulary, &o, NULL);
            if (!g) continue;
            fn(ctx, schema, g);
            forma_grammar_free(g);
            n++;
        }
        if (f) fclose(f);
    }
    return n;
}
