/* SPDX-License-Identifier: Apache-2.0 */
/* The walk keeps a stack of folders, each with its names in order.  A folder is read as a
 * whole and closed before anything in it is visited, so that neither depth nor what the
 * visitor does to the tree matters. */
#include "corpus/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/folder_names.h"
#include "corpus/gitignore.h"

typedef assay_folder_name name;

/* A folder that is open. */
typedef struct folder {
    assay_folder_names names;
    size_t next;           /* name to be visited */
    size_t begin;          /* where names in it begin in walk.full */
    assay_gitignore rules; /* in the arena of the names */
} folder;

/* A folder above the root, in the same git repository. */
typedef struct above {
    assay_gitignore rules;
    size_t begin;
} above;

typedef struct walk {
    assay_walk_visit *visit;
    void *ctx;
    assay_buffer path; /* root/names..., to open it */
    size_t shown;      /* of path from here on is shown: "./" is left out */
    assay_buffer full; /* the same from the top of the repository, for the rules */
    size_t root;       /* where paths relative to the root begin in `full` */
    folder *stack;
    size_t n;
    size_t cap;
    assay_arena arena;
    above *above;
    size_t n_above;
    char why[200];
} walk;

const char *assay_walk_word(assay_walk_skip skip)
{
    static const char *const word[] = {"file", "ignored", "hidden",
                                       "link", "special", "unreadable"};

    return word[skip];
}

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "walking through folders");
}

/* ---- paths ---- */

static void cut_paths(walk *w, size_t path, size_t full)
{
    w->path.len = path;
    w->full.len = full;
}

/* Zero bytes behind both, which do not count. */
static bool end_paths(walk *w)
{
    assay_buffer_char(&w->path, '\0');
    assay_buffer_char(&w->full, '\0');
    if (w->path.has_failed || w->full.has_failed)
        return false;
    w->path.len--;
    w->full.len--;
    return true;
}

static const char *shown_path(const walk *w)
{
    /* A name that begins with a dash would be taken for an option, or for standard input. */
    bool is_bare = w->path.len > w->shown && w->path.ptr[w->shown] != '-';

    return w->path.ptr + (is_bare ? w->shown : 0);
}

/* ---- one folder ---- */

static assay_status read_rules(const char *path, assay_arena *arena,
                               assay_gitignore *rules, name *e, assay_error *err)
{
    assay_file file = {0};
    assay_error fault;
    assay_status st = assay_file_open(&file, path, &fault);

    if (st == ASSAY_ENOMEM)
        return fail_memory(err);
    if (st) {
        if (!e)
            return ASSAY_OK;
        e->skip = ASSAY_WALK_UNREADABLE;
        e->why = assay_arena_string(arena, assay_slice_of(fault.text));
        return e->why ? ASSAY_OK : fail_memory(err);
    }
    st = assay_gitignore_read(file.text, arena, rules) ? ASSAY_OK : fail_memory(err);
    assay_file_close(&file);
    return st;
}

static assay_status find_rules(walk *w, folder *f, assay_error *err)
{
    size_t path = w->path.len;
    size_t full = w->full.len;

    for (size_t i = 0; i < f->names.n; i++) {
        name *e = &f->names.item[i];
        assay_status st;

        /* git follows no link here either. */
        if (!assay_slice_is(e->text, ".gitignore") || e->skip != ASSAY_WALK_FILE ||
            e->is_folder || e->is_link)
            continue;
        assay_buffer_text(&w->path, "/.gitignore");
        if (!end_paths(w))
            return fail_memory(err);
        st = read_rules(w->path.ptr, &f->names.arena, &f->rules, e, err);
        cut_paths(w, path, full);
        return st;
    }
    return ASSAY_OK;
}

/* Read the folder at w->path and put it on the stack; *number is what the system said, and
 * then nothing was put. */
static assay_status push_folder(walk *w, int *number, assay_error *err)
{
    folder f = {.begin = w->full.len + (w->full.len > 0)};
    assay_status st = ASSAY_OK;
    folder *grown;

    *number = 0;
    if (!assay_folder_names_read(w->path.len ? w->path.ptr : "/", &f.names, number))
        return fail_memory(err);
    if (*number)
        return ASSAY_OK;
    st = find_rules(w, &f, err);
    grown = st ? NULL : assay_mem_grow(w->stack, &w->cap, w->n + 1, sizeof *grown);
    if (!grown) {
        assay_folder_names_clear(&f.names);
        return st ? st : fail_memory(err);
    }
    w->stack = grown;
    w->stack[w->n++] = f;
    return ASSAY_OK;
}

/* ---- the walk ---- */

static assay_slice path_from(const walk *w, size_t begin)
{
    return (assay_slice){w->full.ptr + begin, w->full.len - begin};
}

/* The rules of the nearest folder first, since they win. */
static bool is_ignored(const walk *w, bool is_folder)
{
    for (size_t i = w->n + w->n_above; i > 0; i--) {
        bool is_above = i <= w->n_above;
        const assay_gitignore *rules =
            is_above ? &w->above[i - 1].rules : &w->stack[i - 1 - w->n_above].rules;
        size_t begin =
            is_above ? w->above[i - 1].begin : w->stack[i - 1 - w->n_above].begin;
        assay_gitignore_verdict v =
            assay_gitignore_match(rules, path_from(w, begin), is_folder);

        if (v != ASSAY_GITIGNORE_SILENT)
            return v == ASSAY_GITIGNORE_IGNORED;
    }
    return false;
}

static assay_walk_skip decide(const walk *w, const name *e)
{
    if (assay_slice_is(e->text, ".git") || assay_slice_is(e->text, ".assay"))
        return ASSAY_WALK_IGNORED;
    if (e->text.ptr[0] == '.')
        return e->skip == ASSAY_WALK_UNREADABLE ? e->skip : ASSAY_WALK_HIDDEN;
    return is_ignored(w, assay_folder_name_is_real(e)) ? ASSAY_WALK_IGNORED : e->skip;
}

static assay_status tell(walk *w, const name *e, assay_walk_skip skip, const char *why,
                         assay_error *err)
{
    assay_walk_entry entry = {.path = shown_path(w),
                              .relative = path_from(w, w->root),
                              .skip = skip,
                              .size = skip == ASSAY_WALK_FILE ? e->size : 0,
                              .mtime_ns = skip == ASSAY_WALK_FILE ? e->mtime_ns : 0,
                              .why = skip == ASSAY_WALK_UNREADABLE ? why : NULL,
                              .is_folder = e->is_folder};

    return w->visit(w->ctx, &entry, err);
}

/* The next name of the innermost folder. */
static assay_status step(walk *w, assay_error *err)
{
    folder *f = &w->stack[w->n - 1];
    const name e = f->names.item[f->next++];
    assay_walk_skip skip;
    assay_status st;
    int number;

    assay_buffer_char(&w->path, '/');
    assay_buffer_slice(&w->path, e.text);
    if (w->full.len)
        assay_buffer_char(&w->full, '/');
    assay_buffer_slice(&w->full, e.text);
    if (!end_paths(w))
        return fail_memory(err);
    skip = decide(w, &e);
    if (skip != ASSAY_WALK_FILE || !e.is_folder)
        return tell(w, &e, skip, e.why, err);
    st = push_folder(w, &number, err);
    if (st || !number)
        return st;
    assay_system_words(number, w->why, sizeof w->why);
    return tell(w, &e, ASSAY_WALK_UNREADABLE, w->why, err);
}

/* Take the last name off both paths. */
static void leave(walk *w, size_t n_before)
{
    if (w->n > n_before)
        return; /* went into a folder: its name stays */
    while (w->path.len && w->path.ptr[--w->path.len] != '/')
        continue;
    while (w->full.len && w->full.ptr[--w->full.len] != '/')
        continue;
}

static assay_status walk_folder(walk *w, const char *root, assay_error *err)
{
    assay_status st;
    int number;

    st = push_folder(w, &number, err);
    if (!st && number) {
        assay_system_words(number, w->why, sizeof w->why);
        return assay_fail(err, ASSAY_ESYSTEM, "cannot read folder '%s': %s", root,
                          w->why);
    }
    while (!st && w->n) {
        folder *f = &w->stack[w->n - 1];
        size_t before = w->n;

        if (f->next < f->names.n) {
            st = step(w, err);
        } else {
            assay_folder_names_clear(&f->names);
            before = --w->n;
            if (!w->n)
                break;
        }
        leave(w, before);
    }
    return st;
}

/* ---- the root ---- */

/* Where the repository begins that `real` is in: the length of its path; 0 = none. */
static size_t find_repository(char *real)
{
    size_t len = strlen(real);

    for (;;) {
        char probe[PATH_MAX + 8];
        size_t slash = len;

        memcpy(probe, real, len);
        memcpy(probe + len, "/.git", 6);
        if (assay_file_exists(probe))
            return len;
        while (slash && real[slash - 1] != '/')
            slash--;
        if (!slash || !len)
            return 0;
        len = slash - 1;
    }
}

/* Read the rules of the folders between the top of the repository and the root. */
static assay_status read_above(walk *w, const char *root, assay_error *err)
{
    char real[PATH_MAX];
    char path[PATH_MAX + 16];
    size_t top;
    size_t len;
    size_t n = 0;

    if (!realpath(root, real))
        return ASSAY_OK;
    top = find_repository(real);
    len = strlen(real);
    if (!top || top >= len)
        return ASSAY_OK;
    for (size_t i = top; i < len; i++)
        n += real[i] == '/';
    w->above = ASSAY_ARENA_ARRAY(&w->arena, above, n);
    if (!w->above)
        return fail_memory(err);
    for (size_t i = top; i < len; i++) {
        above *a = &w->above[w->n_above];
        struct stat st;

        if (real[i] != '/')
            continue;
        a->begin = i - top;
        w->n_above++;
        memcpy(path, real, i);
        memcpy(path + i, "/.gitignore", 12);
        if (lstat(path, &st) == 0 && S_ISREG(st.st_mode)) {
            assay_status status = read_rules(path, &w->arena, &a->rules, NULL, err);

            if (status)
                return status;
        }
    }
    assay_buffer_add(&w->full, real + top + 1, len - top - 1);
    w->root = w->full.len + 1;
    return ASSAY_OK;
}

static assay_status visit_file(const char *root, const struct stat *st,
                               assay_walk_visit *visit, void *ctx, assay_error *err)
{
    const char *slash = strrchr(root, '/');
    assay_walk_entry entry = {.path = root,
                              .relative = assay_slice_of(slash ? slash + 1 : root),
                              .skip = ASSAY_WALK_FILE,
                              .is_named = true};
    char words[200];

    if (!S_ISREG(st->st_mode)) {
        entry.skip = ASSAY_WALK_SPECIAL;
    } else if (faccessat(AT_FDCWD, root, R_OK, AT_EACCESS)) {
        assay_system_words(errno, words, sizeof words);
        entry.skip = ASSAY_WALK_UNREADABLE;
        entry.why = words;
    } else {
        entry.size = (uint64_t)st->st_size;
        entry.mtime_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
    }
    return visit(ctx, &entry, err);
}

static assay_status open_root(const char *root, struct stat *st, assay_error *err)
{
    char words[200];

    if (stat(root, st) == 0)
        return ASSAY_OK;
    if (errno == ENOENT || errno == ENOTDIR)
        return assay_fail(err, ASSAY_EUSAGE, "no file or folder '%s'", root);
    assay_system_words(errno, words, sizeof words);
    return assay_fail(err, ASSAY_ESYSTEM, "cannot open '%s': %s", root, words);
}

assay_status assay_walk(const char *root, assay_walk_visit *visit, void *ctx,
                        assay_error *err)
{
    walk w = {.visit = visit, .ctx = ctx};
    assay_slice path = assay_slice_of(root);
    struct stat st;
    assay_status status = open_root(root, &st, err);

    if (status)
        return status;
    if (!S_ISDIR(st.st_mode))
        return visit_file(root, &st, visit, ctx, err);
    while (path.len && path.ptr[path.len - 1] == '/')
        path.len--;
    w.shown = assay_slice_is(path, ".") ? 2 : 0;
    assay_buffer_slice(&w.path, path);
    status = read_above(&w, root, err);
    if (!status && !end_paths(&w))
        status = fail_memory(err);
    if (!status)
        status = walk_folder(&w, root, err);
    for (size_t i = 0; i < w.n; i++)
        assay_folder_names_clear(&w.stack[i].names);
    assay_mem_free(w.stack);
    assay_buffer_clear(&w.path);
    assay_buffer_clear(&w.full);
    assay_arena_clear(&w.arena);
    return status;
}
