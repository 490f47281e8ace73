/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lines.h"

#include <string.h>

#include "base/slice.h"

assay_lines assay_lines_of(const char *path, assay_slice text)
{
    if (assay_slice_starts(text, "\xef\xbb\xbf")) {
        text.ptr += 3;
        text.len -= 3;
    }
    return (assay_lines){.path = path, .rest = text, .line = 0};
}

bool assay_lines_next(assay_lines *in, assay_slice *line)
{
    const char *end;

    if (in->rest.len == 0)
        return false;
    end = memchr(in->rest.ptr, '\n', in->rest.len);
    line->ptr = in->rest.ptr;
    line->len = end ? (size_t)(end - in->rest.ptr) : in->rest.len;
    in->rest.ptr += line->len + (end != NULL);
    in->rest.len -= line->len + (end != NULL);
    if (line->len && line->ptr[line->len - 1] == '\r')
        line->len--;
    in->line++;
    return true;
}

uint64_t assay_lines_number(assay_slice text, const char *at)
{
    uint64_t n = 1;
    const char *p = text.ptr;

    while (p < at) {
        p = memchr(p, '\n', (size_t)(at - p));
        if (!p)
            break;
        n++;
        p++;
    }
    return n;
}
