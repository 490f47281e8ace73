/* SPDX-License-Identifier: Apache-2.0 */
/* Names of metrics other than the canonical ones.
 *
 * A metric's own .aliases are other words for exactly that metric.  The table here holds
 * what is more than that: a name of ir_measures' that is two of our metrics.  trec_eval's
 * names, which carry parameters (`ndcg_cut.5,10`), are in trec_table.c.
 */
#include "metric/spelling.h"

#include "base/slice.h"

/* ir_measures 0.4.3; its other names are in the metrics' .aliases. */
static const assay_metric_alias alias_table[] = {
    {"SetP", "set_P", "relative", "set_relative_P", "set_P"},
    {"SetRelP", "set_relative_P", "relative", "set_relative_P", "set_P"},
    {"NumRet", "num_ret", "rel", "num_rel_ret", NULL},
};

static const assay_metric *find_own_alias(assay_slice name)
{
    const assay_metric *m;

    for (size_t i = 0; (m = assay_metric_at(i)) != NULL; i++) {
        assay_slice rest = assay_slice_of(m->aliases);
        assay_slice alias;

        while (assay_slice_part(&rest, ',', &alias))
            if (assay_slice_eq(alias, name))
                return m;
    }
    return NULL;
}

const assay_metric *assay_spelling_find(assay_slice name,
                                        const assay_metric_alias **alias)
{
    const assay_metric *m = assay_metric_find(name);

    *alias = NULL;
    for (size_t i = 0; !m && i < ASSAY_COUNT(alias_table); i++) {
        if (!assay_slice_is(name, alias_table[i].name))
            continue;
        *alias = &alias_table[i];
        m = assay_metric_find(assay_slice_of(alias_table[i].metric));
    }
    return m ? m : find_own_alias(name);
}

/* Whether parameters stand behind the first `n` bytes.  `ndcg_rel` is not `ndcg` with
 * parameters, and neither is `ndcg_10`: that must not be taken for `ndcg_cut_10`. */
static bool has_params(assay_slice text, size_t n, assay_trec_params params)
{
    bool is_pairs = params == ASSAY_TREC_PAIRS;
    char first = text.len > n + 1 ? text.ptr[n + 1] : '\0';

    if (!first || params == ASSAY_TREC_NONE)
        return false;
    return (text.ptr[n] == '.' || (text.ptr[n] == '_' && !is_pairs)) &&
           (strchr("0123456789.-", first) || (is_pairs && first == 'p'));
}

const assay_trec_measure *assay_spelling_trec(assay_slice text, assay_slice *params)
{
    const assay_trec_measure *best = NULL;
    const assay_trec_measure *t;
    size_t best_len = 0;

    for (size_t i = 0; (t = assay_trec_measure_at(i)) != NULL; i++) {
        size_t n = strlen(t->name);
        bool is_given;

        if (!t->metric || n <= best_len || !assay_slice_starts(text, t->name))
            continue;
        is_given = has_params(text, n, t->params);
        /* A plain name that is one of our own is that: our rbp is not trec_eval's. */
        if (!is_given && (text.len != n || (assay_metric_find(text) &&
                                            assay_metric_find(text) != t->metric)))
            continue;
        *params = is_given ? (assay_slice){text.ptr + n + 1, text.len - n - 1}
                           : (assay_slice){NULL, 0};
        best = t;
        best_len = n;
    }
    return best;
}

/* ---- did you mean ---- */

typedef struct nearest {
    assay_slice wanted;
    assay_slice name; /* empty = none is near enough */
    uint32_t distance;
} nearest;

static void consider_slice(nearest *n, assay_slice name)
{
    uint32_t distance = assay_slice_distance(n->wanted, name);

    if (distance >= n->distance)
        return;
    n->distance = distance;
    n->name = name;
}

static void consider(nearest *n, const char *name)
{
    consider_slice(n, assay_slice_of(name));
    /* Letters in the wrong case are one slip, however many. */
    if (n->distance > 1 && assay_slice_is_nocase(n->wanted, name)) {
        n->distance = 1;
        n->name = assay_slice_of(name);
    }
}

static void consider_aliases(nearest *n, const char *aliases)
{
    assay_slice rest = assay_slice_of(aliases);
    assay_slice alias;

    while (assay_slice_part(&rest, ',', &alias))
        if (!assay_slice_ends(alias, "_at_k"))
            consider_slice(n, alias);
}

assay_slice assay_spelling_nearest(assay_slice name)
{
    /* At most a third of the letters may be wrong. */
    nearest n = {name, {NULL, 0}, (uint32_t)(name.len < 99 ? name.len : 99) / 3 + 2};
    const assay_trec_measure *t;
    const assay_metric *m;

    for (size_t i = 0; (m = assay_metric_at(i)) != NULL; i++) {
        consider(&n, m->name);
        consider_aliases(&n, m->aliases);
    }
    for (size_t i = 0; (t = assay_trec_measure_at(i)) != NULL; i++)
        if (t->metric)
            consider(&n, t->name);
    return n.name;
}
