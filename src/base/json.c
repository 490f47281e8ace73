/* SPDX-License-Identifier: Apache-2.0 */
/* JSON (RFC 8259) read token by token.
 *
 * A state machine whose stack is one flag a level, so that nothing recurses.  A key is
 * read together with its colon, a comma together with what follows it: each call of
 * next does the work of one token.  Strings, which are most of a file, are passed over
 * eight bytes at a time; they are looked at again only where they hold escapes or bytes
 * beyond ASCII.  Lines and columns are counted when a message needs them, never before.
 */
#include "base/json.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/slice.h"
#include "base/utf8.h"

/* What may come next. */
enum state {
    WANT_VALUE,      /* a value: at the start and behind a colon */
    WANT_FIRST_ITEM, /* behind [ : a value or ] */
    WANT_FIRST_KEY,  /* behind { : a key or } */
    WANT_MORE,       /* behind a value inside a list or object: a comma or the end */
    WANT_NOTHING     /* the outermost value is complete */
};

static inline bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') <= 9;
}

/* What could go on a number or a literal: "01", "1.2.3", "nullx". */
static inline bool is_word(char c)
{
    return is_digit(c) || (unsigned char)((c | 0x20) - 'a') < 26 || c == '.' ||
           c == '+' || c == '-' || c == '_';
}

void assay_json_init(assay_json *json, const char *path, uint64_t line, assay_slice text,
                     assay_arena *arena)
{
    if (line <= 1 && assay_slice_starts(text, "\xef\xbb\xbf")) {
        text.ptr += 3;
        text.len -= 3;
    }
    json->path = path;
    json->begin = text.ptr ? text.ptr : "";
    json->p = json->begin;
    json->end = json->begin + text.len;
    json->line = line;
    json->arena = arena;
    json->depth = 0;
    json->state = WANT_VALUE;
    assay_keys_reset(&json->keys);
}

void assay_json_clear(assay_json *json)
{
    assay_keys_clear(&json->keys);
}

/* ---- failing ---- */

void assay_json_place(const assay_json *json, const char *at, uint64_t *line,
                      uint64_t *column)
{
    const char *start = json->begin;
    uint64_t n = json->line;

    for (;;) {
        const char *lf = memchr(start, '\n', (size_t)(at - start));

        if (!lf)
            break;
        n++;
        start = lf + 1;
    }
    *line = n;
    *column = assay_utf8_count((assay_slice){start, (size_t)(at - start)}) + 1;
}

assay_status assay_json_fail(const assay_json *json, const char *at, assay_error *err,
                             const char *format, ...)
{
    uint64_t line;
    uint64_t column;
    char what[600];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    assay_json_place(json, at, &line, &column);
    return assay_fail(err, ASSAY_EINPUT, "%s:%llu:%llu: %s", json->path,
                      (unsigned long long)line, (unsigned long long)column, what);
}

/* What stands at `at`, as far as it is worth quoting: a word, or one character. */
static assay_slice word_at(const assay_json *json, const char *at)
{
    enum { LONGEST = 40 };
    assay_slice s = {at, 0};

    while (at + s.len < json->end && s.len < LONGEST && is_word(at[s.len]))
        s.len++;
    if (s.len == 0) {
        size_t left = (size_t)(json->end - at);

        s.len = 1;
        while (s.len < left && s.len < 4 && ((unsigned char)at[s.len] & 0xC0) == 0x80)
            s.len++;
    }
    return s;
}

static ASSAY_NOINLINE assay_status fail_want(const assay_json *json, const char *at,
                                             const char *wanted, assay_error *err)
{
    assay_slice found;

    if (at >= json->end)
        return assay_json_fail(json, at, err, "want %s, but the text ends here", wanted);
    found = word_at(json, at);
    if ((unsigned char)*at < 0x20 || *at == 0x7F || !assay_utf8_is(found))
        return assay_json_fail(json, at, err, "want %s, found byte 0x%02x", wanted,
                               (unsigned char)*at);
    return assay_json_fail(json, at, err, "want %s, found '%.*s'", wanted,
                           ASSAY_QUOTE(found));
}

static const char *wanted_after_value(const assay_json *json)
{
    return json->is_object[json->depth] ? "',' or '}'" : "',' or ']'";
}

/* ---- strings ---- */

#define ONES  UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)

/* Nonzero where a byte of `word` is zero; bytes above the lowest such may be marked
 * wrongly, which is why only the lowest mark is used. */
static inline uint64_t zero_bytes(uint64_t word)
{
    return (word - ONES) & ~word & HIGHS;
}

/* The first quote, backslash or control character at or behind p, or `end`.  Adds the
 * bytes passed over to *seen, so that its high bits tell whether all were ASCII. */
static inline const char *scan_plain(const char *p, const char *end, uint64_t *seen)
{
    while (ASSAY_HAS_WORD_SCAN && end - p >= 8) {
        uint64_t word;
        uint64_t marks;

        memcpy(&word, p, 8);
        marks = zero_bytes(word ^ ONES * '"') | zero_bytes(word ^ ONES * '\\') |
                ((word - ONES * 0x20) & ~word & HIGHS);
        if (marks) {
            *seen |= word & ((marks & (0 - marks)) - 1);
            return p + ASSAY_TRAILING_ZEROS(marks) / 8;
        }
        *seen |= word;
        p += 8;
    }
    while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
        *seen |= (uint64_t)(unsigned char)*p++;
    return p;
}

static bool read_hex4(const char *p, const char *end, uint32_t *out)
{
    uint32_t value = 0;

    if (end - p < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char c = p[i];

        value <<= 4;
        if (is_digit(c))
            value |= (uint32_t)(c - '0');
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            value |= (uint32_t)((c | 0x20) - 'a' + 10);
        else
            return false;
    }
    *out = value;
    return true;
}

/* \uXXXX at *p (which stands on the backslash), with its second half where it is a
 * surrogate; moves *p behind it. */
static assay_status read_unicode(assay_json *json, const char **p, const char *end,
                                 uint32_t *code, assay_error *err)
{
    const char *at = *p;
    uint32_t low;

    if (!read_hex4(at + 2, end, code))
        return assay_json_fail(json, at, err, "want four hexadecimal digits behind \\u");
    *p = at + 6;
    if (*code < 0xD800 || *code > 0xDFFF)
        return ASSAY_OK;
    if (*code > 0xDBFF || end - *p < 6 || (*p)[0] != '\\' || (*p)[1] != 'u' ||
        !read_hex4(*p + 2, end, &low) || low < 0xDC00 || low > 0xDFFF)
        return assay_json_fail(json, at, err, "'%.6s' is half of a surrogate pair", at);
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    *p += 6;
    return ASSAY_OK;
}

/* What a one-letter escape stands for, 0 = there is no such escape. */
static char plain_escape(char c)
{
    static const char letter[] = "\"\\/bfnrt";
    static const char meaning[] = "\"\\/\b\f\n\r\t";
    const char *found = c ? strchr(letter, c) : NULL;

    return found ? meaning[found - letter] : '\0';
}

/* Write what [p, end), the inside of a string, means.  Escapes never grow, so its
 * own length is room enough. */
static assay_status unescape(assay_json *json, const char *p, const char *end,
                             assay_slice *out, assay_error *err)
{
    char *text = assay_arena_alloc(json->arena, (size_t)(end - p));
    char *to = text;

    if (!text)
        return assay_fail_memory(err, "reading JSON");
    while (p < end) {
        const char *stop = memchr(p, '\\', (size_t)(end - p));
        size_t n = (size_t)((stop ? stop : end) - p);
        assay_status st;
        uint32_t code;

        memcpy(to, p, n);
        to += n;
        p += n;
        if (p == end)
            break;
        if (p[1] != 'u') {
            *to = plain_escape(p[1]);
            if (!*to++)
                return fail_want(json, p + 1, "an escape (one of \"\\/bfnrtu)", err);
            p += 2;
            continue;
        }
        st = read_unicode(json, &p, end, &code, err);
        if (st)
            return st;
        to += assay_utf8_put(code, to);
    }
    *out = (assay_slice){text, (size_t)(to - text)};
    return ASSAY_OK;
}

/* The rest of a string that is not plain ASCII up to its quote: from `stop`, the first
 * byte that scan_plain would not pass. */
static ASSAY_NOINLINE assay_status read_odd_string(assay_json *json, const char *stop,
                                                   uint64_t seen, assay_slice *out,
                                                   assay_error *err)
{
    const char *begin = json->p + 1;
    bool has_escapes = false;
    assay_slice raw;
    size_t valid;

    while (stop < json->end && *stop == '\\' && json->end - stop >= 2) {
        has_escapes = true;
        seen |= (uint64_t)(unsigned char)stop[1];
        if ((unsigned char)stop[1] < 0x20)
            stop++;
        else
            stop = scan_plain(stop + 2, json->end, &seen);
    }
    raw = (assay_slice){begin, (size_t)(stop - begin)};
    valid = seen & HIGHS ? assay_utf8_valid(raw) : raw.len;
    if (valid < raw.len)
        return assay_json_fail(json, begin + valid, err, "byte 0x%02x is not UTF-8",
                               (unsigned char)begin[valid]);
    if (stop >= json->end || *stop == '\\')
        return assay_json_fail(json, json->p, err, "string without an end");
    if (*stop != '"')
        return assay_json_fail(json, stop, err,
                               "control character 0x%02x in a string; write \\u%04x",
                               (unsigned char)*stop, (unsigned char)*stop);
    json->p = stop + 1;
    *out = raw;
    return has_escapes ? unescape(json, begin, stop, out, err) : ASSAY_OK;
}

/* The string whose opening quote json->p stands on. */
static inline assay_status read_string(assay_json *json, assay_slice *out,
                                       assay_error *err)
{
    const char *begin = json->p + 1;
    uint64_t seen = 0;
    const char *stop = scan_plain(begin, json->end, &seen);

    if (ASSAY_UNLIKELY(stop >= json->end || *stop != '"' || (seen & HIGHS)))
        return read_odd_string(json, stop, seen, out, err);
    *out = (assay_slice){begin, (size_t)(stop - begin)};
    json->p = stop + 1;
    return ASSAY_OK;
}

/* ---- numbers and literals ---- */

static inline const char *pass_digits(const char *p, const char *end)
{
    while (p < end && is_digit(*p))
        p++;
    return p;
}

/* The end of the number at p, or null where it is not one. */
static inline const char *pass_number(const char *p, const char *end)
{
    const char *digits;

    p += *p == '-';
    digits = p;
    p = pass_digits(p, end);
    if (p == digits || (*digits == '0' && p - digits > 1))
        return NULL;
    if (p < end && *p == '.') {
        digits = p + 1;
        p = pass_digits(digits, end);
        if (p == digits)
            return NULL;
    }
    if (p < end && (*p | 0x20) == 'e') {
        digits = p + 1;
        digits += digits < end && (*digits == '+' || *digits == '-');
        p = pass_digits(digits, end);
        if (p == digits)
            return NULL;
    }
    return p < end && is_word(*p) ? NULL : p;
}

static inline assay_status read_number(assay_json *json, assay_json_token *token,
                                       assay_error *err)
{
    const char *end = pass_number(json->p, json->end);
    assay_slice text;

    if (!end) {
        text = word_at(json, json->p);
        return assay_json_fail(json, json->p, err, "'%.*s' is not a JSON number",
                               ASSAY_QUOTE(text));
    }
    token->kind = ASSAY_JSON_NUMBER;
    token->text = (assay_slice){json->p, (size_t)(end - json->p)};
    json->p = end;
    return ASSAY_OK;
}

static assay_status read_literal(assay_json *json, const char *word, assay_json_kind kind,
                                 assay_json_token *token, assay_error *err)
{
    size_t n = strlen(word);
    const char *end = json->p + n;

    if ((size_t)(json->end - json->p) < n || memcmp(json->p, word, n) != 0 ||
        (end < json->end && is_word(*end)))
        return fail_want(json, json->p, "a value", err);
    token->kind = kind;
    token->text = (assay_slice){json->p, n};
    json->p = end;
    return ASSAY_OK;
}

/* ---- structure ---- */

static inline void pass_space(assay_json *json)
{
    const char *p = json->p;

    /* Files written by programs have little of it. */
    if (ASSAY_LIKELY(p<json->end && * p> ' '))
        return;
    while (p < json->end && is_space(*p))
        p++;
    json->p = p;
}

static assay_status open_level(assay_json *json, bool is_object, assay_json_token *token,
                               assay_error *err)
{
    if (json->depth == ASSAY_JSON_DEPTH)
        return assay_json_fail(json, json->p, err, "nested more than %d levels deep",
                               ASSAY_JSON_DEPTH);
    token->kind = is_object ? ASSAY_JSON_OBJECT : ASSAY_JSON_LIST;
    token->text = (assay_slice){json->p, 1};
    json->depth++;
    json->is_object[json->depth] = is_object;
    json->first_key[json->depth] = json->keys.n;
    json->state = is_object ? WANT_FIRST_KEY : WANT_FIRST_ITEM;
    json->p++;
    return ASSAY_OK;
}

static inline void after_value(assay_json *json)
{
    json->state = json->depth ? WANT_MORE : WANT_NOTHING;
}

/* The end of the innermost list or object, which json->p stands on. */
static assay_status close_level(assay_json *json, assay_json_token *token)
{
    bool is_object = json->is_object[json->depth];

    token->kind = is_object ? ASSAY_JSON_OBJECT_END : ASSAY_JSON_LIST_END;
    token->text = (assay_slice){json->p, 1};
    if (is_object)
        assay_keys_drop(&json->keys, json->first_key[json->depth]);
    json->depth--;
    json->p++;
    after_value(json);
    return ASSAY_OK;
}

static ASSAY_NOINLINE assay_status fail_key(const assay_json *json, assay_json_token key,
                                            assay_keys_result result, uint64_t earlier,
                                            assay_error *err)
{
    uint64_t line;
    uint64_t column;

    if (result == ASSAY_KEYS_NO_MEMORY)
        return assay_fail_memory(err, "reading JSON");
    assay_json_place(json, json->begin + earlier, &line, &column);
    return assay_json_fail(json, key.at, err,
                           "key '%.*s' comes twice; first in line %llu",
                           ASSAY_QUOTE(key.text), (unsigned long long)line);
}

/* A key and its colon. */
static inline assay_status read_key(assay_json *json, assay_json_token *token,
                                    assay_error *err)
{
    assay_keys_result result;
    assay_status st;
    uint64_t earlier;

    if (json->p >= json->end || *json->p != '"')
        return fail_want(json, json->p, "a key in quotes", err);
    token->at = json->p;
    token->kind = ASSAY_JSON_KEY;
    st = read_string(json, &token->text, err);
    if (st)
        return st;
    result = assay_keys_add(
        &json->keys, json->first_key[json->depth],
        (assay_key){.name = token->text, .place = (uint64_t)(token->at - json->begin)},
        &earlier);
    if (ASSAY_UNLIKELY(result != ASSAY_KEYS_NEW))
        return fail_key(json, *token, result, earlier, err);
    pass_space(json);
    if (json->p >= json->end || *json->p != ':')
        return fail_want(json, json->p, "':' behind a key", err);
    json->p++;
    json->state = WANT_VALUE;
    return ASSAY_OK;
}

static inline assay_status read_value(assay_json *json, assay_json_token *token,
                                      assay_error *err)
{
    assay_status st;

    token->at = json->p;
    if (json->p >= json->end)
        return fail_want(json, json->p, "a value", err);
    switch (*json->p) {
    case '"':
        token->kind = ASSAY_JSON_STRING;
        st = read_string(json, &token->text, err);
        break;
    case '{': return open_level(json, true, token, err);
    case '[': return open_level(json, false, token, err);
    case 't': st = read_literal(json, "true", ASSAY_JSON_TRUE, token, err); break;
    case 'f': st = read_literal(json, "false", ASSAY_JSON_FALSE, token, err); break;
    case 'n': st = read_literal(json, "null", ASSAY_JSON_NULL, token, err); break;
    default:
        if (*json->p != '-' && !is_digit(*json->p))
            return fail_want(json, json->p, "a value", err);
        st = read_number(json, token, err);
    }
    after_value(json);
    return st;
}

/* Behind a value inside a list or object. */
static inline assay_status read_more(assay_json *json, assay_json_token *token,
                                     assay_error *err)
{
    bool is_object = json->is_object[json->depth];

    if (json->p < json->end && *json->p == ',') {
        json->p++;
        pass_space(json);
        return is_object ? read_key(json, token, err) : read_value(json, token, err);
    }
    if (json->p < json->end && *json->p == (is_object ? '}' : ']')) {
        token->at = json->p;
        return close_level(json, token);
    }
    return fail_want(json, json->p, wanted_after_value(json), err);
}

static assay_status read_end(assay_json *json, assay_json_token *token, assay_error *err)
{
    if (json->p < json->end)
        return fail_want(json, json->p, "nothing behind the value", err);
    *token = (assay_json_token){ASSAY_JSON_END, {json->p, 0}, json->p};
    return ASSAY_OK;
}

assay_status assay_json_next(assay_json *json, assay_json_token *token, assay_error *err)
{
    pass_space(json);
    switch (json->state) {
    case WANT_MORE: return read_more(json, token, err);
    case WANT_VALUE: return read_value(json, token, err);
    case WANT_FIRST_KEY:
        if (json->p >= json->end || *json->p != '}')
            return read_key(json, token, err);
        break;
    case WANT_FIRST_ITEM:
        if (json->p >= json->end || *json->p != ']')
            return read_value(json, token, err);
        break;
    default: return read_end(json, token, err);
    }
    token->at = json->p;
    return close_level(json, token);
}

assay_status assay_json_skip(assay_json *json, assay_json_token token, assay_error *err)
{
    uint32_t outside;

    if (token.kind != ASSAY_JSON_LIST && token.kind != ASSAY_JSON_OBJECT)
        return ASSAY_OK;
    assert(json->depth > 0);
    outside = json->depth - 1;
    while (json->depth > outside) {
        assay_status st = assay_json_next(json, &token, err);

        if (st)
            return st;
    }
    return ASSAY_OK;
}

const char *assay_json_item(assay_json *json)
{
    const char *comma;
    const char *item;

    if (json->state != WANT_FIRST_ITEM &&
        (json->state != WANT_MORE || json->is_object[json->depth]))
        return NULL;
    pass_space(json);
    if (json->state == WANT_FIRST_ITEM)
        return json->p < json->end ? json->p : NULL;
    if (json->p >= json->end || *json->p != ',')
        return NULL;
    comma = json->p++;
    pass_space(json);
    item = json->p;
    json->p = comma;
    return item < json->end ? item : NULL;
}

void assay_json_item_done(assay_json *json, const char *behind)
{
    assert(behind > json->p && behind <= json->end);
    json->p = behind;
    json->state = WANT_MORE;
}
