/* SPDX-License-Identifier: Apache-2.0 */
/* assay fuse: several run files into one. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "pipeline/fuse.h"

static const assay_option options[] = {
    {0, "method", ASSAY_OPTION_TEXT, "METHOD", NULL,
     "rrf(k=60), wsum(norm=minmax), combsum, combmnz; weights=0.4:0.6 in the brackets"},
    {0, "depth", ASSAY_OPTION_COUNT, "N", NULL, "keep N hits of each query; 0 = all"},
    {0, "order", ASSAY_OPTION_CHOICE, "KEY", "auto|score|rank",
     "what orders the hits of a run; auto: for rrf the ranks it gives, else its scores"},
    {0, "to", ASSAY_OPTION_CHOICE, "FORMAT", "jsonl|trec",
     "format to write; jsonl keeps each hit's rank and score in every run"},
    {0, "jobs", ASSAY_OPTION_COUNT, "N", NULL, "threads; 0 = one a core"},
    {'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL, "write to FILE; .gz and .zst pack"},
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static assay_status read_settings(const assay_cli *cli, assay_fuse_settings *out,
                                  assay_error *err)
{
    const char *method = assay_cli_text(cli, "method");
    const char *order = assay_cli_text(cli, "order");

    *out = (assay_fuse_settings){
        .depth = (uint32_t)assay_cli_count(cli, "depth", 0),
        .order = !order || strcmp(order, "auto") == 0 ? ASSAY_FUSE_AUTO
                 : strcmp(order, "rank") == 0         ? ASSAY_FUSE_RANK
                                                      : ASSAY_FUSE_SCORE,
        .n_threads = (uint32_t)assay_cli_count(cli, "jobs", 0),
    };
    return assay_fusion_read(assay_slice_of(method ? method : "rrf"), &out->fusion, err);
}

static assay_status write_run(assay_cli *cli, const assay_run *run, assay_error *err)
{
    const char *to = assay_cli_text(cli, "to");
    const assay_run_format *format;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_notes lost = {0};
    assay_status st = assay_run_format_get(to ? to : "jsonl", &format, err);

    if (!st)
        st = format->write(run, &out, &lost, &cli->arena, err);
    for (size_t i = 0; !st && i < lost.n; i++)
        assay_cli_say(cli, "lost: %s", lost.text[i]);
    if (!st)
        st = assay_cli_emit(cli, &out, err);
    assay_notes_clear(&lost);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_fuse(assay_cli *cli, assay_error *err)
{
    assay_run *run[ASSAY_LEGS_MOST] = {NULL};
    assay_run *fused = NULL;
    assay_fuse_settings settings;
    uint32_t n = cli->n_args;
    assay_status st = read_settings(cli, &settings, err);

    for (uint32_t i = 0; i < n && !st; i++) {
        st = assay_run_load(cli->arg[i], NULL, &run[i], err);
        if (!st)
            assay_cli_warn_notes(cli, &run[i]->notes);
    }
    if (!st)
        st = assay_fuse_runs((const assay_run *const *)run, n, &settings, &fused, err);
    if (!st)
        st = write_run(cli, fused, err);
    assay_run_free(fused);
    for (uint32_t i = 0; i < n; i++)
        assay_run_free(run[i]);
    return st;
}

const assay_command assay_command_fuse = {
    .name = "fuse",
    .args = "RUN RUN...",
    .summary = "make one run out of several",
    .details =
        "Methods: rrf adds weight / (k + rank) over the runs. wsum, combsum and combmnz "
        "add normalised scores (norm=minmax, max, zscore, rank or none); combmnz "
        "multiplies by the number of runs that have the hit. Weights stand in the order of "
        "the runs: rrf(k=60,weights=0.4:0.6).\n\n"
        "rrf fuses ranks: those that the run gives, where each hit has one of its own; else "
        "they are made from the scores. Equal scores are ordered by id, bytes descending.",
    .example =
        "assay fuse bm25.run dense.run --method 'rrf(k=60)' -o fused.jsonl\n"
        "assay fuse a.jsonl b.jsonl --method 'wsum(norm=zscore,weights=2:1)' --to trec",
    .option = options,
    .min_args = 1,
    .max_args = ASSAY_LEGS_MOST,
    .run = run_fuse,
};
