/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence survives re-chunking: judgments given as chunk ids under one chunking are
 * resolved after the corpus was cut by others.
 *
 *     kept      bytes of the evidence as judged that the resolved evidence still has
 *     invented  bytes of the resolved evidence that were not judged
 *
 * An oracle returns the chunks that cover the evidence and must find all of it under every
 * chunking; chunks drawn at random must not. */
#include "base/compiler.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/node.h"
#include "base/slice.h"
#include "corpus/corpus.h"
#include "cut_corpus.h"
#include "golden/anchor.h"
#include "golden/resolve.h"
#include "pipeline/evaluate.h"
#include "pipeline/ingest.h"
#include "pipeline/place_hits.h"
#include "testing.h"

/* The first cuts the corpus when it is judged. */
static const char *const chunkings[] = {
    "md-heading",
    "md-heading(target=100,overlap=20)",
    "md-heading(target=200,overlap=0)",
    "md-heading(target=1000,overlap=200)",
    "md-heading(target=2000,overlap=0,max=8000)",
    "paragraph",
    "paragraph(target=50)",
    "paragraph(target=400,overlap=50)",
    "sentence",
    "sentence(target=20)",
    "sentence(target=300,overlap=60)",
    "chars",
    "chars(size=64,overlap=0)",
    "chars(size=200,overlap=50)",
    "chars(size=3000,overlap=500)",
    "words",
    "words(size=20,overlap=0)",
    "words(size=500,overlap=100)",
    "lines",
    "lines(size=5,overlap=1)",
    "lines(size=200,overlap=20)",
    "whole",
};

enum { N_CHUNKINGS = sizeof chunkings / sizeof chunkings[0] };

#define CORPUS "rechunk.db"

/* ---- golden sets ---- */

static const assay_trace_options plain = {.n_threads = 2};

/* The same questions, judged by the chunks that find the evidence. */
static assay_golden *judge_by_chunks(const assay_golden *golden, const cut *c)
{
    assay_golden *out = assay_golden_new();

    for (uint32_t q = 0; q < golden->n_queries; q++) {
        const assay_query *query = &golden->query[q];
        char id[100];
        bool has_any = false;

        snprintf(id, sizeof id, "%.*s", (int)query->id.len, query->id.ptr);
        for (size_t i = 0; i < c->n; i++) {
            bool is_found = false;
            char name[ASSAY_CHUNK_ID_CHARS + 1];
            assay_judged_item item = {.chunk = name, .grade = 1};

            for (uint32_t j = 0; j < query->n_judgments; j++)
                is_found |= assay_judgment_is_evidence(&query->judgment[j]) &&
                            query->judgment[j].grade > 0 &&
                            assay_slice_eq(golden->docs.word[query->judgment[j].doc],
                                           c->item[i].doc) &&
                            finds(&c->item[i], &query->judgment[j]);
            if (!is_found)
                continue;
            snprintf(name, sizeof name, "%.*s", (int)c->item[i].id.len,
                     c->item[i].id.ptr);
            if (!has_any)
                OK(assay_golden_put_query(out, id, "?", &err));
            has_any = true;
            OK(assay_golden_put_judgment(out, id, &item, &err));
        }
    }
    OK(assay_golden_finish(out, &err));
    return out;
}

/* A second copy of a set that is judged by chunks, nothing resolved. */
static assay_golden *copy_ids(const assay_golden *golden)
{
    assay_golden *out = assay_golden_new();

    for (uint32_t q = 0; q < golden->n_queries; q++) {
        const assay_query *query = &golden->query[q];
        char id[100];

        snprintf(id, sizeof id, "%.*s", (int)query->id.len, query->id.ptr);
        OK(assay_golden_put_query(out, id, "?", &err));
        for (uint32_t j = 0; j < query->n_judgments; j++) {
            assay_slice word = golden->chunks.word[query->judgment[j].chunk];
            char name[ASSAY_CHUNK_ID_CHARS + 1];
            assay_judged_item item = {.chunk = name, .grade = 1};

            snprintf(name, sizeof name, "%.*s", (int)word.len, word.ptr);
            OK(assay_golden_put_judgment(out, id, &item, &err));
        }
    }
    OK(assay_golden_finish(out, &err));
    return out;
}

typedef struct kept {
    uint64_t judged;
    uint64_t kept;
    uint64_t invented;
} kept;

static void add_kept(kept *k, const assay_golden *truth, const assay_golden *now)
{
    CHECK_INT(truth->n_queries, now->n_queries);
    for (uint32_t q = 0; q < truth->n_queries; q++) {
        CHECK_INT(truth->query[q].n_judgments, now->query[q].n_judgments);
        for (uint32_t i = 0; i < truth->query[q].n_judgments; i++) {
            const assay_judgment *a = &truth->query[q].judgment[i];
            const assay_judgment *b = &now->query[q].judgment[i];
            bool is_one_doc = b->n_spans && assay_slice_eq(truth->docs.word[a->doc],
                                                           now->docs.word[b->doc]);
            uint64_t bytes = b->n_spans ? assay_span_bytes(b->span, b->n_spans) : 0;
            uint64_t shared =
                is_one_doc ? assay_span_shared(a->span, a->n_spans, b->span, b->n_spans)
                           : 0;

            k->judged += assay_span_bytes(a->span, a->n_spans);
            k->kept += shared;
            k->invented += bytes - shared;
        }
    }
}

/* ---- runs ---- */

static bool touches(const chunk *c, const assay_golden *golden, const assay_query *q)
{
    for (uint32_t j = 0; j < q->n_judgments; j++)
        if (assay_judgment_is_evidence(&q->judgment[j]) &&
            assay_slice_eq(golden->docs.word[q->judgment[j].doc], c->doc) &&
            assay_span_shared(q->judgment[j].span, q->judgment[j].n_spans, c->span,
                              c->n_spans))
            return true;
    return false;
}

static void put_hit(assay_run *run, const chunk *c)
{
    char name[ASSAY_CHUNK_ID_CHARS + 1];
    const assay_hit_item hit = {.chunk = name}; /* the corpus knows the rest */

    snprintf(name, sizeof name, "%.*s", (int)c->id.len, c->id.ptr);
    OK(assay_run_put_hit(run, &hit, &err));
}

/* Chunks that cover the evidence, or as many drawn at random. */
static assay_run *make_run(const assay_golden *golden, const cut *c, bool is_random)
{
    assay_run *run = assay_run_new();
    uint64_t state = 7;

    for (uint32_t q = 0; q < golden->n_queries; q++) {
        const assay_query *query = &golden->query[q];
        char id[100];
        size_t n = 0;

        snprintf(id, sizeof id, "%.*s", (int)query->id.len, query->id.ptr);
        OK(assay_run_put_result(run, id, -1, NULL, &err));
        for (size_t i = 0; i < c->n; i++) {
            if (!touches(&c->item[i], golden, query))
                continue;
            n++;
            if (!is_random)
                put_hit(run, &c->item[i]);
        }
        for (; is_random && n > 0; n--) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            put_hit(run, &c->item[(state >> 33) % c->n]);
        }
    }
    OK(assay_run_finish(run, &err));
    return run;
}

typedef struct measured {
    double recall;
    double bytes;
    double cost;
} measured;

static measured measure(const assay_golden *golden, assay_run *run, const char *corpus)
{
    const assay_eval_settings settings = {.level = ASSAY_LEVEL_EVIDENCE, .n_threads = 2};
    assay_placing placing;
    assay_scores *scores = NULL;
    measured m;

    OK(assay_place_hits(run, corpus, 2, &placing, &err));
    CHECK_INT(placing.n_without, 0);
    OK(assay_evaluate(golden, run,
                      "recall@100000,evidence_recall@100000,evidence_cost@100000",
                      &settings, &scores, &err));
    m = (measured){scores->total[0].value, scores->total[1].value,
                   scores->total[2].value};
    assay_scores_free(scores);
    return m;
}

/* ---- the proof ---- */

typedef struct world {
    const char *name;
    const char *folder;
    assay_golden *golden; /* with places, as people judge */
} world;

static void prove(const world *w)
{
    assay_golden *judged;
    kept all = {0, 0, 0};
    double least_recall = 1;
    double least_bytes = 1;
    double most_random = 0;
    double most_cost = 0;
    assay_resolution r;
    cut c;

    cut_by(CORPUS, w->folder, chunkings[0]);
    OK(assay_resolve(w->golden, CORPUS, &plain, &r, &err));
    load_cut(&c, CORPUS);
    judged = judge_by_chunks(w->golden, &c);
    drop_cut(&c);
    OK(assay_resolve(judged, CORPUS, &plain, &r, &err));
    CHECK_INT(assay_resolution_stale(&r), 0);
    for (size_t i = 1; i < N_CHUNKINGS; i++) {
        assay_golden *now = copy_ids(judged);
        assay_run *oracle;
        assay_run *random;
        measured best;
        measured chance;

        cut_by(CORPUS, w->folder, chunkings[i]);
        OK(assay_resolve(now, CORPUS, &plain, &r, &err));
        add_kept(&all, judged, now);
        load_cut(&c, CORPUS);
        oracle = make_run(now, &c, false);
        random = make_run(now, &c, true);
        best = measure(now, oracle, CORPUS);
        chance = measure(now, random, CORPUS);
        CHECK_NEAR(best.recall, 1, 0);
        /* Chunks leave out the blank lines between them. */
        CHECK(best.bytes > 0.95);
        if (c.n > 60) {
            CHECK(chance.recall < 0.5);
            most_random = chance.recall > most_random ? chance.recall : most_random;
        }
        least_recall = best.recall < least_recall ? best.recall : least_recall;
        least_bytes = best.bytes < least_bytes ? best.bytes : least_bytes;
        most_cost = best.cost > most_cost ? best.cost : most_cost;
        assay_run_free(oracle);
        assay_run_free(random);
        drop_cut(&c);
        assay_golden_free(now);
    }
    CHECK(all.judged > 0);
    CHECK((double)all.kept >= 0.95 * (double)all.judged);
    CHECK_INT(all.invented, 0);
    printf(
        "%s: %u judgments by chunk id, %d other chunkings: %.2f %% of %llu evidence "
        "bytes kept, %llu invented; oracle: recall %.4f, bytes %.4f at least, cost %.1f "
        "at most; random: recall %.4f at most\n",
        w->name, r.n, N_CHUNKINGS - 1, 100.0 * (double)all.kept / (double)all.judged,
        (unsigned long long)(all.judged / (N_CHUNKINGS - 1)),
        (unsigned long long)all.invented, least_recall, least_bytes, most_cost,
        most_random);
    assay_golden_free(judged);
}

/* The same after the chunk ids were turned into anchors: a corpus that never saw the
 * first chunking resolves them all the same. */
static void prove_anchors(const world *w)
{
    static const size_t other[] = {9, 13, 19, 21};
    const assay_trace_options lines = {.n_threads = 2, .with_lines = true};
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_golden *judged;
    assay_golden *truth;
    assay_anchored anchored;
    assay_resolution r;
    kept all = {0, 0, 0};
    cut c;

    cut_by("first.db", w->folder, chunkings[0]);
    OK(assay_resolve(w->golden, "first.db", &plain, &r, &err));
    load_cut(&c, "first.db");
    judged = judge_by_chunks(w->golden, &c);
    truth = copy_ids(judged);
    drop_cut(&c);
    OK(assay_resolve(truth, "first.db", &plain, &r, &err));
    OK(assay_resolve(judged, "first.db", &lines, &r, &err));
    OK(assay_anchor_all(judged, &r, "first.db", &anchored, &err));
    CHECK_INT(anchored.count[ASSAY_ANCHOR_MADE], r.n);
    OK(assay_anchor_write(judged, &r, &anchored, (assay_slice){NULL, 0}, false, &text,
                          &err));
    for (size_t i = 0; i < ASSAY_COUNT(other); i++) {
        assay_golden *now = NULL;

        remove("other.db");
        cut_by("other.db", w->folder, chunkings[other[i]]);
        OK(assay_golden_parse("anchored.yaml", assay_buffer_view(&text), NULL, &now,
                              &err));
        OK(assay_resolve(now, "other.db", &plain, &r, &err));
        add_kept(&all, truth, now);
        assay_golden_free(now);
    }
    CHECK((double)all.kept >= 0.95 * (double)all.judged);
    CHECK_INT(all.invented, 0);
    printf("%s: as anchors, in a corpus that never saw the chunks: %.2f %% kept, %llu "
           "invented\n",
           w->name, 100.0 * (double)all.kept / (double)all.judged,
           (unsigned long long)all.invented);
    assay_buffer_clear(&text);
    assay_golden_free(judged);
    assay_golden_free(truth);
}

/* ---- the collections ---- */

static world handbook(void)
{
    world w = {.name = "samples/handbook", .folder = TEST_SRC "/samples/handbook"};

    OK(assay_golden_load(TEST_SRC "/samples/handbook.golden.yaml", NULL, &w.golden,
                         &err));
    return w;
}

#define LEGAL TEST_SRC "/../shared/data/legalbench-rag"

/* {tests: [{query, snippets: [{file_path, span: [a, b]}]}]}, spans in characters. */
static void put_legal(const char *path, assay_json_writer *out, uint32_t *n)
{
    assay_file file = {0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_node *root;

    OK(assay_file_open(&file, path, &err));
    OK(assay_node_json(path, file.text, &arena, &root, &err));
    for (const assay_node *t = assay_node_get(root, "tests")->child; t; t = t->next) {
        char text[60];

        snprintf(text, sizeof text, "l-%u", ++*n);
        assay_json_object(out);
        assay_json_key(out, "id");
        assay_json_text(out, text);
        assay_json_key(out, "query");
        assay_json_string(out, assay_node_get(t, "query")->text);
        assay_json_key(out, "relevant");
        assay_json_list(out);
        for (const assay_node *s = assay_node_get(t, "snippets")->child; s; s = s->next) {
            const assay_node *span = assay_node_get(s, "span")->child;

            snprintf(text, sizeof text, "%lld-%lld", (long long)span->integer,
                     (long long)span->next->integer);
            assay_json_object(out);
            assay_json_key(out, "doc");
            assay_json_string(out, assay_node_get(s, "file_path")->text);
            assay_json_key(out, "chars");
            assay_json_text(out, text);
            assay_json_object_end(out);
        }
        assay_json_list_end(out);
        assay_json_object_end(out);
    }
    assay_arena_clear(&arena);
    assay_file_close(&file);
}

static world legal(void)
{
    world w = {.name = "legalbench-rag", .folder = LEGAL "/corpus"};
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_json_writer out = assay_json_writer_of(&text, 0);
    uint32_t n = 0;

    if (!assay_file_exists(LEGAL "/benchmarks/privacy_qa.json"))
        SKIP("no " LEGAL);
    assay_json_object(&out);
    assay_json_key(&out, "version");
    assay_json_int(&out, 1);
    assay_json_key(&out, "queries");
    assay_json_list(&out);
    put_legal(LEGAL "/benchmarks/privacy_qa.json", &out, &n);
    put_legal(LEGAL "/benchmarks/contractnli.json", &out, &n);
    assay_json_list_end(&out);
    assay_json_object_end(&out);
    OK(assay_golden_parse("legal.json", assay_buffer_view(&text), NULL, &w.golden, &err));
    assay_buffer_clear(&text);
    return w;
}

TEST(evidence_of_the_handbook_survives_other_chunkings)
{
    world w = handbook();

    prove(&w);
    prove_anchors(&w);
    assay_golden_free(w.golden);
}

TEST(evidence_of_legal_texts_survives_other_chunkings)
{
    world w = legal();

    remove(CORPUS);
    remove("first.db");
    prove(&w);
    prove_anchors(&w);
    assay_golden_free(w.golden);
}
