/* SPDX-License-Identifier: Apache-2.0 */
/* Latent semantic analysis (Deerwester and others 1990): texts as weighted terms,
 * projected onto the directions in which the collection differs most.  Needs nothing but
 * the texts.
 *
 *     weight of a term in a text   (1 + ln tf) ln((n + 1) / (df + 0.5))
 *     directions                   truncated SVD of the texts, each of length 1
 *     vector of any text           its weights times the directions, of length 1
 *
 * Terms that the collection does not have count for nothing. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/dot.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "embed/embed.h"
#include "embed/svd.h"
#include "embed/term_matrix.h"

enum { DIMS, POWER, ROUNDS, TERMS, TOKENIZER, N_PARAMS };

static const assay_param param[] = {
    [DIMS] = {"dims", ASSAY_PARAM_COUNT, 0, 4096, NULL, "0",
              "length of a vector; 0 = by the number of texts, 256 to 512"},
    [POWER] = {"power", ASSAY_PARAM_REAL, -1, 1, NULL, "0",
               "a direction weighs by its singular value to this power"},
    [ROUNDS] = {"rounds", ASSAY_PARAM_COUNT, 0, 50, NULL, "3",
                "of the search for the directions"},
    [TERMS] = {"terms", ASSAY_PARAM_COUNT, 1, 10000000, NULL, "200000",
               "most terms; the rarest are left out"},
    [TOKENIZER] = {"tokenizer", ASSAY_PARAM_TEXT, 0, 0, NULL, ASSAY_TOKENIZER_STANDARD,
                   "how texts become terms"},
    [N_PARAMS] = {NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL}};

enum {
    DIMS_LEAST = 256, /* where nothing is said; never more than the rank of the texts */
    DIMS_MOST = 512,
    TEXTS_A_DIM = 6,
    ITEM = 32 /* texts that a worker takes at once */
};

typedef struct lsa {
    assay_param_value value[N_PARAMS];
    char *spelling; /* of the tokenizer; value[] points into it too */
    char *params;
    assay_tokenizing tokenizing;
    uint32_t n_threads;
    uint64_t seed;
    assay_dict terms;
    assay_arena arena; /* of the terms */
    float *weight;     /* of each term */
    assay_svd svd;     /* directions, weighed */
} lsa;

static void close_lsa(void *state)
{
    lsa *l = state;

    if (!l)
        return;
    assay_dict_clear(&l->terms);
    assay_arena_clear(&l->arena);
    assay_mem_free(l->weight);
    assay_svd_clear(&l->svd);
    assay_mem_free(l->spelling);
    assay_mem_free(l->params);
    assay_mem_free(l);
}

static char *copy_text(assay_slice s)
{
    char *copy = assay_mem_alloc(s.len + 1);

    if (!copy)
        return NULL;
    if (s.len)
        memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return copy;
}

static assay_status open_lsa(const assay_embed_settings *settings, void **state,
                             assay_error *err)
{
    lsa *l = ASSAY_NEW(lsa);
    assay_status st;

    if (!l)
        return assay_fail_memory(err, "opening embedder 'lsa'");
    l->n_threads = settings->n_threads;
    l->seed = settings->seed;
    l->params = copy_text(settings->params);
    if (!l->params) {
        st = assay_fail_memory(err, "opening embedder 'lsa'");
        goto failed;
    }
    if (settings->argument.len) {
        st = assay_fail(err, ASSAY_EUSAGE, "embedder 'lsa' takes no argument, not '%.*s'",
                        ASSAY_QUOTE(settings->argument));
        goto failed;
    }
    st = assay_params_read("embedder 'lsa'", param, assay_slice_of(l->params), l->value,
                           err);
    if (st)
        goto failed;
    l->spelling = copy_text(l->value[TOKENIZER].text);
    if (!l->spelling) {
        st = assay_fail_memory(err, "opening embedder 'lsa'");
        goto failed;
    }
    st = assay_tokenizing_read(l->spelling, &l->tokenizing, err);
    if (st)
        goto failed;
    *state = l;
    return ASSAY_OK;

failed:
    close_lsa(l);
    return st;
}

/* Turn the counts of one text into weights, and make the row length 1. */
static void weigh(const lsa *l, assay_term_entry *entry, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        double w = (1 + log((double)entry[i].weight)) * (double)l->weight[entry[i].term];

        entry[i].weight = (float)w;
        sum += w * w;
    }
    for (size_t i = 0; i < n && sum > 0; i++)
        entry[i].weight = (float)((double)entry[i].weight / sqrt(sum));
}

static bool take_terms(lsa *l, assay_term_matrix *m)
{
    l->terms = m->terms;
    l->arena = m->arena;
    memset(&m->terms, 0, sizeof m->terms);
    memset(&m->arena, 0, sizeof m->arena);
    l->weight = assay_mem_alloc(m->n_terms * sizeof *l->weight);
    if (!l->weight)
        return false;
    for (uint32_t t = 0; t < m->n_terms; t++)
        l->weight[t] = (float)log(((double)m->n_rows + 1) / ((double)m->df[t] + 0.5));
    for (size_t r = 0; r < m->n_rows; r++)
        weigh(l, m->entry + m->first[r], m->first[r + 1] - m->first[r]);
    return true;
}

/* Small collections are served best by few directions, larger ones by more: measured on
 * MED and CRAN (1,000 and 1,400 texts), CACM, NFCorpus and SciFact (3,200 to 5,200). */
static uint32_t standard_dims(size_t n)
{
    size_t dims = n / TEXTS_A_DIM;

    return dims < DIMS_LEAST ? DIMS_LEAST : dims > DIMS_MOST ? DIMS_MOST : (uint32_t)dims;
}

static assay_status train_lsa(void *state, assay_embed_text *text, void *ctx, size_t n,
                              assay_error *err)
{
    lsa *l = state;
    assay_term_matrix m = {0};
    uint32_t dims = (uint32_t)l->value[DIMS].number;
    double power = l->value[POWER].number;
    assay_status st;

    if (l->weight)
        return assay_fail(err, ASSAY_EUSAGE, "embedder 'lsa' was trained already");
    /* What stands in one text only joins nothing, where there are many texts. */
    st = assay_term_matrix_count(&l->tokenizing, text, ctx, n, n >= 1000 ? 2 : 1,
                                 (uint32_t)l->value[TERMS].number, l->n_threads, &m, err);
    if (st)
        return st;
    if (!take_terms(l, &m))
        st = assay_fail_memory(err, "training embedder 'lsa'");
    if (!st)
        st = assay_svd_of(&m, dims ? dims : standard_dims(n),
                          (uint32_t)l->value[ROUNDS].number, l->seed, l->n_threads,
                          &l->svd, err);
    for (size_t t = 0; !st && power != 0 && t < l->svd.n_terms; t++)
        for (uint32_t i = 0; i < l->svd.dims; i++)
            l->svd.direction[t * l->svd.dims + i] *= (float)pow(l->svd.value[i], power);
    assay_term_matrix_clear(&m);
    return st;
}

static uint32_t dims_lsa(const void *state)
{
    return ((const lsa *)state)->svd.dims;
}

typedef struct job {
    const lsa *l;
    assay_embed_text *text;
    void *ctx;
    size_t n;
    float *out;
    assay_token_worker *worker[ASSAY_POOL_MOST];
    assay_term_entry *entry[ASSAY_POOL_MOST];
    size_t cap[ASSAY_POOL_MOST];
    _Atomic int has_failed;
} job;

static bool embed_text(job *j, uint32_t worker, size_t at)
{
    const lsa *l = j->l;
    uint32_t dims = l->svd.dims;
    float *out = j->out + at * dims;
    assay_term_entry *entry;
    assay_tokens tokens;
    size_t n;

    if (!assay_tokenize(j->worker[worker], j->text(j->ctx, at), &tokens))
        return false;
    entry = assay_mem_grow(j->entry[worker], &j->cap[worker], tokens.n, sizeof *entry);
    if (!entry)
        return false;
    j->entry[worker] = entry;
    n = assay_term_matrix_row(&l->terms, &tokens, entry);
    weigh(l, entry, n);
    memset(out, 0, dims * sizeof *out);
    for (size_t i = 0; i < n; i++)
        assay_dot_add(out, entry[i].weight,
                      l->svd.direction + (size_t)entry[i].term * dims, dims);
    assay_dot_normalise(out, dims);
    return true;
}

static void embed_item(void *ctx, uint32_t worker, size_t item)
{
    job *j = ctx;
    size_t end = (item + 1) * ITEM < j->n ? (item + 1) * ITEM : j->n;

    for (size_t i = item * ITEM; i < end; i++)
        if (!embed_text(j, worker, i))
            atomic_store(&j->has_failed, 1);
}

static assay_status embed_lsa(void *state, assay_embed_role role, assay_embed_text *text,
                              void *ctx, size_t n, float *out, assay_error *err)
{
    const lsa *l = state;
    job j = {.l = l, .text = text, .ctx = ctx, .n = n, .out = out};
    size_t n_items = (n + ITEM - 1) / ITEM;
    uint32_t n_threads = l->n_threads ? l->n_threads : assay_pool_cores();
    assay_status st = ASSAY_OK;

    (void)role;
    if (!l->weight)
        return assay_fail(err, ASSAY_EUSAGE, "embedder 'lsa' was not trained");
    n_threads = n_threads > ASSAY_POOL_MOST ? ASSAY_POOL_MOST : n_threads;
    n_threads = n_threads > n_items ? (uint32_t)n_items : n_threads;
    for (uint32_t i = 0; i < n_threads && !st; i++)
        st = assay_token_worker_new(&l->tokenizing, &j.worker[i], err);
    if (!st)
        assay_pool_run(n_threads, n_items, embed_item, &j);
    if (!st && atomic_load(&j.has_failed))
        st = assay_fail_memory(err, "embedding texts");
    for (uint32_t i = 0; i < n_threads; i++) {
        assay_token_worker_free(j.worker[i]);
        assay_mem_free(j.entry[i]);
    }
    return st;
}

static void identity_lsa(const void *state, assay_buffer *out)
{
    const lsa *l = state;

    assay_params_print("lsa", param, l->value, out);
    assay_buffer_printf(out, " seed=%llu dims=%u terms=%u", (unsigned long long)l->seed,
                        l->svd.dims, l->svd.n_terms);
}

const assay_embedder assay_embedder_lsa = {
    .name = "lsa",
    .summary = "latent semantic analysis of the collection itself; needs nothing else",
    .needs_training = true,
    .param = param,
    .open = open_lsa,
    .train = train_lsa,
    .dims = dims_lsa,
    .embed = embed_lsa,
    .identity = identity_lsa,
    .close = close_lsa,
};
