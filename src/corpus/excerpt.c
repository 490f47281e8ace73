/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/excerpt.h"

#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "corpus/locate.h"

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "looking into the corpus");
}

/* ---- places ---- */

/* "40-52", or "40" where one number will do. */
static bool read_range(assay_slice s, bool may_be_one, assay_span *out)
{
    const char *dash = s.len ? memchr(s.ptr, '-', s.len) : NULL;
    assay_slice first = {s.ptr, dash ? (size_t)(dash - s.ptr) : s.len};
    int64_t a;
    int64_t b;

    if (!assay_slice_to_i64(first, &a) || a < 0)
        return false;
    b = a;
    if (!dash && !may_be_one)
        return false;
    if (dash) {
        assay_slice last = {dash + 1, s.len - first.len - 1};

        if (!assay_slice_to_i64(last, &b) || b < a)
            return false;
    }
    *out = (assay_span){(uint64_t)a, (uint64_t)b};
    return true;
}

/* What stands after the colon; false: it is no place. */
static bool read_place(assay_slice s, assay_sought *out)
{
    assay_slice rest = {s.ptr + 1, s.len ? s.len - 1 : 0};

    *out = (assay_sought){.quote = ASSAY_LIT(""), .heading = ASSAY_LIT("")};
    if (!s.len)
        return false;
    if (s.ptr[0] == '#') {
        out->heading = assay_slice_trim(rest);
        return out->heading.len > 0;
    }
    out->place = s.ptr[0] == 'L'   ? ASSAY_PLACE_LINES
                 : s.ptr[0] == 'C' ? ASSAY_PLACE_CHARS
                                   : ASSAY_PLACE_SPAN;
    if (out->place == ASSAY_PLACE_SPAN)
        rest = s;
    return read_range(rest, out->place == ASSAY_PLACE_LINES, &out->where) &&
           (out->place == ASSAY_PLACE_LINES ? out->where.start > 0
                                            : out->where.start < out->where.end);
}

static uint64_t count_lines(const char *text, uint64_t from, uint64_t to)
{
    const char *p = text + from;
    const char *end = text + to;
    uint64_t n = 0;

    while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        n++;
        p++;
    }
    return n;
}

static void set_lines(assay_excerpt *e, assay_slice text)
{
    uint64_t first = e->n_spans ? e->span[0].start : 0;
    uint64_t last = e->n_spans ? e->span[e->n_spans - 1].end : 0;

    e->first_line = 1 + count_lines(text.ptr, 0, first);
    e->last_line = e->first_line;
    if (last > first)
        e->last_line += count_lines(text.ptr, first, last - 1);
}

/* ---- documents ---- */

static assay_status set_span(assay_excerpt *e, assay_arena *arena, assay_span span,
                             assay_slice text, assay_error *err)
{
    assay_span *copy = ASSAY_ARENA_ARRAY(arena, assay_span, 1);

    if (!copy)
        return no_memory(err);
    *copy = span;
    e->span = copy;
    e->n_spans = span.end > span.start;
    set_lines(e, text);
    return ASSAY_OK;
}

/* Bytes are taken as they are said, also where they cut a character; for the rest anchors
 * know the way. */
static assay_status find_place(assay_excerpt *e, const assay_sought *sought,
                               assay_slice text, assay_arena *arena, assay_error *err)
{
    assay_document doc = assay_corpus_document(&e->doc, text);
    assay_located found = {.reason = NULL};
    assay_status st;

    if (sought->place == ASSAY_PLACE_SPAN) {
        if (sought->where.end > text.len)
            return assay_fail(err, ASSAY_EUSAGE, "'%.*s' has only %zu bytes",
                              ASSAY_QUOTE(e->doc.id), text.len);
        return set_span(e, arena, sought->where, text, err);
    }
    st = assay_locate(&doc, sought, 1, &found, arena, err);
    if (st)
        return st;
    if (found.finding == ASSAY_FOUND_LOST || found.finding == ASSAY_FOUND_AMBIGUOUS)
        return assay_fail(err, ASSAY_EUSAGE, "'%.*s': %s", ASSAY_QUOTE(e->doc.id),
                          found.reason ? found.reason : "there is no such place");
    return set_span(e, arena, found.span, text, err);
}

static assay_status find_doc(assay_corpus *corpus, assay_slice id, assay_arena *arena,
                             assay_buffer *text, assay_excerpt *e, bool *is_there,
                             assay_error *err)
{
    assay_status st = assay_corpus_find(corpus, id, arena, &e->doc, is_there, err);

    if (st || !*is_there)
        return st;
    e->is_today = true;
    return assay_corpus_text(corpus, e->doc.version, text, err);
}

/* ---- chunks ---- */

static assay_status find_chunk(assay_corpus *corpus, assay_slice id, assay_arena *arena,
                               assay_buffer *text, assay_excerpt *e, bool *is_there,
                               assay_error *err)
{
    assay_chunk_place place = {.is_there = false};
    assay_status st = assay_corpus_places(corpus, &id, 1, arena, &place, err);

    *is_there = !st && place.is_there;
    if (!*is_there)
        return st;
    st = assay_corpus_find_version(corpus, place.version, arena, &e->doc, is_there, err);
    if (!st && *is_there)
        st = assay_corpus_text(corpus, place.version, text, err);
    if (st || !*is_there)
        return st;
    e->chunk = id;
    e->chunking = place.chunking;
    e->is_today = place.is_today;
    e->span = place.span;
    e->n_spans = place.n_spans;
    set_lines(e, assay_buffer_view(text));
    return ASSAY_OK;
}

/* ---- all ---- */

/* Where the colon before a place is, or null: that of a heading is the first with a #
 * behind it, since headings may hold colons; else it is the last. */
static const char *find_colon(assay_slice name)
{
    for (size_t i = 0; i + 1 < name.len; i++)
        if (name.ptr[i] == ':' && name.ptr[i + 1] == '#')
            return name.ptr + i;
    for (size_t i = name.len; i-- > 0;)
        if (name.ptr[i] == ':')
            return name.ptr + i;
    return NULL;
}

static assay_status find_part(assay_corpus *corpus, assay_slice name, assay_arena *arena,
                              assay_buffer *text, assay_excerpt *e, bool *is_there,
                              assay_error *err)
{
    const char *colon = find_colon(name);
    assay_slice id = {name.ptr, colon ? (size_t)(colon - name.ptr) : 0};
    assay_slice rest = {colon + 1, colon ? name.len - id.len - 1 : 0};
    assay_sought sought;
    assay_status st;

    *is_there = false;
    if (!id.len)
        return ASSAY_OK;
    st = find_doc(corpus, id, arena, text, e, is_there, err);
    if (st || !*is_there)
        return st;
    if (!read_place(rest, &sought))
        return assay_fail(err, ASSAY_EUSAGE,
                          "'%.*s' is no place; want bytes 12-345, characters C12-345, "
                          "lines L4-5 or a heading #Setup",
                          ASSAY_QUOTE(rest));
    return find_place(e, &sought, assay_buffer_view(text), arena, err);
}

assay_status assay_excerpt_find(assay_corpus *corpus, assay_slice name,
                                assay_arena *arena, assay_buffer *text,
                                assay_excerpt *out, assay_error *err)
{
    assay_excerpt e = {.chunk = ASSAY_LIT(""), .chunking = ASSAY_LIT("")};
    uint8_t id[ASSAY_CHUNK_ID_BYTES];
    bool is_there = false;
    assay_status st = find_doc(corpus, name, arena, text, &e, &is_there, err);

    if (!st && is_there)
        st =
            set_span(&e, arena, (assay_span){0, text->len}, assay_buffer_view(text), err);
    if (!st && !is_there && assay_chunk_id_read(name, id))
        st = find_chunk(corpus, name, arena, text, &e, &is_there, err);
    if (!st && !is_there)
        st = find_part(corpus, name, arena, text, &e, &is_there, err);
    if (!st && !is_there)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "no document '%.*s' in the corpus; see 'assay corpus show'",
                        ASSAY_QUOTE(name));
    if (!st)
        *out = e;
    return st;
}
