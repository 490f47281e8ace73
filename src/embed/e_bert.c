/* SPDX-License-Identifier: Apache-2.0 */
/* Sentence encoders of the BERT family, from a model folder, in this process:
 * all-MiniLM-L6-v2, gte, e5, bge and their kin.  Pooling, length, prefixes and letter
 * case are what the folder's own files say. */
#include <stdatomic.h>
#include <string.h>

#include "base/dot.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/sha256.h"
#include "base/slice.h"
#include "embed/bert_model.h"
#include "embed/embed.h"
#include "embed/embed_cache.h"
#include "embed/wordpiece.h"

enum { DIMS, LENGTH, PREFIX, N_PARAMS };
enum { AS_MODEL, NONE, E5, BGE };

static const assay_param param[] = {
    [DIMS] = {"dims", ASSAY_PARAM_COUNT, 0, 16384, NULL, "0",
              "numbers that are kept of a vector; 0 = all"},
    [LENGTH] = {"length", ASSAY_PARAM_COUNT, 0, 65536, NULL, "0",
                "most pieces of a text; 0 = as the model says"},
    [PREFIX] = {"prefix", ASSAY_PARAM_WORD, 0, 0, "model|none|e5|bge", "model",
                "what queries and passages begin with"},
    [N_PARAMS] = {NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL}};

enum {
    ITEM = 4,     /* texts that a worker takes at once */
    TOKENS = 192, /* and runs through the encoder at once, or one text */
    PIECE = 2048  /* texts between two visits to the cache */
};

typedef struct encoder {
    assay_arena arena;
    assay_param_value value[N_PARAMS];
    assay_bert_config config;
    assay_wordpiece wordpiece;
    assay_bert *bert;
    assay_embed_cache *cache;
    char vocab_print[17];
    uint32_t dims;
    uint32_t n_threads;
} encoder;

static void close_bert(void *state)
{
    encoder *e = state;

    if (!e)
        return;
    assay_embed_cache_close(e->cache);
    assay_bert_free(e->bert);
    assay_wordpiece_clear(&e->wordpiece);
    assay_arena_clear(&e->arena);
    assay_mem_free(e);
}

/* tokenizer.json where there is one, since it says most; else vocab.txt. */
static assay_status load_vocab(encoder *e, const char *folder, assay_error *err)
{
    const char *json = assay_bert_path(&e->arena, folder, "tokenizer.json");
    const char *lines = assay_bert_path(&e->arena, folder, "vocab.txt");
    uint8_t digest[ASSAY_SHA256_BYTES];
    assay_file file = {0};
    bool is_json;
    assay_status st;

    if (!json || !lines)
        return assay_fail_memory(err, "opening a model");
    is_json = assay_file_exists(json);
    st = assay_file_open(&file, is_json ? json : lines, err);
    if (st)
        return st;
    st = (is_json ? assay_wordpiece_read_json : assay_wordpiece_read_lines)(
        is_json ? json : lines, file.text, &e->wordpiece, err);
    assay_sha256_of(file.text, digest);
    assay_file_close(&file);
    for (size_t i = 0; i < 16; i++)
        e->vocab_print[i] = "0123456789abcdef"[digest[i / 2] >> (i % 2 ? 0 : 4) & 15];
    if (!st && !is_json) {
        e->wordpiece.is_lower = e->config.lower != 0;
        e->wordpiece.is_stripped =
            e->config.strip < 0 ? e->wordpiece.is_lower : e->config.strip != 0;
        e->wordpiece.splits_cjk = e->config.cjk != 0;
    }
    if (!st && e->wordpiece.n_ids > e->config.vocab)
        st = assay_fail_at(err, is_json ? json : lines, 0,
                           "it has %u pieces, the model %u", e->wordpiece.n_ids,
                           e->config.vocab);
    return st;
}

static void set_prefixes(encoder *e)
{
    static const char *const query[] = {
        NULL, "", "query: ", "Represent this sentence for searching relevant passages: "};
    static const char *const passage[] = {NULL, "", "passage: ", ""};
    uint32_t choice = e->value[PREFIX].choice;

    if (choice == AS_MODEL)
        return;
    e->config.query_prefix = query[choice];
    e->config.passage_prefix = passage[choice];
}

static void identity_bert(const void *state, assay_buffer *out)
{
    const encoder *e = state;

    assay_buffer_printf(
        out,
        "bert model=%.16s vocab=%s dims=%u length=%u pooling=%s query='%s' "
        "passage='%s'",
        assay_bert_print(e->bert), e->vocab_print, e->dims, e->config.most,
        e->config.pooling == ASSAY_BERT_CLS ? "cls" : "mean", e->config.query_prefix,
        e->config.passage_prefix);
}

static assay_status open_model(encoder *e, const char *folder, const char *cache_path,
                               assay_error *err)
{
    assay_buffer identity = ASSAY_BUFFER_EMPTY;
    assay_status st = assay_bert_config_load(folder, &e->arena, &e->config, err);

    if (!st)
        st = load_vocab(e, folder, err);
    if (!st)
        st = assay_bert_load(folder, &e->config, e->n_threads, &e->bert, err);
    if (st)
        return st;
    set_prefixes(e);
    if (e->value[LENGTH].number >= 2 && e->value[LENGTH].number < e->config.positions)
        e->config.most = (uint32_t)e->value[LENGTH].number;
    e->dims = e->config.hidden;
    if (e->value[DIMS].number > 0 && e->value[DIMS].number < e->dims)
        e->dims = (uint32_t)e->value[DIMS].number;
    identity_bert(e, &identity);
    if (identity.has_failed)
        st = assay_fail_memory(err, "opening embedder 'bert'");
    else
        st = assay_embed_cache_open(cache_path, assay_buffer_view(&identity), &e->cache,
                                    err);
    assay_buffer_clear(&identity);
    return st;
}

static assay_status open_bert(const assay_embed_settings *settings, void **state,
                              assay_error *err)
{
    encoder *e = ASSAY_NEW(encoder);
    assay_slice params;
    const char *folder;
    assay_status st;

    if (!e)
        return assay_fail_memory(err, "opening embedder 'bert'");
    e->n_threads = settings->n_threads;
    params = assay_arena_copy(&e->arena, settings->params);
    folder = assay_arena_string(&e->arena, settings->argument);
    if (!params.ptr || !folder)
        st = assay_fail_memory(err, "opening embedder 'bert'");
    else if (!settings->argument.len)
        st = assay_fail(err, ASSAY_EUSAGE, "embedder 'bert' wants a folder: bert:FOLDER");
    else
        st = assay_params_read("embedder 'bert'", param, params, e->value, err);
    if (!st)
        st = open_model(e, folder, settings->cache_path, err);
    if (st)
        close_bert(e);
    else
        *state = e;
    return st;
}

static uint32_t dims_bert(const void *state)
{
    return ((const encoder *)state)->dims;
}

/* ---- embedding ---- */

/* What one thread works with. */
typedef struct desk {
    assay_pieces pieces;
    assay_bert_room room;
    assay_buffer text;
    uint32_t *id;
    size_t id_cap;
    float *row; /* ITEM x hidden */
} desk;

typedef struct job {
    const encoder *e;
    const char *prefix;
    const assay_slice *text;
    size_t n;
    float *out;
    desk desk[ASSAY_POOL_MOST];
    _Atomic int has_failed;
} job;

static bool cut(const encoder *e, const char *prefix, assay_slice text, desk *d)
{
    if (!*prefix)
        return assay_wordpiece_cut(&e->wordpiece, text, e->config.most, &d->pieces);
    d->text.len = 0;
    assay_buffer_text(&d->text, prefix);
    assay_buffer_slice(&d->text, text);
    return !d->text.has_failed &&
           assay_wordpiece_cut(&e->wordpiece, assay_buffer_view(&d->text), e->config.most,
                               &d->pieces);
}

/* Run texts [first, first + n) and put their rows where they belong. */
static bool run(const job *j, desk *d, const uint32_t *len, size_t first, size_t n)
{
    const encoder *e = j->e;
    size_t h = e->config.hidden;

    if (!n)
        return true;
    if (!assay_bert_encode(e->bert, &d->room, d->id, len, n, d->row))
        return false;
    for (size_t i = 0; i < n; i++) {
        float *to = j->out + (first + i) * e->dims;

        memcpy(to, d->row + i * h, e->dims * sizeof *to);
        assay_dot_normalise(to, e->dims);
    }
    return true;
}

static bool embed_some(const job *j, desk *d, size_t first, size_t end)
{
    uint32_t len[ITEM];
    size_t n_ids = 0;
    size_t n = 0;

    if (!d->row)
        d->row = assay_mem_alloc(ITEM * (size_t)j->e->config.hidden * sizeof *d->row);
    if (!d->row)
        return false;
    for (size_t i = first; i < end; i++) {
        uint32_t *id;

        if (!cut(j->e, j->prefix, j->text[i], d))
            return false;
        if (n && n_ids + d->pieces.n > TOKENS) {
            if (!run(j, d, len, i - n, n))
                return false;
            n = n_ids = 0;
        }
        id = assay_mem_grow(d->id, &d->id_cap, n_ids + d->pieces.n, sizeof *id);
        if (!id)
            return false;
        d->id = id;
        memcpy(id + n_ids, d->pieces.id, d->pieces.n * sizeof *id);
        n_ids += d->pieces.n;
        len[n++] = (uint32_t)d->pieces.n;
    }
    return run(j, d, len, end - n, n);
}

static void embed_item(void *ctx, uint32_t worker, size_t item)
{
    job *j = ctx;
    size_t first = item * ITEM;
    size_t end = j->n - first < ITEM ? j->n : first + ITEM;

    if (!embed_some(j, &j->desk[worker], first, end))
        atomic_store(&j->has_failed, 1);
}

static assay_status compute(void *state, assay_embed_role role, const assay_slice *text,
                            size_t n, float *out, assay_error *err)
{
    const encoder *e = state;
    job j = {.e = e, .text = text, .n = n, .out = out};

    j.prefix =
        role == ASSAY_EMBED_QUERY ? e->config.query_prefix : e->config.passage_prefix;
    assay_pool_run(e->n_threads, (n + ITEM - 1) / ITEM, embed_item, &j);
    for (size_t i = 0; i < ASSAY_POOL_MOST; i++) {
        desk *d = &j.desk[i];

        assay_pieces_clear(&d->pieces);
        assay_bert_room_clear(&d->room);
        assay_buffer_clear(&d->text);
        assay_mem_free(d->id);
        assay_mem_free(d->row);
    }
    return atomic_load(&j.has_failed) ? assay_fail_memory(err, "embedding texts")
                                      : ASSAY_OK;
}

static assay_status embed_bert(void *state, assay_embed_role role, assay_embed_text *text,
                               void *ctx, size_t n, float *out, assay_error *err)
{
    encoder *e = state;

    return assay_embed_cache_fill(e->cache, role, text, ctx, n, e->dims, PIECE, compute,
                                  e, out, err);
}

const assay_embedder assay_embedder_bert = {
    .name = "bert",
    .summary = "a sentence encoder of the BERT family, from a folder with safetensors",
    .param = param,
    .open = open_bert,
    .dims = dims_bert,
    .embed = embed_bert,
    .identity = identity_bert,
    .close = close_bert,
};
