/* SPDX-License-Identifier: Apache-2.0 */
/* Bundles: what goes out comes back, and what is damaged is told with its line. */
#include "pipeline/run_bundle.h"

#include "base/slice.h"
#include "golden/frozen.h"
#include "testing.h"

static const char results[] =
    "{\"query_id\":\"q1\",\"hits\":[{\"rank\":1,\"chunk_id\":\"c1\",\"score\":0.1}],"
    "\"answer\":{\"answer\":\"yes\",\"citations\":[],\"latency_ms\":7},"
    "\"elapsed_ms\":12.5}\n"
    "{\"query_id\":\"q2\",\"hits\":[],\"elapsed_ms\":1,\"error\":\"timed out\"}\n";

static const char golden_text[] = "version: 1\nqueries:\n"
                                  "  - {id: q1, query: a, relevant: [{chunk: c1}]}\n"
                                  "  - {id: q2, query: b, relevant: [{chunk: c2}]}\n";

typedef struct sample {
    assay_run *run;
    assay_buffer golden;
    char hash[65];
    assay_tag tag[2];
    assay_stored stored;
} sample;

static void make_sample(sample *s)
{
    assay_error err = {ASSAY_OK, ""};
    assay_golden *golden = NULL;

    *s = (sample){.run = NULL};
    CHECK_INT(assay_run_parse("r.jsonl", assay_slice_of(results), NULL, &s->run, &err),
              ASSAY_OK);
    CHECK_INT(
        assay_golden_parse("g.yaml", assay_slice_of(golden_text), NULL, &golden, &err),
        ASSAY_OK);
    CHECK_INT(assay_golden_freeze(golden, &s->golden, &err), ASSAY_OK);
    assay_frozen_hash(assay_buffer_view(&s->golden), s->hash);
    assay_golden_free(golden);
    s->tag[0] = (assay_tag){ASSAY_LIT("branch"), ASSAY_LIT("main")};
    s->tag[1] = (assay_tag){ASSAY_LIT("who"), ASSAY_LIT("me \"quoted\"")};
    s->stored = (assay_stored){
        .run_id = ASSAY_LIT("run_0198c0ffee0000000000000000000000"),
        .suite = ASSAY_LIT("nightly"),
        .snapshot = ASSAY_LIT("{\"method\":\"bm25\",\"repeat\":{\"number\":2,\"of\":3,"
                              "\"first_run\":\"run_1\"}}"),
        .aggregate = ASSAY_LIT(
            "{\"metrics\":{\"latency_p50\":{\"value\":12.5},\"mrr(level=chunk)\":"
            "{\"value\":0.5},\"latency_max\":{\"value\":3}},\"counts\":{\"total\":2}}"),
        .commit = ASSAY_LIT("0123abc"),
        .created_at = ASSAY_LIT("2026-01-02T03:04:05.678Z"),
        .finished_at = ASSAY_LIT("2026-01-02T03:04:06.000Z"),
        .status = ASSAY_LIT(ASSAY_RUN_DONE),
        .source = ASSAY_LIT("assay"),
        .method = ASSAY_LIT("bm25"),
        .golden_hash = assay_slice_of(s->hash),
        .corpus_hash = ASSAY_LIT("cc"),
        .chunker = ASSAY_LIT("md-heading-v1"),
        .k = 10,
        .depth = 100,
        .n_planned = 2,
        .tag = s->tag,
        .n_tags = 2,
    };
}

static void drop_sample(sample *s)
{
    assay_run_free(s->run);
    assay_buffer_clear(&s->golden);
}

static void write_sample(const sample *s, bool with_times, assay_buffer *out)
{
    assay_error err = {ASSAY_OK, ""};

    CHECK_INT(assay_bundle_write(&s->stored, assay_buffer_view(&s->golden), s->run,
                                 with_times, out, &err),
              ASSAY_OK);
}

TEST(bundle_comes_back_whole)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_buffer again = ASSAY_BUFFER_EMPTY;
    assay_bundle *b = NULL;
    assay_error err = {ASSAY_OK, ""};
    sample s;

    make_sample(&s);
    write_sample(&s, true, &text);
    CHECK(assay_bundle_is(assay_buffer_view(&text)));
    if (assay_bundle_parse("b", assay_buffer_view(&text), &b, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);

    CHECK(assay_slice_eq(b->stored.run_id, s.stored.run_id));
    CHECK(assay_slice_eq(b->stored.snapshot, s.stored.snapshot));
    CHECK(assay_slice_eq(b->golden, assay_buffer_view(&s.golden)));
    CHECK_INT(b->stored.n_tags, 2);
    CHECK_INT(b->stored.depth, 100);
    CHECK_INT(assay_run_n(b->run), 2);
    CHECK_INT(assay_bundle_write(&b->stored, b->golden, b->run, true, &again, &err),
              ASSAY_OK);
    CHECK(assay_slice_eq(assay_buffer_view(&again), assay_buffer_view(&text)));
    assay_bundle_free(b);
    assay_buffer_clear(&again);
    assay_buffer_clear(&text);
    drop_sample(&s);
}

TEST(bundle_without_times_is_the_same_for_the_same_run_made_later)
{
    assay_buffer first = ASSAY_BUFFER_EMPTY;
    assay_buffer second = ASSAY_BUFFER_EMPTY;
    sample s;

    make_sample(&s);
    assay_run_forget_times(s.run);
    write_sample(&s, false, &first);

    s.run->result[0].elapsed_ms = 99;
    s.run->result[0].answer->latency_ms = 98;
    assay_run_forget_times(s.run);
    s.stored.run_id = ASSAY_LIT("run_2");
    s.stored.created_at = ASSAY_LIT("2027-01-02T03:04:05.678Z");
    s.stored.finished_at = ASSAY_LIT("2027-01-02T03:04:05.679Z");
    s.stored.snapshot = ASSAY_LIT("{\"method\":\"bm25\",\"repeat\":{\"number\":2,"
                                  "\"of\":3,\"first_run\":\"run_7\"}}");
    s.stored.aggregate = ASSAY_LIT(
        "{\"metrics\":{\"latency_p50\":{\"value\":1},\"mrr(level=chunk)\":"
        "{\"value\":0.5},\"latency_max\":{\"value\":77}},\"counts\":{\"total\":2}}");
    write_sample(&s, false, &second);

    CHECK(assay_slice_eq(assay_buffer_view(&first), assay_buffer_view(&second)));
    assay_buffer_char(&first, '\0');
    CHECK(strstr(first.ptr, "{\"metrics\":{\"mrr(level=chunk)\":{\"value\":0.5}},"
                            "\"counts\":{\"total\":2}}\n") != NULL);
    CHECK(strstr(first.ptr, "_ms") == NULL);
    CHECK(strstr(first.ptr, "timed out") != NULL);
    assay_buffer_clear(&first);
    assay_buffer_clear(&second);
    drop_sample(&s);
}

TEST(bundle_of_a_run_without_results_or_golden_set_comes_back)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_bundle *b = NULL;
    assay_error err = {ASSAY_OK, ""};
    sample s;

    make_sample(&s);
    assay_run_free(s.run);
    s.run = assay_run_new();
    s.golden.len = 0;
    s.stored.golden_hash = ASSAY_LIT("");
    write_sample(&s, true, &text);
    if (assay_bundle_parse("b", assay_buffer_view(&text), &b, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    CHECK_INT(assay_run_n(b->run), 0);
    CHECK_INT(b->golden.len, 0);
    assay_bundle_free(b);
    assay_buffer_clear(&text);
    drop_sample(&s);
}

/* Replace the first `from` in the text, then read it: the words must be `want`. */
static void check_damage(const char *from, const char *to, const char *want)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_buffer bad = ASSAY_BUFFER_EMPTY;
    assay_bundle *b = NULL;
    assay_error err = {ASSAY_OK, ""};
    const char *at;
    sample s;

    make_sample(&s);
    write_sample(&s, true, &text);
    assay_buffer_char(&text, '\0');
    at = strstr(text.ptr, from);
    if (!at)
        check_failed(__FILE__, __LINE__, "no '%s' in the bundle", from);
    assay_buffer_add(&bad, text.ptr, (size_t)(at - text.ptr));
    assay_buffer_text(&bad, to);
    if (to[0])
        assay_buffer_text(&bad, at + strlen(from));
    CHECK_INT(assay_bundle_parse("b.jsonl", assay_buffer_view(&bad), &b, &err),
              ASSAY_EINPUT);
    CHECK_STR(err.text, want);
    CHECK(b == NULL);
    assay_buffer_clear(&text);
    assay_buffer_clear(&bad);
    drop_sample(&s);
}

TEST(damaged_bundle_names_the_line)
{
    check_damage("bundle/1", "bundle/2",
                 "b.jsonl:1: schema 'assay.bundle/2' is not known here; want "
                 "'assay.bundle/1'");
    check_damage("\"suite\":\"nightly\",", " ",
                 "b.jsonl:1: a bundle's head must have 'suite'");
    check_damage("\"k\":10", "\"k\":\"ten\"",
                 "b.jsonl:1: 'k' must be a whole number from 0 on, not a string");
    check_damage("{\"method\"", "", "b.jsonl:1: the bundle ends before its snapshot");
    check_damage("{\"method\":\"bm25\",", "[",
                 "b.jsonl:2:10: want ',' or ']', found ':'");
    check_damage("{\"query_id\":\"q2\"", "",
                 "b.jsonl:1: the head says 2 results, but 1 are here");
    check_damage("\"query_id\":\"q2\"", "\"query_id\":\"q1\"",
                 "b.jsonl:8: query 'q1' stands in line 7 already");
}

TEST(changed_golden_set_in_a_bundle_is_refused)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_bundle *b = NULL;
    assay_error err = {ASSAY_OK, ""};
    char *at;
    sample s;

    make_sample(&s);
    write_sample(&s, true, &text);
    assay_buffer_char(&text, '\0');
    at = strstr(text.ptr, "\"chunk\":\"c2\"");
    CHECK(at != NULL);
    at[10] = '3';
    text.len--;
    CHECK_INT(assay_bundle_parse("b.jsonl", assay_buffer_view(&text), &b, &err),
              ASSAY_EINPUT);
    CHECK(strncmp(err.text, "b.jsonl:4: the golden set was changed: its hash is ", 51) ==
          0);
    assay_buffer_clear(&text);
    drop_sample(&s);
}
