/* SPDX-License-Identifier: Apache-2.0 */
/* Folding over utf8proc, one unit at a time. */
#include "corpus/locate_fold.h"

#include <string.h>
#include <utf8proc.h>

#include "base/mem.h"
#include "base/utf8.h"

enum {
    STRIDE = 128,    /* folded bytes from mark to mark */
    MOST_CODES = 32, /* of a unit: a letter and its marks; longer stacks are cut */
    MOST_BYTES = 1024,
    CACHE = 512 /* letters folded before; a power of two */
};

#define FORM (UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD)

typedef struct unit {
    size_t start;
    size_t end;
    size_t len; /* 0: dropped */
    const char *bytes;
} unit;

typedef struct cached {
    uint32_t code; /* 0: free */
    uint32_t len;
    char bytes[24];
} cached;

typedef struct folder {
    assay_slice text;
    char bytes[MOST_BYTES];
    cached *cache; /* or null */
} folder;

/* ---- reading ---- */

/* The code point at `at` and its length, or -1 and 1 where there is none. */
static size_t read_code(assay_slice s, size_t at, utf8proc_int32_t *code)
{
    utf8proc_ssize_t n;

    if ((unsigned char)s.ptr[at] < 0x80) {
        *code = (unsigned char)s.ptr[at];
        return 1;
    }
    n = utf8proc_iterate((const utf8proc_uint8_t *)s.ptr + at,
                         (utf8proc_ssize_t)(s.len - at), code);
    if (n > 0)
        return (size_t)n;
    *code = -1;
    return 1;
}

/* The code point that ends at `at`, or -1. */
static utf8proc_int32_t code_before(assay_slice s, size_t at)
{
    utf8proc_int32_t code = -1;

    for (size_t back = 1; back <= 4 && back <= at; back++) {
        if (((unsigned char)s.ptr[at - back] & 0xC0) == 0x80)
            continue;
        return read_code(s, at - back, &code) == back ? code : -1;
    }
    return -1;
}

bool assay_fold_is_boundary(assay_slice text, size_t at)
{
    utf8proc_int32_t code;

    if (at == 0 || at >= text.len || ((unsigned char)text.ptr[at] & 0xC0) != 0x80)
        return true;
    for (size_t back = 1; back <= 3 && back <= at; back++)
        if (((unsigned char)text.ptr[at - back] & 0xC0) != 0x80)
            return read_code(text, at - back, &code) <= back;
    return true;
}

/* ---- kinds of characters ---- */

static bool is_space(utf8proc_int32_t code)
{
    if (code <= ' ')
        return code == ' ' || (code >= '\t' && code <= '\r');
    if (code < 0x80)
        return false;
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return true;
    default: return code == 0x85;
    }
}

static bool is_dropped(utf8proc_int32_t code)
{
    return code >= 0x80 && utf8proc_get_property(code)->ignorable;
}

/* A letter, or a mark on one. */
static bool is_letter(utf8proc_int32_t code)
{
    utf8proc_category_t category;

    if (code < 0x80)
        return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    category = utf8proc_category(code);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME;
}

/* Whether it may become one with what stands before it: every mark (a few of which only
 * compose), and the vowels and finals of Hangul. */
static bool is_joining(utf8proc_int32_t code)
{
    utf8proc_category_t category;

    if (code < 0x300)
        return false;
    if (code >= 0x1160 && code <= 0x11FF)
        return true;
    category = utf8proc_category(code);
    return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

/* What printers and typists write differently, or null. */
static const char *plain_form(utf8proc_int32_t code)
{
    if (code < 0x2010 || code > 0x2212)
        return NULL;
    if (code <= 0x2015 || code == 0x2212)
        return "-";
    if (code >= 0x2018 && code <= 0x201B)
        return "'";
    if (code >= 0x201C && code <= 0x201F)
        return "\"";
    return code == 0x2026 ? "..." : NULL;
}

static bool is_hyphen(utf8proc_int32_t code)
{
    return code == '-' || code == 0x2010 || code == 0xAD;
}

/* ---- units ---- */

/* Behind a hyphen that ended at `at`: where the letter stands that goes on after one line
 * break, or 0. */
static size_t after_break(assay_slice s, size_t at)
{
    utf8proc_int32_t code;

    while (at < s.len && (s.ptr[at] == ' ' || s.ptr[at] == '\t'))
        at++;
    if (at < s.len && s.ptr[at] == '\r')
        at++;
    else if (at == s.len || s.ptr[at] != '\n')
        return 0;
    if (at < s.len && s.ptr[at] == '\n')
        at++;
    while (at < s.len && (s.ptr[at] == ' ' || s.ptr[at] == '\t'))
        at++;
    if (at == s.len)
        return 0;
    (void)read_code(s, at, &code);
    /* A mark would join what stands before the hyphen. */
    return code >= 0 && is_letter(code) && !is_joining(code) ? at : 0;
}

/* The end of a run of white space that begins before `at`, with what is dropped between
 * its parts. */
static size_t end_of_space(assay_slice s, size_t at)
{
    size_t end = at;
    utf8proc_int32_t code;

    while (at < s.len) {
        size_t n = read_code(s, at, &code);

        at += n;
        if (code >= 0 && is_space(code))
            end = at;
        else if (code < 0 || !is_dropped(code))
            break;
    }
    return end;
}

/* Fold code[0..n) into out; returns the number of bytes, 0 when it does not fit. */
static size_t fold_codes(const char *bytes, size_t n_bytes, char *out, size_t room)
{
    utf8proc_int32_t code[MOST_CODES * 8];
    size_t len = 0;
    utf8proc_ssize_t n =
        utf8proc_decompose((const utf8proc_uint8_t *)bytes, (utf8proc_ssize_t)n_bytes,
                           code, MOST_CODES * 8, FORM);

    if (n < 0 || n > MOST_CODES * 8)
        return 0;
    n = utf8proc_normalize_utf32(code, n, FORM);
    for (utf8proc_ssize_t i = 0; i < n; i++) {
        if (room - len < 4)
            return 0;
        len += assay_utf8_put((uint32_t)code[i], out + len);
    }
    return len;
}

/* A single code point, as most units are. */
static void fold_one(folder *f, utf8proc_int32_t code, unit *u)
{
    const utf8proc_property_t *property = utf8proc_get_property(code);
    cached mine = {0};
    cached *c = &mine;

    u->bytes = f->text.ptr + u->start;
    u->len = u->end - u->start;
    /* Hangul syllables are taken apart by arithmetic, and put together again. */
    if (property->decomp_seqindex == UINT16_MAX &&
        property->casefold_seqindex == UINT16_MAX)
        return;
    if (f->cache)
        c = &f->cache[((uint32_t)code ^ (uint32_t)code >> 9) % CACHE];
    if (c->code != (uint32_t)code) {
        size_t len = fold_codes(u->bytes, u->len, c->bytes, sizeof c->bytes);

        c->code = (uint32_t)code;
        c->len = (uint32_t)len;
    }
    if (c->len) {
        memcpy(f->bytes, c->bytes, c->len);
        u->bytes = f->bytes;
        u->len = c->len;
    }
}

/* A letter that began at u->start and ended at `at`, with what joins it; what is dropped
 * in between is left out. */
static void fold_letter(folder *f, utf8proc_int32_t first, size_t at, unit *u)
{
    assay_slice s = f->text;
    char joined[MOST_CODES * 4];
    size_t len = at - u->start;
    size_t n_codes = 1;
    utf8proc_int32_t code;

    u->end = at;
    memcpy(joined, s.ptr + u->start, len);
    while (at < s.len && n_codes < MOST_CODES && (unsigned char)s.ptr[at] >= 0x80) {
        size_t n = read_code(s, at, &code);

        if (code < 0)
            break;
        if (!is_dropped(code)) {
            if (!is_joining(code))
                break;
            memcpy(joined + len, s.ptr + at, n);
            len += n;
            n_codes++;
            u->end = at + n;
        }
        at += n;
    }
    if (n_codes == 1) {
        fold_one(f, first, u);
        return;
    }
    u->bytes = f->bytes;
    u->len = fold_codes(joined, len, f->bytes, sizeof f->bytes);
}

/* The unit that begins at `at`, which is inside the text. */
static void next_unit(folder *f, size_t at, unit *u)
{
    assay_slice s = f->text;
    utf8proc_int32_t code;
    size_t end = at + read_code(s, at, &code);
    size_t joined;

    u->start = at;
    u->end = end;
    u->bytes = "";
    u->len = 0;
    if (code < 0) {
        u->bytes = s.ptr + at;
        u->len = 1;
    } else if (is_space(code)) {
        u->end = end_of_space(s, end);
        u->bytes = " ";
        u->len = 1;
    } else if (is_hyphen(code) && is_letter(code_before(s, at)) &&
               (joined = after_break(s, end)) != 0) {
        u->end = joined;
    } else if (is_dropped(code)) {
        return;
    } else if (plain_form(code)) {
        u->bytes = plain_form(code);
        u->len = strlen(u->bytes);
    } else {
        fold_letter(f, code, end, u);
    }
}

/* ---- the whole text ---- */

/* ASCII that folds to one byte by itself when ASCII follows; 0 for all else. */
static unsigned char plain_ascii(unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        return (unsigned char)(c - 'A' + 'a');
    return c > ' ' && c < 0x7F && c != '-' ? c : 0;
}

static bool add_mark(assay_folded *out, size_t source)
{
    assay_fold_mark *mark =
        assay_mem_grow(out->mark, &out->cap_marks, out->n_marks + 1, sizeof *mark);

    if (!mark)
        return false;
    out->mark = mark;
    mark[out->n_marks++] = (assay_fold_mark){source, out->len};
    return true;
}

static bool make_room(assay_folded *out, size_t more)
{
    char *ptr;

    if (out->cap - out->len >= more)
        return true;
    ptr = assay_mem_grow(out->ptr, &out->cap, out->len + more, 1);
    if (!ptr)
        return false;
    out->ptr = ptr;
    return true;
}

/* As many plain bytes as stand at `at`, until the next mark is due; returns the first
 * that was not taken.  There is room for all the source, and more. */
static size_t fold_plain(const unsigned char *table, assay_folded *out, size_t at,
                         size_t next_mark)
{
    const unsigned char *s = (const unsigned char *)out->source.ptr;
    size_t end = out->source.len - 1; /* the last byte is never plain: none follows */
    size_t most = next_mark - out->len;
    unsigned char *to = (unsigned char *)out->ptr + out->len;
    size_t n = 0;

    if (end - at > most)
        end = at + most;
    while (at < end && (to[n] = table[s[at]]) != 0 && s[at + 1] < 0x80) {
        n++;
        at++;
        /* One blank between words, the commonest of what is not plain. */
        if (at < end && s[at] == ' ' && table[s[at + 1]]) {
            to[n++] = ' ';
            at++;
        }
    }
    out->len += n;
    return at;
}

static bool fold_all(folder *f, assay_folded *out)
{
    unsigned char table[256] = {0};
    size_t len = out->source.len;
    size_t at = 0;
    size_t next_mark = 0;
    unit u;

    for (unsigned c = 0; c < 0x80; c++)
        table[c] = plain_ascii((unsigned char)c);
    while (at < len) {
        if (out->len >= next_mark) {
            if (!add_mark(out, at))
                return false;
            next_mark = out->len + STRIDE;
        }
        if (!make_room(out, STRIDE + MOST_BYTES))
            return false;
        at = fold_plain(table, out, at, next_mark);
        if (out->len >= next_mark)
            continue;
        next_unit(f, at, &u);
        memcpy(out->ptr + out->len, u.bytes, u.len);
        out->len += u.len;
        at = u.end;
    }
    return true;
}

bool assay_folded_init(assay_folded *out, assay_slice source)
{
    folder f = {.text = source};
    bool is_ok;

    *out = (assay_folded){.source = source};
    f.cache = ASSAY_NEW_ARRAY(cached, CACHE);
    /* Nearly all texts become no longer. */
    is_ok =
        f.cache && make_room(out, source.len + STRIDE + MOST_BYTES) && fold_all(&f, out);
    assay_mem_free(f.cache);
    if (!is_ok)
        assay_folded_clear(out);
    return is_ok;
}

void assay_folded_clear(assay_folded *f)
{
    assay_mem_free(f->ptr);
    assay_mem_free(f->mark);
    *f = (assay_folded){.source = f->source};
}

/* ---- the way back ---- */

/* The last mark whose folded place is not behind `at`. */
static assay_fold_mark mark_before(const assay_folded *f, size_t at)
{
    size_t low = 0;
    size_t high = f->n_marks;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (f->mark[middle].folded <= at)
            low = middle;
        else
            high = middle;
    }
    return f->mark[low];
}

assay_span assay_folded_source(const assay_folded *f, size_t start, size_t end)
{
    assay_fold_mark from = mark_before(f, start);
    assay_span span = {0, 0};
    bool is_inside = false;
    folder one;
    unit u;

    one.text = f->source;
    one.cache = NULL;
    for (int side = 0; side < 2; side++) {
        size_t want = side ? end - 1 : start;

        /* A long span: no need to walk all of it. */
        if (side && mark_before(f, want).folded > from.folded)
            from = mark_before(f, want);
        for (;;) {
            next_unit(&one, from.source, &u);
            is_inside = want >= from.folded && want < from.folded + u.len;
            if (is_inside)
                break;
            from.source = u.end;
            from.folded += u.len;
        }
        if (side)
            span.end = u.end;
        else
            span.start = u.start;
    }
    return span;
}

size_t assay_folded_find(const assay_folded *f, size_t at)
{
    size_t low = 0;
    size_t high = f->n_marks;
    assay_fold_mark from;
    folder one;
    unit u;

    if (at >= f->source.len || f->n_marks == 0)
        return f->len;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (f->mark[middle].source <= at)
            low = middle;
        else
            high = middle;
    }
    from = f->mark[low];
    one.text = f->source;
    one.cache = NULL;
    while (from.source < f->source.len) {
        next_unit(&one, from.source, &u);
        if (u.end > at && u.len > 0)
            return from.folded;
        from.source = u.end;
        from.folded += u.len;
    }
    return f->len;
}
