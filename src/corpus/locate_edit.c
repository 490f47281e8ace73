/* SPDX-License-Identifier: Apache-2.0 */
/* The filter follows diagonals as far as they go (Ukkonen 1985, Landau and Vishkin 1989);
 * the search is Myers' bit-parallel matrix (1999) in blocks of 64 rows (Hyyro 2003). */
#include "corpus/locate_edit.h"

#include <string.h>

#include "base/mem.h"

static bool is_tail(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

size_t assay_edit_step(assay_slice s)
{
    unsigned char lead = (unsigned char)s.ptr[0];
    size_t want = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;

    if (want > s.len)
        return 1;
    for (size_t i = 1; i < want; i++)
        if (!is_tail(s.ptr[i]))
            return 1;
    return want;
}

size_t assay_edit_step_back(assay_slice s)
{
    for (size_t n = 1; n <= 4 && n <= s.len; n++)
        if (!is_tail(s.ptr[s.len - n]))
            return assay_edit_step((assay_slice){s.ptr + s.len - n, n}) == n ? n : 1;
    return 1;
}

size_t assay_edit_length(assay_slice s)
{
    size_t n = 0;

    while (s.len > 0) {
        size_t step = assay_edit_step(s);

        s.ptr += step;
        s.len -= step;
        n++;
    }
    return n;
}

/* ---- the filter ---- */

/* What is left of pattern and text on one diagonal. */
typedef struct front {
    assay_slice pattern;
    assay_slice text;
    bool is_there;
} front;

typedef struct sides {
    void (*drop)(assay_slice *s); /* one code point; none when it is empty */
    void (*slide)(front *f);      /* what is equal */
} sides;

static void drop_ahead(assay_slice *s)
{
    size_t n = s->len ? assay_edit_step(*s) : 0;

    s->ptr += n;
    s->len -= n;
}

static void drop_behind(assay_slice *s)
{
    s->len -= s->len ? assay_edit_step_back(*s) : 0;
}

static void slide_ahead(front *f)
{
    size_t most = f->pattern.len < f->text.len ? f->pattern.len : f->text.len;
    size_t n = 0;

    while (n < most && f->pattern.ptr[n] == f->text.ptr[n])
        n++;
    while (n > 0 && n < f->pattern.len && is_tail(f->pattern.ptr[n]))
        n--;
    f->pattern.ptr += n;
    f->pattern.len -= n;
    f->text.ptr += n;
    f->text.len -= n;
}

static void slide_behind(front *f)
{
    const char *p = f->pattern.ptr + f->pattern.len;
    const char *t = f->text.ptr + f->text.len;
    size_t most = f->pattern.len < f->text.len ? f->pattern.len : f->text.len;
    size_t n = 0;

    while (n < most && p[-1 - (ptrdiff_t)n] == t[-1 - (ptrdiff_t)n])
        n++;
    while (n > 0 && n < f->pattern.len && is_tail(p[-(ptrdiff_t)n]))
        n--;
    f->pattern.len -= n;
    f->text.len -= n;
}

/* The furthest of the ways to reach a diagonal with one more edit. */
static front advance(const sides *side, const front *old)
{
    front best = {.is_there = false};

    for (int from = 0; from < 3; from++) { /* delete, replace, insert */
        front next = old[2 - from];

        /* old[0] is the diagonal below: one more of the text; old[2] the one above. */
        if (!next.is_there || (from > 0 && next.text.len == 0))
            continue;
        if (from < 2)
            side->drop(&next.pattern);
        if (from > 0)
            side->drop(&next.text);
        if (!best.is_there || next.pattern.len < best.pattern.len)
            best = next;
    }
    return best;
}

/* One edit is what is asked for most, and needs no table. */
static uint32_t one_edit_to_end(const sides *side, const front *at)
{
    for (int kind = 0; kind < 3; kind++) { /* delete, replace, insert */
        front f = *at;

        if (kind > 0 && f.text.len == 0)
            break;
        if (kind < 2)
            side->drop(&f.pattern);
        if (kind > 0)
            side->drop(&f.text);
        side->slide(&f);
        if (f.pattern.len == 0)
            return 1;
    }
    return 2;
}

static uint32_t edits_to_end(const sides *side, assay_slice pattern, assay_slice text,
                             uint32_t most)
{
    enum { WIDTH = 2 * ASSAY_EDIT_NEAR + 5, MIDDLE = WIDTH / 2 };
    front row[2][WIDTH];
    front first = {pattern, text, true};

    side->slide(&first);
    if (first.pattern.len == 0)
        return 0;
    if (most <= 1)
        return most == 0 ? 1 : one_edit_to_end(side, &first);
    for (size_t d = MIDDLE - most - 2; d <= MIDDLE + most + 2; d++)
        row[0][d].is_there = row[1][d].is_there = false;
    row[0][MIDDLE] = first;
    for (uint32_t edits = 1; edits <= most; edits++) {
        front *now = row[edits % 2];
        const front *old = row[1 - edits % 2];

        for (size_t d = MIDDLE - edits; d <= MIDDLE + edits; d++) {
            now[d] = advance(side, &old[d - 1]);
            if (!now[d].is_there)
                continue;
            side->slide(&now[d]);
            if (now[d].pattern.len == 0)
                return edits;
        }
    }
    return most + 1;
}

uint32_t assay_edit_ahead(assay_slice pattern, assay_slice text, uint32_t most)
{
    static const sides ahead = {drop_ahead, slide_ahead};

    return edits_to_end(&ahead, pattern, text, most);
}

uint32_t assay_edit_behind(assay_slice pattern, assay_slice text, uint32_t most)
{
    static const sides behind = {drop_behind, slide_behind};

    return edits_to_end(&behind, pattern, text, most);
}

/* ---- letters ---- */

static uint32_t code_at(const char *p, size_t n)
{
    uint32_t code = (unsigned char)p[0];

    if (n == 1)
        return code; /* also a byte that is no UTF-8; its own value will do */
    code &= 0xFFU >> (n + 1);
    for (size_t i = 1; i < n; i++)
        code = code << 6 | ((unsigned char)p[i] & 0x3F);
    /* Well apart from single bytes, whatever the sequence says. */
    return code | UINT32_C(0x1000000);
}

static bool grow(void *array, size_t *cap, size_t need, size_t size)
{
    void *moved;

    if (*cap >= need)
        return true;
    memcpy(&moved, array, sizeof moved);
    moved = assay_mem_grow(moved, cap, need, size);
    if (!moved)
        return false;
    memcpy(array, &moved, sizeof moved);
    return true;
}

/* The number of a letter: 1, 2 ... in the order in which the pattern brings them; 0 for
 * what the pattern does not have, unless it may be added. */
static uint32_t letter_number(uint32_t *table, size_t last, uint32_t code,
                              uint32_t *n_letters)
{
    size_t at = (code * UINT32_C(2654435761) >> 7) & last;

    while (table[2 * at + 1] != 0 && table[2 * at] != code)
        at = (at + 1) & last;
    if (table[2 * at + 1] == 0 && n_letters) {
        table[2 * at] = code;
        table[2 * at + 1] = ++*n_letters;
    }
    return table[2 * at + 1];
}

/* Numbers of the pattern's letters into e->code[0..m); *last is the table's. */
static bool read_pattern(assay_edit *e, assay_slice pattern, size_t *m, size_t *last,
                         uint32_t *n_letters)
{
    size_t size = 16;

    while (size < 2 * pattern.len)
        size *= 2;
    if (!grow(&e->letter, &e->cap_letter, 2 * size, sizeof *e->letter) ||
        !grow(&e->code, &e->cap_code, pattern.len, sizeof *e->code))
        return false;
    memset(e->letter, 0, 2 * size * sizeof *e->letter);
    *last = size - 1;
    *n_letters = 0;
    *m = 0;
    while (pattern.len > 0) {
        size_t n = assay_edit_step(pattern);

        e->code[(*m)++] =
            letter_number(e->letter, *last, code_at(pattern.ptr, n), n_letters);
        pattern.ptr += n;
        pattern.len -= n;
    }
    return true;
}

/* The same for the text, behind the pattern's, with the place of each. */
static bool read_text(assay_edit *e, assay_slice text, size_t m, size_t last, size_t *n)
{
    size_t at = 0;
    uint32_t *code;

    if (!grow(&e->code, &e->cap_code, m + text.len, sizeof *e->code) ||
        !grow(&e->at, &e->cap_at, text.len + 1, sizeof *e->at))
        return false;
    code = e->code + m;
    *n = 0;
    while (at < text.len) {
        size_t step = assay_edit_step((assay_slice){text.ptr + at, text.len - at});

        code[*n] = letter_number(e->letter, last, code_at(text.ptr + at, step), NULL);
        e->at[(*n)++] = (uint32_t)at;
        at += step;
    }
    e->at[*n] = (uint32_t)at;
    return true;
}

/* ---- the matrix ---- */

typedef struct matrix {
    const uint64_t *match; /* `words` for each letter */
    uint64_t *plus;        /* vertical differences of the column: +1 */
    uint64_t *minus;       /* -1 */
    size_t words;
    uint64_t last_bit; /* of the last word */
    uint32_t score;    /* in the last row */
} matrix;

static void start_matrix(matrix *x, size_t m)
{
    memset(x->plus, 0xFF, x->words * sizeof *x->plus);
    memset(x->minus, 0, x->words * sizeof *x->minus);
    x->score = (uint32_t)m;
}

/* One more column; `top` is the difference in row 0: 0 where a match may begin anywhere,
 * 1 where it begins with the text. */
static void next_column(matrix *x, uint32_t letter, uint64_t top)
{
    const uint64_t *match = x->match + letter * x->words;
    uint64_t in_plus = top;
    uint64_t in_minus = 0;

    for (size_t w = 0; w < x->words; w++) {
        uint64_t eq = match[w] | in_minus;
        uint64_t plus = x->plus[w];
        uint64_t minus = x->minus[w];
        uint64_t vertical = match[w] | minus;
        uint64_t across = (((eq & plus) + plus) ^ plus) | eq;
        uint64_t up = minus | ~(across | plus);
        uint64_t down = plus & across;

        if (w + 1 == x->words) {
            x->score += (up & x->last_bit) != 0;
            x->score -= (down & x->last_bit) != 0;
        }
        plus = up << 1 | in_plus;
        in_plus = up >> 63;
        minus = down << 1 | in_minus;
        in_minus = down >> 63;
        x->plus[w] = minus | ~(vertical | plus);
        x->minus[w] = plus & vertical;
    }
}

/* Match bits of the letters, forwards then backwards, and room for a column. */
static bool make_matrices(assay_edit *e, size_t m, uint32_t n_letters, matrix x[2])
{
    size_t words = (m + 63) / 64;
    size_t table = words * ((size_t)n_letters + 1);
    uint64_t *bits;

    if (!grow(&e->bits, &e->cap_bits, 2 * table + 2 * words, sizeof *e->bits))
        return false;
    bits = e->bits;
    memset(bits, 0, 2 * table * sizeof *bits);
    for (size_t i = 0; i < m; i++) {
        size_t back = m - 1 - i;

        bits[e->code[i] * words + i / 64] |= UINT64_C(1) << (i % 64);
        bits[table + e->code[i] * words + back / 64] |= UINT64_C(1) << (back % 64);
    }
    x[0] = (matrix){.match = bits,
                    .plus = bits + 2 * table,
                    .minus = bits + 2 * table + words,
                    .words = words,
                    .last_bit = UINT64_C(1) << ((m - 1) % 64)};
    x[1] = x[0];
    x[1].match = bits + table;
    return true;
}

/* The scores of all columns, and the least of them. */
static bool score_columns(assay_edit *e, matrix *x, size_t m, size_t n)
{
    if (!grow(&e->score, &e->cap_score, n + 1, sizeof *e->score))
        return false;
    start_matrix(x, m);
    e->distance = x->score;
    for (size_t i = 0; i < n; i++) {
        next_column(x, e->code[m + i], 0);
        e->score[i + 1] = x->score;
        if (x->score < e->distance)
            e->distance = x->score;
    }
    return true;
}

/* Where the shortest part begins that ends at column `end` with the least distance. */
static size_t find_start(const assay_edit *e, matrix *back, size_t m, size_t end)
{
    size_t at = end;

    start_matrix(back, m);
    while (at > 0 && back->score != e->distance)
        next_column(back, e->code[m + --at], 1);
    return at;
}

bool assay_edit_search(assay_edit *e, assay_slice pattern, assay_slice text,
                       uint32_t most)
{
    matrix x[2];
    size_t m;
    size_t n;
    size_t last;
    size_t taken = 0; /* columns that belong to a place */
    uint32_t n_letters;

    e->n_places = 0;
    e->distance = most + 1;
    if (!read_pattern(e, pattern, &m, &last, &n_letters) ||
        !read_text(e, text, m, last, &n) || !make_matrices(e, m, n_letters, x) ||
        !score_columns(e, &x[0], m, n))
        return false;
    if (e->distance > most)
        return true;
    for (size_t end = 1; end <= n; end++) {
        size_t start;

        /* A place has at least m - distance columns. */
        if (e->score[end] != e->distance || end + e->distance < taken + m)
            continue;
        start = find_start(e, &x[1], m, end);
        if (start < taken)
            continue;
        if (!grow(&e->place, &e->cap_place, e->n_places + 1, sizeof *e->place))
            return false;
        e->place[e->n_places++] = (assay_span){e->at[start], e->at[end]};
        taken = end;
    }
    return true;
}

void assay_edit_clear(assay_edit *e)
{
    assay_mem_free(e->code);
    assay_mem_free(e->at);
    assay_mem_free(e->letter);
    assay_mem_free(e->bits);
    assay_mem_free(e->score);
    assay_mem_free(e->place);
    *e = (assay_edit){0};
}
