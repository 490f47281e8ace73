/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever stands between white space, folded. */
#include "text/tokenizer_work.h"

/* Length of the white space at p, 0 where there is none. */
static size_t space_at(const char *p, const char *end)
{
    const unsigned char *u = (const unsigned char *)p;

    if (u[0] == ' ' || (u[0] >= '\t' && u[0] <= '\r') || (u[0] >= 0x1C && u[0] <= 0x1F))
        return 1;
    if (u[0] == 0xC2 && end - p >= 2 && u[1] == 0x85)
        return 2;
    if (end - p < 3 || u[0] < 0xE1 || u[0] > 0xE3)
        return 0;
    if (u[0] == 0xE1) /* U+1680 */
        return u[1] == 0x9A && u[2] == 0x80 ? 3 : 0;
    if (u[0] == 0xE3) /* U+3000 */
        return u[1] == 0x80 && u[2] == 0x80 ? 3 : 0;
    if (u[1] == 0x80) /* U+2000 to 200A, 2028, 2029, 202F */
        return u[2] <= 0x8A || u[2] == 0xA8 || u[2] == 0xA9 || u[2] == 0xAF ? 3 : 0;
    return u[1] == 0x81 && u[2] == 0x9F ? 3 : 0; /* U+205F */
}

static void cut_whitespace(assay_token_worker *worker, char *text, size_t len)
{
    const char *end = text + len;
    const char *p = text;

    while (p < end) {
        const char *from;
        size_t step = space_at(p, end);

        if (step) {
            p += step;
            continue;
        }
        from = p;
        while (p < end && !space_at(p, end))
            p++;
        assay_token_emit(worker, from, (size_t)(p - from));
    }
}

const assay_tokenizer assay_tokenizer_whitespace = {
    .name = "whitespace",
    .summary = "what stands between white space, folded",
    .cut = cut_whitespace,
};
