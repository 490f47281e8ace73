/* SPDX-License-Identifier: Apache-2.0 */
/* For base/pq.c: is an address fit to be handed to libpq? */
#ifndef ASSAY_BASE_PQ_URL_H
#define ASSAY_BASE_PQ_URL_H

#include "assay.h"
#include "base/pq_lib.h"

/* ASSAY_EUSAGE when it is not, in words that hold nothing of `url`; `place` is its public
 * form. */
ASSAY_MUST_USE assay_status assay_pq_check_url(const assay_pq_lib *lib, const char *url,
                                               const char *place, assay_error *err);

#endif
