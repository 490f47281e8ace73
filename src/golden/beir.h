/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader and the writer of BEIR folders share. */
#ifndef ASSAY_GOLDEN_BEIR_H
#define ASSAY_GOLDEN_BEIR_H

#include "golden/golden.h"

/* "folder/name" + ending, in `arena`; null: no memory. */
const char *assay_beir_path(assay_arena *arena, const char *folder, const char *name,
                            const char *ending);

/* Write into the folder target->path, which is made when it is not there. */
ASSAY_MUST_USE assay_status assay_beir_write(const assay_golden *golden,
                                             const assay_golden_target *target,
                                             assay_error *err);

#endif
