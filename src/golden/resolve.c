/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/resolve.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "base/slice.h"

/* ---- clues ---- */

static const char *const place_words[] = {[ASSAY_PLACE_NONE] = "",
                                          [ASSAY_PLACE_SPAN] = "span",
                                          [ASSAY_PLACE_CHARS] = "chars",
                                          [ASSAY_PLACE_LINES] = "lines"};

/* What a judgment names, the most telling first: its own words survive more than a place
 * does, and both more than the id of a chunk. */
static const char *what_of(const assay_judgment *j)
{
    if (j->quote.len)
        return "quote";
    if (j->place != ASSAY_PLACE_NONE)
        return place_words[j->place];
    if (j->heading != ASSAY_NONE)
        return "heading";
    return j->chunk != ASSAY_NONE ? "chunk" : "document";
}

static assay_clue clue_of(const assay_golden *golden, const assay_judgment *j)
{
    bool has_words =
        j->quote.len || j->place != ASSAY_PLACE_NONE || j->heading != ASSAY_NONE;
    assay_clue clue = {.kind = has_words                ? ASSAY_CLUE_TEXT
                               : j->chunk != ASSAY_NONE ? ASSAY_CLUE_CHUNK
                                                        : ASSAY_CLUE_DOC};

    clue.doc = j->doc == ASSAY_NONE ? ASSAY_LIT("") : golden->docs.word[j->doc];
    clue.chunk = j->chunk == ASSAY_NONE ? ASSAY_LIT("") : golden->chunks.word[j->chunk];
    clue.sought = (assay_sought){
        .quote = j->quote,
        .place = (assay_place)j->place,
        .where = j->where,
        .heading =
            j->heading == ASSAY_NONE ? ASSAY_LIT("") : golden->headings.word[j->heading],
    };
    return clue;
}

static uint32_t count_judgments(const assay_golden *golden)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < golden->n_queries; i++)
        n += golden->query[i].n_judgments;
    return n;
}

static void list_clues(const assay_golden *golden, assay_resolved *item, assay_clue *clue)
{
    for (uint32_t i = 0; i < golden->n_queries; i++) {
        const assay_query *q = &golden->query[i];

        for (uint32_t j = 0; j < q->n_judgments; j++) {
            *item++ = (assay_resolved){
                .query = i, .judgment = j, .what = what_of(&q->judgment[j])};
            *clue++ = clue_of(golden, &q->judgment[j]);
        }
    }
}

/* ---- taking it over ---- */

static bool take(assay_golden *golden, const assay_traced *traced, assay_judgment *j)
{
    bool is_found =
        traced->finding == ASSAY_FOUND_RESOLVED || traced->finding == ASSAY_FOUND_MOVED;

    j->stale = is_found                                   ? ASSAY_STALE_NOT
               : traced->finding == ASSAY_FOUND_AMBIGUOUS ? ASSAY_STALE_AMBIGUOUS
                                                          : ASSAY_STALE_LOST;
    j->span = is_found ? traced->span : NULL;
    j->n_spans = is_found ? traced->n_spans : 0;
    /* A chunk is where the corpus has it, whatever the golden set says. */
    return j->chunk == ASSAY_NONE || j->stale == ASSAY_STALE_LOST || !traced->doc.len ||
           assay_dict_put(&golden->docs, NULL, traced->doc, &j->doc, NULL);
}

/* Whether the query was labelled and has lost all that was relevant. */
static bool has_nothing_left(const assay_query *q)
{
    bool had = false;

    if (q->label != ASSAY_LABEL_LABELLED && q->label != ASSAY_LABEL_STALE)
        return false;
    for (uint32_t i = 0; i < q->n_judgments; i++) {
        if (q->judgment[i].grade <= 0)
            continue;
        had = true;
        if (q->judgment[i].stale != ASSAY_STALE_LOST)
            return false;
    }
    return had;
}

static bool take_all(assay_golden *golden, assay_resolution *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        assay_query *q = &golden->query[r->item[i].query];
        assay_finding finding = r->item[i].traced.finding;

        if (!take(golden, &r->item[i].traced, &q->judgment[r->item[i].judgment]))
            return false;
        if (!q->is_draft)
            r->count[finding]++;
        else if (finding == ASSAY_FOUND_LOST || finding == ASSAY_FOUND_AMBIGUOUS)
            r->n_draft_stale++;
    }
    for (uint32_t i = 0; i < golden->n_queries; i++) {
        assay_query *q = &golden->query[i];
        bool is_empty = has_nothing_left(q);

        if (is_empty)
            q->label = ASSAY_LABEL_STALE;
        else if (q->label == ASSAY_LABEL_STALE)
            q->label = ASSAY_LABEL_LABELLED;
        r->n_stale_queries += is_empty && !q->is_draft;
    }
    return true;
}

assay_status assay_resolve(assay_golden *golden, const char *corpus,
                           const assay_trace_options *options, assay_resolution *out,
                           assay_error *err)
{
    assay_resolution r = {.n = count_judgments(golden)};
    assay_clue *clue = ASSAY_NEW_ARRAY(assay_clue, r.n);
    assay_traced *traced = ASSAY_NEW_ARRAY(assay_traced, r.n);
    assay_status st;

    r.item = ASSAY_ARENA_ARRAY(&golden->arena, assay_resolved, r.n);
    if (!clue || !traced || !r.item) {
        st = assay_fail_memory(err, "resolving a golden set");
        goto done;
    }
    list_clues(golden, r.item, clue);
    st = assay_trace(corpus, clue, r.n, options, &golden->arena, traced, err);
    if (st)
        goto done;
    for (uint32_t i = 0; i < r.n; i++)
        r.item[i].traced = traced[i];
    if (take_all(golden, &r))
        *out = r;
    else
        st = assay_fail_memory(err, "resolving a golden set");

done:
    assay_mem_free(clue);
    assay_mem_free(traced);
    return st;
}

/* ---- for people ---- */

static const char *path_of(const assay_golden *golden)
{
    if (golden->judged_path)
        return golden->judged_path;
    return golden->path ? golden->path : "golden set";
}

void assay_resolved_line(const assay_resolved *item, const assay_golden *golden,
                         assay_buffer *out)
{
    const assay_query *q = &golden->query[item->query];
    uint32_t line = q->judgment[item->judgment].line;

    assay_buffer_text(out, path_of(golden));
    if (line)
        assay_buffer_printf(out, ":%u", line);
    assay_buffer_printf(out, ": query '%.*s': %s %s", ASSAY_QUOTE(q->id), item->what,
                        assay_finding_name(item->traced.finding));
    if (item->traced.reason)
        assay_buffer_printf(out, ": %s", item->traced.reason);
}

static bool name_stale(const assay_resolution *r, const assay_golden *golden,
                       uint32_t most, assay_notes *notes, assay_arena *arena)
{
    assay_buffer line = ASSAY_BUFFER_EMPTY;
    uint32_t n = 0;
    bool ok = true;

    for (uint32_t i = 0; ok && i < r->n; i++) {
        assay_finding finding = r->item[i].traced.finding;

        if (golden->query[r->item[i].query].is_draft ||
            (finding != ASSAY_FOUND_LOST && finding != ASSAY_FOUND_AMBIGUOUS) ||
            n++ >= most)
            continue;
        line.len = 0;
        assay_resolved_line(&r->item[i], golden, &line);
        ok = !line.has_failed && assay_notes_add(notes, arena, "%.*s", (int)line.len,
                                                 assay_buffer_view(&line).ptr);
    }
    assay_buffer_clear(&line);
    if (ok && n > most)
        ok = assay_notes_add(notes, arena,
                             "%u more stale judgments; 'assay golden check' "
                             "with the corpus names them all",
                             n - most);
    return ok;
}

static bool name_queries(const assay_resolution *r, const assay_golden *golden,
                         assay_notes *notes, assay_arena *arena)
{
    assay_name_list list = {{0}, 0, 0, 0};

    if (!r->n_stale_queries)
        return true;
    for (uint32_t i = 0; i < golden->n_queries; i++)
        if (golden->query[i].label == ASSAY_LABEL_STALE && !golden->query[i].is_draft)
            assay_name_list_add(&list, golden->query[i].id);
    return assay_notes_add(
        notes, arena, "%u %s nothing relevant left in the corpus and %s no score: %s",
        r->n_stale_queries, r->n_stale_queries == 1 ? "query has" : "queries have",
        r->n_stale_queries == 1 ? "gets" : "get", assay_name_list_text(&list));
}

bool assay_resolution_notes(const assay_resolution *r, const assay_golden *golden,
                            uint32_t most, assay_notes *notes, assay_arena *arena)
{
    uint32_t stale = assay_resolution_stale(r);
    uint32_t n = stale + r->count[ASSAY_FOUND_RESOLVED] + r->count[ASSAY_FOUND_MOVED];

    if (stale &&
        !assay_notes_add(notes, arena,
                         "%u of %u judgments %s stale and left out: %u lost, %u "
                         "ambiguous",
                         stale, n, stale == 1 ? "is" : "are", r->count[ASSAY_FOUND_LOST],
                         r->count[ASSAY_FOUND_AMBIGUOUS]))
        return false;
    return name_stale(r, golden, most, notes, arena) &&
           name_queries(r, golden, notes, arena);
}
