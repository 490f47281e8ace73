/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines against option tables: --name value, --name=value, -n value, -nvalue,
 * flags in one word (-qn), --no-name takes back a flag that assay.yaml sets, "--" ends the
 * options, "-" is an argument. */
#include "cli/options.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"

const assay_option assay_options_common[] = {
    {'h', "help", ASSAY_OPTION_FLAG, NULL, NULL, "show this help"},
    {0, "version", ASSAY_OPTION_FLAG, NULL, NULL, "print the version"},
    {0, "quiet", ASSAY_OPTION_FLAG, NULL, NULL, "no warnings, no progress"},
    {0, "verbose", ASSAY_OPTION_FLAG, NULL, NULL, "say more on standard error"},
    {0, "project", ASSAY_OPTION_TEXT, "DIR", NULL,
     "folder of assay.yaml; default: found upwards"},
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static const assay_option *find_in(const assay_option *table, assay_slice name,
                                   char letter)
{
    for (; table && table->name; table++)
        if (letter ? table->letter == letter : assay_slice_is(name, table->name))
            return table;
    return NULL;
}

static const assay_option *find(const assay_command *command, assay_slice name,
                                char letter)
{
    const assay_option *option = find_in(command->option, name, letter);

    return option ? option : find_in(assay_options_common, name, letter);
}

static const char *nearest(const assay_command *command, assay_slice name)
{
    const assay_option *tables[] = {command->option, assay_options_common};
    const char *best = NULL;
    uint32_t least = 3;

    for (size_t t = 0; t < ASSAY_COUNT(tables); t++)
        for (const assay_option *o = tables[t]; o && o->name; o++) {
            uint32_t d = assay_slice_distance(name, assay_slice_of(o->name));

            if (d < least) {
                least = d;
                best = o->name;
            }
        }
    return best;
}

static assay_status fail_unknown(const assay_command *command, assay_slice name,
                                 assay_error *err)
{
    const char *best = nearest(command, name);

    if (best)
        return assay_fail(err, ASSAY_EUSAGE, "no option '--%.*s'; did you mean '--%s'?",
                          ASSAY_QUOTE(name), best);
    return assay_fail(err, ASSAY_EUSAGE, "no option '--%.*s'; see 'assay help %s'",
                      ASSAY_QUOTE(name), command->name);
}

static bool is_choice(const char *choices, const char *text)
{
    assay_slice rest = assay_slice_of(choices);
    assay_slice word;

    while (assay_slice_part(&rest, '|', &word))
        if (assay_slice_is(word, text))
            return true;
    return false;
}

static assay_status check_value(const assay_option *option, const char *text,
                                assay_error *err)
{
    uint32_t count;
    double real;

    switch (option->kind) {
    case ASSAY_OPTION_COUNT:
        if (!assay_slice_to_u32(assay_slice_of(text), &count))
            return assay_fail(err, ASSAY_EUSAGE, "--%s wants a whole number, not '%.80s'",
                              option->name, text);
        break;
    case ASSAY_OPTION_REAL:
        if (!assay_number_read(assay_slice_of(text), &real))
            return assay_fail(err, ASSAY_EUSAGE, "--%s wants a number, not '%.80s'",
                              option->name, text);
        break;
    case ASSAY_OPTION_CHOICE:
        if (!is_choice(option->choices, text))
            return assay_fail(err, ASSAY_EUSAGE, "--%s wants one of %s, not '%.80s'",
                              option->name, option->choices, text);
        break;
    case ASSAY_OPTION_FLAG:
    case ASSAY_OPTION_MAYBE:
    case ASSAY_OPTION_TEXT:
    case ASSAY_OPTION_LIST: break;
    }
    return ASSAY_OK;
}

static assay_status take(assay_cli *cli, const assay_option *option, const char *text,
                         assay_error *err)
{
    assay_status st = text ? check_value(option, text, err) : ASSAY_OK;

    if (!st)
        cli->value[cli->n_values++] = (assay_cli_value){option, text};
    return st;
}

static assay_status parse_long(assay_cli *cli, int argc, char **argv, int *i,
                               assay_error *err)
{
    const char *word = argv[*i] + 2;
    const char *equals = strchr(word, '=');
    assay_slice name = {word, equals ? (size_t)(equals - word) : strlen(word)};
    const assay_option *option = find(cli->command, name, 0);

    if (!option && !equals && strncmp(word, "no-", 3) == 0) {
        option = find(cli->command, assay_slice_of(word + 3), 0);
        if (option && option->kind == ASSAY_OPTION_FLAG)
            return take(cli, option, "no", err);
        option = NULL;
    }
    if (!option)
        return fail_unknown(cli->command, name, err);
    if (option->kind == ASSAY_OPTION_FLAG) {
        if (equals)
            return assay_fail(err, ASSAY_EUSAGE, "--%s takes no value", option->name);
        return take(cli, option, NULL, err);
    }
    if (equals)
        return take(cli, option, equals + 1, err);
    if (option->kind == ASSAY_OPTION_MAYBE &&
        (cli->command->max_args || *i + 1 >= argc || argv[*i + 1][0] == '-'))
        return take(cli, option, NULL, err);
    if (*i + 1 >= argc)
        return assay_fail(err, ASSAY_EUSAGE, "--%s wants a value: %s", option->name,
                          option->value);
    return take(cli, option, argv[++*i], err);
}

static assay_status parse_short(assay_cli *cli, int argc, char **argv, int *i,
                                assay_error *err)
{
    for (const char *c = argv[*i] + 1; *c; c++) {
        const assay_option *option = find(cli->command, ASSAY_LIT(""), *c);
        assay_status st;

        if (!option)
            return assay_fail(err, ASSAY_EUSAGE, "no option '-%c'; see 'assay help %s'",
                              *c, cli->command->name);
        if (option->kind == ASSAY_OPTION_FLAG) {
            st = take(cli, option, NULL, err);
            if (st)
                return st;
            continue;
        }
        if (c[1])
            return take(cli, option, c + 1, err);
        if (*i + 1 >= argc)
            return assay_fail(err, ASSAY_EUSAGE, "-%c wants a value: %s", *c,
                              option->value);
        return take(cli, option, argv[++*i], err);
    }
    return ASSAY_OK;
}

assay_status assay_options_parse(assay_cli *cli, int argc, char **argv, assay_error *err)
{
    bool is_over = false;

    /* A word of short flags gives at most as many values as it has letters. */
    size_t room = 1;

    for (int i = 0; i < argc; i++)
        room += strlen(argv[i]) + 1;
    cli->value = ASSAY_ARENA_ARRAY(&cli->arena, assay_cli_value, room);
    cli->arg = ASSAY_ARENA_ARRAY(&cli->arena, const char *, (size_t)argc + 1);
    if (!cli->value || !cli->arg)
        return assay_fail_memory(err, "reading the command line");
    for (int i = 0; i < argc; i++) {
        assay_status st = ASSAY_OK;

        if (!is_over && strcmp(argv[i], "--") == 0)
            is_over = true;
        else if (!is_over && strncmp(argv[i], "--", 2) == 0)
            st = parse_long(cli, argc, argv, &i, err);
        else if (!is_over && argv[i][0] == '-' && argv[i][1])
            st = parse_short(cli, argc, argv, &i, err);
        else
            cli->arg[cli->n_args++] = argv[i];
        if (st)
            return st;
    }
    cli->is_quiet = assay_cli_flag(cli, "quiet");
    cli->is_verbose = assay_cli_flag(cli, "verbose");
    return ASSAY_OK;
}

assay_status assay_options_put(assay_cli *cli, const assay_option *option,
                               const char *text, assay_error *err)
{
    assay_cli_value *grown =
        ASSAY_ARENA_ARRAY(&cli->arena, assay_cli_value, cli->n_values + 1);

    if (!grown)
        return assay_fail_memory(err, "reading the settings");
    for (uint32_t i = 0; i < cli->n_values; i++)
        grown[i] = cli->value[i];
    cli->value = grown;
    return take(cli, option, text, err);
}

static const assay_cli_value *last(const assay_cli *cli, const char *name)
{
    assert(find(cli->command, assay_slice_of(name), 0));
    for (uint32_t i = cli->n_values; i-- > 0;)
        if (strcmp(cli->value[i].option->name, name) == 0)
            return &cli->value[i];
    return NULL;
}

bool assay_cli_flag(const assay_cli *cli, const char *name)
{
    const assay_cli_value *v = last(cli, name);

    return v && !v->text;
}

bool assay_cli_has(const assay_cli *cli, const char *name)
{
    return find(cli->command, assay_slice_of(name), 0) != NULL;
}

bool assay_cli_given(const assay_cli *cli, const char *name)
{
    return last(cli, name) != NULL;
}

const char *assay_cli_text(const assay_cli *cli, const char *name)
{
    const assay_cli_value *v = last(cli, name);

    return v ? v->text : NULL;
}

uint64_t assay_cli_count(const assay_cli *cli, const char *name, uint64_t standard)
{
    const char *text = assay_cli_text(cli, name);
    uint32_t count;

    return text && assay_slice_to_u32(assay_slice_of(text), &count) ? count : standard;
}

double assay_cli_real(const assay_cli *cli, const char *name, double standard)
{
    const char *text = assay_cli_text(cli, name);
    double real;

    return text && assay_number_read(assay_slice_of(text), &real) ? real : standard;
}

const char *assay_cli_item(const assay_cli *cli, const char *name, uint32_t i)
{
    for (uint32_t v = 0; v < cli->n_values; v++)
        if (strcmp(cli->value[v].option->name, name) == 0 && i-- == 0)
            return cli->value[v].text;
    return NULL;
}
