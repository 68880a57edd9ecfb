/* SPDX-License-Identifier: MIT
 *
 * Short cuts for unions of objects against the general way: languages of keys made part by part,
 * harmless members, exactly-one of what excludes each other, tables of verdicts. Random schemas
 * full of tags, required names, counts, conditions and negations are read by two machines, one of
 * which decides everything the long way; after every piece of text both must agree on what may
 * come next and on whether the text may end, and the end that the machine knows must be accepted.
 * So do arrays that count their items, planned and unrolled.
 */
#include <stdarg.h>

#include "automaton/json_internal.h"
#include "schema/json_schema.h"
#include "tests/test.h"

/* ---- schemas --------------------------------------------------------------------------------- */

struct writer {
    uint64_t random;
    char text[1 << 14];
    size_t length;
};

static uint32_t below(struct writer *w, uint32_t n) {
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((w->random >> 33) % n);
}

__attribute__((format(printf, 2, 3))) static void put(struct writer *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof w->text - w->length;
    int n = vsnprintf(w->text + w->length, room, format, arguments);
    va_end(arguments);
    if (n > 0 && (size_t)n < room) w->length += (size_t)n;
}

static const char *const names[] = {"a", "b", "c", "k"};
static const char *const scalars[] = {"0", "1", "2", "\"x\"", "\"y\"", "\"z\"", "null", "true"};

static const char *name(struct writer *w) {
    return names[below(w, 4)];
}

static const char *scalar(struct writer *w) {
    return scalars[below(w, 8)];
}

static void put_object_schema(struct writer *w, unsigned depth);

static void put_value_schema(struct writer *w, unsigned depth) {
    switch (below(w, depth ? 9 : 7)) {
    case 0: put(w, "{\"const\": %s}", scalar(w)); break;
    case 1: put(w, "{\"enum\": [%s, %s, %s]}", scalar(w), scalar(w), scalar(w)); break;
    case 2: put(w, "{\"type\": \"string\"}"); break;
    case 3: put(w, "{\"minimum\": %u}", below(w, 3)); break;
    case 4: put(w, "true"); break;
    case 5: put(w, "{\"type\": [\"string\", \"integer\"], \"pattern\": \"^[x-z]\"}"); break;
    case 6: put(w, "{\"not\": {\"const\": %s}}", scalar(w)); break;
    default: put_object_schema(w, depth - 1);
    }
}

static void put_rule(struct writer *w, unsigned depth) {
    static const char *const unions[] = {"anyOf", "oneOf", "allOf"};
    switch (below(w, depth ? 12 : 8)) {
    case 0:
    case 1:
        put(w, "\"properties\": {\"k\": ");
        put_value_schema(w, 0);
        put(w, ", \"%s\": ", names[below(w, 3)]);
        put_value_schema(w, depth);
        put(w, "}");
        break;
    case 2: put(w, "\"required\": [\"%s\"]", name(w)); break;
    case 3:
        put(w, "\"additionalProperties\": %s", below(w, 2) ? "false" : "{\"minimum\": 1}");
        break;
    case 4: put(w, "\"minProperties\": %u", below(w, 3)); break;
    case 5: put(w, "\"maxProperties\": %u", 1 + below(w, 3)); break;
    case 6: put(w, "\"dependentRequired\": {\"%s\": [\"%s\"]}", name(w), name(w)); break;
    case 7:
        put(w, "\"patternProperties\": {\"^[a%c]\": ", 'b' + (char)below(w, 2));
        put_value_schema(w, 0);
        put(w, "}");
        break;
    case 8:
        put(w, "\"if\": {\"properties\": {\"k\": {\"const\": %s}}}, \"then\": ", scalar(w));
        put_object_schema(w, depth - 1);
        break;
    case 9:
        put(w, "\"not\": ");
        put_object_schema(w, depth - 1);
        break;
    default:
        put(w, "\"%s\": [", unions[below(w, 3)]);
        for (uint32_t i = 0, n = 2 + below(w, 3); i < n; i++) {
            if (i) put(w, ", ");
            put_object_schema(w, depth - 1);
        }
        put(w, "]");
    }
}

/* Each rule in a schema of its own, so that words may come again. */
static void put_object_schema(struct writer *w, unsigned depth) {
    if (below(w, 12) == 0) {
        put(w, "{\"enum\": [{\"a\": %s, \"k\": %s}, {\"b\": %s}, {\"k\": %s}]}", scalar(w),
            scalar(w), scalar(w), scalar(w));
        return;
    }
    put(w, "{\"type\": \"object\", \"allOf\": [");
    for (uint32_t i = 0, n = 1 + below(w, 3); i < n; i++) {
        put(w, "%s{", i ? ", " : "");
        put_rule(w, depth);
        put(w, "}");
    }
    put(w, "]}");
}

/* Exactly one of several arrays, most of them told apart by their first item. */
static void put_array_union(struct writer *w) {
    put(w, "{\"%s\": [", below(w, 4) ? "oneOf" : "anyOf");
    for (uint32_t i = 0, n = 2 + below(w, 3); i < n; i++) {
        put(w, "%s{\"type\": \"array\", \"items\": ", i ? ", " : "");
        if (below(w, 3))
            put(w, "{\"type\": \"object\", \"properties\": {\"k\": {\"const\": %s}}%s}", scalar(w),
                below(w, 4) ? ", \"required\": [\"k\"]" : "");
        else
            put_value_schema(w, 0);
        put(w, ", \"minItems\": %u}", below(w, 3));
    }
    put(w, "]}");
}

/* Counts of several kinds of items, some of which exclude each other. */
static void put_array_schema(struct writer *w) {
    if (below(w, 2)) {
        put_array_union(w);
        return;
    }
    put(w, "{\"type\": \"array\", \"allOf\": [");
    for (uint32_t i = 0, n = 1 + below(w, 3); i < n; i++) {
        uint32_t least = below(w, 4);
        put(w, "%s{\"contains\": ", i ? ", " : "");
        put_value_schema(w, 0);
        put(w, ", \"minContains\": %u", least);
        if (below(w, 2)) put(w, ", \"maxContains\": %u", least + below(w, 3));
        put(w, "}");
    }
    put(w, "]");
    if (below(w, 2)) put(w, ", \"minItems\": %u", below(w, 5));
    if (below(w, 2)) put(w, ", \"maxItems\": %u", 1 + below(w, 6));
    if (below(w, 2)) {
        put(w, ", \"items\": ");
        put_value_schema(w, 0);
    }
    put(w, "}");
}

/* ---- machines -------------------------------------------------------------------------------- */

struct reader {
    struct json_machine *m;
    struct state s;
};

static uint32_t key_order(void *ctx, const goal_id *goals, uint32_t n, const uint32_t **list) {
    return json_schema_key_order(ctx, goals, n, list);
}

static const char *pointer(void *ctx, uint32_t schema_node) {
    return json_schema_pointer(ctx, schema_node);
}

static enum forma_status open_reader(struct reader *r, const char *text, size_t length,
                                     enum forma_keys keys, bool general) {
    struct forma_options o;
    struct forma_error err;
    forma_options_init(&o);
    o.style.keys = keys;
    o.style.blanks = FORMA_BLANKS_COMPACT;
    struct json_machine_options mo = {.style = o.style,
                                      .max_memory = (size_t)256 << 20,
                                      .max_nesting = 16,
                                      .max_work = o.max_work,
                                      .allocator = fa_default_allocator()};
    r->m = json_machine_new(&mo, &err);
    if (!r->m) return err.status;
    solver_set_general(r->m->solver, general);
    solver_set_planned_from(r->m->solver, 0);
    struct json_schema *s = json_schema_load(json_machine_goals(r->m), text, length, &o, &err);
    if (!s) return err.status;
    struct json_form form = {key_order, pointer, s};
    enum forma_status status =
        json_machine_start(r->m, json_schema_root(s), &form, NULL, NULL, &err);
    r->s = json_machine_base(r->m)->start;
    return status;
}

static void close_reader(struct reader *r) {
    json_machine_free(r->m);
}

/* Steps over a piece of text. */
static struct state step(struct reader *r, struct state s, const char *piece) {
    struct machine *base = json_machine_base(r->m);
    for (; *piece && !state_is_dead(s); piece++) s = machine_step(base, s, (unsigned char)*piece);
    return s;
}

static bool accepts(struct reader *r, struct state s) {
    return json_machine_base(r->m)->ops->accepts(json_machine_base(r->m), s);
}

static bool completes(struct reader *r) {
    unsigned char out[4096];
    struct machine *base = json_machine_base(r->m);
    size_t n = base->ops->completion(base, r->s, out, sizeof out);
    struct state s = r->s;
    if (n > sizeof out) return false;
    for (size_t i = 0; i < n; i++) s = machine_step(base, s, out[i]);
    return accepts(r, s);
}

/* ---- the comparison -------------------------------------------------------------------------- */

static const char *const pieces[] = {"{",     "}",     ",",   ":",    "\"a\"", "\"b\"", "\"c\"",
                                     "\"k\"", "\"d\"", "\"",  "\"a",  "0",     "1",     "2",
                                     "\"x\"", "\"y\"", "\"z", "null", "true",  "[",     "]"};
#define N_PIECES (sizeof pieces / sizeof *pieces)

/* One walk; false at the first difference. */
static bool walk(struct writer *w, struct reader *fast, struct reader *slow, char *text) {
    *text = '\0';
    for (int length = 0; length < 24; length++) {
        const char *possible[N_PIECES];
        uint32_t n = 0;
        bool ends = accepts(fast, fast->s);
        if (!CHECK(ends == accepts(slow, slow->s)) || !CHECK(completes(fast))) return false;
        for (size_t i = 0; i < N_PIECES; i++) {
            bool lives = !state_is_dead(step(fast, fast->s, pieces[i]));
            if (!CHECK(lives == !state_is_dead(step(slow, slow->s, pieces[i])))) {
                fprintf(stderr, "  piece %s is %s\n", pieces[i], lives ? "live" : "dead");
                return false;
            }
            if (lives) possible[n++] = pieces[i];
        }
        if (n == 0) return true; /* in the middle of a string that no piece goes on with */
        const char *next = possible[below(w, n)];
        strcat(text, next);
        fast->s = step(fast, fast->s, next);
        slow->s = step(slow, slow->s, next);
    }
    return true;
}

static void compare(uint64_t seed, enum forma_keys keys, long counts[2]) {
    struct writer w = {.random = seed};
    struct reader fast, slow;
    char text[512];
    below(&w, 2);
    if (seed % 4 == 0)
        put_array_schema(&w);
    else
        put_object_schema(&w, 3);
    enum forma_status a = open_reader(&fast, w.text, w.length, keys, false);
    enum forma_status b = open_reader(&slow, w.text, w.length, keys, true);
    bool limited = a == FORMA_ELIMIT || b == FORMA_ELIMIT;
    bool ok = limited || CHECK_INT(a, b);
    counts[0] += a == FORMA_OK;
    struct state start[2] = {fast.s, slow.s};
    for (int i = 0; ok && a == FORMA_OK && b == FORMA_OK && i < 6; i++) {
        fast.s = start[0];
        slow.s = start[1];
        ok = walk(&w, &fast, &slow, text);
        if (!ok) fprintf(stderr, "  after %s\n", text);
        counts[1]++;
    }
    if (fast.m && slow.m && (fast.m->base.narrowed || slow.m->base.narrowed)) counts[0]--;
    if (!ok)
        fprintf(stderr, "  seed %llu, keys %d: %s\n", (unsigned long long)seed, (int)keys, w.text);
    close_reader(&fast);
    close_reader(&slow);
}

int main(int argc, char **argv) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 400;
    long counts[2] = {0};
    for (uint64_t seed = first; seed < first + n && test_failed < 5; seed++)
        compare(seed, seed % 2 ? FORMA_KEYS_ANY : FORMA_KEYS_SCHEMA, counts);
    if (n >= 400) CHECK(counts[0] > (long)n / 3 && counts[1] > 2 * counts[0]);
    printf("%ld forms with values, %ld walks\n", counts[0], counts[1]);
    return test_done("alternatives");
}
