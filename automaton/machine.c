/* SPDX-License-Identifier: MIT
 *
 * Why a machine gives no answer any more, in words.
 */
#include "automaton/machine.h"

#include "base/error.h"

enum forma_status machine_error(const struct machine *m, struct forma_error *err) {
    if (m->too_many_states)
        return error_set(err, FORMA_ELIMIT,
                         "the grammar's limit of states is met; raise max_states");
    return error_set(err, FORMA_ELIMIT,
                     "the grammar's memory limit is used up (%zu bytes carved); raise max_memory",
                     m->ops->memory(m));
}
