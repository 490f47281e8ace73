/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of answers between two runs. */
#include "comparing_scene.h"

#define GOLDEN                                                                       \
    "version: 1\nqueries:\n"                                                         \
    "  - {id: q, query: x, relevant: [{doc: d}], must_contain: [\"thirty days\"]}\n" \
    "  - {id: r, query: y, should_refuse: true}\n"

#define ANSWER(q, text, rest)                                           \
    "{\"query_id\":\"" q                                                \
    "\",\"hits\":[{\"chunk_id\":\"c1\",\"doc_id\":\"d\"}],\"answer\":{" \
    "\"answer\":\"" text "\"" rest "}}\n"
#define CITES(list) ",\"citations\":[" list "]"
#define CITE(c)     "{\"chunk_id\":\"" c "\",\"doc_id\":\"" c "-doc\"}"

static scene compare(const char *a, const char *b)
{
    scene s = scene_of(GOLDEN, a, b);

    scene_compare(&s);
    return s;
}

TEST(equal_answers_have_not_changed)
{
    scene s = compare(ANSWER("q", "thirty days", CITES(CITE("c1"))),
                      ANSWER("q", "thirty days", CITES(CITE("c1"))));
    const assay_answer_change *a = scene_query(&s, "q")->answer;

    CHECK(a && !assay_answer_has_changed(a));
    CHECK_INT(s.c->pair[0].answers.n_both, 1);
    CHECK(scene_query(&s, "r")->answer == NULL);
    scene_done(&s);
}

TEST(other_words_are_a_change)
{
    scene s =
        compare(ANSWER("q", "thirty days", ""), ANSWER("q", "within thirty days", ""));

    CHECK(scene_query(&s, "q")->answer->is_text_changed);
    CHECK_INT(s.c->pair[0].answers.n_text, 1);
    scene_done(&s);
}

TEST(groundedness_flips_are_counted_by_direction)
{
    scene s = compare(ANSWER("q", "thirty days", ""), ANSWER("q", "a month", ""));

    CHECK_INT(scene_query(&s, "q")->answer->grounded_a, ASSAY_FLAG_YES);
    CHECK_INT(scene_query(&s, "q")->answer->grounded_b, ASSAY_FLAG_NO);
    CHECK_INT(s.c->pair[0].answers.n_ungrounded, 1);
    CHECK_INT(s.c->pair[0].answers.n_grounded, 0);
    scene_done(&s);
}

TEST(a_refusal_more_is_a_flip)
{
    scene s = compare(ANSWER("q", "thirty days", ""),
                      ANSWER("q", "", ",\"refusal_reason\":\"no_evidence\""));

    CHECK_INT(s.c->pair[0].answers.n_refused, 1);
    CHECK_INT(s.c->pair[0].answers.n_spoke, 0);
    scene_done(&s);
}

TEST(a_refusal_less_is_a_flip_the_other_way)
{
    scene s = compare(ANSWER("r", "", ",\"refusal_reason\":\"no_evidence\""),
                      ANSWER("r", "the moon", ""));
    const assay_answer_change *a = scene_query(&s, "r")->answer;

    CHECK(a->refused_a && !a->refused_b && a->should_refuse);
    CHECK_INT(s.c->pair[0].answers.n_spoke, 1);
    scene_done(&s);
}

TEST(citations_gained_and_lost_are_named)
{
    scene s = compare(ANSWER("q", "thirty days", CITES(CITE("c1") "," CITE("c2"))),
                      ANSWER("q", "thirty days", CITES(CITE("c3") "," CITE("c2"))));
    const assay_answer_change *a = scene_query(&s, "q")->answer;

    CHECK_INT(a->n_lost, 1);
    CHECK(assay_slice_is(a->lost[0], "c1"));
    CHECK_INT(a->n_gained, 1);
    CHECK(assay_slice_is(a->gained[0], "c3"));
    scene_done(&s);
}

TEST(across_chunkers_citations_count_by_document)
{
    scene s = scene_of(GOLDEN,
                       ANSWER("q", "x", CITES("{\"chunk_id\":\"c1\",\"doc_id\":\"d\"}")),
                       ANSWER("q", "x", CITES("{\"chunk_id\":\"n7\",\"doc_id\":\"d\"}")));

    s.snapshot[0].chunker = ASSAY_LIT("one");
    s.snapshot[1].chunker = ASSAY_LIT("two");
    scene_compare(&s);
    CHECK(!assay_answer_has_changed(scene_query(&s, "q")->answer));
    scene_done(&s);
}

TEST(an_answer_that_is_gone_is_a_change)
{
    scene s = compare(ANSWER("q", "thirty days", CITES(CITE("c1"))),
                      "{\"query_id\":\"q\",\"hits\":[],\"error\":\"timed out\"}\n");
    const assay_answer_change *a = scene_query(&s, "q")->answer;

    CHECK(a->has_a && !a->has_b && !a->is_text_changed);
    CHECK_INT(a->n_lost, 1);
    CHECK_INT(s.c->pair[0].answers.n_both, 0);
    scene_done(&s);
}
