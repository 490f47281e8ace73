/* SPDX-License-Identifier: Apache-2.0 */
#include "report/doctor_report.h"

#include <assert.h>
#include <math.h>

#include "base/json.h"
#include "base/slice.h"
#include "report/grid.h"

static const char *path_of(const assay_doctor *d)
{
    return d->golden->path ? d->golden->path : "golden set";
}

/* Lines are those of the file with the judgments, where the set is a folder. */
static const char *lined_path_of(const assay_doctor *d)
{
    return d->golden->judged_path ? d->golden->judged_path : path_of(d);
}

/* ---- for people ---- */

static void print_health(const assay_doctor *d,
                         void (*print)(const assay_grid *grid, assay_buffer *out),
                         assay_buffer *out)
{
    assay_grid grid = {.n_columns = 3};

    grid.is_right[1] = grid.is_right[2] = true;
    assay_grid_text(&grid, "part");
    assay_grid_text(&grid, "points");
    assay_grid_text(&grid, "of");
    for (int i = 0; i < ASSAY_HEALTH_PARTS; i++) {
        uint32_t weight = assay_health_weight((assay_health_part)i);

        assay_grid_text(&grid, assay_health_word((assay_health_part)i));
        if (d->is_examined[i])
            assay_grid_printf(&grid, "%.1f", weight * d->health[i]);
        else
            assay_grid_text(&grid, "n/a");
        assay_grid_printf(&grid, "%u", weight);
    }
    print(&grid, out);
    out->has_failed = out->has_failed || grid.has_failed;
    assay_grid_clear(&grid);
}

static void print_symptom(const assay_doctor *d, const assay_symptom *s, bool is_first,
                          const char *bullet, assay_buffer *out)
{
    if (s->line)
        assay_buffer_printf(out, "%s%s:%u", bullet, lined_path_of(d), s->line);
    else
        assay_buffer_printf(out, "%s%s", bullet, path_of(d));
    assay_buffer_printf(out, ": %s: ", assay_ill_word(s->level));
    if (s->query.len)
        assay_buffer_printf(out, "query '%.*s': ", ASSAY_QUOTE(s->query));
    assay_buffer_printf(out, "%s [%s]\n", s->text, s->ailment->name);
    if (is_first)
        assay_buffer_printf(out, "    why: %s\n", s->ailment->why);
    if (s->fix || is_first)
        assay_buffer_printf(out, "    fix: %s\n", s->fix ? s->fix : s->ailment->fix);
}

/* How many of a kind, by its place in the roster. */
static uint32_t *count_of(uint32_t *counts, const assay_ailment *ailment)
{
    size_t i = 0;

    while (assay_ailment_at(i) != ailment)
        i++;
    return &counts[i];
}

/* Why and how are said once for each kind, and of a kind no more than `most` are shown. */
static void print_all(const assay_doctor *d, const assay_doctor_view *view,
                      const char *bullet, assay_buffer *out)
{
    enum { MOST_KINDS = 64 };
    uint32_t shown[MOST_KINDS] = {0};
    uint32_t n_lower = 0;
    uint32_t n_more = 0;

    for (size_t i = 0; i < d->n_symptoms; i++) {
        const assay_symptom *s = &d->symptom[i];
        uint32_t *n = count_of(shown, s->ailment);

        assert(n < shown + MOST_KINDS);
        if (s->level < view->least)
            n_lower++;
        else if (view->most && *n == view->most)
            n_more++;
        else
            print_symptom(d, s, (*n)++ == 0, bullet, out);
    }
    if (n_more)
        assay_buffer_printf(out, "%s%u more of these kinds; --most 0 shows all\n", bullet,
                            n_more);
    if (n_lower)
        assay_buffer_printf(out, "%s%u of lower level; --show note shows all\n", bullet,
                            n_lower);
}

static void put_count(assay_buffer *out, uint32_t n, const char *word, const char *end)
{
    assay_buffer_printf(out, "%u %s%s%s", n, word, n == 1 ? "" : "s", end);
}

/* Rounded down: 100 is for those with nothing wrong. */
static void print_counts(const assay_doctor *d, assay_buffer *out)
{
    if (!isnan(d->covered))
        assay_buffer_printf(out,
                            "coverage %.0f %%: %.0f of %u documents are relevant to some "
                            "question\n",
                            100 * d->covered, d->covered * d->n_docs, d->n_docs);
    assay_buffer_printf(out, "health %.0f of 100: ", floor(assay_doctor_score(d) + 1e-9));
    put_count(out, assay_doctor_count(d, ASSAY_ILL_ERROR), "error", ", ");
    put_count(out, assay_doctor_count(d, ASSAY_ILL_WARNING), "warning", ", ");
    put_count(out, assay_doctor_count(d, ASSAY_ILL_NOTE), "note", "\n");
}

void assay_doctor_table(const assay_doctor *d, const assay_doctor_view *view,
                        assay_buffer *out)
{
    print_all(d, view, "", out);
    assay_buffer_text(out, d->n_symptoms ? "\n" : "");
    print_health(d, assay_grid_print, out);
    assay_buffer_char(out, '\n');
    print_counts(d, out);
}

void assay_doctor_md(const assay_doctor *d, const assay_doctor_view *view,
                     assay_buffer *out)
{
    assay_buffer_printf(out, "# Golden set `%s`\n\n", path_of(d));
    print_counts(d, out);
    assay_buffer_char(out, '\n');
    print_health(d, assay_grid_markdown, out);
    assay_buffer_char(out, '\n');
    print_all(d, view, "* ", out);
}

/* ---- JSON ---- */

static void put_text(assay_json_writer *w, const char *key, const char *text)
{
    assay_json_key(w, key);
    if (text)
        assay_json_text(w, text);
    else
        assay_json_null(w);
}

static void put_symptom(assay_json_writer *w, const assay_symptom *s)
{
    assay_json_object(w);
    put_text(w, "ailment", s->ailment->name);
    put_text(w, "level", assay_ill_word(s->level));
    assay_json_key(w, "query_id");
    if (s->query.len)
        assay_json_string(w, s->query);
    else
        assay_json_null(w);
    assay_json_key(w, "line");
    if (s->line)
        assay_json_int(w, s->line);
    else
        assay_json_null(w);
    put_text(w, "text", s->text);
    put_text(w, "why", s->ailment->why);
    put_text(w, "fix", s->fix ? s->fix : s->ailment->fix);
    put_text(w, "addition", s->addition);
    assay_json_object_end(w);
}

void assay_doctor_json(const assay_doctor *d, const assay_doctor_view *view,
                       assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    put_text(&w, "schema", "assay.doctor/1");
    put_text(&w, "golden", path_of(d));
    assay_json_key(&w, "queries");
    assay_json_int(&w, d->n_queries);
    assay_json_key(&w, "labelled");
    assay_json_int(&w, d->n_labelled);
    assay_json_key(&w, "runs");
    assay_json_int(&w, d->n_runs);
    assay_json_key(&w, "health");
    assay_json_double(&w, assay_doctor_score(d));
    assay_json_key(&w, "parts");
    assay_json_object(&w);
    for (int i = 0; i < ASSAY_HEALTH_PARTS; i++) {
        assay_json_key(&w, assay_health_word((assay_health_part)i));
        assay_json_flat_object(&w);
        assay_json_key(&w, "points");
        assay_json_double(&w,
                          d->is_examined[i]
                              ? assay_health_weight((assay_health_part)i) * d->health[i]
                              : (double)NAN);
        assay_json_key(&w, "of");
        assay_json_int(&w, assay_health_weight((assay_health_part)i));
        assay_json_object_end(&w);
    }
    assay_json_object_end(&w);
    assay_json_key(&w, "coverage");
    assay_json_double(&w, d->covered);
    assay_json_key(&w, "counts");
    assay_json_flat_object(&w);
    for (int level = ASSAY_ILL_ERROR; level >= ASSAY_ILL_NOTE; level--) {
        assay_json_key(&w, assay_ill_word((assay_ill_level)level));
        assay_json_int(&w, assay_doctor_count(d, (assay_ill_level)level));
    }
    assay_json_object_end(&w);
    assay_json_key(&w, "findings");
    assay_json_list(&w);
    for (size_t i = 0; i < d->n_symptoms; i++)
        if (d->symptom[i].level >= view->least)
            put_symptom(&w, &d->symptom[i]);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}
