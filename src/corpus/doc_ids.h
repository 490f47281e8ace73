/* SPDX-License-Identifier: Apache-2.0 */
/* The ids of the documents of one file: each may come once, and all that come twice are
 * named in one message. */
#ifndef ASSAY_CORPUS_DOC_IDS_H
#define ASSAY_CORPUS_DOC_IDS_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/dict.h"
#include "base/name_list.h"

/* Zeroed is empty and ready. */
typedef struct assay_doc_ids {
    assay_arena arena; /* copies of the ids */
    assay_dict dict;
    uint32_t *line; /* of the first appearance, by number */
    size_t cap;
    assay_name_list twice;
    uint32_t first_twice; /* line of the first that came again */
} assay_doc_ids;

/* Add an id that stands in `line`; *is_new says whether it was.  False: no memory. */
bool assay_doc_ids_put(assay_doc_ids *ids, assay_slice id, uint32_t line, bool *is_new);

/* ASSAY_EINPUT when ids came twice. */
ASSAY_MUST_USE assay_status assay_doc_ids_finish(assay_doc_ids *ids, const char *path,
                                                 assay_error *err);

void assay_doc_ids_clear(assay_doc_ids *ids);

#endif
