/* SPDX-License-Identifier: Apache-2.0 */
/* A large run is hits upon hits of four keys.  Reading those as tokens, with a list of
 * keys seen and a table of what to do, takes three times as long as looking for exactly
 * this; whatever else comes, an error included, is left to the general reader, so that
 * there is one place that decides what is right and what a message says. */
#include "run/quick_hit.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/number.h"

enum { SEEN_RANK = 1, SEEN_CHUNK = 2, SEEN_DOC = 4, SEEN_SCORE = 8 };

/* No key and no value is looked for in less than this. */
enum { ROOM = 16 };

static inline const char *pass_space(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

/* What comes behind `text` where that stands at p, else null.  Inlined with a constant
 * length, which makes it one comparison of words. */
static inline const char *pass_text(const char *p, const char *text, size_t len)
{
    return memcmp(p, text, len) == 0 ? p + len : NULL;
}

/* A quoted key and its colon; returns the value's place and the key's bit. */
static inline const char *pass_key(const char *p, const char *end, unsigned *bit)
{
    if (end - p < ROOM)
        return NULL;
    switch (p[1]) {
    case 'r':
        *bit = SEEN_RANK;
        p = pass_text(p, "\"rank\"", 6);
        break;
    case 'c':
        *bit = SEEN_CHUNK;
        p = pass_text(p, "\"chunk_id\"", 10);
        break;
    case 'd':
        *bit = SEEN_DOC;
        p = pass_text(p, "\"doc_id\"", 8);
        break;
    default: *bit = SEEN_SCORE; p = pass_text(p, "\"score\"", 7);
    }
    if (!p)
        return NULL;
    p = pass_space(p, end);
    return p < end && *p == ':' ? pass_space(p + 1, end) : NULL;
}

static inline const char *pass_id(const char *p, const char *end, assay_slice *id)
{
    const char *start = p + 1;

    if (p == end || *p != '"')
        return NULL;
    for (p = start; p < end && *p != '"'; p++)
        if ((unsigned char)(*p - 0x20) >= 0x60 || *p == '\\')
            return NULL;
    if (p == end || p == start)
        return NULL;
    *id = (assay_slice){start, (size_t)(p - start)};
    return p + 1;
}

static inline const char *pass_rank(const char *p, const char *end, uint32_t *rank)
{
    const char *start = p;
    uint32_t value = 0;

    for (; p < end && p - start < 9 && (unsigned)(*p - '0') <= 9; p++)
        value = value * 10 + (unsigned)(*p - '0');
    *rank = value;
    /* Not 0, not 01; a tenth digit, a point or an exponent is stopped at below. */
    return p > start && *start != '0' ? p : NULL;
}

/* What strtod takes and JSON does not: "+1", ".5", "01", "1.". */
static inline const char *pass_score(const char *p, const char *end, double *score)
{
    const char *digit = p + (p < end && *p == '-');
    const char *stop;

    if (end - digit < 2 || (unsigned)(*digit - '0') > 9 ||
        (*digit == '0' && (unsigned)(digit[1] - '0') <= 9))
        return NULL;
    stop = assay_number_scan(p, end, false, score);
    return stop > digit && stop[-1] != '.' && isfinite(*score) ? stop : NULL;
}

/* The value at p that belongs to the key `bit`. */
static inline const char *pass_value(const char *p, const char *end, unsigned bit,
                                     assay_hit *hit)
{
    switch (bit) {
    case SEEN_RANK: return pass_rank(p, end, &hit->rank);
    case SEEN_CHUNK: return pass_id(p, end, &hit->chunk);
    case SEEN_DOC: return pass_id(p, end, &hit->doc);
    default: hit->has_score = true; return pass_score(p, end, &hit->score);
    }
}

const char *assay_run_quick_hit(const char *p, const char *end, assay_hit *hit)
{
    unsigned seen = 0;
    unsigned bit = 0;

    if (p == end || *p != '{')
        return NULL;
    do {
        p = pass_key(pass_space(p + 1, end), end, &bit);
        if (!p || (seen & bit))
            return NULL;
        seen |= bit;
        p = pass_value(p, end, bit, hit);
        if (ASSAY_UNLIKELY(!p))
            return NULL;
        p = pass_space(p, end);
        if (p == end)
            return NULL;
    } while (*p == ',');
    return *p == '}' && (seen & (SEEN_CHUNK | SEEN_DOC)) ? p + 1 : NULL;
}
