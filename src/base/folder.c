/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* realpath is in the XSI part of POSIX */

#include "base/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"

enum { MODE = 0777 };

static assay_status make_one(const char *path, assay_error *err)
{
    char reason[200];
    int number;

    if (mkdir(path, MODE) == 0)
        return ASSAY_OK;
    number = errno;
    /* Some systems say EROFS or EACCES before they look whether it is there. */
    if (assay_file_is_folder(path))
        return ASSAY_OK;
    if (strerror_r(number, reason, sizeof reason))
        reason[0] = 0;
    return assay_fail(err, ASSAY_ESYSTEM, "cannot make the folder '%s': %s", path,
                      reason);
}

/* `path` may be written to; it is left as it was. */
static assay_status make_all(char *path, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (char *p = path + 1; path[0] && *p && !st; p++)
        if (*p == '/') {
            *p = 0;
            st = make_one(path, err);
            *p = '/';
        }
    return st || !path[0] ? st : make_one(path, err);
}

static assay_status make(assay_slice path, assay_error *err)
{
    char *copy = assay_mem_alloc(path.len + 1);
    assay_status st;

    if (!copy)
        return assay_fail_memory(err, "making a folder");
    memcpy(copy, path.ptr, path.len);
    copy[path.len] = 0;
    st = make_all(copy, err);
    assay_mem_free(copy);
    return st;
}

assay_status assay_folder_make(const char *path, assay_error *err)
{
    return make((assay_slice){path, strlen(path)}, err);
}

assay_status assay_folder_make_for(const char *path, assay_error *err)
{
    const char *slash = strrchr(path, '/');

    if (!slash || slash == path)
        return ASSAY_OK;
    return make((assay_slice){path, (size_t)(slash - path)}, err);
}

assay_status assay_folder_real(const char *path, assay_arena *arena, assay_slice *out,
                               assay_error *err)
{
    char *real = realpath(path, NULL);
    assay_slice copy;

    if (!real && errno == ENOMEM)
        return assay_fail_memory(err, "looking for a folder");
    if (!real)
        return assay_fail(err, ASSAY_EUSAGE, "no file or folder '%s'", path);
    copy = assay_arena_copy(arena, (assay_slice){real, strlen(real)});
    free(real);
    if (!copy.ptr)
        return assay_fail_memory(err, "looking for a folder");
    *out = copy;
    return ASSAY_OK;
}
