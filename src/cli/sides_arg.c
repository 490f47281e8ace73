/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sides_arg.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "golden/frozen.h"
#include "pipeline/run_bundle.h"

struct assay_side_own {
    assay_run *run;
    assay_bundle *bundle;
    assay_snapshot snapshot;
};

struct assay_side_golden {
    char hash[65];
    assay_golden *golden;
};

static assay_arena *arena_of(const assay_sides *s)
{
    return &s->ws->cli->arena;
}

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "loading the runs");
}

assay_status assay_sides_open(assay_sides *sides, const assay_workspace *ws,
                              uint32_t most, assay_error *err)
{
    *sides = (assay_sides){.ws = ws, .most = most};
    sides->side = ASSAY_ARENA_ARRAY(arena_of(sides), assay_compare_side, most);
    sides->own = ASSAY_ARENA_ARRAY(arena_of(sides), struct assay_side_own, most);
    sides->golden = ASSAY_ARENA_ARRAY(arena_of(sides), struct assay_side_golden, most);
    return sides->side && sides->own && sides->golden ? ASSAY_OK : fail_memory(err);
}

void assay_sides_close(assay_sides *sides)
{
    for (uint32_t i = 0; sides->own && i < sides->most; i++) {
        assay_run_free(sides->own[i].run);
        assay_bundle_free(sides->own[i].bundle);
    }
    for (uint32_t i = 0; i < sides->n_goldens; i++)
        assay_golden_free(sides->golden[i].golden);
    assay_golden_free(sides->named);
    assay_notes_clear(&sides->notes);
}

/* ---- golden sets ---- */

/* The one of the command line, else of assay.yaml. */
static assay_status named_golden(assay_sides *s, const assay_golden **out,
                                 assay_error *err)
{
    const assay_cli *cli = s->ws->cli;
    assay_golden_options o = {.format = assay_cli_text(cli, "golden-from"),
                              .topics = assay_cli_text(cli, "topics"),
                              .split = assay_cli_text(cli, "split"),
                              .max_line = assay_cli_count(cli, "max-line", 0)};
    assay_golden_choice choice;
    assay_status st = ASSAY_OK;

    if (!s->named) {
        st = assay_golden_choose(s->ws, assay_cli_text(cli, "golden"), &choice, err);
        if (!st)
            st = assay_golden_choice_load(s->ws, &choice, &o, &s->named, err);
        if (!st)
            assay_cli_warn_notes(cli, &s->named->notes);
    }
    *out = s->named;
    return st;
}

/* A frozen one; sides that were made with the same set share it. */
static assay_status thaw(assay_sides *s, const char *name, assay_slice text,
                         const assay_golden **out, assay_error *err)
{
    struct assay_side_golden *g = &s->golden[s->n_goldens];
    assay_status st;

    assay_frozen_hash(text, g->hash);
    for (uint32_t i = 0; i < s->n_goldens; i++)
        if (strcmp(s->golden[i].hash, g->hash) == 0) {
            *out = s->golden[i].golden;
            return ASSAY_OK;
        }
    st = assay_golden_thaw(name, text, &g->golden, err);
    if (st)
        return st;
    *out = g->golden;
    s->n_goldens++;
    return ASSAY_OK;
}

/* `own` is what the run was made with; null = not known. */
static assay_status choose_golden(assay_sides *s, assay_compare_side *side,
                                  const assay_golden *own, assay_error *err)
{
    bool is_asked = assay_cli_text(s->ws->cli, "golden") != NULL;

    if (own && !is_asked) {
        side->golden = own;
        return ASSAY_OK;
    }
    side->planned = own;
    return named_golden(s, &side->golden, err);
}

/* ---- files ---- */

/* The file's name without folder and endings. */
static assay_slice stem(const char *path)
{
    assay_slice s = assay_slice_of(path);
    const char *slash = strrchr(path, '/');
    const char *dot;

    if (slash && slash[1])
        s = assay_slice_of(slash + 1);
    if (assay_slice_ends(s, ".gz"))
        s.len -= 3;
    else if (assay_slice_ends(s, ".zst"))
        s.len -= 4;
    dot = s.ptr + s.len;
    while (dot > s.ptr && *dot != '.')
        dot--;
    if (dot > s.ptr)
        s.len = (size_t)(dot - s.ptr);
    return s;
}

static bool is_taken(const assay_sides *s, const char *name)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (strcmp(s->side[i].name, name) == 0)
            return true;
    return false;
}

/* The stem, the path where that is taken, and a star where that is taken too. */
static assay_status name_file(const assay_sides *s, const char *path, const char **out,
                              assay_error *err)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    *out = assay_arena_string(arena_of(s), stem(path));
    if (*out && is_taken(s, *out))
        *out = path;
    while (*out && is_taken(s, *out)) {
        b.len = 0;
        assay_buffer_printf(&b, "%s*", *out);
        *out =
            b.has_failed ? NULL : assay_arena_string(arena_of(s), assay_buffer_view(&b));
    }
    assay_buffer_clear(&b);
    return *out ? ASSAY_OK : fail_memory(err);
}

static assay_status add_bundle(assay_sides *s, assay_compare_side *side,
                               struct assay_side_own *own, const char *path,
                               assay_slice text, assay_error *err)
{
    const assay_golden *golden = NULL;
    assay_status st = assay_bundle_parse(path, text, &own->bundle, err);

    if (!st)
        st = assay_snapshot_read(path, own->bundle->stored.snapshot, arena_of(s),
                                 &own->snapshot, err);
    if (!st && own->bundle->golden.len)
        st = thaw(s, path, own->bundle->golden, &golden, err);
    if (st)
        return st;
    side->run = own->bundle->run;
    side->snapshot = &own->snapshot;
    side->when = assay_arena_string(arena_of(s), own->bundle->stored.created_at);
    return side->when ? choose_golden(s, side, golden, err) : fail_memory(err);
}

static assay_status add_run_file(assay_sides *s, assay_compare_side *side,
                                 struct assay_side_own *own, const char *path,
                                 assay_error *err)
{
    const assay_cli *cli = s->ws->cli;
    assay_run_options o = {.format = assay_cli_text(cli, "from"),
                           .max_line = assay_cli_count(cli, "max-line", 0),
                           .n_threads = (uint32_t)assay_cli_count(cli, "threads", 0)};
    assay_status st = choose_golden(s, side, NULL, err);
    assay_slice *id;

    if (st)
        return st;
    id = ASSAY_ARENA_ARRAY(arena_of(s), assay_slice, side->golden->n_docs + 1);
    if (!id)
        return fail_memory(err);
    for (uint32_t i = 0; i < side->golden->n_docs; i++)
        id[i] = side->golden->doc[i].id;
    o.doc_id = id;
    o.n_doc_ids = side->golden->n_docs;
    st = assay_run_load(path, &o, &own->run, err);
    if (!st)
        assay_cli_warn_notes(cli, &own->run->notes);
    side->run = own->run;
    return st;
}

static assay_status add_file(assay_sides *s, assay_compare_side *side,
                             struct assay_side_own *own, const char *path,
                             assay_error *err)
{
    assay_file file = {0};
    assay_status st = name_file(s, path, &side->name, err);
    bool is_bundle = false;

    /* Standard input is read once, by the reader of runs. */
    if (!st && strcmp(path, "-") != 0) {
        st = assay_file_open(&file, path, err);
        is_bundle = !st && assay_bundle_is(file.text);
    }
    if (!st)
        st = is_bundle ? add_bundle(s, side, own, path, file.text, err)
                       : add_run_file(s, side, own, path, err);
    assay_file_close(&file);
    return st;
}

/* ---- all ---- */

assay_status assay_sides_add(assay_sides *sides, const char *name, const char *caption,
                             assay_error *err)
{
    assay_compare_side *side = &sides->side[sides->n];
    struct assay_side_own *own = &sides->own[sides->n];
    assay_status st;

    side->when = "";
    side->caption = caption ? caption : "";
    if (strcmp(name, "-") == 0 || assay_file_exists(name))
        st = add_file(sides, side, own, name, err);
    else
        st = assay_fail(err, ASSAY_EUSAGE, "no file and no run '%.200s'", name);
    if (!st)
        sides->n++;
    return st;
}
