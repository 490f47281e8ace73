/* SPDX-License-Identifier: Apache-2.0 */
/* assay golden stats: how many queries and judgments of each kind.
 *
 * Everything is a row of one table: what is counted, its value, queries, judgments.
 * Drafts stand in a row of their own and nowhere else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/slice.h"
#include "cli/golden_arg.h"
#include "report/grid.h"

static const assay_option options[] = {
    ASSAY_OPTIONS_GOLDEN,
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct row {
    assay_slice what;  /* "lang" */
    assay_slice value; /* "en" */
    uint32_t n_queries;
    uint32_t n_judgments;
} row;

typedef struct stats {
    const assay_golden *golden;
    assay_arena *arena;
    assay_dict seen; /* what, NUL, value -> number of the row */
    row *row;
    size_t n;
    size_t cap;
    uint32_t *per_query; /* judgments of each query that is no draft, ascending */
    uint32_t n_live;
    uint32_t n_judgments;
} stats;

/* ---- counting ---- */

static bool count(stats *s, const char *what, assay_slice name, assay_slice value,
                  uint32_t n_queries, uint32_t n_judgments)
{
    assay_buffer key = ASSAY_BUFFER_EMPTY;
    uint32_t number = 0;
    bool is_new = false;
    bool has_memory;
    row *moved;

    assay_buffer_printf(&key, "%s%.*s", what, (int)name.len, name.len ? name.ptr : "");
    has_memory = !key.has_failed;
    name = assay_buffer_view(&key);
    name = has_memory ? assay_arena_copy(s->arena, name) : name;
    assay_buffer_char(&key, '\0');
    assay_buffer_slice(&key, value);
    has_memory =
        has_memory && !key.has_failed && name.ptr &&
        assay_dict_put(&s->seen, s->arena, assay_buffer_view(&key), &number, &is_new);
    assay_buffer_clear(&key);
    moved = assay_mem_grow(s->row, &s->cap, s->n + 1, sizeof *moved);
    if (moved)
        s->row = moved;
    if (!has_memory || !moved)
        return false;
    if (is_new)
        s->row[s->n++] = (row){name, value, 0, 0};
    s->row[number].n_queries += n_queries;
    s->row[number].n_judgments += n_judgments;
    return true;
}

static bool count_facets(stats *s, const assay_query *q)
{
    const struct {
        const char *name;
        assay_slice value;
    } facet[] = {{"lang", q->lang},
                 {"difficulty", q->difficulty},
                 {"category", q->category},
                 {"group", q->group}};

    for (size_t i = 0; i < ASSAY_COUNT(facet); i++)
        if (facet[i].value.len &&
            !count(s, facet[i].name, ASSAY_LIT(""), facet[i].value, 1, q->n_judgments))
            return false;
    for (uint32_t i = 0; i < q->tags.n; i++)
        if (!count(s, "tags", ASSAY_LIT(""), q->tags.item[i], 1, q->n_judgments))
            return false;
    for (uint32_t i = 0; i < q->n_meta; i++)
        if (!count(s, "meta.", q->meta[i].key, q->meta[i].value, 1, q->n_judgments))
            return false;
    return true;
}

static bool count_grade(stats *s, int32_t grade, uint32_t n_queries, uint32_t n_judgments)
{
    char text[16];
    assay_slice copy;

    snprintf(text, sizeof text, "%d", grade);
    copy = assay_arena_copy(s->arena, assay_slice_of(text));
    return copy.ptr && count(s, "grade", ASSAY_LIT(""), copy, n_queries, n_judgments);
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/* Each grade of the query once as a query, and its judgments. */
static bool count_grades(stats *s, const assay_query *q)
{
    int32_t *grade = ASSAY_NEW_ARRAY(int32_t, q->n_judgments);
    bool has_memory = grade != NULL;
    uint32_t end;

    for (uint32_t i = 0; has_memory && i < q->n_judgments; i++)
        grade[i] = q->judgment[i].grade;
    if (has_memory)
        qsort(grade, q->n_judgments, sizeof *grade, by_number);
    for (uint32_t i = 0; has_memory && i < q->n_judgments; i = end) {
        for (end = i + 1; end < q->n_judgments && grade[end] == grade[i];)
            end++;
        has_memory = count_grade(s, grade[i], 1, end - i);
    }
    assay_mem_free(grade);
    return has_memory;
}

/* The rows in the order in which they are shown: labels, facets, then grades. */
static bool count_all(stats *s)
{
    const assay_golden *g = s->golden;
    bool has_memory = true;
    uint32_t i;

    s->per_query = ASSAY_ARENA_ARRAY(s->arena, uint32_t, g->n_queries);
    if (!s->per_query)
        return false;
    for (i = 0; has_memory && i < g->n_queries; i++) {
        const assay_query *q = &g->query[i];
        const char *label =
            q->is_draft ? "draft" : assay_label_name((assay_label)q->label);

        has_memory =
            count(s, "label", ASSAY_LIT(""), assay_slice_of(label), 1, q->n_judgments);
        if (q->is_draft)
            continue;
        s->per_query[s->n_live++] = q->n_judgments;
        s->n_judgments += q->n_judgments;
    }
    for (i = 0; has_memory && i < g->n_queries; i++)
        has_memory = g->query[i].is_draft || count_facets(s, &g->query[i]);
    for (i = 0; has_memory && i < g->n_queries; i++)
        has_memory = g->query[i].is_draft || count_grades(s, &g->query[i]);
    return has_memory;
}

static int by_count(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* "lang" comes before "meta.owner" and "grade" last; values by name, grades by number. */
static int place(assay_slice what)
{
    static const char *const order[] = {"label",    "lang",  "difficulty",
                                        "category", "group", "tags"};

    for (size_t i = 0; i < ASSAY_COUNT(order); i++)
        if (assay_slice_is(what, order[i]))
            return (int)i;
    return assay_slice_is(what, "grade") ? 100 : 50;
}

static int by_row(const void *a, const void *b)
{
    const row *x = a;
    const row *y = b;
    int32_t m = 0;
    int32_t n = 0;

    if (place(x->what) != place(y->what))
        return place(x->what) - place(y->what);
    if (assay_slice_cmp(x->what, y->what) != 0)
        return assay_slice_cmp(x->what, y->what);
    if (!assay_slice_is(x->what, "grade"))
        return assay_slice_cmp(x->value, y->value);
    (void)assay_slice_to_i32(x->value, &m);
    (void)assay_slice_to_i32(y->value, &n);
    return (m > n) - (m < n);
}

/* Half a judgment is possible between two queries in the middle. */
static double median(const stats *s)
{
    uint32_t half = s->n_live / 2;

    if (!s->n_live)
        return 0;
    if (s->n_live % 2)
        return s->per_query[half];
    return (s->per_query[half - 1] + s->per_query[half]) / 2.0;
}

/* ---- printing ---- */

static void print_head(const stats *s, assay_buffer *out)
{
    assay_buffer_printf(
        out, "%s (%s): %u queries, %u judgments; a query has %u to %u, median ",
        s->golden->path, s->golden->format->name, s->n_live, s->n_judgments,
        s->n_live ? s->per_query[0] : 0, s->n_live ? s->per_query[s->n_live - 1] : 0);
    assay_buffer_double(out, median(s));
    assay_buffer_text(out, "\n\n");
}

static void fill_grid(const stats *s, assay_grid *grid)
{
    static const char *const head[] = {"what", "value", "queries", "judgments"};

    grid->n_columns = ASSAY_COUNT(head);
    grid->is_right[2] = grid->is_right[3] = true;
    for (size_t i = 0; i < ASSAY_COUNT(head); i++)
        assay_grid_text(grid, head[i]);
    for (size_t i = 0; i < s->n; i++) {
        assay_grid_add(grid, s->row[i].what);
        assay_grid_add(grid, s->row[i].value);
        assay_grid_printf(grid, "%u", s->row[i].n_queries);
        assay_grid_printf(grid, "%u", s->row[i].n_judgments);
    }
}

static void json_head(const stats *s, assay_json_writer *w)
{
    assay_json_key(w, "schema");
    assay_json_text(w, "assay.golden-stats/1");
    assay_json_key(w, "file");
    assay_json_text(w, s->golden->path);
    assay_json_key(w, "format");
    assay_json_text(w, s->golden->format->name);
    assay_json_key(w, "queries");
    assay_json_int(w, s->n_live);
    assay_json_key(w, "judgments");
    assay_json_int(w, s->n_judgments);
    assay_json_key(w, "judgments_per_query");
    assay_json_flat_object(w);
    assay_json_key(w, "min");
    assay_json_int(w, s->n_live ? s->per_query[0] : 0);
    assay_json_key(w, "median");
    assay_json_double(w, median(s));
    assay_json_key(w, "max");
    assay_json_int(w, s->n_live ? s->per_query[s->n_live - 1] : 0);
    assay_json_object_end(w);
}

static void print_json(const stats *s, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    json_head(s, &w);
    assay_json_key(&w, "rows");
    assay_json_list(&w);
    for (size_t i = 0; i < s->n; i++) {
        assay_json_flat_object(&w);
        assay_json_key(&w, "what");
        assay_json_string(&w, s->row[i].what);
        assay_json_key(&w, "value");
        assay_json_string(&w, s->row[i].value);
        assay_json_key(&w, "queries");
        assay_json_int(&w, s->row[i].n_queries);
        assay_json_key(&w, "judgments");
        assay_json_int(&w, s->row[i].n_judgments);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static bool print_grid(const stats *s, const char *format, assay_buffer *out)
{
    assay_grid grid = {.n_columns = 0};
    bool has_memory;

    fill_grid(s, &grid);
    has_memory = !grid.has_failed;
    if (strcmp(format, "csv") == 0) {
        assay_grid_csv(&grid, out);
    } else {
        print_head(s, out);
        if (strcmp(format, "md") == 0)
            assay_grid_markdown(&grid, out);
        else
            assay_grid_print(&grid, out);
    }
    assay_grid_clear(&grid);
    return has_memory;
}

/* Sort what was counted and print it. */
static bool print(stats *s, const char *format, assay_buffer *out)
{
    qsort(s->row, s->n, sizeof *s->row, by_row);
    qsort(s->per_query, s->n_live, sizeof *s->per_query, by_count);
    if (strcmp(format, "json") != 0)
        return print_grid(s, format, out);
    print_json(s, out);
    return true;
}

static assay_status report(assay_cli *cli, const assay_golden *golden, assay_error *err)
{
    stats s = {.golden = golden, .arena = &cli->arena};
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (count_all(&s) && print(&s, assay_cli_format(cli, "table"), &out))
        st = assay_cli_emit(cli, &out, err);
    else
        st = assay_fail_memory(err, "counting a golden set");
    assay_buffer_clear(&out);
    assay_dict_clear(&s.seen);
    assay_mem_free(s.row);
    return st;
}

static assay_status run_stats(assay_cli *cli, assay_error *err)
{
    assay_golden *golden;
    assay_status st =
        assay_golden_arg_load(cli, cli->n_args ? cli->arg[0] : NULL, false, &golden, err);

    if (st)
        return st;
    assay_cli_warn_notes(cli, &golden->notes);
    st = report(cli, golden, err);
    assay_golden_free(golden);
    return st;
}

const assay_command assay_command_golden_stats = {
    .name = "golden stats",
    .args = "[FILE]",
    .summary = "count queries and judgments by label, facet and grade",
    .details =
        "Facets are lang, difficulty, category, group, tags and the keys under meta. "
        "Drafts are counted in a row of their own and nowhere else.",
    .example = "assay golden stats golden.yaml\n"
               "assay golden stats golden.yaml --format md",
    .option = options,
    .max_args = 1,
    .run = run_stats,
};
