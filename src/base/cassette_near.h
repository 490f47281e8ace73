/* SPDX-License-Identifier: Apache-2.0 */
/* Which recorded call is most like one that was not recorded, and what differs. */
#ifndef ASSAY_BASE_CASSETTE_NEAR_H
#define ASSAY_BASE_CASSETTE_NEAR_H

#include "base/cassette_file.h"

/* What requests look like, for finding similar ones: made once for a tape. */
typedef struct assay_tape_looks assay_tape_looks;

assay_tape_looks *assay_tape_looks_new(const assay_tape *tape); /* null: no memory */
void assay_tape_looks_free(assay_tape_looks *looks);

/* The nearest call: of the same kind if there is one, then to the same target, then with
 * the request that has most pieces in common.  Null when the tape is empty. */
const assay_taped *assay_tape_nearest(const assay_tape *tape,
                                      const assay_tape_looks *looks,
                                      const assay_taped *call);

/* Append, on one line and cut to sensible lengths: the call, the nearest one (may be null)
 * and where the two differ. */
void assay_tape_show_miss(const assay_taped *call, const assay_taped *nearest,
                          assay_buffer *out);

#endif
