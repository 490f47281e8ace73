/* SPDX-License-Identifier: Apache-2.0 */
/* Most text needs next to nothing: ASCII becomes lower case, eight bytes at once, and
 * Hangul syllables, Han, Kana and small letters stay what they are.  Only the runs of
 * other characters go through utf8proc, each with the character before it, because marks
 * may compose with that. */
#include "text/normal.h"

#include <string.h>
#include <utf8proc.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/utf8.h"

#define FORM                                                                  \
    (UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE | \
     UTF8PROC_CASEFOLD)

#define HIGH UINT64_C(0x8080808080808080)
#define ONES UINT64_C(0x0101010101010101)

static bool reserve(assay_normal *n, size_t need)
{
    char *moved;

    if (need + ASSAY_NORMAL_PAD <= n->cap)
        return true;
    moved = assay_mem_grow(n->text, &n->cap, need + ASSAY_NORMAL_PAD, 1);
    if (moved)
        n->text = moved;
    return moved != NULL;
}

/* Eight ASCII bytes in lower case: 0x20 is added where a byte is in 'A'..'Z'. */
static uint64_t lower(uint64_t word)
{
    uint64_t above_at = word + ONES * (0x80 - 'A');    /* high bit: >= 'A' */
    uint64_t above_z = word + ONES * (0x80 - 'Z' - 1); /* high bit: > 'Z' */

    return word + ((above_at & ~above_z & HIGH) >> 2);
}

/* Copy the ASCII bytes that `text` begins with; returns how many. */
static size_t copy_ascii(assay_slice text, bool keep_case, char *to)
{
    size_t i = 0;
    uint64_t word;

    for (; i + 8 <= text.len; i += 8) {
        memcpy(&word, text.ptr + i, 8);
        if (word & HIGH)
            break;
        if (!keep_case)
            word = lower(word);
        memcpy(to + i, &word, 8);
    }
    for (; i < text.len && (unsigned char)text.ptr[i] < 0x80; i++) {
        char c = text.ptr[i];

        to[i] = !keep_case && c >= 'A' && c <= 'Z' ? (char)(c + 0x20) : c;
    }
    return i;
}

/* Whether a character is its own normal form, in every case, and never composes with
 * what stands before it. */
static bool is_inert(uint32_t c)
{
    static const uint32_t range[][2] = {
        {0xE0, 0xFE},     {0x3B1, 0x3C1},   {0x3C3, 0x3C9},   {0x430, 0x45F},
        {0x5D0, 0x5EA},   {0x621, 0x63A},   {0x641, 0x64A},   {0x905, 0x939},
        {0xE01, 0xE32},   {0x2012, 0x2016}, {0x2018, 0x201F}, {0x3001, 0x3003},
        {0x3008, 0x3011}, {0x3041, 0x3096}, {0x30A1, 0x30FC}, {0x3400, 0x4DBF},
        {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3},
    };

    if (c >= 0xAC00 && c <= 0xD7A3)
        return true;
    for (size_t i = 0; i < ASSAY_COUNT(range) && c >= range[i][0]; i++)
        if (c <= range[i][1])
            return true;
    return false;
}

/* The character at `at`; 0 where it is not UTF-8 (a zero byte never gets here). */
static uint32_t char_at(assay_slice text, size_t at, size_t *len)
{
    utf8proc_int32_t code;
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text.ptr + at,
                                          (utf8proc_ssize_t)(text.len - at), &code);

    if (n <= 0) {
        *len = assay_utf8_bad((assay_slice){text.ptr + at, text.len - at});
        return 0;
    }
    *len = (size_t)n;
    return (uint32_t)code;
}

/* Normalise text[0..len), well-formed, behind to[*used]. */
static bool fold_run(assay_normal *n, assay_slice run, bool keep_case, size_t *used)
{
    utf8proc_option_t form = keep_case ? FORM & ~UTF8PROC_CASEFOLD : FORM;
    utf8proc_ssize_t got = 0;
    int32_t *moved;

    for (int tries = 0; tries < 2; tries++) {
        size_t need = tries ? (size_t)got : run.len;

        moved = assay_mem_grow(n->code, &n->n_code, need + 1, sizeof *moved);
        if (!moved)
            return false;
        n->code = moved;
        got = utf8proc_decompose((const utf8proc_uint8_t *)run.ptr,
                                 (utf8proc_ssize_t)run.len, n->code,
                                 (utf8proc_ssize_t)n->n_code - 1, form);
        if (got < 0)
            return false; /* only for want of memory: the text is well-formed */
        if ((size_t)got < n->n_code)
            break;
    }
    got = utf8proc_reencode(n->code, got, form);
    if (got < 0 || !reserve(n, *used + (size_t)got))
        return false;
    memcpy(n->text + *used, n->code, (size_t)got);
    *used += (size_t)got;
    return true;
}

/* The end of a run that begins at `from`: characters that are neither ASCII nor inert. */
static size_t run_end(assay_slice text, size_t from)
{
    while (from < text.len && (unsigned char)text.ptr[from] >= 0x80) {
        size_t len;
        uint32_t c = char_at(text, from, &len);

        if (!c || is_inert(c))
            break;
        from += len;
    }
    return from;
}

/* One step at a character that is not ASCII.  `last` bytes of the output are the
 * character before it, `last` bytes of the input too; 0 = nothing it could compose with. */
static bool fold_step(assay_normal *n, assay_slice text, bool keep_case, size_t *at,
                      size_t *used, size_t *last)
{
    size_t len;
    uint32_t c = char_at(text, *at, &len);
    size_t end;

    /* Whatever is copied here is at most three times as long as it was. */
    if (!reserve(n, *used + 8 + 3 * (text.len - *at)))
        return false;
    if (!c) {
        memcpy(n->text + *used, "\xef\xbf\xbd", 3);
        *used += 3;
        *at += len;
        *last = 0;
        return true;
    }
    if (is_inert(c)) {
        memcpy(n->text + *used, text.ptr + *at, len);
        *used += len;
        *at += len;
        *last = len;
        return true;
    }
    end = run_end(text, *at);
    *used -= *last;
    if (!fold_run(n, (assay_slice){text.ptr + *at - *last, end - *at + *last}, keep_case,
                  used))
        return false;
    *at = end;
    *last = 0;
    return reserve(n, *used + 8 + 3 * (text.len - end));
}

bool assay_normal_fold(assay_normal *n, assay_slice text, bool keep_case,
                       assay_slice *out)
{
    size_t at = 0;
    size_t used = 0;
    size_t last = 0;

    if (!reserve(n, text.len))
        return false;
    while (at < text.len) {
        assay_slice rest = {text.ptr + at, text.len - at};

        if ((unsigned char)*rest.ptr < 0x80) {
            size_t step = copy_ascii(rest, keep_case, n->text + used);

            at += step;
            used += step;
            last = 1;
        } else if (!fold_step(n, text, keep_case, &at, &used, &last)) {
            return false;
        }
    }
    memset(n->text + used, 0, ASSAY_NORMAL_PAD);
    *out = (assay_slice){n->text, used};
    return true;
}

void assay_normal_clear(assay_normal *n)
{
    assay_mem_free(n->text);
    assay_mem_free(n->code);
    *n = (assay_normal){.text = NULL};
}
