/* SPDX-License-Identifier: Apache-2.0 */
/* The half of u_kebab.c that writes. */
#ifndef ASSAY_RUN_KEBAB_WRITE_H
#define ASSAY_RUN_KEBAB_WRITE_H

#include "run/run.h"

ASSAY_MUST_USE assay_status assay_kebab_write(const assay_run *run, assay_buffer *out,
                                              assay_notes *lost, assay_arena *arena,
                                              assay_error *err);

#endif
