/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/slice.h"
#include "report/report_roster.h"

#define X(id) extern const assay_writer assay_writer_##id;
ASSAY_WRITER_ROSTER(X)
#undef X

#define X(id) &assay_writer_##id,
static const assay_writer *const roster[] = {ASSAY_WRITER_ROSTER(X)};
#undef X

const assay_writer *assay_writer_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

const assay_writer *assay_writer_find(const char *name)
{
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        if (strcmp(roster[i]->name, name) == 0)
            return roster[i];
    return NULL;
}

void assay_report_value(const assay_report_run *run, uint32_t column,
                        const assay_total *total, char *text, size_t size)
{
    const assay_column *c = &run->scores->column[column];
    bool is_whole = c->aggregate == ASSAY_AGG_SUM || c->aggregate == ASSAY_AGG_COUNT;

    if (isnan(total->value))
        snprintf(text, size, "n/a (%u of %u%s)", total->n, total->n + total->absent,
                 c->has_level ? " labelled" : "");
    else if (is_whole && total->value == floor(total->value))
        snprintf(text, size, "%.0f", total->value);
    else
        snprintf(text, size, "%.4f", total->value);
}

static void add_id(assay_buffer *out, uint32_t *n, uint32_t most, assay_slice id)
{
    if (*n < most)
        assay_buffer_printf(out, "%s%.*s", *n ? ", " : "", ASSAY_QUOTE(id));
    else if (*n == most)
        assay_buffer_text(out, ", ...");
    ++*n;
}

void assay_report_expected(const assay_report *report, const assay_row *row,
                           uint32_t most, assay_buffer *out)
{
    const assay_golden *g = report->golden;
    const assay_query *q = &g->query[row->query];
    bool is_chunk = report->level == ASSAY_LEVEL_CHUNK;
    uint32_t n = 0;

    for (uint32_t i = 0; i < q->n_judgments; i++) {
        const assay_judgment *j = &q->judgment[i];

        if (j->grade < 1 || (is_chunk ? j->chunk : j->doc) == ASSAY_NONE)
            continue;
        /* One document may be expected in several places. */
        if (!is_chunk && i && q->judgment[i - 1].doc == j->doc)
            continue;
        add_id(out, &n, most, is_chunk ? g->chunks.word[j->chunk] : g->docs.word[j->doc]);
    }
    if (!n)
        assay_buffer_char(out, '-');
}

void assay_report_retrieved(const assay_report_run *run, const assay_row *row,
                            uint32_t most, assay_buffer *out)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_result result;
    uint32_t n = 0;

    if (row->result != ASSAY_NONE &&
        !assay_run_result(run->run, row->result, &arena, &result, NULL))
        for (uint32_t i = 0; i < result.n_hits; i++)
            add_id(out, &n, most,
                   result.hit[i].chunk.len ? result.hit[i].chunk : result.hit[i].doc);
    if (!n)
        assay_buffer_char(out, '-');
    assay_arena_clear(&arena);
}
