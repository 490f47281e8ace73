/* SPDX-License-Identifier: Apache-2.0 */
/* A gate for CI: JUnit XML, which most systems show as tests, and the workflow commands of
 * GitHub Actions, which it shows beside the lines of the files. */
#include <string.h>

#include "base/slice.h"
#include "report/gate_report.h"

/* ---- JUnit ---- */

/* Control characters have no place in XML 1.0. */
static void put_xml(assay_buffer *out, assay_slice text)
{
    static const struct {
        char c;
        const char *entity;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};

    for (size_t i = 0; i < text.len; i++) {
        const char c = text.ptr[i];
        const char *entity = NULL;

        for (size_t k = 0; k < ASSAY_COUNT(entities); k++)
            if (c == entities[k].c)
                entity = entities[k].entity;
        if (entity)
            assay_buffer_text(out, entity);
        else
            assay_buffer_char(out, (unsigned char)c < ' ' && c != '\n' ? ' ' : c);
    }
}

static void put_explained(assay_buffer *out, const assay_gate_outcome *o)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    assay_gate_explain(o, &text);
    put_xml(out, assay_buffer_view(&text));
    out->has_failed = out->has_failed || text.has_failed;
    assay_buffer_clear(&text);
}

/* What a verdict that is not good is called, or null. */
static const char *element(const assay_gate_view *view, assay_gate_verdict verdict)
{
    if (verdict <= ASSAY_GATE_PASS)
        return NULL;
    if (verdict == ASSAY_GATE_INCOMPARABLE)
        return "error";
    return assay_gate_is_good(view, verdict) ? "skipped" : "failure";
}

static uint32_t count(const assay_gate_view *view, const char *name)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < view->gate->n; i++) {
        const char *e = element(view, view->gate->outcome[i].verdict);

        n += e && strcmp(e, name) == 0;
    }
    return n;
}

static void put_case(const assay_gate_view *view, const assay_gate_outcome *o,
                     assay_buffer *out)
{
    const char *name = element(view, o->verdict);

    assay_buffer_printf(out, "    <testcase classname=\"assay.gate.%s\" name=\"",
                        assay_gate_kind_word(o->rule->kind));
    put_xml(out, assay_slice_of(o->rule->text));
    assay_buffer_text(out, "\" time=\"0\"");
    if (o->rule->path) {
        assay_buffer_text(out, " file=\"");
        put_xml(out, assay_slice_of(o->rule->path));
        assay_buffer_printf(out, "\" line=\"%u\"", o->rule->line);
    }
    assay_buffer_text(out, ">\n");
    if (name) {
        assay_buffer_printf(out, "      <%s message=\"%s: ", name,
                            assay_gate_verdict_word(o->verdict));
        put_explained(out, o);
        assay_buffer_text(out, "\"/>\n");
    }
    assay_buffer_text(out, "      <system-out>");
    put_explained(out, o);
    assay_buffer_text(out, "</system-out>\n    </testcase>\n");
}

static void put_counts(const assay_gate_view *view, assay_buffer *out)
{
    assay_buffer_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\"", view->gate->n,
                        count(view, "failure"), count(view, "error"));
}

void assay_gate_write_junit(const assay_gate_view *view, assay_buffer *out)
{
    assay_buffer_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<testsuites name=\"assay\"");
    put_counts(view, out);
    assay_buffer_text(out, ">\n  <testsuite name=\"assay gate\"");
    put_counts(view, out);
    assay_buffer_printf(out, " skipped=\"%u\" time=\"0\">\n", count(view, "skipped"));
    assay_buffer_text(out, "    <properties>\n      <property name=\"verdict\" value=\"");
    assay_buffer_text(out, assay_gate_verdict_word(view->gate->verdict));
    assay_buffer_text(out, "\"/>\n      <property name=\"run\" value=\"");
    put_xml(out, assay_slice_of(view->run));
    if (view->baseline) {
        assay_buffer_text(out, "\"/>\n      <property name=\"baseline\" value=\"");
        put_xml(out, assay_slice_of(view->baseline));
    }
    assay_buffer_text(out, "\"/>\n    </properties>\n");
    for (uint32_t i = 0; i < view->gate->n; i++)
        put_case(view, &view->gate->outcome[i], out);
    assay_buffer_text(out, "  </testsuite>\n</testsuites>\n");
}

/* ---- GitHub ---- */

/* In properties, : and , are escaped as well. */
static void put_escaped(assay_buffer *out, assay_slice text, bool is_property)
{
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.ptr[i];

        if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ',')))
            assay_buffer_printf(out, "%%%02X", (unsigned)(unsigned char)c);
        else
            assay_buffer_char(out, c);
    }
}

static void begin(assay_buffer *out, const char *level, const char *path, uint32_t line)
{
    assay_buffer_printf(out, "::%s ", level);
    if (path) {
        assay_buffer_text(out, "file=");
        put_escaped(out, assay_slice_of(path), true);
        if (line)
            assay_buffer_printf(out, ",line=%u", line);
        assay_buffer_char(out, ',');
    }
    assay_buffer_text(out, "title=assay gate::");
}

static void annotate_lost(const assay_gate_view *view, assay_slice id, assay_buffer *out)
{
    const assay_gate_query *q = assay_gate_query_of(view, id);
    const uint32_t line = assay_gate_line(view, id);

    begin(out, "error", line ? view->golden->path : NULL, line);
    assay_buffer_text(out, "protected query '");
    put_escaped(out, id, false);
    assay_buffer_printf(out, "' went from rank %u to a miss\n", q ? q->before : 0);
}

static void annotate(const assay_gate_view *view, const assay_gate_outcome *o,
                     assay_buffer *out)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    if (o->verdict <= ASSAY_GATE_PASS)
        return;
    begin(out, assay_gate_is_good(view, o->verdict) ? "warning" : "error", o->rule->path,
          o->rule->line);
    assay_buffer_printf(&text, "%s: %s: ", assay_gate_verdict_word(o->verdict),
                        o->rule->text);
    assay_gate_explain(o, &text);
    put_escaped(out, assay_buffer_view(&text), false);
    assay_buffer_char(out, '\n');
    out->has_failed = out->has_failed || text.has_failed;
    assay_buffer_clear(&text);
    for (uint32_t i = 0; i < o->n_lost; i++)
        annotate_lost(view, o->lost[i], out);
}

void assay_gate_write_github(const assay_gate_view *view, assay_buffer *out)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    for (uint32_t i = 0; i < view->gate->n; i++)
        annotate(view, &view->gate->outcome[i], out);
    for (size_t i = 0; view->notes && i < view->notes->n; i++) {
        begin(out, "notice", NULL, 0);
        put_escaped(out, assay_slice_of(view->notes->text[i]), false);
        assay_buffer_char(out, '\n');
    }
    assay_gate_sentence(view, &text);
    begin(out, "notice", NULL, 0);
    put_escaped(out, assay_buffer_view(&text), false);
    assay_buffer_char(out, '\n');
    out->has_failed = out->has_failed || text.has_failed;
    assay_buffer_clear(&text);
}
