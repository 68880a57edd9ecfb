/* SPDX-License-Identifier: MIT */
#include "cli/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void json_spread(FILE *out, const char *name, const struct engine_spread *s,
                        bool with_mean) {
    fprintf(out, "\"%s\": {", name);
    if (with_mean) {
        fputs("\"mean\": ", out);
        cli_json_number(out, s->mean, 3);
        fputs(", ", out);
    }
    fputs("\"p50\": ", out);
    cli_json_number(out, s->p50, 3);
    if (!with_mean) {
        fputs(", \"p95\": ", out);
        cli_json_number(out, s->p95, 3);
    }
    fputs(", \"p99\": ", out);
    cli_json_number(out, s->p99, 3);
    fputs(", \"max\": ", out);
    cli_json_number(out, s->max, 3);
    fputc('}', out);
}

void report_json(const struct report *r, FILE *out) {
    const struct engine_result *e = r->result;
    fputs("{\"text\": ", out);
    cli_json_string(out, r->text->data ? r->text->data : "", r->text->length);
    fprintf(out, ", \"finish_reason\": \"%s\", \"stop_sequence\": ", engine_finish_name(e->finish));
    if (r->stop_sequence)
        cli_json_string(out, r->stop_sequence, strlen(r->stop_sequence));
    else
        fputs("null", out);
    fprintf(out,
            ", \"tool_calls\": null, \"reasoning\": null, \"usage\": {\"prompt_tokens\": %" PRIu32
            ", \"completion_tokens\": %" PRIu32 ", \"forced_tokens\": %" PRIu32
            ", \"reasoning_tokens\": 0, \"cached_tokens\": 0}",
            e->prompt_tokens, e->completion_tokens, e->forced_tokens);
    fprintf(out, ", \"seed\": %" PRIu64 ", \"budget_forced\": %s, \"narrowed\": %s", r->seed,
            e->budget_forced ? "true" : "false", e->narrowed ? "true" : "false");
    fputs(", \"timings\": {\"ttft_ms\": ", out);
    cli_json_number(out, e->ttft_ms, 3);
    fputs(", \"tpot_ms\": ", out);
    cli_json_number(out, e->tpot_ms, 3);
    fputs(", ", out);
    json_spread(out, "itl_ms", &e->itl_ms, false);
    fputs(", ", out);
    json_spread(out, "mask_us", &e->mask_us, true);
    fputs("}}\n", out);
}

static const char *passes(uint64_t n) {
    return n == 1 ? "pass" : "passes";
}

void report_stats(const struct report *r, FILE *out) {
    const struct engine_result *e = r->result;
    const struct run_state *run = engine_run_state(r->engine);
    const struct run_counters *counters = run_state_counters(run);
    const struct model_shape *shape = model_shape(r->model);
    fprintf(out, "model      %s, %.1f M parameters, %" PRIu32 " layers, width %" PRIu32 "\n",
            r->model_name, (double)model_n_parameters(r->model) / 1e6, shape->n_layers,
            shape->n_embd);
    fprintf(out, "kernels    %s, threads %" PRIu32 ", context %" PRIu32 " tokens\n",
            run_state_kernels_name(run), run_state_n_threads(run), engine_n_ctx(r->engine));
    fprintf(out, "setup      load %.1f ms", r->load_ms);
    if (isfinite(r->compile_ms)) fprintf(out, ", compile form %.1f ms", r->compile_ms);
    fprintf(out, "\nprefill    %" PRIu32 " tokens in %" PRIu64 " %s, ttft %.1f ms",
            e->prompt_tokens, e->prefill_passes, passes(e->prefill_passes), e->ttft_ms);
    if (e->ttft_ms > 0) fprintf(out, " (%.1f tokens/s)", e->prompt_tokens / e->ttft_ms * 1e3);
    fprintf(out, "\ndecode     %" PRIu32 " tokens in %" PRIu64 " %s", e->completion_tokens,
            e->passes - e->prefill_passes, passes(e->passes - e->prefill_passes));
    if (e->forced_tokens) fprintf(out, ", %" PRIu32 " forced", e->forced_tokens);
    if (e->itl_ms.count)
        fprintf(out, ", tpot %.2f ms (%.1f tokens/s), itl p50 %.2f p95 %.2f p99 %.2f max %.2f ms",
                e->tpot_ms, 1e3 / e->tpot_ms, e->itl_ms.p50, e->itl_ms.p95, e->itl_ms.p99,
                e->itl_ms.max);
    if (e->mask_us.count)
        fprintf(out, "\nmasks      mean %.1f p50 %.1f p95 %.1f p99 %.1f max %.1f us%s",
                e->mask_us.mean, e->mask_us.p50, e->mask_us.p95, e->mask_us.p99, e->mask_us.max,
                e->narrowed ? ", narrowed by a search limit" : "");
    fprintf(out, "\nrows       %" PRIu64 " positions computed in %" PRIu64 " %s", e->rows,
            e->passes, passes(e->passes));
    if (counters->weight_bytes)
        fprintf(out, ", %.1f MB of weights a pass", (double)counters->weight_bytes / 1e6);
    fprintf(out, "\nseed       %" PRIu64 "\nfinish     %s%s, %.1f ms in all\n", r->seed,
            engine_finish_name(e->finish), e->budget_forced ? " by the budget" : "", e->total_ms);
}
