/* SPDX-License-Identifier: Apache-2.0 */
/* Running the encoder (Devlin and others 2018).
 *
 *     x = norm(word + position + type)
 *     for each layer
 *         a = softmax(q k^T / sqrt(d)) v, for each head
 *         x = norm(x + a W + b)
 *         x = norm(x + curve(x W1 + b1) W2 + b2)
 *
 * The rows of several texts lie one behind the other, so that the dense steps have many
 * rows and nothing is padded; only attention goes text by text.  A row of a product does
 * not depend on its neighbours (base/gemm.h), so neither does a text. */
#include <math.h>
#include <string.h>

#include "base/curves.h"
#include "base/gemm.h"
#include "base/mem.h"
#include "embed/bert_own.h"

/* Places in the scratch space. */
typedef struct sheet {
    float *x;      /* n x hidden: the rows */
    float *y;      /* n x hidden */
    float *wide;   /* n x max(3 hidden, inner) */
    float *score;  /* longest x longest: one head of one text */
    float *packed; /* its keys, then its values */
} sheet;

static size_t round_up(size_t n)
{
    return (n + 15) / 16 * 16;
}

static bool lay_out(const assay_bert_config *c, assay_bert_room *room, size_t n,
                    size_t longest, sheet *s)
{
    size_t depth = c->hidden / c->heads;
    size_t width = 3 * (size_t)c->hidden > c->inner ? 3 * (size_t)c->hidden : c->inner;
    size_t keys = assay_gemm_packed(longest, depth);
    size_t values = assay_gemm_packed(depth, longest);
    size_t part[] = {round_up(n * c->hidden), round_up(n * c->hidden),
                     round_up(n * width), round_up(longest * longest),
                     round_up(keys > values ? keys : values)};
    size_t total = part[0] + part[1] + part[2] + part[3] + part[4];
    float *all = assay_mem_grow(room->all, &room->cap, total, sizeof *all);

    if (!all)
        return false;
    room->all = all;
    s->x = all;
    s->y = s->x + part[0];
    s->wide = s->y + part[1];
    s->score = s->wide + part[2];
    s->packed = s->score + part[3];
    return true;
}

static void embed_ids(const assay_bert *b, const uint32_t *id, const uint32_t *len,
                      size_t n_texts, float *x)
{
    size_t h = b->config.hidden;

    for (size_t t = 0; t < n_texts; t++)
        for (size_t p = 0; p < len[t]; p++, x += h) {
            assay_tensor_floats(b->words, *id++ * h, h, x);
            assay_curve_layer_norm(x, b->positions + p * h, h, b->embedded.weight,
                                   b->embedded.bias, b->config.epsilon);
        }
}

static void dense(const assay_bert_dense *d, const float *from, size_t n, float *to)
{
    assay_gemm(from, d->n_in, n, d->packed, d->n_out, d->n_in, d->bias, to, d->n_out);
}

/* One head of one text: `qkv` is its first row, `to` where its first row goes. */
static void attend(const assay_bert_config *c, const float *qkv, size_t n, size_t head,
                   const sheet *s, float *to)
{
    size_t depth = c->hidden / c->heads;
    size_t step = 3 * (size_t)c->hidden;
    const float *q = qkv + head * depth;
    const float *k = q + c->hidden;
    const float *v = k + c->hidden;
    float scale = 1 / sqrtf((float)depth);

    assay_gemm_pack(k, n, depth, step, 1, s->packed);
    assay_gemm(q, step, n, s->packed, n, depth, NULL, s->score, n);
    for (size_t i = 0; i < n; i++)
        assay_curve_softmax(s->score + i * n, n, scale);
    assay_gemm_pack(v, depth, n, 1, step, s->packed);
    assay_gemm(s->score, n, n, s->packed, depth, n, NULL, to + head * depth, c->hidden);
}

static void attend_all(const assay_bert_config *c, const uint32_t *len, size_t n_texts,
                       const sheet *s)
{
    size_t first = 0;

    for (size_t t = 0; t < n_texts; t++) {
        for (size_t head = 0; head < c->heads; head++)
            attend(c, s->wide + first * 3 * c->hidden, len[t], head, s,
                   s->y + first * c->hidden);
        first += len[t];
    }
}

static void add_norm(const assay_bert_config *c, const assay_bert_norm *norm, float *x,
                     const float *add, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assay_curve_layer_norm(x + i * c->hidden, add + i * c->hidden, c->hidden,
                               norm->weight, norm->bias, c->epsilon);
}

static void curve(const assay_bert_config *c, float *x, size_t n)
{
    switch (c->curve) {
    case ASSAY_BERT_GELU: assay_curve_gelu(x, n); break;
    case ASSAY_BERT_GELU_TANH: assay_curve_gelu_tanh(x, n); break;
    case ASSAY_BERT_RELU: assay_curve_relu(x, n); break;
    }
}

static void run_layer(const assay_bert *b, const assay_bert_layer *l, const uint32_t *len,
                      size_t n_texts, size_t n, const sheet *s)
{
    const assay_bert_config *c = &b->config;

    dense(&l->attend, s->x, n, s->wide);
    attend_all(c, len, n_texts, s);
    dense(&l->join, s->y, n, s->wide);
    add_norm(c, &l->joined, s->x, s->wide, n);
    dense(&l->widen, s->x, n, s->wide);
    curve(c, s->wide, n * c->inner);
    dense(&l->narrow, s->wide, n, s->y);
    add_norm(c, &l->done, s->x, s->y, n);
}

static void pool(const assay_bert_config *c, const float *x, const uint32_t *len,
                 size_t n_texts, float *out)
{
    size_t h = c->hidden;

    for (size_t t = 0; t < n_texts; t++, out += h) {
        size_t n = c->pooling == ASSAY_BERT_CLS ? 1 : len[t];

        memset(out, 0, h * sizeof *out);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < h; j++)
                out[j] += x[i * h + j];
        for (size_t j = 0; j < h; j++)
            out[j] /= (float)n;
        x += len[t] * h;
    }
}

bool assay_bert_encode(const assay_bert *bert, assay_bert_room *room, const uint32_t *id,
                       const uint32_t *len, size_t n_texts, float *out)
{
    size_t n = 0;
    size_t longest = 0;
    sheet s;

    for (size_t t = 0; t < n_texts; t++) {
        n += len[t];
        longest = len[t] > longest ? len[t] : longest;
    }
    if (!lay_out(&bert->config, room, n, longest, &s))
        return false;
    embed_ids(bert, id, len, n_texts, s.x);
    for (uint32_t i = 0; i < bert->config.layers; i++)
        run_layer(bert, &bert->layer[i], len, n_texts, n, &s);
    pool(&bert->config, s.x, len, n_texts, out);
    return true;
}

void assay_bert_room_clear(assay_bert_room *room)
{
    assay_mem_free(room->all);
    *room = (assay_bert_room){NULL, 0};
}
