/* SPDX-License-Identifier: Apache-2.0 */
/* The socket for commands (cmd_*.c, listed in cli_roster.h).
 *
 * A command is an option table and a `run` function of argument checks and a library
 * call.  Parsing, help, shell completion, the man page and docs/CLI.md all read the same
 * tables. */
#ifndef ASSAY_CLI_CLI_H
#define ASSAY_CLI_CLI_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/notes.h"

typedef enum assay_option_kind {
    ASSAY_OPTION_FLAG,
    ASSAY_OPTION_MAYBE, /* a flag that may have a value: --name, --name=VALUE, and, in commands
                           without arguments, --name VALUE */
    ASSAY_OPTION_TEXT,
    ASSAY_OPTION_LIST,  /* may be given several times */
    ASSAY_OPTION_COUNT, /* a whole number >= 0 */
    ASSAY_OPTION_REAL,
    ASSAY_OPTION_CHOICE /* one of .choices */
} assay_option_kind;

typedef struct assay_option {
    char letter;      /* 0 = none */
    const char *name; /* without the dashes */
    assay_option_kind kind;
    const char *value;   /* what help calls it: "FILE" */
    const char *choices; /* "a|b|c" */
    const char *help;    /* one line, lower case, no stop */
} assay_option;

/* What every command that prints data takes. */
#define ASSAY_OPTIONS_OUTPUT(formats)                                                 \
    {0, "format", ASSAY_OPTION_CHOICE, "FORMAT", formats, "how to print the result"}, \
        {0, "json", ASSAY_OPTION_FLAG, NULL, NULL, "short for --format json"},        \
    {                                                                                 \
        'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL,                               \
            "write to FILE; its ending picks the format"                              \
    }

/* One parsed command line. */
typedef struct assay_cli assay_cli;

typedef struct assay_command {
    const char *name;           /* "eval", "golden check" */
    const char *args;           /* "RUN..." */
    const char *summary;        /* one line, lower case, no stop */
    const char *details;        /* paragraphs for help, or null */
    const char *example;        /* command lines, or null */
    const assay_option *option; /* ends with a null name; null = none */
    uint32_t min_args;
    uint32_t max_args; /* UINT32_MAX = any number */
    bool is_hidden;
    bool ignores_settings; /* keys of assay.yaml do not stand for its options: what they
                              say of new runs is no filter for old ones */
    assay_status (*run)(assay_cli *cli, assay_error *err);
} assay_command;

const assay_command *assay_command_at(size_t i);

struct assay_cli {
    const assay_command *command;
    const char **arg; /* positional arguments */
    uint32_t n_args;
    struct assay_cli_value *value; /* one for each option given, in order */
    uint32_t n_values;
    bool is_quiet;
    bool is_verbose;
    /* Only main reads the environment; null = not set. */
    const char *golden_default;    /* $ASSAY_GOLDEN */
    const char *workspace_default; /* $ASSAY_WORKSPACE */
    const char *store_default;     /* $ASSAY_STORE */
    const char *api_key;           /* $ASSAY_API_KEY, else $OPENAI_API_KEY */
    const char *own_key;           /* $ASSAY_API_KEY: what any server may be sent */
    const char *cache_home;        /* $XDG_CACHE_HOME */
    const char *home;              /* $HOME */
    bool is_dumb;                  /* $TERM says that lines cannot be redrawn */
    bool is_plain;                 /* $NO_COLOR is set */
    assay_arena arena;             /* lives until the command is done */
};

/* Whether the command takes the option at all, and whether it was given. */
bool assay_cli_has(const assay_cli *cli, const char *name);
bool assay_cli_given(const assay_cli *cli, const char *name);

/* Getters.  The name must stand in the command's table. */
bool assay_cli_flag(const assay_cli *cli, const char *name);
const char *assay_cli_text(const assay_cli *cli,
                           const char *name); /* the last one; null = not given */
uint64_t assay_cli_count(const assay_cli *cli, const char *name, uint64_t standard);
double assay_cli_real(const assay_cli *cli, const char *name, double standard);
/* The i-th value of a repeatable option; null past the end. */
const char *assay_cli_item(const assay_cli *cli, const char *name, uint32_t i);

/* The format asked for: --format, else --json, else by the ending of -o, else `standard`. */
const char *assay_cli_format(const assay_cli *cli, const char *standard);

/* Write a finished result to -o FILE, or to standard output. */
ASSAY_MUST_USE assay_status assay_cli_emit(const assay_cli *cli, const assay_buffer *out,
                                           assay_error *err);

/* The same, always to standard output. */
ASSAY_MUST_USE assay_status assay_cli_print(const assay_buffer *out, assay_error *err);

/* The name of a file without its folder and endings; points into `path`. */
assay_slice assay_cli_stem(const char *path);

/* A line on standard error: "assay: warning: text".  Silent with --quiet. */
void assay_cli_warn(const assay_cli *cli, const char *format, ...) ASSAY_PRINTF(2, 3);
void assay_cli_warn_notes(const assay_cli *cli, const assay_notes *notes);

/* Chatter on standard error, without a prefix; only with --verbose. */
void assay_cli_say(const assay_cli *cli, const char *format, ...) ASSAY_PRINTF(2, 3);

/* Help in all its forms (help.c). */
void assay_help_command(assay_buffer *out, const assay_command *command);
void assay_help_all(assay_buffer *out);
void assay_help_markdown(assay_buffer *out);
void assay_help_man(assay_buffer *out);
ASSAY_MUST_USE assay_status assay_help_completion(assay_buffer *out, const char *shell,
                                                  assay_error *err);

/* trec_eval's arguments in, trec_eval's lines out; returns its exit code. */
int assay_trec_eval_main(int argc, char **argv);

#endif
