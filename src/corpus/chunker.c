/* SPDX-License-Identifier: Apache-2.0 */
/* The socket for chunkers: which there are, how a chunking is spelled, and what is the
 * same for all of them. */
#include "corpus/chunker.h"

#include <string.h>

#include "base/error.h"
#include "base/scan.h"
#include "base/slice.h"
#include "corpus/chunk_ids.h"
#include "corpus/chunker_roster.h"
#include "corpus/cutting.h"

#define X(id) extern const assay_chunker assay_chunker_##id;
ASSAY_CHUNKER_ROSTER(X)
#undef X

#define X(id) &assay_chunker_##id,
static const assay_chunker *const roster[] = {ASSAY_CHUNKER_ROSTER(X)};
#undef X

const assay_chunker *assay_chunker_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

const assay_chunker *assay_chunker_find(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        if (assay_slice_is(name, roster[i]->name))
            return roster[i];
    return NULL;
}

/* ---- spelling ---- */

static assay_status no_chunker(assay_slice name, assay_error *err)
{
    const char *near = NULL;
    uint32_t best = 4; /* further off is no misspelling */

    for (size_t i = 0; i < ASSAY_COUNT(roster); i++) {
        uint32_t d = assay_slice_distance(name, assay_slice_of(roster[i]->name));

        if (d < best) {
            best = d;
            near = roster[i]->name;
        }
    }
    if (near)
        return assay_fail(err, ASSAY_EUSAGE, "no chunker '%.*s'; did you mean '%s'?",
                          ASSAY_QUOTE(name), near);
    return assay_fail(err, ASSAY_EUSAGE, "no chunker '%.*s'; see 'assay chunker list'",
                      ASSAY_QUOTE(name));
}

static assay_status no_param(const assay_chunker *chunker, assay_slice name,
                             assay_error *err)
{
    const assay_chunker_param *near = NULL;
    uint32_t best = UINT32_MAX;

    for (const assay_chunker_param *p = chunker->param; p->name; p++) {
        uint32_t d = assay_slice_distance(name, assay_slice_of(p->name));

        if (d < best) {
            best = d;
            near = p;
        }
    }
    if (!near)
        return assay_fail(err, ASSAY_EUSAGE, "%s takes no parameters; got '%.*s'",
                          chunker->name, ASSAY_QUOTE(name));
    return assay_fail(err, ASSAY_EUSAGE,
                      "%s has no parameter '%.*s'; the nearest is '%s'", chunker->name,
                      ASSAY_QUOTE(name), near->name);
}

/* One "name=value"; *seen has a bit for each parameter that was given. */
static assay_status read_param(assay_slice part, assay_chunking *into, uint32_t *seen,
                               assay_error *err)
{
    const assay_chunker *chunker = into->chunker;
    const char *equals = part.len ? memchr(part.ptr, '=', part.len) : NULL;
    assay_slice name = part;
    assay_slice value = {"", 0};
    size_t i = 0;
    uint32_t number;

    if (equals) {
        name.len = (size_t)(equals - part.ptr);
        value = (assay_slice){equals + 1, part.len - name.len - 1};
    }
    name = assay_slice_trim(name);
    value = assay_slice_trim(value);
    while (chunker->param[i].name && !assay_slice_is(name, chunker->param[i].name))
        i++;
    if (!chunker->param[i].name)
        return no_param(chunker, name, err);
    if (*seen >> i & 1)
        return assay_fail(err, ASSAY_EUSAGE, "%s: '%s' is given twice", chunker->name,
                          chunker->param[i].name);
    *seen |= 1U << i;
    if (!assay_slice_to_u32(value, &number) || number < chunker->param[i].least ||
        number > chunker->param[i].most)
        return assay_fail(err, ASSAY_EUSAGE,
                          "%s: %s='%.*s' is not a whole number from %u to %u",
                          chunker->name, chunker->param[i].name, ASSAY_QUOTE(value),
                          chunker->param[i].least, chunker->param[i].most);
    into->value[i] = number;
    return ASSAY_OK;
}

static assay_status read_params(assay_slice list, assay_chunking *into, assay_error *err)
{
    assay_slice part;
    uint32_t seen = 0;

    if (assay_slice_trim(list).len == 0)
        return ASSAY_OK;
    while (assay_slice_part(&list, ',', &part)) {
        assay_status st = read_param(part, into, &seen, err);

        if (st)
            return st;
    }
    return ASSAY_OK;
}

static assay_status read_version(const assay_chunker *chunker, assay_slice version,
                                 assay_error *err)
{
    uint32_t number;

    if (assay_slice_to_u32(version, &number) && number == chunker->version)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EUSAGE, "%s@%.*s: this program has %s@%u", chunker->name,
                      ASSAY_QUOTE(version), chunker->name, chunker->version);
}

assay_status assay_chunking_read(assay_slice spelling, assay_chunking *out,
                                 assay_error *err)
{
    assay_slice rest = assay_slice_trim(spelling);
    const char *paren = rest.len ? memchr(rest.ptr, '(', rest.len) : NULL;
    assay_slice head = {rest.ptr, paren ? (size_t)(paren - rest.ptr) : rest.len};
    assay_slice list = {"", 0};
    const char *sign;
    assay_slice name;
    assay_chunking made = {0};
    assay_status st = ASSAY_OK;

    if (paren) {
        if (rest.ptr[rest.len - 1] != ')')
            return assay_fail(err, ASSAY_EUSAGE, "'%.*s' lacks its closing bracket",
                              ASSAY_QUOTE(spelling));
        list = (assay_slice){paren + 1, rest.len - head.len - 2};
    }
    sign = head.len ? memchr(head.ptr, '@', head.len) : NULL;
    name = (assay_slice){head.ptr, sign ? (size_t)(sign - head.ptr) : head.len};
    made.chunker = assay_chunker_find(assay_slice_trim(name));
    if (!made.chunker)
        return no_chunker(name, err);
    if (sign)
        st = read_version(
            made.chunker,
            assay_slice_trim((assay_slice){sign + 1, head.len - name.len - 1}), err);
    for (size_t i = 0; i < ASSAY_CHUNKER_PARAMS && made.chunker->param[i].name; i++)
        made.value[i] = made.chunker->param[i].standard;
    if (!st)
        st = read_params(list, &made, err);
    if (!st && made.chunker->check)
        st = made.chunker->check(&made, err);
    if (!st)
        *out = made;
    return st;
}

void assay_chunking_print(const assay_chunking *chunking, assay_buffer *out)
{
    const assay_chunker *chunker = chunking->chunker;

    assay_buffer_printf(out, "%s@%u", chunker->name, chunker->version);
    for (size_t i = 0; i < ASSAY_CHUNKER_PARAMS && chunker->param[i].name; i++)
        assay_buffer_printf(out, "%s%s=%u", i ? "," : "(", chunker->param[i].name,
                            chunking->value[i]);
    if (chunker->param[0].name)
        assay_buffer_char(out, ')');
}

/* ---- cutting ---- */

assay_status assay_chunking_cut(const assay_chunking *chunking, const assay_document *doc,
                                assay_arena *arena, assay_chunks *out, assay_error *err)
{
    assay_chunks made;

    if (!chunking->chunker->cut(chunking, doc, arena, &made) ||
        !assay_chunk_ids_set(chunking, doc, &made))
        return assay_fail_memory(err, "cutting a document");
    assay_chunk_lines_set(doc->text, &made);
    *out = made;
    return ASSAY_OK;
}

bool assay_headings_find(const assay_document *doc, assay_arena *arena, assay_chunks *out)
{
    assay_cutting cutting = assay_cutting_of(doc, arena);

    assay_cutting_find_headings(&cutting, doc);
    return assay_cutting_finish(&cutting, out);
}

/* ---- looking at chunks ---- */

/* A heading in one line: white space of any length is one blank. */
static void put_heading(assay_buffer *out, assay_slice text)
{
    for (size_t at = 0; at < text.len;) {
        size_t start = at;

        while (at < text.len && !assay_scan_is_space(text.ptr[at]))
            at++;
        assay_buffer_add(out, text.ptr + start, at - start);
        while (at < text.len && assay_scan_is_space(text.ptr[at]))
            at++;
        if (at < text.len)
            assay_buffer_char(out, ' ');
    }
}

void assay_heading_path(const assay_chunks *chunks, uint32_t number, assay_buffer *out)
{
    uint32_t path[6]; /* levels are 1 to 6, and a parent's is lower */
    size_t n = 0;

    for (; number != ASSAY_NONE; number = chunks->heading[number].parent)
        path[n++] = number;
    while (n) {
        put_heading(out, chunks->heading[path[--n]].text);
        if (n)
            assay_buffer_text(out, " > ");
    }
}

void assay_chunk_text(const assay_chunk *chunk, assay_slice text, assay_buffer *out)
{
    for (uint32_t i = 0; i < chunk->n_spans; i++) {
        if (i)
            assay_buffer_char(out, '\n');
        assay_buffer_add(out, text.ptr + chunk->span[i].start,
                         chunk->span[i].end - chunk->span[i].start);
    }
}

void assay_chunk_id_print(const uint8_t id[ASSAY_CHUNK_ID_BYTES], char *out)
{
    static const char digit[] = "0123456789abcdef";

    for (size_t i = 0; i < ASSAY_CHUNK_ID_BYTES; i++) {
        out[2 * i] = digit[id[i] >> 4];
        out[2 * i + 1] = digit[id[i] & 15];
    }
}

bool assay_chunk_id_read(assay_slice text, uint8_t id[ASSAY_CHUNK_ID_BYTES])
{
    uint8_t made[ASSAY_CHUNK_ID_BYTES] = {0};

    if (text.len != ASSAY_CHUNK_ID_CHARS)
        return false;
    for (size_t i = 0; i < ASSAY_CHUNK_ID_CHARS; i++) {
        char c = text.ptr[i];
        unsigned value;

        if (c >= '0' && c <= '9')
            value = (unsigned)(c - '0');
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            value = (unsigned)((c | 0x20) - 'a') + 10;
        else
            return false;
        made[i / 2] = (uint8_t)((unsigned)made[i / 2] << 4 | value);
    }
    memcpy(id, made, sizeof made);
    return true;
}
