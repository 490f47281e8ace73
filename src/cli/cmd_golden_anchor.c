/* SPDX-License-Identifier: Apache-2.0 */
/* assay golden anchor: judgments that name chunks come to name words and places. */
#include <stdio.h>
#include <string.h>

#include "base/diff.h"
#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"
#include "cli/golden_arg.h"
#include "cli/holds.h"
#include "golden/anchor.h"
#include "golden/native.h"

static const assay_option options[] = {
    {'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL, "write the new golden set to FILE"},
    {'w', "write", ASSAY_OPTION_FLAG, NULL, NULL,
     "write it over the old one, which must be in assay's own format"},
    {'n', "dry-run", ASSAY_OPTION_FLAG, NULL, NULL, "show the change, write nothing"},
    {0, "strict", ASSAY_OPTION_FLAG, NULL, NULL,
     "fail, and write nothing, when a judgment is stale or cannot be anchored"},
    {0, "threads", ASSAY_OPTION_COUNT, "N", NULL, "default one for each core"},
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_GOLDEN,
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_workspace ws;
    const char *corpus;
    assay_golden *golden;
    bool is_native;
    bool is_json;
    assay_resolution resolution;
    assay_anchored anchored;
    assay_buffer before; /* what the diff compares with */
    assay_buffer after;
} task;

static assay_status check_options(const task *t, assay_error *err)
{
    const char *path = assay_cli_text(t->cli, "output");

    if (assay_cli_flag(t->cli, "write") && path)
        return assay_fail(err, ASSAY_EUSAGE, "--write and -o: one is enough");
    if (assay_cli_flag(t->cli, "write") && !t->is_native)
        return assay_fail(err, ASSAY_EUSAGE,
                          "'%s' is %s, which cannot hold anchors; -o FILE writes assay's "
                          "own format",
                          t->golden->path, t->golden->format->title);
    if (assay_cli_flag(t->cli, "write") && strcmp(t->golden->path, "-") == 0)
        return assay_fail(err, ASSAY_EUSAGE,
                          "standard input cannot be written over; use -o FILE");
    return ASSAY_OK;
}

/* Load, and keep the old text: of a foreign format, as it would be in assay's. */
static assay_status load(task *t, assay_error *err)
{
    const char *path = assay_cli_text(t->cli, "output");
    assay_golden_target target = {.out = &t->before};
    assay_status st = assay_golden_arg_load(
        t->cli, t->cli->n_args ? t->cli->arg[0] : NULL, true, &t->golden, err);

    if (st)
        return st;
    assay_cli_warn_notes(t->cli, &t->golden->notes);
    t->is_native = strcmp(t->golden->format->name, "assay") == 0;
    t->is_json = path && assay_slice_ends(assay_slice_of(path), ".json");
    st = check_options(t, err);
    if (st)
        return st;
    if (t->is_native) {
        assay_buffer_slice(&t->before, t->golden->file.text);
        return t->before.has_failed ? assay_fail_memory(err, "reading a golden set")
                                    : ASSAY_OK;
    }
    target.is_json = t->is_json;
    return assay_native_write(t->golden, &target, err);
}

static assay_status anchor(task *t, assay_error *err)
{
    const assay_trace_options o = {
        .n_threads = (uint32_t)assay_cli_count(t->cli, "threads", 0), .with_lines = true};
    assay_slice old = {NULL, 0};
    assay_status st = assay_workspace_open(t->cli, &t->ws, err);

    if (!st)
        st = assay_workspace_corpus(&t->ws, assay_cli_text(t->cli, "corpus"), &t->corpus,
                                    err);
    if (!st)
        st = assay_resolve(t->golden, t->corpus, &o, &t->resolution, err);
    if (!st)
        st = assay_anchor_all(t->golden, &t->resolution, t->corpus, &t->anchored, err);
    if (t->is_native)
        old = assay_buffer_view(&t->before);
    if (!st)
        st = assay_anchor_write(t->golden, &t->resolution, &t->anchored, old, t->is_json,
                                &t->after, err);
    return st;
}

/* What could not be done, by name. */
static void tell(const task *t)
{
    const uint32_t *count = t->anchored.count;
    assay_buffer line = ASSAY_BUFFER_EMPTY;

    for (uint32_t i = 0; i < t->resolution.n; i++) {
        const assay_resolved *item = &t->resolution.item[i];

        if (t->anchored.is[i] != ASSAY_ANCHOR_STALE &&
            t->anchored.is[i] != ASSAY_ANCHOR_UNFIT)
            continue;
        line.len = 0;
        assay_resolved_line(item, t->golden, &line);
        if (t->anchored.is[i] == ASSAY_ANCHOR_UNFIT)
            assay_buffer_text(&line, ", but cannot be quoted; it stays as it is");
        assay_cli_warn(t->cli, "%.*s", (int)line.len, assay_buffer_view(&line).ptr);
    }
    assay_buffer_clear(&line);
    if (!t->cli->is_quiet)
        fprintf(stderr, "assay: %s: %u anchored, %u moved, %u as they were, %u stale\n",
                t->golden->path, count[ASSAY_ANCHOR_MADE], count[ASSAY_ANCHOR_MOVED],
                count[ASSAY_ANCHOR_KEPT] + count[ASSAY_ANCHOR_UNFIT],
                count[ASSAY_ANCHOR_STALE]);
}

static assay_status show(const task *t, const char *path, assay_error *err)
{
    assay_buffer diff = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    if (!assay_diff(t->golden->path, assay_buffer_view(&t->before), path,
                    assay_buffer_view(&t->after), 3, &diff))
        st = assay_fail_memory(err, "comparing");
    if (!st && !t->cli->is_quiet)
        st = assay_cli_print(&diff, err);
    assay_buffer_clear(&diff);
    return st;
}

/* The corpus keeps what the golden sets name by chunk id: the old one, unless it was
 * written over, and the new one. */
static assay_status hold(const task *t, const char *written, assay_error *err)
{
    assay_status st = ASSAY_OK;

    if (!written || strcmp(written, t->golden->path) != 0)
        st = assay_hold_golden(&t->ws, t->golden, t->corpus, err);
    if (!st && written)
        st = assay_hold_file(&t->ws, written, t->corpus, err);
    return st;
}

static assay_status finish(const task *t, assay_error *err)
{
    const char *output = assay_cli_text(t->cli, "output");
    const char *path = output ? output : t->golden->path;
    bool writes =
        (output || assay_cli_flag(t->cli, "write")) && !assay_cli_flag(t->cli, "dry-run");
    uint32_t left =
        t->anchored.count[ASSAY_ANCHOR_STALE] + t->anchored.count[ASSAY_ANCHOR_UNFIT];
    assay_status st = show(t, path, err);

    tell(t);
    if (!st && left && assay_cli_flag(t->cli, "strict"))
        return assay_fail(err, ASSAY_NO, "%u %s not anchored, and --strict was given",
                          left, left == 1 ? "judgment is" : "judgments are");
    if (!st && writes)
        st = assay_file_save(path, assay_buffer_view(&t->after), err);
    if (!st && !assay_cli_flag(t->cli, "dry-run"))
        st = hold(t, writes ? path : NULL, err);
    return st;
}

static assay_status run_anchor(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_status st = load(&t, err);

    if (!st)
        st = anchor(&t, err);
    if (!st)
        st = finish(&t, err);
    assay_buffer_clear(&t.before);
    assay_buffer_clear(&t.after);
    assay_golden_free(t.golden);
    assay_workspace_close(&t.ws);
    return st;
}

const assay_command assay_command_golden_anchor = {
    .name = "golden anchor",
    .args = "[FILE]",
    .summary = "turn judgments of chunks into quotes with places",
    .details =
        "Each judgment that names a chunk, of today's chunking or an archived one, becomes "
        "an anchor in assay's own format: the chunk's document, its text as the quote, its "
        "bytes as the span. Places that are out of date are brought up to date. The change "
        "is shown as a diff; nothing is written without --write or -o. A file in assay's "
        "own format is edited where the judgments stand, so that comments stay; of other "
        "formats (kebab, bob) a new file is written.",
    .example = "assay golden anchor golden.yaml --corpus main\n"
               "assay golden anchor kebab.yaml --corpus main -o golden.yaml",
    .option = options,
    .max_args = 1,
    .run = run_anchor,
};
