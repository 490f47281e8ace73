/* SPDX-License-Identifier: Apache-2.0 */
/* Citations of all kinds, at all levels; strings and refusals are in
 * tests/metric/answer.cases and test_refusal.c. */
#include "testing.h"

#include "base/mem.h"
#include "base/slice.h"
#include "metric/answered.h"

/* Three hits: chunks c1 and c2 of a.md, c3 of b.md. */
static const assay_span span_1[] = {{0, 100}};
static const assay_span span_2[] = {{200, 250}, {100, 150}};
static const assay_span span_3[] = {{0, 50}};
static assay_hit hit[3];
static assay_citation citation[8];
static assay_answer answer;
static assay_result result;
static assay_query query;
static assay_known known;
static assay_answer_view view;
static assay_answering answering;
static assay_arena arena;
static assay_answered a;

#define S(text) ASSAY_LIT(text)

static void start(void)
{
    assay_arena_reset(&arena);
    assay_known_clear(&known);
    hit[0] =
        (assay_hit){.chunk = S("c1"), .doc = S("a.md"), .span = span_1, .n_spans = 1};
    hit[1] =
        (assay_hit){.chunk = S("c2"), .doc = S("a.md"), .span = span_2, .n_spans = 2};
    hit[2] =
        (assay_hit){.chunk = S("c3"), .doc = S("b.md"), .span = span_3, .n_spans = 1};
    for (uint32_t i = 0; i < 3; i++)
        hit[i].rank = i + 1;
    answer = (assay_answer){.text = S("Yes."), .citation = citation};
    result = (assay_result){.hit = hit, .n_hits = 3, .answer = &answer};
    query = (assay_query){.label = ASSAY_LABEL_LABELLED};
    view = (assay_answer_view){.query = &query,
                               .result = &result,
                               .known = &known,
                               .level = ASSAY_LEVEL_CHUNK,
                               .threshold = 1};
}

static void cite(assay_citation c)
{
    citation[answer.n_citations++] = c;
}

static void build(void)
{
    CHECK(assay_known_add_hits(&known, hit, 3));
    assay_known_finish(&known);
    CHECK(assay_answered_build(&answering, &view, &a));
}

/* Cite one thing and say whether it resolves. */
static bool resolves(assay_citation c)
{
    answer.n_citations = 0;
    cite(c);
    CHECK(assay_answered_build(&answering, &view, &a));
    CHECK_INT(a.n_citations, 1);
    return a.n_resolved == 1;
}

/* Judge three ids, the last of them not relevant. */
static void judge(assay_level level, assay_slice one, assay_slice two, assay_slice bad)
{
    static assay_grades grades;
    const assay_slice id[] = {one, two, bad};
    const int32_t grade[] = {2, 1, 0};

    CHECK(assay_grades_build(&grades, &arena, id, grade, 3, NULL));
    view.level = level;
    view.grades = &grades;
}

static void anchor_at(const assay_anchor *item, uint32_t n)
{
    static assay_anchors anchors;

    CHECK(assay_anchors_build(&anchors, &arena, item, n));
    view.level = ASSAY_LEVEL_EVIDENCE;
    view.anchors = &anchors;
}

/* ---- what exists ---- */

TEST(a_citation_resolves_by_its_chunk)
{
    start();
    build();
    CHECK(resolves((assay_citation){.chunk = S("c2")}));
    CHECK(!resolves((assay_citation){.chunk = S("c9")}));
    CHECK(!resolves((assay_citation){.chunk = S("c9"), .marker = S("[1]")}));
}

TEST(an_unknown_chunk_is_saved_only_by_a_place_that_exists)
{
    start();
    build();
    CHECK(!resolves((assay_citation){.chunk = S("c9"), .doc = S("a.md")}));
    CHECK(
        resolves((assay_citation){.chunk = S("c9"), .doc = S("a.md"), .span = {10, 20}}));
    CHECK(!resolves(
        (assay_citation){.chunk = S("c9"), .doc = S("a.md"), .span = {900, 990}}));
}

TEST(a_citation_resolves_by_document_and_span)
{
    start();
    build();
    CHECK(resolves((assay_citation){.doc = S("a.md")}));
    CHECK(resolves((assay_citation){.path = S("a.md")}));
    CHECK(resolves((assay_citation){.doc = S("nr-7"), .path = S("a.md")}));
    CHECK(!resolves((assay_citation){.doc = S("x.md")}));
    CHECK(resolves((assay_citation){.doc = S("a.md"), .span = {90, 150}}));
    /* [150, 200) is in no hit: half of the cited bytes, then less */
    CHECK(resolves((assay_citation){.doc = S("a.md"), .span = {100, 200}}));
    CHECK(!resolves((assay_citation){.doc = S("a.md"), .span = {101, 200}}));
    CHECK(!resolves((assay_citation){.doc = S("a.md"), .span = {150, 200}}));
    CHECK(!resolves((assay_citation){.doc = S("a.md"), .span = {0, 100000}}));
}

TEST(lines_alone_resolve_by_the_document)
{
    start();
    build();
    CHECK(resolves((assay_citation){.doc = S("a.md"), .lines = {3, 9}}));
    CHECK(!resolves((assay_citation){.doc = S("x.md"), .lines = {3, 9}}));
}

TEST(any_place_may_exist_where_a_hit_does_not_say_where_it_is)
{
    start();
    hit[0].n_spans = 0;
    build();
    CHECK(resolves((assay_citation){.doc = S("a.md"), .span = {900, 990}}));
    CHECK(!resolves((assay_citation){.doc = S("b.md"), .span = {900, 990}}));
}

TEST(a_marker_stands_for_the_hit_of_that_rank)
{
    start();
    build();
    CHECK(resolves((assay_citation){.marker = S("[1]")}));
    CHECK(resolves((assay_citation){.marker = S("[#3]")}));
    CHECK(resolves((assay_citation){.marker = S(" (2) ")}));
    CHECK(resolves((assay_citation){.marker = S("3")}));
    CHECK(!resolves((assay_citation){.marker = S("[4]")}));
    CHECK(!resolves((assay_citation){.marker = S("[0]")}));
    CHECK(!resolves((assay_citation){.marker = S("[#]")}));
    CHECK(!resolves((assay_citation){.marker = S("[x1]")}));
    CHECK(!resolves((assay_citation){.marker = S("[99999999999]")}));
    CHECK(!resolves((assay_citation){.marker = S("")}));
}

TEST(the_rank_is_the_one_that_the_system_gave)
{
    start();
    hit[0].rank = 3;
    hit[2].rank = 1;
    judge(ASSAY_LEVEL_CHUNK, S("c3"), S("x"), S("c1"));
    cite((assay_citation){.marker = S("[1]")});
    build();
    CHECK_INT(a.n_cited_relevant, 1);

    for (int i = 0; i < 3; i++)
        hit[i].rank = 0;
    CHECK(assay_answered_build(&answering, &view, &a));
    CHECK_INT(a.n_cited_relevant, 0); /* by place the first is c1 */
}

TEST(kebab_wants_a_path_and_nothing_else)
{
    start();
    build();
    view.rules.path_resolves = true;
    CHECK(resolves((assay_citation){.path = S("gone.md")}));
    CHECK(!resolves((assay_citation){.chunk = S("c1")}));
    CHECK(!resolves((assay_citation){.marker = S("[1]")}));
}

TEST(what_the_golden_set_names_exists)
{
    static assay_judgment judgment[2];
    static assay_golden golden;
    static const assay_span place = {10, 20};
    assay_golden_doc doc = {.id = S("e.md"), .text = S("0123456789")};
    uint32_t number;

    start();
    golden = (assay_golden){.query = &query, .n_queries = 1, .doc = &doc, .n_docs = 1};
    CHECK(assay_dict_put(&golden.docs, NULL, S("d.md"), &number, NULL));
    CHECK(assay_dict_put(&golden.chunks, NULL, S("g1"), &number, NULL));
    judgment[0] =
        (assay_judgment){.doc = 0, .chunk = ASSAY_NONE, .span = &place, .n_spans = 1};
    judgment[1] = (assay_judgment){.doc = ASSAY_NONE, .chunk = 0};
    query.judgment = judgment;
    query.n_judgments = 2;
    CHECK(assay_known_add_golden(&known, &golden));
    build();
    CHECK(resolves((assay_citation){.chunk = S("g1")}));
    CHECK(resolves((assay_citation){.doc = S("d.md"), .span = {10, 20}}));
    CHECK(!resolves((assay_citation){.doc = S("d.md"), .span = {30, 40}}));
    CHECK(resolves((assay_citation){.doc = S("e.md"), .span = {2, 9}}));
    CHECK(!resolves((assay_citation){.doc = S("e.md"), .span = {20, 30}}));
    assay_dict_clear(&golden.docs);
    assay_dict_clear(&golden.chunks);
}

TEST(places_of_many_hits_are_merged)
{
    assay_known many = {0};

    for (uint64_t i = 0; i < 10000; i++) {
        const assay_span s[] = {{i % 100 * 10, i % 100 * 10 + 10}};
        const assay_hit h = {.doc = S("a"), .span = s, .n_spans = 1};

        CHECK(assay_known_add_hits(&many, &h, 1));
    }
    CHECK(many.doc[0].cap < 1000);
    assay_known_finish(&many);
    CHECK_INT(many.doc[0].n_spans, 1);
    CHECK_INT(many.doc[0].span[0].end, 1000);
    assay_known_clear(&many);
}

/* ---- what is relevant ---- */

TEST(at_the_level_chunk_ids_are_compared)
{
    start();
    judge(ASSAY_LEVEL_CHUNK, S("c1"), S("c7"), S("c3"));
    cite((assay_citation){.chunk = S("c1"), .doc = S("a.md"), .span = {1, 2}});
    cite((assay_citation){.marker = S("[1]")}); /* c1 again */
    cite((assay_citation){.chunk = S("c3")});   /* judged, not relevant */
    cite((assay_citation){.marker = S("[9]")});
    cite((assay_citation){.marker = S("[8]")});
    build();
    CHECK_INT(a.n_citations, 5);
    CHECK_INT(a.n_resolved, 3);
    CHECK_INT(a.n_cited, 4);
    CHECK_INT(a.n_cited_relevant, 1);
    CHECK_INT(a.n_relevant, 2);
    CHECK_INT(a.n_relevant_cited, 1);
}

TEST(at_the_level_chunk_a_place_stands_for_the_hit_that_it_finds)
{
    start();
    judge(ASSAY_LEVEL_CHUNK, S("c2"), S("c7"), S("c3"));
    /* in c2, whose spans come unsorted: 50 + 10 of the cited 110 bytes */
    cite((assay_citation){.doc = S("a.md"), .span = {100, 210}});
    build();
    CHECK_INT(a.n_cited_relevant, 1);
    CHECK_INT(a.n_relevant_cited, 1);
}

TEST(at_the_level_doc_documents_are_compared)
{
    start();
    judge(ASSAY_LEVEL_DOC, S("a.md"), S("z.md"), S("b.md"));
    cite((assay_citation){.chunk = S("c1")});
    cite((assay_citation){.chunk = S("c2")}); /* the same document */
    cite((assay_citation){.path = S("b.md")});
    cite((assay_citation){.marker = S("[3]")}); /* b.md again */
    build();
    CHECK_INT(a.n_cited, 2);
    CHECK_INT(a.n_cited_relevant, 1);
    CHECK_INT(a.n_relevant, 2);
    CHECK_INT(a.n_relevant_cited, 1);
}

TEST(at_the_level_of_evidence_a_cited_span_finds_anchors)
{
    static const assay_span at[] = {{20, 40}, {110, 120}, {240, 260}, {0, 10}};
    const assay_anchor item[] = {
        {.doc = S("a.md"), .span = &at[0], .n_spans = 1, .grade = 1},
        {.doc = S("a.md"), .span = &at[1], .n_spans = 1, .grade = 2},
        {.doc = S("a.md"), .span = &at[2], .n_spans = 1, .grade = 1},
        {.doc = S("b.md"), .span = &at[3], .n_spans = 1, .grade = 0},
    };

    start();
    anchor_at(item, 4);
    /* finds the first one: 10 of the shorter one's 15 bytes */
    cite((assay_citation){.chunk = S("c1"), .span = {30, 45}});
    /* the whole chunk: all of the second, half of the third */
    cite((assay_citation){.chunk = S("c2")});
    cite((assay_citation){.marker = S("[2]")});
    /* finds only an anchor of grade 0 */
    cite((assay_citation){.chunk = S("c3")});
    /* a place in the right chunk, but beside the anchor */
    cite((assay_citation){.chunk = S("c1"), .span = {60, 80}});
    build();
    CHECK_INT(a.n_cited, 4);
    CHECK_INT(a.n_cited_relevant, 2);
    CHECK_INT(a.n_relevant, 3);
    CHECK_INT(a.n_relevant_cited, 3);
}

TEST(the_threshold_decides_what_is_relevant)
{
    start();
    judge(ASSAY_LEVEL_CHUNK, S("c1"), S("c2"), S("c3"));
    view.threshold = 2;
    cite((assay_citation){.chunk = S("c1")});
    cite((assay_citation){.chunk = S("c2")});
    build();
    CHECK_INT(a.n_cited_relevant, 1);
    CHECK_INT(a.n_relevant, 1);
}

TEST(without_judgments_nothing_is_relevant)
{
    start();
    cite((assay_citation){.chunk = S("c1")});
    build();
    CHECK(!a.has_relevant);
    CHECK_INT(a.n_cited, 1);
    CHECK_INT(a.n_cited_relevant, 0);
}

TEST(a_missing_query_has_no_answer)
{
    start();
    build();
    view.result = NULL;
    query.label = ASSAY_LABEL_SHOULD_REFUSE;
    CHECK(assay_answered_build(&answering, &view, &a));
    CHECK(!a.has_answer);
    CHECK(a.should_refuse);
}

/* ---- memory ---- */

TEST(without_memory_nothing_is_lost)
{
    assay_slice must[] = {S("Ｙes")};
    bool is_done = false;

    for (uint64_t n = 1; !is_done; n++) {
        assay_known own = {0};
        assay_answering fresh = {0};

        start();
        judge(ASSAY_LEVEL_CHUNK, S("c2"), S("c7"), S("c3"));
        query.must_contain = (assay_strings){must, 1};
        query.has_expected_answer = true;
        query.expected_answer = S("yes indeed");
        cite((assay_citation){.doc = S("a.md"), .span = {100, 210}});
        view.known = &own;
        assay_mem_fail_after(n);
        is_done = assay_known_add_hits(&own, hit, 3);
        if (is_done) {
            assay_known_finish(&own);
            is_done = assay_answered_build(&fresh, &view, &a);
        }
        assay_mem_fail_after(0);
        assay_known_clear(&own);
        assay_answering_clear(&fresh);
        CHECK(n < 1000);
    }
    CHECK_INT(a.n_missing, 0);
    CHECK_NEAR(a.f1, 2.0 * 1 / (1 + 2), 1e-15);
    assay_known_clear(&known);
    assay_answering_clear(&answering);
    assay_arena_clear(&arena);
}
