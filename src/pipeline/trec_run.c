/* SPDX-License-Identifier: Apache-2.0 */
/* The run file of a trec_eval evaluation. */
#include "base/error.h"
#include "pipeline/trec.h"

static assay_status open_lines(assay_trec_run *run, assay_error *err)
{
    return assay_trec_lines_open(run->path, run->file.text, &run->rules, &run->ids,
                                 &run->lines, err);
}

assay_status assay_trec_run_open(assay_trec_run *run, const char *path,
                                 const assay_trec_rules *rules, assay_error *err)
{
    assay_status st = assay_file_open(&run->file, path, err);

    run->path = path;
    run->rules = *rules;
    if (!st && !run->file.text.len)
        st = assay_fail_at(err, path, 0, "the file is empty");
    if (st)
        return st;
    st = assay_trec_guess_open(path, run->file.text, rules, &run->ids, &run->guess, err);
    return st == ASSAY_NO ? open_lines(run, err) : st;
}

assay_status assay_trec_run_reopen(assay_trec_run *run, assay_error *err)
{
    assay_trec_guess_close(run->guess);
    run->guess = NULL;
    assay_dict_clear(&run->ids);
    return open_lines(run, err);
}

assay_slice assay_trec_run_tag(const assay_trec_run *run)
{
    return run->guess ? assay_trec_guess_tag(run->guess)
                      : assay_trec_lines_tag(run->lines);
}

void assay_trec_run_clear(assay_trec_run *run)
{
    assay_trec_guess_close(run->guess);
    assay_trec_lines_close(run->lines);
    assay_dict_clear(&run->ids);
    assay_file_close(&run->file);
    *run = (assay_trec_run){0};
}
