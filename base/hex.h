/* SPDX-License-Identifier: MIT
 *
 * Hexadecimal digits, of either case.
 */
#ifndef FORMA_BASE_HEX_H
#define FORMA_BASE_HEX_H

/* Its value, or -1: any other character, or the -1 of "no more text". */
static inline int hex_digit(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

#endif
