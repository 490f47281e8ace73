/* SPDX-License-Identifier: Apache-2.0 */
/* Eight bytes with the length of the header, the header in JSON, the data:
 *
 *     {"name": {"dtype": "F32", "shape": [384, 384], "data_offsets": [0, 589824]}, ...,
 *      "__metadata__": {...}} */
#include "embed/safetensors.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/halves.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/slice.h"

enum { HEAD = 8 };

static const uint64_t LONGEST = 100000000; /* of a header, as the format has it */

typedef struct reading {
    assay_json json;
    assay_safetensors *into;
    assay_slice data;
    assay_error *err;
} reading;

static const struct {
    const char *name;
    assay_tensor_type type;
    size_t size;
} types[] = {{"F32", ASSAY_TENSOR_F32, 4},
             {"F16", ASSAY_TENSOR_F16, 2},
             {"BF16", ASSAY_TENSOR_BF16, 2}};

/* The numbers of a list of whole ones. */
static assay_status read_list(reading *r, uint64_t *out, uint32_t most, uint32_t *n)
{
    assay_json_token token;
    assay_status st = assay_json_next(&r->json, &token, r->err);

    *n = 0;
    if (st)
        return st;
    if (token.kind != ASSAY_JSON_LIST)
        return assay_json_fail(&r->json, token.at, r->err, "want a list of numbers");
    for (;;) {
        int64_t x;

        st = assay_json_next(&r->json, &token, r->err);
        if (st || token.kind == ASSAY_JSON_LIST_END)
            return st;
        if (token.kind != ASSAY_JSON_NUMBER || !assay_slice_to_i64(token.text, &x) ||
            x < 0)
            return assay_json_fail(&r->json, token.at, r->err, "want a whole number");
        if (*n == most)
            return assay_json_fail(&r->json, token.at, r->err, "a list of more than %u",
                                   most);
        out[(*n)++] = (uint64_t)x;
    }
}

/* Check place and size of the data. */
static assay_status place(reading *r, assay_tensor *t, const uint64_t offset[2],
                          const char *at)
{
    uint64_t size = 0;

    if (offset[0] > offset[1] || offset[1] > r->data.len)
        return assay_json_fail(&r->json, at, r->err,
                               "tensor '%.*s' lies outside of the file",
                               ASSAY_QUOTE(t->name));
    for (size_t i = 0; i < ASSAY_COUNT(types); i++)
        if (assay_slice_is(t->type_name, types[i].name)) {
            t->type = types[i].type;
            size = types[i].size;
        }
    for (uint32_t i = 0; i < t->n_dims && t->type; i++) {
        if (t->shape[i] && size > UINT64_MAX / t->shape[i])
            return assay_json_fail(&r->json, at, r->err, "tensor '%.*s' is too large",
                                   ASSAY_QUOTE(t->name));
        size *= t->shape[i];
    }
    if (t->type && size != offset[1] - offset[0])
        return assay_json_fail(
            &r->json, at, r->err, "tensor '%.*s' has %llu bytes; its shape wants %llu",
            ASSAY_QUOTE(t->name), (unsigned long long)(offset[1] - offset[0]),
            (unsigned long long)size);
    t->data = (assay_slice){r->data.ptr + offset[0], (size_t)(offset[1] - offset[0])};
    return ASSAY_OK;
}

static assay_status read_fields(reading *r, assay_tensor *t, const char *at)
{
    uint64_t offset[2] = {0, 0};
    uint32_t n_offsets = 0;
    bool has_shape = false;
    assay_json_token token;
    assay_status st = ASSAY_OK;

    for (;;) {
        st = assay_json_next(&r->json, &token, r->err);
        if (st || token.kind != ASSAY_JSON_KEY)
            break;
        if (assay_slice_is(token.text, "shape")) {
            has_shape = true;
            st = read_list(r, t->shape, ASSAY_TENSOR_DIMS, &t->n_dims);
        } else if (assay_slice_is(token.text, "data_offsets")) {
            st = read_list(r, offset, 2, &n_offsets);
        } else {
            bool is_type = assay_slice_is(token.text, "dtype");

            st = assay_json_next(&r->json, &token, r->err);
            if (!st && is_type && token.kind != ASSAY_JSON_STRING)
                return assay_json_fail(&r->json, token.at, r->err, "want a string");
            if (!st && is_type)
                t->type_name = token.text;
            else if (!st)
                st = assay_json_skip(&r->json, token, r->err);
        }
        if (st)
            break;
    }
    if (st)
        return st;
    if (!has_shape || n_offsets != 2 || !t->type_name.len)
        return assay_json_fail(&r->json, at, r->err,
                               "tensor '%.*s' lacks dtype, shape or data_offsets",
                               ASSAY_QUOTE(t->name));
    return place(r, t, offset, at);
}

static assay_status read_tensor(reading *r, assay_json_token key)
{
    assay_safetensors *s = r->into;
    assay_tensor t = {0};
    assay_json_token token;
    assay_tensor *grown;
    uint32_t number;
    assay_status st;

    if (!assay_dict_put(&s->names, &s->arena, key.text, &number, NULL))
        return assay_fail_memory(r->err, "reading tensors");
    t.name = s->names.word[number];
    st = assay_json_next(&r->json, &token, r->err);
    if (!st && token.kind != ASSAY_JSON_OBJECT)
        return assay_json_fail(&r->json, token.at, r->err, "want an object");
    if (!st)
        st = read_fields(r, &t, key.at);
    if (st)
        return st;
    grown = assay_mem_grow(s->tensor, &s->cap, (size_t)number + 1, sizeof *grown);
    if (!grown)
        return assay_fail_memory(r->err, "reading tensors");
    s->tensor = grown;
    grown[number] = t;
    return ASSAY_OK;
}

static assay_status read_header(reading *r)
{
    assay_json_token token;
    assay_status st = assay_json_next(&r->json, &token, r->err);

    if (!st && token.kind != ASSAY_JSON_OBJECT)
        return assay_json_fail(&r->json, token.at, r->err, "want an object");
    while (!st) {
        st = assay_json_next(&r->json, &token, r->err);
        if (st || token.kind != ASSAY_JSON_KEY)
            break;
        if (!assay_slice_is(token.text, "__metadata__")) {
            st = read_tensor(r, token);
            continue;
        }
        st = assay_json_next(&r->json, &token, r->err);
        if (!st)
            st = assay_json_skip(&r->json, token, r->err);
    }
    return st ? st : assay_json_next(&r->json, &token, r->err);
}

assay_status assay_safetensors_read(const char *path, assay_slice text,
                                    assay_safetensors *out, assay_error *err)
{
    assay_safetensors s = {.path = path};
    reading r = {.into = &s, .err = err};
    uint64_t len = 0;
    assay_status st;

    for (size_t i = 0; i < HEAD && i < text.len; i++)
        len |= (uint64_t)(unsigned char)text.ptr[i] << (8 * i);
    if (text.len < HEAD || len > text.len - HEAD || len > LONGEST || len < 2)
        return assay_fail_at(err, path, 0,
                             "not a safetensors file: its header would "
                             "have %llu of %zu bytes",
                             (unsigned long long)len, text.len);
    r.data = (assay_slice){text.ptr + HEAD + len, text.len - HEAD - (size_t)len};
    assay_json_init(&r.json, path, 1, (assay_slice){text.ptr + HEAD, (size_t)len},
                    &s.arena);
    st = read_header(&r);
    assay_json_clear(&r.json);
    if (st)
        assay_safetensors_clear(&s);
    else
        *out = s;
    return st;
}

const assay_tensor *assay_safetensors_find(const assay_safetensors *s, assay_slice name)
{
    uint32_t number = assay_dict_find(&s->names, name);

    return number == ASSAY_NONE ? NULL : &s->tensor[number];
}

void assay_tensor_floats(const assay_tensor *tensor, size_t first, size_t n, float *out)
{
    size_t size = tensor->type == ASSAY_TENSOR_F32 ? 4 : 2;
    const unsigned char *p = (const unsigned char *)tensor->data.ptr + first * size;

    for (size_t i = 0; i < n; i++, p += size) {
        uint32_t low = (uint32_t)p[0] | (uint32_t)p[1] << 8;

        switch (tensor->type) {
        case ASSAY_TENSOR_F32:
            out[i] =
                assay_float_of_bits(low | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
            break;
        case ASSAY_TENSOR_F16: out[i] = assay_float_of_half((uint16_t)low); break;
        case ASSAY_TENSOR_BF16: out[i] = assay_float_of_brain((uint16_t)low); break;
        case ASSAY_TENSOR_OTHER: out[i] = 0; break;
        }
    }
}

void assay_safetensors_clear(assay_safetensors *s)
{
    assay_dict_clear(&s->names);
    assay_mem_free(s->tensor);
    assay_arena_clear(&s->arena);
    *s = (assay_safetensors){0};
}
