/* SPDX-License-Identifier: Apache-2.0 */
/* dense: passages and queries as vectors, the nearest first.  Which vectors is the
 * embedder's business (src/embed), finding the nearest that of src/index/vectors.h. */
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/params.h"
#include "base/slice.h"
#include "embed/embed.h"
#include "index/vectors.h"
#include "retrieve/retrieve.h"

enum { METRIC, STORAGE, N_PARAMS };
enum { COSINE, DOT };
enum { FLOAT32, INT8, LEAN };

static const assay_param table[] = {
    [METRIC] = {"metric", ASSAY_PARAM_WORD, 0, 0, "cosine|dot", "cosine",
                "angle between vectors, or their inner product"},
    [STORAGE] = {"storage", ASSAY_PARAM_WORD, 0, 0, "float32|int8|lean", "float32",
                 "int8: a fifth of the memory, not exact; lean: no codes for speed"},
    [N_PARAMS] = {NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL}};

enum {
    PROBES = 200, /* passages taken as queries, to see what int8 loses */
    PROBE_K = 10,
    ALONE = 1 << 22 /* numbers to go through with one thread */
};

typedef struct dense {
    assay_embedding embedding;
    assay_vectors *vectors;
    const assay_passages *passages;
    assay_arena arena; /* texts with titles */
    assay_slice *text; /* of each passage, while the index is built */
    assay_param_value value[N_PARAMS];
    uint32_t n_threads;
    uint32_t dims;
} dense;

typedef struct worker {
    dense *of;
    float *query;
    size_t query_cap;
    assay_near *near;
    size_t near_cap;
    uint32_t *n;
    size_t n_cap;
} worker;

static void close_dense(void *state)
{
    dense *d = state;

    if (!d)
        return;
    assay_embedding_close(&d->embedding);
    assay_vectors_free(d->vectors);
    assay_arena_clear(&d->arena);
    assay_mem_free(d);
}

/* "title text", or the text alone where there is no title or it begins with it. */
static bool join(dense *d, const assay_passage *p, assay_slice *out)
{
    char *both;

    *out = p->text;
    if (!p->title.len || (p->text.len >= p->title.len &&
                          memcmp(p->text.ptr, p->title.ptr, p->title.len) == 0))
        return true;
    both = assay_arena_alloc(&d->arena, p->title.len + 1 + p->text.len);
    if (!both)
        return false;
    memcpy(both, p->title.ptr, p->title.len);
    both[p->title.len] = ' ';
    if (p->text.len)
        memcpy(both + p->title.len + 1, p->text.ptr, p->text.len);
    *out = (assay_slice){both, p->title.len + 1 + p->text.len};
    return true;
}

static assay_slice text_at(void *ctx, size_t i)
{
    return ((const dense *)ctx)->text[i];
}

static assay_slice id_at(void *ctx, size_t i)
{
    return ((const dense *)ctx)->passages->item[i].id;
}

/* Some embedders know the length of their vectors only when they have seen one. */
static assay_status learn_dims(dense *d, assay_error *err)
{
    const assay_embedder *e = d->embedding.embedder;
    assay_status st = ASSAY_OK;
    float *room;

    d->dims = e->dims(d->embedding.state);
    if (d->dims || !d->passages->n || e->needs_training)
        return ASSAY_OK;
    room = assay_mem_alloc(ASSAY_EMBED_DIMS_MOST * sizeof *room);
    if (!room)
        return assay_fail_memory(err, "embedding the passages");
    st = e->embed(d->embedding.state, ASSAY_EMBED_PASSAGE, text_at, d, 1, room, err);
    assay_mem_free(room);
    d->dims = e->dims(d->embedding.state);
    return st;
}

static assay_status embed_all(dense *d, float *row, assay_error *err)
{
    const assay_embedder *e = d->embedding.embedder;

    if (e->embed_named)
        return e->embed_named(d->embedding.state, ASSAY_EMBED_PASSAGE, text_at, id_at, d,
                              d->passages->n, row, err);
    return e->embed(d->embedding.state, ASSAY_EMBED_PASSAGE, text_at, d, d->passages->n,
                    row, err);
}

/* Passages to rows; the caller gets what assay_vectors_new takes. */
static assay_status make_rows(dense *d, float **out, assay_error *err)
{
    const assay_embedder *e = d->embedding.embedder;
    uint32_t n = d->passages->n;
    assay_status st = ASSAY_OK;
    float *row;

    d->text = ASSAY_ARENA_ARRAY(&d->arena, assay_slice, n);
    for (uint32_t i = 0; d->text && i < n; i++)
        if (!join(d, &d->passages->item[i], &d->text[i]))
            d->text = NULL;
    if (!d->text)
        return assay_fail_memory(err, "embedding the passages");
    if (e->needs_training)
        st = e->train(d->embedding.state, text_at, d, n, err);
    if (!st)
        st = learn_dims(d, err);
    if (st)
        return st;
    row = assay_mem_alloc_spread((size_t)n * d->dims * sizeof *row);
    if (!row)
        return assay_fail_memory(err, "embedding the passages");
    st = embed_all(d, row, err);
    if (st)
        assay_mem_free(row);
    else
        *out = row;
    return st;
}

static assay_status go_int8(dense *d, const assay_retrieve_source *source,
                            assay_error *err)
{
    double recall;
    assay_status st =
        assay_vectors_loss(d->vectors, PROBES, PROBE_K, d->n_threads, &recall, err);

    if (st)
        return st;
    assay_vectors_drop_floats(d->vectors);
    if (source->notes &&
        !assay_notes_add(source->notes, source->arena,
                         "dense: int8 vectors find %.4f of the %d nearest that float32 "
                         "finds, measured on %u passages taken as queries",
                         recall, PROBE_K,
                         d->passages->n < PROBES ? d->passages->n : PROBES))
        return assay_fail_memory(err, "opening retriever 'dense'");
    return ASSAY_OK;
}

static assay_status build(dense *d, const assay_retrieve_source *source, assay_error *err)
{
    uint32_t storage = d->value[STORAGE].choice;
    assay_vectors_options options = {.is_dot = d->value[METRIC].choice == DOT,
                                     .is_lean = storage == LEAN,
                                     .n_threads = d->n_threads};
    float *row = NULL;
    assay_status st = make_rows(d, &row, err);

    if (st)
        return st;
    st = assay_vectors_new(row, d->passages->n, d->dims, &options, &d->vectors, err);
    if (st) {
        assay_mem_free(row);
        return st;
    }
    /* The texts are embedded: only their vectors are needed from here on. */
    assay_arena_clear(&d->arena);
    d->text = NULL;
    return storage == INT8 ? go_int8(d, source, err) : ASSAY_OK;
}

static assay_status open_dense(const assay_retrieve_source *source, void **state,
                               assay_error *err)
{
    assay_embed_settings settings = source->embed;
    dense *d = ASSAY_NEW(dense);
    assay_status st;

    if (!d)
        return assay_fail_memory(err, "opening retriever 'dense'");
    d->passages = source->passages;
    d->n_threads = source->n_threads;
    if (!settings.n_threads)
        settings.n_threads = source->n_threads;
    st = assay_params_read("retriever 'dense'", table, source->params, d->value, err);
    if (!st)
        st = assay_embedding_open(source->embedder, &settings, &d->embedding, err);
    if (!st)
        st = build(d, source, err);
    if (st)
        close_dense(d);
    else
        *state = d;
    return st;
}

static assay_status open_worker(void *state, void **out, assay_error *err)
{
    worker *w = ASSAY_NEW(worker);

    if (!w)
        return assay_fail_memory(err, "opening retriever 'dense'");
    w->of = state;
    *out = w;
    return ASSAY_OK;
}

static void close_worker(void *arg)
{
    worker *w = arg;

    if (!w)
        return;
    assay_mem_free(w->query);
    assay_mem_free(w->near);
    assay_mem_free(w->n);
    assay_mem_free(w);
}

static assay_status make_room(worker *w, size_t n_queries, uint32_t k, assay_error *err)
{
    float *query = assay_mem_grow(w->query, &w->query_cap, n_queries * w->of->dims + 1,
                                  sizeof *query);
    assay_near *near;
    uint32_t *n;

    if (!query)
        return assay_fail_memory(err, "searching");
    w->query = query;
    near = assay_mem_grow(w->near, &w->near_cap, n_queries * k + 1, sizeof *near);
    if (!near)
        return assay_fail_memory(err, "searching");
    w->near = near;
    n = assay_mem_grow(w->n, &w->n_cap, n_queries + 1, sizeof *n);
    if (!n)
        return assay_fail_memory(err, "searching");
    w->n = n;
    return ASSAY_OK;
}

static assay_status find(worker *w, const assay_slice *query, size_t n_queries,
                         uint32_t k, uint32_t n_threads, assay_retrieved *hit,
                         uint32_t *n, assay_error *err)
{
    dense *d = w->of;
    const assay_embedder *e = d->embedding.embedder;
    assay_status st;

    if (!k || !d->dims || !d->passages->n) {
        memset(n, 0, n_queries * sizeof *n);
        return ASSAY_OK;
    }
    st = make_room(w, n_queries, k, err);
    if (!st)
        st = e->embed(d->embedding.state, ASSAY_EMBED_QUERY, assay_embed_slice_at,
                      (void *)(uintptr_t)query, n_queries, w->query, err);
    if (!st)
        st = assay_vectors_search(d->vectors, w->query, n_queries, k, n_threads, w->near,
                                  w->n, err);
    if (st)
        return st;
    for (size_t q = 0; q < n_queries; q++) {
        n[q] = w->n[q];
        for (uint32_t i = 0; i < n[q]; i++)
            hit[q * k + i] = (assay_retrieved){.passage = w->near[q * k + i].row,
                                               .score = w->near[q * k + i].score};
    }
    return ASSAY_OK;
}

static assay_status search(void *arg, assay_slice query, uint32_t k, assay_retrieved *hit,
                           uint32_t *n, assay_error *err)
{
    worker *w = arg;
    bool is_small = (size_t)w->of->passages->n * w->of->dims < ALONE;

    return find(w, &query, 1, k, is_small ? 1 : w->of->n_threads, hit, n, err);
}

static assay_status search_batch(void *arg, const assay_slice *query, size_t n_queries,
                                 uint32_t k, assay_retrieved *hit, uint32_t *n,
                                 assay_error *err)
{
    worker *w = arg;

    return find(w, query, n_queries, k, w->of->n_threads, hit, n, err);
}

static void identity(const void *state, assay_buffer *out)
{
    const dense *d = state;

    assay_params_print("dense", table, d->value, out);
    assay_buffer_char(out, ' ');
    d->embedding.embedder->identity(d->embedding.state, out);
}

static const assay_embedding *embedding_of(const void *state)
{
    return &((const dense *)state)->embedding;
}

const assay_retriever assay_retriever_dense = {
    .name = "dense",
    .summary = "passages and queries as vectors, the nearest first",
    .param = table,
    .open = open_dense,
    .worker = open_worker,
    .search = search,
    .search_batch = search_batch,
    .identity = identity,
    .embedding = embedding_of,
    .worker_close = close_worker,
    .close = close_dense,
};
