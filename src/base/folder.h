/* SPDX-License-Identifier: Apache-2.0 */
/* Folders. */
#ifndef ASSAY_BASE_FOLDER_H
#define ASSAY_BASE_FOLDER_H

#include "assay.h"
#include "base/arena.h"

/* Make the folder `path` and those above it, as far as they are not there.  What the
 * system refuses is ASSAY_ESYSTEM. */
ASSAY_MUST_USE assay_status assay_folder_make(const char *path, assay_error *err);

/* The same for the folder that the file `path` is to stand in. */
ASSAY_MUST_USE assay_status assay_folder_make_for(const char *path, assay_error *err);

/* The full path of a file or folder, without links and dots, in `arena`.  One that is not
 * there is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_folder_real(const char *path, assay_arena *arena,
                                              assay_slice *out, assay_error *err);

#endif
