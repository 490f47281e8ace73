/* SPDX-License-Identifier: Apache-2.0 */
/* How hits are recognised when runs cut their documents differently. */
#include "comparing_scene.h"

/* Evidence: bytes 100 to 200 of document d. */
#define EVIDENCE             \
    "version: 1\nqueries:\n" \
    "  - {id: q, query: x, relevant: [{doc: d, span: 100-200}]}\n"

#define SPAN(c, from, to) \
    "{\"chunk_id\":\"" c "\",\"doc_id\":\"d\",\"spans\":[[" #from "," #to "]]}"
#define RESULT(q, h) "{\"query_id\":\"" q "\",\"hits\":[" h "]}\n"

/* Run a holds the evidence exactly; b has this hit. */
static const assay_query_change *against(scene *s, const char *hit)
{
    char b[1000];

    snprintf(b, sizeof b, "{\"query_id\":\"q\",\"hits\":[%s]}\n", hit);
    *s = scene_of(EVIDENCE, RESULT("q", SPAN("a", 100, 200)), b);
    s->snapshot[0].chunker = ASSAY_LIT("md-v1");
    s->snapshot[1].chunker = ASSAY_LIT("md-v2");
    s->settings.depth = 10;
    scene_compare(s);
    CHECK_STR(assay_match_word(s->c->matching.match), "fallback_doc_span");
    CHECK_INT(s->c->level, ASSAY_LEVEL_EVIDENCE);
    return scene_query(s, "q");
}

#define CHECK_FINDS(hit, want)                          \
    do {                                                \
        scene s_;                                       \
        CHECK_INT(against(&s_, (hit))->rank_b, (want)); \
        scene_done(&s_);                                \
    } while (0)

TEST(half_of_the_shorter_one_is_enough_and_less_is_not)
{
    /* A chunk of 100 bytes that shares 49, 50 and 51 of them. */
    CHECK_FINDS(SPAN("b", 51, 151), 1);
    CHECK_FINDS(SPAN("b", 50, 150), 1);
    CHECK_FINDS(SPAN("b", 49, 149), 0);
    /* A chunk of 40 bytes, the shorter one: 20 of them are enough. */
    CHECK_FINDS(SPAN("b", 80, 120), 1);
    CHECK_FINDS(SPAN("b", 79, 119), 0);
}

TEST(touching_is_not_sharing)
{
    CHECK_FINDS(SPAN("b", 0, 100), 0);
    CHECK_FINDS(SPAN("b", 200, 300), 0);
}

TEST(a_small_chunk_inside_the_evidence_counts)
{
    CHECK_FINDS(SPAN("b", 150, 151), 1);
}

TEST(a_large_chunk_around_the_evidence_counts)
{
    CHECK_FINDS(SPAN("b", 0, 1000000), 1);
}

TEST(a_hit_of_several_spans_is_their_union)
{
    /* 25 + 25 of the evidence in a chunk of 50 + 50; then 25 + 24. */
    CHECK_FINDS("{\"chunk_id\":\"b\",\"doc_id\":\"d\",\"spans\":[[75,125],[175,225]]}",
                1);
    CHECK_FINDS("{\"chunk_id\":\"b\",\"doc_id\":\"d\",\"spans\":[[75,125],[176,226]]}",
                0);
    /* The same bytes twice are there once. */
    CHECK_FINDS("{\"chunk_id\":\"b\",\"doc_id\":\"d\",\"spans\":[[51,151],[51,151]]}", 1);
}

TEST(another_document_finds_nothing)
{
    CHECK_FINDS("{\"chunk_id\":\"b\",\"doc_id\":\"e\",\"spans\":[[100,200]]}", 0);
}

TEST(of_several_chunks_the_first_that_finds_it_has_the_rank)
{
    CHECK_FINDS(SPAN("b1", 0, 100) "," SPAN("b2", 60, 160) "," SPAN("b3", 100, 200), 2);
}

TEST(evidence_of_several_spans_is_found_by_half_of_it)
{
    /* Two spans of 10 bytes each make one judgment through two judgments of one query:
     * each is found by itself. */
    scene s = scene_of("version: 1\nqueries:\n"
                       "  - {id: q, query: x, relevant: [{doc: d, span: 0-10}, {doc: d, "
                       "span: 50-60}]}\n",
                       RESULT("q", SPAN("a", 0, 10) "," SPAN("a2", 50, 60)),
                       RESULT("q", SPAN("b", 0, 10) "," SPAN("b2", 70, 80)));

    s.snapshot[0].chunker = ASSAY_LIT("one");
    s.snapshot[1].chunker = ASSAY_LIT("two");
    scene_compare(&s);
    CHECK_QUERY(&s, "q", "draw", 1, 1, "`d [50, 60)` lost");
    scene_done(&s);
}

/* ---- modes ---- */

#define CHUNK_AND_SPAN       \
    "version: 1\nqueries:\n" \
    "  - {id: q, query: x, relevant: [{chunk: c1, doc: d, span: 100-200}]}\n"

TEST(one_chunker_compares_chunk_ids)
{
    /* b's chunk has the bytes and another id. */
    scene s = scene_of(CHUNK_AND_SPAN, RESULT("q", SPAN("c1", 100, 200)),
                       RESULT("q", SPAN("c2", 100, 200)));

    s.snapshot[0].chunker = s.snapshot[1].chunker = ASSAY_LIT("md-v1");
    scene_compare(&s);
    CHECK_STR(assay_match_word(s.c->matching.match), "exact");
    CHECK_INT(s.c->level, ASSAY_LEVEL_CHUNK);
    CHECK_QUERY(&s, "q", "regression", 1, 0, "hit→miss");
    CHECK_NEAR(scene_delta(&s, "mrr")->b, 0.0, 0);
    scene_done(&s);
}

TEST(another_chunker_compares_bytes_and_so_do_the_aggregates)
{
    scene s = scene_of(CHUNK_AND_SPAN, RESULT("q", SPAN("c1", 100, 200)),
                       RESULT("q", SPAN("c2", 100, 200)));

    s.snapshot[0].chunker = ASSAY_LIT("md-v1");
    s.snapshot[1].chunker = ASSAY_LIT("md-v2");
    scene_compare(&s);
    CHECK_STR(assay_match_word(s.c->matching.match), "fallback_doc_span");
    CHECK_QUERY(&s, "q", "draw", 1, 1, "");
    CHECK_NEAR(scene_delta(&s, "mrr")->b, 1.0, 0);
    CHECK_INT(scene_delta(&s, "mrr")->column->level, ASSAY_LEVEL_EVIDENCE);
    CHECK(scene_notes(&s, "the documents were cut by different chunkers"));
    scene_done(&s);
}

TEST(another_policy_is_another_chunker)
{
    scene s = scene_of(CHUNK_AND_SPAN, RESULT("q", SPAN("c1", 100, 200)),
                       RESULT("q", SPAN("c2", 100, 200)));

    s.snapshot[0].chunker = s.snapshot[1].chunker = ASSAY_LIT("md-v1");
    s.snapshot[0].policy_hash = ASSAY_LIT("p1");
    s.snapshot[1].policy_hash = ASSAY_LIT("p2");
    scene_compare(&s);
    CHECK_STR(assay_match_word(s.c->matching.match), "fallback_doc_span");
    scene_done(&s);
}

TEST(a_run_without_spans_is_compared_by_documents_and_so_are_the_aggregates)
{
    scene s = scene_of(CHUNK_AND_SPAN, RESULT("q", SPAN("c1", 100, 200)),
                       RESULT("q", "{\"chunk_id\":\"z\",\"doc_id\":\"d\"}"));

    s.snapshot[0].chunker = ASSAY_LIT("md-v1");
    s.snapshot[1].chunker = ASSAY_LIT("md-v2");
    scene_compare(&s);
    CHECK_STR(assay_match_word(s.c->matching.match), "fallback_doc");
    CHECK_QUERY(&s, "q", "draw", 1, 1, "");
    CHECK_INT(scene_delta(&s, "mrr")->column->level, ASSAY_LEVEL_DOC);
    CHECK_NEAR(scene_delta(&s, "mrr")->b, 1.0, 0);
    scene_done(&s);
}

TEST(strict_refuses_what_would_fall_back)
{
    scene s = scene_of(CHUNK_AND_SPAN, RESULT("q", SPAN("c1", 100, 200)),
                       RESULT("q", SPAN("c2", 100, 200)));

    s.snapshot[0].chunker = ASSAY_LIT("md-v1");
    s.snapshot[1].chunker = ASSAY_LIT("md-v2");
    s.settings.is_strict = true;
    scene_try(&s);
    CHECK_INT(s.status, ASSAY_EINPUT);
    CHECK(strstr(s.err.text, "--strict-chunker-version"));
    scene_done(&s);
}

TEST(runs_that_share_documents_and_no_chunk_are_not_taken_for_exact)
{
    /* Nobody says what the chunker was. */
    scene s = scene_of(CHUNK_AND_SPAN, RESULT("q", SPAN("c1", 100, 200)),
                       RESULT("q", SPAN("n1", 100, 200)));

    scene_compare(&s);
    CHECK_STR(assay_match_word(s.c->matching.match), "fallback_doc_span");
    CHECK_QUERY(&s, "q", "draw", 1, 1, "");
    scene_done(&s);
}

TEST(runs_that_say_nothing_and_share_a_chunk_are_exact)
{
    scene s = scene_of(CHUNK_AND_SPAN, RESULT("q", SPAN("c1", 100, 200)),
                       RESULT("q", SPAN("n1", 300, 400) "," SPAN("c1", 100, 200)));

    scene_compare(&s);
    CHECK_STR(assay_match_word(s.c->matching.match), "exact");
    scene_done(&s);
}

TEST(chunk_ids_alone_cannot_be_compared_across_chunkers)
{
    scene s = scene_of("version: 1\nqueries:\n"
                       "  - {id: q, query: x, relevant: [{chunk: c1}]}\n",
                       RESULT("q", "{\"chunk_id\":\"c1\"}"),
                       RESULT("q", "{\"chunk_id\":\"c2\"}"));

    s.snapshot[0].chunker = ASSAY_LIT("md-v1");
    s.snapshot[1].chunker = ASSAY_LIT("md-v2");
    scene_try(&s);
    CHECK_INT(s.status, ASSAY_EINPUT);
    CHECK(strncmp(s.err.text, "incomparable: ", 14) == 0);
    scene_done(&s);
}

TEST(a_measure_of_chunks_is_refused_across_chunkers)
{
    static const char *const measure[] = {"precision_at_k_chunk@5"};
    scene s = scene_of(CHUNK_AND_SPAN, RESULT("q", SPAN("c1", 100, 200)),
                       RESULT("q", SPAN("c2", 100, 200)));

    s.snapshot[0].chunker = ASSAY_LIT("md-v1");
    s.snapshot[1].chunker = ASSAY_LIT("md-v2");
    s.settings.measure = measure;
    s.settings.n_measures = 1;
    scene_try(&s);
    CHECK_INT(s.status, ASSAY_EUSAGE);
    scene_done(&s);
}

TEST(a_level_that_was_asked_for_stands)
{
    scene s = scene_of(CHUNK_AND_SPAN, RESULT("q", SPAN("c1", 100, 200)),
                       RESULT("q", SPAN("c2", 300, 400)));

    s.snapshot[0].chunker = ASSAY_LIT("md-v1");
    s.snapshot[1].chunker = ASSAY_LIT("md-v2");
    s.settings.eval.level = ASSAY_LEVEL_DOC;
    scene_compare(&s);
    CHECK_STR(assay_match_word(s.c->matching.match), "fallback_doc");
    CHECK_QUERY(&s, "q", "draw", 1, 1, "");
    scene_done(&s);
}

TEST(documents_alone_are_judged_at_their_level_in_any_mode)
{
    scene s =
        scene_of("version: 1\nqueries:\n"
                 "  - {id: q, query: x, relevant: [{doc: d}]}\n",
                 RESULT("q", SPAN("c1", 100, 200)), RESULT("q", SPAN("c2", 500, 600)));

    s.snapshot[0].chunker = ASSAY_LIT("md-v1");
    s.snapshot[1].chunker = ASSAY_LIT("md-v2");
    scene_compare(&s);
    CHECK_STR(assay_match_word(s.c->matching.match), "fallback_doc");
    CHECK_QUERY(&s, "q", "draw", 1, 1, "");
    scene_done(&s);
}
