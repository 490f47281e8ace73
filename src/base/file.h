/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory: mapped where possible, unpacked where they are gz or zst. */
#ifndef ASSAY_BASE_FILE_H
#define ASSAY_BASE_FILE_H

#include <stdbool.h>

#include "assay.h"

/* The bytes of one input.  A zeroed one is empty. */
typedef struct assay_file {
    assay_slice text; /* the contents, unpacked; never a null ptr after open */
    void *mapped;     /* what munmap gets, or null */
    size_t mapped_len;
    char *heap; /* what is freed, or null */
} assay_file;

/* Read `path`; "-" is standard input.  gz and zst are known by their first bytes.  A
 * file that is not there is ASSAY_EUSAGE, one that cannot be read ASSAY_ESYSTEM, broken
 * compression ASSAY_EINPUT. */
ASSAY_MUST_USE assay_status assay_file_open(assay_file *file, const char *path,
                                            assay_error *err);

/* Own a copy of `text` as if it were a file (unpacked as in open). */
ASSAY_MUST_USE assay_status assay_file_copy(assay_file *file, assay_slice text,
                                            const char *name, assay_error *err);

void assay_file_close(assay_file *file);

/* Replace `path` by `text` in one step: written beside it, then renamed, so that
 * nobody ever sees half of it.  A name that ends in .gz or .zst is packed. */
ASSAY_MUST_USE assay_status assay_file_save(const char *path, assay_slice text,
                                            assay_error *err);

bool assay_file_is_folder(const char *path);
bool assay_file_exists(const char *path);

#endif
