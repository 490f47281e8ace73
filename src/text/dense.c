/* SPDX-License-Identifier: Apache-2.0 */
#include "text/dense.h"

#include "text/tokenizer_work.h"
#include "text/wordbreak.h"

/* Behind the character at p and its marks. */
static const char *step(const char *p, const char *end)
{
    size_t len;

    (void)assay_break_code(p, end, &len);
    p += len;
    while (p < end && (unsigned char)*p >= 0x80) {
        uint32_t code = assay_break_code(p, end, &len);

        /* Hangul and Han have no marks worth a look in the tables. */
        if ((code >= 0x3400 && code <= 0xD7A3) ||
            assay_break_of(code) != ASSAY_BREAK_EXTEND)
            break;
        p += len;
    }
    return p;
}

void assay_dense_grams(assay_token_worker *worker, const char *p, const char *end,
                       size_t n)
{
    const char *to = p;

    for (size_t i = 0; i < n && to < end; i++)
        to = step(to, end);
    for (;;) {
        assay_token_emit(worker, p, (size_t)(to - p));
        if (to >= end || worker->has_failed)
            return;
        p = step(p, end);
        to = step(to, end);
    }
}
