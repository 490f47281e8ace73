/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through every tokenizer: terms are not empty, well-formed, the same again, and
 * the same in a worker that has seen other text before. */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "base/utf8.h"
#include "text/tokenizer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 16 };

static assay_token_worker *workers[MOST];

static uint64_t sum_of(assay_token_worker *worker, assay_slice text, size_t *n)
{
    assay_tokens terms;
    uint64_t sum = 0;

    if (!assay_tokenize(worker, text, &terms))
        abort();
    for (size_t i = 0; i < terms.n; i++) {
        if (!terms.item[i].len || !assay_utf8_is(terms.item[i]))
            abort();
        for (size_t k = 0; k < terms.item[i].len; k++)
            sum = sum * 31 + (unsigned char)terms.item[i].ptr[k];
        sum = sum * 31 + 1000;
    }
    *n = terms.n;
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const assay_tokenizer *t;

    for (size_t i = 0; (t = assay_tokenizer_at(i)) != NULL && i < MOST; i++) {
        assay_tokenizing tokenizing;
        assay_token_worker *fresh = NULL;
        assay_error err;
        size_t n;
        size_t n_fresh;

        if (assay_tokenizing_read(t->name, &tokenizing, &err) ||
            (!workers[i] && assay_token_worker_new(&tokenizing, &workers[i], &err)) ||
            assay_token_worker_new(&tokenizing, &fresh, &err))
            abort();
        if (sum_of(workers[i], (assay_slice){(const char *)data, size}, &n) !=
                sum_of(fresh, (assay_slice){(const char *)data, size}, &n_fresh) ||
            n != n_fresh)
            abort();
        assay_token_worker_free(fresh);
    }
    return 0;
}
