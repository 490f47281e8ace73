/* SPDX-License-Identifier: Apache-2.0 */
/* The first half as a vocabulary, the second as a text.  The pieces begin with [CLS], end
 * with [SEP], are no more than asked for, and are all in the vocabulary; a shorter limit
 * gives the same pieces, fewer of them. */
#include <stdlib.h>
#include <string.h>

#include "embed/wordpiece.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const assay_wordpiece *w, assay_slice text)
{
    assay_pieces all = {0};
    assay_pieces few = {0};

    if (!assay_wordpiece_cut(w, text, 512, &all) ||
        !assay_wordpiece_cut(w, text, 5, &few))
        abort();
    if (all.n < 2 || all.n > 512 || few.n > 5 || all.id[0] != w->special[0] ||
        all.id[all.n - 1] != w->special[1])
        abort();
    for (size_t i = 0; i < all.n; i++)
        if (all.id[i] >= w->n_ids)
            abort();
    for (size_t i = 0; i + 1 < few.n; i++)
        if (few.id[i] != all.id[i])
            abort();
    assay_pieces_clear(&all);
    assay_pieces_clear(&few);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char standard[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
    const char *p = (const char *)data;
    size_t half = size / 2;
    char *vocab = malloc(sizeof standard + half);
    assay_wordpiece w;
    assay_error err = {ASSAY_OK, ""};

    memcpy(vocab, standard, sizeof standard - 1);
    memcpy(vocab + sizeof standard - 1, p, half);
    if (!assay_wordpiece_read_lines("v", (assay_slice){vocab, sizeof standard - 1 + half},
                                    &w, &err)) {
        w.is_lower = size & 1;
        w.is_stripped = size & 2;
        w.splits_cjk = size & 4;
        check(&w, (assay_slice){p + half, size - half});
        assay_wordpiece_clear(&w);
    }
    free(vocab);
    if (!assay_wordpiece_read_json("j", (assay_slice){p, size}, &w, &err)) {
        check(&w, (assay_slice){p, size});
        assay_wordpiece_clear(&w);
    } else if (!err.text[0]) {
        abort();
    }
    return 0;
}
