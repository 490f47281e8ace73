/* SPDX-License-Identifier: Apache-2.0 */
/* JSON objects that are documents: `doc_id|id|_id`, `title`, `content|text|document`.  For
 * the readers of record files, BEIR corpora and evalvault sets.
 *
 * Of several names for one thing the first of the list above that holds something counts;
 * null and "" hold nothing.  A record without id is called doc_<n>, n its number in the
 * file from 1, as evalvault does.  Memory is bounded by the largest record and by the
 * ids. */
#ifndef ASSAY_CORPUS_DOC_RECORDS_H
#define ASSAY_CORPUS_DOC_RECORDS_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/name_list.h"
#include "corpus/doc_ids.h"
#include "corpus/document.h"

typedef struct assay_doc_records {
    const assay_doc_source *source;
    assay_doc_sink *emit;
    void *ctx;
    assay_json json;
    assay_arena outer; /* of what stands around the records */
    assay_arena inner; /* of one record */
    assay_doc_ids ids;
    assay_name_list made;  /* ids made up */
    assay_name_list empty; /* documents without content */
    uint32_t n;            /* records so far */
    const char *counted;   /* line breaks are counted up to here ... */
    uint64_t line;         /* ... which stands in this line */
} assay_doc_records;

void assay_doc_records_init(assay_doc_records *r, const assay_doc_source *source,
                            assay_doc_sink *emit, void *ctx);

/* One record, whose opening brace r->json just gave as `token`. */
ASSAY_MUST_USE assay_status assay_doc_records_item(assay_doc_records *r,
                                                   assay_json_token token,
                                                   assay_error *err);

/* The whole text is one list of records. */
ASSAY_MUST_USE assay_status assay_doc_records_list(assay_doc_records *r,
                                                   assay_error *err);

/* The whole text is an object that has the list under `key`; what else is in it is passed
 * over. */
ASSAY_MUST_USE assay_status assay_doc_records_object(assay_doc_records *r,
                                                     assay_slice key, assay_error *err);

/* A record in each line that is not blank; or, when `is_one`, the whole text is one. */
ASSAY_MUST_USE assay_status assay_doc_records_lines(assay_doc_records *r, bool is_one,
                                                    assay_error *err);

/* What is to be said of all: `st` when it is an error, else ids that came twice, else the
 * notes are written.  Frees everything. */
ASSAY_MUST_USE assay_status assay_doc_records_finish(assay_doc_records *r,
                                                     assay_status st, assay_error *err);

/* The number of a name in "content|text|document" and so on: which of the three fields, and
 * how early in the list. */
typedef enum assay_record_field {
    ASSAY_RECORD_OTHER,
    ASSAY_RECORD_ID,
    ASSAY_RECORD_TITLE,
    ASSAY_RECORD_CONTENT
} assay_record_field;

assay_record_field assay_record_field_of(assay_slice name, int *rank);

#endif
