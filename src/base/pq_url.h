/* SPDX-License-Identifier: Apache-2.0 */
/* For base/pq.c: is an address fit to be handed to libpq? */
#ifndef ASSAY_BASE_PQ_URL_H
#define ASSAY_BASE_PQ_URL_H

#include "assay.h"
#include "base/pq_lib.h"

/* The server cuts longer names off. */
enum { ASSAY_PQ_SCHEMA_SIZE = 64 };

/* The parameter 'schema' is ours: `plain` (as large as `url`) gets the address without it,
 * `schema` (of ASSAY_PQ_SCHEMA_SIZE) its value, or "". */
void assay_pq_split_url(const char *url, char *plain, char *schema);

/* ASSAY_EUSAGE when it is not, in words that hold nothing of `url`; `plain` is it without
 * its schema, `place` its public form. */
ASSAY_MUST_USE assay_status assay_pq_check_url(const assay_pq_lib *lib, const char *url,
                                               const char *plain, const char *place,
                                               assay_error *err);

#endif
