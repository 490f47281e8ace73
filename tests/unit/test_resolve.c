/* SPDX-License-Identifier: Apache-2.0 */
/* Judgments and hits against a corpus whose documents change under them. */
#include "golden/resolve.h"

#include <sys/stat.h>

#include "base/slice.h"
#include "corpus/corpus.h"
#include "golden/anchor.h"
#include "golden/named_cuts.h"
#include "pipeline/evaluate.h"
#include "pipeline/ingest.h"
#include "pipeline/place_hits.h"
#include "testing.h"

#define CORPUS "corpus.db"

static assay_error err;

#define OK(call)                                                         \
    do {                                                                 \
        if (call)                                                        \
            check_failed(__FILE__, __LINE__, "%s: %s", #call, err.text); \
    } while (0)

static const char refunds[] = "# Refunds\n"
                              "\n"
                              "## Approval\n"
                              "\n"
                              "Every refund is approved by the finance lead within three "
                              "days, and not later than that.\n"
                              "\n"
                              "## Limits\n"
                              "\n"
                              "Refunds above 500 need a second signature.\n";

static void ingest(const char *chunker)
{
    const char *path = "docs";
    assay_chunking chunking;
    assay_ingest_options o = {.is_thorough = true};
    assay_ingest_summary s = {0};

    if (chunker) {
        OK(assay_chunking_read(assay_slice_of(chunker), &chunking, &err));
        o.chunking = &chunking;
    }
    OK(assay_ingest(CORPUS, &path, 1, &o, &s, &err));
    CHECK_INT(s.n_faults, 0);
    assay_ingest_summary_clear(&s);
}

/* A fresh corpus with one or two documents. */
static void start(void)
{
    mkdir("docs", 0777);
    remove(CORPUS);
    remove("docs/renamed.md");
    write_file("docs/refunds.md", refunds);
    write_file("docs/faq.md", "# Questions\n\nHow long? Ten days at most.\n");
    ingest("md-heading");
}

/* The id of the n-th chunk (from 0) of a document, as today's cut has it. */
static const char *chunk_id(const char *doc, uint32_t n)
{
    static char text[4][ASSAY_CHUNK_ID_CHARS + 1];
    static unsigned next;
    char *out = text[next++ % 4];
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer bytes = ASSAY_BUFFER_EMPTY;
    assay_corpus *corpus;
    assay_corpus_doc found;
    assay_chunks chunks;
    bool is_there;

    OK(assay_corpus_open(CORPUS, ASSAY_CORPUS_READ, &corpus, &err));
    OK(assay_corpus_find(corpus, assay_slice_of(doc), &arena, &found, &is_there, &err));
    CHECK(is_there);
    OK(assay_corpus_text(corpus, found.version, &bytes, &err));
    OK(assay_corpus_chunks(corpus, found.version, assay_buffer_view(&bytes), &arena,
                           &chunks, &err));
    CHECK(n < chunks.n);
    assay_chunk_id_print(chunks.chunk[n].id, out);
    out[ASSAY_CHUNK_ID_CHARS] = '\0';
    assay_corpus_close(corpus);
    assay_buffer_clear(&bytes);
    assay_arena_clear(&arena);
    return out;
}

static assay_golden *parse(const char *text)
{
    assay_golden *golden = NULL;

    OK(assay_golden_parse("golden.yaml", assay_slice_of(text), NULL, &golden, &err));
    return golden;
}

/* One query with these judgments, looked up. */
static assay_golden *resolve(const char *judgments, assay_resolution *r)
{
    const assay_trace_options o = {.n_threads = 2, .with_lines = true};
    char text[2000];
    assay_golden *golden;

    snprintf(text, sizeof text,
             "version: 1\nqueries: [{id: q, query: what, relevant: [%s]}]", judgments);
    golden = parse(text);
    OK(assay_resolve(golden, CORPUS, &o, r, &err));
    return golden;
}

static assay_finding finding(const char *judgment)
{
    assay_resolution r;
    assay_golden *golden = resolve(judgment, &r);
    assay_finding f = r.item[0].traced.finding;

    assay_golden_free(golden);
    return f;
}

static bool says(const char *judgment, const char *words)
{
    assay_resolution r;
    assay_golden *golden = resolve(judgment, &r);
    bool is_said = r.item[0].traced.reason && strstr(r.item[0].traced.reason, words);

    if (!is_said)
        printf("reason: %s\n", r.item[0].traced.reason ? r.item[0].traced.reason : "-");
    assay_golden_free(golden);
    return is_said;
}

static const char *chunk_judgment(const char *id)
{
    static char text[100];

    snprintf(text, sizeof text, "{chunk: \"%s\"}", id);
    return text;
}

/* ---- chunks ---- */

TEST(a_chunk_of_today_stands_for_its_bytes)
{
    assay_resolution r;
    assay_golden *golden;
    const assay_judgment *j;

    start();
    golden = resolve(chunk_judgment(chunk_id("refunds.md", 1)), &r);
    j = &golden->query[0].judgment[0];
    CHECK_INT(r.item[0].traced.finding, ASSAY_FOUND_RESOLVED);
    CHECK(assay_slice_is(golden->docs.word[j->doc], "refunds.md"));
    CHECK_INT(j->n_spans, 1);
    CHECK(strncmp(refunds + j->span[0].start, "## Approval\n\nEvery", 18) == 0);
    CHECK_INT(r.item[0].traced.first_line, 3);
    assay_golden_free(golden);
}

TEST(a_chunk_of_another_chunking_keeps_its_bytes)
{
    const char *id;
    assay_resolution r;
    assay_golden *golden;

    start();
    id = chunk_id("refunds.md", 2);
    ingest("chars(size=20,overlap=0)");
    golden = resolve(chunk_judgment(id), &r);
    CHECK_INT(r.item[0].traced.finding, ASSAY_FOUND_RESOLVED);
    CHECK(!r.item[0].traced.is_old);
    CHECK(strncmp(refunds + golden->query[0].judgment[0].span[0].start, "## Limits", 9) ==
          0);
    assay_golden_free(golden);
}

TEST(a_chunk_of_an_older_text_is_found_by_its_words)
{
    const char *id;
    assay_resolution r;
    assay_golden *golden;

    start();
    id = chunk_id("refunds.md", 1);
    /* Text before it moves it; "three" becomes "seven" within it. */
    write_file("docs/refunds.md",
               "# Refunds\n\nA word first.\n\n## Approval\n\nEvery refund is approved by "
               "the finance lead within seven days, and not later than that.\n");
    ingest(NULL);
    golden = resolve(chunk_judgment(id), &r);
    CHECK_INT(r.item[0].traced.finding, ASSAY_FOUND_MOVED);
    CHECK(r.item[0].traced.is_old);
    CHECK_INT(r.item[0].traced.rung, ASSAY_RUNG_EDITED);
    CHECK_INT(r.item[0].traced.first_line, 5);
    CHECK_INT(golden->query[0].judgment[0].n_spans, 1);
    assay_golden_free(golden);
}

TEST(a_chunk_whose_words_are_gone_is_lost)
{
    const char *id;

    start();
    id = chunk_id("refunds.md", 1);
    write_file("docs/refunds.md", "# Refunds\n\nAsk somebody else, please.\n");
    ingest(NULL);
    CHECK_INT(finding(chunk_judgment(id)), ASSAY_FOUND_LOST);
    CHECK(says(chunk_judgment(id), "no longer in 'refunds.md'"));
    CHECK_INT(finding("{chunk: c-17}"), ASSAY_FOUND_LOST);
    CHECK(says("{chunk: c-17}", "in no cut of the corpus"));
}

TEST(a_document_that_was_renamed_is_lost_and_its_new_name_is_told)
{
    const char *id;

    start();
    id = chunk_id("refunds.md", 1);
    mkdir("docs/policies", 0777);
    rename("docs/refunds.md", "docs/policies/refunds.md");
    ingest(NULL);
    CHECK(says("{doc: refunds.md, quote: finance lead}", "'policies/refunds.md' now?"));
    CHECK(says(chunk_judgment(id), "'policies/refunds.md' now?"));
    CHECK_INT(finding("{doc: policies/refunds.md, quote: finance lead}"),
              ASSAY_FOUND_RESOLVED);
    remove("docs/policies/refunds.md");
    ingest(NULL);
    CHECK(says("{doc: refunds.md}", "is not in the corpus"));
}

TEST(a_chunk_that_is_in_another_document_than_said_is_where_the_corpus_has_it)
{
    char text[200];
    assay_resolution r;
    assay_golden *golden;

    start();
    snprintf(text, sizeof text, "{doc: faq.md, chunk: \"%s\"}",
             chunk_id("refunds.md", 1));
    golden = resolve(text, &r);
    CHECK_INT(r.item[0].traced.finding, ASSAY_FOUND_MOVED);
    CHECK(assay_slice_is(golden->docs.word[golden->query[0].judgment[0].doc],
                         "refunds.md"));
    assay_golden_free(golden);
}

/* ---- what is stale ---- */

TEST(an_ambiguous_quote_counts_for_its_document_only)
{
    assay_resolution r;
    assay_golden *golden;

    start();
    write_file("docs/faq.md", "Ten days.\nTen days.\n");
    ingest(NULL);
    golden = resolve("{doc: faq.md, quote: Ten days.}", &r);
    CHECK_INT(r.count[ASSAY_FOUND_AMBIGUOUS], 1);
    CHECK_INT(golden->query[0].judgment[0].stale, ASSAY_STALE_AMBIGUOUS);
    CHECK(!assay_judgment_is_evidence(&golden->query[0].judgment[0]));
    CHECK_INT(golden->query[0].label, ASSAY_LABEL_LABELLED);
    assay_golden_free(golden);
    golden = resolve("{doc: faq.md, quote: Ten days., lines: 2}", &r);
    CHECK_INT(r.count[ASSAY_FOUND_RESOLVED], 1);
    CHECK_INT(golden->query[0].judgment[0].span[0].start, 10);
    assay_golden_free(golden);
}

TEST(a_query_stays_as_long_as_something_relevant_is_left)
{
    assay_resolution r;
    assay_golden *golden;

    start();
    golden = resolve("{doc: faq.md}, {doc: gone.md}", &r);
    CHECK_INT(golden->query[0].label, ASSAY_LABEL_LABELLED);
    CHECK_INT(r.n_stale_queries, 0);
    assay_golden_free(golden);
    golden = resolve("{doc: faq.md, grade: 0}, {doc: gone.md}", &r);
    CHECK_INT(golden->query[0].label, ASSAY_LABEL_STALE);
    CHECK_INT(r.n_stale_queries, 1);
    assay_golden_free(golden);
    golden = resolve("{doc: gone.md, grade: 0}", &r);
    CHECK_INT(golden->query[0].label, ASSAY_LABEL_LABELLED);
    assay_golden_free(golden);
}

TEST(the_notes_name_what_is_stale_with_file_and_line)
{
    const assay_trace_options o = {0};
    assay_notes notes = {0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_resolution r;
    assay_golden *golden;

    start();
    golden = parse("version: 1\nqueries:\n  - id: a\n    query: b\n    relevant:\n"
                   "      - {doc: gone.md}\n      - {doc: away.md}\n");
    OK(assay_resolve(golden, CORPUS, &o, &r, &err));
    CHECK(assay_resolution_notes(&r, golden, 1, &notes, &arena));
    CHECK_INT(notes.n, 4);
    CHECK_STR(notes.text[0],
              "2 of 2 judgments are stale and left out: 2 lost, 0 ambiguous");
    CHECK_STR(notes.text[1],
              "golden.yaml:6: query 'a': document lost: document 'gone.md' "
              "is not in the corpus");
    CHECK_STR(notes.text[3],
              "1 query has nothing relevant left in the corpus and gets no score: 'a'");
    assay_notes_clear(&notes);
    assay_arena_clear(&arena);
    assay_golden_free(golden);
}

TEST(any_number_of_threads_finds_the_same)
{
    assay_golden *golden[2];
    assay_resolution r[2];

    start();
    for (uint32_t i = 0; i < 2; i++) {
        const assay_trace_options o = {.n_threads = i ? 8 : 1};

        golden[i] = parse(
            "version: 1\nqueries:\n"
            "  - {id: a, query: b, relevant: [{doc: faq.md, quote: TEN days}, {doc: x}]}\n"
            "  - {id: b, query: b, relevant: [{doc: refunds.md, lines: 3-5}]}\n"
            "  - {id: c, query: b, relevant: [{doc: refunds.md, heading: Limits}]}\n");
        OK(assay_resolve(golden[i], CORPUS, &o, &r[i], &err));
    }
    for (uint32_t i = 0; i < r[0].n; i++) {
        const assay_traced *a = &r[0].item[i].traced;
        const assay_traced *b = &r[1].item[i].traced;

        CHECK(a->finding == b->finding && a->n_spans == b->n_spans);
        CHECK(!a->n_spans || memcmp(a->span, b->span, sizeof *a->span) == 0);
    }
    assay_golden_free(golden[0]);
    assay_golden_free(golden[1]);
}

/* ---- other formats ---- */

TEST(chunk_ids_of_kebab_become_anchors)
{
    const assay_trace_options o = {.with_lines = true};
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    char text[300];
    assay_golden *golden;
    assay_anchored anchored;
    assay_resolution r;

    start();
    snprintf(text, sizeof text,
             "- {id: g1, query: who, expected_doc_ids: [refunds.md], expected_chunk_ids: "
             "[\"%s\"]}\n",
             chunk_id("refunds.md", 1));
    golden = parse(text);
    OK(assay_resolve(golden, CORPUS, &o, &r, &err));
    CHECK_INT(assay_resolution_stale(&r), 0);
    OK(assay_anchor_all(golden, &r, CORPUS, &anchored, &err));
    CHECK_INT(anchored.count[ASSAY_ANCHOR_MADE], 1);
    CHECK_INT(anchored.count[ASSAY_ANCHOR_KEPT], 1);
    OK(assay_anchor_write(golden, &r, &anchored, (assay_slice){NULL, 0}, false, &out,
                          &err));
    assay_buffer_char(&out, '\0');
    CHECK(strstr(out.ptr, "- {doc: refunds.md}\n"));
    CHECK(strstr(out.ptr, "quote: |-\n"));
    CHECK(strstr(out.ptr, "span: \"11-"));
    CHECK(!strstr(out.ptr, "chunk"));
    assay_buffer_clear(&out);
    assay_golden_free(golden);
}

/* bob numbers its chunks, and numbers say nothing once the database was built anew. */
TEST(chunk_numbers_of_bob_are_lost_and_named)
{
    const assay_trace_options o = {0};
    assay_resolution r;
    assay_golden *golden;

    start();
    golden = parse("{\"id\": 1, \"question\": \"who\", \"expected_chunks\": [3, 17]}\n"
                   "{\"id\": 2, \"question\": \"what\", \"expected_chunks\": []}\n");
    OK(assay_resolve(golden, CORPUS, &o, &r, &err));
    CHECK_INT(r.count[ASSAY_FOUND_LOST], 2);
    CHECK_INT(golden->query[0].label, ASSAY_LABEL_STALE);
    CHECK_INT(golden->query[1].label, ASSAY_LABEL_NEGATIVE);
    assay_golden_free(golden);
}

/* ---- runs ---- */

static assay_run *parse_run(const char *text)
{
    assay_run *run = NULL;

    OK(assay_run_parse("run", assay_slice_of(text), NULL, &run, &err));
    return run;
}

static double measure(const assay_golden *golden, const assay_run *run, const char *what)
{
    const assay_eval_settings settings = {.n_threads = 1};
    assay_scores *scores = NULL;
    double value;

    OK(assay_evaluate(golden, run, what, &settings, &scores, &err));
    value = scores->total[0].value;
    assay_scores_free(scores);
    return value;
}

TEST(a_trec_run_of_chunk_ids_is_measured_at_the_level_of_evidence)
{
    assay_resolution r;
    assay_golden *golden;
    assay_placing placing;
    assay_run *run;
    char text[300];

    start();
    golden = resolve("{doc: refunds.md, quote: approved by the finance lead}", &r);
    snprintf(text, sizeof text, "q Q0 %s 1 2 t\nq Q0 %s 2 1 t\n",
             chunk_id("refunds.md", 2), chunk_id("refunds.md", 1));
    run = parse_run(text);
    OK(assay_place_hits(run, CORPUS, 1, &placing, &err));
    CHECK_INT(placing.n_by_id, 2);
    CHECK_INT(placing.n_without, 0);
    CHECK(assay_slice_starts(placing.chunking, "md-heading@"));
    CHECK_NEAR(measure(golden, run, "mrr(level=evidence)"), 0.5, 0);
    CHECK_NEAR(measure(golden, run, "recall(level=evidence)@2"), 1, 0);
    assay_run_free(run);
    assay_golden_free(golden);
}

TEST(a_hit_without_an_id_is_placed_by_its_text)
{
    assay_resolution r;
    assay_golden *golden;
    assay_placing placing;
    assay_run *run;

    start();
    golden = resolve("{doc: refunds.md, quote: approved by the finance lead}", &r);
    run =
        parse_run("{\"query_id\":\"q\",\"hits\":["
                  "{\"doc_id\":\"faq.md\",\"text\":\"nothing of the kind at all\"},"
                  "{\"doc_id\":\"refunds.md\",\"text\":\"Every REFUND is approved by the "
                  "finance lead\"}]}\n");
    OK(assay_place_hits(run, CORPUS, 1, &placing, &err));
    CHECK_INT(placing.n_by_text, 1);
    CHECK_INT(placing.n_without, 1);
    CHECK_NEAR(measure(golden, run, "mrr(level=evidence)"), 0.5, 0);
    assay_run_free(run);
    assay_golden_free(golden);
}

TEST(a_hit_that_is_only_text_is_placed_wherever_the_text_stands)
{
    assay_resolution r;
    assay_golden *golden;
    assay_placing placing;
    assay_run *run;

    start();
    write_file("docs/twin.md", "# Questions\n\nHow long? Ten days at most.\n");
    ingest(NULL);
    golden = resolve("{doc: refunds.md, quote: approved by the finance lead}", &r);
    run = parse_run("{\"query_id\":\"q\",\"hits\":["
                    "{\"text\":\"nothing of the kind at all, nowhere\"},"
                    "{\"text\":\"How long? Ten days at most.\"},"
                    "{\"text\":\"nothing of this kind either, not anywhere\"},"
                    "{\"text\":\"Every  REFUND is approved by the\\nfinance lead\"},"
                    "{\"text\":\"Refunds above 500 need a second signature.\"}]}\n");
    OK(assay_place_hits(run, CORPUS, 2, &placing, &err));
    CHECK_INT(placing.n_hits, 5);
    CHECK_INT(placing.n_by_text, 2);
    CHECK_INT(placing.n_without, 3);
    CHECK_INT(placing.n_ambiguous, 1);
    CHECK_INT(placing.n_lost, 2);
    CHECK(assay_slice_is(run->result[0].hit[3].doc, "refunds.md"));
    CHECK_INT(run->result[0].hit[1].n_spans, 0);
    /* Two that hold nothing are two hits: they keep their ranks. */
    CHECK_NEAR(measure(golden, run, "mrr(level=evidence)"), 0.25, 0);
    CHECK_NEAR(measure(golden, run, "recall(level=doc)@4"), 1, 0);
    assay_run_free(run);
    assay_golden_free(golden);
    remove("docs/twin.md");
}

TEST(a_chunk_id_that_the_corpus_never_had_is_placed_by_its_text)
{
    assay_resolution r;
    assay_golden *golden;
    assay_placing placing;
    assay_run *run;

    start();
    golden = resolve("{doc: refunds.md, quote: approved by the finance lead}", &r);
    run = parse_run("{\"query_id\":\"q\",\"hits\":[{\"chunk_id\":\"their-own-7\","
                    "\"text\":\"refund is approved by the finance lead\"}]}\n");
    OK(assay_place_hits(run, CORPUS, 1, &placing, &err));
    CHECK_INT(placing.n_by_text, 1);
    CHECK(assay_slice_is(run->result[0].hit[0].doc, "refunds.md"));
    CHECK_NEAR(measure(golden, run, "recall(level=evidence)@1"), 1, 0);
    assay_run_free(run);
    assay_golden_free(golden);
}

static assay_golden *parse_judgments(const char *judgments)
{
    char text[2000];

    snprintf(text, sizeof text,
             "version: 1\nqueries: [{id: q, query: what, relevant: [%s]}]", judgments);
    return parse(text);
}

static assay_status count_pin(void *ctx, assay_slice chunking, assay_slice who,
                              assay_error *e)
{
    (void)chunking;
    (void)who;
    (void)e;
    ++*(uint32_t *)ctx;
    return ASSAY_OK;
}

/* Pin on behalf of "set", prune, and say how many chunkings are pinned then. */
static uint32_t pin_and_prune(const char *judgments)
{
    assay_golden *golden = parse_judgments(judgments);
    assay_corpus_pruned pruned;
    assay_corpus *corpus;
    uint32_t n = 0;

    OK(assay_golden_pin(golden, CORPUS, ASSAY_LIT("set"), &err));
    assay_golden_free(golden);
    OK(assay_corpus_open(CORPUS, ASSAY_CORPUS_WRITE, &corpus, &err));
    OK(assay_corpus_prune(corpus, NULL, 0, &pruned, &err));
    OK(assay_corpus_each_pin(corpus, count_pin, &n, &err));
    assay_corpus_close(corpus);
    return n;
}

TEST(what_a_golden_set_names_survives_pruning_until_it_names_it_no_more)
{
    assay_resolution r;
    char old[200];
    char beside[200];

    start();
    snprintf(old, sizeof old, "{chunk: %s}", chunk_id("refunds.md", 1));
    snprintf(beside, sizeof beside,
             "{doc: refunds.md, quote: finance lead, chunk: %s}, {chunk: nowhere}",
             chunk_id("refunds.md", 1));
    ingest("whole");
    ingest("chars(size=20,overlap=0)");
    /* An id beside a quote is a name too; one that the corpus never had is none. */
    CHECK_INT(pin_and_prune(beside), 1);
    CHECK_INT(pin_and_prune(old), 1);
    assay_golden_free(resolve(old, &r));
    CHECK_INT(r.count[ASSAY_FOUND_RESOLVED], 1);
    CHECK_INT(pin_and_prune("{doc: refunds.md}"), 0);
    assay_golden_free(resolve(old, &r));
    CHECK_INT(r.count[ASSAY_FOUND_LOST], 1);
}

TEST(a_stale_query_has_no_score_and_is_counted_apart)
{
    const assay_trace_options o = {0};
    assay_resolution r;
    assay_golden *golden;
    assay_scores *scores = NULL;
    assay_run *run;

    start();
    golden = parse("version: 1\nqueries:\n"
                   "  - {id: a, query: b, relevant: [{doc: faq.md}]}\n"
                   "  - {id: c, query: d, relevant: [{doc: gone.md}]}\n");
    OK(assay_resolve(golden, CORPUS, &o, &r, &err));
    run = parse_run("{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"faq.md\"}]}\n"
                    "{\"query_id\":\"c\",\"hits\":[{\"doc_id\":\"faq.md\"}]}\n");
    OK(assay_evaluate(golden, run, "recall@1", NULL, &scores, &err));
    CHECK_NEAR(scores->total[0].value, 1, 0);
    CHECK_INT(scores->total[0].n, 1);
    CHECK_INT(scores->counts.stale, 1);
    CHECK_INT(scores->counts.labelled, 1);
    CHECK_INT(scores->counts.unlabelled, 0);
    assay_scores_free(scores);
    assay_run_free(run);
    assay_golden_free(golden);
}

/* Chunks of 20 characters: the evidence has at least half of three of them. */
TEST(an_anchor_makes_the_chunks_relevant_that_find_it)
{
    const assay_eval_settings settings = {.level = ASSAY_LEVEL_CHUNK};
    assay_resolution r;
    assay_golden *golden;
    assay_placing placing;
    assay_projection view;
    assay_evaluator *e = NULL;
    assay_scores *scores = NULL;
    assay_run *run;
    char text[300];

    start();
    ingest("chars(size=20,overlap=0)");
    golden = resolve("{doc: refunds.md, quote: Every refund is approved by the finance "
                     "lead within three days}",
                     &r);
    snprintf(text, sizeof text, "q Q0 %s 1 9 t\nq Q0 %s 2 8 t\n",
             chunk_id("refunds.md", 0), chunk_id("refunds.md", 1));
    run = parse_run(text);
    OK(assay_place_hits(run, CORPUS, 1, &placing, &err));
    OK(assay_projection_make(&view, golden, &r, CORPUS, placing.chunking, &err));
    CHECK_INT(view.most, 3);
    OK(assay_evaluator_open(golden, &settings, &e, &err));
    assay_evaluator_project(e, &view);
    OK(assay_evaluator_measure(e, ASSAY_LIT("recall@2,num_rel"), &err));
    OK(assay_evaluator_run(e, run, &scores, &err));
    CHECK_NEAR(scores->total[1].value, view.most, 0);
    CHECK_NEAR(scores->total[0].value, 1.0 / view.most, 1e-12);
    assay_scores_free(scores);
    assay_evaluator_close(e);
    assay_projection_clear(&view);
    assay_run_free(run);
    assay_golden_free(golden);
}
