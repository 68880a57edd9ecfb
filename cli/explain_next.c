/* SPDX-License-Identifier: MIT */
#include "cli/explain.h"

int explain_next(const struct explain_request *r) {
    return cli_wrong(r->json, "forma explain cannot do this yet");
}
