/* SPDX-License-Identifier: Apache-2.0 */
/* assay corpus stats: lengths, overlap, forms, scripts, duplicates. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "report/bar.h"

enum { FIRST_TWINS = 20 };

static const assay_option options[] = {
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static double percent(uint64_t part, uint64_t of)
{
    return of ? 100.0 * (double)part / (double)of : 0;
}

/* ---- for people ---- */

static void length_row(assay_grid *grid, const char *what, const assay_corpus_lengths *l)
{
    assay_grid_text(grid, what);
    assay_grid_count(grid, l->n);
    assay_grid_printf(grid, "%.1f", l->mean);
    for (size_t i = 0; i < ASSAY_CORPUS_QUANTILES; i++)
        assay_grid_count(grid, l->quantile[i]);
}

static void print_lengths(const assay_corpus_stats *s, const char *format,
                          assay_buffer *out)
{
    assay_grid grid = {.n_columns = 3 + ASSAY_CORPUS_QUANTILES};

    assay_grid_text(&grid, "bytes of");
    assay_grid_text(&grid, "n");
    assay_grid_text(&grid, "mean");
    for (size_t i = 0; i < ASSAY_CORPUS_QUANTILES; i++) {
        int q = assay_corpus_quantile[i];

        assay_grid_printf(&grid, q == 0 ? "min" : q == 100 ? "max" : "p%d", q);
    }
    for (uint32_t i = 1; i < grid.n_columns; i++)
        grid.is_right[i] = true;
    length_row(&grid, "a document", &s->docs);
    length_row(&grid, "a chunk", &s->chunks);
    assay_grid_write(&grid, format, out);
    assay_grid_clear(&grid);
}

static void share_rows(assay_grid *grid, const char *what, const assay_corpus_shares *s,
                       const char *unit)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < s->n; i++)
        sum += s->item[i].amount;
    for (size_t i = 0; i < s->n; i++) {
        assay_grid_text(grid, what);
        assay_grid_name(grid, s->item[i].name);
        assay_grid_count(grid, s->item[i].n_docs);
        assay_grid_printf(grid, "%llu %s", (unsigned long long)s->item[i].amount, unit);
        assay_grid_printf(grid, "%.1f %%", percent(s->item[i].amount, sum));
    }
}

static void print_shares(const assay_corpus_stats *s, const char *format,
                         assay_buffer *out)
{
    static const char *const head[] = {"what", "value", "documents", "amount", "share"};
    assay_grid grid = {.n_columns = ASSAY_COUNT(head)};

    for (size_t i = 0; i < ASSAY_COUNT(head); i++) {
        grid.is_right[i] = i > 1;
        assay_grid_text(&grid, head[i]);
    }
    share_rows(&grid, "form", &s->forms, "bytes");
    share_rows(&grid, "code", &s->langs, "bytes");
    share_rows(&grid, "script", &s->scripts, "letters");
    assay_grid_write(&grid, format, out);
    assay_grid_clear(&grid);
}

static void print_twins(const assay_corpus_stats *s, assay_buffer *out)
{
    for (size_t i = 0; i < s->n_twins && i < FIRST_TWINS; i++) {
        const assay_corpus_twins *t = &s->twins[i];

        assay_buffer_text(out, i ? "" : "\nthe same text:\n");
        for (uint32_t j = 0; j < t->n && j < 5; j++) {
            assay_buffer_text(out, j ? ", " : "  ");
            assay_bar_name(t->id[j], SIZE_MAX, out);
        }
        if (t->n > 5)
            assay_buffer_printf(out, " and %u more", t->n - 5);
        assay_buffer_char(out, '\n');
    }
    if (s->n_twins > FIRST_TWINS)
        assay_buffer_printf(out, "  ... and %zu more such groups; --json has them all\n",
                            s->n_twins - FIRST_TWINS);
}

static void print_page(const assay_corpus_head *head, const assay_corpus_stats *s,
                       const char *format, assay_buffer *out)
{
    uint64_t n_same = 0;

    for (size_t i = 0; i < s->n_twins; i++)
        n_same += s->twins[i].n - 1;
    assay_corpus_head_print(head, out);
    assay_buffer_char(out, '\n');
    print_lengths(s, format, out);
    assay_buffer_printf(
        out,
        "\nbytes in a chunk           %5.1f %%\n"
        "bytes in more than one     %5.1f %%\n"
        "chunks under a heading     %5.1f %%\n"
        "documents without text     %llu\n"
        "documents not in UTF-8     %llu\n"
        "documents that repeat one  %llu\n\n",
        percent(s->covered, s->bytes), percent(s->covered_twice, s->bytes),
        percent(s->n_headings, s->chunks.n), (unsigned long long)s->n_empty,
        (unsigned long long)s->n_broken, (unsigned long long)n_same);
    print_shares(s, format, out);
    print_twins(s, out);
}

/* ---- JSON ---- */

static void json_lengths(assay_json_writer *w, const char *key,
                         const assay_corpus_lengths *l)
{
    assay_json_key(w, key);
    assay_json_flat_object(w);
    assay_json_count(w, "n", l->n);
    assay_json_key(w, "mean");
    assay_json_double(w, l->mean);
    for (size_t i = 0; i < ASSAY_CORPUS_QUANTILES; i++) {
        static const char *const name[] = {"min", "p5",  "p25", "p50",
                                           "p75", "p95", "max"};

        assay_json_count(w, name[i], l->quantile[i]);
    }
    assay_json_object_end(w);
}

static void json_shares(assay_json_writer *w, const char *key,
                        const assay_corpus_shares *s, const char *unit)
{
    assay_json_key(w, key);
    assay_json_list(w);
    for (size_t i = 0; i < s->n; i++) {
        assay_json_flat_object(w);
        assay_json_name(w, "name", s->item[i].name);
        assay_json_count(w, "documents", s->item[i].n_docs);
        assay_json_count(w, unit, s->item[i].amount);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

static void json_twins(assay_json_writer *w, const assay_corpus_stats *s)
{
    assay_json_key(w, "duplicates");
    assay_json_list(w);
    for (size_t i = 0; i < s->n_twins; i++) {
        assay_json_flat_object(w);
        assay_json_count(w, "bytes", s->twins[i].bytes);
        assay_json_key(w, "docs");
        assay_json_list(w);
        for (uint32_t j = 0; j < s->twins[i].n; j++)
            assay_json_string(w, s->twins[i].id[j]);
        assay_json_list_end(w);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

static void print_json(const assay_corpus_head *head, const assay_corpus_stats *s,
                       assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_name(&w, "schema", ASSAY_LIT("assay.corpus-stats/1"));
    assay_corpus_head_json(head, &w);
    json_lengths(&w, "document_bytes", &s->docs);
    json_lengths(&w, "chunk_bytes", &s->chunks);
    assay_json_count(&w, "covered", s->covered);
    assay_json_count(&w, "covered_twice", s->covered_twice);
    assay_json_count(&w, "under_heading", s->n_headings);
    assay_json_count(&w, "empty", s->n_empty);
    assay_json_count(&w, "not_utf8", s->n_broken);
    json_shares(&w, "forms", &s->forms, "bytes");
    json_shares(&w, "code", &s->langs, "bytes");
    json_shares(&w, "scripts", &s->scripts, "letters");
    json_twins(&w, s);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status run_stats(assay_cli *cli, assay_error *err)
{
    const char *format = assay_cli_format(cli, "table");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_corpus_stats stats;
    assay_corpus_head head;
    assay_corpus_arg arg;
    assay_status st = assay_corpus_arg_open(cli, cli->n_args ? cli->arg[0] : NULL,
                                            ASSAY_CORPUS_READ, &arg, err);

    if (st)
        return st;
    st = assay_corpus_head_read(arg.name, arg.path, arg.corpus, &cli->arena, &head, err);
    if (!st)
        st = assay_corpus_count(arg.corpus, &cli->arena, &stats, err);
    if (!st) {
        if (strcmp(format, "json") == 0)
            print_json(&head, &stats, &out);
        else
            print_page(&head, &stats, format, &out);
        st = assay_cli_emit(cli, &out, err);
    }
    assay_buffer_clear(&out);
    assay_corpus_arg_close(&arg);
    return st;
}

const assay_command assay_command_corpus_stats = {
    .name = "corpus stats",
    .args = "[NAME]",
    .summary = "lengths of chunks, overlap, forms, scripts and duplicates of a corpus",
    .details =
        "Quantiles are by nearest rank.  Scripts are counted by letters.  Documents with\n"
        "the same text, byte for byte, are listed together.",
    .example = "  assay corpus stats\n  assay corpus stats handbook --json",
    .option = options,
    .max_args = 1,
    .run = run_stats,
};
