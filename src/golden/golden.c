/* SPDX-License-Identifier: Apache-2.0 */
/* The socket of golden formats: find the one that a file is in and let it read. */
#include "golden/golden.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "golden/golden_roster.h"
#include "golden/golden_text.h"
#include "golden/top.h"
#include "golden/topics.h"

/* As much of a text as a format sees to recognise it. */
enum { SNIFF_BYTES = 64 << 10 };

#define X(id) extern const assay_golden_format assay_golden_format_##id;
ASSAY_GOLDEN_ROSTER(X)
#undef X

#define X(id) &assay_golden_format_##id,
static const assay_golden_format *const roster[] = {ASSAY_GOLDEN_ROSTER(X)};
#undef X

const assay_golden_format *assay_golden_format_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

const assay_golden_format *assay_golden_format_find(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        if (assay_slice_is(name, roster[i]->name))
            return roster[i];
    return NULL;
}

assay_golden *assay_golden_new(void)
{
    return ASSAY_NEW(assay_golden);
}

void assay_golden_free(assay_golden *golden)
{
    if (!golden)
        return;
    assay_dict_clear(&golden->ids);
    assay_dict_clear(&golden->docs);
    assay_dict_clear(&golden->chunks);
    assay_dict_clear(&golden->subtopics);
    assay_dict_clear(&golden->headings);
    assay_notes_clear(&golden->notes);
    assay_mem_free(golden->query);
    assay_file_close(&golden->file);
    assay_arena_clear(&golden->arena);
    assay_mem_free(golden);
}

/* ---- filling ---- */

assay_judgment assay_judgment_none(void)
{
    return (assay_judgment){.doc = ASSAY_NONE,
                            .chunk = ASSAY_NONE,
                            .subtopic = ASSAY_NONE,
                            .heading = ASSAY_NONE,
                            .grade = 1,
                            .quote = ASSAY_LIT("")};
}

bool assay_judgment_span(assay_golden *golden, assay_judgment *judgment, assay_span span)
{
    assay_span *own = assay_arena_alloc(&golden->arena, sizeof *own);

    if (!own)
        return false;
    *own = span;
    judgment->span = own;
    judgment->n_spans = 1;
    return true;
}

static assay_query empty_query(assay_slice id, uint32_t line)
{
    assay_query q = {.id = id, .line = line, .label = ASSAY_LABEL_UNLABELLED};

    q.text = q.lang = q.difficulty = q.category = ASSAY_LIT("");
    q.group = q.notes = q.expected_answer = ASSAY_LIT("");
    return q;
}

assay_status assay_golden_add(assay_golden *golden, assay_slice id, uint32_t line,
                              assay_query **out, assay_error *err)
{
    assay_query *moved = assay_mem_grow(golden->query, &golden->cap_queries,
                                        (size_t)golden->n_queries + 1, sizeof *moved);
    uint32_t number;

    if (moved)
        golden->query = moved;
    if (!moved || !assay_dict_put(&golden->ids, NULL, id, &number, NULL))
        return assay_fail_memory(err, "reading a golden set");
    *out = &golden->query[golden->n_queries++];
    **out = empty_query(id, line);
    return ASSAY_OK;
}

/* The arrays have room for 4, 8, 16 ... judgments, so that their length says when they
 * are full. */
static bool is_full(uint32_t n)
{
    return n == 0 || (n >= 4 && (n & (n - 1)) == 0);
}

/* Room for twice as many.  Where a file has the judgments of a query in a row, the array
 * is the last thing in the arena and grows without moving. */
static assay_judgment *grow_judgments(assay_arena *arena, assay_judgment *old, uint32_t n)
{
    size_t size = (size_t)n * sizeof *old;
    assay_judgment *moved;

    if (n && arena->next == (char *)old + size && arena->left >= size)
        return assay_arena_alloc(arena, size) ? old : NULL;
    moved = assay_arena_alloc(arena, n ? size * 2 : 4 * sizeof *old);
    if (moved && n)
        memcpy(moved, old, size);
    return moved;
}

assay_status assay_golden_judge(assay_golden *golden, assay_query *query,
                                const assay_judgment *judgment, assay_error *err)
{
    uint32_t n = query->n_judgments;

    if (is_full(n)) {
        assay_judgment *moved = grow_judgments(&golden->arena, query->judgment, n);

        if (!moved)
            return assay_fail_memory(err, "reading a golden set");
        query->judgment = moved;
    }
    query->judgment[query->n_judgments++] = *judgment;
    return ASSAY_OK;
}

/* ---- reading ---- */

/* "assay, kebab, bob ..." */
static void list_formats(char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < ASSAY_COUNT(roster) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                                 roster[i]->name);
}

/* The surest format, or null. */
static const assay_golden_format *surest(const assay_golden_source *source)
{
    const assay_golden_format *best = NULL;
    int most = 0;

    for (size_t i = 0; i < ASSAY_COUNT(roster); i++) {
        int sure =
            roster[i]->is_folder == source->is_folder ? roster[i]->sniff(source) : 0;

        if (sure > most) {
            most = sure;
            best = roster[i];
        }
    }
    return best;
}

static assay_status sniff(const assay_golden_source *source,
                          const assay_golden_format **out, assay_error *err)
{
    assay_arena scratch = ASSAY_ARENA_EMPTY;
    assay_golden_source begin = *source;
    assay_top top;
    bool has_memory;

    if (begin.text.len > SNIFF_BYTES)
        begin.text.len = SNIFF_BYTES;
    begin.top = &top;
    has_memory = assay_top_read(&top, begin.text, &scratch);
    if (has_memory)
        *out = surest(&begin);
    /* The key that tells may stand behind long documents. */
    if (has_memory && !*out && top.is_json && top.shape == ASSAY_TOP_MAP &&
        begin.text.len < source->text.len) {
        has_memory = assay_top_read(&top, source->text, &scratch);
        if (has_memory)
            *out = surest(&begin);
    }
    assay_arena_clear(&scratch);
    return has_memory ? ASSAY_OK : assay_fail_memory(err, "reading a golden set");
}

static assay_status pick(const assay_golden_source *source,
                         const assay_golden_format **out, assay_error *err)
{
    const char *name = source->options->format;
    const assay_golden_format *format = NULL;
    assay_status st = ASSAY_OK;
    char list[200];

    if (name)
        format = assay_golden_format_find(assay_slice_of(name));
    else
        st = sniff(source, &format, err);
    if (st)
        return st;
    list_formats(list, sizeof list);
    if (name && !format)
        return assay_fail(err, ASSAY_EUSAGE, "no golden format '%.80s'; there are: %s",
                          name, list);
    if (!format)
        return assay_fail(err, ASSAY_EINPUT,
                          "'%.300s' is in no golden format I know (%s); --from names one",
                          source->path, list);
    if (format->is_folder != source->is_folder)
        return assay_fail(err, ASSAY_EUSAGE, "'%.300s' is a %s, and '%s' wants a %s",
                          source->path, source->is_folder ? "folder" : "file",
                          format->name, format->is_folder ? "folder" : "file");
    *out = format;
    return ASSAY_OK;
}

assay_slice assay_golden_skip_bom(assay_slice text)
{
    if (!assay_slice_starts(text, "\xef\xbb\xbf"))
        return text;
    return (assay_slice){text.ptr + 3, text.len - 3};
}

assay_status assay_golden_check_text(const char *path, assay_slice text,
                                     const assay_golden_options *options,
                                     assay_error *err)
{
    size_t most = options->max_line ? options->max_line : ASSAY_MAX_LINE;
    assay_lines in = assay_lines_of(path, text);
    size_t valid = assay_utf8_valid(text);
    assay_slice line;

    if (valid < text.len)
        return assay_fail_at(err, path, assay_lines_number(text, text.ptr + valid),
                             "byte 0x%02x is not UTF-8", (unsigned char)text.ptr[valid]);
    if (text.len <= most)
        return ASSAY_OK;
    while (assay_lines_next(&in, &line))
        if (line.len > most)
            return ASSAY_LINES_FAIL(
                err, &in, "a line of %zu bytes; --max-line allows %zu", line.len, most);
    return ASSAY_OK;
}

/* Options that the format has no use for would be passed over in silence. */
static assay_status check_options(const assay_golden_format *format,
                                  const assay_golden_options *options, assay_error *err)
{
    if (options->topics && (format->holds & ASSAY_HOLDS(TEXT)))
        return assay_fail(
            err, ASSAY_EUSAGE,
            "%s has query texts of its own; --topics is for trec and relmap",
            format->title);
    if (options->split && !format->is_folder)
        return assay_fail(err, ASSAY_EUSAGE, "--split is for beir, this is %s",
                          format->title);
    return ASSAY_OK;
}

/* Read what golden->file holds, or the folder `path`. */
static assay_status read_into(assay_golden *golden, const char *path, bool is_folder,
                              const assay_golden_options *options, assay_error *err)
{
    static const assay_golden_options standard = {0};
    assay_golden_source source = {
        .path = path, .is_folder = is_folder, .options = options ? options : &standard};
    assay_status st;

    source.text = is_folder ? ASSAY_LIT("") : assay_golden_skip_bom(golden->file.text);
    golden->path = assay_arena_string(&golden->arena, assay_slice_of(path));
    golden->judged_path = golden->path;
    if (!golden->path)
        return assay_fail_memory(err, "reading a golden set");
    golden->name = golden->version = ASSAY_LIT("");
    golden->description = golden->conventions = ASSAY_LIT("");
    st = pick(&source, &golden->format, err);
    if (!st)
        st = check_options(golden->format, source.options, err);
    if (!st)
        st = assay_golden_check_text(path, source.text, source.options, err);
    if (!st && !is_folder && !assay_slice_trim(source.text).len)
        st = assay_fail_at(err, path, 0, "the file is empty");
    if (!st)
        st = golden->format->read(&source, golden, err);
    if (!st && source.options->topics)
        st = assay_topics_load(golden, source.options, err);
    return st ? st : assay_golden_finish(golden, err);
}

/* Either `text` (whose name is `path`) or, where its ptr is null, the file or folder. */
static assay_status load(const char *path, assay_slice text,
                         const assay_golden_options *options, assay_golden **out,
                         assay_error *err)
{
    bool is_folder = !text.ptr && assay_file_is_folder(path);
    assay_golden *golden = assay_golden_new();
    assay_status st = ASSAY_OK;

    if (!golden)
        return assay_fail_memory(err, "reading a golden set");
    if (text.ptr)
        st = assay_file_copy(&golden->file, text, path, err);
    else if (!is_folder)
        st = assay_file_open(&golden->file, path, err);
    if (!st)
        st = read_into(golden, path, is_folder, options, err);
    if (st) {
        assay_golden_free(golden);
        return st;
    }
    *out = golden;
    return ASSAY_OK;
}

assay_status assay_golden_load(const char *path, const assay_golden_options *options,
                               assay_golden **out, assay_error *err)
{
    return load(path, (assay_slice){NULL, 0}, options, out, err);
}

assay_status assay_golden_parse(const char *name, assay_slice text,
                                const assay_golden_options *options, assay_golden **out,
                                assay_error *err)
{
    return load(name, text.ptr ? text : ASSAY_LIT(""), options, out, err);
}
