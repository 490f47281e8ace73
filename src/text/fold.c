/* SPDX-License-Identifier: Apache-2.0 */
/* Folding over utf8proc.  Its functions that allocate are left alone: the code points go
 * into a buffer of ours, where utf8proc also composes and encodes them again. */
#include "text/fold.h"

#include <string.h>
#include <utf8proc.h>

#include "base/buffer.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/utf8.h"

#define FORM (UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD)

/* ---- folding ---- */

static bool is_ascii(assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] >= 0x80)
            return false;
    return true;
}

static bool is_space(utf8proc_int32_t code)
{
    if (code <= ' ')
        return code == ' ' || (code >= '\t' && code <= '\r');
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return true;
    default: return code == 0x85;
    }
}

/* Most text is ASCII, where folding is lower case and nothing else. */
static size_t fold_ascii(assay_slice s, char *to)
{
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];

        to[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return n;
}

/* Replace what is not UTF-8. */
static void repair(assay_slice s, assay_buffer *out)
{
    while (s.len > 0) {
        size_t n = assay_utf8_valid(s);

        assay_buffer_add(out, s.ptr, n);
        s.ptr += n;
        s.len -= n;
        if (s.len == 0)
            break;
        assay_buffer_text(out, "\xef\xbf\xbd");
        n = assay_utf8_bad(s);
        s.ptr += n;
        s.len -= n;
    }
}

/* Fold well-formed text into a buffer that the caller frees; null: no memory. */
static utf8proc_int32_t *fold_unicode(assay_slice s, size_t *len)
{
    size_t room = s.len + 1; /* a code point a byte is nearly always enough */
    utf8proc_int32_t *code = assay_mem_resize(NULL, room, sizeof *code);
    utf8proc_int32_t *moved;
    utf8proc_ssize_t n;

    if (!code)
        return NULL;
    n = utf8proc_decompose((const utf8proc_uint8_t *)s.ptr, (utf8proc_ssize_t)s.len, code,
                           (utf8proc_ssize_t)room - 1, FORM);
    if (n >= (utf8proc_ssize_t)room) {
        room = (size_t)n + 1;
        moved = assay_mem_resize(code, room, sizeof *code);
        if (!moved)
            goto failed;
        code = moved;
        n = utf8proc_decompose((const utf8proc_uint8_t *)s.ptr, (utf8proc_ssize_t)s.len,
                               code, n, FORM);
    }
    if (n < 0)
        goto failed; /* only for want of memory: the text is well-formed */
    n = utf8proc_reencode(code, n, FORM);
    if (n < 0)
        goto failed;
    *len = (size_t)n;
    return code;

failed:
    assay_mem_free(code);
    return NULL;
}

/* Squeeze white space in place; returns the new length.  s is well-formed. */
static size_t squeeze(char *s, size_t len)
{
    size_t from = 0;
    size_t to = 0;
    bool is_pending = false;

    while (from < len) {
        utf8proc_int32_t code;
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s + from,
                                              (utf8proc_ssize_t)(len - from), &code);
        size_t step = n > 0 ? (size_t)n : 1;

        if (is_space(code)) {
            is_pending = to > 0;
        } else {
            if (is_pending)
                s[to++] = ' ';
            is_pending = false;
            memmove(s + to, s + from, step);
            to += step;
        }
        from += step;
    }
    return to;
}

static bool fold_other(assay_slice text, assay_arena *arena, assay_slice *out)
{
    assay_buffer whole = ASSAY_BUFFER_EMPTY;
    utf8proc_int32_t *code = NULL;
    assay_slice folded;
    size_t len;

    if (!assay_utf8_is(text)) {
        repair(text, &whole);
        text = assay_buffer_view(&whole);
    }
    if (!whole.has_failed)
        code = fold_unicode(text, &len);
    assay_buffer_clear(&whole);
    if (!code)
        return false;
    len = squeeze((char *)code, len);
    folded = assay_arena_copy(arena, (assay_slice){(const char *)code, len});
    assay_mem_free(code);
    if (!folded.ptr)
        return false;
    *out = folded;
    return true;
}

bool assay_fold(assay_slice text, assay_arena *arena, assay_slice *out)
{
    char *to;
    size_t len;

    if (!is_ascii(text))
        return fold_other(text, arena, out);
    to = assay_arena_alloc(arena, text.len);
    if (!to)
        return false;
    len = squeeze(to, fold_ascii(text, to));
    *out = (assay_slice){to, len};
    return true;
}

/* ---- words ---- */

typedef enum part { BETWEEN, LETTER, MARK, ALONE } part;

/* First and last code point of what is written without blanks between words and is
 * taken character by character. */
static bool stands_alone(utf8proc_int32_t code)
{
    static const utf8proc_int32_t range[][2] = {
        {0x2E80, 0x2FDF}, {0x3005, 0x3007},   {0x3021, 0x3029},   {0x3038, 0x303B},
        {0x3041, 0x30FF}, {0x31F0, 0x31FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
        {0xF900, 0xFAFF}, {0x1AFF0, 0x1B16F}, {0x20000, 0x323AF},
    };

    for (size_t i = 0; i < ASSAY_COUNT(range); i++)
        if (code >= range[i][0] && code <= range[i][1])
            return true;
    return false;
}

static part part_of(utf8proc_int32_t code)
{
    if (code < 0x80)
        return (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9') ? LETTER
                                                                            : BETWEEN;
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO: return stands_alone(code) ? ALONE : LETTER;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return MARK;
    default: return BETWEEN;
    }
}

/* Write the words of folded text to `word`, or only count them where it is null. */
static size_t split(assay_slice s, assay_slice *word)
{
    size_t n = 0;
    size_t at = 0;
    part last = BETWEEN; /* of the word that could go on here */

    while (at < s.len) {
        utf8proc_int32_t code;
        utf8proc_ssize_t got = utf8proc_iterate((const utf8proc_uint8_t *)s.ptr + at,
                                                (utf8proc_ssize_t)(s.len - at), &code);
        size_t step = got > 0 ? (size_t)got : 1;
        part now = part_of(code);
        bool goes_on =
            last != BETWEEN && (now == MARK || (now == LETTER && last == LETTER));

        if (goes_on) {
            if (word)
                word[n - 1].len += step;
        } else if (now == LETTER || now == ALONE) {
            if (word)
                word[n] = (assay_slice){s.ptr + at, step};
            n++;
            last = now;
        } else {
            last = BETWEEN;
        }
        at += step;
    }
    return n;
}

bool assay_fold_words(assay_slice text, assay_arena *arena, assay_slice **words,
                      size_t *n)
{
    assay_slice folded;
    assay_slice *word;
    size_t count;

    if (!assay_fold(text, arena, &folded))
        return false;
    count = split(folded, NULL);
    word = ASSAY_ARENA_ARRAY(arena, assay_slice, count);
    if (!word)
        return false;
    *n = split(folded, word);
    *words = word;
    return true;
}

bool assay_fold_key(assay_slice text, assay_arena *arena, assay_slice *out)
{
    assay_slice *word;
    size_t n;
    size_t len = 0;
    char *to;

    if (!assay_fold_words(text, arena, &word, &n))
        return false;
    for (size_t i = 0; i < n; i++)
        len += word[i].len + 1;
    to = assay_arena_alloc(arena, len + 1);
    if (!to)
        return false;
    len = 0;
    for (size_t i = 0; i < n; i++) {
        if (i)
            to[len++] = ' ';
        memcpy(to + len, word[i].ptr, word[i].len);
        len += word[i].len;
    }
    *out = (assay_slice){to, len};
    return true;
}
