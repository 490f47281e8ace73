/* SPDX-License-Identifier: Apache-2.0 */
/* The program: find the command, parse its options, run it, turn its status into the
 * exit code.  The only place that reads the environment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "cli/cli_roster.h"
#include "cli/options.h"

#define X(id) extern const assay_command assay_command_##id;
ASSAY_COMMAND_ROSTER(X)
#undef X

#define X(id) &assay_command_##id,
static const assay_command *const roster[] = {ASSAY_COMMAND_ROSTER(X)};
#undef X

const assay_command *assay_command_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

/* The command whose words argv begins with; *n_words says how many they are. */
static const assay_command *find_command(int argc, char **argv, int *n_words)
{
    const assay_command *found = NULL;

    *n_words = 0;
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++) {
        assay_slice rest = assay_slice_of(roster[i]->name);
        assay_slice word;
        int n = 0;

        while (n < argc && assay_slice_part(&rest, ' ', &word) &&
               assay_slice_is(word, argv[n]))
            n++;
        if (!rest.ptr && n > *n_words && assay_slice_is(word, argv[n - 1])) {
            found = roster[i];
            *n_words = n;
        }
    }
    return found;
}

/* "golden" alone: name what can follow it. */
static assay_status fail_command(const char *word, assay_error *err)
{
    size_t len = strlen(word);
    const char *best = NULL;
    uint32_t least = 3;
    char list[400] = "";
    size_t used = 0;

    for (size_t i = 0; i < ASSAY_COUNT(roster); i++) {
        const char *name = roster[i]->name;
        uint32_t d = assay_slice_distance(assay_slice_of(word), assay_slice_of(name));

        if (strncmp(name, word, len) == 0 && name[len] == ' ' && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     used ? ", " : "", name + len + 1);
        if (d < least && !roster[i]->is_hidden) {
            least = d;
            best = name;
        }
    }
    if (used)
        return assay_fail(err, ASSAY_EUSAGE, "'%s' what? one of: %s", word, list);
    if (best)
        return assay_fail(err, ASSAY_EUSAGE, "no command '%.80s'; did you mean '%s'?",
                          word, best);
    return assay_fail(err, ASSAY_EUSAGE, "no command '%.80s'; see 'assay help'", word);
}

static assay_status check_args(const assay_cli *cli, assay_error *err)
{
    const assay_command *command = cli->command;

    if (cli->n_args < command->min_args)
        return assay_fail(err, ASSAY_EUSAGE, "usage: assay %s %s; see 'assay help %s'",
                          command->name, command->args, command->name);
    if (cli->n_args > command->max_args)
        return assay_fail(err, ASSAY_EUSAGE,
                          "'%.80s' is one argument too many for 'assay %s'",
                          cli->arg[command->max_args], command->name);
    return ASSAY_OK;
}

static assay_status print(const assay_buffer *out, assay_error *err)
{
    if (out->has_failed)
        return assay_fail_memory(err, "writing help");
    if ((out->len && fwrite(out->ptr, 1, out->len, stdout) != out->len) || fflush(stdout))
        return assay_fail(err, ASSAY_ESYSTEM, "cannot write to standard output");
    return ASSAY_OK;
}

static assay_status run_command(assay_cli *cli, int argc, char **argv, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st = assay_options_parse(cli, argc, argv, err);

    if (st)
        return st;
    if (assay_cli_flag(cli, "help"))
        assay_help_command(&out, cli->command);
    else if (assay_cli_flag(cli, "version"))
        assay_buffer_printf(&out, "assay %s\n", assay_version());
    if (out.len || out.has_failed) {
        st = print(&out, err);
        assay_buffer_clear(&out);
        return st;
    }
    st = check_args(cli, err);
    return st ? st : cli->command->run(cli, err);
}

static assay_status print_help(assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_help_all(&out);
    st = print(&out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status dispatch(int argc, char **argv, assay_error *err)
{
    const char *term = getenv("TERM");
    const char *no_color = getenv("NO_COLOR");
    const char *key = getenv("ASSAY_API_KEY");
    assay_cli cli = {
        .golden_default = getenv("ASSAY_GOLDEN"),
        .workspace_default = getenv("ASSAY_WORKSPACE"),
        .store_default = getenv("ASSAY_STORE"),
        .api_key = key ? key : getenv("OPENAI_API_KEY"),
        .own_key = key,
        .cache_home = getenv("XDG_CACHE_HOME"),
        .home = getenv("HOME"),
        .is_dumb = !term || strcmp(term, "dumb") == 0,
        .is_plain = no_color && no_color[0],
    };
    assay_status st;
    int n_words;

    if (argc == 0 || strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)
        return print_help(err);
    if (strcmp(argv[0], "--version") == 0) {
        printf("assay %s\n", assay_version());
        return ASSAY_OK;
    }
    cli.command = find_command(argc, argv, &n_words);
    if (!cli.command)
        return fail_command(argv[0], err);
    st = run_command(&cli, argc - n_words, argv + n_words, err);
    assay_arena_clear(&cli.arena);
    return st;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Test builds let the n-th allocation fail: tests/oom/run.sh. */
static void obey_tests(void)
{
#ifdef ASSAY_TEST
    const char *n = getenv("ASSAY_FAIL_ALLOC");

    if (n)
        assay_mem_fail_after(strtoull(n, NULL, 10));
#endif
}

int main(int argc, char **argv)
{
    assay_error err = {ASSAY_OK, ""};
    assay_status st;

    obey_tests();

    /* The drop-in has its own grammar and exit codes: it sees its arguments raw. */
    if (argc > 0 && strcmp(base_name(argv[0]), "trec_eval") == 0)
        return assay_trec_eval_main(argc, argv);
    if (argc > 1 && strcmp(argv[1], "trec_eval") == 0)
        return assay_trec_eval_main(argc - 1, argv + 1);
    st = dispatch(argc - 1, argv + 1, &err);
    if (st && err.text[0])
        fprintf(stderr, "assay: %s\n", err.text);
    return (int)st;
}
