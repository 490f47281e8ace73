/* SPDX-License-Identifier: Apache-2.0 */
/* A result with all that it points to, in another arena. */
#ifndef ASSAY_RUN_RUN_COPY_H
#define ASSAY_RUN_RUN_COPY_H

#include "run/run.h"

/* False: no memory. */
bool assay_run_copy_result(const assay_result *from, assay_arena *arena,
                           assay_result *out);

#endif
