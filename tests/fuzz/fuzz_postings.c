/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an index file.  Checksums are mended first, or nothing would get past
 * them; what is taken must be safe to search. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/slice.h"
#include "index/bm25.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The header as postings_file.c has it: sections of place, length and sum, then its own. */
enum { SECTIONS = 15, LIST = 104, SUM = LIST + SECTIONS * 24 };

static void mend(char *bytes, size_t size)
{
    uint64_t sum;

    if (size < SUM + 8)
        return;
    for (size_t i = 0; i < SECTIONS; i++) {
        uint64_t place[2];

        memcpy(place, bytes + LIST + 24 * i, sizeof place);
        if (place[0] > size || place[1] > size - place[0])
            continue;
        sum = assay_hash(bytes + place[0], (size_t)place[1]);
        memcpy(bytes + LIST + 24 * i + 16, &sum, 8);
    }
    sum = size;
    memcpy(bytes + 32, &sum, 8); /* n_bytes */
    sum = assay_hash(bytes, SUM);
    memcpy(bytes + SUM, &sum, 8);
}

static void search(const assay_postings *p)
{
    const assay_bm25_variant *v = assay_bm25_variant_at(0);
    assay_bm25_search *s = NULL;
    assay_bm25 *bm25 = NULL;
    assay_slice term[4];
    assay_tokens query = {term, 0};
    assay_bm25_hit hit[10];
    assay_error err;
    uint32_t n;

    for (uint32_t t = 0; t < p->n_terms && t < 4; t++)
        term[query.n++] = assay_postings_word(p, t);
    if (assay_bm25_new(p, v, &v->standard, 1, &bm25, &err))
        return;
    if (assay_bm25_search_new(bm25, &s, &err) == ASSAY_OK) {
        if (assay_bm25_top(s, &query, 10, hit, &n, &err) == ASSAY_OK)
            for (uint32_t i = 0; i < n; i++)
                if (hit[i].doc >= p->n_docs)
                    abort();
        assay_bm25_search_free(s);
    }
    assay_bm25_free(bm25);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/fuzz-postings-XXXXXX";
    char *bytes = malloc(size + 1);
    assay_postings *p = NULL;
    assay_error err;
    int fd = mkstemp(path);

    if (!bytes || fd < 0)
        abort();
    memcpy(bytes, data, size);
    mend(bytes, size);
    if (write(fd, bytes, size) != (ssize_t)size)
        abort();
    close(fd);
    if (assay_postings_load(path, &p, &err) == ASSAY_OK) {
        search(p);
        assay_postings_free(p);
    }
    unlink(path);
    free(bytes);
    return 0;
}
