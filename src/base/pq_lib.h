/* SPDX-License-Identifier: Apache-2.0 */
/* libpq, as much of it as base/pq uses, looked for when a server is first talked to.
 *
 * Its interface has been the same since libpq.so.5 came (2006), so it is declared here and
 * the build does not ask for its header: every build can talk to PostgreSQL where libpq is
 * installed.  tests/server/libpq_header.c holds this file against the real header. */
#ifndef ASSAY_BASE_PQ_LIB_H
#define ASSAY_BASE_PQ_LIB_H

#include "assay.h"

/* Opaque, as in libpq. */
typedef struct pg_conn assay_pq_conn;
typedef struct pg_result assay_pq_result;
typedef struct _PQconninfoOption {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} assay_pq_option;

/* libpq's numbers. */
enum {
    ASSAY_PQ_CONNECTION_OK = 0,
    ASSAY_PQ_CONNECTION_BAD = 1,
    ASSAY_PQ_POLLING_FAILED = 0,
    ASSAY_PQ_POLLING_READING = 1,
    ASSAY_PQ_POLLING_WRITING = 2,
    ASSAY_PQ_POLLING_OK = 3,
    ASSAY_PQ_COMMAND_OK = 1,
    ASSAY_PQ_TUPLES_OK = 2,
    ASSAY_PQ_VERBOSE = 2,
    ASSAY_PQ_TRANS_IDLE = 0,
    ASSAY_PQ_DIAG_SQLSTATE = 'C',
    ASSAY_PQ_DIAG_PRIMARY = 'M'
};

/* X(member, symbol, result, arguments) */
#define ASSAY_PQ_FUNCTIONS(X)                                                        \
    X(conninfo_parse, "PQconninfoParse", assay_pq_option *, (const char *, char **)) \
    X(conninfo_free, "PQconninfoFree", void, (assay_pq_option *))                    \
    X(freemem, "PQfreemem", void, (void *))                                          \
    X(connect_start, "PQconnectStartParams", assay_pq_conn *,                        \
      (const char *const *, const char *const *, int))                               \
    X(connect_poll, "PQconnectPoll", int, (assay_pq_conn *))                         \
    X(finish, "PQfinish", void, (assay_pq_conn *))                                   \
    X(status, "PQstatus", int, (const assay_pq_conn *))                              \
    X(transaction, "PQtransactionStatus", int, (const assay_pq_conn *))              \
    X(error, "PQerrorMessage", char *, (const assay_pq_conn *))                      \
    X(verbosity, "PQsetErrorVerbosity", int, (assay_pq_conn *, int))                 \
    X(notices, "PQsetNoticeReceiver", assay_pq_receiver *,                           \
      (assay_pq_conn *, assay_pq_receiver *, void *))                                \
    X(needs_password, "PQconnectionNeedsPassword", int, (const assay_pq_conn *))     \
    X(socket, "PQsocket", int, (const assay_pq_conn *))                              \
    X(set_nonblocking, "PQsetnonblocking", int, (assay_pq_conn *, int))              \
    X(flush, "PQflush", int, (assay_pq_conn *))                                      \
    X(consume, "PQconsumeInput", int, (assay_pq_conn *))                             \
    X(is_busy, "PQisBusy", int, (assay_pq_conn *))                                   \
    X(send, "PQsendQuery", int, (assay_pq_conn *, const char *))                     \
    X(send_params, "PQsendQueryParams", int,                                         \
      (assay_pq_conn *, const char *, int, const unsigned *, const char *const *,    \
       const int *, const int *, int))                                               \
    X(send_prepare, "PQsendPrepare", int,                                            \
      (assay_pq_conn *, const char *, const char *, int, const unsigned *))          \
    X(send_prepared, "PQsendQueryPrepared", int,                                     \
      (assay_pq_conn *, const char *, int, const char *const *, const int *,         \
       const int *, int))                                                            \
    X(get_result, "PQgetResult", assay_pq_result *, (assay_pq_conn *))               \
    X(clear, "PQclear", void, (assay_pq_result *))                                   \
    X(result_status, "PQresultStatus", int, (const assay_pq_result *))               \
    X(result_field, "PQresultErrorField", char *, (const assay_pq_result *, int))    \
    X(n_rows, "PQntuples", int, (const assay_pq_result *))                           \
    X(n_changed, "PQcmdTuples", char *, (assay_pq_result *))                         \
    X(type, "PQftype", unsigned, (const assay_pq_result *, int))                     \
    X(value, "PQgetvalue", char *, (const assay_pq_result *, int, int))              \
    X(length, "PQgetlength", int, (const assay_pq_result *, int, int))               \
    X(is_null, "PQgetisnull", int, (const assay_pq_result *, int, int))

typedef void assay_pq_receiver(void *, const assay_pq_result *);

typedef struct assay_pq_lib {
    void *handle;
#define X(member, symbol, result, arguments) result(*member) arguments;
    ASSAY_PQ_FUNCTIONS(X)
#undef X
} assay_pq_lib;

/* Where it is not installed: ASSAY_ESYSTEM, with what to install. */
ASSAY_MUST_USE assay_status assay_pq_load(assay_pq_lib *lib, assay_error *err);

#endif
