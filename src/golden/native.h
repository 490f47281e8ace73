/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of assay's own golden format; g_native.c reads it. */
#ifndef ASSAY_GOLDEN_NATIVE_H
#define ASSAY_GOLDEN_NATIVE_H

#include "golden/golden.h"

/* As YAML, or as JSON when target->is_json. */
ASSAY_MUST_USE assay_status assay_native_write(const assay_golden *golden,
                                               const assay_golden_target *target,
                                               assay_error *err);

#endif
