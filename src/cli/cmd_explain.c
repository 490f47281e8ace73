/* SPDX-License-Identifier: Apache-2.0 */
/* assay explain: where a run loses its queries, and what changed them between two runs. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/sides_arg.h"
#include "corpus/corpus.h"
#include "pipeline/comparing.h"
#include "pipeline/corpus_passages.h"
#include "pipeline/eval_words.h"
#include "report/explain_report.h"
#include "retrieve/retrieve.h"

static const assay_option options[] = {
    {'k', "k", ASSAY_OPTION_COUNT, "K", NULL,
     "hits that count as retrieved; default the runs' own k"},
    {0, "context", ASSAY_OPTION_COUNT, "N", NULL,
     "hits that answers rest on; default the runs' own k"},
    {0, "most", ASSAY_OPTION_COUNT, "N", NULL,
     "queries that are explained when none is named (10)"},
    {0, "level", ASSAY_OPTION_CHOICE, "LEVEL", "auto|evidence|chunk|doc",
     "what is to be found"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "NAME", "assay|kebab|bob|evalvault|trec",
     "whose rules to follow; default the golden set's, else assay"},
    ASSAY_OPTIONS_SIDES,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_workspace workspace;
    assay_sides sides;
    assay_comparison *comparison;
    assay_dict docs; /* of the corpus */
    assay_waterfall fall[2];
    assay_explainer explainer;
    bool is_open; /* the explainer */
    assay_explanation *explanation;
    uint32_t n_explanations;
    uint32_t n_left_out;
    assay_buffer terms;
} task;

static void release(task *t)
{
    for (uint32_t i = 0; i < t->n_explanations; i++)
        assay_notes_clear(&t->explanation[i].clues);
    if (t->is_open)
        assay_explainer_close(&t->explainer);
    assay_dict_clear(&t->docs);
    assay_buffer_clear(&t->terms);
    assay_comparison_free(t->comparison);
    assay_sides_close(&t->sides);
    assay_workspace_close(&t->workspace);
}

/* ---- the corpus ---- */

static assay_status take_doc(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    task *t = ctx;
    uint32_t number;

    return assay_dict_put(&t->docs, &t->cli->arena, doc->id, &number, NULL)
               ? ASSAY_OK
               : assay_fail_memory(err, "listing the documents");
}

static assay_status list_docs(task *t, assay_error *err)
{
    assay_corpus *corpus = NULL;
    assay_status st;

    if (!t->sides.corpus)
        return ASSAY_OK;
    st = assay_corpus_open(t->sides.corpus, ASSAY_CORPUS_READ, &corpus, err);
    if (!st)
        st = assay_corpus_each(corpus, take_doc, t, err);
    assay_corpus_close(corpus);
    return st;
}

static bool has_doc(void *ctx, assay_slice doc)
{
    const task *t = ctx;

    return assay_dict_find(&t->docs, doc) != ASSAY_NONE;
}

/* ---- measuring ---- */

static assay_status measure(task *t, assay_error *err)
{
    static const char *const answers[] = {"mrr," ASSAY_FALL_MEASURES};
    static const char *const plain[] = {"mrr"};
    const assay_cli *cli = t->cli;
    const assay_eval_options o = {.conventions = assay_cli_text(cli, "conventions"),
                                  .level = assay_cli_text(cli, "level"),
                                  .n_threads =
                                      (uint32_t)assay_cli_count(cli, "threads", 0)};
    assay_comparing_settings s = {.measure = plain,
                                  .n_measures = 1,
                                  .depth = (uint32_t)assay_cli_count(cli, "k", 0),
                                  .test = assay_stat_test_find("sign"),
                                  .keeps_order = true};
    assay_status st = assay_eval_words(&o, &s.eval, err);

    for (uint32_t i = 0; i < t->sides.n; i++)
        if (t->sides.side[i].run->has_answers)
            s.measure = answers;
    return st ? st
              : assay_compare_runs(t->sides.side, t->sides.n, &s, &t->comparison, err);
}

static assay_status fall(task *t, assay_error *err)
{
    const assay_fall_rules rules = {.k = (uint32_t)assay_cli_count(t->cli, "k", 0),
                                    .context =
                                        (uint32_t)assay_cli_count(t->cli, "context", 0),
                                    .has_doc = t->sides.corpus ? has_doc : NULL,
                                    .ctx = t};
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; !st && i < t->sides.n; i++)
        st = assay_waterfall_make(t->comparison, i, &rules, &t->cli->arena, &t->fall[i],
                                  err);
    return st;
}

/* ---- queries ---- */

static bool has_changed(const task *t, uint32_t at)
{
    const assay_query_change *q = &t->comparison->pair[0].query[at];

    return q->kind != ASSAY_KIND_DRAW || q->n_lost || q->n_found ||
           t->fall[0].fall[at] != t->fall[1].fall[at];
}

static assay_status explain_one(task *t, uint32_t at, assay_error *err)
{
    assay_status st = assay_explain(&t->explainer, at, &t->cli->arena,
                                    &t->explanation[t->n_explanations], err);

    if (!st)
        t->n_explanations++;
    return st;
}

static assay_status find_query(const task *t, const char *id, uint32_t *at,
                               assay_error *err)
{
    const assay_core *core = &t->comparison->core;

    for (*at = 0; *at < core->n; ++*at)
        if (assay_slice_is(core->id[*at], id))
            return ASSAY_OK;
    for (uint32_t i = 0; i < core->n_excluded; i++)
        if (assay_slice_is(core->excluded[i].id, id))
            return assay_fail(err, ASSAY_EUSAGE, "query '%.80s' cannot be compared: %s",
                              id, core->excluded[i].why);
    return assay_fail(err, ASSAY_EUSAGE, "no query '%.80s'", id);
}

/* What hurts first: regressions, losses, then the rest, each in byte order. */
static assay_status explain_changed(task *t, uint32_t most, assay_error *err)
{
    static const assay_kind order[] = {ASSAY_KIND_REGRESSION, ASSAY_KIND_LOSS,
                                       ASSAY_KIND_WIN, ASSAY_KIND_DRAW};
    const assay_comparison *c = t->comparison;
    assay_status st = ASSAY_OK;

    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        for (uint32_t i = 0; !st && i < c->core.n; i++) {
            if (c->pair[0].query[i].kind != order[k] || !has_changed(t, i))
                continue;
            if (t->n_explanations < most)
                st = explain_one(t, i, err);
            else
                t->n_left_out++;
        }
    return st;
}

static assay_status explain_all(task *t, const char *query, assay_error *err)
{
    uint32_t most = (uint32_t)assay_cli_count(t->cli, "most", 10);
    uint32_t at;
    assay_status st;

    if (t->sides.n < 2)
        return ASSAY_OK;
    t->explanation =
        ASSAY_ARENA_ARRAY(&t->cli->arena, assay_explanation, (size_t)most + 1);
    if (!t->explanation)
        return assay_fail_memory(err, "explaining");
    st = assay_explainer_open(&t->explainer, t->comparison, &t->comparison->pair[0],
                              t->fall[0].k, err);
    if (st)
        return st;
    t->is_open = true;
    t->explainer.has_doc = t->sides.corpus ? has_doc : NULL;
    t->explainer.ctx = t;
    if (!query)
        return explain_changed(t, most, err);
    st = find_query(t, query, &at, err);
    return st ? st : explain_one(t, at, err);
}

/* ---- terms ---- */

static uint32_t passage_of(const assay_passages *p, assay_slice id)
{
    uint32_t low = 0;
    uint32_t high = p->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (assay_slice_cmp(p->item[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->n && assay_slice_eq(p->item[low].id, id) ? low : ASSAY_NONE;
}

/* The hits worth taking apart: the relevant ones, and what stands first. */
static assay_status put_parts(task *t, uint32_t side, const assay_retriever *retriever,
                              void *worker, const assay_passages *p, assay_error *err)
{
    const assay_explanation *e = &t->explanation[0];
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; !st && i < e->n_hits; i++) {
        const assay_hit *h = side ? e->hit[i].b : e->hit[i].a;
        uint32_t rank = side ? e->hit[i].rank_b : e->hit[i].rank_a;
        uint32_t number = h ? passage_of(p, h->chunk) : ASSAY_NONE;

        if (number == ASSAY_NONE || (!e->hit[i].is_relevant && rank != 1))
            continue;
        assay_buffer_printf(&t->terms, "%s: rank %u, %.*s (%.*s)\n",
                            assay_side_letter(side), rank, ASSAY_QUOTE(h->chunk),
                            ASSAY_QUOTE(h->doc));
        st = retriever->explain(worker, e->change->text, number, &t->terms, err);
        assay_buffer_char(&t->terms, '\n');
    }
    return st;
}

static assay_status ask(task *t, uint32_t side, const assay_passages *p,
                        assay_slice params, const assay_retriever *retriever,
                        assay_error *err)
{
    assay_notes notes = {0};
    const assay_retrieve_source source = {
        .passages = p, .params = params, .notes = &notes, .arena = &t->cli->arena};
    void *state = NULL;
    void *worker = NULL;
    assay_status st = retriever->open(&source, &state, err);

    if (!st)
        st = retriever->worker(state, &worker, err);
    if (!st)
        st = put_parts(t, side, retriever, worker, p, err);
    if (worker)
        retriever->worker_close(worker);
    if (state)
        retriever->close(state);
    assay_notes_clear(&notes);
    return st;
}

/* Contributions of terms, where the run was made by bm25 and its corpus is at hand.  A
 * chunking that this program cannot cut by leaves nothing to say. */
static assay_status explain_terms(task *t, uint32_t side, assay_corpus *corpus,
                                  assay_error *err)
{
    const assay_snapshot *s = t->sides.side[side].snapshot;
    const assay_retriever *bm25 = assay_retriever_find(ASSAY_LIT("bm25"));
    assay_slice params = ASSAY_LIT("");
    assay_chunking chunking;
    assay_passages p;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_status st;

    if (!s || !assay_slice_starts(s->method, "bm25") || !s->chunker.len ||
        assay_chunking_read(s->chunker, &chunking, NULL))
        return ASSAY_OK;
    if (s->method.len > strlen("bm25()"))
        params = (assay_slice){s->method.ptr + strlen("bm25("),
                               s->method.len - strlen("bm25()")};
    st = assay_passages_cut(corpus, &chunking, &arena, &p, err);
    if (!st)
        st = ask(t, side, &p, params, bm25, err);
    assay_arena_clear(&arena);
    return st;
}

static assay_status explain_parts(task *t, const char *query, assay_error *err)
{
    assay_corpus *corpus = NULL;
    assay_status st;

    if (!query || !t->sides.corpus || !t->n_explanations)
        return ASSAY_OK;
    st = assay_corpus_open(t->sides.corpus, ASSAY_CORPUS_READ, &corpus, err);
    for (uint32_t i = 0; !st && i < 2; i++)
        st = explain_terms(t, i, corpus, err);
    assay_corpus_close(corpus);
    return st;
}

/* ---- printing ---- */

static assay_status emit(task *t, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_why why = {.comparison = t->comparison,
                     .fall = t->fall,
                     .explanation = t->explanation,
                     .n_explanations = t->n_explanations,
                     .n_left_out = t->n_left_out,
                     .terms = ""};
    assay_status st;

    if (t->terms.len) {
        assay_buffer_char(&t->terms, '\0');
        why.terms = t->terms.has_failed ? "" : t->terms.ptr;
    }
    if (strcmp(assay_cli_format(t->cli, "table"), "json") == 0)
        assay_why_json(&why, &out);
    else
        assay_why_table(&why, &out);
    out.has_failed |= t->terms.has_failed;
    st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_explain(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli, .terms = ASSAY_BUFFER_EMPTY};
    const char *query = cli->n_args > 2 ? cli->arg[2] : NULL;
    uint32_t n = cli->n_args > 2 ? 2 : cli->n_args;
    assay_status st = assay_workspace_open(cli, &t.workspace, err);

    if (!st)
        st = assay_sides_open(&t.sides, &t.workspace, n, err);
    for (uint32_t i = 0; !st && i < n; i++)
        st = assay_sides_add(&t.sides, cli->arg[i], NULL, err);
    if (!st)
        st = list_docs(&t, err);
    if (!st)
        st = measure(&t, err);
    if (!st)
        st = fall(&t, err);
    if (!st)
        st = explain_all(&t, query, err);
    if (!st)
        st = explain_parts(&t, query, err);
    if (!st) {
        assay_cli_warn_notes(cli, &t.sides.notes);
        st = emit(&t, err);
    }
    release(&t);
    return st;
}

const assay_command assay_command_explain = {
    .name = "explain",
    .args = "RUN [RUN [QUERY]]",
    .summary = "where a run loses its queries, and what changed them between two",
    .details =
        "Of one run: at which step each query was lost, from the documents to the answer;\n"
        "the counts add up to all that were judged.  Of two: both waterfalls, who fell where\n"
        "before and now, and for every query that changed its hits rank by rank, with what\n"
        "can be seen of the cause: documents gone or changed, chunk boundaries, ranks in the\n"
        "legs of a fusion, scores at the cutoff, ties.  With --corpus documents are looked for\n"
        "there, and for a QUERY of bm25 runs the parts of the scores are shown.\n\n"
        "Runs are named as in 'assay compare'.",
    .example = "  assay explain latest\n"
               "  assay explain latest~1 latest\n"
               "  assay explain latest~1 latest q-017 --corpus main",
    .option = options,
    .min_args = 1,
    .max_args = 3,
    .run = run_explain,
};
