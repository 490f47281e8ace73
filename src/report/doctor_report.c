/* SPDX-License-Identifier: Apache-2.0 */
#include "report/doctor_report.h"

#include <math.h>

#include "base/json.h"
#include "base/slice.h"
#include "report/grid.h"

static const char *path_of(const assay_doctor *d)
{
    return d->golden->path ? d->golden->path : "golden set";
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
        assay_grid_printf(&grid, "%.1f", weight * d->health[i]);
        assay_grid_printf(&grid, "%u", weight);
    }
    print(&grid, out);
    out->has_failed = out->has_failed || grid.has_failed;
    assay_grid_clear(&grid);
}

static void print_symptom(const assay_doctor *d, const assay_symptom *s, bool is_first,
                          const char *bullet, assay_buffer *out)
{
    assay_buffer_printf(out, "%s%s", bullet, path_of(d));
    if (s->line)
        assay_buffer_printf(out, ":%u", s->line);
    assay_buffer_printf(out, ": %s: ", assay_ill_word(s->level));
    if (s->query.len)
        assay_buffer_printf(out, "query '%.*s': ", ASSAY_QUOTE(s->query));
    assay_buffer_printf(out, "%s [%s]\n", s->text, s->ailment->name);
    if (s->fix)
        assay_buffer_printf(out, "    fix: %s\n", s->fix);
    else if (is_first)
        assay_buffer_printf(out, "    why: %s\n    fix: %s\n", s->ailment->why,
                            s->ailment->fix);
}

/* Why and how are said once for each kind. */
static bool is_first_of(const assay_doctor *d, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (d->symptom[k].ailment == d->symptom[i].ailment)
            return false;
    return true;
}

static void print_all(const assay_doctor *d, assay_ill_level least, const char *bullet,
                      assay_buffer *out)
{
    uint32_t n_hidden = 0;

    for (size_t i = 0; i < d->n_symptoms; i++) {
        if (d->symptom[i].level < least)
            n_hidden++;
        else
            print_symptom(d, &d->symptom[i], is_first_of(d, i), bullet, out);
    }
    if (n_hidden)
        assay_buffer_printf(out, "%s%u of lower level; --show note shows all\n", bullet,
                            n_hidden);
}

static void print_counts(const assay_doctor *d, assay_buffer *out)
{
    assay_buffer_printf(
        out, "health %.0f of 100: %u errors, %u warnings, %u notes\n",
        floor(assay_doctor_score(d) + 0.5), assay_doctor_count(d, ASSAY_ILL_ERROR),
        assay_doctor_count(d, ASSAY_ILL_WARNING), assay_doctor_count(d, ASSAY_ILL_NOTE));
}

void assay_doctor_table(const assay_doctor *d, assay_ill_level least, assay_buffer *out)
{
    print_all(d, least, "", out);
    assay_buffer_text(out, d->n_symptoms ? "\n" : "");
    print_health(d, assay_grid_print, out);
    assay_buffer_char(out, '\n');
    print_counts(d, out);
}

void assay_doctor_md(const assay_doctor *d, assay_ill_level least, assay_buffer *out)
{
    assay_buffer_printf(out, "# Golden set `%s`\n\n", path_of(d));
    print_counts(d, out);
    assay_buffer_char(out, '\n');
    print_health(d, assay_grid_markdown, out);
    assay_buffer_char(out, '\n');
    print_all(d, least, "* ", out);
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
    assay_json_object_end(w);
}

void assay_doctor_json(const assay_doctor *d, assay_ill_level least, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    put_text(&w, "schema", "assay.doctor/1");
    put_text(&w, "golden", path_of(d));
    assay_json_key(&w, "health");
    assay_json_double(&w, assay_doctor_score(d));
    assay_json_key(&w, "parts");
    assay_json_object(&w);
    for (int i = 0; i < ASSAY_HEALTH_PARTS; i++) {
        assay_json_key(&w, assay_health_word((assay_health_part)i));
        assay_json_flat_object(&w);
        assay_json_key(&w, "points");
        assay_json_double(&w, assay_health_weight((assay_health_part)i) * d->health[i]);
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
        if (d->symptom[i].level >= least)
            put_symptom(&w, &d->symptom[i]);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}
