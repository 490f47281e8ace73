/* SPDX-License-Identifier: Apache-2.0 */
/* The golden set in memory is changed first; its query is then written into the text of the
 * file, the text is read back, and only what reads as meant is saved. */
#include "golden/notebook.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "golden/native.h"
#include "golden/native_edit.h"
#include "golden/resolve.h"

static const assay_golden_options native = {.format = "assay"};

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "writing a golden set");
}

/* ---- reading ---- */

/* Read the text anew, and look for its judgments in the corpus. */
static assay_status reload(assay_notebook *book, assay_error *err)
{
    const assay_trace_options o = {0};
    assay_golden *golden = NULL;
    assay_resolution r;
    assay_status st = ASSAY_OK;

    if (!book->text.len) {
        golden = assay_golden_new();
        if (!golden)
            return no_memory(err);
    } else {
        st = assay_golden_parse(book->path, assay_buffer_view(&book->text), &native,
                                &golden, err);
        if (!st && book->corpus && golden->n_queries)
            st = assay_resolve(golden, book->corpus, &o, &r, err);
    }
    if (st) {
        assay_golden_free(golden);
        return st;
    }
    assay_golden_free(book->golden);
    book->golden = golden;
    return ASSAY_OK;
}

static assay_status read_text(assay_notebook *book, assay_buffer *out, assay_error *err)
{
    assay_file file = {0};
    assay_status st;

    if (!assay_file_exists(book->path))
        return ASSAY_OK;
    st = assay_file_open(&file, book->path, err);
    if (st)
        return st;
    assay_buffer_slice(out, file.text);
    assay_file_close(&file);
    return out->has_failed ? no_memory(err) : ASSAY_OK;
}

static assay_status check_format(const assay_notebook *book, assay_error *err)
{
    const assay_golden_options any = {0};
    assay_golden *golden = NULL;
    assay_status st = assay_golden_parse(book->path, assay_buffer_view(&book->text), &any,
                                         &golden, err);

    if (!st && strcmp(golden->format->name, "assay") != 0)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "'%s' is %s; 'assay golden convert --to assay' makes it one that "
                        "can be added to",
                        book->path, golden->format->title);
    assay_golden_free(golden);
    return st;
}

assay_status assay_notebook_open(assay_notebook *book, const char *path,
                                 const char *corpus, assay_error *err)
{
    assay_status st;

    *book = (assay_notebook){.path = path, .corpus = corpus};
    st = read_text(book, &book->text, err);
    if (!st && book->text.len)
        st = check_format(book, err);
    if (!st)
        st = reload(book, err);
    if (st)
        assay_notebook_close(book);
    return st;
}

void assay_notebook_close(assay_notebook *book)
{
    for (size_t i = 0; i < book->n_past; i++)
        assay_buffer_clear(&book->past[i]);
    assay_mem_free(book->past);
    assay_buffer_clear(&book->text);
    assay_golden_free(book->golden);
    *book = (assay_notebook){0};
}

/* ---- saving ---- */

/* Somebody may have the file open in an editor: what they wrote is not written over. */
static assay_status check_unchanged(assay_notebook *book, assay_error *err)
{
    assay_buffer now = ASSAY_BUFFER_EMPTY;
    assay_status st = read_text(book, &now, err);

    if (!st && !assay_slice_eq(assay_buffer_view(&now), assay_buffer_view(&book->text)))
        st = assay_fail(err, ASSAY_ESYSTEM,
                        "'%s' was changed by somebody else; quit and start again",
                        book->path);
    assay_buffer_clear(&now);
    return st;
}

/* What became of a query: the less, the fewer bytes change. */
typedef enum change {
    CHANGE_NEW,    /* it is appended */
    CHANGE_JUDGED, /* it has one more judgment, its last */
    CHANGE_ANY     /* it is written anew */
} change;

static assay_status edit_text(const assay_notebook *book, uint32_t query, change what,
                              assay_native_edit *edit, assay_error *err)
{
    const assay_query *q = &book->golden->query[query];

    if (what == CHANGE_NEW)
        return assay_native_edit_append(edit, book->golden, &q, 1, err);
    if (what == CHANGE_JUDGED)
        return assay_native_edit_judge(edit, query, book->golden,
                                       &q->judgment[q->n_judgments - 1], 1, err);
    return assay_native_edit_replace(edit, query, book->golden, q, err);
}

static assay_status put_text(const assay_notebook *book, uint32_t query, change what,
                             assay_buffer *out, assay_error *err)
{
    const assay_golden_target target = {.out = out};
    assay_native_edit edit;
    assay_status st;

    if (!book->text.len)
        return assay_native_write(book->golden, &target, err);
    st = assay_native_edit_open(&edit, book->path, assay_buffer_view(&book->text), err);
    if (st)
        return st;
    st = edit_text(book, query, what, &edit, err);
    if (!st)
        st = assay_native_edit_finish(&edit, out, err);
    assay_native_edit_close(&edit);
    return st;
}

static assay_status read_back(const assay_notebook *book, uint32_t query,
                              const assay_buffer *text, assay_error *err)
{
    const assay_query *q = &book->golden->query[query];
    const assay_query *r;
    assay_golden *back = NULL;
    assay_status st =
        assay_golden_parse(book->path, assay_buffer_view(text), &native, &back, err);

    if (st)
        return st;
    r = query < back->n_queries ? &back->query[query] : NULL;
    if (back->n_queries != book->golden->n_queries || !assay_slice_eq(r->id, q->id) ||
        !assay_slice_eq(r->text, q->text) || r->n_judgments != q->n_judgments ||
        r->is_draft != q->is_draft)
        st = assay_fail_at(err, book->path, 0,
                           "is written in a way that cannot be edited; 'assay golden "
                           "convert --to assay' writes it anew");
    assay_golden_free(back);
    return st;
}

/* The old text goes to the past, and `text` becomes the file's. */
static assay_status turn_page(assay_notebook *book, assay_buffer *text, assay_error *err)
{
    assay_buffer *past =
        assay_mem_grow(book->past, &book->cap_past, book->n_past + 1, sizeof *past);
    assay_status st;

    if (!past)
        return no_memory(err);
    book->past = past;
    st = check_unchanged(book, err);
    if (!st)
        st = assay_file_save(book->path, assay_buffer_view(text), err);
    if (st)
        return st;
    book->past[book->n_past++] = book->text;
    book->text = *text;
    *text = (assay_buffer)ASSAY_BUFFER_EMPTY;
    return ASSAY_OK;
}

static assay_status save(assay_notebook *book, uint32_t query, change what,
                         assay_error *err)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_error again;
    assay_status st = put_text(book, query, what, &text, err);

    if (!st)
        st = read_back(book, query, &text, err);
    if (!st)
        st = turn_page(book, &text, err);
    assay_buffer_clear(&text);
    /* What could not be saved is not there: the first failure is the one to tell. */
    if (st && reload(book, &again))
        return st;
    return st;
}

assay_status assay_notebook_save(assay_notebook *book, uint32_t query, assay_error *err)
{
    return save(book, query, CHANGE_ANY, err);
}

assay_status assay_notebook_undo(assay_notebook *book, bool *is_done, assay_error *err)
{
    assay_status st = ASSAY_OK;

    *is_done = book->n_past > 0;
    if (!book->n_past)
        return ASSAY_OK;
    st = check_unchanged(book, err);
    if (!st && !book->past[book->n_past - 1].len && remove(book->path) != 0)
        st = assay_fail(err, ASSAY_ESYSTEM, "cannot remove '%s'", book->path);
    else if (!st && book->past[book->n_past - 1].len)
        st = assay_file_save(book->path, assay_buffer_view(&book->past[book->n_past - 1]),
                             err);
    if (st)
        return st;
    assay_buffer_clear(&book->text);
    book->text = book->past[--book->n_past];
    return reload(book, err);
}

/* ---- questions ---- */

uint32_t assay_notebook_find(const assay_notebook *book, assay_slice text)
{
    for (uint32_t i = 0; i < book->golden->n_queries; i++)
        if (assay_slice_eq(book->golden->query[i].text, text))
            return i;
    return ASSAY_NONE;
}

/* q-1, q-2 ...: the first from their number on that nobody has. */
static assay_slice make_id(assay_golden *golden)
{
    uint32_t n = golden->n_queries;
    char text[32];

    do {
        snprintf(text, sizeof text, "q-%u", ++n);
    } while (assay_dict_find(&golden->ids, assay_slice_of(text)) != ASSAY_NONE);
    return assay_arena_copy(&golden->arena, assay_slice_of(text));
}

assay_status assay_notebook_ask(assay_notebook *book, assay_slice text, uint32_t *query,
                                assay_error *err)
{
    assay_golden *golden = book->golden;
    assay_query *q;
    assay_slice id;
    assay_status st;

    *query = assay_notebook_find(book, text);
    if (*query != ASSAY_NONE)
        return ASSAY_OK;
    id = make_id(golden);
    text = assay_arena_copy(&golden->arena, text);
    if (!id.ptr || !text.ptr)
        return no_memory(err);
    st = assay_golden_add(golden, id, 0, &q, err);
    if (st)
        return st;
    q->text = text;
    q->is_draft = true;
    *query = golden->n_queries - 1;
    return save(book, *query, CHANGE_NEW, err);
}

/* ---- judgments ---- */

static bool lies_in(assay_span inner, assay_span outer)
{
    return inner.start >= outer.start && inner.end <= outer.end;
}

static bool gives_way(const assay_golden *golden, const assay_judgment *j,
                      assay_slice doc, assay_span over, assay_span passage)
{
    assay_span own;

    if (j->doc == ASSAY_NONE || !assay_slice_eq(golden->docs.word[j->doc], doc))
        return false;
    /* A judgment of the whole document is not one of this passage. */
    if (!j->n_spans)
        return false;
    own = (assay_span){j->span[0].start, j->span[j->n_spans - 1].end};
    return lies_in(own, over) || (lies_in(own, passage) && lies_in(over, own));
}

static bool drop(assay_notebook *book, assay_query *q, assay_slice doc, assay_span over,
                 assay_span passage)
{
    uint32_t n = 0;
    bool has_dropped;

    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (!gives_way(book->golden, &q->judgment[i], doc, over, passage))
            q->judgment[n++] = q->judgment[i];
    has_dropped = n < q->n_judgments;
    q->n_judgments = n;
    return has_dropped;
}

/* Labels are derived when a file is read; what is shown before that follows here. */
static void relabel(assay_query *q)
{
    if (q->label == ASSAY_LABEL_SHOULD_REFUSE)
        return;
    q->has_relevant_key = q->n_judgments > 0;
    q->label = q->n_judgments ? ASSAY_LABEL_LABELLED : ASSAY_LABEL_UNLABELLED;
}

static assay_status add(assay_notebook *book, uint32_t query, const assay_verdict *v,
                        assay_error *err)
{
    assay_golden *golden = book->golden;
    assay_judgment j = assay_judgment_none();

    j.grade = v->grade;
    j.quote = assay_arena_copy(&golden->arena, v->quote);
    if (v->is_ambiguous) {
        j.place = ASSAY_PLACE_SPAN;
        j.where = v->span;
    }
    if (!j.quote.ptr || !assay_judgment_span(golden, &j, v->span) ||
        !assay_dict_put(&golden->docs, &golden->arena, v->doc, &j.doc, NULL))
        return no_memory(err);
    return assay_golden_judge(golden, &golden->query[query], &j, err);
}

assay_status assay_notebook_judge(assay_notebook *book, uint32_t query,
                                  const assay_verdict *verdict, assay_error *err)
{
    assay_query *q = &book->golden->query[query];
    bool has_dropped;
    assay_status st;

    has_dropped = drop(book, q, verdict->doc, verdict->over, verdict->passage);
    st = add(book, query, verdict, err);
    if (st)
        return st;
    relabel(&book->golden->query[query]);
    return save(book, query, has_dropped ? CHANGE_ANY : CHANGE_JUDGED, err);
}

assay_status assay_notebook_unjudge(assay_notebook *book, uint32_t query, assay_slice doc,
                                    assay_span over, assay_error *err)
{
    assay_query *q = &book->golden->query[query];

    if (!drop(book, q, doc, over, over))
        return ASSAY_OK;
    relabel(q);
    return save(book, query, CHANGE_ANY, err);
}

assay_status assay_notebook_copy(assay_notebook *book, uint32_t query,
                                 const assay_golden *other, const assay_query *from,
                                 assay_error *err)
{
    assay_golden *golden = book->golden;
    assay_arena *arena = &golden->arena;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; !st && i < from->n_judgments; i++) {
        assay_judgment j = from->judgment[i];
        bool ok = true;

        j.subtopic = ASSAY_NONE;
        j.span = NULL;
        j.n_spans = 0;
        j.quote = assay_arena_copy(arena, j.quote);
        if (j.doc != ASSAY_NONE)
            ok = assay_dict_put(&golden->docs, arena, other->docs.word[j.doc], &j.doc,
                                NULL);
        if (j.chunk != ASSAY_NONE)
            ok = ok && assay_dict_put(&golden->chunks, arena, other->chunks.word[j.chunk],
                                      &j.chunk, NULL);
        if (j.heading != ASSAY_NONE)
            ok = ok && assay_dict_put(&golden->headings, arena,
                                      other->headings.word[j.heading], &j.heading, NULL);
        st = ok && j.quote.ptr
                 ? assay_golden_judge(golden, &golden->query[query], &j, err)
                 : no_memory(err);
    }
    if (!st)
        st = save(book, query, CHANGE_ANY, err);
    /* Where the new judgments stand is known when they were looked for. */
    return st ? st : reload(book, err);
}

int32_t assay_notebook_grade(const assay_notebook *book, uint32_t query, assay_slice doc,
                             assay_slice chunk, const assay_span *span, uint32_t n_spans)
{
    const assay_golden *golden = book->golden;
    const assay_query *q = &golden->query[query];
    int32_t grade = ASSAY_UNGRADED;

    for (uint32_t i = 0; i < q->n_judgments; i++) {
        const assay_judgment *j = &q->judgment[i];
        bool is_chunk = j->chunk != ASSAY_NONE && chunk.len &&
                        assay_slice_eq(golden->chunks.word[j->chunk], chunk);
        bool is_doc =
            j->doc != ASSAY_NONE && assay_slice_eq(golden->docs.word[j->doc], doc);
        bool is_here = is_doc && (!j->n_spans || !n_spans ||
                                  assay_span_shared(j->span, j->n_spans, span, n_spans));

        if ((is_chunk || is_here) && j->stale != ASSAY_STALE_LOST && j->grade >= 0 &&
            j->grade > grade)
            grade = j->grade;
    }
    return grade;
}

bool assay_notebook_strings(assay_notebook *book, assay_slice text, char sep,
                            assay_strings *out)
{
    assay_arena *arena = &book->golden->arena;
    assay_slice rest = text;
    assay_slice part;
    uint32_t n = 0;

    while (assay_slice_part(&rest, sep, &part))
        n++;
    out->n = 0;
    out->item = ASSAY_ARENA_ARRAY(arena, assay_slice, n + 1);
    for (rest = text; out->item && assay_slice_part(&rest, sep, &part);) {
        part = assay_slice_trim(part);
        if (!part.len)
            continue;
        out->item[out->n] = assay_arena_copy(arena, part);
        if (!out->item[out->n++].ptr)
            return false;
    }
    return out->item != NULL;
}
