/* SPDX-License-Identifier: Apache-2.0 */
/* The commit that a project folder stands at, read from git's own files. */
#ifndef ASSAY_PIPELINE_COMMIT_H
#define ASSAY_PIPELINE_COMMIT_H

#include "assay.h"
#include "base/arena.h"

/* Forty (or sixty-four) hex digits in `arena`, or an empty slice: no repository at or above
 * `folder`, no commit yet, or files that this cannot read.  Never a failure but for
 * memory. */
ASSAY_MUST_USE assay_status assay_commit_of(const char *folder, assay_arena *arena,
                                            assay_slice *out, assay_error *err);

#endif
