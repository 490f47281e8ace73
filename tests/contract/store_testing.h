/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of stores share: places, runs with everything in them, comparing. */
#ifndef STORE_TESTING_H
#define STORE_TESTING_H

#include <sys/wait.h>

#include "testing.h"

#include "base/slice.h"
#include "store/run_id.h"
#include "store/store.h"

#define SLICE(text) ((assay_slice){("" text), sizeof(text) - 1})
/* The same where the compiler wants a constant. */
#define TEXT(text)             \
    {                          \
        text, sizeof(text) - 1 \
    }
#define OK(call)                                                                     \
    do {                                                                             \
        assay_error ok_err = {ASSAY_OK, ""};                                         \
        if (ok_call((call), &ok_err))                                                \
            check_failed(__FILE__, __LINE__, "%s failed: %s", #call, test_err.text); \
    } while (0)

static assay_error test_err;

static inline int ok_call(assay_status st, const assay_error *unused)
{
    (void)unused;
    return st != ASSAY_OK;
}

/* A new place in the i-th kind of store that is there; null: no more.  SQLite always is;
 * ASSAY_TEST_STORE is the address of a PostgreSQL server, where each place is a schema of
 * its own. */
static inline const char *new_place(int i)
{
    static char place[1200];
    static int count;
    const char *server = getenv("ASSAY_TEST_STORE");

    if (i == 0)
        snprintf(place, sizeof place, "store%d/assay.db", ++count);
    else if (i == 1 && server && server[0])
        snprintf(place, sizeof place, "%s%cschema=t%d_%d", server,
                 strchr(server, '?') ? '&' : '?', (int)getpid(), ++count);
    else
        return NULL;
    return place;
}

static inline assay_store *open_store(const char *place, assay_store_mode mode)
{
    assay_store *store = NULL;

    OK(assay_store_open(place, mode, &store, &test_err));
    return store;
}

/* Run `check` on a new store of each kind. */
static inline void each_store(void (*check)(assay_store *store, const char *place))
{
    const char *at;

    for (int i = 0; (at = new_place(i)) != NULL; i++) {
        char place[1200];
        assay_store *store;

        snprintf(place, sizeof place, "%s", at);
        store = open_store(place, ASSAY_STORE_CREATE);
        check(store, place);
        assay_store_close(store);
    }
}

static inline void check_slice(const char *file, int line, const char *what,
                               assay_slice got, assay_slice want)
{
    if (got.len != want.len || (got.len && memcmp(got.ptr, want.ptr, got.len) != 0))
        check_failed(file, line, "%s is '%.*s', want '%.*s'", what, (int)got.len,
                     got.ptr ? got.ptr : "", (int)want.len, want.ptr ? want.ptr : "");
}
#define CHECK_SLICE(a, b) check_slice(__FILE__, __LINE__, #a, (a), (b))

static inline void check_same_double(double a, double b)
{
    CHECK(memcmp(&a, &b, sizeof a) == 0);
}

static inline void check_same_hit(const assay_hit *a, const assay_hit *b)
{
    CHECK_SLICE(a->chunk, b->chunk);
    CHECK_SLICE(a->doc, b->doc);
    CHECK_SLICE(a->text, b->text);
    CHECK_INT(a->rank, b->rank);
    CHECK_INT(a->has_score, b->has_score);
    if (b->has_score)
        check_same_double(a->score, b->score);
    CHECK_INT(a->n_spans, b->n_spans);
    CHECK((a->span == NULL) == (a->n_spans == 0));
    for (uint32_t i = 0; i < b->n_spans; i++)
        CHECK(a->span[i].start == b->span[i].start && a->span[i].end == b->span[i].end);
    CHECK_INT(a->n_legs, b->n_legs);
    for (uint32_t i = 0; i < b->n_legs; i++) {
        CHECK_SLICE(a->leg[i].name, b->leg[i].name);
        CHECK_INT(a->leg[i].rank, b->leg[i].rank);
        CHECK_INT(a->leg[i].has_score, b->leg[i].has_score);
        if (b->leg[i].has_score)
            check_same_double(a->leg[i].score, b->leg[i].score);
    }
}

static inline void check_same_answer(const assay_answer *a, const assay_answer *b)
{
    CHECK((a == NULL) == (b == NULL));
    if (!a)
        return;
    CHECK_SLICE(a->text, b->text);
    CHECK_SLICE(a->refusal_reason, b->refusal_reason);
    CHECK_SLICE(a->model, b->model);
    CHECK_INT(a->grounded, b->grounded);
    CHECK_INT(a->prompt_tokens, b->prompt_tokens);
    CHECK_INT(a->completion_tokens, b->completion_tokens);
    check_same_double(a->latency_ms, b->latency_ms);
    check_same_double(a->cost, b->cost);
    CHECK_INT(a->n_citations, b->n_citations);
    for (uint32_t i = 0; i < b->n_citations; i++) {
        const assay_citation *c = &a->citation[i];
        const assay_citation *d = &b->citation[i];

        CHECK_SLICE(c->marker, d->marker);
        CHECK_SLICE(c->chunk, d->chunk);
        CHECK_SLICE(c->doc, d->doc);
        CHECK_SLICE(c->path, d->path);
        CHECK(c->span.start == d->span.start && c->span.end == d->span.end);
        CHECK(c->lines.start == d->lines.start && c->lines.end == d->lines.end);
    }
}

static inline void check_same_result(const assay_result *a, const assay_result *b)
{
    CHECK_SLICE(a->query_id, b->query_id);
    CHECK_SLICE(a->query, b->query);
    CHECK_SLICE(a->mode, b->mode);
    CHECK_SLICE(a->error, b->error);
    check_same_double(a->elapsed_ms, b->elapsed_ms);
    check_same_answer(a->answer, b->answer);
    CHECK_INT(a->n_hits, b->n_hits);
    for (uint32_t i = 0; i < b->n_hits; i++)
        check_same_hit(&a->hit[i], &b->hit[i]);
}

/* A run as small as one can be. */
static inline assay_stored small_run(const char *id)
{
    return (assay_stored){.run_id = assay_slice_of(id),
                          .suite = SLICE(""),
                          .snapshot = SLICE("{\"method\":\"bm25\"}"),
                          .created_at = SLICE("2026-11-16T06:00:00.000Z"),
                          .method = SLICE("bm25"),
                          .n_planned = 2};
}

static inline void add_run(assay_store *store, const char *id)
{
    assay_stored run = small_run(id);

    OK(assay_store_add(store, &run, &test_err));
}

/* A result whose hits are named after it. */
static inline void put_result(assay_store *store, const char *run_id, const char *query)
{
    assay_hit hit[3];
    assay_result r = {.query_id = assay_slice_of(query),
                      .query = SLICE("what?"),
                      .mode = SLICE(""),
                      .error = SLICE(""),
                      .hit = hit,
                      .n_hits = 3,
                      .elapsed_ms = 1.5};

    for (uint32_t i = 0; i < 3; i++)
        hit[i] = (assay_hit){.chunk = SLICE(""),
                             .doc = assay_slice_of(query),
                             .text = SLICE(""),
                             .rank = i + 1,
                             .score = 1.0 / (i + 1),
                             .has_score = true};
    OK(assay_store_put(store, assay_slice_of(run_id), &r, &test_err));
}

#endif
