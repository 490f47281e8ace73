/* SPDX-License-Identifier: Apache-2.0 */
/* The first files of a project: assay.yaml for the documents that are there, a golden set
 * to fill in, and a line in .gitignore. */
#ifndef ASSAY_PIPELINE_STARTER_H
#define ASSAY_PIPELINE_STARTER_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"

/* A folder (or ".") that has documents in it. */
typedef struct assay_starter_place {
    assay_slice path; /* relative to the project's folder */
    uint64_t n_docs;
} assay_starter_place;

/* What was found and done. */
typedef struct assay_starter {
    assay_starter_place *place;
    size_t n_places;
    uint64_t n_left_out;     /* documents beside those folders */
    assay_slice example;     /* id that the first document found will have; "" = none */
    const char *yaml_path;   /* written */
    const char *golden_path; /* written, unless has_golden */
    const char *ignore_path; /* .gitignore that got a line; null = none did */
    bool has_golden;         /* there was one, left as it is */
    bool is_cut_short;       /* so many files that not all of them were looked at */
} assay_starter;

/* Write them into `folder`, which is made where it is not there.  Nothing is ever
 * overwritten: an assay.yaml that is there is ASSAY_NO, a golden.yaml stays and is used.
 * *out lives in `arena`. */
ASSAY_MUST_USE assay_status assay_starter_write(const char *folder, assay_arena *arena,
                                                assay_starter *out, assay_error *err);

#endif
