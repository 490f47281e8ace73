/* SPDX-License-Identifier: Apache-2.0 */
/* What there is below the paths, and what the corpus knows of it.
 *
 * Files are stored by a key: the path relative to the home folder, or the full path when
 * it lies elsewhere, so that a project may be moved.  Document ids are relative to the
 * root; of nested roots the outermost counts, whether it was given now or before: so
 * ingesting a folder of a folder that is in the corpus changes no id. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/walk.h"
#include "pipeline/ingest_state.h"

/* Between a file's time and ours: below it a change may have come after our reading and
 * yet have the same time, on file systems that count seconds. */
static const int64_t settle_ns = INT64_C(2000000000);

void assay_ingest_plan_clear(assay_ingest_plan *plan)
{
    assay_mem_free(plan->file);
    assay_mem_free(plan->known);
    assay_mem_free(plan->is_seen);
    assay_dict_clear(&plan->keys);
    assay_dict_clear(&plan->known_keys);
    assay_arena_clear(&plan->arena);
    *plan = (assay_ingest_plan){0};
}

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "looking at the files");
}

/* ---- keys ---- */

/* Whether `key` is `root` or lies below it. */
static bool is_below(assay_slice key, assay_slice root)
{
    if (assay_slice_is(root, "."))
        return key.len && key.ptr[0] != '/';
    if (key.len < root.len || memcmp(key.ptr, root.ptr, root.len) != 0)
        return false;
    return key.len == root.len || root.ptr[root.len - 1] == '/' ||
           key.ptr[root.len] == '/';
}

/* What is behind `root` in a key below it; of the root itself its last name. */
static assay_slice relative_to(assay_slice key, assay_slice root)
{
    size_t from = root.len;

    if (assay_slice_eq(key, root)) {
        while (from > 0 && key.ptr[from - 1] != '/')
            from--;
    } else if (assay_slice_is(root, ".")) {
        from = 0;
    } else if (key.ptr[from] == '/') {
        from++;
    }
    return (assay_slice){key.ptr + from, key.len - from};
}

/* How the corpus calls the file or folder `path`. */
static assay_status find_key(assay_ingest_plan *plan, assay_slice home, const char *path,
                             assay_slice *out, assay_error *err)
{
    assay_status st = assay_folder_real(path, &plan->arena, out, err);

    if (!st && assay_slice_eq(*out, home))
        *out = ASSAY_LIT(".");
    else if (!st && is_below(*out, home))
        *out = relative_to(*out, home);
    return st;
}

static assay_status find_own(assay_ingest_state *state, assay_slice home,
                             assay_error *err)
{
    const assay_ingest_options *o = state->options;
    assay_ingest_plan *plan = &state->plan;
    assay_status st = ASSAY_OK;

    plan->own = ASSAY_ARENA_ARRAY(&plan->arena, assay_slice, o->n_own + 1);
    if (!plan->own)
        return fail_memory(err);
    for (size_t i = 0; i < o->n_own && !st; i++) {
        if (!assay_file_exists(o->own[i]))
            continue;
        st = find_key(plan, home, o->own[i], &plan->own[plan->n_own], err);
        plan->n_own += !st;
    }
    return st;
}

assay_status assay_ingest_find_roots(assay_ingest_state *state, const char *const *path,
                                     size_t n, assay_error *err)
{
    const char *home = state->options->home;
    assay_ingest_plan *plan = &state->plan;
    assay_slice home_path;
    assay_status st = assay_folder_real(home ? home : ".", &plan->arena, &home_path, err);

    if (!st)
        st = find_own(state, home_path, err);
    if (st)
        return st;
    plan->root = ASSAY_ARENA_ARRAY(&plan->arena, assay_ingest_root, n);
    if (!plan->root)
        return fail_memory(err);
    plan->n_roots = n;
    for (size_t i = 0; i < n && !st; i++) {
        assay_ingest_root *root = &plan->root[i];

        root->path = path[i];
        st = find_key(plan, home_path, path[i], &root->key, err);
    }
    return st;
}

/* ---- what the corpus knows ---- */

static assay_status add_known(void *ctx, const assay_corpus_file *file, assay_error *err)
{
    assay_ingest_plan *plan = ctx;
    assay_corpus_file *moved =
        assay_mem_grow(plan->known, &plan->cap_known, plan->n_known + 1, sizeof *moved);
    assay_corpus_file *known;
    uint32_t number;

    if (!moved)
        return fail_memory(err);
    plan->known = moved;
    known = &moved[plan->n_known];
    *known = *file;
    known->path = assay_arena_copy(&plan->arena, file->path);
    /* Few roots, few programs: most files share them with the one before. */
    if (plan->n_known && assay_slice_eq(known[-1].root, file->root))
        known->root = known[-1].root;
    else
        known->root = assay_arena_copy(&plan->arena, file->root);
    if (plan->n_known && assay_slice_eq(known[-1].reader, file->reader))
        known->reader = known[-1].reader;
    else
        known->reader = assay_arena_copy(&plan->arena, file->reader);
    if (!known->path.ptr || !known->root.ptr || !known->reader.ptr ||
        !assay_dict_put(&plan->known_keys, NULL, known->path, &number, NULL))
        return fail_memory(err);
    plan->n_known++;
    return ASSAY_OK;
}

static assay_status find_known(assay_ingest_state *state, assay_error *err)
{
    assay_ingest_plan *plan = &state->plan;
    assay_status st = ASSAY_OK;

    if (state->corpus)
        st = assay_corpus_each_file(state->corpus, add_known, plan, err);
    if (st)
        return st;
    plan->is_seen = ASSAY_NEW_ARRAY(bool, plan->n_known);
    return plan->is_seen ? ASSAY_OK : fail_memory(err);
}

/* The outermost root around each, of those given now and those of before. */
static void find_id_roots(assay_ingest_plan *plan)
{
    for (size_t i = 0; i < plan->n_roots; i++) {
        assay_slice best = plan->root[i].key;

        for (size_t j = 0; j < plan->n_roots; j++)
            if (is_below(best, plan->root[j].key))
                best = plan->root[j].key;
        for (size_t j = 0; j < plan->n_known; j++)
            if ((!j || plan->known[j].root.ptr != plan->known[j - 1].root.ptr) &&
                is_below(best, plan->known[j].root))
                best = plan->known[j].root;
        plan->root[i].id_root = best;
    }
}

/* ---- the walk ---- */

typedef struct walker {
    assay_ingest_state *state;
    const assay_ingest_root *root;
} walker;

/* The key of something below the root, in the arena; a null ptr: no memory. */
static assay_slice key_of(assay_ingest_plan *plan, const assay_ingest_root *root,
                          const assay_walk_entry *entry)
{
    bool is_home = assay_slice_is(root->key, ".");
    assay_slice key = root->key;
    char *p;

    if (entry->is_named)
        return key;
    if (is_home)
        return assay_arena_copy(&plan->arena, entry->relative);
    p = assay_arena_alloc(&plan->arena, key.len + 1 + entry->relative.len);
    if (!p)
        return (assay_slice){NULL, 0};
    memcpy(p, key.ptr, key.len);
    /* The root of all has a slash at its end already. */
    if (key.ptr[key.len - 1] != '/')
        p[key.len++] = '/';
    memcpy(p + key.len, entry->relative.ptr, entry->relative.len);
    return (assay_slice){p, key.len + entry->relative.len};
}

/* Whether size and time are those of last time, and may be relied on. */
static bool is_as_before(const assay_ingest_state *state, const assay_ingest_file *file)
{
    const assay_corpus_file *known;

    if (file->known == ASSAY_NONE || state->options->is_thorough)
        return false;
    known = &state->plan.known[file->known];
    return known->size == file->size && known->mtime_ns == file->mtime_ns &&
           known->read_ns - known->mtime_ns >= settle_ns &&
           assay_slice_eq(known->root, file->root) &&
           assay_slice_is(known->reader, assay_version());
}

static bool add_file(walker *w, const assay_walk_entry *entry, assay_slice key)
{
    assay_ingest_plan *plan = &w->state->plan;
    assay_ingest_file *moved =
        assay_mem_grow(plan->file, &plan->cap_files, plan->n_files + 1, sizeof *moved);
    assay_ingest_file *file;

    if (!moved)
        return false;
    plan->file = moved;
    file = &moved[plan->n_files];
    *file = (assay_ingest_file){
        .path = assay_arena_string(&plan->arena, assay_slice_of(entry->path)),
        .key = key,
        .root = w->root->id_root,
        .id = relative_to(key, w->root->id_root),
        .size = entry->size,
        .mtime_ns = entry->mtime_ns,
        .known = assay_dict_find(&plan->known_keys, key),
        .is_named = entry->is_named};
    if (!file->path)
        return false;
    file->is_todo = !is_as_before(w->state, file);
    if (file->known != ASSAY_NONE)
        plan->is_seen[file->known] = true;
    plan->n_files++;
    return true;
}

/* What cannot be looked at may still be there: nothing of it is removed. */
static void spare(assay_ingest_plan *plan, assay_slice key)
{
    for (size_t i = 0; i < plan->n_known; i++)
        if (is_below(plan->known[i].path, key))
            plan->is_seen[i] = true;
}

static bool is_own(const assay_ingest_plan *plan, assay_slice key)
{
    for (size_t i = 0; i < plan->n_own; i++)
        if (is_below(key, plan->own[i]))
            return true;
    return false;
}

static bool visit_entry(walker *w, const assay_walk_entry *entry)
{
    assay_ingest_plan *plan = &w->state->plan;
    assay_slice key = key_of(plan, w->root, entry);
    uint32_t number;
    bool is_new;

    if (!key.ptr)
        return false;
    if (entry->skip == ASSAY_WALK_UNREADABLE) {
        spare(plan, key);
        return assay_ingest_add_fault(w->state, key, entry->why);
    }
    if (entry->skip != ASSAY_WALK_FILE)
        return assay_ingest_add_skip(w->state, key, assay_walk_word(entry->skip));
    if (!entry->is_named && is_own(plan, key))
        return assay_ingest_add_skip(w->state, key, "the project's own");
    if (!assay_dict_put(&plan->keys, NULL, key, &number, &is_new))
        return false;
    return !is_new || add_file(w, entry, key);
}

static assay_status visit(void *ctx, const assay_walk_entry *entry, assay_error *err)
{
    walker *w = ctx;

    /* Ends the walk; who called it looks at the flag. */
    if (assay_ingest_is_cancelled(w->state))
        return ASSAY_NO;
    return visit_entry(w, entry) ? ASSAY_OK : fail_memory(err);
}

/* Files of the corpus that lie elsewhere are none of our business. */
static void spare_elsewhere(assay_ingest_plan *plan)
{
    for (size_t i = 0; i < plan->n_known; i++) {
        bool is_inside = false;

        for (size_t j = 0; j < plan->n_roots && !is_inside; j++)
            is_inside = is_below(plan->known[i].path, plan->root[j].key);
        plan->is_seen[i] |= !is_inside;
    }
}

assay_status assay_ingest_look(assay_ingest_state *state, assay_error *err)
{
    assay_ingest_plan *plan = &state->plan;
    assay_status st = find_known(state, err);

    if (!st)
        find_id_roots(plan);
    for (size_t i = 0; i < plan->n_roots && !st; i++) {
        walker w = {state, &plan->root[i]};

        st = assay_walk(plan->root[i].path, visit, &w, err);
    }
    if (st == ASSAY_NO && assay_ingest_is_cancelled(state))
        st = ASSAY_OK;
    if (!st)
        spare_elsewhere(plan);
    return st;
}
