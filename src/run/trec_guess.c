/* SPDX-License-Identifier: Apache-2.0 */
#include "run/trec_guess.h"

#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "run/trec_parse.h"

enum {
    LEAST_TEXT = 256 << 10, /* below this looking at every line costs nothing */
    PARTS = 32,             /* jumping is quick: a few parts keep all threads busy */
    LEAST_PART = 1 << 20,
    LEAST_STRETCH = 2048, /* bytes; shorter ones on average are not worth a jump */
    SHORTEST_LINE = 12    /* "q Q d 1 1 t\n" */
};

/* Lines that are believed to be of one query. */
typedef struct stretch {
    const char *begin;
    const char *end;
    uint32_t query;
} stretch;

/* A query id in a form that is quick to compare. */
typedef struct key {
    assay_slice id;
    uint64_t word; /* up to 7 bytes and the separator */
    uint64_t mask; /* 0: compare id */
} key;

typedef struct part {
    const char *begin;
    const char *end;
    const char *text_end;
    bool has_comments;
    bool has_failed; /* no memory */
    bool is_ungrouped;
    assay_dict ids;
    stretch *stretch; /* query: number in ids */
    size_t n;
    size_t cap;
} part;

struct assay_trec_guess {
    assay_trec_text file;
    bool has_comments;
    uint32_t n_queries;
    const assay_slice *id; /* borrowed from the caller's dictionary */
    stretch *stretch;      /* in query order, then file order */
    size_t *first;         /* n_queries + 1 */
    assay_slice tag;
};

/* ---- lines and ids ---- */

static const char *line_end(const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));

    return stop ? stop : end;
}

static const char *next_line(const char *at, const char *end)
{
    const char *stop = line_end(at, end);

    return stop < end ? stop + 1 : end;
}

static bool is_blank(const char *at, const char *end, bool has_comments)
{
    while (at < end && *at != '\n' && assay_scan_is_space(*at))
        at++;
    return at == end || *at == '\n' || (has_comments && *at == '#');
}

static key key_of(assay_slice id, const char *end)
{
    key k = {.id = id};

    /* A line with another separator than this one goes the long way. */
    if (id.len <= 7 && end - id.ptr >= 8) {
        k.mask = ~UINT64_C(0) >> (8 * (7 - id.len));
        k.word = assay_bytes_load(id.ptr) & k.mask;
    }
    return k;
}

/* The same where the id is long, or blanks stand before it, or another separator behind. */
static bool is_line_of_slow(const key *k, const char *at, const char *end)
{
    while (at < end && *at != '\n' && assay_scan_is_space(*at))
        at++;
    return (size_t)(end - at) > k->id.len && memcmp(at, k->id.ptr, k->id.len) == 0 &&
           assay_scan_is_space(at[k->id.len]);
}

/* Whether the line at `at` begins with this id. */
static inline bool is_line_of(const key *k, const char *at, const char *end)
{
    if (ASSAY_LIKELY(k->mask && end - at >= 8 &&
                     (assay_bytes_load(at) & k->mask) == k->word))
        return true;
    return is_line_of_slow(k, at, end);
}

static assay_slice first_field(const char *at, const char *end)
{
    const char *stop;

    while (at < end && assay_scan_is_space(*at))
        at++;
    stop = at;
    while (stop < end && !assay_scan_is_space(*stop))
        stop++;
    return (assay_slice){at, (size_t)(stop - at)};
}

/* ---- jumping ---- */

/* Where the lines of the query end that begins at `begin`: double the stride while they
 * go on, then halve the interval. */
static const char *find_end(const part *p, const key *k, const char *begin, size_t stride)
{
    const char *low = begin; /* a line of the query */
    const char *high = p->end;

    while ((size_t)(high - low) > stride) {
        const char *at = next_line(low + stride, p->end);

        if (at >= high)
            break;
        if (!is_line_of(k, at, p->text_end)) {
            high = at;
            break;
        }
        low = at;
        stride *= 2;
    }
    while (high - low > 512) {
        const char *at = next_line(low + (high - low) / 2, p->end);

        if (at >= high)
            break;
        if (is_line_of(k, at, p->text_end))
            low = at;
        else
            high = at;
    }
    while (low < high && is_line_of(k, low, p->text_end))
        low = next_line(low, p->end);
    return low;
}

static bool add_stretch(part *p, const char *begin, const char *end, assay_slice id)
{
    stretch *grown = assay_mem_grow(p->stretch, &p->cap, p->n + 1, sizeof *grown);

    if (!grown)
        return false;
    p->stretch = grown;
    p->stretch[p->n] = (stretch){.begin = begin, .end = end};
    return assay_dict_put(&p->ids, NULL, id, &p->stretch[p->n++].query, NULL);
}

static void jump_through(part *p)
{
    const char *at = p->begin;
    size_t stride = LEAST_STRETCH;

    while (at < p->end && !p->is_ungrouped) {
        const char *end;
        key k;

        if (is_blank(at, p->end, p->has_comments)) {
            at = next_line(at, p->end);
            continue;
        }
        k = key_of(first_field(at, p->text_end), p->text_end);
        end = find_end(p, &k, at, stride);
        if (end == at || !add_stretch(p, at, end, k.id)) {
            p->has_failed = end != at;
            p->is_ungrouped = true;
            return;
        }
        /* The next query is probably about as long. */
        stride = (size_t)(end - at) / 2 + LEAST_STRETCH;
        at = end;
        p->is_ungrouped = p->n > 64 && (size_t)(at - p->begin) / p->n < LEAST_STRETCH;
    }
}

static void jump_item(void *ctx, uint32_t worker, size_t item)
{
    (void)worker;
    jump_through((part *)ctx + item);
}

static size_t cut(assay_slice text, bool has_comments, part *parts)
{
    const char *end = text.ptr + text.len;
    const char *at = text.ptr;
    size_t step = text.len / PARTS > LEAST_PART ? text.len / PARTS : LEAST_PART;
    size_t n = 0;

    while (at < end) {
        const char *stop = end;

        if ((size_t)(end - at) > step && n + 1 < PARTS)
            stop = next_line(at + step, end);
        parts[n++] = (part){
            .begin = at, .end = stop, .text_end = end, .has_comments = has_comments};
        at = stop;
    }
    return n;
}

/* ---- into query order ---- */

static bool number_stretches(part *parts, size_t n_parts, assay_dict *ids, size_t *n)
{
    for (size_t i = 0; i < n_parts; i++) {
        for (size_t j = 0; j < parts[i].n; j++) {
            uint32_t *query = &parts[i].stretch[j].query;

            if (!assay_dict_put(ids, NULL, parts[i].ids.word[*query], query, NULL))
                return false;
        }
        *n += parts[i].n;
    }
    return true;
}

static bool gather(assay_trec_guess *guess, part *parts, size_t n_parts, assay_dict *ids)
{
    size_t n = 0;
    size_t sum = 0;

    if (!number_stretches(parts, n_parts, ids, &n))
        return false;
    guess->n_queries = ids->n;
    guess->first = ASSAY_NEW_ARRAY(size_t, (size_t)ids->n + 2);
    guess->stretch = ASSAY_NEW_ARRAY(stretch, n);
    if (!guess->first || !guess->stretch)
        return false;
    for (size_t i = 0; i < n_parts; i++)
        for (size_t j = 0; j < parts[i].n; j++)
            guess->first[parts[i].stretch[j].query + 2]++;
    for (uint32_t q = 0; q < ids->n; q++) {
        sum += guess->first[q + 2];
        guess->first[q + 2] = sum;
    }
    /* first[q + 1] is where q's next stretch goes, and in the end where q + 1 begins. */
    for (size_t i = 0; i < n_parts; i++)
        for (size_t j = 0; j < parts[i].n; j++) {
            const stretch *s = &parts[i].stretch[j];

            guess->stretch[guess->first[s->query + 1]++] = *s;
        }
    return true;
}

static assay_slice find_tag(assay_slice text, bool has_comments)
{
    const char *end = text.ptr + text.len;
    const char *at = end;
    assay_trec_split f;

    while (at > text.ptr) {
        at--;
        while (at > text.ptr && at[-1] != '\n')
            at--;
        if (is_blank(at, end, has_comments))
            continue;
        if (assay_trec_split_line(at, end, &f))
            return (assay_slice){f.start[5], (size_t)(f.end[5] - f.start[5])};
        break;
    }
    return ASSAY_LIT("");
}

static assay_status build(assay_trec_guess *guess, part *parts,
                          const assay_trec_rules *rules, assay_dict *ids,
                          assay_error *err)
{
    size_t n_parts = cut(guess->file.text, rules->has_comments, parts);
    assay_status st = ASSAY_OK;

    assay_pool_run(rules->n_threads, n_parts, jump_item, parts);
    for (size_t i = 0; i < n_parts && !st; i++) {
        if (parts[i].has_failed)
            st = assay_fail_memory(err, "reading a TREC run");
        else if (parts[i].is_ungrouped)
            st = ASSAY_NO;
    }
    if (!st && !gather(guess, parts, n_parts, ids))
        st = assay_fail_memory(err, "reading a TREC run");
    if (!st) {
        guess->id = ids->word;
        guess->tag = find_tag(guess->file.text, rules->has_comments);
    }
    for (size_t i = 0; i < n_parts; i++) {
        assay_dict_clear(&parts[i].ids);
        assay_mem_free(parts[i].stretch);
    }
    return st;
}

assay_status assay_trec_guess_open(const char *path, assay_slice text,
                                   const assay_trec_rules *rules, assay_dict *ids,
                                   assay_trec_guess **out, assay_error *err)
{
    part parts[PARTS];
    assay_trec_guess *guess;
    assay_status st;

    if (text.len < (rules->least_jump ? rules->least_jump : LEAST_TEXT))
        return ASSAY_NO;
    guess = ASSAY_NEW(assay_trec_guess);
    if (!guess)
        return assay_fail_memory(err, "reading a TREC run");
    guess->file = (assay_trec_text){path, text, rules->is_lenient};
    guess->has_comments = rules->has_comments;
    st = build(guess, parts, rules, ids, err);
    if (st)
        assay_trec_guess_close(guess);
    else
        *out = guess;
    return st;
}

void assay_trec_guess_close(assay_trec_guess *guess)
{
    if (!guess)
        return;
    assay_mem_free(guess->stretch);
    assay_mem_free(guess->first);
    assay_mem_free(guess);
}

/* ---- reading ---- */

uint32_t assay_trec_guess_most(const assay_trec_guess *guess, uint32_t query)
{
    size_t n = 0;

    for (size_t i = guess->first[query]; i < guess->first[query + 1]; i++)
        n +=
            (size_t)(guess->stretch[i].end - guess->stretch[i].begin) / SHORTEST_LINE + 1;
    return n < UINT32_MAX / 2 ? (uint32_t)n : UINT32_MAX / 2;
}

/* The masks of a line's first 64 bytes. */
static ASSAY_INLINE assay_scan scan_line(const char *at, const char *end, bool is_wide)
{
#if defined(ASSAY_HAS_AVX2)
    if (is_wide && end - at >= ASSAY_SCAN_BYTES)
        return assay_scan_block_wide(at);
#endif
    (void)is_wide;
    return assay_scan_tail(at, end);
}

static ASSAY_INLINE assay_status read_lines(const assay_trec_guess *guess,
                                            const stretch *s, const key *k,
                                            assay_ranked *out, uint32_t *n, bool is_wide,
                                            assay_error *err)
{
    const char *end = guess->file.text.ptr + guess->file.text.len;
    const char *at = s->begin;

    while (at < s->end) {
        assay_trec_want w;
        double score;
        assay_status st;

        if (ASSAY_UNLIKELY(!is_line_of(k, at, end))) {
            if (!is_blank(at, end, guess->has_comments))
                return ASSAY_NO;
            at = next_line(at, end);
            continue;
        }
        if (!assay_trec_want_scan(at, end, scan_line(at, end, is_wide), &w))
            return assay_trec_fail_fields(&guess->file, at, err);
        st = assay_trec_score(&guess->file, &w, &score, err);
        if (st)
            return st;
        if (out)
            out[*n] = (assay_ranked){w.doc, (uint32_t)(w.doc_end - w.doc), *n, score};
        ++*n;
        at = w.next;
    }
    return ASSAY_OK;
}

static assay_status read_plain(const assay_trec_guess *guess, const stretch *s,
                               const key *k, assay_ranked *out, uint32_t *n,
                               assay_error *err)
{
    return read_lines(guess, s, k, out, n, false, err);
}

#if defined(ASSAY_HAS_AVX2)
ASSAY_AVX2 static assay_status read_wide(const assay_trec_guess *guess, const stretch *s,
                                         const key *k, assay_ranked *out, uint32_t *n,
                                         assay_error *err)
{
    return read_lines(guess, s, k, out, n, true, err);
}
#endif

assay_status assay_trec_guess_read(const assay_trec_guess *guess, uint32_t query,
                                   assay_ranked *out, uint32_t *n, assay_error *err)
{
    key k = key_of(guess->id[query], guess->file.text.ptr + guess->file.text.len);
    assay_status st = ASSAY_OK;
    uint32_t count = 0;

    for (size_t i = guess->first[query]; !st && i < guess->first[query + 1]; i++) {
#if defined(ASSAY_HAS_AVX2)
        if (assay_has_avx2()) {
            st = read_wide(guess, &guess->stretch[i], &k, out, &count, err);
            continue;
        }
#endif
        st = read_plain(guess, &guess->stretch[i], &k, out, &count, err);
    }
    *n = count;
    return st;
}

assay_slice assay_trec_guess_tag(const assay_trec_guess *guess)
{
    return guess->tag;
}
