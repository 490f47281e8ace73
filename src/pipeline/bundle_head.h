/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of run_bundle share: the fields of the head. */
#ifndef ASSAY_PIPELINE_BUNDLE_HEAD_H
#define ASSAY_PIPELINE_BUNDLE_HEAD_H

#include <stdbool.h>
#include <stddef.h>

typedef enum assay_bundle_kind {
    ASSAY_BUNDLE_TEXT, /* assay_slice */
    ASSAY_BUNDLE_COUNT /* uint32_t */
} assay_bundle_kind;

typedef struct assay_bundle_field {
    const char *name;
    assay_bundle_kind kind;
    size_t at;    /* in assay_stored */
    bool is_time; /* differs when the run is made again */
} assay_bundle_field;

/* In the order in which they are written; ends with a null name. */
extern const assay_bundle_field assay_bundle_fields[];

#endif
