/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/embed_cache.h"

#include <pthread.h>
#include <string.h>

#include "base/dict.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/sql.h"

static const char *const steps[] = {
    "CREATE TABLE vector(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL) STRICT;"};

static const assay_sql_schema schema = {"embedding cache", 0x61736563, steps, 1};

struct assay_embed_cache {
    assay_sql *sql;        /* null: nothing is kept */
    pthread_mutex_t mutex; /* a connection belongs to one thread at a time */
    assay_stmt *get;
    assay_stmt *put;
    char *identity;
    size_t identity_len;
    uint64_t n_found;
    uint64_t n_computed;
};

void assay_embed_cache_close(assay_embed_cache *cache)
{
    if (!cache)
        return;
    assay_stmt_free(cache->get);
    assay_stmt_free(cache->put);
    assay_sql_close(cache->sql);
    pthread_mutex_destroy(&cache->mutex);
    assay_mem_free(cache->identity);
    assay_mem_free(cache);
}

static assay_status open_file(assay_embed_cache *c, const char *path, assay_error *err)
{
    assay_status st = assay_sql_open(path, ASSAY_SQL_CREATE, &c->sql, err);

    if (!st)
        st = assay_sql_migrate(c->sql, &schema, err);
    if (!st)
        st = assay_stmt_new(c->sql, "SELECT value FROM vector WHERE key = ?1", &c->get,
                            err);
    if (!st)
        st = assay_stmt_new(c->sql, "INSERT OR REPLACE INTO vector VALUES(?1, ?2)",
                            &c->put, err);
    return st;
}

assay_status assay_embed_cache_open(const char *path, assay_slice identity,
                                    assay_embed_cache **out, assay_error *err)
{
    assay_embed_cache *c = ASSAY_NEW(assay_embed_cache);
    assay_status st = ASSAY_OK;

    if (!c)
        return assay_fail_memory(err, "opening the embedding cache");
    pthread_mutex_init(&c->mutex, NULL);
    c->identity = assay_mem_alloc(identity.len);
    c->identity_len = identity.len;
    if (!c->identity)
        st = assay_fail_memory(err, "opening the embedding cache");
    else if (identity.len)
        memcpy(c->identity, identity.ptr, identity.len);
    if (!st && path)
        st = open_file(c, path, err);
    if (st)
        assay_embed_cache_close(c);
    else
        *out = c;
    return st;
}

/* One text that has to be embedded, and where its row goes. */
typedef struct need {
    assay_slice text;
    size_t row;
} need;

typedef struct fill {
    assay_embed_cache *cache;
    assay_embed_role role;
    assay_embed_text *text;
    void *ctx;
    size_t n;
    uint32_t dims;
    float *out;
    uint8_t *key;  /* n keys */
    size_t *first; /* row in which the text of row i stood first */
    need *need;    /* what the file does not have */
    size_t n_needs;
} fill;

static uint8_t *key_at(const fill *f, size_t i)
{
    return f->key + i * ASSAY_SHA256_BYTES;
}

static void make_key(const fill *f, size_t i)
{
    const char role = f->role == ASSAY_EMBED_QUERY ? 'q' : 'p';
    assay_slice text = f->text(f->ctx, i);
    assay_sha256 sha;

    assay_sha256_init(&sha);
    assay_sha256_add(&sha, f->cache->identity, f->cache->identity_len);
    assay_sha256_add(&sha, "", 1);
    assay_sha256_add(&sha, &role, 1);
    assay_sha256_add(&sha, text.ptr, text.len);
    assay_sha256_end(&sha, key_at(f, i));
}

/* A row as it is kept: floats, lowest byte first. */
static void unpack(const char *bytes, uint32_t dims, float *row)
{
    const unsigned char *b = (const unsigned char *)bytes;

    for (uint32_t i = 0; i < dims; i++, b += 4) {
        uint32_t bits = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
                        (uint32_t)b[3] << 24;

        memcpy(&row[i], &bits, sizeof bits);
    }
}

static void pack(const float *row, uint32_t dims, unsigned char *b)
{
    for (uint32_t i = 0; i < dims; i++, b += 4) {
        uint32_t bits;

        memcpy(&bits, &row[i], sizeof bits);
        b[0] = (unsigned char)bits;
        b[1] = (unsigned char)(bits >> 8);
        b[2] = (unsigned char)(bits >> 16);
        b[3] = (unsigned char)(bits >> 24);
    }
}

/* Look row i up; one of another length counts as absent, and is written anew. */
static assay_status look_up(fill *f, size_t i, bool *is_found, assay_error *err)
{
    assay_stmt *get = f->cache->get;
    bool has_row = false;
    assay_status st;

    *is_found = false;
    if (!f->cache->sql)
        return ASSAY_OK;
    assay_stmt_put_blob(get, 1, key_at(f, i), ASSAY_SHA256_BYTES);
    st = assay_stmt_step(get, &has_row, err);
    if (!st && has_row) {
        assay_slice value = assay_stmt_slice(get, 0);

        *is_found = value.len == (size_t)f->dims * 4;
        if (*is_found)
            unpack(value.ptr, f->dims, f->out + i * f->dims);
        assay_stmt_reset(get);
    }
    return st;
}

/* Which rows are known, which are the same as an earlier one, which are needed. */
static assay_status sort_out(fill *f, assay_error *err)
{
    assay_dict keys = {0};
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < f->n && !st; i++) {
        uint32_t number;
        bool is_new;
        bool is_found;

        make_key(f, i);
        if (!assay_dict_put(&keys, NULL,
                            (assay_slice){(const char *)key_at(f, i), ASSAY_SHA256_BYTES},
                            &number, &is_new)) {
            st = assay_fail_memory(err, "looking into the embedding cache");
            break;
        }
        /* first[] doubles as the row of the number-th key: number <= i. */
        f->first[f->n + number] = is_new ? i : f->first[f->n + number];
        f->first[i] = f->first[f->n + number];
        if (!is_new)
            continue;
        st = look_up(f, i, &is_found, err);
        if (!st && !is_found)
            f->need[f->n_needs++] = (need){f->text(f->ctx, i), i};
        f->cache->n_found += is_found;
    }
    assay_dict_clear(&keys);
    return st;
}

static assay_status store(fill *f, const need *list, size_t n, assay_error *err)
{
    assay_embed_cache *c = f->cache;
    unsigned char *bytes;
    assay_status st;

    c->n_computed += n;
    if (!c->sql)
        return ASSAY_OK;
    bytes = assay_mem_alloc((size_t)f->dims * 4);
    if (!bytes)
        return assay_fail_memory(err, "keeping vectors");
    st = assay_sql_begin(c->sql, err);
    for (size_t i = 0; i < n && !st; i++) {
        pack(f->out + list[i].row * f->dims, f->dims, bytes);
        assay_stmt_put_blob(c->put, 1, key_at(f, list[i].row), ASSAY_SHA256_BYTES);
        assay_stmt_put_blob(c->put, 2, bytes, (size_t)f->dims * 4);
        st = assay_stmt_run(c->put, err);
    }
    if (!st)
        st = assay_sql_commit(c->sql, err);
    if (st)
        assay_sql_rollback(c->sql);
    assay_mem_free(bytes);
    return st;
}

static assay_status compute_piece(fill *f, const need *list, size_t n,
                                  assay_embed_compute *compute, void *state,
                                  assay_error *err)
{
    float *row = assay_mem_alloc(n * f->dims * sizeof *row);
    assay_slice *text = ASSAY_NEW_ARRAY(assay_slice, n);
    assay_status st;

    if (!row || !text) {
        st = assay_fail_memory(err, "embedding texts");
        goto done;
    }
    for (size_t i = 0; i < n; i++)
        text[i] = list[i].text;
    st = compute(state, f->role, text, n, row, err);
    if (st)
        goto done;
    for (size_t i = 0; i < n; i++)
        memcpy(f->out + list[i].row * f->dims, row + i * f->dims, f->dims * sizeof *row);
    pthread_mutex_lock(&f->cache->mutex);
    st = store(f, list, n, err);
    pthread_mutex_unlock(&f->cache->mutex);

done:
    assay_mem_free(row);
    assay_mem_free(text);
    return st;
}

assay_status assay_embed_cache_fill(assay_embed_cache *cache, assay_embed_role role,
                                    assay_embed_text *text, void *ctx, size_t n,
                                    uint32_t dims, size_t piece,
                                    assay_embed_compute *compute, void *state, float *out,
                                    assay_error *err)
{
    fill f = {.cache = cache,
              .role = role,
              .text = text,
              .ctx = ctx,
              .n = n,
              .dims = dims,
              .out = out};
    assay_status st = ASSAY_OK;

    f.key = assay_mem_alloc(n * ASSAY_SHA256_BYTES);
    f.first = ASSAY_NEW_ARRAY(size_t, 2 * n);
    f.need = ASSAY_NEW_ARRAY(need, n);
    if (!f.key || !f.first || !f.need)
        st = assay_fail_memory(err, "looking into the embedding cache");
    if (!st) {
        pthread_mutex_lock(&cache->mutex);
        st = sort_out(&f, err);
        pthread_mutex_unlock(&cache->mutex);
    }
    for (size_t i = 0; i < f.n_needs && !st; i += piece)
        st = compute_piece(&f, f.need + i, f.n_needs - i < piece ? f.n_needs - i : piece,
                           compute, state, err);
    for (size_t i = 0; i < n && !st; i++)
        if (f.first[i] != i)
            memcpy(out + i * dims, out + f.first[i] * dims, dims * sizeof *out);
    assay_mem_free(f.key);
    assay_mem_free(f.first);
    assay_mem_free(f.need);
    return st;
}

void assay_embed_cache_counts(assay_embed_cache *cache, uint64_t *n_found,
                              uint64_t *n_computed)
{
    pthread_mutex_lock(&cache->mutex);
    *n_found = cache->n_found;
    *n_computed = cache->n_computed;
    pthread_mutex_unlock(&cache->mutex);
}
