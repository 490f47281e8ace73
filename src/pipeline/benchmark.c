/* SPDX-License-Identifier: Apache-2.0 */
/* Retrievers side by side: open, ask, measure, one method after the other. */
#include "pipeline/benchmark.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/params.h"
#include "base/slice.h"
#include "pipeline/control_system.h"
#include "pipeline/evaluate.h"

static const char STANDARD[] = "bm25,dense,hybrid,graphrag";

/* Sets of this size and more are looked at down to rank 10. */
enum { LARGE = 1000, K_SMALL = 5, K_LARGE = 10 };

/* ---- settings ---- */

/* The next of "a,b(c,d),e": commas inside brackets belong to the method. */
static bool next_method(assay_slice *rest, assay_slice *out)
{
    size_t depth = 0;
    size_t i = 0;

    if (!rest->len)
        return false;
    while (i < rest->len && (depth || rest->ptr[i] != ',')) {
        depth += rest->ptr[i] == '(';
        depth -= depth && rest->ptr[i] == ')';
        i++;
    }
    *out = assay_slice_trim((assay_slice){rest->ptr, i});
    i += i < rest->len;
    rest->ptr += i;
    rest->len -= i;
    return true;
}

static assay_status read_methods(assay_bench *b, const char *methods, assay_error *err)
{
    assay_slice rest = assay_slice_of(methods ? methods : STANDARD);
    assay_slice name;

    while (next_method(&rest, &name)) {
        if (b->n_methods == ASSAY_BENCH_METHODS)
            return assay_fail(err, ASSAY_EUSAGE, "more than %d methods",
                              ASSAY_BENCH_METHODS);
        for (uint32_t i = 0; i < b->n_methods; i++)
            if (assay_slice_eq(b->method[i].name, name))
                return assay_fail(err, ASSAY_EUSAGE, "method '%.*s' is named twice",
                                  ASSAY_QUOTE(name));
        b->method[b->n_methods].name = assay_arena_copy(&b->arena, name);
        if (!b->method[b->n_methods++].name.ptr)
            return assay_fail_memory(err, "reading the methods");
    }
    if (!b->n_methods)
        return assay_fail(err, ASSAY_EUSAGE, "no method is named");
    return ASSAY_OK;
}

static bool has_method(const assay_bench *b, const char *name)
{
    for (uint32_t i = 0; i < b->n_methods; i++)
        if (assay_slice_is(b->method[i].name, name))
            return true;
    return false;
}

/* The rulers that are not there already. */
static assay_status add_controls(assay_bench *b, assay_error *err)
{
    const char *const name[] = {"bm25", assay_control_name(ASSAY_CONTROL_RANDOM),
                                assay_control_name(ASSAY_CONTROL_ORACLE)};

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        if (has_method(b, name[i]))
            continue;
        if (b->n_methods == ASSAY_BENCH_METHODS)
            return assay_fail(err, ASSAY_EUSAGE, "more than %d methods",
                              ASSAY_BENCH_METHODS);
        b->method[b->n_methods++] =
            (assay_bench_method){.name = assay_slice_of(name[i]), .is_control = true};
    }
    return ASSAY_OK;
}

static void set_cutoffs(assay_bench *b, const assay_bench_settings *s)
{
    b->k = s->k ? s->k : b->n_passages < LARGE ? K_SMALL : K_LARGE;
    b->ndcg_k = s->ndcg_k ? s->ndcg_k : b->k;
    b->depth = b->k > b->ndcg_k ? b->k : b->ndcg_k;
    /* Warnings look at their own cutoffs, whatever was asked for. */
    b->depth = b->depth > K_LARGE ? b->depth : K_LARGE;
    b->conventions =
        s->conventions ? s->conventions : assay_conventions_find(ASSAY_LIT("evalvault"));
    b->empty =
        (s->has_empty_rule ? s->empty_rule : b->conventions->empty) == ASSAY_EMPTY_ZERO
            ? "zero"
            : "skip";
}

/* ---- opening ---- */

static assay_status open_as(assay_bench *b, const assay_bench_settings *s,
                            assay_slice spelling, const assay_retriever **retriever,
                            void **state, assay_error *err)
{
    assay_slice name;
    assay_slice argument;
    assay_slice params;
    assay_status st = assay_params_split(spelling, &name, &argument, &params, err);

    if (st)
        return st;
    if (argument.len)
        return assay_fail(err, ASSAY_EUSAGE, "method '%.*s' takes nothing after a colon",
                          ASSAY_QUOTE(name));
    return assay_shared_open(&b->shared, name, params, &s->source, retriever, state, err);
}

/* Another retriever in its place, and why; where that may not be, the reason. */
static assay_status fall_back(assay_bench *b, const assay_bench_settings *s,
                              assay_bench_method *m, const assay_retriever **retriever,
                              void **state, assay_error *err)
{
    assay_error why = *err;

    if (!s->allow_fallback) {
        snprintf(
            err->text, sizeof err->text,
            "method '%.*s' cannot be built: %.800s; --allow-fallback puts bm25 in its "
            "place",
            ASSAY_QUOTE(m->name), why.text);
        return err->status = ASSAY_ESYSTEM;
    }
    m->backend = "bm25";
    m->why = assay_arena_string(&b->arena, assay_slice_of(why.text));
    if (!m->why || !assay_notes_add(&b->notes, &b->arena, "%.*s fell back to bm25: %s",
                                    ASSAY_QUOTE(m->name), why.text))
        return assay_fail_memory(err, "opening a retriever");
    return open_as(b, s, ASSAY_LIT("bm25"), retriever, state, err);
}

/* A misspelt name is a mistake to be corrected, not a method that cannot be built. */
static bool is_known(assay_slice spelling)
{
    assay_slice name;
    assay_slice argument;
    assay_slice params;

    return !assay_params_split(spelling, &name, &argument, &params, NULL) &&
           assay_retriever_find(name);
}

static assay_status open_method(assay_bench *b, const assay_bench_settings *s,
                                assay_bench_method *m, const assay_retriever **retriever,
                                void **state, assay_error *err)
{
    double start = assay_now_ms();
    assay_buffer identity = ASSAY_BUFFER_EMPTY;
    assay_error own;
    assay_status st;

    err = err ? err : &own;
    st = open_as(b, s, m->name, retriever, state, err);
    if (st == ASSAY_ESYSTEM || st == ASSAY_EINPUT ||
        (st == ASSAY_EUSAGE && s->allow_fallback && is_known(m->name)))
        st = fall_back(b, s, m, retriever, state, err);
    if (st)
        return st;
    m->index_ms = assay_now_ms() - start;
    (*retriever)->identity(*state, &identity);
    m->identity = assay_arena_string(&b->arena, assay_buffer_view(&identity));
    if (identity.has_failed || !m->identity)
        st = assay_fail_memory(err, "opening a retriever");
    assay_buffer_clear(&identity);
    return st;
}

/* ---- measuring ---- */

/* The spelling of a figure. */
static void spell(const assay_bench *b, assay_bench_figure figure, char *out, size_t size)
{
    static const struct {
        const char *name;
        bool is_ndcg;
        bool has_cutoff;
    } of[ASSAY_BENCH_FIGURES] = {
        [ASSAY_BENCH_RECALL] = {"recall", false, true},
        [ASSAY_BENCH_PRECISION] = {"precision", false, true},
        [ASSAY_BENCH_MRR] = {"mrr", false, true},
        [ASSAY_BENCH_NDCG] = {"ndcg", true, true},
        [ASSAY_BENCH_P50] = {"latency_p50", false, false},
        [ASSAY_BENCH_P95] = {"latency_p95", false, false},
    };

    if (of[figure].has_cutoff)
        snprintf(out, size, "%s@%u", of[figure].name,
                 of[figure].is_ndcg ? b->ndcg_k : b->k);
    else
        snprintf(out, size, "%s", of[figure].name);
}

/* What is shown, and what evalvault's warnings are about. */
static void list_measures(const assay_bench *b, assay_buffer *out)
{
    for (int i = 0; i < ASSAY_BENCH_FIGURES; i++) {
        char name[40];

        spell(b, (assay_bench_figure)i, name, sizeof name);
        assay_buffer_printf(out, "%s,", name);
    }
    assay_buffer_text(out, "recall@5,ndcg@10");
    assay_buffer_char(out, '\0');
}

static assay_status measure(assay_bench *b, const assay_bench_settings *s,
                            assay_bench_method *m, assay_error *err)
{
    const assay_eval_settings settings = {
        .conventions = b->conventions,
        .level = s->level,
        .has_empty_rule = s->has_empty_rule,
        .empty_rule = s->empty_rule,
        .n_threads = s->source.n_threads,
    };
    assay_buffer list = ASSAY_BUFFER_EMPTY;
    assay_status st;

    list_measures(b, &list);
    st = list.has_failed
             ? assay_fail_memory(err, "measuring a method")
             : assay_evaluate(b->golden, m->run, list.ptr, &settings, &m->scores, err);
    assay_buffer_clear(&list);
    for (int i = 0; !st && i < ASSAY_BENCH_FIGURES; i++) {
        char name[40];

        spell(b, (assay_bench_figure)i, name, sizeof name);
        b->column[i] = assay_scores_column(m->scores, name);
    }
    return st;
}

double assay_bench_value(const assay_bench *bench, uint32_t method,
                         assay_bench_figure figure)
{
    uint32_t c = bench->column[figure];

    return c == ASSAY_NONE ? NAN : bench->method[method].scores->total[c].value;
}

uint32_t assay_bench_best(const assay_bench *bench, assay_bench_figure figure)
{
    double sign = figure >= ASSAY_BENCH_P50 ? -1 : 1;
    uint32_t best = ASSAY_NONE;

    for (uint32_t i = 0; i < bench->n_methods; i++) {
        double value = sign * assay_bench_value(bench, i, figure);

        if (!isnan(value) && !bench->method[i].is_control &&
            (best == ASSAY_NONE || value > sign * assay_bench_value(bench, best, figure)))
            best = i;
    }
    return best;
}

/* A ruler that is no retriever. */
static assay_status run_control(assay_bench *b, const assay_bench_settings *s,
                                assay_control_kind kind, assay_bench_method *m,
                                assay_error *err)
{
    assay_control control = {.kind = kind,
                             .golden = b->golden,
                             .passages = s->source.passages,
                             .level = s->level == ASSAY_LEVEL_AUTO ? b->conventions->level
                                                                   : s->level,
                             .seed = s->seed};
    assay_buffer identity = ASSAY_BUFFER_EMPTY;
    assay_status st = assay_control_open(&control, err);

    if (!st)
        st = assay_control_run(&control, b->depth, &m->run, err);
    assay_control_close(&control);
    assay_control_socket.identity(&control, &identity);
    m->identity = assay_arena_string(&b->arena, assay_buffer_view(&identity));
    if (!st && (identity.has_failed || !m->identity))
        st = assay_fail_memory(err, "running a method");
    assay_buffer_clear(&identity);
    return st ? st : measure(b, s, m, err);
}

static assay_status run_method(assay_bench *b, const assay_bench_settings *s,
                               assay_bench_method *m, assay_error *err)
{
    const assay_retriever *retriever;
    void *state;
    assay_asking asking;
    assay_status st;

    for (uint32_t i = 0; m->is_control && assay_control_name(i); i++)
        if (assay_slice_is(m->name, assay_control_name(i)))
            return run_control(b, s, (assay_control_kind)i, m, err);
    st = open_method(b, s, m, &retriever, &state, err);
    if (st)
        return st;
    asking = (assay_asking){.golden = b->golden,
                            .passages = s->source.passages,
                            .retriever = retriever,
                            .state = state,
                            .name = assay_arena_string(&b->arena, m->name),
                            .depth = b->depth,
                            .n_threads = s->source.n_threads};
    if (!asking.name)
        return assay_fail_memory(err, "running a method");
    st = assay_ask_all(&asking, &m->run, err);
    if (st)
        return st;
    if (retriever->remark && !retriever->remark(state, &b->notes, &b->arena))
        return assay_fail_memory(err, "running a method");
    return measure(b, s, m, err);
}

/* ---- warnings ---- */

static bool warn(assay_bench *b, const assay_bench_method *m, const char *what,
                 double value, double least)
{
    return isnan(value) || value >= least ||
           assay_notes_add(&b->notes, &b->arena, "%.*s: %s is %.3f, below %g",
                           ASSAY_QUOTE(m->name), what, value, least);
}

static double total_of(const assay_bench_method *m, const char *measure)
{
    uint32_t c = assay_scores_column(m->scores, measure);

    return c == ASSAY_NONE ? NAN : m->scores->total[c].value;
}

/* evalvault's limits, at its cutoffs. */
static assay_status warn_all(assay_bench *b, assay_error *err)
{
    for (uint32_t i = 0; i < b->n_methods; i++) {
        const assay_bench_method *m = &b->method[i];

        if (m->is_control)
            continue;
        if (!warn(b, m, "Recall@5", total_of(m, "recall@5"), 0.6) ||
            !warn(b, m, "MRR", assay_bench_value(b, i, ASSAY_BENCH_MRR), 0.5) ||
            !warn(b, m, "nDCG@10", total_of(m, "ndcg@10"), 0.6))
            return assay_fail_memory(err, "measuring a method");
    }
    return ASSAY_OK;
}

/* What the simplest method does without a fault tells no two methods apart. */
static assay_status tell_saturated(assay_bench *b, assay_error *err)
{
    for (uint32_t i = 0; i < b->n_methods; i++)
        if (assay_slice_is(b->method[i].name, "bm25") &&
            assay_control_is_saturated(assay_bench_value(b, i, ASSAY_BENCH_NDCG)) &&
            !assay_notes_add(
                &b->notes, &b->arena,
                "the set is saturated: bm25 has nDCG@%u of 1.000, so that no "
                "method can be better; add harder questions",
                b->ndcg_k))
            return assay_fail_memory(err, "measuring a method");
    return ASSAY_OK;
}

/* ---- all of it ---- */

assay_status assay_benchmark(const assay_golden *golden, const assay_passages *passages,
                             const assay_bench_settings *settings, assay_bench **out,
                             assay_error *err)
{
    assay_bench *b = ASSAY_NEW(assay_bench);
    assay_bench_settings s = *settings;
    assay_status st;

    if (!b)
        return assay_fail_memory(err, "starting a benchmark");
    b->golden = golden;
    b->n_passages = passages->n;
    s.source.passages = passages;
    s.source.notes = &b->notes;
    s.source.arena = &b->arena;
    set_cutoffs(b, &s);
    st = read_methods(b, s.methods, err);
    if (!st && s.with_controls)
        st = add_controls(b, err);
    for (uint32_t i = 0; i < b->n_methods && !st; i++)
        st = run_method(b, &s, &b->method[i], err);
    if (!st)
        st = warn_all(b, err);
    if (!st && s.with_controls)
        st = tell_saturated(b, err);
    if (st) {
        assay_bench_free(b);
        return st;
    }
    *out = b;
    return ASSAY_OK;
}

void assay_bench_free(assay_bench *bench)
{
    if (!bench)
        return;
    for (uint32_t i = 0; i < bench->n_methods; i++) {
        assay_scores_free(bench->method[i].scores);
        assay_run_free(bench->method[i].run);
    }
    assay_shared_clear(&bench->shared);
    assay_notes_clear(&bench->notes);
    assay_arena_clear(&bench->arena);
    assay_mem_free(bench);
}
