/* SPDX-License-Identifier: Apache-2.0 */
/* libpq's calls that do not wait, and one place that does (settle), with a time limit. */
#include "base/pq.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/pq_lib.h"
#include "base/pq_own.h"
#include "base/pq_url.h"
#include "base/pq_words.h"
#include "base/slice.h"

enum {
    CONNECT_MS = 10000,
    ANSWER_MS =
        150000,     /* longer than the server's own limit below, which has better words */
    AGAIN_MS = 100, /* before connecting is tried again; doubled up to the next */
    AGAIN_MOST_MS = 1000,
    STATE = 5 /* letters of an SQLSTATE */
};

/* Limits that hold even when this process is stopped in the middle of something. */
static const char session_text[] = "SET statement_timeout = '120s';"
                                   "SET lock_timeout = '30s';"
                                   "SET idle_in_transaction_session_timeout = '60s'";

/* ---- time ---- */

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Wait until the socket can be read or written; false when the time is over. */
static bool wait_for(int fd, short events, int64_t deadline)
{
    struct pollfd p = {.fd = fd, .events = events};

    for (;;) {
        int64_t left = deadline - now_ms();
        int n = left > 0 ? poll(&p, 1, (int)left) : 0;

        if (n > 0 || left <= 0)
            return n > 0;
        if (n < 0 && errno != EINTR)
            return false;
    }
}

/* ---- failures ---- */

static void drop(assay_pq *pq)
{
    if (pq->conn)
        pq->lib.finish(pq->conn);
    pq->conn = NULL;
    pq->fault = ASSAY_PQ_FAULT_LOST;
}

static assay_status lose(assay_pq *pq, const char *how, assay_error *err)
{
    drop(pq);
    return assay_fail(err, ASSAY_ESYSTEM, "'%s': %s", pq->place, how);
}

/* What libpq says that did not come from the server: its first line, without the beginning
 * that names the server once more. */
static void own_words(const char *message, char *out, size_t size)
{
    static const char prelude[] = " failed: ";
    const char *begin = strstr(message, prelude);

    begin = begin ? begin + sizeof prelude - 1 : message;
    snprintf(out, size, "%.*s", (int)strcspn(begin, "\n"), begin);
}

/* The SQLSTATE in a verbose message, "FATAL:  28P01: password ...", or "".  While connecting
 * libpq has no other way to ask for it. */
static void state_in(const char *message, char *state)
{
    static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    state[0] = '\0';
    for (const char *p = strstr(message, ":  "); p; p = strstr(p + 1, ":  "))
        if (strspn(p + 3, letters) == STATE && p[3 + STATE] == ':')
            snprintf(state, STATE + 1, "%s", p + 3);
}

static assay_status refuse(assay_pq *pq, assay_error *err)
{
    const char *message = pq->lib.error(pq->conn);
    bool needs_password = pq->lib.needs_password(pq->conn) != 0;
    char state[STATE + 1];
    char words[200];

    state_in(message, state);
    own_words(message, words, sizeof words);
    drop(pq);
    if (needs_password)
        return assay_fail(err, ASSAY_ESYSTEM,
                          "'%s': the server wants a password; give it in the address, in "
                          "PGPASSWORD or in ~/.pgpass",
                          pq->place);
    return assay_pq_say(pq->place, state, words, err);
}

/* A result that is an error. */
static assay_status tell(assay_pq *pq, const assay_pq_result *result, assay_error *err)
{
    const char *state = pq->lib.result_field(result, ASSAY_PQ_DIAG_SQLSTATE);
    const char *message = pq->lib.result_field(result, ASSAY_PQ_DIAG_PRIMARY);
    assay_status st;

    if (!state && pq->lib.status(pq->conn) != ASSAY_PQ_CONNECTION_OK)
        return lose(pq, "the connection to the server was lost", err);
    pq->fault = assay_pq_fault_in(state ? state : "");
    st = assay_pq_say(pq->place, state ? state : "", message ? message : "out of memory",
                      err);
    if (pq->fault == ASSAY_PQ_FAULT_LOST)
        drop(pq);
    return st;
}

/* ---- talking ---- */

/* Send what is waiting and take what comes until the next result is whole. */
static const char *settle(assay_pq *pq, int64_t deadline)
{
    static const char lost[] = "the connection to the server was lost";
    static const char silent[] = "the server does not answer";
    const assay_pq_lib *lib = &pq->lib;
    int fd = lib->socket(pq->conn);
    int left;

    for (left = lib->flush(pq->conn); left > 0; left = lib->flush(pq->conn)) {
        if (!wait_for(fd, POLLIN | POLLOUT, deadline))
            return silent;
        if (!lib->consume(pq->conn))
            return lost;
    }
    if (left < 0)
        return lost;
    while (lib->is_busy(pq->conn)) {
        if (!wait_for(fd, POLLIN, deadline))
            return silent;
        if (!lib->consume(pq->conn))
            return lost;
    }
    return NULL;
}

static bool is_good(const assay_pq *pq, const assay_pq_result *result)
{
    int status = pq->lib.result_status(result);

    return status == ASSAY_PQ_COMMAND_OK || status == ASSAY_PQ_TUPLES_OK;
}

assay_status assay_pq_receive(assay_pq *pq, bool was_sent, assay_pq_result **out,
                              assay_error *err)
{
    const assay_pq_lib *lib = &pq->lib;
    int64_t deadline = now_ms() + ANSWER_MS;
    assay_pq_result *last = NULL;
    const char *trouble = was_sent ? NULL : "the connection to the server was lost";
    assay_status st;

    while (!trouble) {
        assay_pq_result *result;

        trouble = settle(pq, deadline);
        result = trouble ? NULL : lib->get_result(pq->conn);
        if (!result)
            break;
        if (last && !is_good(pq, last)) {
            lib->clear(result);
            continue;
        }
        lib->clear(last);
        last = result;
    }
    /* A server that stops says why before it hangs up. */
    if (last && !is_good(pq, last))
        st = tell(pq, last, err);
    else if (trouble)
        st = lose(pq, trouble, err);
    else if (!last)
        st = assay_fail_memory(err, "talking to PostgreSQL");
    else
        st = ASSAY_OK;
    if (st) {
        lib->clear(last);
        return st;
    }
    *out = last;
    return ASSAY_OK;
}

assay_status assay_pq_ready(assay_pq *pq, assay_error *err)
{
    pq->fault = ASSAY_PQ_FAULT_NONE;
    return pq->conn ? ASSAY_OK
                    : lose(pq, "there is no connection to the server any more", err);
}

assay_status assay_pq_run(assay_pq *pq, const char *text, assay_error *err)
{
    assay_pq_result *result;
    assay_status st = assay_pq_ready(pq, err);

    if (!st)
        st = assay_pq_receive(pq, pq->lib.send(pq->conn, text) != 0, &result, err);
    if (!st)
        pq->lib.clear(result);
    return st;
}

assay_status assay_pq_begin(assay_pq *pq, assay_error *err)
{
    return assay_pq_run(pq, "BEGIN", err);
}

assay_status assay_pq_commit(assay_pq *pq, assay_error *err)
{
    return assay_pq_run(pq, "COMMIT", err);
}

void assay_pq_rollback(assay_pq *pq)
{
    assay_pq_fault fault = pq->fault;

    if (pq->conn && pq->lib.transaction(pq->conn) != ASSAY_PQ_TRANS_IDLE &&
        !assay_pq_run(pq, "ROLLBACK", NULL))
        /* Why it came to this is still the question. */
        pq->fault = fault;
}

assay_pq_fault assay_pq_fault_of(const assay_pq *pq)
{
    return pq->fault;
}

int64_t assay_pq_changes(const assay_pq *pq)
{
    return pq->changes;
}

/* ---- connections ---- */

static void ignore(void *ctx, const assay_pq_result *result)
{
    (void)ctx;
    (void)result;
}

/* What stands before the address can be set otherwise in it, what stands behind cannot. */
static assay_pq_conn *begin_connecting(const assay_pq *pq)
{
    static const char *const keyword[] = {"fallback_application_name",
                                          "keepalives_idle",
                                          "keepalives_interval",
                                          "keepalives_count",
                                          "dbname",
                                          "client_encoding",
                                          NULL};
    const char *const value[] = {"assay", "10", "5", "4", pq->url, "UTF8", NULL};

    return pq->lib.connect_start(keyword, value, 1);
}

static assay_status begin_session(assay_pq *pq, assay_error *err)
{
    char text[sizeof session_text + 2 * ASSAY_PQ_SCHEMA_SIZE];

    if (!pq->schema[0])
        return assay_pq_run(pq, session_text, err);
    snprintf(text, sizeof text, "%s; SET search_path = \"%s\"", session_text, pq->schema);
    return assay_pq_run(pq, text, err);
}

static assay_status connect_once(assay_pq *pq, int64_t deadline, assay_error *err)
{
    const assay_pq_lib *lib = &pq->lib;
    int state = ASSAY_PQ_POLLING_WRITING;

    pq->conn = begin_connecting(pq);
    if (!pq->conn)
        return assay_fail_memory(err, "connecting to PostgreSQL");
    if (lib->status(pq->conn) == ASSAY_PQ_CONNECTION_BAD)
        return refuse(pq, err);
    lib->verbosity(pq->conn, ASSAY_PQ_VERBOSE);
    lib->notices(pq->conn, ignore, NULL);
    while (state != ASSAY_PQ_POLLING_OK && state != ASSAY_PQ_POLLING_FAILED) {
        short events = state == ASSAY_PQ_POLLING_READING ? POLLIN : POLLOUT;

        if (!wait_for(lib->socket(pq->conn), events, deadline))
            return lose(pq, "the server does not answer", err);
        state = lib->connect_poll(pq->conn);
    }
    if (state == ASSAY_PQ_POLLING_FAILED || lib->set_nonblocking(pq->conn, 1) != 0)
        return refuse(pq, err);
    return begin_session(pq, err);
}

static assay_status take_url(assay_pq *pq, const char *url, assay_error *err)
{
    size_t size = strlen(url) + 1;
    assay_status st;

    pq->url = assay_mem_alloc(size);
    pq->place = assay_mem_alloc(size);
    if (!pq->url || !pq->place)
        return assay_fail_memory(err, "connecting to PostgreSQL");
    assay_pq_split_url(url, pq->url, pq->schema);
    assay_pq_public_url(url, pq->place, size);
    st = assay_pq_load(&pq->lib, err);
    return st ? st : assay_pq_check_url(&pq->lib, url, pq->url, pq->place, err);
}

assay_status assay_pq_open(const char *url, assay_pq **out, assay_error *err)
{
    assay_pq *pq = ASSAY_NEW(assay_pq);
    assay_status st;

    if (!pq)
        return assay_fail_memory(err, "connecting to PostgreSQL");
    st = take_url(pq, url, err);
    if (!st)
        st = connect_once(pq, now_ms() + CONNECT_MS, err);
    if (st) {
        assay_pq_close(pq);
        return st;
    }
    *out = pq;
    return ASSAY_OK;
}

void assay_pq_close(assay_pq *pq)
{
    if (!pq)
        return;
    drop(pq);
    assay_mem_free(pq->url);
    assay_mem_free(pq->place);
    assay_mem_free(pq);
}

const char *assay_pq_place(const assay_pq *pq)
{
    return pq->place;
}

const char *assay_pq_schema(const assay_pq *pq)
{
    return pq->schema;
}
