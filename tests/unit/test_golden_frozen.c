/* SPDX-License-Identifier: Apache-2.0 */
/* Golden sets as a store keeps them. */
#include "golden/frozen.h"

#include "base/slice.h"
#include "testing.h"

static assay_error err;

static assay_golden *load(const char *name)
{
    assay_golden *g = NULL;

    if (assay_golden_load(fixture(name), NULL, &g, &err))
        check_failed(__FILE__, __LINE__, "%s: %s", name, err.text);
    return g;
}

static assay_golden *parse(const char *text)
{
    assay_golden *g = NULL;

    if (assay_golden_parse("golden.yaml", assay_slice_of(text), NULL, &g, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return g;
}

static void freeze(const assay_golden *g, assay_buffer *out)
{
    *out = (assay_buffer)ASSAY_BUFFER_EMPTY;
    CHECK(!assay_golden_freeze(g, out, &err));
}

static assay_golden *thaw(const assay_buffer *text)
{
    assay_golden *g = NULL;

    if (assay_golden_thaw("store", assay_buffer_view(text), &g, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return g;
}

static void hash_of(const assay_golden *g, uint32_t query, char out[65])
{
    CHECK(!assay_query_hash(g, &g->query[query], out, &err));
}

TEST(a_set_of_every_format_comes_back_with_all_it_says)
{
    static const char *const names[] = {
        "golden/assay/good.yaml",
        "golden/assay/good_odd_strings.yaml",
        "golden/assay/good.json",
        "golden/kebab/good.yaml",
        "golden/bob/good.jsonl",
        "golden/evalvault/good.json",
        "golden/relmap/good.json",
        "golden/trec/good.qrels",
        "golden/trec/good_subtopics.qrels",
        "golden/beir/good",
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assay_golden *g = load(names[i]);
        assay_golden *back;
        assay_buffer once;
        assay_buffer twice;

        freeze(g, &once);
        back = thaw(&once);
        freeze(back, &twice);
        CHECK(assay_slice_eq(assay_buffer_view(&once), assay_buffer_view(&twice)));
        CHECK_INT(back->n_queries, g->n_queries);
        for (uint32_t q = 0; q < g->n_queries; q++) {
            char a[65];
            char b[65];

            CHECK_INT(back->query[q].label, g->query[q].label);
            CHECK_INT(back->query[q].n_judgments, g->query[q].n_judgments);
            hash_of(g, q, a);
            hash_of(back, q, b);
            CHECK_STR(a, b);
        }
        assay_buffer_clear(&once);
        assay_buffer_clear(&twice);
        assay_golden_free(back);
        assay_golden_free(g);
    }
}

TEST(evidence_that_was_found_and_lost_is_kept_as_it_was)
{
    assay_golden *g = parse("version: 1\nqueries:\n"
                            "  - id: a\n    query: how\n    relevant:\n"
                            "      - {doc: x.md, quote: found}\n"
                            "  - id: b\n    query: why\n    relevant:\n"
                            "      - {doc: y.md, quote: gone}\n");
    assay_golden *back;
    assay_buffer text;

    CHECK(assay_judgment_span(g, &g->query[0].judgment[0], (assay_span){7, 12}));
    g->query[1].judgment[0].stale = ASSAY_STALE_LOST;
    g->query[1].label = ASSAY_LABEL_STALE;
    freeze(g, &text);
    back = thaw(&text);
    CHECK_INT(back->query[0].judgment[0].n_spans, 1);
    CHECK_INT(back->query[0].judgment[0].span[0].start, 7);
    CHECK_INT(back->query[0].judgment[0].span[0].end, 12);
    CHECK_INT(back->query[1].judgment[0].stale, ASSAY_STALE_LOST);
    CHECK_INT(back->query[1].label, ASSAY_LABEL_STALE);
    assay_buffer_clear(&text);
    assay_golden_free(back);
    assay_golden_free(g);
}

TEST(the_hash_of_a_query_minds_what_is_judged_and_not_where_it_was_found)
{
    assay_golden *a =
        parse("version: 1\nqueries:\n  - id: q\n    query: how\n    relevant:\n"
              "      - {doc: x.md, quote: one}\n      - {doc: y.md}\n");
    assay_golden *b = parse("version: 1\n# moved about\nqueries:\n  - id: other\n"
                            "    query: how\n    tags: [new]\n    relevant:\n"
                            "      - {doc: y.md}\n      - {doc: x.md, quote: one}\n");
    assay_golden *c =
        parse("version: 1\nqueries:\n  - id: q\n    query: how\n    relevant:\n"
              "      - {doc: x.md, quote: one, grade: 2}\n"
              "      - {doc: y.md}\n");
    char of_a[65];
    char of_b[65];
    char of_c[65];

    CHECK(assay_judgment_span(a, &a->query[0].judgment[0], (assay_span){3, 6}));
    hash_of(a, 0, of_a);
    hash_of(b, 0, of_b);
    hash_of(c, 0, of_c);
    CHECK_STR(of_a, of_b);
    CHECK(strcmp(of_a, of_c) != 0);
    assay_golden_free(a);
    assay_golden_free(b);
    assay_golden_free(c);
}

TEST(damage_is_said_to_be_damage)
{
    static const char *const bad[] = {
        "[]",
        "{\"schema\":\"assay.golden/2\",\"queries\":[]}",
        "{\"schema\":\"assay.golden/1\",\"queries\":[{\"id\":\"a\"}]}",
        "{\"schema\":\"assay.golden/1\",\"queries\":[{\"id\":\"a\",\"label\":\"x\","
        "\"judgments\":[]}]}",
        "{\"schema\":\"assay.golden/1\",\"queries\":[{\"id\":\"a\",\"label\":\"labelled\","
        "\"judgments\":[{\"grade\":1}]}]}",
        "{\"schema\":\"assay.golden/1\",\"queries\":[{\"id\":\"a\",\"label\":\"labelled\","
        "\"judgments\":[{\"doc\":\"d\",\"grade\":1,\"spans\":[[4]]}]}]}",
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assay_golden *g = NULL;

        CHECK_INT(assay_golden_thaw("store", assay_slice_of(bad[i]), &g, &err),
                  ASSAY_EINPUT);
        CHECK(g == NULL);
    }
}
