/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/vector_file.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"
#include "embed/npy.h"

/* `key` names row `row` from now on; *is_new is false where it named another. */
static bool name_row(assay_vector_file *f, assay_dict *dict, uint32_t **rows, size_t *cap,
                     assay_slice key, uint32_t row, bool *is_new)
{
    uint32_t *moved = assay_mem_grow(*rows, cap, (size_t)dict->n + 1, sizeof **rows);
    uint32_t number;

    if (!moved)
        return false;
    *rows = moved;
    if (!assay_dict_put(dict, &f->arena, key, &number, is_new))
        return false;
    if (*is_new)
        moved[number] = row;
    return true;
}

static bool name_id(assay_vector_file *f, assay_slice id, uint32_t row, bool *is_new)
{
    return name_row(f, &f->ids, &f->id_row, &f->id_cap, id, row, is_new);
}

static bool name_text(assay_vector_file *f, assay_slice text, uint32_t row, bool *is_new)
{
    return name_row(f, &f->texts, &f->text_row, &f->text_cap, assay_slice_trim(text), row,
                    is_new);
}

/* ---- .npy ---- */

static assay_status copy_rows(assay_vector_file *f, const assay_npy *npy,
                              assay_error *err)
{
    f->row = assay_mem_alloc(npy->n_rows * npy->n_cols * sizeof *f->row);
    if (!f->row)
        return assay_fail_memory(err, "reading vectors");
    f->n_rows = npy->n_rows;
    f->dims = (uint32_t)npy->n_cols;
    for (size_t r = 0; r < npy->n_rows; r++) {
        float *row = f->row + r * npy->n_cols;

        assay_npy_row(npy, r, row);
        for (size_t i = 0; i < npy->n_cols; i++)
            if (!isfinite(row[i]))
                return assay_fail_at(err, f->path, 0, "row %zu: number %zu is not finite",
                                     r + 1, i + 1);
    }
    return ASSAY_OK;
}

static assay_status read_keys(assay_vector_file *f, const char *path, assay_slice text,
                              assay_error *err)
{
    assay_lines in = assay_lines_of(path, text);
    assay_slice line;

    while (assay_lines_next(&in, &line)) {
        uint32_t row = (uint32_t)in.line - 1;
        bool is_new;
        bool is_new_text;

        line = assay_slice_trim(line);
        if (row >= f->n_rows)
            return ASSAY_LINES_FAIL(err, &in, "more lines than '%s' has rows, %zu",
                                    f->path, f->n_rows);
        if (!line.len)
            return ASSAY_LINES_FAIL(err, &in, "an empty line; want the id of row %u",
                                    row + 1);
        if (!name_id(f, line, row, &is_new) || !name_text(f, line, row, &is_new_text))
            return assay_fail_memory(err, "reading the ids of vectors");
        if (!is_new)
            return ASSAY_LINES_FAIL(err, &in, "'%.*s' stands twice", ASSAY_QUOTE(line));
    }
    if (in.line != f->n_rows)
        return assay_fail_at(err, path, 0, "%llu lines, but '%s' has %zu rows",
                             (unsigned long long)in.line, f->path, f->n_rows);
    return ASSAY_OK;
}

static assay_status load_npy(assay_vector_file *f, assay_slice text,
                             const char *keys_path, assay_error *err)
{
    assay_file keys = {0};
    assay_npy npy;
    assay_status st = assay_npy_read(f->path, text, &npy, err);

    if (!st && (npy.n_cols > UINT16_MAX || npy.n_rows >= UINT32_MAX))
        st = assay_fail_at(err, f->path, 0, "its shape is too large");
    if (!st)
        st = copy_rows(f, &npy, err);
    if (!st)
        st = assay_file_open(&keys, keys_path, err);
    if (!st)
        st = read_keys(f, keys_path, keys.text, err);
    assay_file_close(&keys);
    return st;
}

/* ---- JSON lines ---- */

typedef struct record {
    assay_slice id; /* null ptr = not given */
    assay_slice text;
    bool has_vector;
} record;

static assay_status add_number(assay_vector_file *f, const assay_json *json,
                               assay_json_token token, size_t n, assay_error *err)
{
    float *row = assay_mem_grow(f->row, &f->row_cap, n + 1, sizeof *row);
    double x;

    if (!row)
        return assay_fail_memory(err, "reading vectors");
    f->row = row;
    if (token.kind != ASSAY_JSON_NUMBER)
        return assay_json_fail(json, token.at, err, "a vector has numbers only");
    if (!assay_number_read(token.text, &x) || !isfinite((float)x))
        return assay_json_fail(json, token.at, err, "'%.*s' does not fit a float",
                               ASSAY_QUOTE(token.text));
    row[n] = (float)x;
    return ASSAY_OK;
}

static assay_status read_vector(assay_vector_file *f, assay_json *json, assay_error *err)
{
    size_t begin = f->n_rows * f->dims;
    size_t n = begin;
    assay_json_token token;
    const char *at;
    assay_status st = assay_json_next(json, &token, err);

    if (st)
        return st;
    at = token.at;
    if (token.kind != ASSAY_JSON_LIST)
        return assay_json_fail(json, at, err, "a vector is a list of numbers");
    for (;;) {
        st = assay_json_next(json, &token, err);
        if (st || token.kind == ASSAY_JSON_LIST_END)
            break;
        st = add_number(f, json, token, n++, err);
        if (st)
            break;
    }
    if (st)
        return st;
    if (n == begin || n - begin > UINT16_MAX)
        return assay_json_fail(json, at, err, "a vector of %zu numbers", n - begin);
    if (f->n_rows && n - begin != f->dims)
        return assay_json_fail(json, at, err,
                               "a vector of %zu numbers; the first one has %u", n - begin,
                               f->dims);
    f->dims = (uint32_t)(n - begin);
    return ASSAY_OK;
}

static assay_status read_field(assay_vector_file *f, assay_json *json,
                               assay_json_token key, record *r, assay_error *err)
{
    bool is_id = assay_slice_is(key.text, "id") || assay_slice_is(key.text, "_id");
    bool is_text = assay_slice_is(key.text, "text");
    assay_json_token token;
    assay_status st;

    if (assay_slice_is(key.text, "vector") || assay_slice_is(key.text, "embedding")) {
        if (r->has_vector)
            return assay_json_fail(json, key.at, err, "a second vector");
        r->has_vector = true;
        return read_vector(f, json, err);
    }
    st = assay_json_next(json, &token, err);
    if (st)
        return st;
    if (!is_id && !is_text)
        return assay_json_skip(json, token, err);
    if (token.kind != ASSAY_JSON_STRING && !(is_id && token.kind == ASSAY_JSON_NUMBER))
        return assay_json_fail(json, token.at, err, "'%.*s' is not a string",
                               ASSAY_QUOTE(key.text));
    *(is_id ? &r->id : &r->text) = token.text;
    return ASSAY_OK;
}

static assay_status keep_record(assay_vector_file *f, const assay_lines *in,
                                const record *r, assay_error *err)
{
    uint32_t row = (uint32_t)f->n_rows;
    bool is_new = true;
    bool is_new_text = true;

    if (!r->has_vector)
        return ASSAY_LINES_FAIL(err, in, "there is no 'vector' and no 'embedding'");
    if (!r->id.ptr && !r->text.ptr)
        return ASSAY_LINES_FAIL(err, in, "there is no 'id' and no 'text'");
    if (f->n_rows >= UINT32_MAX - 1)
        return ASSAY_LINES_FAIL(err, in, "too many vectors");
    if ((r->id.ptr && !name_id(f, r->id, row, &is_new)) ||
        (r->text.ptr && !name_text(f, r->text, row, &is_new_text)))
        return assay_fail_memory(err, "reading vectors");
    if (!is_new)
        return ASSAY_LINES_FAIL(err, in, "'%.*s' stands twice", ASSAY_QUOTE(r->id));
    /* Different ids may have one text. */
    if (!is_new_text && !r->id.ptr)
        return ASSAY_LINES_FAIL(err, in, "'%.*s' stands twice", ASSAY_QUOTE(r->text));
    f->n_rows++;
    return ASSAY_OK;
}

static assay_status read_record(assay_vector_file *f, assay_json *json,
                                const assay_lines *in, assay_error *err)
{
    record r = {{NULL, 0}, {NULL, 0}, false};
    assay_json_token token;
    assay_status st = assay_json_next(json, &token, err);

    if (!st && token.kind != ASSAY_JSON_OBJECT)
        return assay_json_fail(json, token.at, err, "want an object");
    while (!st) {
        st = assay_json_next(json, &token, err);
        if (!st && token.kind != ASSAY_JSON_KEY)
            break;
        if (!st)
            st = read_field(f, json, token, &r, err);
    }
    if (!st)
        st = assay_json_next(json, &token, err);
    return st ? st : keep_record(f, in, &r, err);
}

static assay_status load_jsonl(assay_vector_file *f, assay_slice text, assay_error *err)
{
    assay_lines in = assay_lines_of(f->path, text);
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json json = {0};
    assay_slice line;
    assay_status st = ASSAY_OK;

    while (!st && assay_lines_next(&in, &line)) {
        if (!assay_slice_trim(line).len)
            continue;
        assay_arena_reset(&arena);
        assay_json_init(&json, f->path, in.line, line, &arena);
        st = read_record(f, &json, &in, err);
    }
    if (!st && !f->n_rows)
        st = assay_fail_at(err, f->path, 0, "there are no vectors in it");
    assay_json_clear(&json);
    assay_arena_clear(&arena);
    return st;
}

assay_status assay_vector_file_load(const char *path, const char *keys_path,
                                    assay_vector_file *out, assay_error *err)
{
    assay_vector_file f = {.path = path};
    assay_file file = {0};
    bool is_npy;
    assay_status st = assay_file_open(&file, path, err);

    if (st)
        return st;
    is_npy = file.text.len && file.text.ptr[0] == '\x93';
    if (is_npy && !keys_path)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "'%s' needs a file that names its rows, one id (or text) a line",
                        path);
    else if (is_npy)
        st = load_npy(&f, file.text, keys_path, err);
    else
        st = load_jsonl(&f, file.text, err);
    assay_file_close(&file);
    if (st)
        assay_vector_file_clear(&f);
    else
        *out = f;
    return st;
}

const float *assay_vector_file_find(const assay_vector_file *file, assay_slice id,
                                    assay_slice text)
{
    uint32_t number = id.len ? assay_dict_find(&file->ids, id) : ASSAY_NONE;

    if (number != ASSAY_NONE)
        return file->row + (size_t)file->id_row[number] * file->dims;
    number = assay_dict_find(&file->texts, assay_slice_trim(text));
    if (number != ASSAY_NONE)
        return file->row + (size_t)file->text_row[number] * file->dims;
    return NULL;
}

void assay_vector_file_clear(assay_vector_file *file)
{
    assay_mem_free(file->row);
    assay_mem_free(file->id_row);
    assay_mem_free(file->text_row);
    assay_dict_clear(&file->ids);
    assay_dict_clear(&file->texts);
    assay_arena_clear(&file->arena);
    *file = (assay_vector_file){0};
}
