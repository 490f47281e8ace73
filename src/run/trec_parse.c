/* SPDX-License-Identifier: Apache-2.0 */
#include "run/trec_parse.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/slice.h"

bool assay_trec_split_line(const char *at, const char *end, assay_trec_split *out)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    int n = 0;

    if (!stop)
        stop = end;
    out->next = stop + 1;
    while (n < ASSAY_TREC_FIELDS) {
        while (at < stop && assay_scan_is_space(*at))
            at++;
        if (at == stop)
            return false;
        out->start[n] = at;
        while (at < stop && !assay_scan_is_space(*at))
            at++;
        out->end[n++] = at;
    }
    return true;
}

bool assay_trec_want_slow(const char *at, const char *end, assay_trec_want *out)
{
    assay_trec_split f;

    if (!assay_trec_split_line(at, end, &f))
        return false;
    *out = (assay_trec_want){f.start[2], f.end[2], f.start[4], f.end[4], f.next};
    return true;
}

assay_status assay_trec_score_slow(const assay_trec_text *text, const assay_trec_want *w,
                                   double *score, assay_error *err)
{
    assay_slice given = {w->score, (size_t)(w->score_end - w->score)};
    const char *stop;

    *score = 0;
    stop = assay_number_scan(w->score, w->score_end, text->is_lenient, score);
    if (text->is_lenient || (stop == w->score_end && isfinite(*score)))
        return ASSAY_OK;
    return assay_fail_at(err, text->path, assay_lines_number(text->text, w->score),
                         "score '%.*s' is not a finite number", ASSAY_QUOTE(given));
}

assay_status assay_trec_fail_fields(const assay_trec_text *text, const char *at,
                                    assay_error *err)
{
    const char *end = text->text.ptr + text->text.len;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    assay_slice line = {at, (size_t)((stop ? stop : end) - at)};

    line = assay_slice_trim(line);
    return assay_fail_at(err, text->path, assay_lines_number(text->text, at),
                         "want query, Q0, document, rank, score, tag, not '%.*s'",
                         ASSAY_QUOTE(line));
}
