/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark for machines: evalvault's keys, and what it leaves out. */
#include <math.h>

#include "base/json.h"
#include "base/slice.h"
#include "report/bench_report.h"

static double value_of(const assay_bench_column *m, const assay_bench_line *line)
{
    return line->column == ASSAY_NONE ? NAN : m->scores->total[line->column].value;
}

/* evalvault has precision before recall. */
static void put_method(assay_json_writer *w, const assay_bench_sheet *s,
                       const assay_bench_column *m)
{
    assay_json_key_slice(w, m->name);
    assay_json_object(w);
    assay_json_put_double(w, s->line[1].key, value_of(m, &s->line[1]));
    assay_json_put_double(w, s->line[0].key, value_of(m, &s->line[0]));
    for (uint32_t i = 2; i < s->n_lines; i++)
        if (!s->line[i].is_time || !s->without_times)
            assay_json_put_double(w, s->line[i].key, value_of(m, &s->line[i]));
    assay_json_put_int(w, "test_cases", m->scores->counts.total);
    assay_json_put_int(w, "measured_cases", m->scores->total[s->line[0].column].n);
    assay_json_put_int(w, "failed", m->scores->counts.failed);
    if (!s->without_times)
        assay_json_put_double(w, "index_ms", m->index_ms);
    assay_json_put_text(w, "identity", m->identity);
    if (m->backend) {
        assay_json_put_text(w, "backend", m->backend);
        assay_json_put_text(w, "fallback_reason", m->why);
    }
    assay_json_object_end(w);
}

static void put_best(assay_json_writer *w, const assay_bench_sheet *s)
{
    assay_json_key(w, "overall");
    assay_json_object(w);
    assay_json_key(w, "best_by_metric");
    assay_json_object(w);
    for (uint32_t i = 0; i < s->n_lines; i++) {
        const assay_bench_line *line = &s->line[i];

        if (line->is_time || line->best == ASSAY_NONE)
            continue;
        assay_json_key(w, line->key);
        assay_json_object(w);
        assay_json_key(w, "method");
        assay_json_string(w, s->method[line->best].name);
        assay_json_put_double(w, "score", value_of(&s->method[line->best], line));
        assay_json_object_end(w);
    }
    assay_json_object_end(w);
    assay_json_object_end(w);
}

static void put_settings(assay_json_writer *w, const assay_bench_sheet *s)
{
    assay_json_key(w, "settings");
    assay_json_object(w);
    assay_json_put_text(w, "file", s->golden->path ? s->golden->path : "-");
    assay_json_put_int(w, "top_k", s->k);
    assay_json_put_int(w, "ndcg_k", s->ndcg_k);
    assay_json_put_int(w, "depth", s->depth);
    assay_json_put_text(w, "empty_relevance", s->empty);
    assay_json_put_text(w, "conventions", s->conventions->name);
    assay_json_put_text(w, "level", assay_level_word(s->method[0].scores->level));
    assay_json_put_int(w, "passages", s->n_passages);
    assay_json_put_text(w, "version", assay_version());
    assay_json_object_end(w);
}

static void put_hit(assay_json_writer *w, const assay_hit *hit)
{
    assay_json_flat_object(w);
    assay_json_put_int(w, "rank", hit->rank);
    if (hit->chunk.len) {
        assay_json_key(w, "chunk_id");
        assay_json_string(w, hit->chunk);
    }
    assay_json_key(w, "doc_id");
    assay_json_string(w, hit->doc);
    assay_json_put_double(w, "score", hit->score);
    assay_json_object_end(w);
}

static void put_query(assay_json_writer *w, const assay_bench_sheet *s,
                      const assay_bench_column *m, uint32_t r)
{
    const assay_row *row = &m->scores->row[r];
    const assay_result *result = &m->run->result[row->result];

    assay_json_object(w);
    assay_json_key(w, "test_id");
    assay_json_string(w, row->id);
    assay_json_key(w, "method");
    assay_json_string(w, m->name);
    assay_json_key(w, "first_relevant_rank");
    if (row->first_rank)
        assay_json_int(w, row->first_rank);
    else
        assay_json_null(w);
    for (uint32_t i = 0; i < s->n_lines; i++)
        if (!s->line[i].is_time)
            assay_json_put_double(w, s->line[i].key,
                                  *assay_scores_cell(m->scores, r, s->line[i].column));
    if (!s->without_times)
        assay_json_put_double(w, "elapsed_ms", result->elapsed_ms);
    if (result->error.len) {
        assay_json_key(w, "error");
        assay_json_string(w, result->error);
    }
    assay_json_key(w, "hits");
    assay_json_list(w);
    for (uint32_t i = 0; i < result->n_hits && i < s->depth; i++)
        put_hit(w, &result->hit[i]);
    assay_json_list_end(w);
    assay_json_object_end(w);
}

static void put_queries(assay_json_writer *w, const assay_bench_sheet *s)
{
    assay_json_key(w, "per_query");
    assay_json_list(w);
    for (uint32_t r = 0; r < s->method[0].scores->n_rows; r++)
        for (uint32_t m = 0; m < s->n_methods; m++)
            if (s->method[m].scores->row[r].result != ASSAY_NONE)
                put_query(w, s, &s->method[m], r);
    assay_json_list_end(w);
}

void assay_bench_json(const assay_bench_sheet *sheet, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_put_text(&w, "schema", "assay.benchmark/1");
    assay_json_key(&w, "methods_compared");
    assay_json_list(&w);
    for (uint32_t m = 0; m < sheet->n_methods; m++)
        assay_json_string(&w, sheet->method[m].name);
    assay_json_list_end(&w);
    assay_json_key(&w, "results");
    assay_json_object(&w);
    for (uint32_t m = 0; m < sheet->n_methods; m++)
        put_method(&w, sheet, &sheet->method[m]);
    assay_json_object_end(&w);
    put_best(&w, sheet);
    put_settings(&w, sheet);
    assay_json_key(&w, "warnings");
    assay_json_list(&w);
    for (size_t i = 0; i < sheet->notes->n; i++)
        assay_json_text(&w, sheet->notes->text[i]);
    assay_json_list_end(&w);
    put_queries(&w, sheet);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}
