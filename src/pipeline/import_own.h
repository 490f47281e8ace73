/* SPDX-License-Identifier: Apache-2.0 */
/* What the files import_*.c share. */
#ifndef ASSAY_PIPELINE_IMPORT_OWN_H
#define ASSAY_PIPELINE_IMPORT_OWN_H

#include "pipeline/import_run.h"

/* Whether the store has a run of this id. */
ASSAY_MUST_USE assay_status assay_import_is_there(const assay_import *import,
                                                  assay_slice run_id, assay_arena *arena,
                                                  bool *out, assay_error *err);

/* Store the row, then the results, then the word that it is whole.  What fails in between
 * takes the run back. */
ASSAY_MUST_USE assay_status assay_import_store(assay_store *store, const assay_stored *s,
                                               const assay_run *run, assay_error *err);

#endif
