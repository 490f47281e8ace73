/* SPDX-License-Identifier: Apache-2.0 */
/* The handle: which database, its statements, and work that outlives a lost connection.
 * What is done with it stands in store_*.c, by noun. */
#include "store/store.h"

#include <string.h>
#include <time.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "store/database.h"
#include "store/store_own.h"
#include "store/store_roster.h"

enum {
    PATIENCE_MS = 30000,
    FIRST_PAUSE_MS = 50,
    LONGEST_PAUSE_MS = 1000,
    MOST_CONFLICTS = 20 /* lost against other transactions, one after the other */
};

#define X(id) extern const assay_database assay_database_##id;
ASSAY_STORE_ROSTER(X)
#undef X

#define X(id) &assay_database_##id,
static const assay_database *const roster[] = {ASSAY_STORE_ROSTER(X)};
#undef X

const assay_database *assay_database_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

assay_status assay_database_find(const char *place, const assay_database **out,
                                 assay_error *err)
{
    /* Only the scheme is quoted: what comes behind it may be secret. */
    int scheme = (int)strcspn(place, ":");

    for (size_t i = 0; i < ASSAY_COUNT(roster); i++) {
        if (roster[i]->takes(place)) {
            *out = roster[i];
            return ASSAY_OK;
        }
    }
    return assay_fail(err, ASSAY_EUSAGE,
                      "no store is called '%.*s:...'; want a path or postgresql://...",
                      scheme < 40 ? scheme : 40, place);
}

/* ---- opening ---- */

static void forget_statements(assay_store *store)
{
    for (uint32_t i = 0; i < store->n_prepared; i++)
        store->kind->free(store->prepared[i].stmt);
    store->n_prepared = 0;
}

static void disconnect(assay_store *store)
{
    forget_statements(store);
    store->kind->close(store->db);
    store->db = NULL;
}

static assay_status open_db(assay_store *store, assay_error *err)
{
    void *db = NULL;
    assay_status st = store->kind->open(store->place, store->mode, &db, err);

    if (!st)
        st = store->kind->migrate(db, err);
    if (st) {
        store->kind->close(db);
        return st;
    }
    store->db = db;
    return ASSAY_OK;
}

static char *copy_string(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = assay_mem_alloc(size);

    if (copy)
        memcpy(copy, text, size);
    return copy;
}

assay_status assay_store_open(const char *place, assay_store_mode mode, assay_store **out,
                              assay_error *err)
{
    const assay_database *kind = NULL;
    assay_status st = assay_database_find(place, &kind, err);
    assay_store *store;

    if (st)
        return st;
    store = ASSAY_NEW(assay_store);
    if (!store)
        return assay_fail_memory(err, "opening a store");
    store->kind = kind;
    store->mode = mode;
    store->patience_ms = PATIENCE_MS;
    store->place = copy_string(place);
    st = store->place ? open_db(store, err) : assay_fail_memory(err, "opening a store");
    if (!st) {
        store->shown = copy_string(kind->place(store->db));
        if (!store->shown)
            st = assay_fail_memory(err, "opening a store");
    }
    if (st) {
        assay_store_close(store);
        return st;
    }
    /* What is gone later is waited for, not made anew and empty. */
    if (mode == ASSAY_STORE_CREATE)
        store->mode = ASSAY_STORE_WRITE;
    *out = store;
    return ASSAY_OK;
}

void assay_store_close(assay_store *store)
{
    if (!store)
        return;
    disconnect(store);
    assay_hits_packer_clear(&store->packer);
    assay_run_reader_clear(&store->reader);
    assay_zblock_clear(&store->z);
    assay_buffer_clear(&store->json);
    assay_buffer_clear(&store->hits);
    assay_buffer_clear(&store->cached_run);
    assay_mem_free(store->place);
    assay_mem_free(store->shown);
    assay_mem_free(store);
}

const char *assay_store_place(const assay_store *store)
{
    return store->shown;
}

void assay_store_set_patience(assay_store *store, uint32_t ms)
{
    store->patience_ms = ms;
    if (store->db && store->kind->set_patience)
        store->kind->set_patience(store->db, ms);
}

void assay_store_set_waiting(assay_store *store, assay_store_waiting *waiting, void *ctx)
{
    store->waiting = waiting;
    store->waiting_ctx = ctx;
}

/* ---- work ---- */

static void pause_ms(uint32_t ms)
{
    struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};

    (void)nanosleep(&t, NULL);
}

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void tell_waiting(const assay_store *store, const char *words)
{
    if (store->waiting)
        store->waiting(store->waiting_ctx, words);
}

/* Open it again, until the patience is at its end.  Only what refuses may get better:
 * a wrong schema or an unknown user will not. */
static assay_status reconnect(assay_store *store, assay_error *err)
{
    int64_t end = now_ms() + store->patience_ms;
    int64_t pause = FIRST_PAUSE_MS;
    assay_error why = {ASSAY_OK, ""};
    bool was_told = false;
    assay_status st;

    disconnect(store);
    for (;;) {
        int64_t left;

        st = open_db(store, &why);
        left = end - now_ms();
        if (!st || (st != ASSAY_ESYSTEM && st != ASSAY_EUSAGE) || left <= 0)
            break;
        if (!was_told)
            tell_waiting(store, why.text);
        was_told = true;
        pause_ms((uint32_t)(pause < left ? pause : left));
        pause = pause * 2 < LONGEST_PAUSE_MS ? pause * 2 : LONGEST_PAUSE_MS;
    }
    if (was_told)
        tell_waiting(store, NULL);
    if (st) {
        /* It was there once: now it is the system that refuses, whatever the words. */
        return assay_fail(err, st == ASSAY_EUSAGE ? ASSAY_ESYSTEM : st, "%s", why.text);
    }
    if (store->kind->set_patience)
        store->kind->set_patience(store->db, store->patience_ms);
    return ASSAY_OK;
}

typedef struct wrapped {
    assay_store_work *work;
    void *arg;
} wrapped;

static assay_status do_wrapped(assay_store *store, void *arg, assay_error *err)
{
    const wrapped *w = arg;
    assay_status st = store->kind->begin(store->db, err);

    if (!st)
        st = w->work(store, w->arg, err);
    return st ? st : store->kind->commit(store->db, err);
}

assay_status assay_store_do(assay_store *store, assay_store_work *work, void *arg,
                            assay_error *err)
{
    assay_status st = ASSAY_OK;

    store->is_again = false;
    for (uint32_t n = 0;; n++) {
        assay_database_fault fault;

        if (!store->db)
            st = reconnect(store, err);
        if (st)
            return st;
        st = work(store, arg, err);
        if (!st)
            return ASSAY_OK;
        fault = store->kind->fault(store->db);
        /* A broken promise or a missing row is told as it is, and so is the third loss of
         * a connection. */
        if (st != ASSAY_ESYSTEM)
            fault = ASSAY_FAULT_NONE;
        if (fault == ASSAY_FAULT_LOST && n < 3) {
            disconnect(store);
            st = ASSAY_OK;
        } else {
            store->kind->rollback(store->db);
            if (fault != ASSAY_FAULT_AGAIN || n >= MOST_CONFLICTS)
                return st;
            pause_ms(n < 10 ? n : 10);
            st = ASSAY_OK;
        }
        store->is_again = true;
    }
}

assay_status assay_store_do_all(assay_store *store, assay_store_work *work, void *arg,
                                assay_error *err)
{
    wrapped w = {work, arg};

    return assay_store_do(store, do_wrapped, &w, err);
}

/* ---- statements ---- */

assay_status assay_store_ask(assay_store *store, const char *sql, assay_store_query *out,
                             assay_error *err)
{
    void *stmt = NULL;
    assay_status st;

    for (uint32_t i = 0; i < store->n_prepared && !stmt; i++)
        if (store->prepared[i].sql == sql)
            stmt = store->prepared[i].stmt;
    if (!stmt) {
        if (store->n_prepared == ASSAY_STORE_STMTS)
            forget_statements(store);
        st = store->kind->prepare(store->db, sql, &stmt, err);
        if (st)
            return st;
        store->prepared[store->n_prepared].sql = sql;
        store->prepared[store->n_prepared++].stmt = stmt;
    }
    *out = (assay_store_query){store->kind, stmt, 1, 0};
    return ASSAY_OK;
}

void assay_query_int(assay_store_query *q, int64_t value)
{
    q->kind->put_int(q->stmt, q->at++, value);
}

void assay_query_text(assay_store_query *q, assay_slice text)
{
    q->kind->put_text(q->stmt, q->at++, text);
}

void assay_query_string(assay_store_query *q, const char *text)
{
    assay_query_text(q, text ? assay_slice_of(text) : ASSAY_LIT(""));
}

void assay_query_maybe(assay_store_query *q, assay_slice text)
{
    if (text.len)
        assay_query_text(q, text);
    else
        q->kind->put_null(q->stmt, q->at++);
}

void assay_query_blob(assay_store_query *q, assay_slice bytes)
{
    q->kind->put_blob(q->stmt, q->at++, bytes);
}

assay_status assay_query_step(assay_store_query *q, bool *has_row, assay_error *err)
{
    q->column = 0;
    return q->kind->step(q->stmt, has_row, err);
}

assay_status assay_query_run(assay_store_query *q, assay_error *err)
{
    bool has_row = true;
    assay_status st = ASSAY_OK;

    while (!st && has_row)
        st = q->kind->step(q->stmt, &has_row, err);
    return st;
}

int64_t assay_query_get_int(assay_store_query *q)
{
    return q->kind->column_int(q->stmt, q->column++);
}

uint32_t assay_query_get_u32(assay_store_query *q)
{
    int64_t value = assay_query_get_int(q);

    return value < 0 ? 0 : value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

assay_slice assay_query_get(assay_store_query *q)
{
    return q->kind->column_slice(q->stmt, q->column++);
}

assay_slice assay_query_copy(assay_store_query *q, assay_arena *arena)
{
    return assay_arena_copy(arena, assay_query_get(q));
}

void assay_query_end(assay_store_query *q)
{
    q->kind->reset(q->stmt);
}

int64_t assay_store_changes(const assay_store *store)
{
    return store->kind->changes(store->db);
}

/* ---- words ---- */

assay_status assay_store_no_run(const assay_store *store, assay_slice run_id,
                                assay_error *err)
{
    return assay_fail(err, ASSAY_EUSAGE,
                      "no run '%.*s' in '%s'; 'assay runs list' shows those there are",
                      ASSAY_QUOTE(run_id), store->shown);
}

bool assay_store_is_foreign(const assay_store *store)
{
    return store->kind->fault(store->db) == ASSAY_FAULT_FOREIGN;
}
