/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a document and quotes in it.  The input's first line gives numbers for the
 * hint, the second the quote, the rest is the text; a second quote is cut out of the text.
 * What is found lies in the text, on UTF-8 boundaries; what is exact equals the quote; a
 * part of the text is always found, and both together as each alone. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/slice.h"
#include "corpus/locate.h"
#include "corpus/locate_fold.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(cond) \
    do {              \
        if (!(cond))  \
            abort();  \
    } while (0)

static void check_one(assay_slice text, const assay_sought *s, const assay_located *l)
{
    assay_span at = l->span;

    if (l->finding == ASSAY_FOUND_LOST) {
        PROMISE(at.start == 0 && at.end == 0 && l->reason && l->n_places == 0);
        return;
    }
    PROMISE(at.start < at.end && at.end <= text.len);
    PROMISE(assay_fold_is_boundary(text, (size_t)at.start));
    PROMISE(assay_fold_is_boundary(text, (size_t)at.end));
    PROMISE(l->first_line >= 1 && l->first_line <= l->last_line);
    PROMISE(l->n_places >= 1 && l->n_places <= 1000);
    PROMISE((l->finding == ASSAY_FOUND_RESOLVED) == (l->reason == NULL));
    PROMISE(l->finding != ASSAY_FOUND_AMBIGUOUS || l->n_places > 1);
    PROMISE((l->distance > 0) == (l->rung == ASSAY_RUNG_EDITED));
    if (l->rung == ASSAY_RUNG_EXACT)
        PROMISE(at.end - at.start == s->quote.len &&
                memcmp(text.ptr + at.start, s->quote.ptr, s->quote.len) == 0);
}

static void check_same(const assay_located *a, const assay_located *b)
{
    PROMISE(a->finding == b->finding && a->rung == b->rung);
    PROMISE(a->span.start == b->span.start && a->span.end == b->span.end);
    PROMISE(a->n_places == b->n_places && a->distance == b->distance);
}

static assay_slice cut(assay_slice *rest)
{
    assay_slice part = {"", 0};

    (void)assay_slice_part(rest, '\n', &part);
    return part;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_slice rest = {(const char *)data, size};
    assay_slice numbers = cut(&rest);
    assay_slice quote = cut(&rest);
    assay_document doc = {
        .id = ASSAY_LIT("d"), .text = rest, .form = ASSAY_FORM_MARKDOWN};
    assay_sought sought[4] = {{.quote = quote}, {.quote = quote}, {.heading = quote}};
    unsigned char n[5] = {0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_located all[4];

    memcpy(n, numbers.ptr, numbers.len < sizeof n ? numbers.len : sizeof n);
    sought[1].place = (assay_place)(n[0] % 4);
    sought[1].where = (assay_span){n[1], (uint64_t)n[1] + n[2]};
    if (n[0] & 4)
        sought[1].quote.len = 0;
    if (rest.len > 0) {
        size_t start = n[3] * rest.len / 256;
        size_t len = 1 + n[4] % (rest.len - start);

        sought[3].quote = (assay_slice){rest.ptr + start, len};
    }
    PROMISE(assay_locate(&doc, sought, 4, all, &arena, NULL) == ASSAY_OK);
    for (size_t i = 0; i < 4; i++) {
        assay_located one;

        check_one(rest, &sought[i], &all[i]);
        PROMISE(assay_locate(&doc, &sought[i], 1, &one, &arena, NULL) == ASSAY_OK);
        check_same(&one, &all[i]);
    }
    if (sought[3].quote.len > 0 &&
        assay_fold_is_boundary(rest, (size_t)(sought[3].quote.ptr - rest.ptr)) &&
        assay_fold_is_boundary(rest, (size_t)(sought[3].quote.ptr - rest.ptr) +
                                         sought[3].quote.len))
        PROMISE(all[3].rung == ASSAY_RUNG_EXACT);
    assay_arena_clear(&arena);
    return 0;
}
