/* SPDX-License-Identifier: Apache-2.0 */
/* Every step at which a query can be lost, and what changes between two runs. */
#include "comparing_scene.h"
#include "diagnose/explain.h"

#define RESULT(q, h) "{\"query_id\":\"" q "\",\"hits\":[" h "]}\n"
#define HIT(c)       "{\"chunk_id\":\"" c "\",\"doc_id\":\"" c "-doc\"}"
#define SPAN(c, from, to) \
    "{\"chunk_id\":\"" c "\",\"doc_id\":\"d\",\"spans\":[[" #from "," #to "]]}"
#define LEGS(bm25, dense)                          \
    "\"legs\":[{\"name\":\"bm25\",\"rank\":" #bm25 \
    "},{\"name\":\"dense\",\"rank\":" #dense "}]"
#define CHUNK "version: 1\nqueries:\n  - {id: q, query: x, relevant: [{chunk: c1}]}\n"
#define EVIDENCE \
    "version: 1\nqueries:\n  - {id: q, query: x, relevant: [{doc: d, span: 0-100}]}\n"

static assay_arena arena;

static assay_waterfall fall(scene *s, uint32_t k)
{
    static const char *const measure[] = {"mrr," ASSAY_FALL_MEASURES};
    const assay_fall_rules rules = {.k = k};
    assay_waterfall w;

    s->settings.keeps_order = true;
    if (s->run[0]->has_answers) {
        s->settings.measure = measure;
        s->settings.n_measures = 1;
    }
    scene_compare(s);
    if (assay_waterfall_make(s->c, 0, &rules, &arena, &w, &s->err))
        check_failed(__FILE__, __LINE__, "%s", s->err.text);
    return w;
}

/* The step of query q in a run by itself. */
static const char *step(const char *golden, const char *run, uint32_t k)
{
    scene s = {.status = ASSAY_OK};
    const char *key;
    assay_waterfall w;
    uint32_t sum = 0;

    scene_add(&s, golden, run);
    w = fall(&s, k);
    key = assay_fall_key(w.fall[0]);
    for (int i = 0; i < ASSAY_FALL_UNJUDGED; i++)
        sum += w.n_fall[i];
    CHECK_INT(sum, w.n);
    CHECK_INT(w.n + w.n_fall[ASSAY_FALL_UNJUDGED], s.c->core.n);
    scene_done(&s);
    assay_arena_clear(&arena);
    return key;
}

TEST(a_query_that_the_run_lacks_or_failed_is_counted_as_such)
{
    CHECK_STR(step(CHUNK, RESULT("other", HIT("c1")), 1), "unasked");
    CHECK_STR(step(CHUNK, "{\"query_id\":\"q\",\"hits\":[],\"error\":\"boom\"}\n", 1),
              "failed");
}

TEST(what_is_found_within_k_comes_through)
{
    CHECK_STR(step(CHUNK, RESULT("q", HIT("x") "," HIT("c1")), 2), "came_through");
}

TEST(what_is_found_deeper_is_ranked_below_k)
{
    CHECK_STR(step(CHUNK, RESULT("q", HIT("x") "," HIT("c1")), 1), "ranked_below_k");
}

TEST(what_is_not_found_at_all_is_not_among_the_candidates)
{
    CHECK_STR(step(CHUNK, RESULT("q", HIT("x") "," HIT("y")), 1), "not_among_candidates");
}

TEST(what_a_leg_had_within_k_is_lost_in_fusion)
{
    CHECK_STR(
        step(CHUNK,
             RESULT("q", HIT("x") ",{\"chunk_id\":\"c1\",\"doc_id\":\"c1-doc\"," LEGS(
                             1, 9) "}"),
             1),
        "lost_in_fusion");
    CHECK_STR(
        step(CHUNK,
             RESULT("q", HIT("x") ",{\"chunk_id\":\"c1\",\"doc_id\":\"c1-doc\"," LEGS(
                             2, 9) "}"),
             1),
        "ranked_below_k");
}

TEST(parts_that_together_hold_less_than_half_are_evidence_split)
{
    /* 30 of 100 bytes within k, all of it behind. */
    CHECK_STR(step(EVIDENCE, RESULT("q", SPAN("a", 0, 30) "," SPAN("b", 30, 100)), 1),
              "evidence_split");
    /* Half of it is enough. */
    CHECK_STR(step(EVIDENCE, RESULT("q", SPAN("a", 0, 50) "," SPAN("b", 50, 100)), 1),
              "came_through");
    /* And so are two parts. */
    CHECK_STR(step(EVIDENCE, RESULT("q", SPAN("a", 0, 30) "," SPAN("b", 30, 60)), 2),
              "came_through");
}

/* Judgments that a corpus has lost, as a frozen golden set has them. */
static const char *stale_step(const char *golden, uint32_t n_stale)
{
    scene s = {.status = ASSAY_OK};
    assay_query *q;
    const char *key;

    scene_add(&s, golden, RESULT("q", HIT("x")));
    q = &s.golden[0]->query[0];
    for (uint32_t i = 0; i < n_stale; i++)
        q->judgment[i].stale = ASSAY_STALE_LOST;
    q->label = n_stale == q->n_judgments ? ASSAY_LABEL_STALE : ASSAY_LABEL_LABELLED;
    key = assay_fall_key(fall(&s, 1).fall[0]);
    scene_done(&s);
    assay_arena_clear(&arena);
    return key;
}

TEST(a_document_that_is_gone_is_not_in_the_corpus)
{
    CHECK_STR(stale_step("version: 1\nqueries:\n"
                         "  - {id: q, query: x, relevant: [{doc: d}]}\n",
                         1),
              "not_in_corpus");
}

TEST(a_quote_that_is_gone_is_an_anchor_lost)
{
    CHECK_STR(stale_step("version: 1\nqueries:\n"
                         "  - {id: q, query: x, relevant: [{doc: d, quote: gone}]}\n",
                         1),
              "anchor_lost");
}

TEST(a_query_with_a_judgment_left_goes_on)
{
    CHECK_STR(stale_step("version: 1\nqueries:\n"
                         "  - {id: q, query: x, relevant: [{doc: d}, {doc: e}]}\n",
                         1),
              "not_among_candidates");
}

/* ---- answers ---- */

#define ANSWERABLE           \
    "version: 1\nqueries:\n" \
    "  - {id: q, query: x, relevant: [{doc: c1-doc}], must_contain: [\"thirty\"]}\n"
#define REFUSE "version: 1\nqueries:\n  - {id: q, query: x, should_refuse: true}\n"
#define ANSWER(hits, text, rest)                                                       \
    "{\"query_id\":\"q\",\"hits\":[" hits "],\"answer\":{\"answer\":\"" text "\"" rest \
    "}}\n"
#define CITES(c) ",\"citations\":[{\"chunk_id\":\"" c "\",\"doc_id\":\"" c "-doc\"}]"

TEST(an_answer_that_refuses_although_the_evidence_was_there_is_wrongly_refused)
{
    CHECK_STR(
        step(ANSWERABLE, ANSWER(HIT("c1"), "", ",\"refusal_reason\":\"no_evidence\""), 1),
        "wrongly_refused");
}

TEST(an_answer_that_cites_something_else_has_not_cited_it)
{
    CHECK_STR(step(ANSWERABLE, ANSWER(HIT("c1") "," HIT("x"), "thirty", CITES("x")), 2),
              "not_cited");
}

TEST(an_answer_that_cites_it_and_says_something_else_is_wrong_despite_evidence)
{
    CHECK_STR(step(ANSWERABLE, ANSWER(HIT("c1"), "forty", CITES("c1")), 1),
              "answered_wrongly");
}

TEST(an_answer_that_cites_it_and_says_it_comes_through)
{
    CHECK_STR(step(ANSWERABLE, ANSWER(HIT("c1"), "thirty", CITES("c1")), 1),
              "came_through");
}

TEST(a_run_that_never_cites_is_not_blamed_for_it)
{
    CHECK_STR(step(ANSWERABLE, ANSWER(HIT("c1"), "thirty", ""), 1), "came_through");
}

TEST(an_answer_where_one_should_refuse_is_wrongly_answered)
{
    CHECK_STR(step(REFUSE, ANSWER(HIT("x"), "the moon", ""), 1), "wrongly_answered");
    CHECK_STR(step(REFUSE, ANSWER(HIT("x"), "", ",\"refusal_reason\":\"none\""), 1),
              "came_through");
    CHECK_STR(step(REFUSE, RESULT("q", HIT("x")), 1), "not_judged");
}

TEST(evidence_behind_what_the_answer_rests_on_was_cut_from_the_context)
{
    static const char *const measure[] = {"mrr," ASSAY_FALL_MEASURES};
    const assay_fall_rules rules = {.k = 2, .context = 1};
    scene s = {.status = ASSAY_OK};
    assay_waterfall w;

    scene_add(&s, ANSWERABLE, ANSWER(HIT("x") "," HIT("c1"), "thirty", CITES("c1")));
    s.settings.keeps_order = true;
    s.settings.measure = measure;
    s.settings.n_measures = 1;
    scene_compare(&s);
    CHECK(!assay_waterfall_make(s.c, 0, &rules, &arena, &w, &s.err));
    CHECK_STR(assay_fall_key(w.fall[0]), "cut_from_context");
    scene_done(&s);
    assay_arena_clear(&arena);
}

/* ---- explanations ---- */

/* Whether some clue of query q has these words. */
static bool has_clue(scene *s, uint32_t k, const char *words)
{
    assay_explainer e;
    assay_explanation x;
    bool has = false;

    s->settings.keeps_order = true;
    scene_compare(s);
    CHECK(!assay_explainer_open(&e, s->c, &s->c->pair[0], k, &s->err));
    CHECK(!assay_explain(&e, 0, &arena, &x, &s->err));
    for (size_t i = 0; i < x.clues.n; i++)
        has |= strstr(x.clues.text[i], words) != NULL;
    if (!has)
        for (size_t i = 0; i < x.clues.n; i++)
            printf("clue: %s\n", x.clues.text[i]);
    assay_notes_clear(&x.clues);
    assay_explainer_close(&e);
    scene_done(s);
    assay_arena_clear(&arena);
    return has;
}

#define SCORED(c, score) "{\"chunk_id\":\"" c "\",\"doc_id\":\"d\",\"score\":" #score "}"

TEST(hits_stand_rank_by_rank_with_where_they_were)
{
    scene s = scene_of(CHUNK, RESULT("q", HIT("c1") "," HIT("x")),
                       RESULT("q", HIT("x") "," HIT("new") "," HIT("c1")));
    assay_explainer e;
    assay_explanation x;

    s.settings.keeps_order = true;
    scene_compare(&s);
    CHECK(!assay_explainer_open(&e, s.c, &s.c->pair[0], 2, &s.err));
    CHECK(!assay_explain(&e, 0, &arena, &x, &s.err));
    CHECK_INT(x.n_hits, 3);
    CHECK(assay_slice_is(x.hit[0].id, "x") && x.hit[0].rank_a == 2 &&
          x.hit[0].rank_b == 1);
    CHECK(assay_slice_is(x.hit[1].id, "new") && x.hit[1].rank_a == 0);
    CHECK(assay_slice_is(x.hit[2].id, "c1") && x.hit[2].is_relevant &&
          x.hit[2].rank_a == 1 && x.hit[2].rank_b == 3);
    assay_notes_clear(&x.clues);
    assay_explainer_close(&e);
    scene_done(&s);
    assay_arena_clear(&arena);
}

TEST(a_hit_below_the_cutoff_says_how_far)
{
    scene s = scene_of(CHUNK, RESULT("q", SCORED("c1", 3) "," SCORED("x", 2)),
                       RESULT("q", SCORED("x", 3) "," SCORED("c1", 2.5)));

    CHECK(has_clue(&s, 1, "b has `c1` at rank 2 with 2.5, 0.5 below rank 1"));
}

TEST(a_tie_across_the_cutoff_is_named)
{
    scene s =
        scene_of(CHUNK, RESULT("q", SCORED("c1", 3) "," SCORED("x", 2)),
                 RESULT("q", SCORED("x", 3) "," SCORED("c1", 3) "," SCORED("w", 1)));

    CHECK(has_clue(&s, 1, "ranks 1 to 2 of b are tied at 3 across the cutoff"));
}

TEST(ranks_in_the_legs_of_a_fusion_are_shown)
{
    scene s = scene_of(
        CHUNK, RESULT("q", "{\"chunk_id\":\"c1\",\"doc_id\":\"c1-doc\"," LEGS(1, 4) "}"),
        RESULT("q",
               HIT("x") ",{\"chunk_id\":\"c1\",\"doc_id\":\"c1-doc\"," LEGS(7, 4) "}"));

    CHECK(has_clue(&s, 1, "rank in the legs: bm25 1→7, dense 4→4"));
}

TEST(a_chunk_boundary_that_moved_is_shown_in_bytes)
{
    scene s = scene_of(
        EVIDENCE, RESULT("q", SPAN("a", 0, 100)),
        RESULT("q", "{\"chunk_id\":\"n\",\"doc_id\":\"e\"}," SPAN("b", 60, 200)));

    s.snapshot[0].chunker = ASSAY_LIT("one");
    s.snapshot[1].chunker = ASSAY_LIT("two");
    CHECK(has_clue(&s, 10,
                   "chunk boundary moved: a has 100 % of the evidence in bytes 0-100 "
                   "(rank 1), b 40 % in 60-200 (rank 2)"));
}

TEST(a_document_that_no_hit_has_any_more_is_named)
{
    scene s = scene_of("version: 1\nqueries:\n"
                       "  - {id: q, query: x, relevant: [{doc: gone}]}\n",
                       RESULT("q", "{\"doc_id\":\"gone\"}"),
                       RESULT("q", "{\"doc_id\":\"fresh\"}"));

    CHECK(has_clue(&s, 10, "document 'gone' is in no hit of run b for any query"));
}

TEST(a_document_that_is_new_above_the_cutoff_is_named)
{
    scene s = scene_of("version: 1\nqueries:\n"
                       "  - {id: q, query: x, relevant: [{doc: gone}]}\n",
                       RESULT("q", "{\"doc_id\":\"gone\"}"),
                       RESULT("q", "{\"doc_id\":\"fresh\"}"));

    CHECK(has_clue(&s, 10, "document 'fresh' at rank 1 of b is in no hit of run a"));
}

TEST(evidence_that_moved_in_its_document_is_shown_in_bytes)
{
    scene s = {.status = ASSAY_OK};
    assay_judgment *j;

    /* The same quote, found 50 bytes further down in b's corpus. */
    scene_add(&s,
              "version: 1\nqueries:\n"
              "  - {id: q, query: x, relevant: [{doc: d, quote: abc}]}\n",
              RESULT("q", SPAN("a", 0, 100)));
    scene_add(&s,
              "version: 1\nqueries:\n"
              "  - {id: q, query: x, relevant: [{doc: d, quote: abc}]}\n",
              RESULT("q", SPAN("b", 300, 400) "," SPAN("c", 50, 70)));
    for (int i = 0; i < 2; i++) {
        j = &s.golden[i]->query[0].judgment[0];
        CHECK(
            assay_judgment_span(s.golden[i], j, (assay_span){i ? 60 : 10, i ? 63 : 13}));
    }
    CHECK(
        has_clue(&s, 10,
                 "document 'd' has changed: the evidence stood at bytes 10-13 and stands "
                 "at 60-63"));
}
