/* SPDX-License-Identifier: Apache-2.0 */
/* Agreement with ir_measures, query by query, on tests/reference/ir_measures. */
#include "base/arena.h"
#include "base/number.h"
#include "base/slice.h"
#include "metric/judge.h"
#include "metric/metric.h"
#include "metric/subtopics.h"
#include "testing.h"

enum { MOST_ROWS = 1000, QUERY = 0, MIDDLE = 1, DOC = 2, GRADE = 3, SCORE = 4 };

/* A file of the reference, whole, in the arena. */
static assay_slice load(assay_arena *arena, const char *name)
{
    char path[1024];
    char *text;
    long size;
    FILE *f;

    snprintf(path, sizeof path, "%s/tests/reference/ir_measures/%s", TEST_SRC, name);
    f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        check_failed(__FILE__, __LINE__, "cannot read '%s'", path);
    size = ftell(f);
    rewind(f);
    text = assay_arena_alloc(arena, (size_t)size);
    CHECK(text && fread(text, 1, (size_t)size, f) == (size_t)size);
    fclose(f);
    return (assay_slice){text, (size_t)size};
}

/* Judgments of one query.  As for trec_eval, the plain ones have no subtopics. */
static void judge_query(assay_slice qrels, assay_slice query, bool is_diverse,
                        assay_arena *arena, assay_grades *out)
{
    static assay_subtopic_grade rows[MOST_ROWS];
    static assay_slice id[MOST_ROWS];
    static int32_t grade[MOST_ROWS];
    assay_slice line, field[4];
    uint32_t n = 0;

    while (assay_slice_part(&qrels, '\n', &line)) {
        if (assay_slice_fields(line, field, 4) != 4 ||
            !assay_slice_eq(field[QUERY], query))
            continue;
        CHECK(n < MOST_ROWS);
        id[n] = rows[n].id = field[DOC];
        CHECK(assay_slice_to_i32(field[GRADE], &grade[n]));
        CHECK(assay_slice_to_u32(field[MIDDLE], &rows[n].subtopic));
        rows[n].grade = grade[n];
        n++;
    }
    CHECK(is_diverse ? assay_subtopics_build(out, arena, rows, n)
                     : assay_grades_build(out, arena, id, grade, n, NULL));
}

static void rank_query(assay_slice run, assay_slice query, assay_judge *judge)
{
    assay_slice line, field[6];

    judge->n = 0;
    while (assay_slice_part(&run, '\n', &line)) {
        assay_ranked *r;

        if (assay_slice_fields(line, field, 6) != 6 ||
            !assay_slice_eq(field[QUERY], query))
            continue;
        CHECK(assay_judge_reserve(judge, judge->n + 1));
        r = &judge->ranked[judge->n++];
        *r = (assay_ranked){field[DOC].ptr, (uint32_t)field[DOC].len, judge->n, 0};
        CHECK(assay_number_read(field[SCORE], &r->score));
    }
    CHECK(assay_judge_reserve(judge, 1));
    CHECK(assay_judge_order(judge, ASSAY_ORDER_SCORE));
    judge->has_given = false;
    (void)assay_judge_duplicates(judge, true);
}

static double measure(const assay_measure *m, const assay_grades *grades,
                      assay_judge *judge, int32_t max_grade)
{
    const assay_look look = {m->rel, m->judged_only, false, max_grade};
    const uint32_t k = m->has_at ? (uint32_t)m->at : ASSAY_NO_CUTOFF;
    const assay_args args = {&k, &m->at, 1, m->value};
    assay_judged q;
    double value;

    CHECK(assay_judge_look(judge, grades, &look, &q));
    m->metric->eval(&q, &args, &value);
    return value;
}

static void check_fixture(const char *name, int32_t max_grade, unsigned want_rows)
{
    assay_arena files = ASSAY_ARENA_EMPTY;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    bool is_diverse = strcmp(name, "diverse") == 0;
    assay_slice expected, qrels, run, line;
    assay_judge judge = {0};
    char file[64];
    unsigned n = 0;

    snprintf(file, sizeof file, "%s.qrels", name);
    qrels = load(&files, file);
    snprintf(file, sizeof file, "%s.run", name);
    run = load(&files, file);
    expected = load(&files, "expected.tsv");
    while (assay_slice_part(&expected, '\n', &line)) {
        assay_measures measures = {0};
        assay_grades grades;
        assay_slice field[6];
        double want, tolerance, have;
        assay_error err;

        if (assay_slice_fields(line, field, 6) != 6 || !assay_slice_is(field[0], name))
            continue;
        CHECK(assay_number_read(field[4], &want) &&
              assay_number_read(field[5], &tolerance));
        if (assay_measure_parse(field[3], &measures, &arena, &err))
            check_failed(__FILE__, __LINE__, "%s", err.text);
        judge_query(qrels, field[1], is_diverse, &arena, &grades);
        rank_query(run, field[1], &judge);
        have = measure(&measures.item[0], &grades, &judge, max_grade);
        if (!(fabs(have - want) <= tolerance))
            check_failed(__FILE__, __LINE__,
                         "query %.*s: %.*s is %.17g, ir_measures has %.17g",
                         ASSAY_QUOTE(field[1]), ASSAY_QUOTE(field[3]), have, want);
        n++;
        assay_measures_clear(&measures);
        assay_arena_reset(&arena);
    }
    CHECK_INT(n, want_rows);
    assay_judge_clear(&judge);
    assay_arena_clear(&arena);
    assay_arena_clear(&files);
}

/* Rows of expected.tsv: grep -c ^plain. */
TEST(plain_values_are_those_of_ir_measures)
{
    check_fixture("plain", 4, 784);
}

TEST(values_by_subtopic_are_those_of_ir_measures)
{
    check_fixture("diverse", 2, 248);
}
