/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_copy.h"

#include <string.h>

#include "base/compiler.h"

/* Copies slices in place, and remembers when there was no memory for one. */
typedef struct copier {
    assay_arena *arena;
    bool has_failed;
} copier;

static void copy_slice(copier *c, assay_slice *s)
{
    if (!s->len) {
        *s = (assay_slice){"", 0};
        return;
    }
    *s = assay_arena_copy(c->arena, *s);
    c->has_failed |= !s->ptr;
}

static void *copy_array(copier *c, const void *from, size_t n, size_t size)
{
    void *out = n ? assay_arena_zero(c->arena, n, size) : NULL;

    if (out)
        memcpy(out, from, n * size);
    c->has_failed |= n && !out;
    return out;
}

static void copy_hit(copier *c, assay_hit *hit)
{
    assay_leg_place *leg;

    copy_slice(c, &hit->chunk);
    copy_slice(c, &hit->doc);
    copy_slice(c, &hit->text);
    hit->span =
        copy_array(c, hit->span, hit->has_lines ? 1 : hit->n_spans, sizeof *hit->span);
    hit->leg = leg = copy_array(c, hit->leg, hit->n_legs, sizeof *hit->leg);
    for (uint32_t i = 0; leg && i < hit->n_legs; i++)
        copy_slice(c, &leg[i].name);
}

static void copy_answer(copier *c, assay_answer *a)
{
    copy_slice(c, &a->text);
    copy_slice(c, &a->refusal_reason);
    copy_slice(c, &a->model);
    a->citation = copy_array(c, a->citation, a->n_citations, sizeof *a->citation);
    for (uint32_t i = 0; a->citation && i < a->n_citations; i++) {
        assay_slice *part[] = {&a->citation[i].marker, &a->citation[i].chunk,
                               &a->citation[i].doc, &a->citation[i].path};

        for (size_t p = 0; p < ASSAY_COUNT(part); p++)
            copy_slice(c, part[p]);
    }
}

bool assay_run_copy_result(const assay_result *from, assay_arena *arena,
                           assay_result *out)
{
    copier c = {arena, false};
    assay_result copy = *from;

    copy_slice(&c, &copy.query_id);
    copy_slice(&c, &copy.query);
    copy_slice(&c, &copy.mode);
    copy_slice(&c, &copy.error);
    copy.hit = copy_array(&c, from->hit, from->n_hits, sizeof *copy.hit);
    for (uint32_t i = 0; copy.hit && i < copy.n_hits; i++)
        copy_hit(&c, &copy.hit[i]);
    copy.answer = copy_array(&c, from->answer, from->answer != NULL, sizeof *copy.answer);
    if (copy.answer)
        copy_answer(&c, copy.answer);
    *out = copy;
    return !c.has_failed;
}
