/* SPDX-License-Identifier: Apache-2.0 */
#include "report/eval_json.h"

#include <math.h>

#include "base/compiler.h"
#include "report/sheets.h"

static void put_total(assay_json_writer *w, const assay_total *t)
{
    assay_json_key(w, "value");
    assay_json_double(w, t->value);
    assay_json_key(w, "n");
    assay_json_int(w, t->n);
    assay_json_key(w, "absent");
    assay_json_int(w, t->absent);
    assay_json_key(w, "spread");
    assay_json_double(w, t->spread);
    if (!isnan(t->low)) {
        assay_json_key(w, "ci");
        assay_json_flat_list(w);
        assay_json_double(w, t->low);
        assay_json_double(w, t->high);
        assay_json_list_end(w);
    }
}

static void put_measures(assay_json_writer *w, const assay_scores *s)
{
    assay_json_key(w, "measures");
    assay_json_object(w);
    for (uint32_t c = 0; c < s->n_columns; c++) {
        const assay_column *column = &s->column[c];

        assay_json_key(w, column->name);
        assay_json_flat_object(w);
        put_total(w, &s->total[c]);
        assay_json_key(w, "full");
        assay_json_text(w, column->full);
        assay_json_key(w, "level");
        if (column->has_level)
            assay_json_text(w, assay_level_word(column->level));
        else
            assay_json_null(w);
        if (column->is_too_deep) {
            assay_json_key(w, "deeper_than_run");
            assay_json_bool(w, true);
        }
        assay_json_object_end(w);
    }
    assay_json_object_end(w);
}

static void put_counts(assay_json_writer *w, const assay_counts *counts)
{
    assay_count c;

    assay_json_key(w, "counts");
    assay_json_object(w);
    for (size_t i = 0; assay_sheet_count(counts, i, &c); i++) {
        assay_json_key(w, c.key);
        assay_json_int(w, (int64_t)c.value);
    }
    assay_json_key(w, "hits");
    assay_json_int(w, (int64_t)counts->hits);
    assay_json_key(w, "depth");
    assay_json_int(w, counts->depth);
    assay_json_key(w, "judged");
    assay_json_flat_object(w);
    assay_json_key(w, "k");
    assay_json_int(w, counts->judged_k);
    assay_json_key(w, "value");
    assay_json_double(w, counts->judged_of
                             ? (double)counts->judged / (double)counts->judged_of
                             : (double)NAN);
    assay_json_object_end(w);
    assay_json_object_end(w);
}

/* The table of those who should have refused, where there are answers. */
static void put_refusals(assay_json_writer *w, const assay_refusals *t)
{
    const struct {
        const char *key;
        uint32_t value;
    } cells[] = {
        {"refusal_right", t->refusal_right},
        {"refusal_wrong", t->refusal_wrong},
        {"answered_right", t->answered_right},
        {"answered_wrong", t->answered_wrong},
        {"grounded", t->grounded},
        {"ungrounded", t->ungrounded},
        {"no_answer", t->no_answer},
        {"no_answer_answerable", t->no_answer_answerable},
    };
    uint64_t sum = 0;

    for (size_t i = 0; i < ASSAY_COUNT(cells); i++)
        sum += cells[i].value;
    if (!sum)
        return;
    assay_json_key(w, "refusals");
    assay_json_flat_object(w);
    for (size_t i = 0; i < ASSAY_COUNT(cells); i++) {
        assay_json_key(w, cells[i].key);
        assay_json_int(w, cells[i].value);
    }
    assay_json_object_end(w);
}

static void put_named(assay_json_writer *w, const assay_scores *s, const char *key,
                      bool wants_missing)
{
    assay_json_key(w, key);
    assay_json_flat_list(w);
    for (uint32_t r = 0; r < s->n_rows; r++)
        if (wants_missing ? s->row[r].is_missing : s->row[r].is_failed)
            assay_json_string(w, s->row[r].id);
    assay_json_list_end(w);
}

static void put_slices(assay_json_writer *w, const assay_report_run *run)
{
    const assay_slices *slices = &run->slices;

    assay_json_key(w, "slices");
    assay_json_object(w);
    assay_json_key(w, "key");
    assay_json_text(w, slices->key);
    assay_json_key(w, "min_n");
    assay_json_int(w, slices->min_n);
    assay_json_key(w, "withheld");
    assay_json_int(w, slices->n_withheld);
    assay_json_key(w, "withheld_queries");
    assay_json_int(w, slices->rows_withheld);
    assay_json_key(w, "values");
    assay_json_list(w);
    for (uint32_t i = 0; i < slices->n; i++) {
        assay_json_object(w);
        assay_json_key(w, "value");
        assay_json_string(w, slices->value[i]);
        assay_json_key(w, "queries");
        assay_json_int(w, slices->n_rows[i]);
        assay_json_key(w, "measures");
        assay_json_object(w);
        for (uint32_t c = 0; c < run->scores->n_columns; c++) {
            const assay_total *t = &slices->total[(size_t)i * run->scores->n_columns + c];

            assay_json_key(w, run->scores->column[c].name);
            assay_json_flat_object(w);
            assay_json_key(w, "value");
            assay_json_double(w, t->value);
            assay_json_key(w, "n");
            assay_json_int(w, t->n);
            assay_json_object_end(w);
        }
        assay_json_object_end(w);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
    assay_json_object_end(w);
}

void assay_json_row(assay_json_writer *w, const assay_report_run *run, uint32_t row)
{
    const assay_row *r = &run->scores->row[row];

    assay_json_key(w, "query_id");
    assay_json_string(w, r->id);
    assay_json_key(w, "label");
    assay_json_text(w, assay_label_name((assay_label)r->label));
    assay_json_key(w, "missing");
    assay_json_bool(w, r->is_missing);
    assay_json_key(w, "failed");
    assay_json_bool(w, r->is_failed);
    assay_json_key(w, "hits");
    assay_json_int(w, r->n_hits);
    assay_json_key(w, "first_rank");
    if (r->first_rank)
        assay_json_int(w, r->first_rank);
    else
        assay_json_null(w);
    assay_json_key(w, "scores");
    assay_json_flat_object(w);
    for (uint32_t c = 0; c < run->scores->n_columns; c++) {
        assay_json_key(w, run->scores->column[c].name);
        assay_json_double(w, *assay_scores_cell(run->scores, row, c));
    }
    assay_json_object_end(w);
}

void assay_json_run(assay_json_writer *w, const assay_report *report,
                    const assay_report_run *run)
{
    assay_json_key(w, "run");
    assay_json_text(w, run->name);
    assay_json_key(w, "path");
    if (run->run->path)
        assay_json_text(w, run->run->path);
    else
        assay_json_null(w);
    put_measures(w, run->scores);
    put_counts(w, &run->scores->counts);
    put_refusals(w, &run->scores->counts.refusals);
    put_named(w, run->scores, "missing", true);
    put_named(w, run->scores, "failed", false);
    if (run->slices.key)
        put_slices(w, run);
    if (!report->with_queries)
        return;
    assay_json_key(w, "queries");
    assay_json_list(w);
    for (uint32_t r = 0; r < run->scores->n_rows; r++) {
        assay_json_object(w);
        assay_json_row(w, run, r);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}
