/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/folder_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/slice.h"

typedef assay_folder_name name;

void assay_system_words(int number, char *text, size_t size)
{
    if (strerror_r(number, text, size))
        text[0] = '\0';
}

/* What the name is, or leads to. */
static void set_kind(name *e, const struct stat *st)
{
    if (S_ISDIR(st->st_mode)) {
        e->is_folder = true;
        e->skip = e->is_link ? ASSAY_WALK_LINK : ASSAY_WALK_FILE;
    } else if (!S_ISREG(st->st_mode)) {
        e->skip = ASSAY_WALK_SPECIAL;
    } else {
        e->size = (uint64_t)st->st_size;
        e->mtime_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
    }
}

static bool set_unreadable(name *e, int number, assay_arena *arena)
{
    char words[200];

    assay_system_words(number, words, sizeof words);
    e->skip = ASSAY_WALK_UNREADABLE;
    e->why = assay_arena_string(arena, assay_slice_of(words));
    return e->why != NULL;
}

/* Look at `e` in the open folder.  False: no memory. */
static bool look_at(int dir, name *e, assay_arena *arena)
{
    const char *text = e->text.ptr;
    struct stat st;

    if (fstatat(dir, text, &st, AT_SYMLINK_NOFOLLOW))
        return set_unreadable(e, errno, arena);
    e->is_link = S_ISLNK(st.st_mode);
    if (e->is_link && fstatat(dir, text, &st, 0)) {
        if (errno != ENOENT && errno != ELOOP && errno != ENOTDIR)
            return set_unreadable(e, errno, arena);
        e->skip = ASSAY_WALK_LINK;
        return true;
    }
    set_kind(e, &st);
    if (e->skip == ASSAY_WALK_FILE && !e->is_folder &&
        faccessat(dir, text, R_OK, AT_EACCESS))
        return set_unreadable(e, errno, arena);
    return true;
}

/* Names in byte order of the paths that begin with them: a folder's goes on with '/'. */
static int by_path(const void *a, const void *b)
{
    const name *x = a;
    const name *y = b;
    size_t shorter = x->text.len < y->text.len ? x->text.len : y->text.len;
    int order = memcmp(x->text.ptr, y->text.ptr, shorter);
    int next_x;
    int next_y;

    if (order)
        return order;
    next_x = x->text.len > shorter ? (unsigned char)x->text.ptr[shorter]
             : x->is_folder        ? '/'
                                   : 0;
    next_y = y->text.len > shorter ? (unsigned char)y->text.ptr[shorter]
             : y->is_folder        ? '/'
                                   : 0;
    return next_x - next_y;
}

static bool is_dots(const char *text)
{
    return strcmp(text, ".") == 0 || strcmp(text, "..") == 0;
}

/* Add all names of an open folder.  *number is what the system said, or 0. */
static bool read_names(DIR *dir, assay_folder_names *f, size_t *cap, int *number)
{
    for (;;) {
        struct dirent *d;
        name *grown;

        errno = 0;
        d = readdir(dir);
        *number = d ? 0 : errno;
        if (!d)
            return true;
        if (is_dots(d->d_name))
            continue;
        grown = assay_mem_grow(f->item, cap, f->n + 1, sizeof *grown);
        if (!grown)
            return false;
        f->item = grown;
        f->item[f->n] =
            (name){.text = assay_arena_copy(&f->arena, assay_slice_of(d->d_name))};
        if (!f->item[f->n].text.ptr || !look_at(dirfd(dir), &f->item[f->n], &f->arena))
            return false;
        f->n++;
    }
}

/* The rules of path/.gitignore.  A file that cannot be read is told as such. */
bool assay_folder_names_read(const char *path, assay_folder_names *out, int *number)
{
    DIR *dir = opendir(path);
    assay_folder_names f = {.n = 0};
    size_t cap = 0;
    bool has_memory;

    if (!dir) {
        *number = errno;
        return errno != ENOMEM;
    }
    has_memory = read_names(dir, &f, &cap, number);
    closedir(dir);
    if (!has_memory || *number) {
        assay_folder_names_clear(&f);
        return has_memory;
    }
    if (f.n)
        qsort(f.item, f.n, sizeof *f.item, by_path);
    *out = f;
    return true;
}

void assay_folder_names_clear(assay_folder_names *names)
{
    assay_mem_free(names->item);
    assay_arena_clear(&names->arena);
    *names = (assay_folder_names){0};
}
