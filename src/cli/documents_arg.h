/* SPDX-License-Identifier: Apache-2.0 */
/* The documents that retrievers search: chunks of a corpus, or what the golden set brings. */
#ifndef ASSAY_CLI_DOCUMENTS_ARG_H
#define ASSAY_CLI_DOCUMENTS_ARG_H

#include "cli/workspace.h"
#include "corpus/corpus.h"
#include "corpus/passages.h"
#include "golden/resolve.h"

/* Zeroed is closed. */
typedef struct assay_documents {
    const char *path; /* of the corpus' file, null = the golden set's own documents */
    assay_corpus *corpus;
    assay_passages passages;
    assay_resolution resolution; /* of the golden set in the corpus */
    assay_arena arena;
} assay_documents;

/* The corpus when one is named (--corpus), or when the golden set brings no documents; its
 * judgments are then resolved in it, and what was lost is added to its notes. */
ASSAY_MUST_USE assay_status assay_documents_open(const assay_workspace *ws,
                                                 assay_golden *golden, uint32_t n_threads,
                                                 assay_documents *out, assay_error *err);

/* The same for those who can do without: only a corpus that is named is opened, and its
 * chunks are not read. */
ASSAY_MUST_USE assay_status assay_documents_named(const assay_workspace *ws,
                                                  assay_golden *golden,
                                                  uint32_t n_threads,
                                                  assay_documents *out, assay_error *err);
void assay_documents_close(assay_documents *documents);

#endif
