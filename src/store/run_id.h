/* SPDX-License-Identifier: Apache-2.0 */
/* Names of new runs, and the time as the store writes it. */
#ifndef ASSAY_STORE_RUN_ID_H
#define ASSAY_STORE_RUN_ID_H

#include "assay.h"

enum { ASSAY_RUN_ID_SIZE = 4 + 32 + 1, ASSAY_STORE_TIME_SIZE = 25 };

/* State of a maker of ids; zeroed is ready.  Ids of one maker ascend. */
typedef struct assay_run_ids {
    uint64_t last_ms;
    uint32_t count; /* of ids in that millisecond, above a random beginning */
} assay_run_ids;

/* "run_" and a UUID of version 7 in 32 lower hex digits: 48 bits of milliseconds, then a
 * counter, then chance.  ASSAY_ESYSTEM where the system has no clock or no chance. */
ASSAY_MUST_USE assay_status assay_run_id_make(assay_run_ids *ids,
                                              char out[ASSAY_RUN_ID_SIZE],
                                              assay_error *err);

/* Now, less `ago_s` seconds: UTC, RFC 3339 with milliseconds, "2026-11-16T06:36:03.123Z". */
void assay_store_time(uint32_t ago_s, char out[ASSAY_STORE_TIME_SIZE]);

#endif
