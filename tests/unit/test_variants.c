/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of paraphrases by kebab's rules: every class, every roll-up. */
#include "diagnose/variants.h"

#include "base/slice.h"
#include "testing.h"

static assay_error err;

/* Two documents are expected of every group but the last. */
static const char golden_text[] =
    "- {id: ok, query: q, group: g1, expected_doc_ids: [a, b]}\n"
    "- {id: low, query: q, group: g1, expected_doc_ids: [a, b]}\n"
    "- {id: gone, query: q, group: g2, expected_doc_ids: [a]}\n"
    "- {id: half, query: q, group: g2, expected_doc_ids: [a]}\n"
    "- {id: none1, query: q, group: g3}\n"
    "- {id: fine1, query: q, group: g4, expected_doc_ids: [a]}\n"
    "- {id: fine2, query: q, group: g4, expected_doc_ids: [a]}\n"
    "- {id: alone, query: q, expected_doc_ids: [a]}\n";

/* A hit at the rank that is its number here, the rest filled up. */
static void add(assay_buffer *out, const char *id, uint32_t n, uint32_t a, uint32_t b)
{
    assay_buffer_printf(out, "{\"query_id\":\"%s\",\"hits\":[", id);
    for (uint32_t r = 1; r <= n; r++)
        assay_buffer_printf(out, "%s{\"rank\":%u,\"doc_id\":\"%s%u\"}", r > 1 ? "," : "",
                            r, r == a || r == b ? "" : "other", r);
    assay_buffer_text(out, "]}\n");
}

/* Documents are named after the rank they stand at, so the golden set is, too. */
static assay_golden *golden_of(const char *text)
{
    assay_golden *g = NULL;

    if (assay_golden_parse("golden.yaml", assay_slice_of(text), NULL, &g, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return g;
}

static assay_run *run_of(const assay_buffer *text)
{
    assay_run *run = NULL;

    if (assay_run_parse("run.jsonl", assay_buffer_view(text), NULL, &run, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return run;
}

static void replace(assay_buffer *b, const char *from, const char *to)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    size_t n = strlen(from);

    for (size_t i = 0; i < b->len;) {
        if (i + n <= b->len && memcmp(b->ptr + i, from, n) == 0) {
            assay_buffer_text(&out, to);
            i += n;
        } else {
            assay_buffer_char(&out, b->ptr[i++]);
        }
    }
    assay_buffer_clear(b);
    *b = out;
}

static const assay_variant *variant(const assay_variants *all, const char *id)
{
    for (uint32_t i = 0; i < all->n; i++)
        for (uint32_t v = 0; v < all->group[i].n; v++)
            if (assay_slice_is(all->group[i].variant[v].query->id, id))
                return &all->group[i].variant[v];
    check_failed(__FILE__, __LINE__, "no variant '%s'", id);
    return NULL;
}

/* Hits are documents "otherN" but for two, which are a and b. */
static void add_run(assay_buffer *out, const char *id, uint32_t n, uint32_t a, uint32_t b)
{
    char at[40];

    add(out, id, n, a, b);
    snprintf(at, sizeof at, "\"doc_id\":\"%u\"", a);
    replace(out, at, "\"doc_id\":\"a\"");
    snprintf(at, sizeof at, "\"doc_id\":\"%u\"", b);
    replace(out, at, "\"doc_id\":\"b\"");
}

TEST(every_class_and_every_roll_up_follows_the_rules)
{
    assay_golden *g = golden_of(golden_text);
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_variants all;
    assay_run *run;
    const double grounded[] = {1, 0, (double)NAN, (double)NAN, (double)NAN, 1, 1, 1};

    add_run(&text, "ok", 50, 1, 10);
    add_run(&text, "low", 50, 2, 11);
    add_run(&text, "gone", 50, 0, 0);
    add_run(&text, "half", 50, 1, 0);
    add_run(&text, "none1", 50, 0, 0);
    add_run(&text, "fine1", 50, 3, 0);
    add_run(&text, "fine2", 50, 10, 0);
    add_run(&text, "alone", 50, 0, 0);
    run = run_of(&text);
    CHECK(!assay_variants_make(g, run, grounded, 0, 0, &arena, &all, &err));
    CHECK_INT(all.n, 4);

    CHECK_INT(variant(&all, "ok")->kind, ASSAY_VARIANT_OK);
    CHECK_INT(variant(&all, "low")->kind, ASSAY_VARIANT_MIS_RANKED);
    CHECK_NEAR(variant(&all, "low")->narrow, 1.0 / 2, 0);
    CHECK_NEAR(variant(&all, "low")->pool, 1, 0);
    CHECK_INT(variant(&all, "gone")->kind, ASSAY_VARIANT_MISSING);
    CHECK_INT(variant(&all, "none1")->kind, ASSAY_VARIANT_NO_EXPECTED);

    CHECK_NEAR(all.group[0].spread, 1 - 1.0 / 2, 0);
    CHECK_NEAR(all.group[0].worst, 1.0 / 2, 0);
    CHECK_INT(all.group[0].answers, ASSAY_FLAG_NO);
    CHECK_NEAR(all.group[1].spread, 1, 0);
    CHECK_NEAR(all.group[1].worst, 0, 0);
    CHECK_INT(all.group[1].answers, ASSAY_FLAG_UNKNOWN);
    CHECK_NEAR(all.group[2].spread, 0, 0);
    CHECK(isnan(all.group[2].worst));
    CHECK_INT(all.group[3].answers, ASSAY_FLAG_YES);

    CHECK_NEAR(all.mean_spread, (0.5 + 1 + 0 + 0) / 4, 0);
    CHECK_INT(all.n_consistent, 1);
    CHECK_INT(all.n_a_dominant, 1);
    CHECK_INT(all.n_b_dominant, 1);
    CHECK(!all.is_pool_truncated);
    assay_arena_clear(&arena);
    assay_buffer_clear(&text);
    assay_run_free(run);
    assay_golden_free(g);
}

TEST(a_run_that_is_too_shallow_is_seen)
{
    assay_golden *g = golden_of("- {id: x, query: q, group: g, expected_doc_ids: [a]}\n");
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_variants all;
    assay_run *run;
    const double grounded[] = {(double)NAN};

    add_run(&text, "x", 49, 0, 0);
    run = run_of(&text);
    CHECK(!assay_variants_make(g, run, grounded, 0, 0, &arena, &all, &err));
    CHECK(all.is_pool_truncated);
    assay_arena_clear(&arena);
    assay_buffer_clear(&text);
    assay_run_free(run);
    assay_golden_free(g);
}

TEST(a_query_that_the_run_lacks_is_missing_and_said)
{
    assay_golden *g = golden_of("- {id: x, query: q, group: g, expected_doc_ids: [a]}\n"
                                "- {id: y, query: q, group: g, expected_doc_ids: [a]}\n");
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_variants all;
    assay_run *run;
    const double grounded[] = {(double)NAN, (double)NAN};

    add_run(&text, "x", 60, 4, 0);
    run = run_of(&text);
    CHECK(!assay_variants_make(g, run, grounded, 0, 0, &arena, &all, &err));
    CHECK(variant(&all, "y")->is_missing);
    CHECK_INT(variant(&all, "y")->kind, ASSAY_VARIANT_MISSING);
    CHECK_NEAR(all.group[0].spread, 1, 0);
    assay_arena_clear(&arena);
    assay_buffer_clear(&text);
    assay_run_free(run);
    assay_golden_free(g);
}
