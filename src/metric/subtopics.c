/* SPDX-License-Identifier: Apache-2.0 */
#include "metric/subtopics.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/slice.h"

static int by_id(const void *a, const void *b)
{
    return assay_slice_cmp(((const assay_subtopic_grade *)a)->id,
                           ((const assay_subtopic_grade *)b)->id);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The different subtopics of the judgments, ascending; returns how many. */
static uint32_t list_subtopics(const assay_subtopic_grade *judgment, uint32_t n,
                               uint32_t *number)
{
    uint32_t n_different = 0;

    for (uint32_t i = 0; i < n; i++)
        number[i] = judgment[i].subtopic;
    if (n > 1)
        qsort(number, n, sizeof *number, by_number);
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || number[i] != number[i - 1])
            number[n_different++] = number[i];
    return n_different;
}

/* Rows are in the order of judgment[], a new one for each new id. */
static void fill_rows(const assay_subtopic_grade *judgment, uint32_t n,
                      const uint32_t *number, uint32_t n_numbers, int32_t *grade)
{
    int32_t *row = grade;

    for (uint32_t i = 0; i < n; i++) {
        int32_t g = judgment[i].grade < 0 ? ASSAY_POOLED : judgment[i].grade;
        const uint32_t *at =
            bsearch(&judgment[i].subtopic, number, n_numbers, sizeof *number, by_number);

        if (i && !assay_slice_eq(judgment[i].id, judgment[i - 1].id))
            row += n_numbers;
        if (row[at - number] < g)
            row[at - number] = g;
    }
}

bool assay_subtopics_build(assay_grades *out, assay_arena *arena,
                           assay_subtopic_grade *judgment, uint32_t n)
{
    assay_slice *id = ASSAY_ARENA_ARRAY(arena, assay_slice, n);
    int32_t *highest = ASSAY_ARENA_ARRAY(arena, int32_t, n);
    uint32_t *number = ASSAY_ARENA_ARRAY(arena, uint32_t, n);
    assay_subtopics *subtopics = ASSAY_ARENA_ARRAY(arena, assay_subtopics, 1);
    assay_grades grades;
    int32_t *grade;

    if (!id || !highest || !number || !subtopics)
        return false;
    if (n > 1)
        qsort(judgment, n, sizeof *judgment, by_id);
    for (uint32_t i = 0; i < n; i++) {
        id[i] = judgment[i].id;
        highest[i] = judgment[i].grade;
    }
    /* The rows follow grades.id[], which keeps the order of what it is given. */
    if (!assay_grades_build(&grades, arena, id, highest, n, NULL))
        return false;
    subtopics->n_docs = grades.n;
    subtopics->n = list_subtopics(judgment, n, number);
    grade = ASSAY_ARENA_ARRAY(arena, int32_t, (size_t)grades.n * subtopics->n);
    if (!grade)
        return false;
    for (size_t i = 0; i < (size_t)grades.n * subtopics->n; i++)
        grade[i] = ASSAY_UNPOOLED;
    fill_rows(judgment, n, number, subtopics->n, grade);
    subtopics->grade = grade;
    grades.subtopics = subtopics;
    *out = grades;
    return true;
}
