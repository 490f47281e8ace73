/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/doctor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "diagnose/doctor_docs.h"
#include "diagnose/doctor_roster.h"

#define X(id) extern const assay_ailment assay_ailment_##id;
ASSAY_AILMENT_ROSTER(X)
#undef X

#define X(id) &assay_ailment_##id,
static const assay_ailment *const roster[] = {ASSAY_AILMENT_ROSTER(X)};
#undef X

const assay_ailment *assay_ailment_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

const char *assay_ill_word(assay_ill_level level)
{
    static const char *const word[] = {"note", "warning", "error"};

    return word[level];
}

static const struct {
    const char *word;
    uint32_t weight;
} parts[ASSAY_HEALTH_PARTS] = {
    [ASSAY_HEALTH_LABELS] = {"labels", 30},
    [ASSAY_HEALTH_EVIDENCE] = {"evidence", 25},
    [ASSAY_HEALTH_QUESTIONS] = {"questions", 20},
    [ASSAY_HEALTH_ANSWERS] = {"answers", 10},
    [ASSAY_HEALTH_POWER] = {"power", 15},
};

const char *assay_health_word(assay_health_part part)
{
    return parts[part].word;
}

uint32_t assay_health_weight(assay_health_part part)
{
    return parts[part].weight;
}

/* ---- for checks ---- */

assay_status assay_doctor_say(assay_doctor *d, assay_ill_level level,
                              const assay_query *query, uint32_t line, const char *fix,
                              assay_error *err, const char *format, ...)
{
    assay_symptom *grown =
        assay_mem_grow(d->symptom, &d->cap_symptoms, d->n_symptoms + 1, sizeof *grown);
    assay_symptom *s;
    char text[1000];
    va_list args;

    if (!grown)
        return assay_fail_memory(err, "looking at a golden set");
    d->symptom = grown;
    s = &grown[d->n_symptoms];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    *s = (assay_symptom){.ailment = d->now,
                         .level = level,
                         .line = line    ? line
                                 : query ? query->line
                                         : 0,
                         .query = query ? query->id : ASSAY_LIT(""),
                         .number = d->n_symptoms};
    s->text = assay_arena_string(&d->arena, assay_slice_of(text));
    s->fix = fix ? assay_arena_string(&d->arena, assay_slice_of(fix)) : NULL;
    if (!s->text || (fix && !s->fix))
        return assay_fail_memory(err, "looking at a golden set");
    d->n_symptoms++;
    return ASSAY_OK;
}

void assay_doctor_share(assay_doctor *d, uint32_t touched, uint32_t all)
{
    if (!all)
        return;
    d->is_examined[d->now->part] = true;
    d->health[d->now->part] *= 1 - (double)touched / all;
}

assay_status assay_doctor_mend(assay_doctor *d, assay_slice addition, assay_error *err)
{
    assay_symptom *last = &d->symptom[d->n_symptoms - 1];

    last->addition = assay_arena_string(&d->arena, addition);
    return last->addition ? ASSAY_OK : assay_fail_memory(err, "looking at a golden set");
}

assay_status assay_doctor_text(assay_doctor *d, assay_slice doc, assay_slice *out,
                               bool *is_there, assay_error *err)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_corpus_doc found;
    assay_status st;

    *out = ASSAY_LIT("");
    if (!d->corpus) {
        const assay_passage *p = assay_doctor_passage(d->passages, doc);

        *is_there = p != NULL;
        if (p)
            *out = p->text;
        return ASSAY_OK;
    }
    st = assay_corpus_find(d->corpus, doc, &d->scratch, &found, is_there, err);
    if (st || !*is_there)
        return st;
    st = assay_corpus_text(d->corpus, found.version, &text, err);
    if (!st)
        *out = assay_arena_copy(&d->scratch, assay_buffer_view(&text));
    assay_buffer_clear(&text);
    return st || out->ptr ? st : assay_fail_memory(err, "looking at a golden set");
}

uint32_t assay_doctor_rank(const assay_golden *golden, const assay_query *query,
                           const assay_hit *hit, uint32_t n, uint32_t k)
{
    for (uint32_t i = 0; i < n && i < k; i++)
        for (uint32_t j = 0; j < query->n_judgments; j++) {
            const assay_judgment *judgment = &query->judgment[j];

            if (!assay_doctor_counts(judgment))
                continue;
            if ((judgment->chunk != ASSAY_NONE && hit[i].chunk.len &&
                 assay_slice_eq(golden->chunks.word[judgment->chunk], hit[i].chunk)) ||
                (judgment->doc != ASSAY_NONE && hit[i].doc.len &&
                 assay_slice_eq(golden->docs.word[judgment->doc], hit[i].doc)))
                return i + 1;
        }
    return 0;
}

/* ---- all ---- */

static void count(assay_doctor *d)
{
    for (uint32_t i = 0; i < d->golden->n_queries; i++) {
        const assay_query *q = &d->golden->query[i];

        d->n_queries += !q->is_draft;
        d->n_labelled += !q->is_draft && q->label == ASSAY_LABEL_LABELLED;
    }
}

/* The worst first, then by line. */
static int by_level(const void *a, const void *b)
{
    const assay_symptom *x = a;
    const assay_symptom *y = b;

    if (x->level != y->level)
        return x->level < y->level ? 1 : -1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

assay_status assay_doctor_run_all(assay_doctor *d, assay_error *err)
{
    assay_status st = ASSAY_OK;

    d->covered = (double)NAN;
    d->k = d->k ? d->k : 10;
    for (int i = 0; i < ASSAY_HEALTH_PARTS; i++)
        d->health[i] = 1;
    count(d);
    if (d->bm25)
        st = d->bm25->worker(d->bm25_state, &d->worker, err);
    if (!st)
        st = assay_doctor_read_docs(d, err);
    for (size_t i = 0; i < ASSAY_COUNT(roster) && !st; i++) {
        d->now = roster[i];
        assay_arena_reset(&d->scratch);
        st = roster[i]->look(d, err);
    }
    if (!st && d->n_symptoms)
        qsort(d->symptom, d->n_symptoms, sizeof *d->symptom, by_level);
    return st;
}

void assay_doctor_clear(assay_doctor *d)
{
    if (d->worker)
        d->bm25->worker_close(d->worker);
    assay_mem_free(d->symptom);
    assay_arena_clear(&d->arena);
    assay_arena_clear(&d->scratch);
}

double assay_doctor_score(const assay_doctor *d)
{
    double sum = 0;
    double most = 0;

    for (int i = 0; i < ASSAY_HEALTH_PARTS; i++) {
        if (!d->is_examined[i])
            continue;
        sum += parts[i].weight * d->health[i];
        most += parts[i].weight;
    }
    return most > 0 ? 100 * sum / most : 0;
}

uint32_t assay_doctor_count(const assay_doctor *d, assay_ill_level level)
{
    uint32_t n = 0;

    for (size_t i = 0; i < d->n_symptoms; i++)
        n += d->symptom[i].level == level;
    return n;
}
