/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's table of measures: counts and names that its own outputs show. */
#include "base/slice.h"
#include "metric/trec_table.h"
#include "testing.h"

static size_t n_params(const char *text)
{
    size_t n = 1;

    for (; *text; text++)
        n += *text == ',';
    return n;
}

/* Lines of a summary with the measures of a nickname and their default parameters. */
static size_t summary_lines(unsigned nickname, bool is_trec9)
{
    const assay_trec_measure *m;
    size_t n = 0;

    for (size_t i = 0; (m = assay_trec_measure_at(i)) != NULL; i++) {
        if (!(m->nicknames & nickname) || (is_trec9 && m->is_only_v10))
            continue;
        if (strcmp(m->name, "relstring") == 0)
            continue; /* only for each query */
        n += m->params == ASSAY_TREC_CUTOFFS || m->params == ASSAY_TREC_POINTS
                 ? n_params(m->standard)
                 : 1;
    }
    return n;
}

static const assay_trec_measure *find(const char *name)
{
    return assay_trec_measure_find(assay_slice_of(name), false);
}

TEST(there_are_57_measures_and_no_name_twice)
{
    const assay_trec_measure *m;
    size_t i;

    for (i = 0; (m = assay_trec_measure_at(i)) != NULL; i++)
        CHECK(find(m->name) == m);
    CHECK_INT(i, 57);
}

TEST(only_runid_and_relstring_are_no_metrics)
{
    const assay_trec_measure *m;

    for (size_t i = 0; (m = assay_trec_measure_at(i)) != NULL; i++)
        CHECK((m->metric == NULL) == (i == 0 || strcmp(m->name, "relstring") == 0));
}

TEST(nicknames_give_as_many_lines_as_trec_eval_prints)
{
    CHECK_INT(summary_lines(assay_trec_nickname(ASSAY_LIT("official")), false), 30);
    CHECK_INT(summary_lines(assay_trec_nickname(ASSAY_LIT("all_trec")), false), 99);
    CHECK_INT(summary_lines(assay_trec_nickname(ASSAY_LIT("all_trec")), true), 94);
    CHECK_INT(summary_lines(assay_trec_nickname(ASSAY_LIT("set")), false), 11);
    CHECK_INT(summary_lines(assay_trec_nickname(ASSAY_LIT("all_prefs")), false), 16);
    CHECK_INT(summary_lines(assay_trec_nickname(ASSAY_LIT("prefs")), false), 8);
    CHECK_INT(summary_lines(assay_trec_nickname(ASSAY_LIT("qrels_jg")), false), 22);
    CHECK_INT(assay_trec_nickname(ASSAY_LIT("all_qrels")), 0);
}

TEST(version_9_lacks_five)
{
    static const char *const names[] = {"dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"};

    for (size_t i = 0; i < 5; i++) {
        CHECK(find(names[i]) != NULL);
        CHECK(assay_trec_measure_find(assay_slice_of(names[i]), true) == NULL);
    }
    CHECK(assay_trec_measure_find(ASSAY_LIT("map"), true) == find("map"));
    CHECK(find("ndcg_cut_10") == NULL);
}

TEST(names_of_lines_are_trec_evals)
{
    char name[ASSAY_TREC_NAME_SIZE];

    assay_trec_name_cutoff(name, find("P"), 1000);
    CHECK_STR(name, "P_1000");
    assay_trec_name_point(name, find("iprec_at_recall"), 0.1);
    CHECK_STR(name, "iprec_at_recall_0.10");
    assay_trec_name_point(name, find("Rprec_mult"), 1234567.0);
    CHECK_STR(name, "Rprec_mult_1234567.");
}

TEST(formats_of_judgments_are_known)
{
    CHECK_INT(assay_trec_format(ASSAY_LIT("qrels")), ASSAY_TREC_QRELS);
    CHECK_INT(assay_trec_format(ASSAY_LIT("prefs")), ASSAY_TREC_PREFS);
    CHECK_INT(assay_trec_format(ASSAY_LIT("qrels_prefs")), ASSAY_TREC_PREFS);
    CHECK_INT(assay_trec_format(ASSAY_LIT("foo")), 0);
}
