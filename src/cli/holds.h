/* SPDX-License-Identifier: Apache-2.0 */
/* Who holds on to which chunkings of a corpus, for commands that change or show it. */
#ifndef ASSAY_CLI_HOLDS_H
#define ASSAY_CLI_HOLDS_H

#include "cli/workspace.h"
#include "corpus/corpus.h"
#include "golden/golden.h"

typedef struct assay_hold {
    assay_slice chunking;
    assay_slice who;
} assay_hold;

/* Zeroed, with an arena that names are copied into, is ready. */
typedef struct assay_holds {
    assay_arena *arena;
    assay_hold *item;
    size_t n;
    size_t cap;
} assay_holds;

/* False: no memory. */
bool assay_holds_add(assay_holds *holds, assay_slice chunking, assay_slice who);

/* Add all that the corpus knows of. */
ASSAY_MUST_USE assay_status assay_holds_read(assay_holds *holds, assay_corpus *corpus,
                                             assay_error *err);

/* The i-th of those who hold on to `chunking`, in byte order; a null pointer past the
 * end.  Sort first. */
void assay_holds_sort(assay_holds *holds);
assay_slice assay_holds_who(const assay_holds *holds, assay_slice chunking, size_t i);
void assay_holds_clear(assay_holds *holds);

/* What a corpus calls the golden set: its path, as seen from the project folder where it
 * is below it, in full elsewhere; for standard input the name that it gives itself, or
 * "".  Lives in the command's arena. */
ASSAY_MUST_USE assay_status assay_hold_name(const assay_workspace *ws,
                                            const assay_golden *golden, assay_slice *out,
                                            assay_error *err);

/* Let the golden set hold on to what its judgments name in the corpus file, instead of
 * what it held before.  A corpus that cannot be written is told on standard error, and is
 * no failure. */
ASSAY_MUST_USE assay_status assay_hold_golden(const assay_workspace *ws,
                                              const assay_golden *golden,
                                              const char *corpus, assay_error *err);

/* Let a stored run hold on to the chunking that its hits name; and let go of it.  A corpus
 * that cannot be written, or is gone, is no failure. */
ASSAY_MUST_USE assay_status assay_hold_run(const assay_workspace *ws, assay_slice run_id,
                                           const char *corpus, assay_slice chunking,
                                           assay_error *err);
ASSAY_MUST_USE assay_status assay_hold_release(assay_slice run_id, const char *corpus,
                                               assay_error *err);

/* The same for a file in assay's own format that was just written. */
ASSAY_MUST_USE assay_status assay_hold_file(const assay_workspace *ws, const char *path,
                                            const char *corpus, assay_error *err);

#endif
