/* SPDX-License-Identifier: Apache-2.0 */
/* Query texts in files of their own: TREC <top> records, or lines of id, tab, text. */
#ifndef ASSAY_GOLDEN_TOPICS_H
#define ASSAY_GOLDEN_TOPICS_H

#include "golden/golden.h"

/* Read options->topics and give the queries of `golden` their texts.  Topics that no
 * query asks for, and queries without a topic, are counted in a note. */
ASSAY_MUST_USE assay_status assay_topics_load(assay_golden *golden,
                                              const assay_golden_options *options,
                                              assay_error *err);

#endif
