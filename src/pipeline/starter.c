/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/starter.h"

#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "corpus/walk.h"
#include "golden/emit.h"
#include "pipeline/project.h"

/* Somebody may call it at the top of a disk. */
enum { MOST_ENTRIES = 200000 };

static const char *const endings[] = {".md",   ".markdown", ".txt", ".rst",
                                      ".html", ".htm",      ".pdf", ".adoc"};

/* ---- looking around ---- */

typedef struct search {
    assay_arena *arena;
    assay_starter *found;
    size_t cap;
    uint64_t n_entries;
    uint64_t n_top; /* documents that stand in the folder itself */
    assay_slice first_top;
} search;

static bool is_document(assay_slice path)
{
    for (size_t i = 0; i < ASSAY_COUNT(endings); i++)
        if (assay_slice_ends(path, endings[i]))
            return true;
    return false;
}

/* Files come in the order of their paths, so those of one folder come together. */
static bool count_in(search *s, assay_slice folder, assay_slice id)
{
    assay_starter *f = s->found;
    assay_starter_place *moved;

    if (f->n_places && assay_slice_eq(f->place[f->n_places - 1].path, folder)) {
        f->place[f->n_places - 1].n_docs++;
        return true;
    }
    moved = assay_mem_grow(f->place, &s->cap, f->n_places + 1, sizeof *moved);
    if (!moved)
        return false;
    f->place = moved;
    folder = assay_arena_copy(s->arena, folder);
    if (!f->n_places)
        f->example = assay_arena_copy(s->arena, id);
    moved[f->n_places++] = (assay_starter_place){folder, 1};
    return folder.ptr && f->example.ptr;
}

static assay_status look_at(void *ctx, const assay_walk_entry *entry, assay_error *err)
{
    search *s = ctx;
    assay_slice path = entry->relative;
    const char *slash = path.len ? memchr(path.ptr, '/', path.len) : NULL;
    assay_slice folder = {path.ptr, slash ? (size_t)(slash - path.ptr) : 0};
    bool has_memory = true;

    if (++s->n_entries > MOST_ENTRIES) {
        s->found->is_cut_short = true;
        return assay_fail(err, ASSAY_NO, "enough");
    }
    /* A name that is no text cannot be written into the file. */
    if (entry->skip != ASSAY_WALK_FILE || !is_document(path) || !assay_utf8_is(path))
        return ASSAY_OK;
    if (slash) {
        assay_slice id = {slash + 1, path.len - folder.len - 1};

        has_memory = count_in(s, folder, id);
    } else {
        if (!s->n_top++)
            s->first_top = assay_arena_copy(s->arena, path);
        has_memory = s->first_top.ptr != NULL;
    }
    return has_memory ? ASSAY_OK : assay_fail_memory(err, "looking for documents");
}

/* Folders that have documents; where there is none, the folder itself. */
static assay_status find_documents(const char *folder, search *s, assay_error *err)
{
    assay_starter *f = s->found;
    assay_starter_place *place;
    assay_status st = assay_walk(folder, look_at, s, err);

    if (st == ASSAY_NO && f->is_cut_short)
        st = ASSAY_OK;
    place = ASSAY_ARENA_ARRAY(s->arena, assay_starter_place, f->n_places + 1);
    if (!st && !place)
        st = assay_fail_memory(err, "looking for documents");
    for (size_t i = 0; !st && i < f->n_places; i++)
        place[i] = f->place[i];
    assay_mem_free(f->place);
    f->place = place;
    if (!st && !f->n_places && s->n_top) {
        f->place[f->n_places++] = (assay_starter_place){ASSAY_LIT("."), s->n_top};
        f->example = s->first_top;
    } else {
        f->n_left_out = s->n_top;
    }
    return st;
}

/* ---- the texts ---- */

/* The folder's own name, for reports. */
static assay_slice name_of(const char *folder, assay_arena *arena)
{
    char here[4096];
    assay_slice path = assay_slice_of(folder);
    const char *slash;

    if (assay_slice_is(path, ".") && getcwd(here, sizeof here))
        path = assay_slice_of(here);
    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    slash = path.ptr + path.len;
    while (slash > path.ptr && slash[-1] != '/')
        slash--;
    path.len -= (size_t)(slash - path.ptr);
    path.ptr = slash;
    if (!path.len || path.ptr[0] == '.' || path.ptr[0] == '/' || !assay_utf8_is(path))
        return ASSAY_LIT("project");
    return assay_arena_copy(arena, path);
}

static void put_quoted(assay_buffer *out, assay_slice text)
{
    assay_emit e = assay_emit_of(out, false);

    assay_emit_text(&e, text);
}

static void write_yaml(const assay_starter *s, assay_slice name, assay_buffer *out)
{
    assay_buffer_text(out, "# Settings of assay. All keys: docs/FORMATS.md. Flags win.\n"
                           "version: 1\nname: ");
    put_quoted(out, name);
    assay_buffer_text(out, "\n\n# The documents, relative to this file: assay ingest\n"
                           "corpus:\n  name: main\n  paths:\n");
    for (size_t i = 0; i < s->n_places; i++) {
        assay_buffer_text(out, "    - ");
        put_quoted(out, s->place[i].path);
        assay_buffer_char(out, '\n');
    }
    if (!s->n_places)
        assay_buffer_text(out, "    - .\n");
    assay_buffer_text(out, "  # chunker: md-heading(target=500)\n\n"
                           "# Questions, and what answers them: assay golden check\n"
                           "golden: golden.yaml\n\n"
                           "# What to measure, and by whose rules: assay eval RUN\n"
                           "# metrics: [recall@5, mrr, ndcg@10]\n"
                           "# conventions: assay\n");
}

static void write_golden(const assay_starter *s, assay_slice name, assay_buffer *out)
{
    assay_buffer_text(
        out, "# Questions, and where their answers stand. A quote is found again "
             "when the\n# documents are cut differently. A draft never counts: "
             "say 'state: checked', or\n# leave the line out, when the query is "
             "right.\nversion: 1\nname: ");
    put_quoted(out, name);
    assay_buffer_text(out, "\nqueries:\n"
                           "  - id: q-001\n"
                           "    query: Write a question that your users ask.\n"
                           "    state: draft\n"
                           "    relevant:\n"
                           "      - doc: ");
    put_quoted(out, s->example.len ? s->example : ASSAY_LIT("guide.md"));
    assay_buffer_text(out, "\n"
                           "        # quote: the words of the document that answer it\n"
                           "        # grade: 2\n"
                           "    # must_contain: [words of a right answer]\n");
}

static assay_status save(const char *path, assay_buffer *text, assay_error *err)
{
    assay_status st = text->has_failed
                          ? assay_fail_memory(err, "writing the first files")
                          : assay_file_save(path, assay_buffer_view(text), err);

    text->len = 0;
    return st;
}

/* ---- .gitignore ---- */

static bool has_line(assay_slice text)
{
    static const char *const spellings[] = {".assay", ".assay/", "/.assay", "/.assay/"};
    assay_slice line;

    while (assay_slice_part(&text, '\n', &line))
        for (size_t i = 0; i < ASSAY_COUNT(spellings); i++)
            if (assay_slice_is(assay_slice_trim(line), spellings[i]))
                return true;
    return false;
}

/* Append the line to folder/.gitignore, where the folder is in a git repository. */
static assay_status write_ignore(const char *folder, assay_arena *arena,
                                 assay_starter *out, assay_error *err)
{
    const char *path = assay_project_join(arena, folder, ASSAY_LIT(".gitignore"));
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    const char *repository = NULL;
    assay_file file = {.heap = NULL};
    assay_status st;

    if (!path)
        return assay_fail_memory(err, "writing .gitignore");
    st = assay_project_find(folder, ".git", arena, &repository, err);
    if (!st && repository && assay_file_exists(path))
        st = assay_file_open(&file, path, err);
    if (!st && repository && !has_line(file.text)) {
        assay_buffer_slice(&text, file.text);
        if (text.len && text.ptr[text.len - 1] != '\n')
            assay_buffer_char(&text, '\n');
        assay_buffer_text(&text, "/" ASSAY_WORKSPACE_FOLDER "/\n");
        st = save(path, &text, err);
        out->ignore_path = path;
    }
    assay_buffer_clear(&text);
    assay_file_close(&file);
    return st;
}

/* ---- all of it ---- */

static assay_status write_files(const char *folder, assay_arena *arena,
                                assay_starter *out, assay_error *err)
{
    assay_slice name = name_of(folder, arena);
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    if (!name.ptr)
        return assay_fail_memory(err, "writing the first files");
    if (!out->has_golden) {
        write_golden(out, name, &text);
        st = save(out->golden_path, &text, err);
    }
    if (!st) {
        write_yaml(out, name, &text);
        st = save(out->yaml_path, &text, err);
    }
    assay_buffer_clear(&text);
    return st ? st : write_ignore(folder, arena, out, err);
}

assay_status assay_starter_write(const char *folder, assay_arena *arena,
                                 assay_starter *out, assay_error *err)
{
    assay_starter made = {.example = ASSAY_LIT("")};
    search s = {.arena = arena, .found = &made};
    assay_status st;

    made.yaml_path = assay_project_join(arena, folder, ASSAY_LIT(ASSAY_PROJECT_FILE));
    made.golden_path = assay_project_join(arena, folder, ASSAY_LIT("golden.yaml"));
    if (!made.yaml_path || !made.golden_path)
        return assay_fail_memory(err, "writing the first files");
    if (assay_file_exists(made.yaml_path))
        return assay_fail(err, ASSAY_NO,
                          "'%s' is there already and was left as it is; nothing was "
                          "written",
                          made.yaml_path);
    if (assay_file_exists(folder) && !assay_file_is_folder(folder))
        return assay_fail(err, ASSAY_EUSAGE, "'%s' is no folder", folder);
    st = assay_folder_make(folder, err);
    if (!st)
        st = find_documents(folder, &s, err);
    made.has_golden = assay_file_exists(made.golden_path);
    if (!st)
        st = write_files(folder, arena, &made, err);
    if (!st)
        *out = made;
    return st;
}
