/* SPDX-License-Identifier: Apache-2.0 */
/* What every retriever must do (retrieve/retrieve.h): at most k hits, best first, equal
 * scores by id bytes descending, finite scores, the same answer on any thread. */
#include "testing.h"

#include "base/pool.h"
#include "base/slice.h"
#include "retrieve/retrieve.h"

enum { N = 6, MOST = 64 };

#define PASSAGE(name, words)                                             \
    {                                                                    \
        .id = {name, sizeof(name) - 1}, .doc = {name, sizeof(name) - 1}, \
        .title = {"", 0}, .text = {                                      \
            words,                                                       \
            sizeof(words) - 1                                            \
        }                                                                \
    }

static const assay_passage item[N] = {
    PASSAGE("a", "insurance covers water damage in the house"),
    PASSAGE("b", "the policy ends when the premium is not paid"),
    PASSAGE("c", "insurance covers water damage in the house"),
    PASSAGE(
        "d",
        "\ubcf4\ud5d8\ub8cc \ub0a9\uc785 \uae30\uac04\uc740 10\ub144\uc785\ub2c8\ub2e4"),
    PASSAGE("e", ""),
    PASSAGE("f", "insurance covers water damage in the house"),
};
static const assay_passages passages = {item, N};

static const char *const queries[] = {
    "water damage", "premium not paid", "\ubcf4\ud5d8\ub8cc \uae30\uac04", "", "zzzz",
    "the the the",  "\xff\xfe",
};
enum { N_QUERIES = sizeof queries / sizeof queries[0] };

typedef struct opened {
    const assay_retriever *r;
    void *state;
    void *worker;
    assay_notes notes;
    assay_arena arena;
} opened;

/* One that counts a word of the first query. */
static const char *reranker(void)
{
    static char spelling[1100];

    snprintf(spelling, sizeof spelling, "cmd:sh %s water", fixture("rerank/count.sh"));
    return spelling;
}

static opened open_retriever(const assay_retriever *r, uint32_t n_threads)
{
    opened o = {.r = r};
    assay_retrieve_source source = {.passages = &passages,
                                    .params = ASSAY_LIT(""),
                                    .reranker = reranker(),
                                    .n_threads = n_threads};
    assay_error err;

    source.notes = &o.notes;
    source.arena = &o.arena;
    if (r->open(&source, &o.state, &err) || r->worker(o.state, &o.worker, &err))
        check_failed(__FILE__, __LINE__, "%s: %s", r->name, err.text);
    return o;
}

static void close_retriever(opened *o)
{
    o->r->worker_close(o->worker);
    o->r->close(o->state);
    assay_notes_clear(&o->notes);
    assay_arena_clear(&o->arena);
}

static uint32_t ask(const assay_retriever *r, void *worker, const char *query, uint32_t k,
                    assay_retrieved *hit)
{
    assay_error err;
    uint32_t n = 77;

    if (r->search(worker, assay_slice_of(query), k, hit, &n, &err))
        check_failed(__FILE__, __LINE__, "%s: %s", r->name, err.text);
    return n;
}

TEST(every_retriever_says_what_it_is)
{
    const assay_retriever *r;

    CHECK(assay_retriever_at(0) != NULL);
    for (size_t i = 0; (r = assay_retriever_at(i)) != NULL; i++) {
        CHECK(r->name && r->summary && r->param && r->open && r->worker && r->search &&
              r->identity && r->worker_close && r->close);
        CHECK(assay_retriever_find(assay_slice_of(r->name)) == r);
    }
    CHECK(assay_retriever_find(ASSAY_LIT("nothing")) == NULL);
}

TEST(every_retriever_gives_at_most_k_hits_in_order)
{
    const assay_retriever *r;
    assay_retrieved hit[MOST];

    for (size_t i = 0; (r = assay_retriever_at(i)) != NULL; i++) {
        opened o = open_retriever(r, 1);

        for (size_t q = 0; q < N_QUERIES; q++) {
            for (uint32_t k = 0; k <= N + 2; k++) {
                uint32_t n = ask(r, o.worker, queries[q], k, hit);

                CHECK(n <= k && n <= N);
                for (uint32_t h = 0; h < n; h++) {
                    CHECK(isfinite(hit[h].score) && hit[h].passage < N);
                    CHECK(h == 0 || hit[h - 1].score > hit[h].score ||
                          (hit[h - 1].score == hit[h].score &&
                           hit[h - 1].passage > hit[h].passage));
                }
            }
        }
        close_retriever(&o);
    }
}

TEST(every_retriever_puts_equal_texts_by_id_descending)
{
    const assay_retriever *r;
    assay_retrieved hit[MOST];

    for (size_t i = 0; (r = assay_retriever_at(i)) != NULL; i++) {
        opened o = open_retriever(r, 2);
        uint32_t n = ask(r, o.worker, "water damage", 3, hit);

        CHECK_INT(n, 3);
        CHECK_INT(hit[0].passage, 5);
        CHECK_INT(hit[1].passage, 2);
        CHECK_INT(hit[2].passage, 0);
        /* Fusion counts ranks, and equal texts have different ones. */
        CHECK(r->leg_name || hit[0].score == hit[2].score);
        close_retriever(&o);
    }
}

/* ---- threads ---- */

typedef struct asking {
    const assay_retriever *r;
    void *worker[4];
    assay_retrieved hit[N_QUERIES][MOST];
    uint32_t n[N_QUERIES];
} asking;

static void ask_one(void *ctx, uint32_t worker, size_t q)
{
    asking *a = ctx;
    assay_error err;

    if (a->r->search(a->worker[worker], assay_slice_of(queries[q]), N, a->hit[q],
                     &a->n[q], &err))
        a->n[q] = 1000;
}

TEST(every_retriever_answers_alike_on_any_number_of_threads)
{
    const assay_retriever *r;

    for (size_t i = 0; (r = assay_retriever_at(i)) != NULL; i++) {
        static asking first;
        static asking other;
        static const uint32_t threads[] = {1, 4};
        opened o[2] = {open_retriever(r, 1), open_retriever(r, 4)};
        assay_error err;

        for (size_t t = 0; t < 2; t++) {
            asking *a = t ? &other : &first;

            memset(a, 0, sizeof *a);
            a->r = r;
            for (size_t w = 0; w < 4; w++)
                CHECK_INT(r->worker(o[t].state, &a->worker[w], &err), ASSAY_OK);
            assay_pool_run(threads[t], N_QUERIES, ask_one, a);
            for (size_t w = 0; w < 4; w++)
                r->worker_close(a->worker[w]);
        }
        CHECK(memcmp(first.n, other.n, sizeof first.n) == 0);
        for (size_t q = 0; q < N_QUERIES; q++)
            for (uint32_t h = 0; h < first.n[q]; h++) {
                CHECK_INT(first.hit[q][h].passage, other.hit[q][h].passage);
                CHECK(first.hit[q][h].score == other.hit[q][h].score);
            }
        close_retriever(&o[0]);
        close_retriever(&o[1]);
    }
}

TEST(every_retriever_names_all_that_decides_its_answers)
{
    const assay_retriever *r;

    for (size_t i = 0; (r = assay_retriever_at(i)) != NULL; i++) {
        opened o = open_retriever(r, 1);
        assay_buffer b = ASSAY_BUFFER_EMPTY;

        r->identity(o.state, &b);
        CHECK(b.len > 0 && !memchr(b.ptr, '\n', b.len));
        assay_buffer_clear(&b);
        close_retriever(&o);
    }
}

TEST(every_retriever_that_explains_says_something_of_a_hit)
{
    const assay_retriever *r;

    for (size_t i = 0; (r = assay_retriever_at(i)) != NULL; i++) {
        opened o = open_retriever(r, 1);
        assay_buffer b = ASSAY_BUFFER_EMPTY;
        assay_error err;

        if (r->explain) {
            CHECK_INT(r->explain(o.worker, ASSAY_LIT("water damage"), 0, &b, &err),
                      ASSAY_OK);
            CHECK(b.len > 0);
        }
        assay_buffer_clear(&b);
        close_retriever(&o);
    }
}

TEST(every_retriever_answers_many_queries_as_it_answers_each)
{
    const assay_retriever *r;

    for (size_t i = 0; (r = assay_retriever_at(i)) != NULL; i++) {
        opened o = open_retriever(r, 2);
        assay_slice query[N_QUERIES];
        assay_retrieved all[N_QUERIES * 4];
        uint32_t n[N_QUERIES];
        assay_error err;

        for (size_t q = 0; q < N_QUERIES; q++)
            query[q] = assay_slice_of(queries[q]);
        if (r->search_batch)
            CHECK_INT(r->search_batch(o.worker, query, N_QUERIES, 4, all, n, &err),
                      ASSAY_OK);
        for (size_t q = 0; r->search_batch && q < N_QUERIES; q++) {
            assay_retrieved hit[4];

            CHECK_INT(ask(r, o.worker, queries[q], 4, hit), n[q]);
            for (uint32_t h = 0; h < n[q]; h++)
                CHECK(hit[h].passage == all[q * 4 + h].passage &&
                      hit[h].score == all[q * 4 + h].score);
        }
        close_retriever(&o);
    }
}

TEST(bm25_refuses_unknown_parameters)
{
    const assay_retriever *r = assay_retriever_find(ASSAY_LIT("bm25"));
    assay_retrieve_source source = {
        .passages = &passages, .params = ASSAY_LIT("k2=1"), .n_threads = 1};
    void *state = NULL;
    assay_error err;

    CHECK_INT(r->open(&source, &state, &err), ASSAY_EUSAGE);
    CHECK(strstr(err.text, "k2") != NULL);
    CHECK(state == NULL);
}

TEST(bm25_keeps_its_index_in_a_file_and_makes_it_anew_for_other_passages)
{
    const assay_retriever *r = assay_retriever_find(ASSAY_LIT("bm25"));
    const assay_passages fewer = {item, N - 1};
    assay_retrieve_source source = {.passages = &passages,
                                    .params = ASSAY_LIT(""),
                                    .index_path = "kept.idx",
                                    .n_threads = 1};
    assay_retrieved hit[MOST];
    assay_error err;

    for (int round = 0; round < 3; round++) {
        void *state = NULL;
        void *worker = NULL;

        source.passages = round < 2 ? &passages : &fewer;
        CHECK_INT(r->open(&source, &state, &err), ASSAY_OK);
        CHECK_INT(r->worker(state, &worker, &err), ASSAY_OK);
        CHECK_INT(ask(r, worker, "water damage", N, hit), round < 2 ? 3 : 2);
        r->worker_close(worker);
        r->close(state);
    }
    write_file("kept.idx", "somebody else's file");
    {
        void *state = NULL;

        CHECK_INT(r->open(&source, &state, &err), ASSAY_EINPUT);
        CHECK_STR(err.text, "kept.idx: this is no index of assay");
    }
}

/* ---- rerank ---- */

static assay_status open_rerank(const char *params, const char *spelling, void **state,
                                assay_error *err)
{
    const assay_retrieve_source source = {.passages = &passages,
                                          .params = assay_slice_of(params),
                                          .reranker = spelling,
                                          .n_threads = 1};

    return assay_retriever_find(ASSAY_LIT("rerank"))->open(&source, state, err);
}

TEST(rerank_needs_a_reranker_and_one_retriever)
{
    void *state = NULL;
    assay_error err;

    CHECK_INT(open_rerank("", NULL, &state, &err), ASSAY_EUSAGE);
    CHECK(strstr(err.text, "--reranker") != NULL);
    CHECK_INT(open_rerank("", "water", &state, &err), ASSAY_EUSAGE);
    CHECK_STR(err.text, "no reranker 'water'; want 'http://HOST/PATH' or 'cmd:PROGRAM "
                        "ARGUMENTS'");
    CHECK_INT(open_rerank("of=bm25+dense", reranker(), &state, &err), ASSAY_EUSAGE);
    CHECK(strstr(err.text, "hybrid.legs=bm25+dense") != NULL);
    CHECK_INT(open_rerank("of=none", reranker(), &state, &err), ASSAY_EUSAGE);
    CHECK_INT(open_rerank("of=bm25,dense.metric=dot", reranker(), &state, &err),
              ASSAY_EUSAGE);
    CHECK_INT(open_rerank("", "cmd:./not-there-at-all", &state, &err), ASSAY_ESYSTEM);
    CHECK_INT(open_rerank("", "cmd:sh -c 'exit 9'", &state, &err), ASSAY_ESYSTEM);
    CHECK_STR(err.text, "reranker 'sh' ended at once: exit 9");
    CHECK(state == NULL);
}

TEST(rerank_keeps_where_a_hit_was_and_gives_no_more_than_it_sent)
{
    const assay_retriever *r = assay_retriever_find(ASSAY_LIT("rerank"));
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_retrieved hit[MOST];
    void *state = NULL;
    void *worker = NULL;
    assay_error err;

    /* bm25 has the three with "damage" in front and 'b' behind; 'b' has no water. */
    CHECK_INT(open_rerank("of=bm25,depth=4,bm25.k1=1", reranker(), &state, &err), 0);
    CHECK_INT(r->worker(state, &worker, &err), ASSAY_OK);
    CHECK_INT(ask(r, worker, "premium damage", N, hit), 4);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(hit[i].leg_rank[1], i + 1);
        CHECK(hit[i].leg_score[1] == hit[i].score);
        CHECK(hit[i].score == (hit[i].passage == 1 ? 0 : 1));
        CHECK(hit[i].leg_rank[0] >= 1 && hit[i].leg_rank[0] <= 4);
    }
    /* "premium" is rarer than "damage": first before, last now. */
    CHECK_INT(hit[3].passage, 1);
    CHECK_INT(hit[3].leg_rank[0], 1);
    CHECK(hit[3].leg_score[0] > hit[0].leg_score[0]);
    CHECK_STR(r->leg_name(state, 0), "first");
    CHECK_STR(r->leg_name(state, 1), "reranker");
    CHECK(r->leg_name(state, 2) == NULL);
    r->identity(state, &b);
    CHECK(assay_slice_starts(assay_buffer_view(&b), "rerank(depth=4) by cmd:sh "));
    assay_buffer_clear(&b);
    r->worker_close(worker);
    r->close(state);
}
