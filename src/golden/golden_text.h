/* SPDX-License-Identifier: Apache-2.0 */
/* What every text of a golden set must be before a reader sees it, whichever of its
 * files it came from. */
#ifndef ASSAY_GOLDEN_GOLDEN_TEXT_H
#define ASSAY_GOLDEN_GOLDEN_TEXT_H

#include "golden/golden.h"

/* Refuse broken UTF-8 and lines longer than the options allow. */
ASSAY_MUST_USE assay_status assay_golden_check_text(const char *path, assay_slice text,
                                                    const assay_golden_options *options,
                                                    assay_error *err);

/* `text` without its byte order mark. */
assay_slice assay_golden_skip_bom(assay_slice text);

#endif
