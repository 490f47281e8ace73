/* SPDX-License-Identifier: Apache-2.0 */
/* bob's comparison, in bob's words; and for machines. */
#include <math.h>

#include "base/json.h"
#include "base/slice.h"
#include "report/bob_compare_report.h"

/* "Recall@5", "Precision@5", "MRR". */
static void put_name(const assay_bob_comparison *c, const assay_bob_line *line,
                     assay_buffer *out)
{
    static const char *const name[ASSAY_BOB_LINES] = {"Recall", "Precision", "MRR"};
    size_t i = (size_t)(line - c->line);

    assay_buffer_text(out, name[i]);
    if (i < 2 && c->k)
        assay_buffer_printf(out, "@%u", c->k);
}

void assay_bob_compare_text(const assay_bob_comparison *c, assay_buffer *out)
{
    enum { NAMED_MOST = 10 };

    for (size_t i = 0; i < ASSAY_BOB_LINES; i++) {
        const assay_bob_line *line = &c->line[i];

        assay_buffer_text(out, line->has_passed ? "✓ " : "✗ ");
        put_name(c, line, out);
        /* No minus before a zero. */
        assay_buffer_printf(out, ": %.3f → %.3f (%+.3f)\n", line->baseline, line->current,
                            fabs(line->delta) < 0.0005 ? 0.0 : line->delta);
    }
    assay_buffer_char(out, '\n');
    if (c->has_passed)
        assay_buffer_text(out, "PASSED - No significant regression detected\n");
    else
        assay_buffer_printf(out, "FAILED - Regression exceeds %g%% tolerance\n",
                            100 * c->tolerance);
    if (c->n_fallen)
        assay_buffer_printf(out, "%u %s before and %s now: ", c->n_fallen,
                            c->n_fallen == 1 ? "query passed" : "queries passed",
                            c->n_fallen == 1 ? "fails" : "fail");
    for (uint32_t i = 0; i < c->n_fallen && i < NAMED_MOST; i++)
        assay_buffer_printf(out, "%s'%.*s'", i ? ", " : "", ASSAY_QUOTE(c->fallen[i]));
    if (c->n_fallen > NAMED_MOST)
        assay_buffer_printf(out, " and %u more", c->n_fallen - NAMED_MOST);
    if (c->n_fallen)
        assay_buffer_char(out, '\n');
    for (size_t i = 0; i < c->notes.n; i++)
        assay_buffer_printf(out, "%s\n", c->notes.text[i]);
}

void assay_bob_compare_json(const assay_bob_comparison *c, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.compare.bob/1");
    assay_json_key(&w, "passed");
    assay_json_bool(&w, c->has_passed);
    assay_json_key(&w, "tolerance");
    assay_json_double(&w, c->tolerance);
    for (size_t i = 0; i < ASSAY_BOB_LINES; i++) {
        const assay_bob_line *line = &c->line[i];

        assay_json_key(&w, line->name);
        assay_json_flat_object(&w);
        assay_json_key(&w, "baseline");
        assay_json_double(&w, line->baseline);
        assay_json_key(&w, "current");
        assay_json_double(&w, line->current);
        assay_json_key(&w, "delta");
        assay_json_double(&w, line->delta);
        assay_json_key(&w, "passed");
        assay_json_bool(&w, line->has_passed);
        assay_json_object_end(&w);
    }
    assay_json_key(&w, "fails_now");
    assay_json_flat_list(&w);
    for (uint32_t i = 0; i < c->n_fallen; i++)
        assay_json_string(&w, c->fallen[i]);
    assay_json_list_end(&w);
    assay_json_key(&w, "notes");
    assay_json_list(&w);
    for (size_t i = 0; i < c->notes.n; i++)
        assay_json_text(&w, c->notes.text[i]);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}
