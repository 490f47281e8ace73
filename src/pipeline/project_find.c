/* SPDX-License-Identifier: Apache-2.0 */
/* Where the project folder is, and paths and names in it. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/slice.h"
#include "pipeline/project.h"

bool assay_corpus_name_is(assay_slice name)
{
    if (!name.len || name.len > 64 || name.ptr[0] == '.' || name.ptr[0] == '-')
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-'))
            return false;
    }
    return true;
}

const char *assay_project_join(assay_arena *arena, const char *folder, assay_slice path)
{
    size_t len = strlen(folder);
    bool has_slash = len && folder[len - 1] == '/';
    char *joined;

    if (strcmp(folder, ".") == 0 || (path.len && path.ptr[0] == '/'))
        return assay_arena_string(arena, path);
    joined = assay_arena_alloc(arena, len + path.len + 2);
    if (joined)
        snprintf(joined, len + path.len + 2, "%s%s%.*s", folder, has_slash ? "" : "/",
                 (int)path.len, path.ptr);
    return joined;
}

static const char *parent_of(assay_arena *arena, const char *folder)
{
    assay_slice up = ASSAY_LIT("..");

    return assay_project_join(arena, folder, up);
}

/* Only the root is its own parent. */
static bool is_same(const char *a, const char *b)
{
    struct stat x;
    struct stat y;

    return stat(a, &x) || stat(b, &y) || (x.st_ino == y.st_ino && x.st_dev == y.st_dev);
}

assay_status assay_project_find(const char *start, const char *what, assay_arena *arena,
                                const char **folder, assay_error *err)
{
    const char *at = assay_arena_string(arena, assay_slice_of(start));

    while (at) {
        const char *file = assay_project_join(arena, at, assay_slice_of(what));
        const char *up = parent_of(arena, at);

        if (!file || !up)
            break;
        if (assay_file_exists(file)) {
            *folder = at;
            return ASSAY_OK;
        }
        if (is_same(at, up)) {
            *folder = NULL;
            return ASSAY_OK;
        }
        at = up;
    }
    return assay_fail_memory(err, "looking for assay.yaml");
}
