/* SPDX-License-Identifier: Apache-2.0 */
/* A writer that can be killed, and a reader that knows what must be there.
 *
 *     store_tool put PLACE RUN FIRST COUNT   results FIRST .. FIRST + COUNT - 1, one by one
 *     store_tool check PLACE RUN             load the run and hold it against what put puts
 *     store_tool done PLACE NAME             the queries of any run that have a result
 *     store_tool sound PLACE                 SQLite's own check of a file
 *
 * `put` prints a query's id as soon as the store has taken its result, `check` and `done` the
 * ids they find.  The result of a query follows from its number alone.  Failures are printed to
 * stderr, and their status is the exit code.  PATIENCE_MS in the environment: how long to
 * wait for a database that is gone. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/slice.h"
#include "store/store.h"

enum { N_HITS = 100, ID = 24 };

typedef struct numbered {
    char id[ID];
    char text[80];
    char doc[N_HITS][ID];
    assay_hit hit[N_HITS];
    assay_result result;
} numbered;

static void make(unsigned n, numbered *out)
{
    memset(out, 0, sizeof *out);
    snprintf(out->id, sizeof out->id, "q%06u", n);
    snprintf(out->text, sizeof out->text, "what is number %u?", n);
    for (unsigned i = 0; i < N_HITS; i++) {
        snprintf(out->doc[i], ID, "doc%08u", (n * 7919 + i * 104729) % 99999989);
        out->hit[i] = (assay_hit){.chunk = {"", 0},
                                  .doc = assay_slice_of(out->doc[i]),
                                  .text = {"", 0},
                                  .score = 1.0 / (1 + i) + n * 1e-9,
                                  .has_score = true,
                                  .rank = i + 1};
    }
    out->result = (assay_result){.query_id = assay_slice_of(out->id),
                                 .query = assay_slice_of(out->text),
                                 .mode = {"", 0},
                                 .hit = out->hit,
                                 .n_hits = n % 10 ? N_HITS : 0,
                                 .elapsed_ms = n,
                                 .error = assay_slice_of(n % 10 ? "" : "it broke")};
}

static int is_same(const assay_result *a, const assay_result *b)
{
    int same = assay_slice_eq(a->query, b->query) && assay_slice_eq(a->error, b->error) &&
               a->elapsed_ms <= b->elapsed_ms && a->elapsed_ms >= b->elapsed_ms &&
               a->n_hits == b->n_hits;

    for (unsigned i = 0; same && i < a->n_hits; i++)
        same = assay_slice_eq(a->hit[i].doc, b->hit[i].doc) &&
               a->hit[i].rank == b->hit[i].rank &&
               memcmp(&a->hit[i].score, &b->hit[i].score, sizeof a->hit[i].score) == 0;
    return same;
}

static assay_status put(assay_store *store, const char *run_id, unsigned first,
                        unsigned count, assay_error *err)
{
    static numbered one;
    const assay_stored run = {.run_id = assay_slice_of(run_id),
                              .suite = {"", 0},
                              .snapshot = ASSAY_LIT("{}"),
                              .aggregate = ASSAY_LIT("{}"),
                              .commit = {"", 0},
                              .created_at = ASSAY_LIT("2026-01-02T03:04:05.678Z"),
                              .finished_at = {"", 0},
                              .status = ASSAY_LIT(ASSAY_RUN_OPEN),
                              .source = ASSAY_LIT("assay"),
                              .method = ASSAY_LIT("bm25"),
                              .golden_hash = {"", 0},
                              .corpus_hash = {"", 0},
                              .chunker = {"", 0},
                              .n_planned = count};
    assay_status st = assay_store_add(store, &run, err);

    /* Another writer, or an earlier attempt, may have added it. */
    if (st == ASSAY_EUSAGE)
        st = ASSAY_OK;
    for (unsigned i = first; !st && i < first + count; i++) {
        make(i, &one);
        st = assay_store_put(store, run.run_id, &one.result, err);
        if (!st) {
            printf("%s\n", one.id);
            fflush(stdout);
        }
    }
    return st;
}

static assay_status check(assay_store *store, const char *run_id, assay_error *err)
{
    static numbered one;
    assay_run *run = NULL;
    assay_status st = assay_store_load(store, assay_slice_of(run_id), &run, err);

    for (uint32_t i = 0; !st && i < run->n_results; i++) {
        const assay_result *r = &run->result[i];
        char id[ID];

        snprintf(id, sizeof id, "%.*s", (int)r->query_id.len, r->query_id.ptr);
        make((unsigned)strtoul(id + 1, NULL, 10), &one);
        if (!is_same(r, &one.result)) {
            fprintf(stderr, "%s is not what was put\n", id);
            st = ASSAY_NO;
        }
        printf("%s\n", id);
    }
    assay_run_free(run);
    return st;
}

static assay_status done(assay_store *store, const char *name, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_store_done *row = NULL;
    assay_stored run;
    uint32_t n = 0;
    assay_status st = assay_store_find(store, name, &arena, &run, err);

    if (!st)
        st = assay_store_done_list(store, run.run_id, &arena, &row, &n, err);
    for (uint32_t i = 0; !st && i < n; i++)
        printf("%.*s\n", (int)row[i].query_id.len, row[i].query_id.ptr);
    assay_arena_clear(&arena);
    return st;
}

/* A row of either pragma that is not "ok" is a fault. */
static int count_fault(void *n, int n_columns, char **value, char **name)
{
    (void)name;
    if (n_columns && value[0] && strcmp(value[0], "ok") != 0) {
        fprintf(stderr, "store_tool: %s\n", value[0]);
        ++*(int *)n;
    }
    return 0;
}

static int sound(const char *path)
{
    sqlite3 *db = NULL;
    int n = 0;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        sqlite3_exec(db, "PRAGMA integrity_check", count_fault, &n, NULL) != SQLITE_OK ||
        sqlite3_exec(db, "PRAGMA foreign_key_check", count_fault, &n, NULL) !=
            SQLITE_OK) {
        fprintf(stderr, "store_tool: %s\n", sqlite3_errmsg(db));
        n++;
    }
    sqlite3_close(db);
    return n ? ASSAY_NO : ASSAY_OK;
}

static void tell_waiting(void *ctx, const char *words)
{
    (void)ctx;
    if (words)
        fprintf(stderr, "waiting: %s\n", words);
    else
        fprintf(stderr, "the waiting is over\n");
}

static assay_status work(assay_store *store, char **argv, assay_error *err)
{
    if (strcmp(argv[1], "put") == 0)
        return put(store, argv[3], (unsigned)strtoul(argv[4], NULL, 10),
                   (unsigned)strtoul(argv[5], NULL, 10), err);
    return strcmp(argv[1], "done") == 0 ? done(store, argv[3], err)
                                        : check(store, argv[3], err);
}

static int is_call(int argc, char **argv, const char *verb, int n)
{
    return argc == n + 2 && strcmp(argv[1], verb) == 0;
}

int main(int argc, char **argv)
{
    assay_error err = {ASSAY_OK, ""};
    assay_store *store = NULL;
    int is_put = is_call(argc, argv, "put", 4);
    assay_status st;

    if (is_call(argc, argv, "sound", 1))
        return sound(argv[2]);
    if (!is_put && !is_call(argc, argv, "check", 2) && !is_call(argc, argv, "done", 2)) {
        fprintf(stderr, "usage: store_tool put PLACE RUN FIRST COUNT | check PLACE RUN | "
                        "done PLACE NAME | sound PLACE\n");
        return 2;
    }
    st = assay_store_open(argv[2], is_put ? ASSAY_STORE_CREATE : ASSAY_STORE_READ, &store,
                          &err);
    if (!st)
        assay_store_set_waiting(store, tell_waiting, NULL);
    if (!st && getenv("PATIENCE_MS"))
        assay_store_set_patience(store,
                                 (uint32_t)strtoul(getenv("PATIENCE_MS"), NULL, 10));
    if (!st)
        st = work(store, argv, &err);
    if (st)
        fprintf(stderr, "store_tool: %s\n", err.text);
    assay_store_close(store);
    return (int)st;
}
