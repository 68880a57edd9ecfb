/* SPDX-License-Identifier: MIT
 *
 * Command-line options as tables: a command lists its groups, each a constant table over a struct
 * of values; parsing fills the structs, the same tables print the help. `--name VALUE`,
 * `--name=VALUE`, `-x VALUE`, `-xVALUE`; `--` ends the options. Unknown names are errors that
 * name the nearest one.
 */
#ifndef FORMA_CLI_OPTIONS_H
#define FORMA_CLI_OPTIONS_H

#include "cli/common.h"

enum option_kind {
    OPTION_FLAG,        /* bool */
    OPTION_REPEAT,      /* unsigned: how often it was given */
    OPTION_TEXT,        /* const char * */
    OPTION_FORM,        /* const char *, once: two forms at a time are an error */
    OPTION_LIST,        /* struct option_list: each occurrence */
    OPTION_COUNT,       /* uint32_t */
    OPTION_SEED,        /* struct option_seed */
    OPTION_SIZE,        /* size_t, with K, M, G for powers of 1024 */
    OPTION_AMOUNT,      /* the same, for what is no number of bytes */
    OPTION_NUMBER,      /* float */
    OPTION_CHOICE,      /* int: index among the words of `value` ("a|b|c") */
    OPTION_UNSUPPORTED, /* known by name, refused: forma does not do it yet */
};

struct option {
    const char *name; /* "--temp"; NULL when there is only a letter */
    char letter;      /* 'm'; 0 = none */
    enum option_kind kind;
    size_t offset;     /* of the value in the group's struct */
    const char *value; /* what the value is, for the help; NULL for flags */
    const char *help;
    double least, most; /* of COUNT and NUMBER; both 0: no bounds */
};

struct option_group {
    const char *title; /* NULL: not in the help */
    const struct option *options;
    size_t n_options;
    void *values;
};

struct option_seed {
    uint64_t value;
    bool given;
};

#define OPTION_LIST_MAX 64
struct option_list {
    const char *items[OPTION_LIST_MAX];
    size_t count;
};

struct command {
    const char *usage; /* "forma check [form] [FILE|-]" */
    const char *about;
    const struct option_group *groups;
    size_t n_groups;
};

/* Fills the groups' structs and moves the arguments that are no options to argv[1..]; returns how
 * many those are, or -1 when an error was set. */
int options_parse(const struct command *c, int argc, char **argv, struct forma_error *err);
void options_print_help(const struct command *c, FILE *out);

/* The index of a word among those of "a|b|c", or -1. */
int options_choice(const char *word, const char *words);
/* The nearest of n words, or NULL when none is near. */
const char *options_nearest(const char *word, const char *const *words, size_t n);

/* What every command takes. */
struct common_args {
    bool json, quiet, help;
    unsigned verbose;
};
extern const struct option common_options[];
extern const size_t n_common_options;

#endif
