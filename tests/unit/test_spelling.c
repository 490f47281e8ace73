/* SPDX-License-Identifier: Apache-2.0 */
/* How measures are written: every accepted spelling with its short and full form, every
 * refusal with its words. */
#include "base/arena.h"
#include "base/mem.h"
#include "base/slice.h"
#include "metric/metric.h"
#include "testing.h"

typedef struct accepted {
    const char *spelling;
    const char *name;
    const char *full; /* null = not looked at */
} accepted;

typedef struct refused {
    const char *spelling;
    const char *words;
} refused;

static assay_arena arena;
static assay_measures measures;
static assay_error err;

static assay_status parse(const char *spelling)
{
    assay_measures_clear(&measures);
    err.text[0] = '\0';
    return assay_measure_parse(assay_slice_of(spelling), &measures, &arena, &err);
}

static void check_accepted(const accepted *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (parse(row[i].spelling) != ASSAY_OK)
            check_failed(__FILE__, __LINE__, "'%s' is refused: %s", row[i].spelling,
                         err.text);
        CHECK_INT(measures.n, 1);
        CHECK_STR(measures.item[0].name, row[i].name);
        if (row[i].full)
            CHECK_STR(measures.item[0].full, row[i].full);
    }
    assay_measures_clear(&measures);
    assay_arena_clear(&arena);
}

static void check_refused(const refused *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (parse(row[i].spelling) != ASSAY_EUSAGE)
            check_failed(__FILE__, __LINE__, "'%s' is not refused", row[i].spelling);
        CHECK_STR(err.text, row[i].words);
        CHECK_INT(measures.n, 0);
    }
    assay_measures_clear(&measures);
    assay_arena_clear(&arena);
}

#define ACCEPTED(...)                                       \
    do {                                                    \
        static const accepted rows[] = {__VA_ARGS__};       \
        check_accepted(rows, sizeof rows / sizeof rows[0]); \
    } while (0)
#define REFUSED(...)                                       \
    do {                                                   \
        static const refused rows[] = {__VA_ARGS__};       \
        check_refused(rows, sizeof rows / sizeof rows[0]); \
    } while (0)

TEST(canonical_names_keep_their_spelling)
{
    ACCEPTED({"recall@5", "recall@5", "recall(level=auto,rel=1,judged_only=false)@5"},
             {"recall(rel=2)@5", "recall(rel=2)@5",
              "recall(level=auto,rel=2,judged_only=false)@5"},
             {"recall(level=doc)@5", "recall(level=doc)@5",
              "recall(level=doc,rel=1,judged_only=false)@5"},
             {"recall(judged_only=true)@5", "recall(judged_only=true)@5",
              "recall(level=auto,rel=1,judged_only=true)@5"});
}

TEST(defaults_are_left_out_and_order_is_the_descriptors)
{
    ACCEPTED({"recall(rel=1,level=auto,judged_only=false)@5", "recall@5", NULL},
             {"recall(judged_only=true,rel=3,level=chunk)@7",
              "recall(level=chunk,rel=3,judged_only=true)@7", NULL});
}

TEST(white_space_and_a_trailing_comma_mean_nothing)
{
    ACCEPTED({" recall ( rel = 2 , judged_only = True ) @ 5 ",
              "recall(rel=2,judged_only=true)@5", NULL},
             {"recall()@5", "recall@5", NULL},
             {"recall(rel=2,)@5", "recall(rel=2)@5", NULL});
}

TEST(the_cutoff_may_be_a_parameter)
{
    ACCEPTED({"recall(cutoff=5)", "recall@5", NULL},
             {"R(cutoff=5,rel=2)", "recall(rel=2)@5", NULL});
}

TEST(field_names_of_other_systems_are_read)
{
    ACCEPTED({"recall_at_5_doc", "recall(level=doc)@5", NULL},
             {"recall@5_doc", "recall(level=doc)@5", NULL},
             {"recall_at_10", "recall@10", NULL}, {"Recall@5", "recall@5", NULL},
             {"recall@3_evidence", "recall(level=evidence)@3", NULL});
}

TEST(a_faulty_spelling_is_quoted_with_the_place)
{
    REFUSED({"", "in '' at 1: the name of a metric is missing"},
            {"@5", "in '@5' at 1: the name of a metric is missing"},
            {"recall(rel=2@5", "in 'recall(rel=2@5' at 13: want ',' or ')' here"},
            {"recall(rel=2", "in 'recall(rel=2' at 7: ( without )"},
            {"recall(2)@5", "in 'recall(2)@5' at 8: a parameter is written name=value"},
            {"recall(rel=)@5", "in 'recall(rel=)@5' at 12: a value is missing"},
            {"recall(rel='1)@5", "in 'recall(rel='1)@5' at 12: ' without '"},
            {"recall(rel=1,rel=2)@5",
             "in 'recall(rel=1,rel=2)@5' at 14: 'rel' is given twice"},
            {"recall@", "in 'recall@' at 8: a number is missing behind '@'"},
            {"recall@5 x", "in 'recall@5 x' at 10: nothing may stand here"},
            {"recall(cutoff=5)@5",
             "in 'recall(cutoff=5)@5' at 18: the cutoff is given twice"},
            {"recall(level=doc)@5_doc",
             "in 'recall(level=doc)@5_doc' at 21: the level is given twice"});
}

TEST(a_cutoff_is_a_whole_number_from_one)
{
    REFUSED(
        {"recall@0", "in 'recall@0' at 8: a cutoff is a whole number from 1, not '0'"},
        {"recall@-1", "in 'recall@-1' at 8: a cutoff is a whole number from 1, not '-1'"},
        {"recall@5.5",
         "in 'recall@5.5' at 8: a cutoff is a whole number from 1, not '5.5'"},
        {"recall@05", "in 'recall@05' at 8: a cutoff is a whole number from 1, not '05'"},
        {"recall@5000000000",
         "in 'recall@5000000000' at 8: a cutoff is a whole number from 1, not '5000000000'"},
        {"recall_at_5x",
         "in 'recall_at_5x' at 11: a cutoff is a whole number from 1, not '5x'"},
        {"recall()", "in 'recall()' at 9: 'recall' needs a cutoff, as in 'recall@10'"});
}

TEST(values_have_types)
{
    REFUSED(
        {"recall(rel=-1)@5",
         "in 'recall(rel=-1)@5' at 12: 'rel' takes a whole number from 0, not '-1'"},
        {"recall(rel=1.0)@5",
         "in 'recall(rel=1.0)@5' at 12: 'rel' takes a whole number from 0, not '1.0'"},
        {"recall(judged_only=1)@5",
         "in 'recall(judged_only=1)@5' at 20: 'judged_only' is true or false, not '1'"},
        {"recall(level=page)@5",
         "in 'recall(level=page)@5' at 14: the level is evidence, chunk, doc or auto, not "
         "'page'"});
}

TEST(a_parameter_that_is_not_taken_is_an_error_that_names_those_that_are)
{
    REFUSED({"recall(p=0.5)@5",
             "in 'recall(p=0.5)@5' at 8: 'recall' takes no 'p'; it takes "
             "level, rel, judged_only"});
}

TEST(an_unknown_metric_gets_a_suggestion)
{
    REFUSED({"recal@5",
             "no metric called 'recal'; did you mean 'recall'? see 'assay metric list'"},
            {"RECALL@5",
             "no metric called 'RECALL'; did you mean 'recall'? see 'assay metric list'"},
            {"qqqqqqqqqq", "no metric called 'qqqqqqqqqq'; see 'assay metric list'"});
}

TEST(trec_names_carry_their_parameters)
{
    static const char *const cuts[] = {"5",   "10",  "15",  "20",  "30",
                                       "100", "200", "500", "1000"};
    char want[32];

    ACCEPTED({"recall_100", "recall@100", NULL}, {"recall.100", "recall@100", NULL});

    CHECK(parse("recall.5,10") == ASSAY_OK);
    CHECK_INT(measures.n, 2);
    CHECK_STR(measures.item[1].name, "recall@10");

    CHECK(parse("recall") == ASSAY_OK);
    CHECK_INT(measures.n, 9);
    for (size_t i = 0; i < 9; i++) {
        snprintf(want, sizeof want, "recall@%s", cuts[i]);
        CHECK_STR(measures.item[i].name, want);
    }
    REFUSED({"recall.5,0",
             "in 'recall.5,0', read as 'recall@0', at 8: a cutoff is a whole "
             "number from 1, not '0'"});
}

TEST(names_of_ir_measures_are_read)
{
    ACCEPTED(
        {"AP", "ap", NULL}, {"MAP", "ap", NULL}, {"AP(rel=2)@10", "ap(rel=2)@10", NULL},
        {"nDCG@10", "ndcg@10", "ndcg(level=auto,judged_only=false,gains={},dcg=log2)@10"},
        {"NDCG(dcg='exp-log2')@10", "ndcg(dcg=exp-log2)@10", NULL},
        {"nDCG(dcg=\"log2\")", "ndcg", NULL}, {"RR", "mrr", NULL},
        {"MRR@10", "mrr@10", NULL},
        {"P(rel=2,judged_only=True)@5", "precision(rel=2,judged_only=true)@5", NULL},
        {"Precision@5", "precision@5", NULL}, {"R@5", "recall@5", NULL},
        {"Success@5", "hit@5", NULL}, {"RPrec", "Rprec", NULL}, {"BPref", "bpref", NULL},
        {"infAP", "infAP", NULL}, {"IPrec@0.1", "iprec_at_recall@0.1", NULL},
        {"IPrec(recall=1.0)", "iprec_at_recall@1.0", NULL}, {"SetP", "set_P", NULL},
        {"SetR", "set_recall", NULL}, {"SetF(beta=2.0)", "set_F(beta=2.0)", NULL},
        {"SetAP", "set_map", NULL}, {"NumQ", "num_q", NULL}, {"NumRel", "num_rel", NULL},
        {"Judged@10", "judged@10", "judged(level=auto)@10"}, {"ERR@20", "err@20", NULL},
        {"RBP(p=0.5,rel=1)", "rbp(p=0.5,rel=1)", NULL},
        {"RBP", "rbp", "rbp(level=auto,judged_only=false,p=0.8,rel=none,max_grade=none)"},
        {"Compat(p=0.9,normalize=False)", "compat(p=0.9,normalize=false)", NULL},
        {"BPM(T=1.0,max_rel=3)@10", "bpm(max_rel=3)@10", NULL},
        {"INST(max_rel=1)", "inst(max_rel=1)", NULL},
        {"alpha_nDCG(alpha=0.5)@20", "alpha_ndcg@20", NULL},
        {"\316\261_nDCG@20", "alpha_ndcg@20", NULL}, {"MAP_IA", "ap_ia", NULL},
        {"P_IA@5", "precision_ia@5", NULL}, {"StRecall@5", "strecall@5", NULL});
}

TEST(a_parameter_may_decide_which_metric_is_meant)
{
    ACCEPTED({"NumRet", "num_ret", NULL}, {"NumRet(rel=2)", "num_rel_ret(rel=2)", NULL},
             {"NumRet(rel=1)", "num_rel_ret", NULL}, {"NumRelRet", "num_rel_ret", NULL},
             {"SetP(relative=True)", "set_relative_P", NULL},
             {"SetP(relative=False,rel=2)", "set_P(rel=2)", NULL},
             {"SetRelP(rel=2)", "set_relative_P(rel=2)", NULL},
             {"SetRelP(relative=False)", "set_P", NULL});
}

TEST(gains_are_sorted_and_a_grade_that_gains_itself_is_left_out)
{
    ACCEPTED({"nDCG(gains={2: 5, 1: 1, 0: 0.5})@3", "ndcg(gains={0:0.5,2:5.0})@3", NULL},
             {"ndcg(gains={1:1,2:2,})", "ndcg", NULL}, {"ndcg(gains={})", "ndcg", NULL});
    REFUSED(
        {"ndcg(gains={1:2,1:3})",
         "in 'ndcg(gains={1:2,1:3})' at 12: grade 1 has two gains"},
        {"ndcg(gains={1})",
         "in 'ndcg(gains={1})' at 13: want a whole grade, ':' and a gain, not '1'"},
        {"ndcg(gains={-1:2})",
         "in 'ndcg(gains={-1:2})' at 13: want a whole grade, ':' and a gain, not '-1:2'"},
        {"ndcg(gains={1:2)", "in 'ndcg(gains={1:2)' at 12: { without }"},
        {"ndcg(gains=2)",
         "in 'ndcg(gains=2)' at 12: 'gains' is written {grade: gain, ...}"});
}

TEST(names_of_ir_measures_have_its_types)
{
    ACCEPTED({"set_F(beta=2)", "set_F(beta=2.0)", NULL});
    REFUSED(
        {"SetF(beta=2)",
         "in 'SetF(beta=2)' at 11: 'beta' takes a number with a point, not '2'"},
        {"IPrec@1",
         "in 'IPrec@1' at 7: 'iprec_at_recall' takes a number with a point from 0 "
         "behind '@', not '1'"},
        {"AP(rel=-1)",
         "in 'AP(rel=-1)' at 8: 'rel' takes a whole number from 0, not '-1'"},
        {"AP(rel=None)",
         "in 'AP(rel=None)' at 8: 'rel' takes a whole number from 0, not 'None'"},
        {"nDCG(dcg='ln')@5",
         "in 'nDCG(dcg='ln')@5' at 10: 'dcg' is one of log2,exp-log2, not ''ln''"},
        {"Compat(normalize='yes')",
         "in 'Compat(normalize='yes')' at 18: 'normalize' is true or false, not ''yes''"},
        {"BPM@10", "in 'BPM@10' at 7: 'bpm' needs 'max_rel', as in 'bpm(max_rel=3)'"},
        {"BPM(max_rel=2,min_rel=2)@10",
         "in 'BPM(max_rel=2,min_rel=2)@10' at 1: max_rel must be above min_rel"},
        {"RBP(p=1.5)", "in 'RBP(p=1.5)' at 7: 'p' is from 0 to 1, not '1.5'"},
        {"NumQ@5", "in 'NumQ@5' at 6: 'num_q' takes no cutoff"},
        {"NumQ(rel=1)",
         "in 'NumQ(rel=1)' at 6: 'num_q' takes no 'rel'; it takes no parameters"},
        {"map.10", "in 'map.10' at 4: nothing may stand here"},
        {"ndcg_10",
         "no metric called 'ndcg_10'; did you mean 'ndcg@10'? see 'assay metric list'"},
        {"iprec_at_recall()",
         "in 'iprec_at_recall()' at 18: 'iprec_at_recall' needs a number "
         "behind '@', as in 'iprec_at_recall@0.5'"});
}

TEST(names_of_trec_eval_are_read)
{
    ACCEPTED({"ndcg_cut_10", "ndcg@10", NULL}, {"ndcg_cut.10", "ndcg@10", NULL},
             {"P_5", "precision@5", NULL}, {"map", "ap", NULL},
             {"map_cut_10", "ap@10", NULL}, {"recip_rank", "mrr", NULL},
             {"success_1", "hit@1", NULL},
             {"iprec_at_recall_0.10", "iprec_at_recall@0.1", NULL},
             {"iprec_at_recall.0", "iprec_at_recall@0.0", NULL}, {"set_F", "set_F", NULL},
             {"set_F.0.5", "set_F(beta=0.5)", NULL}, {"11pt_avg", "11pt_avg", NULL},
             {"11pt_avg.0.5,1", "11pt_avg(points=[0.5,1.0])", NULL},
             {"ndcg.1=3.5,2=9", "ndcg(gains={1:3.5,2:9.0})", NULL},
             {"utility.2,-1,0,0", "utility(weights=[2.0,-1.0,0.0,0.0])", NULL},
             {"utility.1,-1,0,0", "utility", NULL},
             {"Rprec_mult_0.20", "Rprec_mult@0.2", NULL},
             /* Our own rbp is that of ir_measures. */
             {"rbp", "rbp", NULL}, {"rbp.p=0.7", "trec_rbp(p=0.7)", NULL});
    REFUSED({"P.5,x",
             "in 'P.5,x', read as 'precision@x', at 11: a cutoff is a whole number from "
             "1, not 'x'"});
}

TEST(plain_names_of_trec_eval_have_its_parameters)
{
    static const struct {
        const char *name;
        size_t n;
        const char *first;
        const char *last;
    } rows[] = {
        {"P", 9, "precision@5", "precision@1000"},
        {"ndcg_cut", 9, "ndcg@5", "ndcg@1000"},
        {"map_cut", 9, "ap@5", "ap@1000"},
        {"success", 3, "hit@1", "hit@10"},
        {"iprec_at_recall", 11, "iprec_at_recall@0.0", "iprec_at_recall@1.0"},
        /* 30 lines, less runid. */
        {"official", 29, "num_q", "precision@1000"},
        /* num_q, the three counts, and utility are in it. */
        {"set", 10, "num_q", "set_F"},
        /* 99 lines of version 10, less runid; relstring is no line of the summary. */
        {"all_trec", 98, "num_q", "unj@20"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(parse(rows[i].name) == ASSAY_OK);
        if (measures.n != rows[i].n)
            check_failed(__FILE__, __LINE__, "%s gives %zu", rows[i].name, measures.n);
        CHECK_STR(measures.item[0].name, rows[i].first);
        CHECK_STR(measures.item[measures.n - 1].name, rows[i].last);
    }
    assay_measures_clear(&measures);
    assay_arena_clear(&arena);
}

TEST(field_names_of_kebab_bob_and_evalvault_are_read)
{
    ACCEPTED({"hit_at_5", "hit@5", NULL}, {"hit@5", "hit@5", NULL}, {"mrr", "mrr", NULL},
             {"precision_at_5_chunk", "precision(level=chunk)@5", NULL},
             {"precision@5_chunk", "precision(level=chunk)@5", NULL},
             {"recall@5", "recall@5", NULL}, {"precision_at_5", "precision@5", NULL},
             {"ndcg_at_10", "ndcg@10", NULL}, {"Recall@5", "recall@5", NULL},
             {"nDCG@10", "ndcg@10", NULL}, {"MRR", "mrr", NULL});
}

TEST(a_list_is_split_outside_of_brackets_only)
{
    CHECK(assay_measure_parse_list(
              ASSAY_LIT(
                  "recall@5,recall.10,20 recall( rel=2, judged_only=true )@3,\trecall@7"),
              &measures, &arena, &err) == ASSAY_OK);
    CHECK_INT(measures.n, 5);
    CHECK_STR(measures.item[0].name, "recall@5");
    CHECK_STR(measures.item[2].name, "recall@20");
    CHECK_STR(measures.item[3].name, "recall(rel=2,judged_only=true)@3");
    CHECK_STR(measures.item[4].name, "recall@7");

    /* A failure takes nothing in. */
    CHECK(assay_measure_parse_list(ASSAY_LIT("recall@9,nothing"), &measures, &arena,
                                   &err) == ASSAY_EUSAGE);
    CHECK_INT(measures.n, 5);
    CHECK(assay_measure_parse_list(ASSAY_LIT(" , "), &measures, &arena, &err) ==
          ASSAY_EUSAGE);
    CHECK_STR(err.text, "no metric is named; see 'assay metric list'");
    assay_measures_clear(&measures);
    assay_arena_clear(&arena);
}

TEST(the_full_spelling_can_be_written_at_a_resolved_level)
{
    CHECK(parse("recall@5") == ASSAY_OK);
    CHECK_STR(assay_measure_full(&measures.item[0], ASSAY_LEVEL_CHUNK, &arena),
              "recall(level=chunk,rel=1,judged_only=false)@5");
    assay_measures_clear(&measures);
    assay_arena_clear(&arena);
}

TEST(without_memory_nothing_is_taken_in_and_nothing_leaks)
{
#ifdef ASSAY_TEST
    static const char list[] = "official,ndcg(gains={1:2})@5 utility.2,-1,0,0 P_5";
    assay_status st = ASSAY_ENOMEM;
    uint64_t n;

    for (n = 1; st == ASSAY_ENOMEM; n++) {
        assay_measures_clear(&measures);
        assay_arena_clear(&arena);
        assay_mem_fail_after(n);
        st = assay_measure_parse_list(assay_slice_of(list), &measures, &arena, &err);
        CHECK(st == ASSAY_OK || (st == ASSAY_ENOMEM && measures.n == 0));
        CHECK(assay_mem_has_failed() == (st == ASSAY_ENOMEM));
    }
    assay_mem_fail_after(0);
    CHECK(n > 10);
    CHECK_INT(measures.n, 32);
    assay_measures_clear(&measures);
    assay_arena_clear(&arena);
#else
    SKIP("a release build allocates without a switch for failing");
#endif
}

/* ---- every metric of the roster, with many values of its parameters ---- */

static const char *sample_value(const assay_metric_param *p, int which)
{
    static char text[64];
    assay_slice choices = assay_slice_of(p->choices);
    assay_slice choice = choices;

    switch (p->type) {
    case ASSAY_METRIC_PARAM_INT: snprintf(text, sizeof text, "%d", which + 1); break;
    case ASSAY_METRIC_PARAM_REAL:
        snprintf(text, sizeof text, "%s",
                 which == 0   ? "0.25"
                 : which == 1 ? "0.1"
                              : "1.0");
        break;
    case ASSAY_METRIC_PARAM_BOOL:
        snprintf(text, sizeof text, "%s", which ? "true" : "false");
        break;
    case ASSAY_METRIC_PARAM_CHOICE:
        while (which-- >= 0 && assay_slice_part(&choices, ',', &choice)) {
        }
        snprintf(text, sizeof text, "%.*s", (int)choice.len, choice.ptr);
        break;
    case ASSAY_METRIC_PARAM_GAINS:
        snprintf(text, sizeof text, "{2:%d.5,1:1,0:0.1}", which);
        break;
    case ASSAY_METRIC_PARAM_REALS:
        snprintf(text, sizeof text, "[1,-%d,0.5,2e3]", which);
        break;
    }
    return text;
}

static void sample_spelling(const assay_metric *m, int which, unsigned chosen, char *text,
                            size_t size)
{
    static const char *const at[] = {"", "@3", "@7", "@0.25"};
    bool needs_at = m->at == ASSAY_AT_REQUIRED || m->at == ASSAY_AT_REAL;
    size_t n = (size_t)snprintf(text, size, "%s(", m->name);

    if (m->takes & ASSAY_TAKES_LEVEL & chosen)
        n += (size_t)snprintf(text + n, size - n, "level=%s,", which ? "doc" : "chunk");
    if (m->takes & ASSAY_TAKES_REL & chosen)
        n += (size_t)snprintf(text + n, size - n, "rel=%d,", which);
    if (m->takes & ASSAY_TAKES_JUDGED_ONLY & chosen)
        n += (size_t)snprintf(text + n, size - n, "judged_only=%s,",
                              which ? "true" : "false");
    for (unsigned i = 0; m->param && m->param[i].name; i++)
        if (m->param[i].is_required)
            n += (size_t)snprintf(text + n, size - n, "%s=9,", m->param[i].name);
        else if (chosen >> (3 + i) & 1)
            n += (size_t)snprintf(text + n, size - n, "%s=%s,", m->param[i].name,
                                  sample_value(&m->param[i], which));
    snprintf(text + n, size - n, ")%s",
             m->at == ASSAY_AT_REAL       ? at[3]
             : needs_at                   ? at[1]
             : m->at == ASSAY_AT_OPTIONAL ? at[which]
                                          : "");
}

static void check_reads_back(const char *spelling)
{
    assay_measures again = {0};

    if (parse(spelling) != ASSAY_OK)
        check_failed(__FILE__, __LINE__, "'%s' is refused: %s", spelling, err.text);
    /* The short spelling of recall@k and the like never lacks its cutoff, so that
     * trec_eval's defaults do not come in. */
    CHECK(assay_measure_parse(assay_slice_of(measures.item[0].name), &again, &arena,
                              &err) == ASSAY_OK);
    CHECK(assay_measure_parse(assay_slice_of(measures.item[0].full), &again, &arena,
                              &err) == ASSAY_OK);
    CHECK_INT(again.n, 2);
    for (size_t i = 0; i < 2; i++) {
        CHECK(assay_measure_equal(&again.item[i], &measures.item[0]));
        CHECK_STR(again.item[i].name, measures.item[0].name);
        CHECK_STR(again.item[i].full, measures.item[0].full);
    }
    assay_measures_clear(&again);
    assay_measures_clear(&measures);
    assay_arena_clear(&arena);
}

TEST(every_metric_reads_back_from_its_short_and_full_spelling)
{
    const assay_metric *m;
    char text[256];

    for (size_t i = 0; (m = assay_metric_at(i)) != NULL; i++)
        for (int which = 0; which < 3; which++)
            for (unsigned chosen = 0; chosen < 128; chosen++) {
                sample_spelling(m, which, chosen, text, sizeof text);
                check_reads_back(text);
            }
}

TEST(every_alias_of_a_metric_means_that_metric)
{
    const assay_metric *m;

    for (size_t i = 0; (m = assay_metric_at(i)) != NULL; i++) {
        assay_slice rest = assay_slice_of(m->aliases);
        assay_slice alias;
        char text[256], as[128];

        while (assay_slice_part(&rest, ',', &alias)) {
            assay_metric stand_in = *m;

            if (assay_slice_ends(alias, "_at_k"))
                continue; /* read by the rule of field names */
            snprintf(as, sizeof as, "%.*s", (int)alias.len, alias.ptr);
            stand_in.name = as;
            sample_spelling(&stand_in, 1, 0, text, sizeof text);
            if (parse(text) != ASSAY_OK)
                check_failed(__FILE__, __LINE__, "'%s' is refused: %s", text, err.text);
            CHECK(measures.item[0].metric == m);
        }
    }
    assay_measures_clear(&measures);
    assay_arena_clear(&arena);
}
