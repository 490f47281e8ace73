/* SPDX-License-Identifier: Apache-2.0 */
/* Baselines made from scores, written, and laid beside a run.  Reading: baseline_read.c. */
#include "compare/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "compare/baseline_own.h"
#include "golden/frozen.h"

void assay_baseline_free(assay_baseline *baseline)
{
    if (!baseline)
        return;
    assay_file_close(&baseline->file);
    assay_arena_clear(&baseline->arena);
    assay_mem_free(baseline);
}

/* ---- making ---- */

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "making a baseline");
}

/* Notes and the like are one line each: what would break it becomes a blank. */
static bool copy_line(assay_arena *arena, assay_slice *text)
{
    char *copy = assay_arena_string(arena, *text);

    for (size_t i = 0; copy && i < text->len; i++)
        if ((unsigned char)copy[i] < ' ')
            copy[i] = ' ';
    *text = copy ? assay_slice_trim((assay_slice){copy, text->len}) : *text;
    return copy != NULL;
}

static bool copy_head(assay_baseline *b, const assay_baseline_head *head)
{
    b->head = *head;
    for (size_t i = 0; i < assay_baseline_n_fields; i++) {
        assay_slice *text = assay_baseline_text(&b->head, i);

        if (text && !copy_line(&b->arena, text))
            return false;
    }
    return true;
}

static bool copy_metrics(assay_baseline *b, const assay_scores *scores)
{
    for (uint32_t c = 0; c < scores->n_columns; c++) {
        assay_baseline_metric *m = &b->metric[c];
        const assay_total *total = &scores->total[c];

        m->name = assay_arena_copy(&b->arena, assay_slice_of(scores->column[c].name));
        m->full = assay_arena_copy(&b->arena, assay_slice_of(scores->column[c].full));
        m->value = total->n ? total->value : (double)NAN;
        m->n = total->n;
        if (!m->name.ptr || !m->full.ptr)
            return false;
    }
    b->n_metrics = scores->n_columns;
    return true;
}

static assay_status copy_query(assay_baseline *b, const assay_scores *scores, uint32_t r,
                               const assay_golden *golden, assay_error *err)
{
    const assay_row *row = &scores->row[r];
    assay_baseline_query *q = &b->query[r];
    char hash[65];
    assay_status st = assay_query_hash(golden, &golden->query[row->query], hash, err);

    if (st)
        return st;
    q->id = assay_arena_copy(&b->arena, row->id);
    q->judged = assay_arena_copy(&b->arena, (assay_slice){hash, ASSAY_BASELINE_HASH});
    q->rank = row->first_rank;
    q->value = ASSAY_ARENA_ARRAY(&b->arena, double, scores->n_columns + 1u);
    if (!q->id.ptr || !q->judged.ptr || !q->value)
        return fail_memory(err);
    for (uint32_t c = 0; c < scores->n_columns; c++)
        q->value[c] = *assay_scores_cell(scores, r, c);
    b->n_queries++;
    return ASSAY_OK;
}

assay_status assay_baseline_make(const assay_baseline_head *head,
                                 const assay_scores *scores, const assay_golden *golden,
                                 assay_baseline **out, assay_error *err)
{
    assay_baseline *b = ASSAY_NEW(assay_baseline);
    assay_status st = ASSAY_OK;

    if (!b)
        return fail_memory(err);
    b->path = "baseline";
    b->metric =
        ASSAY_ARENA_ARRAY(&b->arena, assay_baseline_metric, scores->n_columns + 1u);
    b->query = ASSAY_ARENA_ARRAY(&b->arena, assay_baseline_query, scores->n_rows + 1u);
    if (!b->metric || !b->query || !copy_head(b, head) || !copy_metrics(b, scores))
        st = fail_memory(err);
    for (uint32_t r = 0; !st && r < scores->n_rows; r++)
        st = copy_query(b, scores, r, golden, err);
    if (st) {
        assay_baseline_free(b);
        return st;
    }
    *out = b;
    return ASSAY_OK;
}

/* ---- writing ---- */

static void write_id(assay_buffer *out, assay_slice id)
{
    for (size_t i = 0; i < id.len; i++) {
        const unsigned char c = (unsigned char)id.ptr[i];

        if (c <= ' ' || c == '%' || c == 0x7f || (c == '#' && i == 0))
            assay_buffer_printf(out, "%%%02X", c);
        else
            assay_buffer_char(out, (char)c);
    }
    if (!id.len)
        assay_buffer_text(out, "%");
}

static void write_number(assay_buffer *out, double value)
{
    if (isnan(value))
        assay_buffer_char(out, '-');
    else
        assay_buffer_double(out, value);
}

static void write_head(const assay_baseline *b, assay_buffer *out)
{
    assay_baseline_head head = b->head;

    assay_buffer_printf(out, "%s\n", ASSAY_BASELINE_MAGIC);
    for (size_t i = 0; i < assay_baseline_n_fields; i++) {
        const assay_slice *text = assay_baseline_text(&head, i);
        const uint32_t *number = assay_baseline_number(&head, i);

        if (text && text->len) {
            assay_buffer_printf(out, "%s: ", assay_baseline_field_name(i));
            assay_buffer_slice(out, *text);
            assay_buffer_char(out, '\n');
        } else if (number && *number) {
            assay_buffer_printf(out, "%s: %u\n", assay_baseline_field_name(i), *number);
        }
    }
    for (uint32_t i = 0; i < b->n_metrics; i++) {
        const assay_baseline_metric *m = &b->metric[i];

        assay_buffer_text(out, "metric: ");
        assay_buffer_slice(out, m->name);
        assay_buffer_char(out, ' ');
        write_number(out, m->value);
        assay_buffer_printf(out, " %u ", m->n);
        assay_buffer_slice(out, m->full);
        assay_buffer_char(out, '\n');
    }
}

void assay_baseline_write(const assay_baseline *baseline, assay_buffer *out)
{
    const assay_baseline *b = baseline;

    write_head(b, out);
    assay_buffer_text(out, "\nquery rank");
    for (uint32_t i = 0; i < b->n_metrics; i++) {
        assay_buffer_char(out, ' ');
        assay_buffer_slice(out, b->metric[i].name);
    }
    assay_buffer_text(out, " judged\n");
    for (uint32_t r = 0; r < b->n_queries; r++) {
        const assay_baseline_query *q = &b->query[r];

        write_id(out, q->id);
        if (q->rank)
            assay_buffer_printf(out, " %u", q->rank);
        else
            assay_buffer_text(out, " -");
        for (uint32_t i = 0; i < b->n_metrics; i++) {
            assay_buffer_char(out, ' ');
            write_number(out, q->value[i]);
        }
        assay_buffer_char(out, ' ');
        assay_buffer_slice(out, q->judged.len ? q->judged : ASSAY_LIT("-"));
        assay_buffer_char(out, '\n');
    }
}

/* ---- beside a run ---- */

uint32_t assay_baseline_metric_find(const assay_baseline *baseline, const char *full)
{
    for (uint32_t i = 0; i < baseline->n_metrics; i++)
        if (assay_slice_is(baseline->metric[i].full, full))
            return i;
    return ASSAY_NONE;
}

void assay_baseline_core_clear(assay_baseline_core *core)
{
    assay_scores_free(core->before);
    assay_scores_free(core->after);
    *core = (assay_baseline_core){0};
}

/* Walks both lists, which are in byte order, side by side. */
typedef struct joiner {
    const assay_baseline *baseline;
    const assay_scores *scores;
    const assay_golden *golden;
    assay_baseline_core *core;
    uint32_t *row;  /* of the run, for each query of the core */
    uint32_t *line; /* of the baseline */
} joiner;

static void exclude(joiner *j, assay_slice id, const char *why)
{
    j->core->excluded[j->core->n_excluded++] = (assay_excluded){id, why};
}

/* The run has not been measured on it. */
static void exclude_gone(joiner *j, assay_slice id)
{
    const uint32_t at = assay_dict_find(&j->golden->ids, id);

    if (at == ASSAY_NONE)
        exclude(j, id, "not in the golden set of the run");
    else if (j->golden->query[at].is_draft)
        exclude(j, id, "a draft in the golden set of the run");
    else
        exclude(j, id, "not in the plan of the run");
}

static assay_status pair_up(joiner *j, uint32_t r, uint32_t q, assay_error *err)
{
    const assay_baseline_query *before = &j->baseline->query[q];
    const assay_row *row = &j->scores->row[r];
    char hash[65];
    assay_status st;

    st = assay_query_hash(j->golden, &j->golden->query[row->query], hash, err);
    if (st)
        return st;
    if (before->judged.len && strncmp(hash, before->judged.ptr, before->judged.len)) {
        exclude(j, row->id, "judged otherwise than in the baseline");
        return ASSAY_OK;
    }
    j->row[j->core->n] = r;
    j->line[j->core->n++] = q;
    return ASSAY_OK;
}

static assay_status walk(joiner *j, assay_error *err)
{
    const uint32_t n_rows = j->scores->n_rows;
    const uint32_t n_lines = j->baseline->n_queries;
    uint32_t r = 0;
    uint32_t q = 0;
    assay_status st = ASSAY_OK;

    while (!st && (r < n_rows || q < n_lines)) {
        int order;

        if (r == n_rows || q == n_lines)
            order = r == n_rows ? 1 : -1;
        else
            order = assay_slice_cmp(j->scores->row[r].id, j->baseline->query[q].id);
        if (order < 0)
            exclude(j, j->scores->row[r++].id, "not in the baseline");
        else if (order > 0)
            exclude_gone(j, j->baseline->query[q++].id);
        else
            st = pair_up(j, r++, q++, err);
    }
    return st;
}

static bool copy_columns(const joiner *j, assay_scores *into)
{
    for (uint32_t c = 0; c < into->n_columns; c++) {
        const assay_column *from = &j->scores->column[c];

        into->column[c] = *from;
        into->column[c].name =
            assay_arena_string(&into->arena, assay_slice_of(from->name));
        into->column[c].full =
            assay_arena_string(&into->arena, assay_slice_of(from->full));
        if (!into->column[c].name || !into->column[c].full)
            return false;
        /* A baseline says only how deep it went. */
        if (into == j->core->before)
            into->column[c].is_too_deep =
                j->baseline->head.depth && from->k > j->baseline->head.depth;
    }
    return true;
}

static bool fill_tables(const joiner *j)
{
    const assay_baseline_core *core = j->core;
    const assay_scores *s = j->scores;

    if (!copy_columns(j, core->before) || !copy_columns(j, core->after))
        return false;
    for (uint32_t i = 0; i < core->n; i++) {
        core->before->row[i] = s->row[j->row[i]];
        core->after->row[i] = s->row[j->row[i]];
    }
    for (uint32_t c = 0; c < s->n_columns; c++) {
        const uint32_t m = assay_baseline_metric_find(j->baseline, s->column[c].full);

        for (uint32_t i = 0; i < core->n; i++) {
            *assay_scores_cell(core->after, i, c) = *assay_scores_cell(s, j->row[i], c);
            if (m != ASSAY_NONE)
                *assay_scores_cell(core->before, i, c) =
                    j->baseline->query[j->line[i]].value[m];
        }
    }
    return assay_scores_finish(core->before) && assay_scores_finish(core->after);
}

static uint32_t within(uint32_t rank, uint32_t depth)
{
    return depth && rank > depth ? 0 : rank;
}

static bool fill(joiner *j, uint32_t depth, assay_arena *arena)
{
    assay_baseline_core *core = j->core;

    core->before = assay_scores_new(core->n, j->scores->n_columns);
    core->after = assay_scores_new(core->n, j->scores->n_columns);
    core->query = ASSAY_ARENA_ARRAY(arena, assay_gate_query, core->n + 1u);
    if (!core->before || !core->after || !core->query)
        return false;
    for (uint32_t i = 0; i < core->n; i++) {
        const assay_row *row = &j->scores->row[j->row[i]];

        core->query[i] = (assay_gate_query){
            row->id, within(j->baseline->query[j->line[i]].rank, depth),
            within(row->first_rank, depth)};
    }
    return fill_tables(j);
}

assay_status assay_baseline_join(const assay_baseline *baseline,
                                 const assay_scores *scores, const assay_golden *golden,
                                 uint32_t depth, assay_arena *arena,
                                 assay_baseline_core *out, assay_error *err)
{
    const size_t most = (size_t)scores->n_rows + baseline->n_queries + 1;
    assay_baseline_core core = {0};
    joiner j = {.baseline = baseline, .scores = scores, .golden = golden, .core = &core};
    assay_status st;

    core.excluded = ASSAY_ARENA_ARRAY(arena, assay_excluded, most);
    j.row = ASSAY_ARENA_ARRAY(arena, uint32_t, most);
    j.line = ASSAY_ARENA_ARRAY(arena, uint32_t, most);
    if (!core.excluded || !j.row || !j.line)
        return fail_memory(err);
    st = walk(&j, err);
    if (!st && !fill(&j, depth, arena))
        st = fail_memory(err);
    if (st) {
        assay_baseline_core_clear(&core);
        return st;
    }
    *out = core;
    return ASSAY_OK;
}
