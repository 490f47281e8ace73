/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/corpus_stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "corpus/corpus_db.h"
#include "corpus/scripts.h"

const int assay_corpus_quantile[ASSAY_CORPUS_QUANTILES] = {0, 5, 25, 50, 75, 95, 100};

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "counting a corpus");
}

/* ---- where it came from ---- */

static assay_status add_root(const assay_stmt *stmt, assay_arena *arena, size_t *cap,
                             assay_corpus_origin *out, assay_error *err)
{
    assay_corpus_root *moved =
        assay_mem_grow(out->root, cap, out->n_roots + 1, sizeof *moved);
    assay_corpus_root root = {.path = assay_arena_copy(arena, assay_stmt_slice(stmt, 0)),
                              .n_files = (uint64_t)assay_stmt_int(stmt, 1),
                              .n_docs = (uint64_t)assay_stmt_int(stmt, 2)};

    if (!moved || !root.path.ptr)
        return no_memory(err);
    out->root = moved;
    out->root[out->n_roots++] = root;
    if (assay_stmt_int(stmt, 3) > out->read_ns)
        out->read_ns = assay_stmt_int(stmt, 3);
    return ASSAY_OK;
}

assay_status assay_corpus_origins(assay_corpus *corpus, assay_arena *arena,
                                  assay_corpus_origin *out, assay_error *err)
{
    assay_corpus_origin o = {.root = NULL};
    assay_corpus_root *copy = NULL;
    assay_stmt *stmt = NULL;
    bool has_row = true;
    size_t cap = 0;
    assay_status st = assay_stmt_new(
        corpus->sql,
        "SELECT f.root, count(*), sum((SELECT count(*) FROM versions v"
        " WHERE v.file = f.file AND v.is_today = 1)), max(f.read_ns)"
        " FROM files f WHERE f.is_today = 1 GROUP BY f.root ORDER BY f.root",
        &stmt, err);

    while (!st && has_row) {
        st = assay_stmt_step(stmt, &has_row, err);
        if (!st && has_row)
            st = add_root(stmt, arena, &cap, &o, err);
    }
    assay_stmt_free(stmt);
    if (!st) {
        copy = ASSAY_ARENA_ARRAY(arena, assay_corpus_root, o.n_roots + 1);
        st = copy ? ASSAY_OK : no_memory(err);
    }
    for (size_t i = 0; !st && i < o.n_roots; i++)
        copy[i] = o.root[i];
    assay_mem_free(o.root);
    o.root = copy;
    if (!st)
        *out = o;
    return st;
}

/* ---- counting ---- */

typedef struct list {
    uint64_t *item;
    size_t n;
    size_t cap;
    uint64_t sum;
} list;

/* The text of one document, to find its twins. */
typedef struct print {
    uint8_t hash[ASSAY_SHA256_BYTES];
    uint64_t bytes;
    assay_slice id;
} print;

typedef struct shares {
    assay_dict names;
    assay_corpus_share *item;
    size_t cap;
} shares;

typedef struct counter {
    assay_corpus *corpus;
    assay_arena *arena; /* the caller's */
    assay_arena scratch;
    assay_buffer text;
    assay_corpus_stats stats;
    list docs;
    list chunks;
    assay_span *span; /* of one document */
    size_t cap_spans;
    print *print;
    size_t n_prints;
    size_t cap_prints;
    shares forms;
    shares langs;
    uint64_t letters[ASSAY_SCRIPTS_MOST];
    uint64_t script_docs[ASSAY_SCRIPTS_MOST];
} counter;

static bool put(list *l, uint64_t value)
{
    uint64_t *moved = assay_mem_grow(l->item, &l->cap, l->n + 1, sizeof *moved);

    if (!moved)
        return false;
    l->item = moved;
    l->item[l->n++] = value;
    l->sum += value;
    return true;
}

static bool put_share(counter *c, shares *s, assay_slice name, uint64_t bytes)
{
    assay_corpus_share *moved;
    uint32_t number;
    bool is_new;

    if (!assay_dict_put(&s->names, c->arena, name, &number, &is_new))
        return false;
    moved = assay_mem_grow(s->item, &s->cap, number + (size_t)1, sizeof *moved);
    if (!moved)
        return false;
    s->item = moved;
    if (is_new) {
        assay_slice copy = assay_arena_copy(c->arena, name);

        s->item[number] = (assay_corpus_share){copy, 0, 0};
        if (!copy.ptr)
            return false;
    }
    s->item[number].n_docs++;
    s->item[number].amount += bytes;
    return true;
}

static int by_start(const void *a, const void *b)
{
    const assay_span *x = a;
    const assay_span *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Spans of all chunks in order: what lies before the furthest end so far is there twice. */
static void cover(assay_corpus_stats *stats, assay_span *span, size_t n)
{
    uint64_t reached = 0; /* up to here bytes are covered */
    uint64_t twice = 0;   /* up to here they were counted as covered twice */

    qsort(span, n, sizeof *span, by_start);
    for (size_t i = 0; i < n; i++) {
        uint64_t from = span[i].start > twice ? span[i].start : twice;
        uint64_t to = span[i].end < reached ? span[i].end : reached;

        if (to > from) {
            stats->covered_twice += to - from;
            twice = to;
        }
        from = span[i].start > reached ? span[i].start : reached;
        if (span[i].end > from) {
            stats->covered += span[i].end - from;
            reached = span[i].end;
        }
    }
}

static bool count_chunks(counter *c, const assay_chunks *chunks)
{
    size_t n = 0;

    for (uint32_t i = 0; i < chunks->n; i++) {
        const assay_chunk *chunk = &chunks->chunk[i];
        void *moved = assay_mem_grow(c->span, &c->cap_spans, n + chunk->n_spans + 1,
                                     sizeof *c->span);
        uint64_t bytes = 0;

        if (!moved)
            return false;
        c->span = moved;
        for (uint32_t s = 0; s < chunk->n_spans; s++) {
            bytes += chunk->span[s].end - chunk->span[s].start;
            c->span[n++] = chunk->span[s];
        }
        c->stats.n_headings += chunk->heading != ASSAY_NONE;
        if (!put(&c->chunks, bytes))
            return false;
    }
    if (n)
        cover(&c->stats, c->span, n);
    return true;
}

static bool count_text(counter *c, const assay_corpus_doc *doc, assay_slice text)
{
    uint64_t letters[ASSAY_SCRIPTS_MOST] = {0};
    print *moved =
        assay_mem_grow(c->print, &c->cap_prints, c->n_prints + 1, sizeof *moved);

    if (!moved)
        return false;
    c->print = moved;
    moved += c->n_prints++;
    moved->bytes = text.len;
    moved->id = assay_arena_copy(c->arena, doc->id);
    assay_sha256_of(text, moved->hash);
    assay_scripts_count(text, letters);
    for (size_t i = 0; i < ASSAY_SCRIPTS_MOST; i++) {
        c->letters[i] += letters[i];
        c->script_docs[i] += letters[i] > 0;
    }
    c->stats.n_empty += text.len == 0;
    c->stats.n_broken += !assay_utf8_is(text);
    return moved->id.ptr && put(&c->docs, text.len) &&
           put_share(c, &c->forms, assay_slice_of(assay_form_name(doc->form)),
                     text.len) &&
           (!doc->lang.len || put_share(c, &c->langs, doc->lang, text.len));
}

static assay_status count_doc(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    counter *c = ctx;
    assay_chunks chunks = {.n = 0};
    assay_status st = assay_corpus_text(c->corpus, doc->version, &c->text, err);

    if (st)
        return st;
    assay_arena_reset(&c->scratch);
    if (!count_text(c, doc, assay_buffer_view(&c->text)))
        return no_memory(err);
    st = assay_corpus_chunks(c->corpus, doc->version, assay_buffer_view(&c->text),
                             &c->scratch, &chunks, err);
    if (!st && !count_chunks(c, &chunks))
        st = no_memory(err);
    return st;
}

/* ---- adding up ---- */

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Nearest rank: the smallest value that at least q percent are not above. */
static assay_corpus_lengths lengths(list *l)
{
    assay_corpus_lengths out = {.n = l->n};

    if (!l->n)
        return out;
    qsort(l->item, l->n, sizeof *l->item, by_value);
    out.mean = (double)l->sum / (double)l->n;
    for (size_t i = 0; i < ASSAY_CORPUS_QUANTILES; i++) {
        size_t rank = (l->n * (size_t)assay_corpus_quantile[i] + 99) / 100;

        out.quantile[i] = l->item[rank ? rank - 1 : 0];
    }
    return out;
}

static int by_amount(const void *a, const void *b)
{
    const assay_corpus_share *x = a;
    const assay_corpus_share *y = b;

    if (x->amount != y->amount)
        return x->amount > y->amount ? -1 : 1;
    return assay_slice_cmp(x->name, y->name);
}

static bool sort_shares(counter *c, const assay_corpus_share *item, size_t n,
                        assay_corpus_shares *out)
{
    out->item = ASSAY_ARENA_ARRAY(c->arena, assay_corpus_share, n + 1);
    if (!out->item)
        return false;
    for (size_t i = 0; i < n; i++)
        if (item[i].n_docs)
            out->item[out->n++] = item[i];
    qsort(out->item, out->n, sizeof *out->item, by_amount);
    return true;
}

static bool sort_scripts(counter *c)
{
    assay_corpus_share item[ASSAY_SCRIPTS_MOST];
    const char *name;
    size_t n = 0;

    for (; (name = assay_script_name(n)) != NULL; n++)
        item[n] =
            (assay_corpus_share){assay_slice_of(name), c->script_docs[n], c->letters[n]};
    return sort_shares(c, item, n, &c->stats.scripts);
}

static int by_hash(const void *a, const void *b)
{
    const print *x = a;
    const print *y = b;
    int order = memcmp(x->hash, y->hash, sizeof x->hash);

    return order ? order : assay_slice_cmp(x->id, y->id);
}

static int by_first(const void *a, const void *b)
{
    const assay_corpus_twins *x = a;
    const assay_corpus_twins *y = b;

    return assay_slice_cmp(x->id[0], y->id[0]);
}

/* Texts that are empty are not worth a line. */
static bool find_twins(counter *c)
{
    assay_corpus_twins *twins = NULL;
    assay_slice *id = ASSAY_ARENA_ARRAY(c->arena, assay_slice, c->n_prints + 1);
    size_t end;

    twins = ASSAY_ARENA_ARRAY(c->arena, assay_corpus_twins, c->n_prints / 2 + 1);
    if (!id || !twins)
        return false;
    if (c->n_prints)
        qsort(c->print, c->n_prints, sizeof *c->print, by_hash);
    for (size_t i = 0; i < c->n_prints; i = end) {
        const print *first = &c->print[i];

        id[i] = first->id;
        for (end = i + 1; end < c->n_prints && memcmp(c->print[end].hash, first->hash,
                                                      sizeof first->hash) == 0;
             end++)
            id[end] = c->print[end].id;
        if (end - i > 1 && first->bytes)
            twins[c->stats.n_twins++] =
                (assay_corpus_twins){&id[i], (uint32_t)(end - i), first->bytes};
    }
    qsort(twins, c->stats.n_twins, sizeof *twins, by_first);
    c->stats.twins = twins;
    return true;
}

static bool finish(counter *c)
{
    c->stats.bytes = c->docs.sum;
    c->stats.docs = lengths(&c->docs);
    c->stats.chunks = lengths(&c->chunks);
    return sort_shares(c, c->forms.item, c->forms.names.n, &c->stats.forms) &&
           sort_shares(c, c->langs.item, c->langs.names.n, &c->stats.langs) &&
           sort_scripts(c) && find_twins(c);
}

static void clear(counter *c)
{
    assay_arena_clear(&c->scratch);
    assay_buffer_clear(&c->text);
    assay_mem_free(c->docs.item);
    assay_mem_free(c->chunks.item);
    assay_mem_free(c->span);
    assay_mem_free(c->print);
    assay_dict_clear(&c->forms.names);
    assay_mem_free(c->forms.item);
    assay_dict_clear(&c->langs.names);
    assay_mem_free(c->langs.item);
}

assay_status assay_corpus_count(assay_corpus *corpus, assay_arena *arena,
                                assay_corpus_stats *out, assay_error *err)
{
    counter c = {.corpus = corpus, .arena = arena};
    assay_status st = assay_corpus_each(corpus, count_doc, &c, err);

    if (!st && !finish(&c))
        st = no_memory(err);
    if (!st)
        *out = c.stats;
    clear(&c);
    return st;
}
