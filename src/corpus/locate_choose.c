/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/locate_choose.h"

#include <string.h>

bool assay_hint_holds(const assay_hint *hint, assay_span place, bool is_touching)
{
    assay_span h = hint->span;

    if (is_touching)
        return place.start < h.end && h.start < place.end;
    return (h.start <= place.start && place.end <= h.end) ||
           (place.start <= h.start && h.end <= place.end);
}

static uint64_t difference(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Bytes between the two; where they overlap, how far apart they begin counts. */
static uint64_t distance(assay_span a, assay_span b, uint64_t *shift)
{
    *shift = difference(a.start, b.start);
    if (a.end <= b.start)
        return b.start - a.end;
    return b.end <= a.start ? a.start - b.end : 0;
}

static size_t nearest(const assay_span *place, size_t n, assay_span hint)
{
    size_t best = 0;
    uint64_t best_shift;
    uint64_t best_gap = distance(place[0], hint, &best_shift);

    for (size_t i = 1; i < n; i++) {
        uint64_t shift;
        uint64_t gap = distance(place[i], hint, &shift);

        if (gap < best_gap || (gap == best_gap && shift < best_shift)) {
            best = i;
            best_gap = gap;
            best_shift = shift;
        }
    }
    return best;
}

/* Count those at the hint, and note the first. */
static void count_at(const assay_span *place, size_t n, const assay_hint *hint,
                     assay_choice *choice)
{
    for (size_t i = n; i-- > 0;) {
        if (!assay_hint_holds(hint, place[i], choice->is_touching))
            continue;
        choice->place = i;
        choice->n_at++;
    }
}

assay_choice assay_choose(const assay_span *place, size_t n, const assay_hint *hint)
{
    assay_choice choice = {.finding = ASSAY_FOUND_RESOLVED};

    if (!hint->is_given) {
        choice.n_at = n;
        if (n > 1)
            choice.finding = ASSAY_FOUND_AMBIGUOUS;
        return choice;
    }
    for (size_t i = 0; i < n; i++)
        if (place[i].start == hint->span.start && place[i].end == hint->span.end)
            return (assay_choice){ASSAY_FOUND_RESOLVED, i, 1, false};
    count_at(place, n, hint, &choice);
    if (choice.n_at == 0 && hint->is_loose) {
        choice.is_touching = true;
        count_at(place, n, hint, &choice);
    }
    if (choice.n_at > 1) {
        choice.finding = ASSAY_FOUND_AMBIGUOUS;
    } else if (choice.n_at == 0) {
        choice.finding = ASSAY_FOUND_MOVED;
        choice.place = nearest(place, n, hint->span);
    }
    return choice;
}

/* ---- too many to list ---- */

/* The first occurrence at or behind `at`; text.len when there is none. */
static size_t find_from(assay_slice text, assay_slice needle, size_t at)
{
    while (at < text.len && text.len - at >= needle.len) {
        const char *p = memchr(text.ptr + at, needle.ptr[0], text.len - at);

        if (!p)
            break;
        at = (size_t)(p - text.ptr);
        if (text.len - at < needle.len)
            break;
        if (memcmp(p, needle.ptr, needle.len) == 0)
            return at;
        at++;
    }
    return text.len;
}

/* The last occurrence that begins before `at`; text.len when there is none. */
static size_t find_back(assay_slice text, assay_slice needle, size_t at)
{
    if (at > text.len - needle.len)
        at = text.len - needle.len + 1;
    while (at-- > 0)
        if (memcmp(text.ptr + at, needle.ptr, needle.len) == 0)
            return at;
    return text.len;
}

size_t assay_choose_near(assay_slice text, assay_slice needle, assay_span around,
                         assay_span *out, size_t most)
{
    size_t start = (size_t)around.start;
    size_t n = 0;
    size_t at;

    if (needle.len == 0 || needle.len > text.len)
        return 0;
    /* The first that may touch it. */
    start = start >= needle.len ? start - needle.len + 1 : 0;
    at = find_back(text, needle, start);
    if (at < text.len)
        out[n++] = (assay_span){at, at + needle.len};
    for (at = find_from(text, needle, start); at < text.len && n < most;
         at = find_from(text, needle, at + 1)) {
        out[n++] = (assay_span){at, at + needle.len};
        if (at >= around.end)
            break;
    }
    return n;
}
