/* SPDX-License-Identifier: MIT
 *
 * Vocabularies for tests, made by rule. Each has end tokens at its last ids.
 */
#ifndef FORMA_TESTS_VOCABULARY_H
#define FORMA_TESTS_VOCABULARY_H

#include "tokenmask/vocabulary.h"

/* One token a byte (id = byte) and one end token (256). */
struct forma_vocabulary *vocabulary_of_bytes(const struct forma_allocator *allocator);
/* All bytes but a few, what JSON texts are full of, numbers, words, pieces of characters, tokens
 * with equal bytes, control tokens and two end tokens: about n tokens, seeded. */
struct forma_vocabulary *vocabulary_random(uint64_t seed, uint32_t n);
/* Spells a text by tokens drawn at random: at each place any whose bytes come next. Returns how many
 * they are, SIZE_MAX where none fits (the start is not taken back) or `capacity` is too small. */
size_t vocabulary_spell(const struct forma_vocabulary *v, const char *text, size_t length,
                        uint64_t *random, uint32_t *ids, size_t capacity);

#endif
