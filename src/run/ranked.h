/* SPDX-License-Identifier: Apache-2.0 */
/* A hit reduced to what ordering and judging need: 24 bytes, so that a ranking of a
 * thousand stays in the cache. */
#ifndef ASSAY_RUN_RANKED_H
#define ASSAY_RUN_RANKED_H

#include <stdint.h>

typedef struct assay_ranked {
    const char *id;
    uint32_t len;
    uint32_t index; /* place in the query's list of hits, as the file has it */
    double score;
} assay_ranked;

#endif
