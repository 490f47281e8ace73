/* SPDX-License-Identifier: Apache-2.0 */
/* Questions asked a little differently. */
#include "golden/perturb.h"

#include "base/slice.h"
#include "base/utf8.h"
#include "testing.h"

static assay_error err;

static assay_golden *parse(const char *text)
{
    assay_golden *g = NULL;

    if (assay_golden_parse("golden.yaml", assay_slice_of(text), NULL, &g, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return g;
}

static const char two[] =
    "version: 1\nqueries:\n"
    "  - id: a\n    query: Who approves a large refund?\n"
    "    must_contain: [lead]\n    relevant:\n"
    "      - {doc: x.md, quote: the lead, grade: 2}\n      - {doc: y.md}\n"
    "  - id: k\n    query: 환불은 누가 승인합니까\n    group: korean\n"
    "    relevant:\n      - {doc: z.md}\n";

static const assay_query *find(const assay_golden *g, const char *id)
{
    uint32_t n = assay_dict_find(&g->ids, assay_slice_of(id));

    if (n == ASSAY_NONE)
        check_failed(__FILE__, __LINE__, "no query '%s'", id);
    return &g->query[n];
}

static assay_golden *vary(const char *text, const assay_perturb *how)
{
    assay_golden *g = parse(text);
    uint32_t n;

    if (assay_golden_perturb(g, how, &n, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return g;
}

TEST(a_variant_keeps_the_judgments_and_expectations_of_its_question)
{
    const assay_perturb how = {.seed = 1};
    assay_golden *g = vary(two, &how);
    const assay_query *v = find(g, "a~typo1");

    CHECK_INT(v->n_judgments, 2);
    CHECK_INT(v->judgment[0].grade, 2);
    CHECK(assay_slice_is(v->judgment[0].quote, "the lead"));
    CHECK_INT(v->must_contain.n, 1);
    CHECK(assay_slice_is(v->group, "a") && assay_slice_is(find(g, "a")->group, "a"));
    CHECK(assay_slice_is(find(g, "k~typo1")->group, "korean"));
    CHECK(assay_slice_is(v->tags.item[v->tags.n - 1], "typo"));
    CHECK_INT(v->label, ASSAY_LABEL_LABELLED);
    assay_golden_free(g);
}

TEST(each_kind_changes_what_it_says_and_nothing_else)
{
    const assay_perturb how = {.seed = 3};
    assay_golden *g = vary(two, &how);
    assay_slice question = find(g, "a")->text;
    assay_slice typo = find(g, "a~typo1")->text;
    assay_slice order = find(g, "a~order1")->text;
    assay_slice spacing = find(g, "a~spacing1")->text;
    uint32_t count[256] = {0};

    CHECK(assay_slice_is(find(g, "a~case1")->text, "who approves a large refund?"));
    /* Two letters swapped: the same letters, elsewhere. */
    CHECK_INT(typo.len, question.len);
    CHECK_INT(assay_slice_distance(typo, question), 1);
    for (size_t i = 0; i < typo.len; i++) {
        count[(unsigned char)typo.ptr[i]]++;
        count[(unsigned char)question.ptr[i]]--;
    }
    for (size_t i = 0; i < 256; i++)
        CHECK_INT(count[i], 0);
    /* The mark stays where a question has it. */
    CHECK_INT(order.len, question.len);
    CHECK(order.ptr[order.len - 1] == '?');
    CHECK(!assay_slice_eq(order, question));
    CHECK_INT(spacing.len, question.len - 1);
    assay_golden_free(g);
}

TEST(korean_has_slips_and_blanks_and_no_case)
{
    const assay_perturb how = {.seed = 5};
    assay_golden *g = vary(two, &how);
    assay_slice question = find(g, "k")->text;

    CHECK_INT(assay_dict_find(&g->ids, ASSAY_LIT("k~case1")), ASSAY_NONE);
    CHECK(assay_utf8_is(find(g, "k~typo1")->text));
    CHECK_INT(assay_utf8_count(find(g, "k~typo1")->text), assay_utf8_count(question));
    CHECK_INT(assay_utf8_count(find(g, "k~spacing1")->text),
              assay_utf8_count(question) - 1);
    assay_golden_free(g);
}

TEST(the_same_seed_gives_the_same_and_another_query_changes_nothing)
{
    const assay_perturb how = {.seed = 9, .n = 3};
    const assay_perturb only = {.seed = 9, .n = 3, .kind = {[1] = true}};
    assay_golden *a = vary(two, &how);
    assay_golden *b = vary(two, &only);

    for (uint32_t i = 0; i < b->n_queries; i++) {
        uint32_t n = assay_dict_find(&a->ids, b->query[i].id);

        CHECK(n != ASSAY_NONE);
        CHECK(assay_slice_eq(a->query[n].text, b->query[i].text));
    }
    CHECK(b->n_queries < a->n_queries);
    assay_golden_free(a);
    assay_golden_free(b);
}

TEST(drafts_get_no_variants_and_short_questions_break_nothing)
{
    const assay_perturb how = {.n = 4};
    assay_golden *g =
        vary("version: 1\nqueries:\n"
             "  - {id: d, query: a draft of one, state: draft, relevant: [{doc: x}]}\n"
             "  - {id: one, query: a, relevant: [{doc: x}]}\n"
             "  - {id: marks, query: '?!', relevant: [{doc: x}]}\n",
             &how);

    for (uint32_t i = 0; i < g->n_queries; i++)
        CHECK(!assay_slice_starts(g->query[i].id, "d~"));
    assay_golden_free(g);
}
