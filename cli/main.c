/* SPDX-License-Identifier: MIT
 *
 * The `forma` command: finds the subcommand and hands over. Exit statuses are in cli/common.h.
 */
#include <signal.h>
#include <string.h>

#include "cli/options.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} commands[] = {
    {"generate", cmd_generate, "write a text with a model, free or in a form"},
    {"check", cmd_check, "is this text in the form?"},
    {"mask", cmd_mask, "which tokens may come next?"},
    {"explain", cmd_explain, "what becomes of every keyword; what may come next, and why"},
    {"sample", cmd_sample, "texts of a form, without a model"},
    {"tokenize", cmd_tokenize, "text to token ids and back"},
    {"info", cmd_info, "what a model file holds"},
    {"bench", cmd_bench, "measure masks"},
};
#define N_COMMANDS (sizeof commands / sizeof *commands)

static void print_help(FILE *out) {
    fputs("forma: language models write freely, but only inside the form you ask for.\n\n"
          "Usage: forma COMMAND [options]\n\n",
          out);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].about);
    fputs("\n`forma COMMAND --help` lists the options of a command.\n"
          "`forma --version` prints the version.\n"
          "Exit status: 0 done or yes, 1 no or cut by a limit, 2 wrong request,\n"
          "3 input/output, memory or internal fault, 130 Ctrl-C.\n",
          out);
}

static int unknown_command(int argc, char **argv) {
    const char *names[N_COMMANDS];
    for (size_t i = 0; i < N_COMMANDS; i++) names[i] = commands[i].name;
    bool json = cli_wants_json(argc, argv);
    if (argv[1][0] == '-')
        return cli_wrong(json, "unknown option %.60s; a command comes first, see forma --help",
                         argv[1]);
    const char *nearest = options_nearest(argv[1], names, N_COMMANDS);
    for (size_t i = 0; i < N_COMMANDS && !nearest; i++) /* its beginning: gen */
        if (argv[1][0] && !strncmp(names[i], argv[1], strlen(argv[1]))) nearest = names[i];
    if (nearest)
        return cli_wrong(json, "unknown command %.60s; did you mean %s?", argv[1], nearest);
    return cli_wrong(json, "unknown command %.60s; forma --help lists the commands", argv[1]);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return CLI_WRONG;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("forma %s\n", forma_version());
        return CLI_OK;
    }
    bool is_help = !strcmp(argv[1], "help");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || (is_help && argc == 2)) {
        print_help(stdout);
        return CLI_OK;
    }
    static char help_word[] = "--help";
    if (is_help) { /* help NAME is NAME --help */
        argv[1] = argv[2];
        argv[2] = help_word;
    }
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
    return unknown_command(argc, argv);
}

int main(int argc, char **argv) {
    /* A reader that leaves is a failed write, not a death: what is open gets closed. */
    signal(SIGPIPE, SIG_IGN);
    int status = dispatch(argc, argv);
    return cli_finish(argc > 1 && cli_wants_json(argc - 1, argv + 1), status);
}
