/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_resume.h"

#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/options.h"
#include "cli/store_arg.h"

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "preparing the run");
}

/* ---- going on with a run ---- */

assay_trial_mode assay_run_setup_mode(const assay_run_setup *s)
{
    if (!s->resumed.run_id.len)
        return ASSAY_TRIAL_NEW;
    return assay_run_text(s->cli, "retry-errors") ? ASSAY_TRIAL_RETRY
                                                  : ASSAY_TRIAL_RESUME;
}

static const assay_option *option_of(const assay_cli *cli, assay_slice name)
{
    for (const assay_option *o = cli->command->option; o->name; o++)
        if (assay_slice_is(name, o->name))
            return o;
    return NULL;
}

/* What was said then stands for what is not said now. */
static assay_status take_options(assay_run_setup *s, assay_error *err)
{
    uint32_t n_given = s->cli->n_values;

    s->is_method_given = assay_run_given(s->cli, "method");
    for (uint32_t i = 0; i < s->then.n_options; i++) {
        const assay_snapshot_option *then = &s->then.option[i];
        const assay_option *o = option_of(s->cli, then->name);
        bool is_given = false;
        const char *text;
        assay_status st;

        for (uint32_t v = 0; v < n_given; v++)
            is_given |= s->cli->value[v].option == o;
        if (!o || is_given)
            continue;
        text = then->value.len ? assay_arena_string(&s->cli->arena, then->value) : NULL;
        if (then->value.len && !text)
            return no_memory(err);
        st = assay_options_put(s->cli, o, text, err);
        if (st)
            return st;
    }
    return ASSAY_OK;
}

assay_status assay_run_resume(assay_run_setup *s, assay_error *err)
{
    const char *resume = assay_run_text(s->cli, "resume");
    const char *retry = assay_run_text(s->cli, "retry-errors");
    assay_status st;

    if (resume && retry && strcmp(resume, retry) != 0)
        return assay_fail(err, ASSAY_EUSAGE,
                          "--resume and --retry-errors name different runs");
    if (!resume && !retry)
        return ASSAY_OK;
    if (assay_run_given(s->cli, "only") || assay_run_given(s->cli, "limit") ||
        assay_run_given(s->cli, "repeat"))
        return assay_fail(err, ASSAY_EUSAGE,
                          "a run that is gone on with keeps its plan: leave out --only, "
                          "--limit and --repeat");
    st = assay_store_arg_open(&s->workspace, ASSAY_STORE_WRITE, &s->store, err);
    if (!st)
        st = assay_store_find(s->store, retry ? retry : resume, &s->arena, &s->resumed,
                              err);
    if (!st)
        st = assay_snapshot_read("snapshot", s->resumed.snapshot, &s->arena, &s->then,
                                 err);
    if (!st && !assay_slice_is(s->resumed.source, "assay"))
        st = assay_fail(err, ASSAY_EUSAGE,
                        "'%.*s' was imported (%.*s): there is nothing to go on with",
                        ASSAY_QUOTE(s->resumed.run_id), ASSAY_QUOTE(s->resumed.source));
    return st ? st : take_options(s, err);
}

/* ---- who is asked ---- */

/* The spelling of a system in assay.yaml, where it is a map. */
static assay_status system_of_map(const assay_run_setup *s, const char **out,
                                  assay_error *err)
{
    const assay_project *p = s->workspace.project;
    const assay_node *map = p ? assay_project_get(p, "system") : NULL;

    if (!map || map->kind != ASSAY_NODE_MAP)
        return ASSAY_OK;
    return assay_system_spelling(map, p->path, &s->cli->arena, out, err);
}

/* The system of the run that is gone on with was not kept as an option: it stood in
 * assay.yaml, or it held a secret. */
static assay_status find_asked_then(assay_run_setup *s, assay_error *err)
{
    assay_buffer public = ASSAY_BUFFER_EMPTY;
    assay_status st = system_of_map(s, &s->asked, err);

    if (!st && s->asked)
        assay_system_public(s->asked, &public);
    if (!st && !assay_slice_eq(assay_buffer_view(&public), s->then.system))
        st = assay_fail(err, ASSAY_EUSAGE,
                        "'%.*s' asked '%.*s', whose address held a secret; name it "
                        "again with --system",
                        ASSAY_QUOTE(s->resumed.run_id), ASSAY_QUOTE(s->then.system));
    assay_buffer_clear(&public);
    return st;
}

/* What is said on the command line goes before what a run was made with, and that before
 * assay.yaml. */
assay_status assay_run_choose(assay_run_setup *s, bool has_method, bool has_system,
                              assay_error *err)
{
    const char *system = assay_run_text(s->cli, "system");
    bool has_methods = assay_run_given(s->cli, "method");

    if (has_method && has_system)
        return assay_fail(err, ASSAY_EUSAGE, "give --method or --system, not both");
    if (has_method || (!has_system && s->then.method.len && !s->then.system.len))
        return ASSAY_OK;
    if (!system && s->then.system.len)
        return find_asked_then(s, err);
    if (system && has_methods && !has_system && !s->then.system.len)
        return assay_fail(
            err, ASSAY_EUSAGE,
            "assay.yaml has 'methods' and 'system'; choose with --method or "
            "--system");
    s->asked = system;
    return system || has_methods ? ASSAY_OK : system_of_map(s, &s->asked, err);
}
