/* SPDX-License-Identifier: MIT */
#include "schema/ecma_names.h"

#include "base/ranges.h"

/* The first range that does not end before c; NULL if there is none. */
static const struct ecma_name_range *range_from(uint32_t c) {
    size_t i = ranges_from(ecma_name_ranges, ecma_n_name_ranges, sizeof *ecma_name_ranges, c);
    return i < ecma_n_name_ranges ? &ecma_name_ranges[i] : NULL;
}

bool ecma_is_in_name(uint32_t c, bool at_start) {
    const struct ecma_name_range *r = range_from(c);
    return r && r->first <= c && (r->starts || !at_start);
}

bool ecma_some_in_name(uint32_t first, uint32_t last) {
    const struct ecma_name_range *r = range_from(first);
    return r && r->first <= last;
}
