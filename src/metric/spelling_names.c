/* SPDX-License-Identifier: Apache-2.0 */
/* Names of metrics other than the canonical ones.
 *
 * A metric's own .aliases are other words for exactly that metric.  The tables here hold
 * what is more than that: a name of ir_measures' that is two of our metrics, and
 * trec_eval's names, which carry parameters (`ndcg_cut.5,10`) and have defaults for them.
 */
#include "metric/spelling.h"

#include "base/slice.h"

#define CUTS     "5,10,15,20,30,100,200,500,1000"
#define TENTHS   "0.0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0"
#define MULTIPLE "0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0"

/* ir_measures 0.4.3. */
static const assay_metric_alias alias_table[] = {
    {"AP", "map", NULL, NULL},
    {"MAP", "map", NULL, NULL},
    {"nDCG", "ndcg", NULL, NULL},
    {"NDCG", "ndcg", NULL, NULL},
    {"RR", "mrr", NULL, NULL},
    {"MRR", "mrr", NULL, NULL},
    {"P", "precision", NULL, NULL},
    {"Precision", "precision", NULL, NULL},
    {"R", "recall", NULL, NULL},
    {"Recall", "recall", NULL, NULL},
    {"Success", "hit", NULL, NULL},
    {"RPrec", "Rprec", NULL, NULL},
    {"Bpref", "bpref", NULL, NULL},
    {"BPref", "bpref", NULL, NULL},
    {"IPrec", "iprec_at_recall", NULL, NULL},
    {"SetP", "set_P", "relative", "set_relative_P"},
    {"SetRelP", "set_relative_P", "relative", "set_relative_P"},
    {"SetR", "set_recall", NULL, NULL},
    {"SetF", "set_F", NULL, NULL},
    {"SetAP", "set_map", NULL, NULL},
    {"NumQ", "num_q", NULL, NULL},
    {"NumRel", "num_rel", NULL, NULL},
    {"NumRet", "num_ret", "rel", "num_rel_ret"},
    {"NumRelRet", "num_rel_ret", NULL, NULL},
};

/* trec_eval 9.0.8 and 10.0.  A name that is not here is spelled like its metric and takes
 * no parameters. */
static const assay_trec_spelling trec_table[] = {
    {"P", "precision", ASSAY_TREC_AT, NULL, CUTS},
    {"recall", "recall", ASSAY_TREC_AT, NULL, CUTS},
    {"ndcg_cut", "ndcg", ASSAY_TREC_AT, NULL, CUTS},
    {"map_cut", "map", ASSAY_TREC_AT, NULL, CUTS},
    {"relative_P", "relative_P", ASSAY_TREC_AT, NULL, CUTS},
    {"success", "hit", ASSAY_TREC_AT, NULL, "1,5,10"},
    {"unj", "unj", ASSAY_TREC_AT, NULL, "5,10,20"},
    {"iprec_at_recall", "iprec_at_recall", ASSAY_TREC_AT, NULL, TENTHS},
    {"Rprec_mult", "Rprec_mult", ASSAY_TREC_AT, NULL, MULTIPLE},
    {"recip_rank", "mrr", ASSAY_TREC_PLAIN, NULL, NULL},
    {"set_F", "set_F", ASSAY_TREC_PARAM, "beta", NULL},
    {"ndcg", "ndcg", ASSAY_TREC_GAINS, "gains", NULL},
    {"ndcg_rel", "ndcg_rel", ASSAY_TREC_GAINS, "gains", NULL},
    {"Rndcg", "Rndcg", ASSAY_TREC_GAINS, "gains", NULL},
    {"dcg", "dcg", ASSAY_TREC_GAINS, "gains", NULL},
    {"ideal_dcg", "ideal_dcg", ASSAY_TREC_GAINS, "gains", NULL},
    {"G", "G", ASSAY_TREC_GAINS, "gains", NULL},
    {"utility", "utility", ASSAY_TREC_REALS, "weights", NULL},
};

/* Without runid and relstring, which are no numbers, and without trec_eval 10's rbp and
 * rbp_resid, whose rbp is another one than ours. */
static const struct {
    const char *name;
    const char *measures;
} nickname_table[] = {
    {"official", "num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank "
                 "iprec_at_recall P"},
    {"set", "set_P set_relative_P set_recall set_map set_F"},
    {"all_trec",
     "num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank "
     "iprec_at_recall P recall infAP gm_bpref Rprec_mult utility 11pt_avg binG "
     "G ndcg ndcg_rel Rndcg ndcg_cut map_cut relative_P success set_P "
     "set_relative_P set_recall set_map set_F num_nonrel_judged_ret unj"},
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
static bool has_params(assay_slice text, size_t n, assay_trec_how how)
{
    bool is_dot = text.len > n + 1 && text.ptr[n] == '.';
    bool is_bar = text.len > n + 1 && text.ptr[n] == '_' && how != ASSAY_TREC_GAINS;

    return (is_dot || is_bar) && strchr("0123456789.-", text.ptr[n + 1]) &&
           how != ASSAY_TREC_PLAIN;
}

const assay_trec_spelling *assay_spelling_trec(assay_slice text, assay_slice *params)
{
    const assay_trec_spelling *best = NULL;
    size_t best_len = 0;

    *params = (assay_slice){NULL, 0};
    for (size_t i = 0; i < ASSAY_COUNT(trec_table); i++) {
        const assay_trec_spelling *t = &trec_table[i];
        size_t n = strlen(t->name);

        if (!assay_slice_starts(text, t->name) || n <= best_len)
            continue;
        if (has_params(text, n, t->how))
            *params = (assay_slice){text.ptr + n + 1, text.len - n - 1};
        else if (text.len == n)
            *params = (assay_slice){NULL, 0};
        else
            continue;
        best = t;
        best_len = n;
    }
    return best;
}

const char *assay_spelling_nickname(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(nickname_table); i++)
        if (assay_slice_is(name, nickname_table[i].name))
            return nickname_table[i].measures;
    return NULL;
}

/* ---- did you mean ---- */

typedef struct nearest {
    assay_slice wanted;
    const char *name;
    uint32_t distance;
} nearest;

static void consider(nearest *n, const char *name)
{
    uint32_t distance = assay_slice_distance(n->wanted, assay_slice_of(name));

    /* Other letters in other case are one slip, however many. */
    if (assay_slice_is_nocase(n->wanted, name))
        distance = 1;
    if (distance >= n->distance)
        return;
    n->distance = distance;
    n->name = name;
}

const char *assay_spelling_nearest(assay_slice name)
{
    /* At most a third of the letters may be wrong. */
    nearest n = {name, NULL, (uint32_t)(name.len < 99 ? name.len : 99) / 3 + 2};
    const assay_metric *m;

    for (size_t i = 0; (m = assay_metric_at(i)) != NULL; i++)
        consider(&n, m->name);
    for (size_t i = 0; i < ASSAY_COUNT(alias_table); i++)
        if (assay_metric_find(assay_slice_of(alias_table[i].metric)))
            consider(&n, alias_table[i].name);
    for (size_t i = 0; i < ASSAY_COUNT(trec_table); i++)
        if (assay_metric_find(assay_slice_of(trec_table[i].metric)))
            consider(&n, trec_table[i].name);
    return n.name;
}
