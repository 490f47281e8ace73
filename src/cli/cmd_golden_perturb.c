/* SPDX-License-Identifier: Apache-2.0 */
/* assay golden perturb: the questions of a set, asked a little differently. */
#include <stdio.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/golden_arg.h"
#include "golden/perturb.h"

static const assay_option options[] = {
    {0, "kinds", ASSAY_OPTION_TEXT, "LIST", NULL,
     "of case,typo,order,spacing; default all"},
    {'n', "number", ASSAY_OPTION_COUNT, "N", NULL, "variants of each kind (1)"},
    {0, "seed", ASSAY_OPTION_COUNT, "N", NULL, "of chance (0)"},
    {'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL, "write to FILE"},
    {0, "json", ASSAY_OPTION_FLAG, NULL, NULL,
     "JSON instead of YAML; -o x.json does too"},
    ASSAY_OPTIONS_GOLDEN,
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static assay_status read_kinds(const char *list, assay_perturb *out, assay_error *err)
{
    assay_slice rest = assay_slice_of(list);
    assay_slice word;

    while (assay_slice_part(&rest, ',', &word)) {
        uint32_t k = 0;

        word = assay_slice_trim(word);
        while (assay_perturb_name(k) && !assay_slice_is(word, assay_perturb_name(k)))
            k++;
        if (!assay_perturb_name(k))
            return assay_fail(err, ASSAY_EUSAGE,
                              "--kinds wants some of case,typo,order,spacing, not '%.*s'",
                              ASSAY_QUOTE(word));
        out->kind[k] = true;
    }
    return ASSAY_OK;
}

static assay_status write(assay_cli *cli, const assay_golden *golden, assay_error *err)
{
    const char *path = assay_cli_text(cli, "output");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_notes lost = {0};
    const assay_golden_target target = {
        .out = &out,
        .is_json = assay_cli_flag(cli, "json") ||
                   (path && assay_slice_ends(assay_slice_of(path), ".json")),
        .lost = &lost,
        .arena = &cli->arena,
    };
    assay_status st = assay_golden_write(
        golden, assay_golden_format_find(ASSAY_LIT("assay")), &target, err);

    if (!st)
        st = assay_cli_emit(cli, &out, err);
    assay_notes_clear(&lost);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_perturb(assay_cli *cli, assay_error *err)
{
    assay_perturb how = {.n = (uint32_t)assay_cli_count(cli, "number", 1),
                         .seed = assay_cli_count(cli, "seed", 0)};
    const char *kinds = assay_cli_text(cli, "kinds");
    assay_golden *golden = NULL;
    uint32_t n_before;
    uint32_t n_made = 0;
    assay_status st = kinds ? read_kinds(kinds, &how, err) : ASSAY_OK;

    if (!st)
        st = assay_golden_arg_load(cli, cli->n_args ? cli->arg[0] : NULL, true, &golden,
                                   err);
    if (st)
        return st;
    assay_cli_warn_notes(cli, &golden->notes);
    n_before = golden->n_queries;
    st = assay_golden_perturb(golden, &how, &n_made, err);
    if (!st)
        st = write(cli, golden, err);
    if (!st && !cli->is_quiet)
        fprintf(stderr, "assay: %u variants of %u queries\n", n_made, n_before);
    assay_golden_free(golden);
    return st;
}

const assay_command assay_command_golden_perturb = {
    .name = "golden perturb",
    .args = "[FILE]",
    .summary = "variants of each question, to measure robustness without new labels",
    .details =
        "Writes the set in assay's own format with variants behind its questions: other\n"
        "case, a slip of the fingers, words in another order, a blank lost or gained. Each\n"
        "has the judgments of its question and is in one group with it, so that\n"
        "'assay variants RUN' tells which of them get lost; the kind is a tag ('--by tag').",
    .example = "  assay golden perturb golden.yaml -o robust.yaml\n"
               "  assay golden perturb golden.yaml --kinds typo -n 3 --seed 7",
    .option = options,
    .min_args = 0,
    .max_args = 1,
    .run = run_perturb,
};
