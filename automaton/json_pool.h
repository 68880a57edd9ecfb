/* SPDX-License-Identifier: MIT
 *
 * Machines that were given back, empty and ready to be used again. A fresh machine touches some twenty
 * pages of new memory, and each costs the system about as long as a microsecond of work; so a
 * vocabulary keeps a few machines that are done. Nothing that a form left in a machine stays: it is
 * zeroed and made anew, by the code that makes the first one.
 *
 * A pool lives as long as its owner or any machine that was taken from it. Threads may share it.
 */
#ifndef FORMA_AUTOMATON_JSON_POOL_H
#define FORMA_AUTOMATON_JSON_POOL_H

#include "automaton/json_machine.h"

struct json_pool;

/* NULL: no memory. The allocator must outlive pool and machines. */
struct json_pool *json_pool_new(const struct forma_allocator *allocator);
/* The owner needs it no longer. NULL is fine. */
void json_pool_release(struct json_pool *pool);

/* As json_machine_new; json_machine_free gives it back. A pool with another allocator than the
 * options', or none (NULL), makes a machine that is nobody's. */
struct json_machine *json_pool_take(struct json_pool *pool,
                                    const struct json_machine_options *options,
                                    struct forma_error *err);

/* The pool of a vocabulary (which may be NULL). The vocabulary, in tokenmask/, is the owner. */
struct json_pool *forma_vocabulary_machines(const struct forma_vocabulary *vocabulary);

/* ---- for json_machine.c ----------------------------------------------------------------------- */

/* A machine that was taken is given back, made ready. */
void json_pool_give(struct json_pool *pool, struct json_machine *m);
/* A machine that was taken is no more. */
void json_pool_forget(struct json_pool *pool);

#endif
