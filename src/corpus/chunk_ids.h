/* SPDX-License-Identifier: Apache-2.0 */
/* What the socket adds to the spans of a chunker: ids and lines. */
#ifndef ASSAY_CORPUS_CHUNK_IDS_H
#define ASSAY_CORPUS_CHUNK_IDS_H

#include "corpus/chunker.h"

/* Set the id of every chunk.  False: no memory. */
bool assay_chunk_ids_set(const assay_chunking *chunking, const assay_document *doc,
                         assay_chunks *chunks);

/* Set the lines of every chunk. */
void assay_chunk_lines_set(assay_slice text, assay_chunks *chunks);

#endif
