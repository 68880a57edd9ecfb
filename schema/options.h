/* SPDX-License-Identifier: MIT
 *
 * Are the options of a compile within their bounds? For every kind of form.
 */
#ifndef FORMA_SCHEMA_OPTIONS_H
#define FORMA_SCHEMA_OPTIONS_H

#include "forma.h"

enum forma_status options_check(const struct forma_options *options, struct forma_error *err);

#endif
