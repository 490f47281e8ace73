/* SPDX-License-Identifier: Apache-2.0 */
/* assay metric list, assay metric show: what can be measured, out of the roster. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "metric/conventions.h"
#include "metric/metric.h"
#include "report/grid.h"

static const assay_option list_options[] = {
    {0, "markdown", ASSAY_OPTION_FLAG, NULL, NULL, "all metrics as docs/METRICS.md"},
    ASSAY_OPTIONS_OUTPUT("table|json|md|csv"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static const assay_option show_options[] = {
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static const char *const aggregate_words[] = {
    "mean",          "sum",           "geometric mean", "count",
    "percentile 50", "percentile 95", "percentile 99",  "maximum"};

static const struct {
    unsigned need;
    const char *words;
} need_words[] = {
    {ASSAY_NEEDS_GRADES, "judgments"},     {ASSAY_NEEDS_SUBTOPICS, "subtopics"},
    {ASSAY_NEEDS_PREFS, "preferences"},    {ASSAY_NEEDS_GROUPS, "judgment groups"},
    {ASSAY_NEEDS_ANSWER, "answers"},       {ASSAY_NEEDS_TIME, "times"},
    {ASSAY_NEEDS_SPANS, "evidence spans"},
};

/* ---- pieces ---- */

/* How the metric is written: name(param=value)@k. */
static void put_usage(assay_buffer *out, const assay_metric *m)
{
    const assay_metric_param *p = m->param;

    assay_buffer_text(out, m->name);
    for (bool is_first = true; p && p->name; p++, is_first = false)
        assay_buffer_printf(out, "%s%s=...", is_first ? "(" : ",", p->name);
    if (p && p != m->param)
        assay_buffer_char(out, ')');
    if (m->at == ASSAY_AT_REQUIRED)
        assay_buffer_text(out, "@k");
    else if (m->at == ASSAY_AT_OPTIONAL)
        assay_buffer_text(out, "[@k]");
    else if (m->at == ASSAY_AT_REAL)
        assay_buffer_text(out, "@x");
}

static void put_needs(assay_buffer *out, const assay_metric *m)
{
    const char *gap = "";

    for (size_t i = 0; i < sizeof need_words / sizeof need_words[0]; i++)
        if (m->needs & need_words[i].need) {
            assay_buffer_printf(out, "%s%s", gap, need_words[i].words);
            gap = ", ";
        }
    if (!gap[0])
        assay_buffer_text(out, "hits");
}

static const char *direction(const assay_metric *m)
{
    return m->has_no_direction ? "none" : m->is_lower_better ? "lower" : "higher";
}

static void put_param(assay_buffer *out, const assay_metric_param *p)
{
    static const char *const types[] = {"whole number", "number",         "true or false",
                                        "one of",       "gains by grade", "numbers"};

    assay_buffer_printf(out, "%s: %s", p->name, types[p->type]);
    if (p->type == ASSAY_METRIC_PARAM_CHOICE)
        assay_buffer_printf(out, " %s", p->choices);
    else if (p->is_required)
        assay_buffer_text(out, ", required");
    else if (p->type <= ASSAY_METRIC_PARAM_BOOL && !isnan(p->standard))
        assay_buffer_printf(out, ", default %g", p->standard);
    if (p->summary)
        assay_buffer_printf(out, "; %s", p->summary);
}

/* ---- list ---- */

static void cell_of(assay_grid *grid, const assay_metric *m,
                    void (*put)(assay_buffer *, const assay_metric *))
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    put(&b, m);
    assay_grid_add(grid, assay_buffer_view(&b));
    assay_buffer_clear(&b);
}

static void list_grid(assay_grid *grid)
{
    const assay_metric *m;

    *grid = (assay_grid){.n_columns = 4};
    assay_grid_text(grid, "metric");
    assay_grid_text(grid, "needs");
    assay_grid_text(grid, "better");
    assay_grid_text(grid, "what it is");
    for (size_t i = 0; (m = assay_metric_at(i)) != NULL; i++) {
        cell_of(grid, m, put_usage);
        cell_of(grid, m, put_needs);
        assay_grid_text(grid, direction(m));
        assay_grid_text(grid, m->summary);
    }
}

static void json_metric(assay_json_writer *w, const assay_metric *m)
{
    assay_json_key(w, "name");
    assay_json_text(w, m->name);
    assay_json_key(w, "summary");
    assay_json_text(w, m->summary);
    assay_json_key(w, "formula");
    assay_json_text(w, m->formula ? m->formula : "");
    assay_json_key(w, "source");
    assay_json_text(w, m->source ? m->source : "");
    assay_json_key(w, "aliases");
    assay_json_flat_list(w);
    for (assay_slice rest = assay_slice_of(m->aliases ? m->aliases : ""), part;
         assay_slice_part(&rest, ',', &part);)
        assay_json_string(w, part);
    assay_json_list_end(w);
    assay_json_key(w, "aggregate");
    assay_json_text(w, aggregate_words[m->aggregate]);
    assay_json_key(w, "better");
    assay_json_text(w, direction(m));
    assay_json_key(w, "parameters");
    assay_json_flat_list(w);
    for (const assay_metric_param *p = m->param; p && p->name; p++)
        assay_json_text(w, p->name);
    assay_json_list_end(w);
}

static void list_json(assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);
    const assay_metric *m;

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.metrics/1");
    assay_json_key(&w, "metrics");
    assay_json_list(&w);
    for (size_t i = 0; (m = assay_metric_at(i)) != NULL; i++) {
        assay_json_object(&w);
        json_metric(&w, m);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static void markdown_conventions(assay_buffer *out)
{
    assay_grid grid = {.n_columns = 1};
    const assay_conventions *c;
    assay_rule rule;

    assay_grid_text(&grid, "rule");
    for (size_t i = 0; (c = assay_conventions_at(i)) != NULL; i++) {
        assay_grid_text(&grid, c->name);
        grid.n_columns++;
    }
    for (size_t r = 0; assay_conventions_rule(assay_conventions_at(0), r, &rule); r++) {
        assay_grid_text(&grid, rule.rule);
        for (size_t i = 0; (c = assay_conventions_at(i)) != NULL; i++) {
            assay_conventions_rule(c, r, &rule);
            assay_grid_text(&grid, rule.value);
        }
    }
    assay_grid_markdown(&grid, out);
    assay_grid_clear(&grid);
}

static void list_markdown(assay_buffer *out)
{
    const assay_metric *m;

    assay_buffer_text(out,
                      "# Metrics\n\nGenerated by `make docs` from the metric roster; do "
                      "not edit.\n\n");
    for (size_t i = 0; (m = assay_metric_at(i)) != NULL; i++) {
        assay_buffer_printf(out, "## %s\n\n`", m->name);
        put_usage(out, m);
        assay_buffer_printf(out, "`: %s.\n\n", m->summary);
        if (m->formula)
            assay_buffer_printf(out, "```\n%s\n```\n\n", m->formula);
        assay_buffer_text(out, "Needs ");
        put_needs(out, m);
        assay_buffer_printf(out, ". Aggregate: %s. Better: %s.",
                            aggregate_words[m->aggregate], direction(m));
        if (m->aliases)
            assay_buffer_printf(out, " Also spelled %s.", m->aliases);
        if (m->source)
            assay_buffer_printf(out, " Source: %s.", m->source);
        assay_buffer_text(out, "\n\n");
        for (const assay_metric_param *p = m->param; p && p->name; p++) {
            assay_buffer_text(out, "- ");
            put_param(out, p);
            assay_buffer_char(out, '\n');
        }
        if (m->param && m->param->name)
            assay_buffer_char(out, '\n');
    }
    assay_buffer_text(out, "## Conventions\n\n");
    markdown_conventions(out);
}

static assay_status run_list(assay_cli *cli, assay_error *err)
{
    const char *format = assay_cli_format(cli, "table");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_grid grid;
    assay_status st;

    list_grid(&grid);
    if (assay_cli_flag(cli, "markdown"))
        list_markdown(&out);
    else if (strcmp(format, "json") == 0)
        list_json(&out);
    else if (strcmp(format, "md") == 0)
        assay_grid_markdown(&grid, &out);
    else if (strcmp(format, "csv") == 0)
        assay_grid_csv(&grid, &out);
    else
        assay_grid_print(&grid, &out);
    assay_grid_clear(&grid);
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

/* ---- show ---- */

static void show_text(assay_buffer *out, const assay_metric *m,
                      const assay_measure *measure)
{
    assay_buffer_printf(out, "%s: %s\n\n", m->name, m->summary);
    if (m->formula)
        assay_buffer_printf(out, "formula     %s\n", m->formula);
    assay_buffer_text(out, "spelling    ");
    put_usage(out, m);
    assay_buffer_text(out, "\nneeds       ");
    put_needs(out, m);
    assay_buffer_printf(out, "\naggregate   %s\nbetter      %s\n",
                        aggregate_words[m->aggregate], direction(m));
    if (m->aliases)
        assay_buffer_printf(out, "aliases     %s\n", m->aliases);
    if (m->source)
        assay_buffer_printf(out, "source      %s\n", m->source);
    if (measure)
        assay_buffer_printf(out, "in full     %s\n", measure->full);
    for (const assay_metric_param *p = m->param; p && p->name; p++) {
        assay_buffer_text(out, "parameter   ");
        put_param(out, p);
        assay_buffer_char(out, '\n');
    }
}

static assay_status run_show(assay_cli *cli, assay_error *err)
{
    assay_slice name = assay_slice_of(cli->arg[0]);
    const assay_metric *m = assay_metric_find(name);
    assay_measures measures = {0};
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    /* Not a plain name: any spelling that can be measured. */
    if (!m)
        st = assay_measure_parse(name, &measures, &cli->arena, err);
    if (!st && strcmp(assay_cli_format(cli, "table"), "json") == 0) {
        assay_json_writer w = assay_json_writer_of(&out, 2);

        assay_json_object(&w);
        assay_json_key(&w, "schema");
        assay_json_text(&w, "assay.metric/1");
        json_metric(&w, m ? m : measures.item[0].metric);
        assay_json_object_end(&w);
        assay_buffer_char(&out, '\n');
    } else if (!st) {
        show_text(&out, m ? m : measures.item[0].metric, m ? NULL : &measures.item[0]);
    }
    if (!st)
        st = assay_cli_emit(cli, &out, err);
    assay_measures_clear(&measures);
    assay_buffer_clear(&out);
    return st;
}

const assay_command assay_command_metric_list = {
    .name = "metric list",
    .args = "",
    .summary = "what can be measured",
    .option = list_options,
    .run = run_list,
};

const assay_command assay_command_metric_show = {
    .name = "metric show",
    .args = "NAME",
    .summary = "formula, parameters and source of a metric",
    .option = show_options,
    .min_args = 1,
    .max_args = 1,
    .run = run_show,
};
