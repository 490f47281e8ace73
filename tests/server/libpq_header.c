/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles where src/base/pq_lib.h says the same as libpq's own header. */
#include <libpq-fe.h>

#define _PQconninfoOption assay_option /* a second struct beside the real one */
#include "base/pq_lib.h"

_Static_assert(ASSAY_PQ_CONNECTION_OK == CONNECTION_OK, "");
_Static_assert(ASSAY_PQ_CONNECTION_BAD == CONNECTION_BAD, "");
_Static_assert(ASSAY_PQ_POLLING_FAILED == PGRES_POLLING_FAILED, "");
_Static_assert(ASSAY_PQ_POLLING_READING == PGRES_POLLING_READING, "");
_Static_assert(ASSAY_PQ_POLLING_WRITING == PGRES_POLLING_WRITING, "");
_Static_assert(ASSAY_PQ_POLLING_OK == PGRES_POLLING_OK, "");
_Static_assert(ASSAY_PQ_COMMAND_OK == PGRES_COMMAND_OK, "");
_Static_assert(ASSAY_PQ_TUPLES_OK == PGRES_TUPLES_OK, "");
_Static_assert(ASSAY_PQ_VERBOSE == PQERRORS_VERBOSE, "");
_Static_assert(ASSAY_PQ_TRANS_IDLE == PQTRANS_IDLE, "");
_Static_assert(ASSAY_PQ_DIAG_SQLSTATE == PG_DIAG_SQLSTATE, "");
_Static_assert(ASSAY_PQ_DIAG_PRIMARY == PG_DIAG_MESSAGE_PRIMARY, "");
_Static_assert(sizeof(assay_pq_option) == sizeof(PQconninfoOption), "");

/* How many values a call takes, and of what size, is all that its binary form depends on;
 * enums are ints there. */
int main(void)
{
    return 0;
}
