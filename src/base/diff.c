/* SPDX-License-Identifier: Apache-2.0 */
/* Shortest difference by the greedy walk over diagonals (Myers 1986, "An O(ND)
 * Difference Algorithm"): v[k] is how far down diagonal k one gets with d changes.  The
 * v of each step is kept, so that the way can be walked back; hence the bound on d.
 *
 * Lines are numbers here: equal lines have equal numbers.  What both texts begin and end
 * with is cut off first, which is nearly everything where a file was edited. */
#include "base/diff.h"

#include <string.h>

#include "base/dict.h"
#include "base/mem.h"
#include "base/slice.h"

enum { MOST_CHANGES = 2000 };

/* One text as numbered lines. */
typedef struct side {
    const char *name;
    assay_slice *line; /* each with its line break, if it has one */
    uint32_t *number;
    bool *is_changed; /* not in the other text */
    size_t n;
} side;

typedef struct differ {
    side a;
    side b;
    assay_dict words;
    assay_arena arena;
} differ;

static bool split(differ *d, side *s, assay_slice text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    n += text.len && text.ptr[text.len - 1] != '\n';
    s->line = ASSAY_ARENA_ARRAY(&d->arena, assay_slice, n);
    s->number = ASSAY_ARENA_ARRAY(&d->arena, uint32_t, n);
    s->is_changed = ASSAY_ARENA_ARRAY(&d->arena, bool, n);
    if (!s->line || !s->number || !s->is_changed)
        return false;
    while (s->n < n) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) + 1 : text.len;

        s->line[s->n] = (assay_slice){text.ptr, len};
        if (!assay_dict_put(&d->words, NULL, s->line[s->n], &s->number[s->n], NULL))
            return false;
        s->n++;
        text = (assay_slice){text.ptr + len, text.len - len};
    }
    return true;
}

/* ---- the shortest way ---- */

/* The part of both texts between what they begin and end with. */
typedef struct middle {
    const uint32_t *a;
    const uint32_t *b;
    int64_t n; /* lines of a */
    int64_t m;
} middle;

/* Whether the step to diagonal k came from the one above (a line of b put in). */
static bool came_down(const int64_t *v, int64_t k, int64_t d)
{
    return k == -d || (k != d && v[k - 1] < v[k + 1]);
}

/* Walk back from the end, marking what was taken out and put in. */
static void walk_back(int64_t *const *trace, int64_t d, const middle *mid, bool *gone,
                      bool *new)
{
    int64_t x = mid->n;
    int64_t y = mid->m;

    for (; d > 0; d--) {
        const int64_t *v =
            trace[d - 1] + d; /* v of the step before, index 0 in its middle */
        int64_t k = x - y;
        bool down = came_down(v, k, d);
        int64_t from_x = down ? v[k + 1] : v[k - 1];
        int64_t from_y = from_x - (down ? k + 1 : k - 1);

        if (down)
            new[from_y] = true;
        else
            gone[from_x] = true;
        x = from_x;
        y = from_y;
    }
}

/* One step of d changes from `before` (of d - 1; both with index 0 at their middle);
 * true when the end was reached. */
static bool advance(const middle *mid, const int64_t *before, int64_t *v, int64_t d)
{
    bool is_end = false;

    for (int64_t k = -d; k <= d; k += 2) {
        int64_t x = d == 0                    ? 0
                    : came_down(before, k, d) ? before[k + 1]
                                              : before[k - 1] + 1;
        int64_t y = x - k;

        while (x < mid->n && y < mid->m && x >= 0 && y >= 0 && mid->a[x] == mid->b[y]) {
            x++;
            y++;
        }
        v[k] = x;
        is_end = is_end || (x == mid->n && y == mid->m);
    }
    return is_end;
}

/* trace[d] has 2d + 3 places, of which the outer two are sentinels that no walk takes. */
static bool search(differ *d, const middle *mid, bool *gone, bool *new, bool *is_done)
{
    int64_t **trace = ASSAY_ARENA_ARRAY(&d->arena, int64_t *, MOST_CHANGES + 1);

    *is_done = false;
    for (int64_t c = 0; trace && c <= MOST_CHANGES; c++) {
        trace[c] = ASSAY_ARENA_ARRAY(&d->arena, int64_t, 2 * (size_t)c + 3);
        if (!trace[c])
            return false;
        for (int64_t i = 0; i < 2 * c + 3; i++)
            trace[c][i] = -1;
        if (advance(mid, c ? trace[c - 1] + c : NULL, trace[c] + c + 1, c)) {
            walk_back(trace, c, mid, gone, new);
            *is_done = true;
            return true;
        }
    }
    return trace != NULL;
}

static bool compare(differ *d)
{
    size_t head = 0;
    size_t tail = 0;
    middle mid;
    bool is_done;

    while (head < d->a.n && head < d->b.n && d->a.number[head] == d->b.number[head])
        head++;
    while (tail < d->a.n - head && tail < d->b.n - head &&
           d->a.number[d->a.n - 1 - tail] == d->b.number[d->b.n - 1 - tail])
        tail++;
    mid = (middle){d->a.number + head, d->b.number + head,
                   (int64_t)(d->a.n - head - tail), (int64_t)(d->b.n - head - tail)};
    if (!search(d, &mid, d->a.is_changed + head, d->b.is_changed + head, &is_done))
        return false;
    if (!is_done) {
        for (int64_t i = 0; i < mid.n; i++)
            d->a.is_changed[head + (size_t)i] = true;
        for (int64_t i = 0; i < mid.m; i++)
            d->b.is_changed[head + (size_t)i] = true;
    }
    return true;
}

/* ---- printing ---- */

static void put_line(char mark, assay_slice line, assay_buffer *out)
{
    assay_buffer_char(out, mark);
    assay_buffer_slice(out, line);
    if (!line.len || line.ptr[line.len - 1] != '\n')
        assay_buffer_text(out, "\n\\ No newline at end of file\n");
}

/* Both texts from one place on. */
typedef struct place {
    size_t a;
    size_t b;
} place;

static bool is_at_change(const differ *d, place p)
{
    return (p.a < d->a.n && d->a.is_changed[p.a]) ||
           (p.b < d->b.n && d->b.is_changed[p.b]);
}

static place skip_change(const differ *d, place p)
{
    while (p.a < d->a.n && d->a.is_changed[p.a])
        p.a++;
    while (p.b < d->b.n && d->b.is_changed[p.b])
        p.b++;
    return p;
}

/* The end of the hunk whose first change is at `p`: until more than twice the context is
 * equal. */
static place hunk_end(const differ *d, place p, uint32_t context)
{
    for (;;) {
        place end = skip_change(d, p);
        uint32_t same = 0;

        p = end;
        while (p.a < d->a.n && !is_at_change(d, p) && same <= 2 * context) {
            p.a++;
            p.b++;
            same++;
        }
        if (!is_at_change(d, p) || same > 2 * context) {
            size_t more = d->a.n - end.a < context ? d->a.n - end.a : context;

            return (place){end.a + more, end.b + more};
        }
    }
}

static void put_range(size_t from, size_t to, assay_buffer *out)
{
    /* A range of nothing names the line before it. */
    assay_buffer_printf(out, "%zu", to > from ? from + 1 : from);
    if (to - from != 1)
        assay_buffer_printf(out, ",%zu", to - from);
}

static void put_hunk(const differ *d, place p, place end, assay_buffer *out)
{
    assay_buffer_text(out, "@@ -");
    put_range(p.a, end.a, out);
    assay_buffer_text(out, " +");
    put_range(p.b, end.b, out);
    assay_buffer_text(out, " @@\n");
    while (p.a < end.a || p.b < end.b) {
        while (p.a < end.a && d->a.is_changed[p.a])
            put_line('-', d->a.line[p.a++], out);
        while (p.b < end.b && d->b.is_changed[p.b])
            put_line('+', d->b.line[p.b++], out);
        while (p.a < end.a && p.b < end.b && !is_at_change(d, p)) {
            put_line(' ', d->a.line[p.a++], out);
            p.b++;
        }
    }
}

static void put_all(const differ *d, uint32_t context, assay_buffer *out)
{
    place p = {0, 0};
    bool has_head = false;

    for (;;) {
        place start;
        place end;
        size_t before;

        while (p.a < d->a.n && !is_at_change(d, p)) {
            p.a++;
            p.b++;
        }
        if (!is_at_change(d, p))
            return;
        if (!has_head)
            assay_buffer_printf(out, "--- %s\n+++ %s\n", d->a.name, d->b.name);
        has_head = true;
        before = p.a < context ? p.a : context;
        start = (place){p.a - before, p.b - before};
        end = hunk_end(d, p, context);
        put_hunk(d, start, end, out);
        p = end;
    }
}

bool assay_diff(const char *name_a, assay_slice a, const char *name_b, assay_slice b,
                uint32_t context, assay_buffer *out)
{
    differ d = {.a = {.name = name_a}, .b = {.name = name_b}};
    bool ok = split(&d, &d.a, a) && split(&d, &d.b, b) && compare(&d);

    if (ok)
        put_all(&d, context, out);
    assay_dict_clear(&d.words);
    assay_arena_clear(&d.arena);
    return ok && !out->has_failed;
}
