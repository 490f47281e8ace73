/* SPDX-License-Identifier: Apache-2.0 */
/* The header is a Python dictionary:
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3633, 384), }
 *
 * behind "\x93NUMPY", two bytes of version and its length (2 bytes in version 1, else 4).
 * Only what such a header can hold is understood. */
#include "embed/npy.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/halves.h"
#include "base/slice.h"

typedef struct header {
    const char *path;
    const char *p;
    const char *end;
    assay_slice descr;
    assay_slice order;
    size_t shape[2];
    uint32_t n_shape; /* 3 = more than two */
    assay_error *err;
} header;

static void skip_blanks(header *h)
{
    while (h->p < h->end && (*h->p == ' ' || *h->p == '\n' || *h->p == '\t'))
        h->p++;
}

static bool take(header *h, char c)
{
    skip_blanks(h);
    if (h->p == h->end || *h->p != c)
        return false;
    h->p++;
    return true;
}

static bool take_text(header *h, assay_slice *out)
{
    const char *close;
    char quote;

    skip_blanks(h);
    if (h->p == h->end || (*h->p != '\'' && *h->p != '"'))
        return false;
    quote = *h->p++;
    close = memchr(h->p, quote, (size_t)(h->end - h->p));
    if (!close)
        return false;
    *out = (assay_slice){h->p, (size_t)(close - h->p)};
    h->p = close + 1;
    return true;
}

static bool take_word(header *h, assay_slice *out)
{
    skip_blanks(h);
    out->ptr = h->p;
    while (h->p < h->end &&
           ((*h->p >= 'A' && *h->p <= 'Z') || (*h->p >= 'a' && *h->p <= 'z')))
        h->p++;
    out->len = (size_t)(h->p - out->ptr);
    return out->len > 0;
}

static bool take_number(header *h, size_t *out)
{
    size_t n = 0;
    const char *begin;

    skip_blanks(h);
    for (begin = h->p; h->p < h->end && *h->p >= '0' && *h->p <= '9'; h->p++) {
        if (n > (SIZE_MAX - 9) / 10)
            return false;
        n = n * 10 + (size_t)(*h->p - '0');
    }
    *out = n;
    return h->p > begin;
}

static bool take_shape(header *h)
{
    if (!take(h, '('))
        return false;
    for (h->n_shape = 0; !take(h, ')');) {
        size_t n;

        if (!take_number(h, &n))
            return false;
        if (h->n_shape < 2)
            h->shape[h->n_shape] = n;
        h->n_shape += h->n_shape < 3;
        if (!take(h, ',')) {
            if (!take(h, ')'))
                return false;
            break;
        }
    }
    return true;
}

static bool take_entry(header *h)
{
    assay_slice key;

    if (!take_text(h, &key) || !take(h, ':'))
        return false;
    if (assay_slice_is(key, "descr"))
        return take_text(h, &h->descr);
    if (assay_slice_is(key, "fortran_order"))
        return take_word(h, &h->order);
    return assay_slice_is(key, "shape") && take_shape(h);
}

static bool take_header(header *h)
{
    if (!take(h, '{'))
        return false;
    while (!take(h, '}')) {
        if (!take_entry(h))
            return false;
        if (!take(h, ',')) {
            if (!take(h, '}'))
                return false;
            break;
        }
    }
    skip_blanks(h);
    return h->p == h->end;
}

/* Where the header begins and ends. */
static assay_status find_header(header *h, assay_slice text, size_t *behind)
{
    const unsigned char *b = (const unsigned char *)text.ptr;
    size_t len;
    size_t at;

    if (text.len < 10 || memcmp(b, "\x93NUMPY", 6) != 0)
        return assay_fail_at(h->err, h->path, 0, "not a .npy file");
    if (b[6] < 1 || b[6] > 3 || (b[6] > 1 && text.len < 12))
        return assay_fail_at(h->err, h->path, 0, "version %u of .npy is not known", b[6]);
    at = b[6] == 1 ? 10 : 12;
    len = (size_t)b[8] | (size_t)b[9] << 8;
    if (b[6] > 1)
        len |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    if (len > text.len - at)
        return assay_fail_at(h->err, h->path, 0, "the file ends within its header");
    h->p = text.ptr + at;
    h->end = h->p + len;
    *behind = at + len;
    return ASSAY_OK;
}

static const struct {
    const char *descr;
    assay_npy_type type;
    size_t size;
} types[] = {
    {"<f2", ASSAY_NPY_F2, 2}, {"<f4", ASSAY_NPY_F4, 4}, {"<f8", ASSAY_NPY_F8, 8}};

static assay_status check_header(const header *h, assay_slice data, assay_npy *out)
{
    size_t t = 0;

    while (t < 3 && !assay_slice_is(h->descr, types[t].descr))
        t++;
    if (t == 3)
        return assay_fail_at(h->err, h->path, 0,
                             "its numbers are '%.*s'; want '<f4', '<f8' or '<f2'",
                             ASSAY_QUOTE(h->descr));
    if (!assay_slice_is(h->order, "False"))
        return assay_fail_at(h->err, h->path, 0, "want an array in C order");
    if (h->n_shape != 2)
        return assay_fail_at(h->err, h->path, 0, "want a matrix, a row for each vector");
    if (h->shape[1] && h->shape[0] > SIZE_MAX / types[t].size / h->shape[1])
        return assay_fail_at(h->err, h->path, 0, "its shape is too large");
    if (h->shape[0] * h->shape[1] * types[t].size != data.len)
        return assay_fail_at(h->err, h->path, 0,
                             "%zu rows of %zu numbers are %zu bytes, but %zu follow",
                             h->shape[0], h->shape[1],
                             h->shape[0] * h->shape[1] * types[t].size, data.len);
    *out = (assay_npy){types[t].type, h->shape[0], h->shape[1], data};
    return ASSAY_OK;
}

assay_status assay_npy_read(const char *path, assay_slice text, assay_npy *out,
                            assay_error *err)
{
    header h = {.path = path, .err = err};
    size_t behind = 0;
    assay_status st = find_header(&h, text, &behind);

    if (st)
        return st;
    if (!take_header(&h) || !h.descr.ptr || !h.order.ptr)
        return assay_fail_at(err, path, 0,
                             "its header is not {'descr', 'fortran_order', 'shape'}");
    return check_header(&h, (assay_slice){text.ptr + behind, text.len - behind}, out);
}

static uint64_t load(const char *p, size_t size)
{
    uint64_t x = 0;

    for (size_t i = 0; i < size; i++)
        x |= (uint64_t)(unsigned char)p[i] << (8 * i);
    return x;
}

void assay_npy_row(const assay_npy *npy, size_t row, float *out)
{
    size_t size = types[npy->type].size;
    const char *p = npy->data.ptr + row * npy->n_cols * size;

    for (size_t i = 0; i < npy->n_cols; i++, p += size) {
        uint64_t bits = load(p, size);
        double wide;

        switch (npy->type) {
        case ASSAY_NPY_F2: out[i] = assay_float_of_half((uint16_t)bits); break;
        case ASSAY_NPY_F4: out[i] = assay_float_of_bits((uint32_t)bits); break;
        case ASSAY_NPY_F8:
            memcpy(&wide, &bits, sizeof wide);
            out[i] = (float)wide;
            break;
        }
    }
}
