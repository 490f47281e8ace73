/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sides_arg.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "golden/frozen.h"
#include "pipeline/place_hits.h"
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
    const char *corpus = assay_cli_text(ws->cli, "corpus");

    *sides = (assay_sides){.ws = ws, .most = most};
    sides->side = ASSAY_ARENA_ARRAY(arena_of(sides), assay_compare_side, most);
    sides->own = ASSAY_ARENA_ARRAY(arena_of(sides), struct assay_side_own, most);
    sides->golden = ASSAY_ARENA_ARRAY(arena_of(sides), struct assay_side_golden, most);
    if (!sides->side || !sides->own || !sides->golden)
        return fail_memory(err);
    return corpus ? assay_workspace_corpus(ws, corpus, &sides->corpus, err) : ASSAY_OK;
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
    assay_store_close(sides->store);
    assay_notes_clear(&sides->notes);
}

/* ---- golden sets ---- */

/* Evidence of today's texts; what is stale is said. */
static assay_status resolve(assay_sides *s, assay_error *err)
{
    enum { MOST_NAMED = 10 };

    const assay_trace_options o = {
        .n_threads = (uint32_t)assay_cli_count(s->ws->cli, "threads", 0)};
    assay_status st = assay_resolve(s->named, s->corpus, &o, &s->resolution, err);

    if (!st && !assay_resolution_notes(&s->resolution, s->named, MOST_NAMED, &s->notes,
                                       arena_of(s)))
        st = fail_memory(err);
    return st;
}

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
        if (!st && s->corpus)
            st = resolve(s, err);
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

    *out = assay_arena_string(arena_of(s), assay_cli_stem(path));
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

/* Give hits their places; whose chunks they are tells how the documents were cut. */
static assay_status place(assay_sides *s, assay_compare_side *side,
                          struct assay_side_own *own, uint32_t n_threads,
                          assay_error *err)
{
    assay_placing placing;
    assay_status st = assay_place_hits(own->run, s->corpus, n_threads, &placing, err);

    if (st)
        return st;
    if (!assay_placing_note(&placing, side->name, &s->notes, arena_of(s)))
        return fail_memory(err);
    if (!placing.chunking.len)
        return ASSAY_OK;
    own->snapshot.chunker = assay_arena_copy(arena_of(s), placing.chunking);
    side->snapshot = &own->snapshot;
    return own->snapshot.chunker.ptr ? ASSAY_OK : fail_memory(err);
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
    return st || !s->corpus ? st : place(s, side, own, o.n_threads, err);
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

/* ---- stored runs ---- */

static assay_status open_store(assay_sides *s, const char *name, assay_error *err)
{
    const char *place;
    assay_status st;

    if (s->store)
        return ASSAY_OK;
    st = assay_store_arg_place(s->ws, &place, err);
    /* Whoever misspelt a file should hear of the file. */
    if (!st && !strstr(place, "://") && !assay_file_exists(place))
        return assay_fail(err, ASSAY_EUSAGE,
                          "no file '%.200s', and no runs are stored in '%.200s'", name,
                          place);
    return st ? st : assay_store_arg_open(s->ws, ASSAY_STORE_READ, &s->store, err);
}

/* "baseline 'main'" where the name is that of one. */
static assay_status caption_of(assay_sides *s, const char *name, assay_slice run_id,
                               assay_compare_side *side, assay_error *err)
{
    assay_stored_baseline *b;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    uint32_t n;
    assay_status st = assay_store_baselines(s->store, arena_of(s), &b, &n, err);

    for (uint32_t i = 0; !st && i < n && !text.len; i++) {
        bool is_named = assay_slice_is(b[i].name, name) || strcmp(name, "baseline") == 0;

        if (!is_named || !assay_slice_eq(b[i].run_id, run_id))
            continue;
        assay_buffer_printf(&text, "baseline '%.*s'", ASSAY_QUOTE(b[i].name));
        if (b[i].note.len)
            assay_buffer_printf(&text, " (%.*s)", ASSAY_QUOTE(b[i].note));
    }
    if (!st && text.len)
        side->caption = assay_arena_string(arena_of(s), assay_buffer_view(&text));
    if (!st && (text.has_failed || !side->caption))
        st = fail_memory(err);
    assay_buffer_clear(&text);
    return st;
}

static assay_status note_unfinished(assay_sides *s, const assay_stored *stored,
                                    assay_error *err)
{
    if (!assay_slice_is(stored->status, ASSAY_RUN_OPEN))
        return ASSAY_OK;
    return assay_notes_add(&s->notes, arena_of(s),
                           "run %s is not finished: %u of %u queries are there, and the "
                           "others count as misses; 'assay run --resume %.*s' goes on",
                           assay_side_letter(s->n), stored->n_done, stored->n_planned,
                           ASSAY_QUOTE(stored->run_id))
               ? ASSAY_OK
               : fail_memory(err);
}

/* The golden set that a stored run was made with; null = it is not in the store. */
static assay_status stored_golden(assay_sides *s, const assay_stored *stored,
                                  const assay_golden **out, assay_error *err)
{
    assay_slice text;
    assay_status st;

    *out = NULL;
    if (!stored->golden_hash.len)
        return ASSAY_OK;
    st = assay_store_get_golden(s->store, stored->golden_hash, arena_of(s), &text, err);
    return st ? st : thaw(s, "the stored golden set", text, out, err);
}

static assay_status name_stored(assay_sides *s, const assay_stored *stored,
                                assay_compare_side *side, assay_error *err)
{
    side->name = assay_arena_string(arena_of(s), stored->run_id);
    side->when = assay_arena_string(arena_of(s), stored->created_at);
    if (!side->name || !side->when)
        return fail_memory(err);
    if (is_taken(s, side->name))
        return assay_fail(err, ASSAY_EUSAGE, "run '%s' is named twice", side->name);
    return ASSAY_OK;
}

static assay_status add_stored(assay_sides *s, assay_compare_side *side,
                               struct assay_side_own *own, const char *name,
                               assay_error *err)
{
    assay_stored stored;
    const assay_golden *golden = NULL;
    assay_status st = open_store(s, name, err);

    if (!st)
        st = assay_store_find(s->store, name, arena_of(s), &stored, err);
    if (!st)
        st = name_stored(s, &stored, side, err);
    if (!st)
        st = caption_of(s, name, stored.run_id, side, err);
    if (!st)
        st = note_unfinished(s, &stored, err);
    if (!st)
        st = assay_snapshot_read(side->name, stored.snapshot, arena_of(s), &own->snapshot,
                                 err);
    if (!st)
        st = stored_golden(s, &stored, &golden, err);
    if (!st)
        st = choose_golden(s, side, golden, err);
    if (!st)
        st = assay_store_load(s->store, stored.run_id, &own->run, err);
    side->run = own->run;
    side->snapshot = &own->snapshot;
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
        st = add_stored(sides, side, own, name, err);
    if (!st)
        sides->n++;
    return st;
}
