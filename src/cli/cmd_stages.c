/* SPDX-License-Identifier: Apache-2.0 */
/* assay stages: metrics of the stages of a pipeline, from evalvault's stage events. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "metric/stage_metrics.h"

static const assay_option options[] = {
    {0, "golden", ASSAY_OPTION_TEXT, "FILE", NULL,
     "golden set that says what is relevant; its documents resolve indexes"},
    {0, "relevance-map", ASSAY_OPTION_TEXT, "FILE", NULL,
     "JSON {\"test case\": [\"doc\"]} that says what is relevant"},
    {0, "thresholds", ASSAY_OPTION_TEXT, "FILE", NULL,
     "JSON map of thresholds, flat or with default and profiles"},
    {0, "profile", ASSAY_OPTION_TEXT, "NAME", NULL, "profile of the thresholds file"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "RULES", "assay|evalvault",
     "evalvault leaves out queries that found nothing"},
    {0, "run-id", ASSAY_OPTION_TEXT, "ID", NULL, "which run of the file; the first"},
    {0, "max-line", ASSAY_OPTION_COUNT, "BYTES", NULL, "longest line; 64 MB"},
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* Everything that is open while the command runs. */
typedef struct work {
    assay_cli *cli;
    assay_golden *golden;
    assay_run *run;
    assay_file thresholds;
    assay_file relevance;
    assay_stage_rules rules;
    assay_stage_report report;
    const char *conventions;
} work;

/* ---- printing ---- */

static bool has_type(const assay_stage_report *r, const char *type)
{
    for (uint32_t i = 0; i < r->n_counts; i++)
        if (assay_slice_is(r->count[i].type, type))
            return true;
    return false;
}

/* "run r1: 3 events: input 1, retrieval 2 (12.5 ms); none of: system_prompt, output" */
static void put_head(const work *w, assay_buffer *out)
{
    const assay_stage_report *r = &w->report;
    const char *type;
    uint32_t n_missing = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->n_counts; i++)
        n += r->count[i].n;
    assay_buffer_printf(out, "run %.*s: %u events", ASSAY_QUOTE(w->run->stages->chosen),
                        n);
    for (uint32_t i = 0; i < r->n_counts; i++) {
        const assay_stage_count *c = &r->count[i];

        assay_buffer_printf(out, "%s%.*s %u", i ? ", " : ": ", ASSAY_QUOTE(c->type),
                            c->n);
        if (c->n_timed)
            assay_buffer_printf(out, " (%.1f ms)", c->mean_ms);
    }
    for (size_t i = 0; (type = assay_stage_required(i)) != NULL; i++)
        if (!has_type(r, type))
            assay_buffer_printf(out, "%s%s", n_missing++ ? ", " : "; none of: ", type);
    assay_buffer_text(out, "\n");
}

static void put_rate(assay_buffer *out, const assay_stage_summary *s, const char *none)
{
    if (isnan(s->threshold))
        assay_buffer_text(out, none);
    else
        assay_buffer_printf(out, "%.2f%%", 100.0 * s->n_passed / s->n);
}

static void put_table(const work *w, assay_buffer *out)
{
    const assay_stage_report *r = &w->report;
    int wide = (int)strlen("Metric");

    for (uint32_t i = 0; i < r->n_summaries; i++)
        if ((int)r->summary[i].metric.len > wide)
            wide = r->summary[i].metric.len < 60 ? (int)r->summary[i].metric.len : 60;
    put_head(w, out);
    assay_buffer_printf(out, "%-*s  %5s  %10s  %10s  %10s  %9s\n", wide, "Metric",
                        "Count", "Avg", "Min", "Max", "Pass Rate");
    for (uint32_t i = 0; i < r->n_summaries; i++) {
        const assay_stage_summary *s = &r->summary[i];
        assay_buffer rate = ASSAY_BUFFER_EMPTY;
        assay_slice text;

        put_rate(&rate, s, "-");
        text = assay_buffer_view(&rate);
        assay_buffer_printf(out, "%-*.*s  %5u  %10.4f  %10.4f  %10.4f  %9.*s\n", wide,
                            ASSAY_QUOTE(s->metric), s->n, s->mean, s->min, s->max,
                            (int)text.len, text.ptr);
        assay_buffer_clear(&rate);
    }
}

static void put_markdown(const work *w, assay_buffer *out)
{
    const assay_stage_report *r = &w->report;

    put_head(w, out);
    assay_buffer_text(out, "\n| Metric | Count | Avg | Min | Max | Pass Rate |\n"
                           "| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (uint32_t i = 0; i < r->n_summaries; i++) {
        const assay_stage_summary *s = &r->summary[i];

        assay_buffer_printf(out, "| %.*s | %u | %.4f | %.4f | %.4f | ",
                            ASSAY_QUOTE(s->metric), s->n, s->mean, s->min, s->max);
        put_rate(out, s, "-");
        assay_buffer_text(out, " |\n");
    }
}

/* Names come from the file, so they may need quotes. */
static void put_cell(assay_buffer *out, assay_slice s)
{
    bool is_plain = true;

    for (size_t i = 0; i < s.len; i++)
        is_plain = is_plain && s.ptr[i] != ',' && s.ptr[i] != '"' && s.ptr[i] != '\n' &&
                   s.ptr[i] != '\r';
    if (is_plain) {
        assay_buffer_slice(out, s);
        return;
    }
    assay_buffer_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"')
            assay_buffer_char(out, '"');
        assay_buffer_char(out, s.ptr[i]);
    }
    assay_buffer_char(out, '"');
}

static void put_csv(const work *w, assay_buffer *out)
{
    const assay_stage_report *r = &w->report;

    assay_buffer_text(out, "metric,count,avg,min,max,threshold,comparison,pass_rate\n");
    for (uint32_t i = 0; i < r->n_summaries; i++) {
        const assay_stage_summary *s = &r->summary[i];
        const double number[] = {s->mean, s->min, s->max};

        put_cell(out, s->metric);
        assay_buffer_printf(out, ",%u", s->n);
        for (size_t k = 0; k < ASSAY_COUNT(number); k++) {
            assay_buffer_char(out, ',');
            assay_buffer_double(out, number[k]);
        }
        assay_buffer_char(out, ',');
        if (!isnan(s->threshold))
            assay_buffer_double(out, s->threshold);
        assay_buffer_printf(out, ",%s,", s->is_max ? "max" : "min");
        if (!isnan(s->threshold))
            assay_buffer_double(out, (double)s->n_passed / s->n);
        assay_buffer_text(out, "\n");
    }
}

static void put_number(assay_json_writer *json, const char *key, double value)
{
    assay_json_key(json, key);
    assay_json_double(json, value); /* NaN is written as null */
}

static void put_string(assay_json_writer *json, const char *key, assay_slice value)
{
    assay_json_key(json, key);
    assay_json_string(json, value);
}

static void put_counts(const work *w, assay_json_writer *json)
{
    const assay_stage_report *r = &w->report;
    const char *type;

    assay_json_key(json, "stages");
    assay_json_list(json);
    for (uint32_t i = 0; i < r->n_counts; i++) {
        const assay_stage_count *c = &r->count[i];

        assay_json_flat_object(json);
        put_string(json, "stage_type", c->type);
        assay_json_key(json, "count");
        assay_json_int(json, c->n);
        put_number(json, "avg_duration_ms", c->n_timed ? c->mean_ms : (double)NAN);
        assay_json_object_end(json);
    }
    assay_json_list_end(json);
    assay_json_key(json, "missing_stages");
    assay_json_flat_list(json);
    for (size_t i = 0; (type = assay_stage_required(i)) != NULL; i++)
        if (!has_type(r, type))
            assay_json_text(json, type);
    assay_json_list_end(json);
}

static void put_summary(assay_json_writer *json, const assay_stage_summary *s)
{
    bool has_threshold = !isnan(s->threshold);

    assay_json_flat_object(json);
    put_string(json, "metric", s->metric);
    assay_json_key(json, "count");
    assay_json_int(json, s->n);
    put_number(json, "avg", s->mean);
    put_number(json, "min", s->min);
    put_number(json, "max", s->max);
    put_number(json, "threshold", s->threshold);
    put_string(json, "comparison", assay_slice_of(s->is_max ? "max" : "min"));
    put_number(json, "pass_rate",
               has_threshold ? (double)s->n_passed / s->n : (double)NAN);
    assay_json_object_end(json);
}

static void put_value(assay_json_writer *json, const assay_stage_value *v)
{
    assay_json_flat_object(json);
    put_string(json, "stage_id", v->event->stage_id);
    put_string(json, "test_case_id", v->event->test_case);
    put_string(json, "metric", v->metric);
    put_number(json, "score", v->value);
    put_number(json, "threshold", v->threshold);
    assay_json_key(json, "passed");
    if (isnan(v->threshold))
        assay_json_null(json);
    else
        assay_json_bool(json, v->has_passed);
    assay_json_object_end(json);
}

static void put_json(const work *w, assay_buffer *out)
{
    assay_json_writer json = assay_json_writer_of(out, 2);
    const assay_stage_report *r = &w->report;

    assay_json_object(&json);
    assay_json_key(&json, "schema");
    assay_json_text(&json, "assay.stages/1");
    put_string(&json, "run_id", w->run->stages->chosen);
    assay_json_key(&json, "conventions");
    assay_json_text(&json, w->conventions);
    put_counts(w, &json);
    assay_json_key(&json, "metrics");
    assay_json_list(&json);
    for (uint32_t i = 0; i < r->n_summaries; i++)
        put_summary(&json, &r->summary[i]);
    assay_json_list_end(&json);
    assay_json_key(&json, "values");
    assay_json_list(&json);
    for (uint32_t i = 0; i < r->n_values; i++)
        put_value(&json, &r->value[i]);
    assay_json_list_end(&json);
    assay_json_key(&json, "notes");
    assay_json_list(&json);
    for (size_t i = 0; i < r->notes.n; i++)
        assay_json_text(&json, r->notes.text[i]);
    assay_json_list_end(&json);
    assay_json_object_end(&json);
    assay_buffer_char(out, '\n');
}

static const struct {
    const char *format;
    void (*put)(const work *w, assay_buffer *out);
} writers[] = {
    {"table", put_table}, {"json", put_json}, {"csv", put_csv}, {"md", put_markdown}};

static assay_status print(const work *w, assay_error *err)
{
    const char *format = assay_cli_format(w->cli, "table");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;
    size_t i = 0;

    while (i < ASSAY_COUNT(writers) && strcmp(format, writers[i].format) != 0)
        i++;
    if (i == ASSAY_COUNT(writers))
        return assay_fail(err, ASSAY_EUSAGE, "no stage report as '%s'; see --format",
                          format);
    writers[i].put(w, &out);
    st = assay_cli_emit(w->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

/* ---- reading ---- */

static assay_status load_golden(work *w, assay_error *err)
{
    const char *path = assay_cli_text(w->cli, "golden");
    assay_status st = path ? assay_golden_load(path, NULL, &w->golden, err) : ASSAY_OK;

    if (!st && w->golden)
        assay_cli_warn_notes(w->cli, &w->golden->notes);
    w->rules.golden = w->golden;
    return st;
}

static assay_status load_run(work *w, assay_error *err)
{
    assay_run_options run_options = {
        .format = "stage",
        .run_id = assay_cli_text(w->cli, "run-id"),
        .max_line = (size_t)assay_cli_count(w->cli, "max-line", 0),
    };
    uint32_t n = w->golden ? w->golden->n_docs : 0;
    assay_slice *id = ASSAY_ARENA_ARRAY(&w->cli->arena, assay_slice, n);
    assay_status st;

    if (!id)
        return assay_fail_memory(err, "reading stage events");
    for (uint32_t i = 0; i < n; i++)
        id[i] = w->golden->doc[i].id;
    run_options.doc_id = id;
    run_options.n_doc_ids = n;
    st = assay_run_load(w->cli->arg[0], &run_options, &w->run, err);
    if (!st)
        assay_cli_warn_notes(w->cli, &w->run->notes);
    return st;
}

static assay_status load_rules(work *w, assay_error *err)
{
    const char *thresholds = assay_cli_text(w->cli, "thresholds");
    const char *map = assay_cli_text(w->cli, "relevance-map");
    const char *profile = assay_cli_text(w->cli, "profile");
    const char *conventions = assay_cli_text(w->cli, "conventions");
    assay_status st = ASSAY_OK;

    w->conventions = conventions ? conventions : "assay";
    w->rules.is_evalvault = strcmp(w->conventions, "evalvault") == 0;
    w->rules.threshold = assay_stage_thresholds_standard(&w->rules.n_thresholds);
    if (profile && !thresholds)
        return assay_fail(err, ASSAY_EUSAGE, "--profile needs --thresholds FILE");
    if (thresholds) {
        st = assay_file_open(&w->thresholds, thresholds, err);
        if (!st)
            st = assay_stage_thresholds_read(thresholds, w->thresholds.text, profile,
                                             &w->cli->arena, &w->rules, err);
    }
    if (st || !map)
        return st;
    st = assay_file_open(&w->relevance, map, err);
    if (st)
        return st;
    return assay_stage_relevance_read(map, w->relevance.text, &w->cli->arena, &w->rules,
                                      err);
}

static assay_status run_stages(assay_cli *cli, assay_error *err)
{
    work w = {.cli = cli};
    assay_status st = load_rules(&w, err);

    if (!st)
        st = load_golden(&w, err);
    if (!st)
        st = load_run(&w, err);
    if (!st)
        st = assay_stage_measure(w.run->stages, &w.rules, &cli->arena, &w.report, err);
    if (!st) {
        assay_cli_warn_notes(cli, &w.report.notes);
        st = print(&w, err);
    }
    assay_stage_report_clear(&w.report);
    assay_run_free(w.run);
    assay_golden_free(w.golden);
    assay_file_close(&w.thresholds);
    assay_file_close(&w.relevance);
    return st;
}

const assay_command assay_command_stages = {
    .name = "stages",
    .args = "FILE",
    .summary = "metrics of single stages, from evalvault's stage events",
    .details =
        "FILE holds stage events: a JSON object a line, a list, {\"stage_events\": []} "
        "or one object. What is relevant to a query is taken from the event, else "
        "from the relevance map, else from the golden set. A query that retrieved "
        "nothing has recall 0, and precision is divided by the top_k that was asked "
        "for; --conventions evalvault leaves the former out and shrinks k to what "
        "came back.",
    .example = "assay stages events.jsonl --golden benchmark.json\n"
               "assay stages events.jsonl --thresholds limits.json --profile prod --json",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = run_stages,
};
