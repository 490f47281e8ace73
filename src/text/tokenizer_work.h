/* SPDX-License-Identifier: Apache-2.0 */
/* Inside a tokenizer's worker: for t_*.c only. */
#ifndef ASSAY_TEXT_TOKENIZER_WORK_H
#define ASSAY_TEXT_TOKENIZER_WORK_H

#include "base/arena.h"
#include "base/compiler.h"
#include "text/normal.h"
#include "text/stems.h"
#include "text/tokenizer.h"

/* Room for one stemmer a script (t_auto.c). */
enum { ASSAY_TOKENIZER_STEMS = 12 };

struct assay_token_worker {
    assay_tokenizing tokenizing;
    assay_slice *item;
    size_t n;
    size_t cap;
    bool has_failed;
    assay_normal normal;
    assay_normal other;                        /* for a word that is folded by itself */
    assay_arena spill;                         /* terms that did not fit their word */
    assay_stems *stems[ASSAY_TOKENIZER_STEMS]; /* null = not (yet) needed */
};

/* Room for at least one more; false: no memory. */
bool assay_token_grow(assay_token_worker *worker);

static inline void assay_token_emit(assay_token_worker *worker, const char *ptr,
                                    size_t len)
{
    if (ASSAY_UNLIKELY(worker->n == worker->cap) && !assay_token_grow(worker))
        return;
    worker->item[worker->n++] = (assay_slice){ptr, len};
}

/* The word at `ptr` through `stems` (null: as it is), emitted unless it is a stop word.
 * The word's own bytes are overwritten where the stem is no longer than it. */
void assay_token_stemmed(assay_token_worker *worker, assay_stems *stems, char *ptr,
                         size_t len);

#endif
