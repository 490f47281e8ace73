/* SPDX-License-Identifier: Apache-2.0 */
/* Weights from files to packed matrices.  Names are those of the transformers library;
 * query, key and value become one matrix, since they are applied to the same rows. */
#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/gemm.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/sha256.h"
#include "base/slice.h"
#include "embed/bert_own.h"

enum { NAME = 160, SAMPLES = 256, SAMPLE = 4096 };

void assay_bert_free(assay_bert *b)
{
    if (!b)
        return;
    for (uint32_t i = 0; i < b->n_files; i++) {
        assay_safetensors_clear(&b->tensors[i]);
        assay_file_close(&b->file[i]);
    }
    assay_mem_free(b->layer);
    assay_mem_free(b->block);
    assay_arena_clear(&b->arena);
    assay_mem_free(b);
}

const char *assay_bert_print(const assay_bert *bert)
{
    return bert->print;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the *.safetensors of the folder, in order. */
static assay_status list_files(assay_bert *b, const char *folder, const char **name,
                               uint32_t *n, assay_error *err)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    assay_status st = ASSAY_OK;

    *n = 0;
    if (!dir)
        return assay_fail(err, ASSAY_ESYSTEM, "cannot read folder '%s'", folder);
    while (!st && (entry = readdir(dir)) != NULL) {
        if (!assay_slice_ends(assay_slice_of(entry->d_name), ".safetensors"))
            continue;
        if (*n == ASSAY_BERT_FILES)
            st = assay_fail(err, ASSAY_EINPUT, "'%s' has more than %d safetensors files",
                            folder, ASSAY_BERT_FILES);
        else if (!(name[*n] = assay_bert_path(&b->arena, folder, entry->d_name)))
            st = assay_fail_memory(err, "opening a model");
        else
            ++*n;
    }
    closedir(dir);
    qsort(name, *n, sizeof *name, by_text);
    if (!st && !*n)
        st = assay_fail(err, ASSAY_EINPUT, "'%s' has no safetensors file", folder);
    return st;
}

static assay_status open_files(assay_bert *b, const char *folder, assay_error *err)
{
    const char *name[ASSAY_BERT_FILES];
    uint32_t n;
    assay_status st = list_files(b, folder, name, &n, err);

    while (!st && b->n_files < n) {
        uint32_t i = b->n_files;

        st = assay_file_open(&b->file[i], name[i], err);
        if (st)
            break;
        b->n_files++;
        st = assay_safetensors_read(name[i], b->file[i].text, &b->tensors[i], err);
    }
    return st;
}

static void take_print(assay_bert *b)
{
    uint8_t digest[ASSAY_SHA256_BYTES];
    assay_sha256 sha;

    assay_sha256_init(&sha);
    for (uint32_t i = 0; i < b->n_files; i++) {
        assay_slice text = b->file[i].text;
        size_t step = text.len / SAMPLES;

        assay_sha256_add(&sha, &text.len, sizeof text.len);
        if (step <= SAMPLE)
            assay_sha256_add(&sha, text.ptr, text.len);
        for (size_t s = 0; step > SAMPLE && s < SAMPLES; s++)
            assay_sha256_add(&sha, text.ptr + s * step, SAMPLE);
    }
    assay_sha256_end(&sha, digest);
    for (size_t i = 0; i < ASSAY_SHA256_BYTES; i++)
        snprintf(b->print + 2 * i, 3, "%02x", digest[i]);
}

static const assay_tensor *find(const assay_bert *b, const char *name)
{
    const assay_tensor *t = NULL;

    for (uint32_t i = 0; i < b->n_files && !t; i++)
        t = assay_safetensors_find(&b->tensors[i], assay_slice_of(name));
    return t;
}

static assay_status find_prefix(assay_bert *b, assay_error *err)
{
    static const char *const prefixes[] = {"", "bert.", "model.", "0.auto_model."};
    char name[NAME];

    for (size_t i = 0; i < ASSAY_COUNT(prefixes); i++) {
        snprintf(name, sizeof name, "%sembeddings.word_embeddings.weight", prefixes[i]);
        b->prefix = prefixes[i];
        if (find(b, name))
            return ASSAY_OK;
    }
    return assay_fail_at(err, b->tensors[0].path, 0,
                         "there is no tensor 'embeddings.word_embeddings.weight'");
}

/* A tensor of floats with this shape; n_cols 0 = a vector. */
static assay_status need(const assay_bert *b, const char *name, uint32_t n_rows,
                         uint32_t n_cols, const assay_tensor **out, assay_error *err)
{
    const char *path = b->tensors[0].path;
    char full[NAME + 32];
    const assay_tensor *t;

    snprintf(full, sizeof full, "%s%s", b->prefix, name);
    t = find(b, full);
    if (!t)
        return assay_fail_at(err, path, 0, "there is no tensor '%s'", full);
    if (t->type == ASSAY_TENSOR_OTHER)
        return assay_fail_at(err, path, 0, "tensor '%s' is %.*s; want F32, F16 or BF16",
                             full, ASSAY_QUOTE(t->type_name));
    if (t->n_dims != (n_cols ? 2U : 1U) || t->shape[0] != n_rows ||
        (n_cols && t->shape[1] != n_cols))
        return assay_fail_at(err, path, 0, "tensor '%s' is not of shape %u%s%.0u", full,
                             n_rows, n_cols ? " x " : "", n_cols);
    *out = t;
    return ASSAY_OK;
}

static float *take_floats(assay_bert *b, size_t n)
{
    float *at = b->block + b->used;

    /* Rows of eight begin where a load of eight is one line of the cache. */
    b->used += (n + 15) / 16 * 16;
    return at;
}

static size_t floats_of_layer(const assay_bert_config *c)
{
    size_t h = c->hidden;

    return assay_gemm_packed(3 * h, h) + assay_gemm_packed(h, h) +
           assay_gemm_packed(c->inner, h) + assay_gemm_packed(h, c->inner) + 3 * h +
           c->inner + 6 * h + 16 * 12;
}

static assay_status load_vector(assay_bert *b, const char *name, uint32_t n, float *to,
                                assay_error *err)
{
    const assay_tensor *t = NULL;
    assay_status st = need(b, name, n, 0, &t, err);

    if (!st)
        assay_tensor_floats(t, 0, n, to);
    return st;
}

/* Old files call weight and bias of a norm gamma and beta. */
static assay_status load_norm(assay_bert *b, const char *name, assay_bert_norm *out,
                              assay_error *err)
{
    uint32_t h = b->config.hidden;
    char full[NAME + 32];
    bool is_old;
    assay_status st;

    snprintf(full, sizeof full, "%s%s.gamma", b->prefix, name);
    is_old = find(b, full) != NULL;
    out->weight = take_floats(b, h);
    out->bias = take_floats(b, h);
    snprintf(full, sizeof full, "%s.%s", name, is_old ? "gamma" : "weight");
    st = load_vector(b, full, h, out->weight, err);
    snprintf(full, sizeof full, "%s.%s", name, is_old ? "beta" : "bias");
    return st ? st : load_vector(b, full, h, out->bias, err);
}

/* Up to three matrices of one width, one below the other, as one dense step. */
static assay_status load_dense(assay_bert *b, uint32_t layer, const char *const *name,
                               uint32_t n_names, uint32_t n_out, uint32_t n_in,
                               assay_bert_dense *out, assay_error *err)
{
    float *plain = assay_mem_alloc((size_t)n_names * n_out * n_in * sizeof *plain);
    assay_status st = plain ? ASSAY_OK : assay_fail_memory(err, "opening a model");
    char full[NAME];

    out->n_in = n_in;
    out->n_out = n_names * n_out;
    out->packed = take_floats(b, assay_gemm_packed(out->n_out, n_in));
    out->bias = take_floats(b, out->n_out);
    for (uint32_t i = 0; i < n_names && !st; i++) {
        const assay_tensor *t = NULL;

        snprintf(full, sizeof full, "encoder.layer.%u.%s.weight", layer, name[i]);
        st = need(b, full, n_out, n_in, &t, err);
        if (st)
            break;
        assay_tensor_floats(t, 0, (size_t)n_out * n_in, plain + (size_t)i * n_out * n_in);
        snprintf(full, sizeof full, "encoder.layer.%u.%s.bias", layer, name[i]);
        st = load_vector(b, full, n_out, out->bias + (size_t)i * n_out, err);
    }
    if (!st)
        assay_gemm_pack(plain, out->n_out, n_in, n_in, 1, out->packed);
    assay_mem_free(plain);
    return st;
}

static assay_status load_layer(assay_bert *b, uint32_t i, assay_error *err)
{
    static const char *const attend[] = {"attention.self.query", "attention.self.key",
                                         "attention.self.value"};
    static const char *const join[] = {"attention.output.dense"};
    static const char *const widen[] = {"intermediate.dense"};
    static const char *const narrow[] = {"output.dense"};
    const assay_bert_config *c = &b->config;
    assay_bert_layer *l = &b->layer[i];
    char name[NAME];
    assay_status st = load_dense(b, i, attend, 3, c->hidden, c->hidden, &l->attend, err);

    if (!st)
        st = load_dense(b, i, join, 1, c->hidden, c->hidden, &l->join, err);
    if (!st)
        st = load_dense(b, i, widen, 1, c->inner, c->hidden, &l->widen, err);
    if (!st)
        st = load_dense(b, i, narrow, 1, c->hidden, c->inner, &l->narrow, err);
    snprintf(name, sizeof name, "encoder.layer.%u.attention.output.LayerNorm", i);
    if (!st)
        st = load_norm(b, name, &l->joined, err);
    snprintf(name, sizeof name, "encoder.layer.%u.output.LayerNorm", i);
    return st ? st : load_norm(b, name, &l->done, err);
}

static assay_status load_embeddings(assay_bert *b, assay_error *err)
{
    const assay_bert_config *c = &b->config;
    const assay_tensor *positions = NULL;
    const assay_tensor *types = NULL;
    float *type;
    assay_status st =
        need(b, "embeddings.word_embeddings.weight", c->vocab, c->hidden, &b->words, err);

    if (!st)
        st = need(b, "embeddings.position_embeddings.weight", c->positions, c->hidden,
                  &positions, err);
    if (!st)
        st = need(b, "embeddings.token_type_embeddings.weight", c->types, c->hidden,
                  &types, err);
    if (st)
        return st;
    b->positions = take_floats(b, (size_t)c->positions * c->hidden);
    type = take_floats(b, c->hidden);
    assay_tensor_floats(positions, 0, (size_t)c->positions * c->hidden, b->positions);
    assay_tensor_floats(types, 0, c->hidden, type);
    for (size_t i = 0; i < (size_t)c->positions * c->hidden; i++)
        b->positions[i] += type[i % c->hidden];
    return load_norm(b, "embeddings.LayerNorm", &b->embedded, err);
}

assay_status assay_bert_load(const char *folder, const assay_bert_config *config,
                             uint32_t n_threads, assay_bert **out, assay_error *err)
{
    assay_bert *b = ASSAY_NEW(assay_bert);
    size_t size = floats_of_layer(config) * config->layers +
                  (size_t)(config->positions + 4) * config->hidden + 64;
    assay_status st;

    (void)n_threads;
    if (!b)
        return assay_fail_memory(err, "opening a model");
    b->config = *config;
    st = open_files(b, folder, err);
    if (!st)
        st = find_prefix(b, err);
    if (st)
        goto done;
    b->layer = ASSAY_NEW_ARRAY(assay_bert_layer, config->layers);
    b->block = assay_mem_alloc_spread(size * sizeof *b->block);
    if (!b->layer || !b->block) {
        st = assay_fail_memory(err, "opening a model");
        goto done;
    }
    st = load_embeddings(b, err);
    for (uint32_t i = 0; i < config->layers && !st; i++)
        st = load_layer(b, i, err);
    if (st)
        goto done;
    take_print(b);
    *out = b;
    b = NULL;

done:
    assay_bert_free(b);
    return st;
}
