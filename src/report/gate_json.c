/* SPDX-License-Identifier: Apache-2.0 */
/* A gate as JSON, schema assay.gate/1; fields are only added. */
#include "base/json.h"
#include "base/slice.h"
#include "report/gate_report.h"

static void put_text(assay_json_writer *w, const char *key, const char *text)
{
    assay_json_key(w, key);
    if (text && text[0])
        assay_json_text(w, text);
    else
        assay_json_null(w);
}

static void put_number(assay_json_writer *w, const char *key, double value)
{
    assay_json_key(w, key);
    assay_json_double(w, value);
}

static void put_pair(assay_json_writer *w, const char *key, double low, double high)
{
    assay_json_key(w, key);
    assay_json_flat_list(w);
    assay_json_double(w, low);
    assay_json_double(w, high);
    assay_json_list_end(w);
}

static void put_lost(const assay_gate_view *view, const assay_gate_outcome *o,
                     assay_json_writer *w)
{
    assay_json_key(w, "lost");
    assay_json_list(w);
    for (uint32_t i = 0; i < o->n_lost; i++) {
        const assay_gate_query *q = assay_gate_query_of(view, o->lost[i]);
        const uint32_t line = assay_gate_line(view, o->lost[i]);

        assay_json_flat_object(w);
        assay_json_key(w, "query_id");
        assay_json_string(w, o->lost[i]);
        assay_json_key(w, "rank_before");
        assay_json_int(w, q ? q->before : 0);
        assay_json_key(w, "line");
        if (line)
            assay_json_int(w, line);
        else
            assay_json_null(w);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
    assay_json_key(w, "absent");
    assay_json_flat_list(w);
    for (uint32_t i = 0; i < o->n_absent; i++)
        assay_json_string(w, o->absent[i]);
    assay_json_list_end(w);
}

static void put_source(const assay_gate_rule *rule, assay_json_writer *w)
{
    assay_json_key(w, "source");
    if (!rule->path) {
        assay_json_null(w);
        return;
    }
    assay_json_flat_object(w);
    assay_json_key(w, "path");
    assay_json_text(w, rule->path);
    assay_json_key(w, "line");
    assay_json_int(w, rule->line);
    assay_json_object_end(w);
}

static void put_rule(const assay_gate_view *view, const assay_gate_outcome *o,
                     assay_json_writer *w)
{
    assay_json_object(w);
    put_text(w, "rule", o->rule->text);
    put_text(w, "kind", assay_gate_kind_word(o->rule->kind));
    put_text(w, "metric", o->rule->metric);
    put_text(w, "verdict", assay_gate_verdict_word(o->verdict));
    assay_json_key(w, "n");
    assay_json_int(w, o->n);
    put_number(w, "before", o->before);
    put_number(w, "after", o->after);
    put_number(w, "figure", o->figure);
    put_number(w, "limit", o->limit);
    put_pair(w, "bounds", o->low, o->high);
    put_pair(w, "levels", o->level_low, o->level_high);
    put_pair(w, "bootstrap", o->boot_low, o->boot_high);
    put_number(w, "p", o->p);
    put_number(w, "p_corrected", o->p_corrected);
    put_number(w, "spread", o->spread);
    put_number(w, "smallest_drop", o->smallest);
    assay_json_key(w, "queries_needed");
    if (o->needed)
        assay_json_int(w, o->needed);
    else
        assay_json_null(w);
    if (o->rule->kind == ASSAY_GATE_PROTECT)
        put_lost(view, o, w);
    put_text(w, "note", o->note);
    put_source(o->rule, w);
    assay_json_object_end(w);
}

static void put_core(const assay_gate_view *view, assay_json_writer *w)
{
    assay_json_key(w, "core");
    assay_json_object(w);
    assay_json_key(w, "n");
    assay_json_int(w, view->gate->n_core);
    assay_json_key(w, "excluded");
    assay_json_list(w);
    for (uint32_t i = 0; i < view->n_excluded; i++) {
        assay_json_flat_object(w);
        assay_json_key(w, "query_id");
        assay_json_string(w, view->excluded[i].id);
        assay_json_key(w, "why");
        assay_json_text(w, view->excluded[i].why);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
    assay_json_object_end(w);
}

void assay_gate_write_json(const assay_gate_view *view, assay_buffer *out)
{
    const assay_gate *g = view->gate;
    assay_json_writer writer = assay_json_writer_of(out, 2);
    assay_json_writer *w = &writer;

    assay_json_object(w);
    put_text(w, "schema", "assay.gate/1");
    put_text(w, "verdict", assay_gate_verdict_word(g->verdict));
    assay_json_key(w, "passed");
    assay_json_bool(w, assay_gate_is_good(view, g->verdict));
    assay_json_key(w, "strict");
    assay_json_bool(w, view->is_strict);
    put_text(w, "run", view->run);
    put_text(w, "run_date", view->run_when);
    put_text(w, "baseline", view->baseline);
    put_text(w, "baseline_date", view->baseline_when);
    put_text(w, "level", view->level);
    put_text(w, "chunker_version_match", view->match);
    put_number(w, "alpha", g->alpha);
    put_number(w, "power", g->power);
    assay_json_key(w, "holm_over");
    assay_json_int(w, g->n_inferential);
    put_core(view, w);
    assay_json_key(w, "rules");
    assay_json_list(w);
    for (uint32_t i = 0; i < g->n; i++)
        put_rule(view, &g->outcome[i], w);
    assay_json_list_end(w);
    assay_json_key(w, "notes");
    assay_json_list(w);
    for (size_t i = 0; view->notes && i < view->notes->n; i++)
        assay_json_text(w, view->notes->text[i]);
    assay_json_list_end(w);
    assay_json_object_end(w);
    assay_buffer_char(out, '\n');
}
