/* SPDX-License-Identifier: Apache-2.0 */
/* Golden sets, by the hash of their text, packed. */
#include "base/error.h"
#include "base/slice.h"
#include "store/run_id.h"
#include "store/store_own.h"

static const char put_text[] =
    "INSERT INTO goldens (golden_hash, name, n_bytes, body, created_at)"
    " VALUES ($1, $2, $3, $4, $5) ON CONFLICT (golden_hash) DO NOTHING";
static const char get_text[] = "SELECT n_bytes, body FROM goldens WHERE golden_hash = $1";

typedef struct keeping {
    assay_slice hash;
    assay_slice name;
    size_t n_bytes;
    assay_buffer body;
} keeping;

static assay_status put_work(assay_store *store, void *arg, assay_error *err)
{
    const keeping *k = arg;
    char now[ASSAY_STORE_TIME_SIZE];
    assay_store_query q;
    assay_status st = assay_store_ask(store, put_text, &q, err);

    if (st)
        return st;
    assay_store_time(0, now);
    assay_query_text(&q, k->hash);
    assay_query_text(&q, k->name);
    assay_query_int(&q, (int64_t)k->n_bytes);
    assay_query_blob(&q, assay_buffer_view(&k->body));
    assay_query_string(&q, now);
    return assay_query_run(&q, err);
}

assay_status assay_store_put_golden(assay_store *store, assay_slice hash,
                                    assay_slice name, assay_slice text, assay_error *err)
{
    keeping k = {hash, name, text.len, ASSAY_BUFFER_EMPTY};
    assay_status st;

    if (!hash.len)
        return assay_fail(err, ASSAY_EUSAGE, "a golden set is stored by its hash");
    st = assay_zblock_pack(&store->z, text, &k.body) && !k.body.has_failed
             ? assay_store_do(store, put_work, &k, err)
             : assay_fail_memory(err, "storing a golden set");
    assay_buffer_clear(&k.body);
    return st;
}

typedef struct fetching {
    assay_slice hash;
    assay_arena *arena;
    assay_slice text;
    bool is_there;
} fetching;

static assay_status unpack(assay_store *store, assay_store_query *q, fetching *f,
                           assay_error *err)
{
    int64_t n_bytes = assay_query_get_int(q);
    assay_slice body = assay_query_get(q);
    assay_buffer what = ASSAY_BUFFER_EMPTY;
    char *text;
    assay_status st;

    /* A length that no block of this size can have: zstd packs at most so well. */
    if (n_bytes < 0 || (uint64_t)n_bytes / 100000 > body.len)
        return assay_fail(err, ASSAY_EINPUT, "'%s': golden set '%.*s' is damaged",
                          assay_store_place(store), ASSAY_QUOTE(f->hash));
    assay_buffer_printf(&what, "golden set '%.*s' in '%s'%c", ASSAY_QUOTE(f->hash),
                        assay_store_place(store), 0);
    text = assay_arena_alloc(f->arena, (size_t)n_bytes + 1);
    if (!text || what.has_failed)
        st = assay_fail_memory(err, "reading a golden set");
    else
        st = assay_zblock_unpack(&store->z, body, text, (size_t)n_bytes, what.ptr, err);
    assay_buffer_clear(&what);
    if (st)
        return st;
    text[n_bytes] = 0;
    f->text = (assay_slice){text, (size_t)n_bytes};
    return ASSAY_OK;
}

static assay_status get_work(assay_store *store, void *arg, assay_error *err)
{
    fetching *f = arg;
    assay_store_query q;
    assay_status st = assay_store_ask(store, get_text, &q, err);

    if (st)
        return st;
    assay_query_text(&q, f->hash);
    st = assay_query_step(&q, &f->is_there, err);
    if (!st && f->is_there)
        st = unpack(store, &q, f, err);
    assay_query_end(&q);
    return st;
}

assay_status assay_store_get_golden(assay_store *store, assay_slice hash,
                                    assay_arena *arena, assay_slice *text,
                                    assay_error *err)
{
    fetching f = {hash, arena, ASSAY_LIT(""), false};
    assay_status st = assay_store_do(store, get_work, &f, err);

    if (st)
        return st;
    if (!f.is_there)
        return assay_fail(err, ASSAY_EUSAGE, "no golden set '%.*s' in '%s'",
                          ASSAY_QUOTE(hash), assay_store_place(store));
    *text = f.text;
    return ASSAY_OK;
}
