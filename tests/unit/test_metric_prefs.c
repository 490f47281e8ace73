/* SPDX-License-Identifier: Apache-2.0 */
/* Preferences and judgment groups: what is refused, and how documents are numbered.  The
 * values of the metrics are in tests/metric/prefs.cases and avgjg.cases. */
#include "base/slice.h"
#include "metric/groups.h"
#include "metric/prefs.h"
#include "testing.h"

static assay_arena arena;
static assay_error err;

static const assay_slice ranking[] = {{"z", 1}, {"a", 1}, {"x", 1}};

#define PREF(group, subgroup, doc, level)                            \
    {                                                                \
        ASSAY_LIT(group), ASSAY_LIT(subgroup), ASSAY_LIT(doc), level \
    }

static assay_status build(const assay_pref *pref, uint32_t n, const assay_prefs **out)
{
    return assay_prefs_build(ranking, 3, pref, n, &arena, out, &err);
}

TEST(retrieved_documents_come_first_in_rank_order_then_the_others_by_id)
{
    const assay_pref pref[] = {PREF("u", "g", "d", 3), PREF("u", "g", "a", 2),
                               PREF("u", "g", "z", 1), PREF("u", "g", "b", 0)};
    const assay_prefs *p = NULL;

    CHECK(build(pref, 4, &p) == ASSAY_OK);

    /* z = 0, a = 1, b = 2, d = 3 */
    CHECK_INT(p->n_ret, 2);
    CHECK_INT(p->n_docs, 4);
    CHECK_INT(p->group[0].cls[0].doc[0], 3);
    CHECK_INT(p->group[0].cls[1].doc[0], 1);
    CHECK_INT(p->group[0].cls[2].doc[0], 0);
    CHECK_INT(p->group[0].cls[3].doc[0], 2);
    assay_arena_clear(&arena);
}

TEST(two_levels_of_a_document_in_one_subgroup_are_refused)
{
    const assay_pref pref[] = {PREF("u", "g", "a", 2), PREF("u", "g", "a", 1)};
    const assay_prefs *p = NULL;

    CHECK(build(pref, 2, &p) == ASSAY_EINPUT);
    CHECK(p == NULL);
    assay_arena_clear(&arena);
}

TEST(a_circle_of_preferences_in_one_group_is_refused)
{
    const assay_pref pref[] = {PREF("u", "g", "a", 2), PREF("u", "g", "b", 1),
                               PREF("u", "h", "b", 2), PREF("u", "h", "c", 1),
                               PREF("u", "i", "c", 2), PREF("u", "i", "a", 1)};
    const assay_prefs *p = NULL;

    CHECK(build(pref, 6, &p) == ASSAY_EINPUT);
    CHECK_STR(err.text, "the preferences of one group contradict each other");
    assay_arena_clear(&arena);
}

TEST(relevant_here_and_not_there_in_one_group_is_refused)
{
    const assay_pref pref[] = {PREF("u", "g", "a", 2), PREF("u", "g", "b", 1),
                               PREF("u", "h", "a", 0), PREF("u", "h", "c", 1)};
    const assay_prefs *p = NULL;

    CHECK(build(pref, 4, &p) == ASSAY_EINPUT);
    CHECK_STR(err.text, "document 'a' is both relevant and not in one group");
    assay_arena_clear(&arena);
}

TEST(no_preferences_are_no_groups)
{
    const assay_prefs *p = NULL;

    CHECK(build(NULL, 0, &p) == ASSAY_OK);
    CHECK_INT(p->n_groups, 0);
    CHECK_INT(p->n_docs, 0);
    assay_arena_clear(&arena);
}

TEST(groups_are_split_and_laid_over_the_ranking)
{
    const assay_group_judgment j[] = {{ASSAY_LIT("v"), ASSAY_LIT("x"), 2},
                                      {ASSAY_LIT("u"), ASSAY_LIT("a"), -1},
                                      {ASSAY_LIT("u"), ASSAY_LIT("z"), 0},
                                      {ASSAY_LIT("u"), ASSAY_LIT("q"), 1}};
    const assay_groups_options options = {1, false};
    const assay_groups *g = NULL;

    CHECK(assay_groups_build(ranking, 3, j, 4, &options, &arena, &g, &err) == ASSAY_OK);

    CHECK_INT(g->n, 2);
    CHECK_INT(g->view[0].grade[0], 0);
    CHECK_INT(g->view[0].grade[1], ASSAY_POOLED);
    CHECK_INT(g->view[0].grade[2], ASSAY_UNPOOLED);
    CHECK_INT(g->view[0].n_relevant, 1);
    CHECK_INT(g->view[0].n_rel_pos, 0);
    CHECK_INT(g->view[1].rel_pos[0], 2);
    assay_arena_clear(&arena);
}

TEST(a_document_judged_twice_by_one_group_is_refused)
{
    const assay_group_judgment j[] = {{ASSAY_LIT("u"), ASSAY_LIT("a"), 1},
                                      {ASSAY_LIT("v"), ASSAY_LIT("a"), 1},
                                      {ASSAY_LIT("u"), ASSAY_LIT("a"), 0}};
    const assay_groups_options options = {1, false};
    const assay_groups *g = NULL;

    CHECK(assay_groups_build(ranking, 3, j, 3, &options, &arena, &g, &err) ==
          ASSAY_EINPUT);
    CHECK_STR(err.text, "group 'u' judges document 'a' twice");
    CHECK(g == NULL);
    assay_arena_clear(&arena);
}
