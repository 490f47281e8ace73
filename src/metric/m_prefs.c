/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's preference metrics.  Three ways to count, three sets of preferences:
 *
 *     prefs_simp  = fulfilled / possible, all groups together
 *     prefs_avgjg = mean over groups of fulfilled / possible
 *     prefs_pair  = mean over pairs of documents of the share of the groups that prefer
 *                   one of them whose preference is fulfilled
 *
 *     plain  all preferences; one of which neither document was retrieved is a failure
 *     _imp   those of which at least one document was retrieved
 *     _ret   those of which both were
 *
 * prefs_avgjg_Rnonrel evens out the number of nonrelevant documents: with R relevant ones
 * in a group, R nonrelevant ones count.  Where there are fewer, fulfilled preferences are
 * made up; where there are more, those of the last ranks are left out. */
#include "metric/prefs.h"

/* ---- counts ---- */

/* Preferences, as far as they are looked at. */
typedef enum scope { SCOPE_ALL, SCOPE_IMP, SCOPE_RET } scope;

typedef struct tally {
    uint64_t ful;
    uint64_t poss;
} tally;

static tally group_tally(const assay_pref_group *g, scope s)
{
    tally t = {g->ful_ret, g->poss_ret};

    if (s != SCOPE_RET) {
        t.ful += g->ful_imp;
        t.poss += g->poss_imp;
    }
    if (s == SCOPE_ALL)
        t.poss += g->poss_none;
    return t;
}

static tally sum_tally(const assay_prefs *p, scope s)
{
    tally sum = {0, 0};

    for (uint32_t i = 0; i < p->n_groups; i++) {
        tally t = group_tally(&p->group[i], s);

        sum.ful += t.ful;
        sum.poss += t.poss;
    }
    return sum;
}

static void eval_poss(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = (double)sum_tally(q->prefs, SCOPE_ALL).poss;
}

static void eval_ful(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = (double)sum_tally(q->prefs, SCOPE_ALL).ful;
}

static void eval_ful_ret(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = (double)sum_tally(q->prefs, SCOPE_RET).ful;
}

/* ---- simp ---- */

static double simp(const assay_prefs *p, scope s)
{
    tally t = sum_tally(p, s);

    return t.poss ? (double)t.ful / (double)t.poss : 0.0;
}

static void eval_simp(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = simp(q->prefs, SCOPE_ALL);
}

static void eval_simp_imp(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = simp(q->prefs, SCOPE_IMP);
}

static void eval_simp_ret(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = simp(q->prefs, SCOPE_RET);
}

/* ---- avgjg ---- */

static double avgjg(const assay_prefs *p, scope s)
{
    double sum = 0.0;

    for (uint32_t i = 0; i < p->n_groups; i++) {
        tally t = group_tally(&p->group[i], s);

        if (t.poss)
            sum += (double)t.ful / (double)t.poss;
    }
    return sum > 0.0 ? sum / (double)p->n_groups : 0.0;
}

static void eval_avgjg(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = avgjg(q->prefs, SCOPE_ALL);
}

static void eval_avgjg_imp(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = avgjg(q->prefs, SCOPE_IMP);
}

static void eval_avgjg_ret(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = avgjg(q->prefs, SCOPE_RET);
}

/* ---- pair ---- */

typedef struct mean {
    double sum;
    uint64_t n;
} mean;

/* Pairs of document `a` with those in [from, end).  The upper one of a pair is `a`, and
 * where neither was retrieved nothing is fulfilled. */
static void add_pairs(const assay_prefs *p, uint32_t a, uint32_t from, uint32_t end,
                      bool is_ranked, mean *m)
{
    for (uint32_t c = from; c < end; c++) {
        uint32_t ful = p->count[(size_t)a * p->n_docs + c];
        uint32_t unful = p->count[(size_t)c * p->n_docs + a];

        if (!ful && !unful)
            continue;
        m->n++;
        if (is_ranked)
            m->sum += (double)ful / (double)(ful + unful);
    }
}

/* Both retrieved, then one, then none: trec_eval's order, for the same rounding. */
static double pair(const assay_prefs *p, scope s)
{
    mean m = {0.0, 0};

    for (uint32_t a = 0; a < p->n_ret; a++)
        add_pairs(p, a, a + 1, p->n_ret, true, &m);
    if (s != SCOPE_RET)
        for (uint32_t a = 0; a < p->n_ret; a++)
            add_pairs(p, a, p->n_ret, p->n_docs, true, &m);
    if (s == SCOPE_ALL)
        for (uint32_t a = p->n_ret; a < p->n_docs; a++)
            add_pairs(p, a, a + 1, p->n_docs, false, &m);
    return m.n ? m.sum / (double)m.n : 0.0;
}

static void eval_pair(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = pair(q->prefs, SCOPE_ALL);
}

static void eval_pair_imp(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = pair(q->prefs, SCOPE_IMP);
}

static void eval_pair_ret(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = pair(q->prefs, SCOPE_RET);
}

/* ---- Rnonrel ---- */

/* Preferences of the first `n` documents of `high` over the first `m` of `low`. */
static void tally_classes(const assay_pref_class *high, uint32_t n,
                          const assay_pref_class *low, uint32_t m, uint32_t n_ret,
                          tally *t)
{
    for (uint32_t x = 0; x < n; x++) {
        for (uint32_t y = 0; y < m; y++) {
            t->poss++;
            t->ful += high->doc[x] < low->doc[y] && high->doc[x] < n_ret;
        }
    }
}

/* Documents of a class that count: all, or the retrieved ones, which come first. */
static uint32_t class_size(const assay_pref_class *cls, scope s, uint32_t n_ret)
{
    uint32_t n = 0;

    if (s == SCOPE_ALL)
        return cls->n;
    while (n < cls->n && cls->doc[n] < n_ret)
        n++;
    return n;
}

/* The last class holds the nonrelevant documents; its first R count.  trec_eval also
 * compares that class with its own beginning, and so we do. */
static tally recount_classes(const assay_prefs *p, const assay_pref_group *g, scope s)
{
    const assay_pref_class *last = &g->cls[g->n_classes - 1];
    uint32_t most = s == SCOPE_ALL ? g->n_rel : g->n_rel_ret;
    uint32_t kept = class_size(last, s, p->n_ret);
    tally t = {0, 0};

    if (kept > most)
        kept = most;
    for (uint32_t i = 0; i < g->n_classes; i++) {
        const assay_pref_class *high = &g->cls[i];
        uint32_t n = class_size(high, s, p->n_ret);

        for (uint32_t k = i + 1; k + 1 < g->n_classes; k++)
            tally_classes(high, n, &g->cls[k], class_size(&g->cls[k], s, p->n_ret),
                          p->n_ret, &t);
        tally_classes(high, n, last, kept, p->n_ret, &t);
    }
    return t;
}

/* The same in a matrix: nonrelevant documents after the first R are skipped. */
static tally recount_matrix(const assay_prefs *p, const assay_pref_group *g, scope s)
{
    uint32_t end = s == SCOPE_ALL ? p->n_docs : p->n_ret;
    uint32_t seen = 0;
    uint32_t cut = 0;
    tally t = {0, 0};

    for (; cut < end; cut++) {
        seen += g->level[cut] == 0.0;
        if (seen == g->n_rel + 1)
            break;
    }
    for (uint32_t a = 0; a < end; a++) {
        if (a >= cut && g->level[a] == 0.0)
            continue;
        for (uint32_t c = 0; c < end; c++) {
            if ((c >= cut && g->level[c] == 0.0) || !g->better[(size_t)a * p->n_docs + c])
                continue;
            t.poss++;
            t.ful += a < c && a < p->n_ret;
        }
    }
    return t;
}

static tally rnonrel_tally(const assay_prefs *p, const assay_pref_group *g, scope s)
{
    uint32_t rel = s == SCOPE_ALL ? g->n_rel : g->n_rel_ret;
    uint32_t nonrel = s == SCOPE_ALL ? g->n_nonrel : g->n_nonrel_ret;
    tally t;

    if (rel < nonrel)
        return g->cls ? recount_classes(p, g, s) : recount_matrix(p, g, s);
    t = group_tally(g, s);
    t.ful += (uint64_t)g->n_rel_ret * (rel - nonrel);
    t.poss += (uint64_t)g->n_rel * (rel - nonrel);
    return t;
}

/* A group without any preference makes 0/0 of the whole, which counts as 0. */
static double rnonrel(const assay_prefs *p, scope s)
{
    double sum = 0.0;

    for (uint32_t i = 0; i < p->n_groups; i++) {
        tally t = rnonrel_tally(p, &p->group[i], s);

        sum += (double)t.ful / (double)t.poss;
    }
    return sum > 0.0 ? sum / (double)p->n_groups : 0.0;
}

static void eval_Rnonrel(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = rnonrel(q->prefs, SCOPE_ALL);
}

static void eval_Rnonrel_ret(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = rnonrel(q->prefs, SCOPE_RET);
}

/* ---- descriptors ---- */

#define PREF_METRIC(id, what, how, function) \
    const assay_metric assay_metric_##id = { \
        .name = #id,                         \
        .summary = what,                     \
        .formula = how,                      \
        .source = "trec_eval",               \
        .needs = ASSAY_NEEDS_PREFS,          \
        .at = ASSAY_AT_NEVER,                \
        .eval = function,                    \
    }

#define PREF_COUNT(id, what, how, function)  \
    const assay_metric assay_metric_##id = { \
        .name = #id,                         \
        .summary = what,                     \
        .formula = how,                      \
        .source = "trec_eval",               \
        .needs = ASSAY_NEEDS_PREFS,          \
        .at = ASSAY_AT_NEVER,                \
        .aggregate = ASSAY_AGG_SUM,          \
        .has_no_direction = true,            \
        .eval = function,                    \
    }

PREF_COUNT(prefs_num_prefs_poss, "preferences of all groups", "number of preferences",
           eval_poss);
PREF_COUNT(prefs_num_prefs_ful, "preferences that the ranking fulfils",
           "number of fulfilled preferences", eval_ful);
PREF_COUNT(prefs_num_prefs_ful_ret, "fulfilled preferences among retrieved documents",
           "number of fulfilled preferences, both documents retrieved", eval_ful_ret);
PREF_METRIC(prefs_simp, "share of the preferences that the ranking fulfils",
            "fulfilled / possible", eval_simp);
PREF_METRIC(prefs_pair, "share of fulfilled preferences, averaged over pairs",
            "mean over pairs of fulfilled / possible", eval_pair);
PREF_METRIC(prefs_avgjg, "share of fulfilled preferences, averaged over groups",
            "mean over groups of fulfilled / possible", eval_avgjg);
PREF_METRIC(prefs_avgjg_Rnonrel, "prefs_avgjg with as many nonrelevant as relevant",
            "mean over groups of fulfilled / possible, nonrelevant documents = R",
            eval_Rnonrel);
PREF_METRIC(prefs_simp_ret, "prefs_simp among retrieved documents",
            "fulfilled / possible, both documents retrieved", eval_simp_ret);
PREF_METRIC(prefs_pair_ret, "prefs_pair among retrieved documents",
            "mean over pairs of fulfilled / possible, both documents retrieved",
            eval_pair_ret);
PREF_METRIC(prefs_avgjg_ret, "prefs_avgjg among retrieved documents",
            "mean over groups of fulfilled / possible, both documents retrieved",
            eval_avgjg_ret);
PREF_METRIC(prefs_avgjg_Rnonrel_ret, "prefs_avgjg_Rnonrel among retrieved documents",
            "mean over groups of fulfilled / possible, nonrelevant documents = R, both "
            "documents retrieved",
            eval_Rnonrel_ret);
PREF_METRIC(prefs_simp_imp, "prefs_simp where at least one document was retrieved",
            "fulfilled / possible, one document retrieved", eval_simp_imp);
PREF_METRIC(prefs_pair_imp, "prefs_pair where at least one document was retrieved",
            "mean over pairs of fulfilled / possible, one document retrieved",
            eval_pair_imp);
PREF_METRIC(prefs_avgjg_imp, "prefs_avgjg where at least one document was retrieved",
            "mean over groups of fulfilled / possible, one document retrieved",
            eval_avgjg_imp);
