/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence at the level of chunks: which chunks of a run's chunking find it.
 *
 * A judgment that names a chunk of that very chunking means that chunk.  Every other with
 * known evidence (an anchor, a chunk of another chunking) makes relevant each chunk that
 * finds it: |chunk and evidence| / min(|chunk|, |evidence|) >= 0.5. */
#ifndef ASSAY_PIPELINE_PROJECTION_H
#define ASSAY_PIPELINE_PROJECTION_H

#include "golden/resolve.h"

/* For judgment j of query q: id[first[at] .. first[at + 1]), where at = query[q] + j. */
typedef struct assay_projection {
    assay_arena arena;
    assay_slice chunking; /* borrowed */
    uint32_t *query;
    uint32_t *first;
    assay_slice *id;
    uint32_t most; /* ids of one query */
} assay_projection;

/* Make it for `golden` as `resolution` found it in `corpus`, and for the chunking of this
 * full spelling.  A chunking that this program cannot cut by (of an older version) is
 * ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_projection_make(assay_projection *out,
                                                  const assay_golden *golden,
                                                  const assay_resolution *resolution,
                                                  const char *corpus,
                                                  assay_slice chunking, assay_error *err);
void assay_projection_clear(assay_projection *view);

#endif
