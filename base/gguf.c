/* SPDX-License-Identifier: MIT
 *
 * The file is read once, front to back, by a cursor that never passes the end:
 *
 *     "GGUF" | version u32 | tensors u64 | keys u64 | keys ... | tensors ... | padding | data
 *
 * Every count is compared with the bytes left before anything is allocated for it, so memory stays
 * proportional to the file. Names and keys are indexed by sorting (base/string_index.h), which also
 * shows duplicates.
 */
#include "base/gguf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/string_index.h"

#define MAX_KEY_BYTES    65535   /* the format's own limit */
#define MAX_NAME_BYTES   64      /* the format's own limit */
#define MAX_ENTRIES      1000000 /* keys, and tensors: far above any real file; 88 MB of records */
#define MAX_ARRAY_DEPTH  8       /* real files do not nest arrays at all */
#define MIN_VALUE_BYTES  14      /* key length 8, key 1, type 4, value 1 */
#define MIN_TENSOR_BYTES 33      /* name length 8, name 1, n_dims 4, one dim 8, type 4, offset 8 */

#define GET_AGAIN "; the file is damaged or cut short, fetch it again"

struct gguf {
    const struct forma_allocator *allocator;
    const unsigned char *base;
    uint64_t size;
    bool mapped; /* base is ours to unmap */
    uint32_t version;
    uint64_t alignment, data_start;
    struct gguf_value *values;
    struct gguf_tensor *tensors;
    struct string_index keys, names; /* of values, of tensors; they hold the counts */
};

/* ---- the cursor --------------------------------------------------------------------------- */

struct cursor {
    const unsigned char *base;
    uint64_t at, size;
    char place[80]; /* the key or tensor being read; "" before the first */
    struct forma_error *err;
};

__attribute__((format(printf, 2, 3))) static bool fail(struct cursor *c, const char *format, ...) {
    if (!c->err) return false;
    char message[sizeof c->err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    error_at_pointer(c->err, FORMA_EMODEL, c->place, "%s", message);
    c->err->offset = c->at;
    return false;
}

/* Keys and names go into messages: printable, cut to the room there is. */
static void set_place(struct cursor *c, struct gguf_string s) {
    size_t room = sizeof c->place - 1, n = s.length < room ? s.length : room;
    for (size_t i = 0; i < n; i++) {
        unsigned char b = (unsigned char)s.data[i];
        c->place[i] = b < 0x20 || b > 0x7e ? '?' : s.data[i];
    }
    c->place[n] = 0;
    if (n < s.length) memcpy(c->place + room - 3, "...", 3);
}

static uint64_t bytes_left(const struct cursor *c) {
    return c->size - c->at;
}

/* The next n bytes, or NULL: they would pass the end. */
static const unsigned char *take(struct cursor *c, uint64_t n, const char *what) {
    if (n > bytes_left(c)) {
        fail(c, "%s needs %" PRIu64 " bytes but %" PRIu64 " are left" GET_AGAIN, what, n,
             bytes_left(c));
        return NULL;
    }
    c->at += n;
    return c->base + (c->at - n);
}

static uint32_t load_u32(const unsigned char *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t load_u64(const unsigned char *p) {
    return (uint64_t)load_u32(p) | (uint64_t)load_u32(p + 4) << 32;
}

static bool take_u32(struct cursor *c, const char *what, uint32_t *out) {
    const unsigned char *p = take(c, 4, what);
    if (!p) return false;
    *out = load_u32(p);
    return true;
}

static bool take_u64(struct cursor *c, const char *what, uint64_t *out) {
    const unsigned char *p = take(c, 8, what);
    if (!p) return false;
    *out = load_u64(p);
    return true;
}

static bool take_string(struct cursor *c, const char *what, struct gguf_string *out) {
    uint64_t length;
    if (!take_u64(c, what, &length)) return false;
    const unsigned char *p = take(c, length, what);
    if (!p) return false;
    *out = (struct gguf_string){(const char *)p, (size_t)length};
    return true;
}

/* ---- values ------------------------------------------------------------------------------- */

/* Bytes of a scalar; 0 for strings and arrays. */
static uint32_t scalar_bytes(uint32_t type) {
    switch (type) {
    case GGUF_U8:
    case GGUF_I8:
    case GGUF_BOOL: return 1;
    case GGUF_U16:
    case GGUF_I16: return 2;
    case GGUF_U32:
    case GGUF_I32:
    case GGUF_F32: return 4;
    case GGUF_U64:
    case GGUF_I64:
    case GGUF_F64: return 8;
    default: return 0;
    }
}

static bool take_type(struct cursor *c, const char *what, enum gguf_value_type *out) {
    uint32_t type;
    if (!take_u32(c, what, &type)) return false;
    if (type > GGUF_F64) {
        c->at -= 4;
        return fail(c, "%s is %" PRIu32 " but the format knows 0 to %d" GET_AGAIN, what, type,
                    GGUF_F64);
    }
    *out = (enum gguf_value_type)type;
    return true;
}

static bool take_scalars(struct cursor *c, enum gguf_value_type type, uint64_t count) {
    uint64_t bytes = scalar_bytes(type);
    if (count > bytes_left(c) / bytes)
        return fail(c,
                    "%" PRIu64 " elements of %" PRIu64 " bytes do not fit into the %" PRIu64
                    " bytes left" GET_AGAIN,
                    count, bytes, bytes_left(c));
    const unsigned char *p = take(c, count * bytes, "the value");
    if (!p || type != GGUF_BOOL) return p != NULL;
    for (uint64_t i = 0; i < count; i++)
        if (p[i] > 1) {
            c->at -= count - i;
            return fail(c, "a boolean is %d instead of 0 or 1" GET_AGAIN, p[i]);
        }
    return true;
}

static bool take_array(struct cursor *c, enum gguf_value_type type, uint64_t count, unsigned depth);

static bool take_nested_array(struct cursor *c, unsigned depth) {
    enum gguf_value_type type = GGUF_U8;
    uint64_t count = 0;
    if (depth >= MAX_ARRAY_DEPTH)
        return fail(c, "arrays nest deeper than %d; no known model needs that", MAX_ARRAY_DEPTH);
    return take_type(c, "the element type", &type) && take_u64(c, "the element count", &count) &&
           take_array(c, type, count, depth + 1);
}

/* Walks the elements only: they stay in the file. Recursion is limited by MAX_ARRAY_DEPTH. */
static bool take_array(struct cursor *c, enum gguf_value_type type, uint64_t count,
                       unsigned depth) {
    if (type != GGUF_STRING && type != GGUF_ARRAY) return take_scalars(c, type, count);
    uint64_t least = type == GGUF_STRING ? 8 : 12;
    if (count > bytes_left(c) / least)
        return fail(c, "%" PRIu64 " elements do not fit into the %" PRIu64 " bytes left" GET_AGAIN,
                    count, bytes_left(c));
    for (uint64_t i = 0; i < count; i++) {
        struct gguf_string s;
        if (type == GGUF_STRING ? !take_string(c, "a string", &s) : !take_nested_array(c, depth))
            return false;
    }
    return true;
}

static bool take_key(struct cursor *c, struct gguf_string *key) {
    uint64_t start = c->at;
    c->place[0] = 0;
    if (!take_string(c, "a key", key)) return false;
    c->at = start;
    if (key->length == 0) return fail(c, "a key is empty" GET_AGAIN);
    if (key->length > MAX_KEY_BYTES)
        return fail(c, "a key has %zu bytes but the format allows %d" GET_AGAIN, key->length,
                    MAX_KEY_BYTES);
    for (size_t i = 0; i < key->length; i++) {
        unsigned char b = (unsigned char)key->data[i];
        if (b < 0x20 || b > 0x7e)
            return fail(c, "a key holds the byte 0x%02x but keys are ASCII text" GET_AGAIN, b);
    }
    c->at = start + 8 + key->length;
    set_place(c, *key);
    return true;
}

static bool take_value(struct cursor *c, struct gguf_value *v) {
    struct gguf_string s;
    memset(v, 0, sizeof *v);
    if (!take_key(c, &v->key) || !take_type(c, "the value type", &v->type)) return false;
    v->count = 1;
    v->element_type = v->type;
    uint64_t start = c->at;
    bool ok;
    if (v->type == GGUF_ARRAY) {
        if (!take_type(c, "the element type", &v->element_type) ||
            !take_u64(c, "the element count", &v->count))
            return false;
        start = c->at;
        ok = take_array(c, v->element_type, v->count, 0);
    } else if (v->type == GGUF_STRING) {
        ok = take_string(c, "the string", &s);
    } else {
        ok = take_scalars(c, v->type, 1);
    }
    v->data = c->base + start;
    v->bytes = c->at - start;
    return ok;
}

/* ---- tensors ------------------------------------------------------------------------------ */

static bool take_name(struct cursor *c, struct gguf_tensor *t) {
    uint64_t start = c->at;
    c->place[0] = 0;
    if (!take_string(c, "a tensor name", &t->name)) return false;
    c->at = start;
    if (t->name.length == 0) return fail(c, "a tensor name is empty" GET_AGAIN);
    if (t->name.length > MAX_NAME_BYTES)
        return fail(c, "a tensor name has %zu bytes but the format allows %d" GET_AGAIN,
                    t->name.length, MAX_NAME_BYTES);
    for (size_t i = 0; i < t->name.length; i++) {
        unsigned char b = (unsigned char)t->name.data[i];
        if (b < 0x20 || b == 0x7f)
            return fail(c, "a tensor name holds the control byte 0x%02x" GET_AGAIN, b);
    }
    c->at = start + 8 + t->name.length;
    memcpy(t->c_name, t->name.data, t->name.length); /* the rest is zero */
    set_place(c, t->name);
    return true;
}

static bool take_dims(struct cursor *c, struct gguf_tensor *t) {
    if (!take_u32(c, "the number of dimensions", &t->n_dims)) return false;
    if (t->n_dims < 1 || t->n_dims > 4) {
        c->at -= 4;
        return fail(c, "a tensor has %" PRIu32 " dimensions but 1 to 4 are allowed" GET_AGAIN,
                    t->n_dims);
    }
    t->n_elements = 1;
    for (uint32_t i = 0; i < 4; i++) {
        t->dims[i] = 1;
        if (i >= t->n_dims) continue;
        if (!take_u64(c, "a dimension", &t->dims[i])) return false;
        c->at -= 8;
        if (t->dims[i] == 0) return fail(c, "a dimension is 0" GET_AGAIN);
        if (__builtin_mul_overflow(t->n_elements, t->dims[i], &t->n_elements) ||
            t->n_elements > INT64_MAX)
            return fail(c, "the dimensions multiply to more than 2^63 elements" GET_AGAIN);
        c->at += 8;
    }
    return true;
}

/* Offsets are relative to data that starts after the last record, so `data` holds the offset for
 * now and `place_tensor` finishes. */
static bool take_tensor(struct cursor *c, struct gguf_tensor *t, uint64_t *offset) {
    memset(t, 0, sizeof *t);
    return take_name(c, t) && take_dims(c, t) && take_u32(c, "the tensor type", &t->type) &&
           take_u64(c, "the tensor offset", offset);
}

static bool place_tensor(struct cursor *c, const struct gguf *g, struct gguf_tensor *t,
                         uint64_t offset) {
    uint32_t block, block_bytes;
    set_place(c, t->name);
    c->at = (uint64_t)((const unsigned char *)t->name.data - g->base);
    if (offset % g->alignment)
        return fail(c,
                    "the tensor offset %" PRIu64
                    " is not a multiple of the alignment %" PRIu64 GET_AGAIN,
                    offset, g->alignment);
    if (g->data_start > g->size || offset > g->size - g->data_start)
        return fail(
            c, "the tensor starts at %" PRIu64 " of the data, beyond the end of the file" GET_AGAIN,
            offset);
    if (!gguf_type_block(t->type, &block, &block_bytes)) return true;
    if (t->dims[0] % block)
        return fail(c,
                    "a row has %" PRIu64 " weights, not a multiple of the block of %" PRIu32
                    " that %s needs" GET_AGAIN,
                    t->dims[0], block, gguf_type_name(t->type));
    uint64_t left = g->size - g->data_start - offset;
    if (__builtin_mul_overflow(t->n_elements / block, block_bytes, &t->bytes) || t->bytes > left)
        return fail(
            c, "the tensor (%" PRIu64 " weights of %s) ends beyond the end of the file" GET_AGAIN,
            t->n_elements, gguf_type_name(t->type));
    t->data = g->base + g->data_start + offset;
    return true;
}

/* ---- open --------------------------------------------------------------------------------- */

static bool take_header(struct cursor *c, struct gguf *g, uint64_t *n_tensors, uint64_t *n_values) {
    const unsigned char *magic = take(c, 4, "the magic");
    if (!magic) return false;
    if (memcmp(magic, "GGUF", 4) != 0) {
        c->at = 0;
        return fail(
            c, "this is not a GGUF file (it does not begin with \"GGUF\"); name a .gguf model");
    }
    if (!take_u32(c, "the version", &g->version)) return false;
    if (g->version != 2 && g->version != 3) {
        c->at = 4;
        if (g->version == 1)
            return fail(c, "GGUF version 1 is not supported; convert the file to version 3");
        if (g->version && (g->version & 0xffff) == 0)
            return fail(c, "the file is big-endian; forma reads little-endian GGUF only");
        return fail(c, "GGUF version %" PRIu32 " is not supported; forma reads 2 and 3",
                    g->version);
    }
    if (!take_u64(c, "the tensor count", n_tensors) || !take_u64(c, "the key count", n_values))
        return false;
    uint64_t room = bytes_left(c);
    if (*n_values > room / MIN_VALUE_BYTES || *n_tensors > room / MIN_TENSOR_BYTES)
        return fail(c,
                    "%" PRIu64 " keys and %" PRIu64 " tensors do not fit into the %" PRIu64
                    " bytes left" GET_AGAIN,
                    *n_values, *n_tensors, room);
    if (*n_values > MAX_ENTRIES || *n_tensors > MAX_ENTRIES)
        return fail(c,
                    "%" PRIu64 " keys and %" PRIu64 " tensors are more than the limit of %d each",
                    *n_values, *n_tensors, MAX_ENTRIES);
    return true;
}

static bool set_alignment(struct cursor *c, struct gguf *g) {
    const struct gguf_value *v = gguf_find(g, "general.alignment");
    g->alignment = 32;
    if (v) {
        set_place(c, v->key);
        c->at = (uint64_t)(v->data - g->base);
        if (!gguf_get_u64(g, "general.alignment", &g->alignment))
            return fail(c, "the alignment is not an integer" GET_AGAIN);
        if (g->alignment < 8 || g->alignment & (g->alignment - 1))
            return fail(c,
                        "the alignment %" PRIu64 " is not a power of two of at least 8" GET_AGAIN,
                        g->alignment);
    }
    return true;
}

/* The records have a length that the counts of the header bound; `take_header` checked those. */
static bool allocate(struct gguf *g, uint64_t n_tensors, uint64_t n_values, uint64_t **offsets) {
    const struct forma_allocator *a = g->allocator;
    g->values = fa_alloc(a, n_values * sizeof *g->values);
    g->tensors = fa_alloc(a, n_tensors * sizeof *g->tensors);
    g->keys =
        (struct string_index){g->values, sizeof *g->values,
                              fa_alloc(a, n_values * sizeof *g->keys.order), (uint32_t)n_values};
    g->names =
        (struct string_index){g->tensors, sizeof *g->tensors,
                              fa_alloc(a, n_tensors * sizeof *g->names.order), (uint32_t)n_tensors};
    *offsets = fa_alloc(a, n_tensors * sizeof **offsets);
    return (!n_values || (g->values && g->keys.order)) &&
           (!n_tensors || (g->tensors && g->names.order && *offsets));
}

/* Sorts, and refuses a string that is there twice. */
static bool make_index(struct cursor *c, struct string_index *x, const char *what) {
    string_index_sort(x);
    uint32_t i = string_index_duplicate(x);
    if (!i) return true;
    struct gguf_string s = string_index_at(x, i);
    set_place(c, s);
    c->at = (uint64_t)((const unsigned char *)s.data - c->base);
    return fail(c, "the %s appears twice; the file was written wrongly", what);
}

static bool read_records(struct cursor *c, struct gguf *g, uint64_t *offsets) {
    for (uint32_t i = 0; i < g->keys.n; i++)
        if (!take_value(c, &g->values[i])) return false;
    uint64_t at = c->at;
    if (!make_index(c, &g->keys, "key") || !set_alignment(c, g)) return false;
    c->at = at;
    for (uint32_t i = 0; i < g->names.n; i++)
        if (!take_tensor(c, &g->tensors[i], &offsets[i])) return false;
    if (__builtin_add_overflow(c->at, g->alignment - 1, &g->data_start)) g->data_start = UINT64_MAX;
    g->data_start &= ~(g->alignment - 1);
    if (!make_index(c, &g->names, "tensor")) return false;
    for (uint32_t i = 0; i < g->names.n; i++)
        if (!place_tensor(c, g, &g->tensors[i], offsets[i])) return false;
    return true;
}

static bool parse(struct gguf *g, struct forma_error *err) {
    struct cursor c = {g->base, 0, g->size, "", err};
    if (!g->size) return fail(&c, "the file is empty; fetch it again");
    uint64_t n_tensors = 0, n_values = 0, *offsets = NULL;
    if (!take_header(&c, g, &n_tensors, &n_values)) return false;
    bool ok = allocate(g, n_tensors, n_values, &offsets);
    if (!ok) error_set(err, FORMA_EMEMORY, "no memory for the directory of the model file");
    ok = ok && read_records(&c, g, offsets);
    fa_free(g->allocator, offsets, n_tensors * sizeof *offsets);
    return ok;
}

static struct gguf *new_gguf(const struct forma_allocator *allocator, struct forma_error *err) {
    allocator = fa_allocator_or_default(allocator);
    struct gguf *g = fa_alloc_zero(allocator, sizeof *g);
    if (!g)
        error_set(err, FORMA_EMEMORY, "no memory for the directory of the model file");
    else
        g->allocator = allocator;
    return g;
}

static bool map_file(struct gguf *g, const char *path, struct forma_error *err) {
    /* Without O_NONBLOCK a pipe nobody writes to would block here. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat s;
    if (file < 0 || fstat(file, &s) != 0) {
        error_set(err, FORMA_EIO, "cannot open the model file (%s); check the path",
                  strerror(errno));
        if (file >= 0) close(file);
        return false;
    }
    bool ok = false;
    if (S_ISDIR(s.st_mode))
        error_set(err, FORMA_EIO, "this is a directory; name a GGUF file in it");
    else if (!S_ISREG(s.st_mode))
        error_set(err, FORMA_EIO,
                  "this is not a regular file; models are memory-mapped, copy it "
                  "to a file first");
    else if ((uintmax_t)s.st_size > SIZE_MAX)
        error_set(err, FORMA_EIO, "the file is larger than the address space of this program");
    else if (s.st_size == 0) /* mmap refuses; the parser says it better */
        ok = true;
    else {
        void *p = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        ok = p != MAP_FAILED;
        if (!ok) error_set(err, FORMA_EIO, "cannot map the model file (%s)", strerror(errno));
        g->base = ok ? p : NULL;
        g->size = ok ? (uint64_t)s.st_size : 0;
        g->mapped = ok;
    }
    close(file);
    return ok;
}

struct gguf *gguf_open(const char *path, const struct forma_allocator *allocator,
                       struct forma_error *err) {
    struct gguf *g = new_gguf(allocator, err);
    if (!g) return NULL;
    if (map_file(g, path, err) && parse(g, err)) return g;
    gguf_close(g);
    return NULL;
}

struct gguf *gguf_open_memory(const void *data, size_t size,
                              const struct forma_allocator *allocator, struct forma_error *err) {
    struct gguf *g = new_gguf(allocator, err);
    if (!g) return NULL;
    g->base = data;
    g->size = size;
    if (parse(g, err)) return g;
    gguf_close(g);
    return NULL;
}

void gguf_close(struct gguf *g) {
    if (!g) return;
    const struct forma_allocator *a = g->allocator;
    fa_free(a, g->values, g->keys.n * sizeof *g->values);
    fa_free(a, g->keys.order, g->keys.n * sizeof *g->keys.order);
    fa_free(a, g->tensors, g->names.n * sizeof *g->tensors);
    fa_free(a, g->names.order, g->names.n * sizeof *g->names.order);
    if (g->mapped) munmap((void *)(uintptr_t)g->base, (size_t)g->size);
    fa_free(a, g, sizeof *g);
}

/* ---- look-up ------------------------------------------------------------------------------ */

uint32_t gguf_version(const struct gguf *g) {
    return g->version;
}

uint64_t gguf_file_size(const struct gguf *g) {
    return g->size;
}

uint64_t gguf_n_values(const struct gguf *g) {
    return g->keys.n;
}

const struct gguf_value *gguf_value_at(const struct gguf *g, uint64_t i) {
    return &g->values[i];
}

uint64_t gguf_n_tensors(const struct gguf *g) {
    return g->names.n;
}

const struct gguf_tensor *gguf_tensor_at(const struct gguf *g, uint64_t i) {
    return &g->tensors[i];
}

const struct gguf_value *gguf_find(const struct gguf *g, const char *key) {
    return string_index_find(&g->keys, key);
}

const struct gguf_tensor *gguf_find_tensor(const struct gguf *g, const char *name) {
    return string_index_find(&g->names, name);
}
