/* SPDX-License-Identifier: MIT
 *
 * forma info: what a GGUF file holds and whether forma can run it. Everything is read from the
 * file's directory; the last word on support comes from opening it as the runtime would
 * (tokenizer_open, model_open), so this command cannot promise what they refuse.
 */
#include <inttypes.h>
#include <string.h>

#include "base/gguf.h"
#include "cli/info_values.h"
#include "cli/options.h"
#include "runtime/model.h"
#include "runtime/tokenizer.h"

#define MAX_TYPES    32 /* rows of the type table; the format has 30 published codes */
#define MAX_REFUSALS 3

struct options {
    const char *model;
    bool tensors, keys;
};

#define AT(member)   offsetof(struct options, member)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct option info_options[] = {
    {"--model", 'm', OPTION_TEXT, AT(model), "FILE", "the file, in place of MODEL", 0, 0},
    {"--tensors", 0, OPTION_FLAG, AT(tensors), NULL,
     "list every tensor: type, bytes, dimensions (fastest first)", 0, 0},
    {"--keys", 0, OPTION_FLAG, AT(keys), NULL, "list all metadata", 0, 0},
};

struct type_row {
    uint32_t type;
    uint64_t tensors, weights, bytes;
};

/* What the file says; has_* tells whether it does. */
struct info {
    const struct gguf *file;
    struct gguf_string name, architecture, tokenizer, pre, license;
    uint64_t parameters, layers, embd, ff, heads, kv_heads, head_dim, value_dim, vocab, context;
    uint64_t bos, eos;
    double rope_base;
    bool has_bos, has_eos, has_rope_base, has_template, tied;
    uint64_t kv_f16; /* bytes a token; 0 = not known */
    struct type_row types[MAX_TYPES];
    uint32_t n_types;
    struct forma_error refusals[MAX_REFUSALS];
    uint32_t n_refusals;
};

/* ---- collecting --------------------------------------------------------------------------- */

/* "ARCHITECTURE.suffix" into `key`; cut when absurdly long, and then found nowhere. */
static const char *arch_key(const struct info *o, const char *suffix, char key[160]) {
    int n = o->architecture.length < 100 ? (int)o->architecture.length : 100;
    snprintf(key, 160, "%.*s.%s", n, n ? o->architecture.data : "", suffix);
    return key;
}

/* 0 when absent or not a number. */
static uint64_t shape_key(const struct info *o, const char *suffix) {
    char key[160];
    uint64_t x = 0;
    return gguf_get_u64(o->file, arch_key(o, suffix, key), &x) ? x : 0;
}

/* 2 bytes for each K and V element of each layer; 0 when the numbers are missing or absurd. */
static uint64_t kv_bytes_f16(const struct info *o) {
    uint64_t x = 0;
    if (__builtin_add_overflow(o->head_dim, o->value_dim, &x) ||
        __builtin_mul_overflow(x, o->kv_heads, &x) || __builtin_mul_overflow(x, o->layers, &x) ||
        x > UINT64_MAX / 4)
        return 0;
    return 2 * x;
}

static uint64_t add_saturated(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void count_tensors(struct info *o) {
    for (uint64_t i = 0; i < gguf_n_tensors(o->file); i++) {
        const struct gguf_tensor *t = gguf_tensor_at(o->file, i);
        uint32_t row = 0;
        while (row < o->n_types && o->types[row].type != t->type) row++;
        if (row == MAX_TYPES) row--; /* codes nobody published: they share the last row */
        if (row == o->n_types) o->types[o->n_types++].type = t->type;
        o->types[row].tensors++;
        o->types[row].weights = add_saturated(o->types[row].weights, t->n_elements);
        o->types[row].bytes += t->bytes;
        o->parameters = add_saturated(o->parameters, t->n_elements);
    }
}

static void read_shape(struct info *o) {
    const struct gguf *g = o->file;
    o->layers = shape_key(o, "block_count");
    o->embd = shape_key(o, "embedding_length");
    o->ff = shape_key(o, "feed_forward_length");
    o->heads = shape_key(o, "attention.head_count");
    o->kv_heads = shape_key(o, "attention.head_count_kv");
    o->context = shape_key(o, "context_length");
    o->head_dim = shape_key(o, "attention.key_length");
    o->value_dim = shape_key(o, "attention.value_length");
    char key[160]; /* absent = as many as query heads; a list (one for each layer) is not counted */
    if (!gguf_find(g, arch_key(o, "attention.head_count_kv", key))) o->kv_heads = o->heads;
    if (!o->head_dim && o->heads) o->head_dim = o->embd / o->heads;
    if (!o->value_dim) o->value_dim = o->head_dim;
    o->kv_f16 = kv_bytes_f16(o);
    o->tied = gguf_find_tensor(g, "token_embd.weight") && !gguf_find_tensor(g, "output.weight");
}

static void read_tokenizer(struct info *o) {
    const struct gguf *g = o->file;
    const struct gguf_value *tokens = gguf_find(g, "tokenizer.ggml.tokens");
    struct gguf_string s;
    gguf_get_string(g, "tokenizer.ggml.model", &o->tokenizer);
    gguf_get_string(g, "tokenizer.ggml.pre", &o->pre);
    o->has_bos = gguf_get_u64(g, "tokenizer.ggml.bos_token_id", &o->bos);
    o->has_eos = gguf_get_u64(g, "tokenizer.ggml.eos_token_id", &o->eos);
    o->has_template = gguf_get_string(g, "tokenizer.chat_template", &s);
    o->vocab = tokens && tokens->type == GGUF_ARRAY ? tokens->count : shape_key(o, "vocab_size");
}

static void refuse(struct info *o, const struct forma_error *err) {
    if (o->n_refusals < MAX_REFUSALS) o->refusals[o->n_refusals++] = *err;
}

/* FORMA_EMEMORY is our failure, not the file's; everything else is a reason why it will not run. */
static enum forma_status try_to_open(struct info *o, struct forma_error *err) {
    struct tokenizer *t = tokenizer_open(o->file, NULL, err);
    if (!t && err->status == FORMA_EMEMORY) return err->status;
    if (!t) refuse(o, err);
    tokenizer_free(t);
    struct model *m = model_open(o->file, NULL, err);
    if (!m && err->status == FORMA_EMEMORY) return err->status;
    if (!m) refuse(o, err);
    model_free(m);
    return FORMA_OK;
}

static enum forma_status collect(struct info *o, const struct gguf *g, struct forma_error *err) {
    memset(o, 0, sizeof *o);
    o->file = g;
    gguf_get_string(g, "general.architecture", &o->architecture);
    gguf_get_string(g, "general.name", &o->name);
    gguf_get_string(g, "general.license", &o->license);
    read_shape(o);
    char key[160];
    o->has_rope_base = gguf_get_f64(g, arch_key(o, "rope.freq_base", key), &o->rope_base);
    read_tokenizer(o);
    count_tensors(o);
    return try_to_open(o, err);
}

/* ---- text --------------------------------------------------------------------------------- */

static void label(const char *name) {
    printf("%-15s", name);
}

/* Nothing is printed for what the file does not say. */
static void print_string(const char *name, struct gguf_string s) {
    if (!s.length) return;
    label(name);
    info_print_string(stdout, s, 200);
    putchar('\n');
}

static void print_count(const char *name, uint64_t n, const char *unit) {
    char digits[INFO_NUMBER_BYTES];
    if (!n) return;
    label(name);
    printf("%s%s%s\n", info_number(n, digits), unit[0] ? " " : "", unit);
}

static void print_shape(const struct info *o) {
    char a[INFO_NUMBER_BYTES], b[INFO_NUMBER_BYTES];
    print_count("parameters", o->parameters, "");
    print_count("layers", o->layers, "");
    print_count("width", o->embd, "");
    print_count("feed-forward", o->ff, "");
    if (o->heads) {
        label("heads");
        printf("%" PRIu64 ", of width %" PRIu64 "; %" PRIu64 " for keys and values\n", o->heads,
               o->head_dim, o->kv_heads);
    }
    if (o->has_rope_base) label("rope base"), printf("%g\n", o->rope_base);
    print_count("context", o->context, "tokens");
    if (o->tied) label("output"), puts("tied to the embedding");
    if (o->kv_f16) {
        label("KV cache");
        printf("%s bytes a token in f16, %s in f32\n", info_number(o->kv_f16, a),
               info_number(2 * o->kv_f16, b));
    }
}

static void print_tokenizer(const struct info *o) {
    print_string("tokenizer", o->tokenizer);
    print_string("pre-tokenizer", o->pre);
    print_count("vocabulary", o->vocab, "tokens");
    if (o->has_bos)
        label("bos, eos"), printf("%" PRIu64, o->bos);
    else if (o->has_eos)
        label("bos, eos"), printf("none");
    if (o->has_eos) printf(", %" PRIu64, o->eos);
    if (o->has_bos || o->has_eos) putchar('\n');
    label("chat template");
    puts(o->has_template ? "yes" : "no");
}

static void print_types(const struct info *o) {
    char weights[INFO_NUMBER_BYTES], bytes[INFO_NUMBER_BYTES];
    if (!o->n_types) return;
    printf("\n%-14s %8s %16s %16s %12s\n", "type", "tensors", "weights", "bytes", "bits/weight");
    for (uint32_t i = 0; i < o->n_types; i++) {
        const struct type_row *r = &o->types[i];
        uint32_t block, block_bytes;
        printf("%-14s %8" PRIu64 " %16s ", gguf_type_name(r->type), r->tensors,
               info_number(r->weights, weights));
        if (gguf_type_block(r->type, &block, &block_bytes))
            printf("%16s %12.4g\n", info_number(r->bytes, bytes), 8.0 * block_bytes / block);
        else
            printf("%16s %12s (code %" PRIu32 ", not read)\n", "?", "?", r->type);
    }
}

static void print_tensors(const struct info *o) {
    char bytes[INFO_NUMBER_BYTES];
    printf("\n%-40s %-8s %14s  %s\n", "tensor", "type", "bytes", "dimensions");
    for (uint64_t i = 0; i < gguf_n_tensors(o->file); i++) {
        const struct gguf_tensor *t = gguf_tensor_at(o->file, i);
        int width = t->name.length < 40 ? (int)t->name.length : 40;
        info_print_string(stdout, t->name, t->name.length);
        printf("%*s %-8s %14s  ", 40 - width, "", gguf_type_name(t->type),
               t->data ? info_number(t->bytes, bytes) : "?");
        for (uint32_t d = 0; d < t->n_dims; d++) printf("%s%" PRIu64, d ? " x " : "", t->dims[d]);
        putchar('\n');
    }
}

static void print_keys(const struct info *o) {
    putchar('\n');
    for (uint64_t i = 0; i < gguf_n_values(o->file); i++) {
        const struct gguf_value *v = gguf_value_at(o->file, i);
        printf("%.*s = ", (int)v->key.length, v->key.data);
        info_print_value(stdout, v);
        putchar('\n');
    }
}

static void print_refusals(const struct info *o) {
    putchar('\n');
    label("forma runs it");
    puts(o->n_refusals ? "no" : "yes");
    for (uint32_t i = 0; i < o->n_refusals; i++) {
        const struct forma_error *e = &o->refusals[i];
        label("  because");
        printf("%s%s%s\n", e->pointer, e->pointer[0] ? ": " : "", e->message);
    }
}

static void print_text(const struct info *o, const struct options *options) {
    char digits[INFO_NUMBER_BYTES];
    label("file");
    puts(options->model);
    print_count("size", gguf_file_size(o->file), "bytes");
    label("format");
    printf("GGUF %" PRIu32 ", %" PRIu64 " keys, %s tensors\n", gguf_version(o->file),
           gguf_n_values(o->file), info_number(gguf_n_tensors(o->file), digits));
    print_string("architecture", o->architecture);
    print_string("name", o->name);
    print_string("licence", o->license);
    print_shape(o);
    print_tokenizer(o);
    print_types(o);
    print_refusals(o);
    if (options->tensors) print_tensors(o);
    if (options->keys) print_keys(o);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void json_string(const char *name, struct gguf_string s) {
    printf(", \"%s\": ", name);
    if (s.data)
        cli_json_string(stdout, s.data, s.length);
    else
        printf("null");
}

static void json_count(const char *name, uint64_t n, bool known) {
    if (known)
        printf(", \"%s\": %" PRIu64, name, n);
    else
        printf(", \"%s\": null", name);
}

static void json_types(const struct info *o) {
    printf(", \"types\": [");
    for (uint32_t i = 0; i < o->n_types; i++) {
        const struct type_row *r = &o->types[i];
        uint32_t block, bytes;
        bool read = gguf_type_block(r->type, &block, &bytes);
        printf("%s{\"type\": \"%s\", \"code\": %" PRIu32 ", \"tensors\": %" PRIu64
               ", \"weights\": %" PRIu64,
               i ? ", " : "", gguf_type_name(r->type), r->type, r->tensors, r->weights);
        json_count("bytes", r->bytes, read);
        printf(", \"supported\": %s}", read ? "true" : "false");
    }
    printf("]");
}

static void json_refusals(const struct info *o) {
    printf(", \"supported\": %s, \"not_supported\": [", o->n_refusals ? "false" : "true");
    for (uint32_t i = 0; i < o->n_refusals; i++) {
        const struct forma_error *e = &o->refusals[i];
        printf("%s{\"message\": ", i ? ", " : "");
        cli_json_string(stdout, e->message, strlen(e->message));
        printf(", \"pointer\": ");
        if (e->has_pointer)
            cli_json_string(stdout, e->pointer, strlen(e->pointer));
        else
            printf("null");
        printf("}");
    }
    printf("]");
}

static void json_tensors(const struct info *o) {
    printf(", \"tensors\": [");
    for (uint64_t i = 0; i < gguf_n_tensors(o->file); i++) {
        const struct gguf_tensor *t = gguf_tensor_at(o->file, i);
        printf("%s{\"name\": ", i ? ", " : "");
        cli_json_string(stdout, t->name.data, t->name.length);
        printf(", \"type\": \"%s\", \"code\": %" PRIu32 ", \"dims\": [", gguf_type_name(t->type),
               t->type);
        for (uint32_t d = 0; d < t->n_dims; d++) printf("%s%" PRIu64, d ? ", " : "", t->dims[d]);
        printf("]");
        json_count("bytes", t->bytes, t->data != NULL);
        printf("}");
    }
    printf("]");
}

static void json_keys(const struct info *o) {
    printf(", \"keys\": {");
    for (uint64_t i = 0; i < gguf_n_values(o->file); i++) {
        const struct gguf_value *v = gguf_value_at(o->file, i);
        printf("%s", i ? ", " : "");
        cli_json_string(stdout, v->key.data, v->key.length);
        printf(": ");
        info_json_value(stdout, v);
    }
    printf("}");
}

static void print_json(const struct info *o, const struct options *options) {
    printf("{\"file\": ");
    cli_json_string(stdout, options->model, strlen(options->model));
    json_count("file_bytes", gguf_file_size(o->file), true);
    json_count("gguf_version", gguf_version(o->file), true);
    json_string("architecture", o->architecture);
    json_string("name", o->name);
    json_string("license", o->license);
    json_count("parameters", o->parameters, true);
    json_count("n_layers", o->layers, o->layers);
    json_count("n_embd", o->embd, o->embd);
    json_count("n_ff", o->ff, o->ff);
    json_count("n_heads", o->heads, o->heads);
    json_count("n_kv_heads", o->kv_heads, o->kv_heads);
    json_count("head_dim", o->head_dim, o->head_dim);
    json_count("n_ctx_train", o->context, o->context);
    json_count("n_vocab", o->vocab, o->vocab);
    printf(", \"tied_head\": %s", o->tied ? "true" : "false");
    if (o->kv_f16)
        printf(", \"kv_bytes_per_token\": {\"f16\": %" PRIu64 ", \"f32\": %" PRIu64 "}", o->kv_f16,
               2 * o->kv_f16);
    else
        printf(", \"kv_bytes_per_token\": null");
    printf(", \"tokenizer\": {\"chat_template\": %s", o->has_template ? "true" : "false");
    json_string("model", o->tokenizer);
    json_string("pre", o->pre);
    json_count("bos", o->bos, o->has_bos);
    json_count("eos", o->eos, o->has_eos);
    printf("}");
    json_types(o);
    json_refusals(o);
    if (options->tensors) json_tensors(o);
    if (options->keys) json_keys(o);
    printf("}\n");
}

/* ---- the command -------------------------------------------------------------------------- */

static int run(const struct options *options, bool json) {
    struct forma_error err;
    struct info info;
    struct gguf *g = gguf_open(options->model, NULL, &err);
    if (!g) return cli_fail(json, options->model, &err);
    int status = CLI_OK;
    if (collect(&info, g, &err) != FORMA_OK)
        status = cli_fail(json, options->model, &err);
    else if (json)
        print_json(&info, options);
    else
        print_text(&info, options);
    gguf_close(g);
    return status;
}

int cmd_info(int argc, char **argv) {
    struct options options = {0};
    struct common_args common = {0};
    struct forma_error err;
    bool json = cli_wants_json(argc, argv);
    const struct option_group groups[] = {
        {"Options", info_options, COUNT(info_options), &options},
        {"Common", common_options, n_common_options, &common},
    };
    const struct command command = {
        .usage = "forma info MODEL [options]",
        .about = "What a GGUF file holds: shape, tokenizer, memory, tensor types, and whether "
                 "forma can run it.",
        .groups = groups,
        .n_groups = COUNT(groups),
    };
    int n_words = options_parse(&command, argc, argv, &err);
    if (n_words < 0) return cli_fail(json, NULL, &err);
    if (common.help) {
        options_print_help(&command, stdout);
        return CLI_OK;
    }
    if (n_words + (options.model != NULL) > 1)
        return cli_wrong(json, "more than one model is named; name one");
    if (n_words) options.model = argv[1];
    if (!options.model) return cli_wrong(json, "which model? Try forma info MODEL.gguf");
    return run(&options, common.json);
}
