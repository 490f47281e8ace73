/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/commit.h"

#include <ctype.h>

#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"
#include "pipeline/project.h"

/* A small file of git's, trimmed, in `arena`; "" where it cannot be read. */
static assay_slice read_small(const char *folder, assay_slice name, assay_arena *arena)
{
    const char *path = assay_project_join(arena, folder, name);
    assay_file file = {0};
    assay_slice text = ASSAY_LIT("");

    if (!path || !assay_file_exists(path) || assay_file_is_folder(path) ||
        assay_file_open(&file, path, NULL))
        return text;
    text = assay_arena_copy(arena, assay_slice_trim(file.text));
    assay_file_close(&file);
    return text.ptr ? text : ASSAY_LIT("");
}

static bool is_hash(assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!isxdigit((unsigned char)s.ptr[i]))
            return false;
    return s.len == 40 || s.len == 64;
}

/* `.git` itself, or where the file of that name (in a worktree) points. */
static const char *git_folder(const char *folder, assay_arena *arena)
{
    const char *path = assay_project_join(arena, folder, ASSAY_LIT(".git"));
    assay_slice text;

    if (!path || assay_file_is_folder(path))
        return path;
    text = read_small(folder, ASSAY_LIT(".git"), arena);
    if (!assay_slice_starts(text, "gitdir:"))
        return NULL;
    text.ptr += 7;
    text.len -= 7;
    return assay_project_join(arena, folder, assay_slice_trim(text));
}

/* "HASH refs/heads/main" among the packed ones. */
static assay_slice find_packed(const char *folder, assay_slice ref, assay_arena *arena)
{
    assay_slice rest = read_small(folder, ASSAY_LIT("packed-refs"), arena);
    assay_slice line;

    while (assay_slice_part(&rest, '\n', &line)) {
        assay_slice field[2];

        if (assay_slice_fields(line, field, 2) == 2 && assay_slice_eq(field[1], ref))
            return field[0];
    }
    return ASSAY_LIT("");
}

static assay_slice find_ref(const char *git, assay_slice ref, assay_arena *arena)
{
    assay_slice common = read_small(git, ASSAY_LIT("commondir"), arena);
    const char *shared = common.len ? assay_project_join(arena, git, common) : git;
    assay_slice hash = read_small(git, ref, arena);

    if (!hash.len && shared)
        hash = read_small(shared, ref, arena);
    return hash.len || !shared ? hash : find_packed(shared, ref, arena);
}

assay_status assay_commit_of(const char *folder, assay_arena *arena, assay_slice *out,
                             assay_error *err)
{
    const char *root;
    const char *git;
    assay_slice head;
    assay_status st = assay_project_find(folder, ".git", arena, &root, err);

    *out = ASSAY_LIT("");
    if (st || !root)
        return st;
    git = git_folder(root, arena);
    if (!git)
        return ASSAY_OK;
    head = read_small(git, ASSAY_LIT("HEAD"), arena);
    if (assay_slice_starts(head, "ref:"))
        head = find_ref(git, assay_slice_trim((assay_slice){head.ptr + 4, head.len - 4}),
                        arena);
    if (is_hash(head))
        *out = head;
    return ASSAY_OK;
}
