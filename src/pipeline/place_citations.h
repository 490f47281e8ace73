/* SPDX-License-Identifier: Apache-2.0 */
/* What answers cite, looked up in a corpus: whether it exists does not depend on what was
 * retrieved. */
#ifndef ASSAY_PIPELINE_PLACE_CITATIONS_H
#define ASSAY_PIPELINE_PLACE_CITATIONS_H

#include "run/run.h"

/* Fill run->cited with the chunks and documents of `corpus` (a file) that citations name,
 * by chunk id (of today or archived), document or path.  A citation of lines without bytes
 * gets the bytes of today's text; lines that the document does not have make it
 * is_beyond. */
ASSAY_MUST_USE assay_status assay_place_citations(assay_run *run, const char *corpus,
                                                  assay_error *err);

#endif
