/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/http.h"
#include "base/slice.h"
#include "cli/options.h"
#include "golden/planned.h"

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "planning the run");
}

/* ---- methods ---- */

static assay_status add_method(assay_run_setup *s, assay_slice name, assay_error *err)
{
    if (!name.len)
        return ASSAY_OK;
    if (s->n_methods == ASSAY_RUN_METHODS)
        return assay_fail(err, ASSAY_EUSAGE, "more than %d methods", ASSAY_RUN_METHODS);
    for (uint32_t i = 0; i < s->n_methods; i++)
        if (assay_slice_eq(s->method[i].name, name))
            return assay_fail(err, ASSAY_EUSAGE, "method '%.*s' is named twice",
                              ASSAY_QUOTE(name));
    s->method[s->n_methods].name = assay_arena_copy(&s->arena, name);
    return s->method[s->n_methods++].name.ptr ? ASSAY_OK : no_memory(err);
}

assay_status assay_run_plan_methods(assay_run_setup *s, assay_slice list,
                                    assay_error *err)
{
    size_t begin = 0;
    size_t depth = 0;
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i <= list.len && !st; i++) {
        char c = i < list.len ? list.ptr[i] : ',';

        depth += c == '(';
        depth -= depth && c == ')';
        if (c != ',' || (depth && i < list.len))
            continue;
        st = add_method(s, assay_slice_trim((assay_slice){list.ptr + begin, i - begin}),
                        err);
        begin = i + 1;
    }
    return st;
}

/* ---- queries ---- */

typedef struct chosen {
    uint32_t *query;
    uint32_t n;
    bool *is_in; /* by query of the golden set */
} chosen;

static assay_status choose_id(const assay_run_setup *s, assay_slice id, chosen *out,
                              assay_error *err)
{
    uint32_t number = assay_dict_find(&s->golden->ids, id);

    if (number == ASSAY_NONE)
        return assay_fail(err, ASSAY_EUSAGE, "'%s' has no query '%.*s'", s->golden->path,
                          ASSAY_QUOTE(id));
    if (s->golden->query[number].is_draft)
        return assay_fail(err, ASSAY_EUSAGE, "query '%.*s' of '%s' is a draft",
                          ASSAY_QUOTE(id), s->golden->path);
    out->is_in[number] = true;
    return ASSAY_OK;
}

static assay_status choose_only(const assay_run_setup *s, chosen *out, assay_error *err)
{
    const char *text;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; !st && (text = assay_cli_item(s->cli, "only", i)) != NULL; i++) {
        assay_slice rest = assay_slice_of(text);
        assay_slice id;

        while (!st && assay_slice_part(&rest, ',', &id))
            st = choose_id(s, assay_slice_trim(id), out, err);
    }
    return st;
}

/* In the order of the file; a run gone on with keeps what it set out to do. */
static assay_status choose_queries(assay_run_setup *s, chosen *out, assay_error *err)
{
    uint32_t n = s->golden->n_queries;
    uint32_t most = (uint32_t)assay_run_count(s->cli, "limit", UINT32_MAX);
    bool is_all = !assay_run_given(s->cli, "only") && !s->then.is_part;
    assay_status st = ASSAY_OK;

    out->query = ASSAY_ARENA_ARRAY(&s->arena, uint32_t, n + 1u);
    out->is_in = ASSAY_ARENA_ARRAY(&s->arena, bool, n + 1u);
    if (!out->query || !out->is_in)
        return no_memory(err);
    for (uint32_t i = 0; i < s->then.n_plan && !st; i++)
        st = choose_id(s, s->then.plan[i], out, err);
    if (!st && !s->then.is_part)
        st = choose_only(s, out, err);
    for (uint32_t i = 0; i < n && !st; i++)
        if (!s->golden->query[i].is_draft && (is_all || out->is_in[i]) && out->n < most)
            out->query[out->n++] = i;
    if (!st && !out->n)
        st = assay_fail(err, ASSAY_EUSAGE, "there is no query to ask in '%s'",
                        s->golden->path);
    return st;
}

static int by_bytes(const void *a, const void *b)
{
    return assay_slice_cmp(*(const assay_slice *)a, *(const assay_slice *)b);
}

static uint32_t count_real(const assay_golden *golden)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < golden->n_queries; i++)
        n += !golden->query[i].is_draft;
    return n;
}

static assay_status plan_queries(assay_run_setup *s, assay_error *err)
{
    assay_experiment *x = &s->experiment;
    chosen c = {0};
    assay_status st = choose_queries(s, &c, err);

    if (st)
        return st;
    x->query = c.query;
    x->n_queries = c.n;
    x->base.golden_n = count_real(s->golden);
    x->base.is_part = c.n < x->base.golden_n;
    if (!x->base.is_part)
        return ASSAY_OK;
    x->base.plan = ASSAY_ARENA_ARRAY(&s->arena, assay_slice, c.n + 1u);
    if (!x->base.plan)
        return no_memory(err);
    for (uint32_t i = 0; i < c.n; i++)
        x->base.plan[i] = s->golden->query[c.query[i]].id;
    x->base.n_plan = c.n;
    qsort(x->base.plan, c.n, sizeof *x->base.plan, by_bytes);
    x->n_skipped = assay_golden_limit(s->golden, x->base.plan, c.n);
    return ASSAY_OK;
}

/* ---- tags and metrics ---- */

static int by_key(const void *a, const void *b)
{
    return assay_slice_cmp(((const assay_tag *)a)->key, ((const assay_tag *)b)->key);
}

static assay_status plan_tags(assay_run_setup *s, assay_error *err)
{
    assay_tag *tag = ASSAY_ARENA_ARRAY(&s->arena, assay_tag, s->cli->n_values + 1u);
    const char *text;
    uint32_t n = 0;

    if (!tag)
        return no_memory(err);
    for (uint32_t i = 0; (text = assay_cli_item(s->cli, "tag", i)) != NULL; i++) {
        const char *equals = strchr(text, '=');

        if (!equals || equals == text || !equals[1])
            return assay_fail(err, ASSAY_EUSAGE, "--tag wants KEY=VALUE, not '%s'", text);
        tag[n].key = (assay_slice){text, (size_t)(equals - text)};
        tag[n++].value = assay_slice_of(equals + 1);
    }
    qsort(tag, n, sizeof *tag, by_key);
    for (uint32_t i = 1; i < n; i++)
        if (assay_slice_eq(tag[i].key, tag[i - 1].key))
            return assay_fail(err, ASSAY_EUSAGE, "tag '%.*s' is given twice",
                              ASSAY_QUOTE(tag[i].key));
    s->experiment.tag = tag;
    s->experiment.n_tags = n;
    s->experiment.suite = assay_slice_of(assay_run_text(s->cli, "suite"));
    return ASSAY_OK;
}

static assay_status plan_metrics(assay_run_setup *s, assay_error *err)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    const char *text;

    for (uint32_t i = 0; (text = assay_cli_item(s->cli, "metric", i)) != NULL; i++)
        assay_buffer_printf(&b, "%s%s", i ? "," : "", text);
    if (b.len)
        s->experiment.metrics = assay_arena_string(&s->arena, assay_buffer_view(&b));
    bool has_failed = b.has_failed || (b.len && !s->experiment.metrics);
    assay_buffer_clear(&b);
    return has_failed ? no_memory(err) : ASSAY_OK;
}

/* ---- options to be kept ---- */

/* Where it is kept, how it is printed, how fast, and what is in the snapshot anyway. */
static bool is_kept(const char *name)
{
    static const char *const others[] = {
        "store", "workspace", "project",      "output", "format", "json",   "queries",
        "quiet", "verbose",   "resume",       "record", "replay", "cache",  "no-cache",
        "index", "jobs",      "retry-errors", "only",   "limit",  "repeat", "tag",
        "suite", "commit",    "help",         "color",
    };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0)
            return false;
    return true;
}

/* An address with something secret in it is not kept. */
static bool is_public(const char *name, const char *text)
{
    char public[2000];
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    bool is_same = true;

    if (!text)
        return true;
    if (strcmp(name, "system") == 0 || strcmp(name, "reranker") == 0) {
        assay_system_public(text, &b);
        is_same = assay_slice_is(assay_buffer_view(&b), text);
        assay_buffer_clear(&b);
    } else if (strstr(name, "-url")) {
        assay_http_public_url(text, public, sizeof public);
        is_same = strcmp(public, text) == 0;
    }
    return is_same;
}

static assay_status plan_options(assay_run_setup *s, assay_error *err)
{
    assay_snapshot *base = &s->experiment.base;
    const assay_cli *cli = s->cli;

    base->option =
        ASSAY_ARENA_ARRAY(&s->arena, assay_snapshot_option, cli->n_values + 2u);
    if (!base->option)
        return no_memory(err);
    for (uint32_t i = 0; i < cli->n_values; i++) {
        const assay_cli_value *v = &cli->value[i];

        if (is_kept(v->option->name) && is_public(v->option->name, v->text))
            base->option[base->n_options++] = (assay_snapshot_option){
                assay_slice_of(v->option->name), assay_slice_of(v->text ? v->text : "")};
    }
    if (!assay_run_given(cli, "golden"))
        base->option[base->n_options++] =
            (assay_snapshot_option){ASSAY_LIT("golden"), base->golden_path};
    return ASSAY_OK;
}

assay_status assay_run_plan(assay_run_setup *s, assay_error *err)
{
    assay_status st = plan_queries(s, err);

    if (!st)
        st = plan_tags(s, err);
    if (!st)
        st = plan_metrics(s, err);
    if (!st)
        st = plan_options(s, err);
    /* One process of somebody else's system, unless more are asked for. */
    s->experiment.n_jobs = (uint32_t)assay_run_count(s->cli, "jobs", s->system ? 1 : 0);
    return st;
}
