/* SPDX-License-Identifier: Apache-2.0 */
/* assay runs tag: put tags on a stored run, or take them away. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "cli/runs_arg.h"
#include "cli/tags_arg.h"

static const assay_option options[] = {
    {0, "remove", ASSAY_OPTION_LIST, "KEY", NULL, "take this tag away"},
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static bool has_tag(const assay_stored *run, const char *key)
{
    for (uint32_t i = 0; i < run->n_tags; i++)
        if (assay_slice_is(run->tag[i].key, key))
            return true;
    return false;
}

/* Everything is looked at before anything is changed. */
static assay_status check(const assay_cli *cli, const assay_stored *run, assay_error *err)
{
    const char *key;
    assay_tag tag;

    if (cli->n_args < 2 && !assay_cli_item(cli, "remove", 0))
        return assay_fail(err, ASSAY_EUSAGE,
                          "which tag? want KEY=VALUE behind the run, or --remove KEY");
    for (uint32_t i = 1; i < cli->n_args; i++) {
        assay_status st = assay_tag_read(cli->arg[i], &tag, err);

        if (st)
            return st;
    }
    for (uint32_t i = 0; (key = assay_cli_item(cli, "remove", i)); i++)
        if (!has_tag(run, key))
            return assay_fail(err, ASSAY_EUSAGE, "run '%.*s' has no tag '%.80s'",
                              ASSAY_QUOTE(run->run_id), key);
    return ASSAY_OK;
}

static assay_status change(const assay_cli *cli, assay_store *store,
                           const assay_stored *run, assay_error *err)
{
    assay_status st = ASSAY_OK;
    const char *key;
    assay_tag tag;

    for (uint32_t i = 0; !st && (key = assay_cli_item(cli, "remove", i)); i++)
        st = assay_store_tag(store, run->run_id, assay_slice_of(key), ASSAY_LIT(""), err);
    for (uint32_t i = 1; !st && i < cli->n_args; i++) {
        st = assay_tag_read(cli->arg[i], &tag, err);
        if (!st)
            st = assay_store_tag(store, run->run_id, tag.key, tag.value, err);
    }
    return st;
}

static void print_json(const assay_stored *run, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_name(&w, "schema", ASSAY_LIT("assay.run/1"));
    assay_runs_json(run, &w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status report(const assay_cli *cli, const assay_stored *run,
                           assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (strcmp(assay_cli_format(cli, "table"), "json") == 0) {
        print_json(run, &out);
    } else {
        assay_buffer_slice(&out, run->run_id);
        assay_buffer_text(&out, "  ");
        if (run->n_tags)
            assay_runs_tags(run, &out);
        else
            assay_buffer_text(&out, "no tags");
        assay_buffer_char(&out, '\n');
    }
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_tag(assay_cli *cli, assay_error *err)
{
    assay_runs_arg arg;
    assay_stored run;
    assay_status st = assay_runs_open(cli, ASSAY_STORE_WRITE, &arg, err);

    if (st)
        return st;
    st = assay_store_find(arg.store, cli->arg[0], &cli->arena, &run, err);
    if (!st)
        st = check(cli, &run, err);
    if (!st)
        st = change(cli, arg.store, &run, err);
    if (!st)
        st = assay_store_get(arg.store, run.run_id, &cli->arena, &run, err);
    if (!st)
        st = report(cli, &run, err);
    assay_runs_close(&arg);
    return st;
}

const assay_command assay_command_runs_tag = {
    .name = "runs tag",
    .args = "RUN [KEY=VALUE...]",
    .summary = "put tags on a stored run, or take them away",
    .details =
        "A key has one value; a new one takes the place of the old.  Runs are found by\n"
        "their tags: --tag KEY=VALUE in lists, KEY=VALUE wherever a RUN is wanted.",
    .example = "  assay runs tag latest branch=main ticket=ABC-12\n"
               "  assay runs tag run_0198c0ff --remove ticket",
    .option = options,
    .ignores_settings = true,
    .min_args = 1,
    .max_args = UINT32_MAX,
    .run = run_tag,
};
