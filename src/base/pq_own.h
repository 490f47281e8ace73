/* SPDX-License-Identifier: Apache-2.0 */
/* What pq.c and pq_stmt.c share. */
#ifndef ASSAY_BASE_PQ_OWN_H
#define ASSAY_BASE_PQ_OWN_H

#include "base/pq.h"
#include "base/pq_lib.h"
#include "base/pq_url.h"

struct assay_pq {
    assay_pq_lib lib;
    assay_pq_conn *conn; /* null while it is lost */
    char *url;           /* as libpq takes it */
    char *place;         /* without what is secret */
    char schema[ASSAY_PQ_SCHEMA_SIZE];
    assay_pq_fault fault;
    int64_t changes;
    uint32_t n_stmts; /* ever made, for their names */
};

/* Forget the last failure; ASSAY_ESYSTEM when there is no connection to talk over. */
ASSAY_MUST_USE assay_status assay_pq_ready(assay_pq *pq, assay_error *err);

/* After something was sent (or not): the last of its results, or the first that is an
 * error.  The caller clears *out. */
ASSAY_MUST_USE assay_status assay_pq_receive(assay_pq *pq, bool was_sent,
                                             assay_pq_result **out, assay_error *err);

#endif
