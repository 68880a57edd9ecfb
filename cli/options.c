/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

#define HELP_COLUMN 30
#define HELP_WIDTH  79
#define WORD_MAX    64 /* of an option in a message */

const struct option common_options[] = {
    {"--json", 0, OPTION_FLAG, offsetof(struct common_args, json), NULL,
     "the result, or the error, as one JSON object on stdout", 0, 0},
    {"--quiet", 'q', OPTION_FLAG, offsetof(struct common_args, quiet), NULL,
     "no warnings, no progress; `check` prints no verdict", 0, 0},
    {"--verbose", 'v', OPTION_REPEAT, offsetof(struct common_args, verbose), NULL,
     "notes on stderr, such as schema keywords without effect", 0, 0},
    {"--help", 'h', OPTION_FLAG, offsetof(struct common_args, help), NULL, "this text", 0, 0},
};
const size_t n_common_options = sizeof common_options / sizeof *common_options;

/* ---- nearest word ------------------------------------------------------------------------- */

const char *options_nearest(const char *word, const char *const *words, size_t n) {
    const char *best = NULL;
    size_t n_letters = strlen(word + strspn(word, "-")); /* two of four are another word */
    size_t best_distance = n_letters < 5 ? 1 : n_letters < 9 ? 2 : n_letters / 3;
    for (size_t i = 0; i < n; i++) {
        size_t d = words_distance(word, strlen(word), words[i], strlen(words[i]));
        if (d > best_distance || (best && d == best_distance)) continue;
        best = words[i];
        best_distance = d;
    }
    return best;
}

static enum forma_status unknown_option(const struct command *c, const char *word,
                                        struct forma_error *err) {
    const char *names[256];
    size_t n = 0;
    for (size_t g = 0; g < c->n_groups; g++)
        for (size_t i = 0; i < c->groups[g].n_options && n < sizeof names / sizeof *names; i++)
            if (c->groups[g].options[i].name) names[n++] = c->groups[g].options[i].name;
    const char *nearest = strncmp(word, "--", 2) == 0 ? options_nearest(word, names, n) : NULL;
    if (nearest)
        return error_set(err, FORMA_EINVAL, "unknown option %.60s; did you mean %s?", word,
                         nearest);
    return error_set(err, FORMA_EINVAL, "unknown option %.60s; --help lists the options", word);
}

/* ---- values ------------------------------------------------------------------------------- */

static bool parse_u64(const char *text, uint64_t *out, const char **end) {
    char *stop;
    if (*text < '0' || *text > '9') return false;
    errno = 0;
    *out = strtoull(text, &stop, 10);
    *end = stop;
    return errno == 0;
}

static bool parse_size(const char *text, size_t *out) {
    uint64_t value;
    const char *end;
    unsigned shift = 0;
    if (!parse_u64(text, &value, &end)) return false;
    switch (*end) {
    case 'k':
    case 'K': shift = 10; break;
    case 'm':
    case 'M': shift = 20; break;
    case 'g':
    case 'G': shift = 30; break;
    default: break;
    }
    if (shift) end++;
    if (*end || value > (uint64_t)SIZE_MAX >> shift) return false;
    *out = (size_t)(value << shift);
    return true;
}

int options_choice(const char *word, const char *words) {
    size_t length = strlen(word);
    int index = 0;
    for (const char *p = words;; index++) {
        size_t n = strcspn(p, "|");
        if (n == length && memcmp(p, word, n) == 0) return index;
        if (!p[n]) return -1;
        p += n + 1;
    }
}

static bool parse_choice(const char *text, const char *words, int *out) {
    *out = options_choice(text, words);
    return *out >= 0;
}

static bool has_bounds(const struct option *o) {
    return o->least != 0 || o->most != 0;
}

static bool parse_number(const struct option *o, const char *text, float *out) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value)) return false;
    if (has_bounds(o) && (value < o->least || value > o->most)) return false;
    *out = (float)value;
    return isfinite(*out);
}

static bool parse_count(const struct option *o, const char *text, uint32_t *out) {
    uint64_t value;
    const char *end;
    if (!parse_u64(text, &value, &end) || *end || value > UINT32_MAX) return false;
    if (has_bounds(o) && ((double)value < o->least || (double)value > o->most)) return false;
    *out = (uint32_t)value;
    return true;
}

static enum forma_status bad_value(const struct option *o, const char *spelled, const char *text,
                                   struct forma_error *err) {
    char bounds[80] = "";
    if (has_bounds(o)) snprintf(bounds, sizeof bounds, " from %.10g to %.10g", o->least, o->most);
    const char *want = "a value";
    switch (o->kind) {
    case OPTION_COUNT: want = "a whole number"; break;
    case OPTION_SEED: want = "a whole number from 0 to 2^64 - 1"; break;
    case OPTION_SIZE: want = "a size such as 4096, 64M or 1G"; break;
    case OPTION_AMOUNT: want = "a whole number such as 500 or 64K"; break;
    case OPTION_NUMBER: want = "a number"; break;
    case OPTION_CHOICE: want = o->value; break;
    default: break;
    }
    return error_set(err, FORMA_EINVAL, "option %s: \"%.60s\" is not %s%s%s", spelled, text,
                     o->kind == OPTION_CHOICE ? "one of " : "", want, bounds);
}

/* `text` is NULL for flags. `spelled` is the option as the user wrote it. */
static enum forma_status set_value(const struct option *o, void *values, const char *spelled,
                                   const char *text, struct forma_error *err) {
    void *target = (char *)values + o->offset;
    const char *end;
    bool ok = true;
    switch (o->kind) {
    case OPTION_FLAG: *(bool *)target = true; break;
    case OPTION_REPEAT: ++*(unsigned *)target; break;
    case OPTION_FORM:
        if (*(const char **)target)
            return error_set(err, FORMA_EINVAL, "option %s is there twice; give one form", spelled);
        *(const char **)target = text;
        break;
    case OPTION_TEXT: *(const char **)target = text; break;
    case OPTION_LIST: {
        struct option_list *list = target;
        if (list->count == OPTION_LIST_MAX)
            return error_set(err, FORMA_EINVAL, "option %s: at most %d are allowed", spelled,
                             OPTION_LIST_MAX);
        list->items[list->count++] = text;
        break;
    }
    case OPTION_COUNT: ok = parse_count(o, text, target); break;
    case OPTION_SEED: {
        struct option_seed *seed = target;
        ok = parse_u64(text, &seed->value, &end) && !*end;
        seed->given = true;
        break;
    }
    case OPTION_SIZE:
    case OPTION_AMOUNT: ok = parse_size(text, target); break;
    case OPTION_NUMBER: ok = parse_number(o, text, target); break;
    case OPTION_CHOICE: ok = parse_choice(text, o->value, target); break;
    case OPTION_UNSUPPORTED:
        return error_set(err, FORMA_EUNSUPPORTED, "option %s is not supported yet; %s", spelled,
                         o->help);
    }
    return ok ? FORMA_OK : bad_value(o, spelled, text, err);
}

/* ---- parsing ------------------------------------------------------------------------------ */

struct found {
    const struct option *option;
    void *values;
};

static struct found find_name(const struct command *c, const char *name, size_t length) {
    for (size_t g = 0; g < c->n_groups; g++) {
        for (size_t i = 0; i < c->groups[g].n_options; i++) {
            const struct option *o = &c->groups[g].options[i];
            if (o->name && strlen(o->name) == length && memcmp(o->name, name, length) == 0)
                return (struct found){o, c->groups[g].values};
        }
    }
    return (struct found){NULL, NULL};
}

static struct found find_letter(const struct command *c, char letter) {
    for (size_t g = 0; g < c->n_groups; g++)
        for (size_t i = 0; i < c->groups[g].n_options; i++)
            if (c->groups[g].options[i].letter == letter)
                return (struct found){&c->groups[g].options[i], c->groups[g].values};
    return (struct found){NULL, NULL};
}

static bool takes_value(const struct option *o) {
    return o->kind != OPTION_FLAG && o->kind != OPTION_REPEAT &&
           !(o->kind == OPTION_UNSUPPORTED && !o->value);
}

static enum forma_status parse_long(const struct command *c, int argc, char **argv, int *i,
                                    struct forma_error *err) {
    const char *word = argv[*i], *equals = strchr(word, '='), *value = NULL;
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    struct found f = find_name(c, word, length);
    char spelled[WORD_MAX];
    snprintf(spelled, sizeof spelled, "%.*s", (int)(length < 60 ? length : 60), word);
    if (!f.option) return unknown_option(c, spelled, err);
    if (takes_value(f.option) && f.option->kind != OPTION_UNSUPPORTED) {
        if (equals)
            value = equals + 1;
        else if (*i + 1 < argc)
            value = argv[++*i];
        else
            return error_set(err, FORMA_EINVAL, "option %s needs a value: %s", spelled,
                             f.option->value);
    } else if (equals && f.option->kind != OPTION_UNSUPPORTED) {
        return error_set(err, FORMA_EINVAL, "option %s takes no value", spelled);
    }
    return set_value(f.option, f.values, spelled, value, err);
}

static enum forma_status parse_letters(const struct command *c, int argc, char **argv, int *i,
                                       struct forma_error *err) {
    for (const char *p = argv[*i] + 1; *p; p++) {
        char spelled[3] = {'-', *p, '\0'};
        struct found f = find_letter(c, *p);
        enum forma_status status;
        if (!f.option) return unknown_option(c, spelled, err);
        if (!takes_value(f.option)) {
            status = set_value(f.option, f.values, spelled, NULL, err);
            if (status != FORMA_OK) return status;
            continue;
        }
        if (p[1]) return set_value(f.option, f.values, spelled, p + 1, err);
        if (*i + 1 < argc) return set_value(f.option, f.values, spelled, argv[++*i], err);
        return error_set(err, FORMA_EINVAL, "option %s needs a value: %s", spelled,
                         f.option->value);
    }
    return FORMA_OK;
}

int options_parse(const struct command *c, int argc, char **argv, struct forma_error *err) {
    int n = 0;
    bool options = true;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        enum forma_status status = FORMA_OK;
        if (options && strcmp(word, "--") == 0)
            options = false;
        else if (!options || word[0] != '-' || !word[1])
            argv[++n] = argv[i];
        else if (word[1] == '-')
            status = parse_long(c, argc, argv, &i, err);
        else
            status = parse_letters(c, argc, argv, &i, err);
        if (status != FORMA_OK) return -1;
    }
    return n;
}

/* ---- help --------------------------------------------------------------------------------- */

/* Words from the current column on, wrapped, further lines indented. */
static void print_wrapped(FILE *out, const char *text, size_t column, size_t indent) {
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > indent && column + 1 + word > HELP_WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, word, out);
        column += word;
        text += word;
        while (*text == ' ') text++;
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const struct option *o) {
    char head[128];
    char letter[4] = "";
    if (o->letter) snprintf(letter, sizeof letter, "-%c", o->letter);
    int n = snprintf(head, sizeof head, "  %s%s%s%s%s", letter, o->letter && o->name ? ", " : "",
                     o->name ? o->name : "", o->value ? " " : "", o->value ? o->value : "");
    fputs(head, out);
    if (n + 2 > HELP_COLUMN)
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    else
        fprintf(out, "%*s", HELP_COLUMN - n, "");
    print_wrapped(out, o->help, HELP_COLUMN, HELP_COLUMN);
}

void options_print_help(const struct command *c, FILE *out) {
    fprintf(out, "Usage: %s\n\n", c->usage);
    print_wrapped(out, c->about, 0, 0);
    for (size_t g = 0; g < c->n_groups; g++) {
        if (!c->groups[g].title) continue;
        fprintf(out, "\n%s:\n", c->groups[g].title);
        for (size_t i = 0; i < c->groups[g].n_options; i++)
            if (c->groups[g].options[i].kind != OPTION_UNSUPPORTED)
                print_option(out, &c->groups[g].options[i]);
    }
}
