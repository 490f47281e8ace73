/* SPDX-License-Identifier: Apache-2.0 */
/* assay search: what a retriever finds for one query, to look at. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/slice.h"
#include "cli/golden_arg.h"
#include "cli/searching.h"

static const assay_option options[] = {
    {'m', "method", ASSAY_OPTION_TEXT, "NAME", NULL,
     "bm25 (default), dense, hybrid, graphrag; parameters in brackets"},
    {'k', "top-k", ASSAY_OPTION_COUNT, "N", NULL, "how many hits; default 5"},
    {0, "explain", ASSAY_OPTION_FLAG, NULL, NULL, "say where each score comes from"},
    ASSAY_OPTIONS_DOCUMENTS,
    ASSAY_OPTIONS_RETRIEVE,
    ASSAY_OPTIONS_CASSETTE,
    ASSAY_OPTIONS_GOLDEN,
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* ---- printing ---- */

/* The beginning, cut at a character. */
static assay_slice beginning(assay_slice text, size_t most)
{
    if (text.len <= most)
        return text;
    while (most && ((unsigned char)text.ptr[most] & 0xC0) == 0x80)
        most--;
    return (assay_slice){text.ptr, most};
}

static void put_legs(const assay_searching *t, const assay_retrieved *hit,
                     assay_buffer *out)
{
    const char *name;

    for (uint32_t i = 0; t->retriever->leg_name && i < ASSAY_LEGS_MOST &&
                         (name = t->retriever->leg_name(t->state, i)) != NULL;
         i++) {
        assay_buffer_printf(out, "%s%s ", i ? ", " : "   ", name);
        if (hit->leg_rank[i])
            assay_buffer_printf(out, "rank %u (%.4f)", hit->leg_rank[i],
                                hit->leg_score[i]);
        else
            assay_buffer_text(out, "-");
    }
    if (t->retriever->leg_name)
        assay_buffer_char(out, '\n');
}

static assay_status put_hit(assay_searching *t, uint32_t i, bool explains,
                            assay_buffer *out, assay_error *err)
{
    enum { SHOWN = 400 };
    const assay_retrieved *hit = &t->hit[i];
    const assay_passage *p = &t->passages.item[hit->passage];
    assay_slice text = beginning(p->text, SHOWN);

    assay_buffer_printf(out, "%u. ", i + 1);
    assay_put_line(out, p->doc);
    if (p->n_spans)
        assay_buffer_printf(out, ":%llu-%llu", (unsigned long long)p->span[0].start,
                            (unsigned long long)p->span[p->n_spans - 1].end);
    assay_buffer_printf(out, "  %.4f", hit->score);
    if (!assay_slice_eq(p->id, p->doc))
        assay_buffer_printf(out, "  %.12s", p->id.ptr);
    assay_buffer_text(out, "\n   ");
    if (p->title.len) {
        assay_put_line(out, p->title);
        assay_buffer_text(out, ": ");
    }
    assay_put_line(out, text);
    assay_buffer_text(out, text.len < p->text.len ? " ...\n" : "\n");
    put_legs(t, hit, out);
    if (explains && t->retriever->explain)
        return t->retriever->explain(t->worker, t->query, hit->passage, out, err);
    return ASSAY_OK;
}

static assay_status put_table(assay_searching *t, assay_buffer *out, assay_error *err)
{
    bool explains = assay_cli_flag(t->cli, "explain");
    assay_status st = ASSAY_OK;

    if (!t->n)
        assay_buffer_text(out, "nothing found\n");
    for (uint32_t i = 0; i < t->n && !st; i++) {
        if (i)
            assay_buffer_char(out, '\n');
        st = put_hit(t, i, explains, out, err);
    }
    return st;
}

static void put_json_legs(assay_json_writer *w, const assay_searching *t,
                          const assay_retrieved *hit)
{
    const char *name;

    if (!t->retriever->leg_name)
        return;
    assay_json_key(w, "legs");
    assay_json_list(w);
    for (uint32_t i = 0;
         i < ASSAY_LEGS_MOST && (name = t->retriever->leg_name(t->state, i)) != NULL;
         i++) {
        assay_json_flat_object(w);
        assay_json_key(w, "name");
        assay_json_text(w, name);
        if (hit->leg_rank[i]) {
            assay_json_key(w, "rank");
            assay_json_int(w, hit->leg_rank[i]);
            assay_json_key(w, "score");
            assay_json_double(w, hit->leg_score[i]);
        }
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

static assay_status put_json_hit(assay_searching *t, assay_json_writer *w, uint32_t i,
                                 assay_error *err)
{
    const assay_retrieved *hit = &t->hit[i];
    const assay_passage *p = &t->passages.item[hit->passage];
    assay_buffer why = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    assay_json_object(w);
    assay_searching_json_hit(t, i, w);
    assay_json_key(w, "text");
    assay_json_string(w, p->text);
    put_json_legs(w, t, hit);
    if (assay_cli_flag(t->cli, "explain") && t->retriever->explain) {
        st = t->retriever->explain(t->worker, t->query, hit->passage, &why, err);
        assay_json_key(w, "explanation");
        assay_json_string(w, assay_buffer_view(&why));
    }
    assay_buffer_clear(&why);
    assay_json_object_end(w);
    return st;
}

static assay_status put_json(assay_searching *t, assay_buffer *out, assay_error *err)
{
    assay_json_writer w = assay_json_writer_of(out, 2);
    assay_status st = ASSAY_OK;

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.search/1");
    assay_json_key(&w, "query");
    assay_json_string(&w, t->query);
    assay_searching_json_method(t, &w);
    assay_json_key(&w, "elapsed_ms");
    assay_json_double(&w, t->elapsed_ms);
    assay_json_key(&w, "hits");
    assay_json_list(&w);
    for (uint32_t i = 0; i < t->n && !st; i++)
        st = put_json_hit(t, &w, i, err);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
    return st;
}

static assay_status print(assay_searching *t, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    bool is_json = strcmp(assay_cli_format(t->cli, "table"), "json") == 0;
    assay_status st = is_json ? put_json(t, &out, err) : put_table(t, &out, err);

    if (!st)
        st = out.has_failed ? assay_fail_memory(err, "printing the hits")
                            : assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_search(assay_cli *cli, assay_error *err)
{
    assay_searching t;
    assay_status st = assay_searching_open(&t, cli, err);

    if (!st)
        st = assay_searching_find(&t, "bm25", 5, err);
    if (!st) {
        assay_cli_warn_notes(cli, &t.notes);
        st = print(&t, err);
    }
    return assay_searching_close(&t, st, err);
}

const assay_command assay_command_search = {
    .name = "search",
    .args = "QUERY",
    .summary = "what a retriever finds for one query",
    .example = "assay search 'how are refunds approved' --method hybrid\n"
               "assay search 'refunds' --explain --documents ground_truth.json",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = run_search,
};
