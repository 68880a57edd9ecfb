/* SPDX-License-Identifier: MIT
 *
 * forma bench: finds what is to be measured and hands over.
 */
#include "cli/bench.h"

#include <string.h>

#include "cli/options.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} benches[] = {
    {"masks", bench_masks, "time to the first mask and of every mask, over real schemas"},
};
#define N_BENCHES (sizeof benches / sizeof *benches)

int cmd_bench(int argc, char **argv) {
    bool json = cli_wants_json(argc, argv);
    bool help = argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
    for (size_t i = 0; argc > 1 && i < N_BENCHES; i++)
        if (!strcmp(argv[1], benches[i].name)) return benches[i].run(argc - 1, argv + 1);
    if (!help && argc > 1)
        return cli_wrong(json, "unknown benchmark %.60s; forma bench --help lists them", argv[1]);
    FILE *out = help ? stdout : stderr;
    fputs("Usage: forma bench WHAT [options]\n\n", out);
    for (size_t i = 0; i < N_BENCHES; i++)
        fprintf(out, "  %-10s %s\n", benches[i].name, benches[i].about);
    fputs("\nThey print tables, with --json an object.\n"
          "`forma bench WHAT --help` lists the options.\n",
          out);
    return help ? CLI_OK : CLI_WRONG;
}
