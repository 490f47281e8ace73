/* SPDX-License-Identifier: Apache-2.0 */
#include "report/resolution_report.h"

#include <inttypes.h>

#include "base/slice.h"
#include "report/grid.h"

static const assay_query *query_of(const assay_golden *golden, const assay_resolved *item)
{
    return &golden->query[item->query];
}

/* ---- for people ---- */

static void put_where(const assay_resolved *item, assay_grid *grid)
{
    const assay_traced *t = &item->traced;

    if (t->first_line && t->last_line > t->first_line)
        assay_grid_printf(grid, "%.*s:%" PRIu64 "-%" PRIu64, ASSAY_QUOTE(t->doc),
                          t->first_line, t->last_line);
    else if (t->first_line)
        assay_grid_printf(grid, "%.*s:%" PRIu64, ASSAY_QUOTE(t->doc), t->first_line);
    else
        assay_grid_printf(grid, "%.*s", ASSAY_QUOTE(t->doc));
}

/* What is worth saying beside the finding. */
static void put_note(const assay_golden *golden, const assay_resolved *item,
                     assay_grid *grid)
{
    const assay_traced *t = &item->traced;
    const char *draft = query_of(golden, item)->is_draft ? "draft; " : "";

    if (t->reason)
        assay_grid_printf(grid, "%s%s", draft, t->reason);
    else if (t->rung > ASSAY_RUNG_EXACT)
        assay_grid_printf(grid, "%s%s", draft, assay_rung_name(t->rung));
    else
        assay_grid_printf(grid, "%s", draft);
}

static void put_rows(const assay_resolution *r, const assay_golden *golden, bool is_all,
                     assay_grid *grid)
{
    static const char *const head[] = {"line",  "query", "evidence",
                                       "state", "where", "note"};

    for (size_t i = 0; i < ASSAY_COUNT(head); i++)
        assay_grid_text(grid, head[i]);
    grid->is_right[0] = true;
    for (uint32_t i = 0; i < r->n; i++) {
        const assay_resolved *item = &r->item[i];
        const assay_query *q = query_of(golden, item);
        uint32_t line = q->judgment[item->judgment].line;

        if (!is_all && item->traced.finding == ASSAY_FOUND_RESOLVED)
            continue;
        if (line)
            assay_grid_printf(grid, "%u", line);
        else
            assay_grid_text(grid, "-");
        assay_grid_printf(grid, "%.*s", ASSAY_QUOTE(q->id));
        assay_grid_text(grid, item->what);
        assay_grid_text(grid, assay_finding_name(item->traced.finding));
        put_where(item, grid);
        put_note(golden, item, grid);
    }
}

void assay_resolution_table(const assay_resolution *r, const assay_golden *golden,
                            const char *corpus, bool is_all, assay_buffer *out)
{
    assay_grid grid = {.n_columns = 6};

    assay_buffer_printf(out, "corpus          %s\n", corpus);
    for (size_t i = 0; i < ASSAY_N_FINDINGS; i++)
        assay_buffer_printf(out, "  %-14s%u\n", assay_finding_name((assay_finding)i),
                            r->count[i]);
    if (r->n_draft_stale)
        assay_buffer_printf(out, "  stale drafts  %u\n", r->n_draft_stale);
    if (r->n_stale_queries)
        assay_buffer_printf(out, "  nothing left  %u %s\n", r->n_stale_queries,
                            r->n_stale_queries == 1 ? "query" : "queries");
    put_rows(r, golden, is_all, &grid);
    if (grid.n > grid.n_columns) {
        assay_buffer_char(out, '\n');
        assay_grid_print(&grid, out);
        assay_buffer_char(out, '\n');
    }
    out->has_failed = out->has_failed || grid.has_failed;
    assay_grid_clear(&grid);
}

/* ---- for programs ---- */

static void put_spans(assay_json_writer *w, const assay_traced *t)
{
    assay_json_key(w, "spans");
    assay_json_flat_list(w);
    for (uint32_t i = 0; i < t->n_spans; i++) {
        assay_json_flat_list(w);
        assay_json_int(w, (int64_t)t->span[i].start);
        assay_json_int(w, (int64_t)t->span[i].end);
        assay_json_list_end(w);
    }
    assay_json_list_end(w);
}

static void put_item(const assay_golden *golden, const assay_resolved *item,
                     assay_json_writer *w)
{
    const assay_traced *t = &item->traced;
    const assay_query *q = query_of(golden, item);

    assay_json_flat_object(w);
    assay_json_key(w, "query_id");
    assay_json_string(w, q->id);
    assay_json_put_int(w, "line", q->judgment[item->judgment].line);
    assay_json_put_text(w, "evidence", item->what);
    assay_json_put_text(w, "state", assay_finding_name(t->finding));
    assay_json_key(w, "doc");
    assay_json_string(w, t->doc);
    put_spans(w, t);
    assay_json_put_int(w, "first_line", (int64_t)t->first_line);
    assay_json_put_int(w, "last_line", (int64_t)t->last_line);
    assay_json_put_text(w, "match", t->rung ? assay_rung_name(t->rung) : NULL);
    assay_json_put_int(w, "places", t->n_places);
    assay_json_put_int(w, "distance", t->distance);
    assay_json_key(w, "draft");
    assay_json_bool(w, q->is_draft);
    assay_json_put_text(w, "reason", t->reason);
    assay_json_object_end(w);
}

void assay_resolution_json(const assay_resolution *r, const assay_golden *golden,
                           const char *corpus, assay_json_writer *w)
{
    assay_json_put_text(w, "corpus", corpus);
    assay_json_key(w, "findings");
    assay_json_flat_object(w);
    for (size_t i = 0; i < ASSAY_N_FINDINGS; i++)
        assay_json_put_int(w, assay_finding_name((assay_finding)i), r->count[i]);
    assay_json_object_end(w);
    assay_json_put_int(w, "stale_drafts", r->n_draft_stale);
    assay_json_key(w, "stale_queries");
    assay_json_list(w);
    for (uint32_t i = 0; i < golden->n_queries; i++)
        if (golden->query[i].label == ASSAY_LABEL_STALE && !golden->query[i].is_draft)
            assay_json_string(w, golden->query[i].id);
    assay_json_list_end(w);
    assay_json_key(w, "resolution");
    assay_json_list(w);
    for (uint32_t i = 0; i < r->n; i++)
        put_item(golden, &r->item[i], w);
    assay_json_list_end(w);
}
