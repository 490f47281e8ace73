/* SPDX-License-Identifier: Apache-2.0 */
#include "metric/trec_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/slice.h"
#include "metric/metric_roster.h"

#define X(id) extern const assay_metric assay_metric_##id;
ASSAY_METRIC_ROSTER(X)
#undef X

#define METRIC(id) &assay_metric_##id

#define DEPTHS    "5,10,15,20,30,100,200,500,1000"
#define RECALLS   "0.0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0"
#define MULTIPLES "0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0"

#define NONE       ASSAY_TREC_NONE, ""
#define CUTOFFS(k) ASSAY_TREC_CUTOFFS, k
#define POINTS(x)  ASSAY_TREC_POINTS, x
#define NUMBERS(x) ASSAY_TREC_NUMBERS, x
#define PAIRS      ASSAY_TREC_PAIRS, ""

#define QRELS ASSAY_TREC_QRELS
#define JG    ASSAY_TREC_QRELS_JG
#define PREFS ASSAY_TREC_PREFS
#define ANY   ASSAY_TREC_ANY

#define OFF   ASSAY_TREC_OFFICIAL
#define SET   ASSAY_TREC_SET
#define ALL   ASSAY_TREC_ALL_TREC
#define ALLP  ASSAY_TREC_ALL_PREFS
#define PSET  ASSAY_TREC_PREFS_SET
#define JSET  ASSAY_TREC_JG_SET
#define EVERY (OFF | SET | ALL | ALLP | PSET | JSET)

/* Last column: whole number or not, a line for each query or only one at the end, only in
 * version 10 or in both. */
#define EACH      false, true, false
#define EACH_10   false, true, true
#define END       false, false, false
#define COUNT     true, true, false
#define COUNT_END true, false, false

/* clang-format off */
static const assay_trec_measure table[] = {
    {"runid", NULL, NONE, ANY, EVERY, END},
    {"num_q", METRIC(num_q), NONE, ANY, EVERY, COUNT_END},
    {"num_ret", METRIC(num_ret), NONE, QRELS, OFF | SET | ALL, COUNT},
    {"num_rel", METRIC(num_rel), NONE, QRELS, OFF | SET | ALL, COUNT},
    {"num_rel_ret", METRIC(num_rel_ret), NONE, QRELS, OFF | SET | ALL, COUNT},
    {"map", METRIC(ap), NONE, QRELS, OFF | ALL, EACH},
    {"gm_map", METRIC(gm_map), NONE, QRELS, OFF | ALL, END},
    {"Rprec", METRIC(Rprec), NONE, QRELS, OFF | ALL, EACH},
    {"bpref", METRIC(bpref), NONE, QRELS, OFF | ALL, EACH},
    {"recip_rank", METRIC(mrr), NONE, QRELS, OFF | ALL, EACH},
    {"iprec_at_recall", METRIC(iprec_at_recall), POINTS(RECALLS), QRELS, OFF | ALL, EACH},
    {"P", METRIC(precision), CUTOFFS(DEPTHS), QRELS, OFF | ALL, EACH},
    {"relstring", NULL, NUMBERS("10"), QRELS, ALL, EACH},
    {"recall", METRIC(recall), CUTOFFS(DEPTHS), QRELS, ALL, EACH},
    {"infAP", METRIC(infAP), NONE, QRELS, ALL, EACH},
    {"gm_bpref", METRIC(gm_bpref), NONE, QRELS, ALL, END},
    {"Rprec_mult", METRIC(Rprec_mult), POINTS(MULTIPLES), QRELS, ALL, EACH},
    {"utility", METRIC(utility), NUMBERS("1.0,-1.0,0.0,0.0"), QRELS, SET | ALL, EACH},
    {"11pt_avg", METRIC(11pt_avg), NUMBERS(RECALLS), QRELS, ALL, EACH},
    {"binG", METRIC(binG), NONE, QRELS, ALL, EACH},
    {"G", METRIC(G), PAIRS, QRELS, ALL, EACH},
    {"dcg", METRIC(dcg), PAIRS, QRELS, 0, EACH_10},
    {"ideal_dcg", METRIC(ideal_dcg), PAIRS, QRELS, 0, EACH_10},
    {"ndcg", METRIC(ndcg), PAIRS, QRELS, ALL, EACH},
    {"ndcg_rel", METRIC(ndcg_rel), PAIRS, QRELS, ALL, EACH},
    {"Rndcg", METRIC(Rndcg), PAIRS, QRELS, ALL, EACH},
    {"ndcg_cut", METRIC(ndcg), CUTOFFS(DEPTHS), QRELS, ALL, EACH},
    {"map_cut", METRIC(ap), CUTOFFS(DEPTHS), QRELS, ALL, EACH},
    {"relative_P", METRIC(relative_P), CUTOFFS(DEPTHS), QRELS, ALL, EACH},
    {"success", METRIC(hit), CUTOFFS("1,5,10"), QRELS, ALL, EACH},
    {"set_P", METRIC(set_P), NONE, QRELS, SET | ALL, EACH},
    {"set_relative_P", METRIC(set_relative_P), NONE, QRELS, SET | ALL, EACH},
    {"set_recall", METRIC(set_recall), NONE, QRELS, SET | ALL, EACH},
    {"set_map", METRIC(set_map), NONE, QRELS, SET | ALL, EACH},
    {"set_F", METRIC(set_F), NUMBERS("1.0"), QRELS, SET | ALL, EACH},
    {"num_nonrel_judged_ret", METRIC(num_nonrel_judged_ret), NONE, QRELS, ALL, COUNT},
    {"prefs_num_prefs_poss", METRIC(prefs_num_prefs_poss), NONE, PREFS, ALLP | PSET, COUNT},
    {"prefs_num_prefs_ful", METRIC(prefs_num_prefs_ful), NONE, PREFS, ALLP | PSET, COUNT},
    {"prefs_num_prefs_ful_ret", METRIC(prefs_num_prefs_ful_ret), NONE, PREFS, ALLP | PSET, COUNT},
    {"prefs_simp", METRIC(prefs_simp), NONE, PREFS, ALLP | PSET, EACH},
    {"prefs_pair", METRIC(prefs_pair), NONE, PREFS, ALLP | PSET, EACH},
    {"prefs_avgjg", METRIC(prefs_avgjg), NONE, PREFS, ALLP | PSET, EACH},
    {"prefs_avgjg_Rnonrel", METRIC(prefs_avgjg_Rnonrel), NONE, PREFS, ALLP, EACH},
    {"prefs_simp_ret", METRIC(prefs_simp_ret), NONE, PREFS, ALLP, EACH},
    {"prefs_pair_ret", METRIC(prefs_pair_ret), NONE, PREFS, ALLP, EACH},
    {"prefs_avgjg_ret", METRIC(prefs_avgjg_ret), NONE, PREFS, ALLP, EACH},
    {"prefs_avgjg_Rnonrel_ret", METRIC(prefs_avgjg_Rnonrel_ret), NONE, PREFS, ALLP, EACH},
    {"prefs_simp_imp", METRIC(prefs_simp_imp), NONE, PREFS, ALLP, EACH},
    {"prefs_pair_imp", METRIC(prefs_pair_imp), NONE, PREFS, ALLP, EACH},
    {"prefs_avgjg_imp", METRIC(prefs_avgjg_imp), NONE, PREFS, ALLP, EACH},
    {"map_avgjg", METRIC(map_avgjg), NONE, JG, JSET, EACH},
    {"P_avgjg", METRIC(P_avgjg), CUTOFFS(DEPTHS), JG, JSET, EACH},
    {"Rprec_mult_avgjg", METRIC(Rprec_mult_avgjg), POINTS(MULTIPLES), JG, JSET, EACH},
    {"yaap", METRIC(yaap), NONE, QRELS, 0, EACH},
    {"rbp", METRIC(trec_rbp), PAIRS, QRELS, ALL, EACH_10},
    {"rbp_resid", METRIC(rbp_resid), PAIRS, QRELS, ALL, EACH_10},
    {"unj", METRIC(unj), CUTOFFS("5,10,20"), QRELS, ALL, EACH_10},
};
/* clang-format on */

typedef struct word {
    const char *name;
    unsigned bit;
} word;

static const word nicknames[] = {
    {"official", ASSAY_TREC_OFFICIAL}, {"set", ASSAY_TREC_SET},
    {"all_trec", ASSAY_TREC_ALL_TREC}, {"all_prefs", ASSAY_TREC_ALL_PREFS},
    {"prefs", ASSAY_TREC_PREFS_SET},   {"qrels_jg", ASSAY_TREC_JG_SET},
};

static const word formats[] = {
    {"qrels", ASSAY_TREC_QRELS},
    {"qrels_jg", ASSAY_TREC_QRELS_JG},
    {"prefs", ASSAY_TREC_PREFS},
    {"qrels_prefs", ASSAY_TREC_PREFS},
};

static unsigned bit_of(const word *words, size_t n, assay_slice name)
{
    for (size_t i = 0; i < n; i++)
        if (assay_slice_is(name, words[i].name))
            return words[i].bit;
    return 0;
}

const assay_trec_measure *assay_trec_measure_at(size_t i)
{
    return i < ASSAY_COUNT(table) ? &table[i] : NULL;
}

const assay_trec_measure *assay_trec_measure_find(assay_slice name, bool is_trec9)
{
    for (size_t i = 0; i < ASSAY_COUNT(table); i++)
        if (assay_slice_is(name, table[i].name))
            return is_trec9 && table[i].is_only_v10 ? NULL : &table[i];
    return NULL;
}

unsigned assay_trec_nickname(assay_slice name)
{
    return bit_of(nicknames, ASSAY_COUNT(nicknames), name);
}

unsigned assay_trec_format(assay_slice name)
{
    return bit_of(formats, ASSAY_COUNT(formats), name);
}

void assay_trec_name_cutoff(char *name, const assay_trec_measure *m, int64_t cutoff)
{
    (void)snprintf(name, ASSAY_TREC_NAME_SIZE, "%s_%" PRId64, m->name, cutoff);
}

/* trec_eval leaves room for 8 characters after the '_' and cuts off what is beyond. */
void assay_trec_name_point(char *name, const assay_trec_measure *m, double point)
{
    size_t most = strlen(m->name) + 10;

    (void)snprintf(name, most < ASSAY_TREC_NAME_SIZE ? most : ASSAY_TREC_NAME_SIZE,
                   "%s_%3.2f", m->name, point);
}
