/* SPDX-License-Identifier: MIT */
#include "cli/explain.h"

int explain_support(bool json) {
    return cli_wrong(json, "forma explain cannot do this yet");
}
