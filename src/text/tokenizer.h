/* SPDX-License-Identifier: Apache-2.0 */
/* Texts to terms: the socket for tokenizers (t_*.c, listed in tokenizer_roster.h).
 *
 * A tokenizer is named `name(param=value,...)`.  Its full spelling, with every parameter,
 * is stored with what was made with it.  Documents and queries go through the same one.
 *
 * Contract: the same text gives the same terms, whatever came before and in whichever
 * worker; terms are never empty, are well-formed UTF-8, and come in the order of the text;
 * any bytes may come in, what is not UTF-8 counts as U+FFFD. */
#ifndef ASSAY_TEXT_TOKENIZER_H
#define ASSAY_TEXT_TOKENIZER_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"
#include "base/params.h"

enum { ASSAY_TOKENIZER_PARAMS = 4 };

/* What a worker's call gives; holds until its next call. */
typedef struct assay_tokens {
    const assay_slice *item;
    size_t n;
} assay_tokens;

/* Scratch space and stemmers of one thread. */
typedef struct assay_token_worker assay_token_worker;

typedef struct assay_tokenizer {
    const char *name;
    const char *summary;
    assay_param param[ASSAY_TOKENIZER_PARAMS + 1]; /* ends with a null name */
    bool keeps_case; /* its cut wants to see capitals: only NFKC was done */

    /* Prepare what is needed beside the buffers; null = nothing. */
    assay_status (*open)(assay_token_worker *worker, assay_error *err);

    /* Emit the terms of `text`, which is normalised, well-formed, and followed by at
     * least ASSAY_TOKENIZER_PAD zero bytes that may be looked at.  Terms may point into
     * it, and it may be written to.  What fails is recorded in the worker. */
    void (*cut)(assay_token_worker *worker, char *text, size_t len);
} assay_tokenizer;

enum { ASSAY_TOKENIZER_PAD = 32 };

/* Null past the end. */
const assay_tokenizer *assay_tokenizer_at(size_t i);
const assay_tokenizer *assay_tokenizer_find(assay_slice name);

#define ASSAY_TOKENIZER_STANDARD "auto"

/* A tokenizer with its parameters. */
typedef struct assay_tokenizing {
    const assay_tokenizer *tokenizer;
    assay_param_value value[ASSAY_TOKENIZER_PARAMS];
} assay_tokenizing;

/* Read `english(stop=none)`; a null spelling is the standard.  What is unknown is
 * ASSAY_EUSAGE and names the nearest.  The spelling must outlive *out. */
ASSAY_MUST_USE assay_status assay_tokenizing_read(const char *spelling,
                                                  assay_tokenizing *out,
                                                  assay_error *err);

/* The full spelling. */
void assay_tokenizing_print(const assay_tokenizing *tokenizing, assay_buffer *out);

/* One for each thread; the caller owns *out. */
ASSAY_MUST_USE assay_status assay_token_worker_new(const assay_tokenizing *tokenizing,
                                                   assay_token_worker **out,
                                                   assay_error *err);

/* The terms of `text`; false: no memory. */
bool assay_tokenize(assay_token_worker *worker, assay_slice text, assay_tokens *out);

void assay_token_worker_free(assay_token_worker *worker);

#endif
