/* SPDX-License-Identifier: MIT
 *
 * Forms for tests of the JSON machine: the text of a schema, or "@" and the name of a goal made
 * here. Goals that no keyword of the schema layer makes are read all the same:
 *
 *     @one       an object with exactly one of a and b
 *     @none      exactly one of a, b, a: so b, null; or a string
 *     @names     three members at least, named by one or two letters of a to c
 *     @two       a and b, null, one of them at least
 *     @all       a, b and c, null, in any order
 *     @contains  an array: null, a boolean, ...; two or three strings somewhere
 *     @not       b, and not both a and b
 *     @if        if t is null then u must come, else it may not
 *     @pattern   names a and b only; a is a string
 */
#ifndef FORMA_TESTS_FORMS_H
#define FORMA_TESTS_FORMS_H

#include "forma.h"

struct forma_grammar *form_with(const char *form, const struct forma_options *o,
                                struct forma_error *err);

#endif
