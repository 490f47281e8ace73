/* SPDX-License-Identifier: Apache-2.0 */
#include "report/variants_report.h"

#include <math.h>

#include "base/json.h"
#include "base/slice.h"
#include "report/grid.h"

/* ---- words ---- */

static const char *const answer_words[] = {"n/a", "bad", "ok"};
static const char *const group_words[] = {"n/a", "MIXED", "all-ok"};

static void put_share(assay_grid *grid, double value)
{
    if (isnan(value))
        assay_grid_text(grid, "n/a");
    else
        assay_grid_printf(grid, "%.2f", value);
}

static const char *note_of(const assay_variant *v)
{
    if (v->is_missing)
        return " (not in the run)";
    return v->is_failed ? " (failed)" : "";
}

static void fill(const assay_variants *all, const assay_variant_group *g,
                 assay_grid *grid)
{
    *grid = (assay_grid){.n_columns = 5};
    grid->is_right[1] = grid->is_right[2] = true;
    assay_grid_text(grid, "variant");
    assay_grid_printf(grid, "recall@%u", all->narrow);
    assay_grid_printf(grid, "recall@%u", all->pool);
    assay_grid_text(grid, "class");
    assay_grid_text(grid, "answer");
    for (uint32_t i = 0; i < g->n; i++) {
        const assay_variant *v = &g->variant[i];

        assay_grid_add(grid, v->query->id);
        put_share(grid, v->narrow);
        put_share(grid, v->pool);
        assay_grid_printf(grid, "%s%s", assay_variant_class_name(v->kind), note_of(v));
        assay_grid_text(grid, answer_words[v->answer]);
    }
}

/* ---- for people ---- */

static void print_head(const assay_variants *all, assay_buffer *out)
{
    assay_buffer_printf(
        out, "groups=%u fully_consistent=%u A_dominant=%u B_dominant=%u mean_spread@%u=",
        all->n, all->n_consistent, all->n_a_dominant, all->n_b_dominant, all->narrow);
    if (isnan(all->mean_spread))
        assay_buffer_text(out, "n/a");
    else
        assay_buffer_printf(out, "%.3f", all->mean_spread);
    assay_buffer_printf(out, " pool=top-%u\n", all->pool);
    if (all->is_pool_truncated)
        assay_buffer_printf(
            out,
            "\nWARNING: no hit of the run is as deep as %u: what counts as "
            "Missing may have been ranked too low\n",
            all->pool);
}

static void print_group(const assay_variants *all, const assay_variant_group *g,
                        const char *mark,
                        void (*print)(const assay_grid *grid, assay_buffer *out),
                        assay_buffer *out)
{
    assay_grid grid;

    assay_buffer_printf(out, "\n%s%.*s — spread@%u=%.2f worst=", mark,
                        ASSAY_QUOTE(g->name), all->narrow, g->spread);
    if (isnan(g->worst))
        assay_buffer_text(out, "n/a");
    else
        assay_buffer_printf(out, "%.2f", g->worst);
    assay_buffer_printf(out, " A=%u B=%u answers=%s\n\n", g->n_mis_ranked, g->n_missing,
                        group_words[g->answers]);
    fill(all, g, &grid);
    out->has_failed = out->has_failed || grid.has_failed;
    print(&grid, out);
    assay_grid_clear(&grid);
}

void assay_variants_table(const assay_variants *v, const char *run, assay_buffer *out)
{
    assay_buffer_printf(out, "variants of %s\n", run);
    print_head(v, out);
    for (uint32_t i = 0; i < v->n; i++)
        print_group(v, &v->group[i], "", assay_grid_print, out);
}

void assay_variants_markdown(const assay_variants *v, const char *run, assay_buffer *out)
{
    assay_buffer_printf(out, "# Variant consistency\n\nrun `%s`\n\n", run);
    print_head(v, out);
    for (uint32_t i = 0; i < v->n; i++)
        print_group(v, &v->group[i], "## ", assay_grid_markdown, out);
}

/* ---- JSON ---- */

static void put_flag(assay_json_writer *w, const char *key, assay_flag flag)
{
    assay_json_key(w, key);
    if (flag == ASSAY_FLAG_UNKNOWN)
        assay_json_null(w);
    else
        assay_json_bool(w, flag == ASSAY_FLAG_YES);
}

static void put_group(assay_json_writer *w, const assay_variant_group *g)
{
    assay_json_object(w);
    assay_json_key(w, "group");
    assay_json_string(w, g->name);
    assay_json_put_double(w, "recall_spread_narrow", g->spread);
    assay_json_put_double(w, "worst_recall_narrow", g->worst);
    assay_json_put_int(w, "mis_ranked", g->n_mis_ranked);
    assay_json_put_int(w, "missing", g->n_missing);
    put_flag(w, "answer_consistency", g->answers);
    assay_json_key(w, "variants");
    assay_json_list(w);
    for (uint32_t i = 0; i < g->n; i++) {
        const assay_variant *v = &g->variant[i];

        assay_json_flat_object(w);
        assay_json_key(w, "query_id");
        assay_json_string(w, v->query->id);
        assay_json_put_double(w, "recall_narrow", v->narrow);
        assay_json_put_double(w, "recall_pool", v->pool);
        assay_json_key(w, "class");
        assay_json_text(w, assay_variant_class_name(v->kind));
        put_flag(w, "answer_ok", v->answer);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
    assay_json_object_end(w);
}

void assay_variants_json(const assay_variants *v, const char *run, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.variants/1");
    assay_json_key(&w, "run");
    assay_json_text(&w, run);
    assay_json_put_int(&w, "narrow_k", v->narrow);
    assay_json_put_int(&w, "pool_k", v->pool);
    assay_json_put_int(&w, "total_groups", v->n);
    assay_json_put_int(&w, "fully_consistent_groups", v->n_consistent);
    assay_json_put_int(&w, "a_dominant_groups", v->n_a_dominant);
    assay_json_put_int(&w, "b_dominant_groups", v->n_b_dominant);
    assay_json_put_double(&w, "mean_recall_spread_narrow", v->mean_spread);
    assay_json_key(&w, "pool_possibly_truncated");
    assay_json_bool(&w, v->is_pool_truncated);
    assay_json_key(&w, "groups");
    assay_json_list(&w);
    for (uint32_t i = 0; i < v->n; i++)
        put_group(&w, &v->group[i]);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}
