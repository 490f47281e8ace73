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

/* Last three columns: whole number, line for each query, only in version 10. */
/* clang-format off */
static const assay_trec_measure table[] = {
    {"runid",                   NULL,                            NONE, ANY, EVERY, false, false, false},
    {"num_q",                   METRIC(num_q),                   NONE, ANY, EVERY, true, false, false},
    {"num_ret",                 METRIC(num_ret),                 NONE, QRELS, OFF | SET | ALL, true, true, false},
    {"num_rel",                 METRIC(num_rel),                 NONE, QRELS, OFF | SET | ALL, true, true, false},
    {"num_rel_ret",             METRIC(num_rel_ret),             NONE, QRELS, OFF | SET | ALL, true, true, false},
    {"map",                     METRIC(ap),                      NONE, QRELS, OFF | ALL, false, true, false},
    {"gm_map",                  METRIC(gm_map),                  NONE, QRELS, OFF | ALL, false, false, false},
    {"Rprec",                   METRIC(Rprec),                   NONE, QRELS, OFF | ALL, false, true, false},
    {"bpref",                   METRIC(bpref),                   NONE, QRELS, OFF | ALL, false, true, false},
    {"recip_rank",              METRIC(mrr),                     NONE, QRELS, OFF | ALL, false, true, false},
    {"iprec_at_recall",         METRIC(iprec_at_recall),         POINTS(RECALLS), QRELS, OFF | ALL, false, true, false},
    {"P",                       METRIC(precision),               CUTOFFS(DEPTHS), QRELS, OFF | ALL, false, true, false},
    {"relstring",               NULL,                            NUMBERS("10"), QRELS, ALL, false, true, false},
    {"recall",                  METRIC(recall),                  CUTOFFS(DEPTHS), QRELS, ALL, false, true, false},
    {"infAP",                   METRIC(infAP),                   NONE, QRELS, ALL, false, true, false},
    {"gm_bpref",                METRIC(gm_bpref),                NONE, QRELS, ALL, false, false, false},
    {"Rprec_mult",              METRIC(Rprec_mult),              POINTS(MULTIPLES), QRELS, ALL, false, true, false},
    {"utility",                 METRIC(utility),                 NUMBERS("1.0,-1.0,0.0,0.0"), QRELS, SET | ALL, false, true, false},
    {"11pt_avg",                METRIC(11pt_avg),                NUMBERS(RECALLS), QRELS, ALL, false, true, false},
    {"binG",                    METRIC(binG),                    NONE, QRELS, ALL, false, true, false},
    {"G",                       METRIC(G),                       PAIRS, QRELS, ALL, false, true, false},
    {"dcg",                     METRIC(dcg),                     PAIRS, QRELS, 0, false, true, true},
    {"ideal_dcg",               METRIC(ideal_dcg),               PAIRS, QRELS, 0, false, true, true},
    {"ndcg",                    METRIC(ndcg),                    PAIRS, QRELS, ALL, false, true, false},
    {"ndcg_rel",                METRIC(ndcg_rel),                PAIRS, QRELS, ALL, false, true, false},
    {"Rndcg",                   METRIC(Rndcg),                   PAIRS, QRELS, ALL, false, true, false},
    {"ndcg_cut",                METRIC(ndcg),                    CUTOFFS(DEPTHS), QRELS, ALL, false, true, false},
    {"map_cut",                 METRIC(ap),                      CUTOFFS(DEPTHS), QRELS, ALL, false, true, false},
    {"relative_P",              METRIC(relative_P),              CUTOFFS(DEPTHS), QRELS, ALL, false, true, false},
    {"success",                 METRIC(hit),                     CUTOFFS("1,5,10"), QRELS, ALL, false, true, false},
    {"set_P",                   METRIC(set_P),                   NONE, QRELS, SET | ALL, false, true, false},
    {"set_relative_P",          METRIC(set_relative_P),          NONE, QRELS, SET | ALL, false, true, false},
    {"set_recall",              METRIC(set_recall),              NONE, QRELS, SET | ALL, false, true, false},
    {"set_map",                 METRIC(set_map),                 NONE, QRELS, SET | ALL, false, true, false},
    {"set_F",                   METRIC(set_F),                   NUMBERS("1.0"), QRELS, SET | ALL, false, true, false},
    {"num_nonrel_judged_ret",   METRIC(num_nonrel_judged_ret),   NONE, QRELS, ALL, true, true, false},
    {"prefs_num_prefs_poss",    METRIC(prefs_num_prefs_poss),    NONE, PREFS, ALLP | PSET, true, true, false},
    {"prefs_num_prefs_ful",     METRIC(prefs_num_prefs_ful),     NONE, PREFS, ALLP | PSET, true, true, false},
    {"prefs_num_prefs_ful_ret", METRIC(prefs_num_prefs_ful_ret), NONE, PREFS, ALLP | PSET, true, true, false},
    {"prefs_simp",              METRIC(prefs_simp),              NONE, PREFS, ALLP | PSET, false, true, false},
    {"prefs_pair",              METRIC(prefs_pair),              NONE, PREFS, ALLP | PSET, false, true, false},
    {"prefs_avgjg",             METRIC(prefs_avgjg),             NONE, PREFS, ALLP | PSET, false, true, false},
    {"prefs_avgjg_Rnonrel",     METRIC(prefs_avgjg_Rnonrel),     NONE, PREFS, ALLP, false, true, false},
    {"prefs_simp_ret",          METRIC(prefs_simp_ret),          NONE, PREFS, ALLP, false, true, false},
    {"prefs_pair_ret",          METRIC(prefs_pair_ret),          NONE, PREFS, ALLP, false, true, false},
    {"prefs_avgjg_ret",         METRIC(prefs_avgjg_ret),         NONE, PREFS, ALLP, false, true, false},
    {"prefs_avgjg_Rnonrel_ret", METRIC(prefs_avgjg_Rnonrel_ret), NONE, PREFS, ALLP, false, true, false},
    {"prefs_simp_imp",          METRIC(prefs_simp_imp),          NONE, PREFS, ALLP, false, true, false},
    {"prefs_pair_imp",          METRIC(prefs_pair_imp),          NONE, PREFS, ALLP, false, true, false},
    {"prefs_avgjg_imp",         METRIC(prefs_avgjg_imp),         NONE, PREFS, ALLP, false, true, false},
    {"map_avgjg",               METRIC(map_avgjg),               NONE, JG, JSET, false, true, false},
    {"P_avgjg",                 METRIC(P_avgjg),                 CUTOFFS(DEPTHS), JG, JSET, false, true, false},
    {"Rprec_mult_avgjg",        METRIC(Rprec_mult_avgjg),        POINTS(MULTIPLES), JG, JSET, false, true, false},
    {"yaap",                    METRIC(yaap),                    NONE, QRELS, 0, false, true, false},
    {"rbp",                     METRIC(trec_rbp),                PAIRS, QRELS, ALL, false, true, true},
    {"rbp_resid",               METRIC(rbp_resid),               PAIRS, QRELS, ALL, false, true, true},
    {"unj",                     METRIC(unj),                     CUTOFFS("5,10,20"), QRELS, ALL, false, true, true},
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
