/* SPDX-License-Identifier: MIT
 *
 * Random JSON Schemas for property tests: type, enum, const, properties, required,
 * additionalProperties, items, prefixItems, the counts and lengths, the number keywords, pattern,
 * anyOf, allOf, $ref into $defs (recursive too) and booleans. Most have values, some have none.
 */
#ifndef FORMA_TESTS_RANDOM_SCHEMA_H
#define FORMA_TESTS_RANDOM_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

/* Writes a schema, terminated; returns its length, or 0 where `capacity` does not suffice. The
 * same seed gives the same text. */
size_t random_schema(uint64_t *random, char *out, size_t capacity);

#endif
