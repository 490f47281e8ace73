/* SPDX-License-Identifier: Apache-2.0 */
/* The comparable core: all queries that every run set out to answer under the same
 * judgments.  A query that failed or got lost stays in, as a miss: who loses the hard ones
 * does not improve.  A query that was never asked for, or is judged otherwise now, says
 * nothing about two systems; it is left out, counted and named. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/slice.h"
#include "compare/compare.h"
#include "golden/frozen.h"

const char *assay_side_letter(uint32_t i)
{
    static const char *const letter[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                         "j", "k", "l", "m", "n", "o", "p", "q", "r",
                                         "s", "t", "u", "v", "w", "x", "y", "z"};

    return i < sizeof letter / sizeof letter[0] ? letter[i] : "?";
}

typedef struct maker {
    const assay_compare_side *side;
    uint32_t n_sides;
    assay_arena *arena;
    assay_core *core;
} maker;

/* ---- one query of one side ---- */

static int by_bytes(const void *a, const void *b)
{
    return assay_slice_cmp(*(const assay_slice *)a, *(const assay_slice *)b);
}

static bool is_planned(const assay_compare_side *side, assay_slice id)
{
    const assay_snapshot *s = side->snapshot;

    if (side->planned) {
        uint32_t at = assay_dict_find(&side->planned->ids, id);

        if (at == ASSAY_NONE || side->planned->query[at].is_draft)
            return false;
    }
    return !s || !s->is_part ||
           bsearch(&id, s->plan, s->n_plan, sizeof *s->plan, by_bytes) != NULL;
}

static const char *say(const maker *m, const char *words, uint32_t side)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    const char *text;

    if (m->side[side].called)
        assay_buffer_printf(&b, "%s %s", words, m->side[side].called);
    else
        assay_buffer_printf(&b, "%s run %s", words, assay_side_letter(side));
    text = b.has_failed ? NULL : assay_arena_string(m->arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return text;
}

/* Why a query is left out because of one side alone: *why stays null where it is not. */
static bool check_side(const maker *m, assay_slice id, uint32_t i, uint32_t *query,
                       const char **why)
{
    const assay_golden *g = m->side[i].golden;
    const char *words = NULL;

    *query = assay_dict_find(&g->ids, id);
    if (*query == ASSAY_NONE)
        words = "not in the golden set of";
    else if (g->query[*query].is_draft)
        words = "a draft in the golden set of";
    else if (!is_planned(&m->side[i], id))
        words = "not in the plan of";
    *why = words ? say(m, words, i) : NULL;
    return !words || *why;
}

/* ---- judgments ---- */

static assay_status judged_alike(const maker *m, const uint32_t *query, bool *is_alike,
                                 assay_error *err)
{
    char first[65] = "";
    char other[65];

    *is_alike = true;
    for (uint32_t i = 1; i < m->n_sides && *is_alike; i++) {
        const assay_golden *a = m->side[0].golden;
        const assay_golden *b = m->side[i].golden;
        assay_status st = ASSAY_OK;

        if (a == b)
            continue;
        if (!first[0])
            st = assay_query_hash(a, &a->query[query[0]], first, err);
        if (!st)
            st = assay_query_hash(b, &b->query[query[i]], other, err);
        if (st)
            return st;
        *is_alike = strcmp(first, other) == 0;
    }
    return ASSAY_OK;
}

static uint32_t count_stale(const maker *m, uint32_t side, const uint32_t *query)
{
    const assay_query *q = &m->side[side].golden->query[query[side]];
    uint32_t n = 0;

    for (uint32_t i = 0; i < q->n_judgments; i++)
        n += q->judgment[i].stale != ASSAY_STALE_NOT;
    return n;
}

/* Nobody judged otherwise where one run's documents have lost what was judged.  Null: no
 * memory. */
static const char *why_unlike(const maker *m, const uint32_t *query)
{
    uint32_t least = count_stale(m, 0, query);

    for (uint32_t i = 1; i < m->n_sides; i++) {
        const uint32_t n = count_stale(m, i, query);

        least = n < least ? n : least;
    }
    for (uint32_t i = 0; i < m->n_sides; i++)
        if (count_stale(m, i, query) > least)
            return say(m, "its evidence is not in the corpus of", i);
    return "judged differently";
}

/* ---- all of them ---- */

/* Nobody misses a query that no golden set has counted. */
static bool is_draft_everywhere(const maker *m, assay_slice id)
{
    uint32_t n_drafts = 0;

    for (uint32_t i = 0; i < m->n_sides; i++) {
        const assay_golden *g = m->side[i].golden;
        uint32_t at = assay_dict_find(&g->ids, id);

        n_drafts += at != ASSAY_NONE && g->query[at].is_draft;
    }
    return n_drafts == m->n_sides;
}

static bool is_judged_nowhere(const maker *m, assay_slice id)
{
    for (uint32_t i = 0; i < m->n_sides; i++)
        if (assay_dict_find(&m->side[i].golden->ids, id) != ASSAY_NONE)
            return false;
    return true;
}

static assay_status place(maker *m, assay_slice id, uint32_t *query, assay_error *err)
{
    assay_core *core = m->core;
    const char *why = NULL;
    bool is_alike = true;
    assay_status st = ASSAY_OK;

    if (is_draft_everywhere(m, id))
        return ASSAY_OK;
    if (is_judged_nowhere(m, id))
        why = "not in the golden set";
    for (uint32_t i = 0; !why && i < m->n_sides; i++)
        if (!check_side(m, id, i, &query[i], &why))
            return assay_fail_memory(err, "finding the comparable core");
    if (!why)
        st = judged_alike(m, query, &is_alike, err);
    if (!st && !why && !is_alike) {
        why = why_unlike(m, query);
        if (!why)
            return assay_fail_memory(err, "finding the comparable core");
    }
    if (why) {
        core->excluded[core->n_excluded++] = (assay_excluded){id, why};
        return st;
    }
    for (uint32_t i = 0; i < m->n_sides; i++)
        core->query[i][core->n] = query[i];
    core->id[core->n++] = id;
    return st;
}

static bool collect(const maker *m, assay_dict *all)
{
    uint32_t number;

    for (uint32_t i = 0; i < m->n_sides; i++) {
        const assay_compare_side *s = &m->side[i];
        uint32_t n_run = assay_run_n(s->run);

        for (uint32_t q = 0; q < s->golden->n_queries; q++)
            if (!assay_dict_put(all, NULL, s->golden->query[q].id, &number, NULL))
                return false;
        for (uint32_t q = 0; q < n_run; q++)
            if (!assay_dict_put(all, NULL, assay_run_id(s->run, q), &number, NULL))
                return false;
    }
    return true;
}

static bool make_room(maker *m, uint32_t n)
{
    assay_core *core = m->core;

    core->id = ASSAY_ARENA_ARRAY(m->arena, assay_slice, n + 1);
    core->excluded = ASSAY_ARENA_ARRAY(m->arena, assay_excluded, n + 1);
    core->query = ASSAY_ARENA_ARRAY(m->arena, uint32_t *, m->n_sides + 1);
    if (!core->id || !core->excluded || !core->query)
        return false;
    for (uint32_t i = 0; i < m->n_sides; i++) {
        core->query[i] = ASSAY_ARENA_ARRAY(m->arena, uint32_t, n + 1);
        if (!core->query[i])
            return false;
    }
    return true;
}

/* The commonest reason, for a message. */
static const char *main_reason(const assay_core *core)
{
    const char *best = "there are no queries";
    uint32_t most = 0;

    for (uint32_t i = 0; i < core->n_excluded; i++) {
        uint32_t n = 0;

        for (uint32_t j = 0; j < core->n_excluded; j++)
            n += strcmp(core->excluded[i].why, core->excluded[j].why) == 0;
        if (n > most) {
            most = n;
            best = core->excluded[i].why;
        }
        if (most > core->n_excluded / 2)
            break;
    }
    return best;
}

assay_status assay_core_make(const assay_compare_side *side, uint32_t n,
                             assay_arena *arena, assay_core *out, assay_error *err)
{
    assay_core core = {0};
    maker m = {side, n, arena, &core};
    assay_dict all = {0};
    uint32_t *query = ASSAY_ARENA_ARRAY(arena, uint32_t, n + 1);
    assay_status st = ASSAY_OK;

    if (!query || !collect(&m, &all) || !make_room(&m, all.n))
        st = assay_fail_memory(err, "finding the comparable core");
    if (!st && all.n)
        qsort(all.word, all.n, sizeof *all.word, by_bytes);
    for (uint32_t i = 0; !st && i < all.n; i++)
        st = place(&m, all.word[i], query, err);
    assay_dict_clear(&all);
    if (st)
        return st;
    if (!core.n)
        return assay_fail(err, ASSAY_EINPUT,
                          "incomparable: the runs have no query in common that both set "
                          "out to answer under the same judgments (%u left out: %s)",
                          core.n_excluded, main_reason(&core));
    *out = core;
    return ASSAY_OK;
}
