/* SPDX-License-Identifier: MIT
 *
 * What `generate` tells about a run: the JSON object of its result, and the table of --stats.
 */
#ifndef FORMA_CLI_REPORT_H
#define FORMA_CLI_REPORT_H

#include "cli/common.h"
#include "runtime/engine.h"

struct report {
    const struct engine_result *result;
    const struct engine *engine;
    const struct model *model;
    const struct cli_text *text;
    const char *stop_sequence; /* the one that ended the text, or NULL */
    const char *model_name;
    uint64_t seed;
    double load_ms, compile_ms; /* compile_ms NaN: no form */
};

void report_json(const struct report *r, FILE *out);
void report_stats(const struct report *r, FILE *out);

#endif
