/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs written as texts, compared. */
#ifndef COMPARING_SCENE_H
#define COMPARING_SCENE_H

#include "base/slice.h"
#include "pipeline/comparing.h"
#include "testing.h"

enum { SCENE_SIDES = 3 };

typedef struct scene {
    assay_golden *golden[SCENE_SIDES];
    assay_run *run[SCENE_SIDES];
    assay_snapshot snapshot[SCENE_SIDES];
    assay_compare_side side[SCENE_SIDES];
    uint32_t n;
    assay_comparing_settings settings;
    assay_comparison *c;
    assay_status status;
    assay_error err;
} scene;

static inline assay_golden *scene_golden(const char *text)
{
    assay_golden *g = NULL;
    assay_error err = {ASSAY_OK, ""};

    if (assay_golden_parse("golden", assay_slice_of(text), NULL, &g, &err))
        check_failed(__FILE__, __LINE__, "golden: %s", err.text);
    return g;
}

static inline assay_run *scene_run(const char *text)
{
    assay_run *r = NULL;
    assay_error err = {ASSAY_OK, ""};

    if (assay_run_parse("run.jsonl", assay_slice_of(text), NULL, &r, &err))
        check_failed(__FILE__, __LINE__, "run: %s", err.text);
    return r;
}

/* A null golden set is the one of the first side. */
static inline void scene_add(scene *s, const char *golden, const char *run)
{
    static const char *const name[SCENE_SIDES] = {"old", "new", "third"};
    uint32_t i = s->n++;

    s->golden[i] = golden ? scene_golden(golden) : NULL;
    s->run[i] = scene_run(run);
    s->side[i] = (assay_compare_side){.name = name[i],
                                      .when = "",
                                      .caption = "",
                                      .run = s->run[i],
                                      .golden = golden ? s->golden[i] : s->golden[0],
                                      .snapshot = &s->snapshot[i]};
}

static inline scene scene_of(const char *golden, const char *a, const char *b)
{
    scene s = {.status = ASSAY_OK};

    scene_add(&s, golden, a);
    scene_add(&s, NULL, b);
    return s;
}

/* Snapshots move with the scene, so they are pointed at last. */
static inline void scene_try(scene *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        s->side[i].snapshot = &s->snapshot[i];
    s->status = assay_compare_runs(s->side, s->n, &s->settings, &s->c, &s->err);
}

static inline void scene_compare(scene *s)
{
    scene_try(s);
    if (s->status)
        check_failed(__FILE__, __LINE__, "compare: %s", s->err.text);
}

static inline void scene_done(scene *s)
{
    assay_comparison_free(s->c);
    for (uint32_t i = 0; i < s->n; i++) {
        assay_run_free(s->run[i]);
        assay_golden_free(s->golden[i]);
    }
}

static inline const assay_query_change *scene_query(const scene *s, const char *id)
{
    for (uint32_t i = 0; i < s->c->core.n; i++)
        if (assay_slice_is(s->c->pair[0].query[i].id, id))
            return &s->c->pair[0].query[i];
    check_failed(__FILE__, __LINE__, "no query '%s' in the core", id);
    return NULL;
}

static inline const assay_delta *scene_delta(const scene *s, const char *name)
{
    for (uint32_t i = 0; i < s->c->n_measures; i++)
        if (strcmp(s->c->pair[0].delta[i].column->name, name) == 0)
            return &s->c->pair[0].delta[i];
    check_failed(__FILE__, __LINE__, "no measure '%s'", name);
    return NULL;
}

static inline const char *scene_why(const scene *s, const char *id)
{
    for (uint32_t i = 0; i < s->c->core.n_excluded; i++)
        if (assay_slice_is(s->c->core.excluded[i].id, id))
            return s->c->core.excluded[i].why;
    return NULL;
}

static inline bool scene_notes(const scene *s, const char *words)
{
    for (size_t i = 0; i < s->c->notes.n; i++)
        if (strstr(s->c->notes.text[i], words))
            return true;
    return false;
}

#define CHECK_QUERY(s, id, want_kind, a, b, want_note)         \
    do {                                                       \
        const assay_query_change *q_ = scene_query((s), (id)); \
        CHECK_STR(assay_kind_word(q_->kind), (want_kind));     \
        CHECK_INT(q_->rank_a, (a));                            \
        CHECK_INT(q_->rank_b, (b));                            \
        CHECK_STR(q_->note, (want_note));                      \
    } while (0)

#endif
