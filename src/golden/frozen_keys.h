/* SPDX-License-Identifier: Apache-2.0 */
/* Words that the writer and the reader of frozen golden sets share. */
#ifndef ASSAY_GOLDEN_FROZEN_KEYS_H
#define ASSAY_GOLDEN_FROZEN_KEYS_H

#include "golden/golden.h"

#define ASSAY_FROZEN_SCHEMA "assay.golden/1"

static const char *const assay_frozen_places[] = {
    [ASSAY_PLACE_NONE] = "",
    [ASSAY_PLACE_SPAN] = "span",
    [ASSAY_PLACE_CHARS] = "chars",
    [ASSAY_PLACE_LINES] = "lines",
};

static const char *const assay_frozen_stales[] = {
    [ASSAY_STALE_NOT] = "",
    [ASSAY_STALE_AMBIGUOUS] = "ambiguous",
    [ASSAY_STALE_LOST] = "lost",
};

#endif
