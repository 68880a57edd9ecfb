/* SPDX-License-Identifier: MIT
 *
 * forma explain --dot: a drawing of the region where the text ends, or of the goal that is open
 * there, for Graphviz.
 */
#include <string.h>

#include "cli/explain.h"

static void write_drawing(void *ctx, const char *text, size_t length) {
    fwrite(text, 1, length, ctx);
}

int explain_dot(const struct explain_request *r) {
    struct forma_error err;
    struct forma_matcher *m = forma_matcher_new(r->form->grammar, NULL, NULL, &err);
    enum forma_drawing what = strcmp(r->dot, "goal") ? FORMA_DRAW_REGION : FORMA_DRAW_GOAL;
    enum forma_status status =
        m ? forma_matcher_accept_bytes(m, (const unsigned char *)r->text, r->length, &err)
          : err.status;
    if (status == FORMA_OK)
        status = forma_matcher_draw(m, what, r->dot_states, write_drawing, stdout, &err);
    forma_matcher_free(m);
    return status == FORMA_OK ? CLI_OK : cli_fail(r->json, r->file, &err);
}
