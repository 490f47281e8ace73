/* SPDX-License-Identifier: Apache-2.0 */
/* Runs case files: small rankings and the values that metrics must give for them.
 *
 *     run_cases FILE.cases...
 *
 * A file is blocks between blank lines; `#` begins a comment.  A block sets the scene,
 * then each further line is a measure, without blanks, and an arithmetic expression:
 *
 *     ranked 3 - u 0         grades, best rank first; - not in the pool, u not judged
 *     unranked 2 0 u         in the golden set, not retrieved
 *     ranked 1,0 - -,2       the same with a grade for each subtopic, - not judged for it;
 *     unranked 1,1           ids are taken to rise in the order in which they stand here
 *     threshold 2            lowest relevant grade, else 1
 *     max_grade 4            of the whole golden set, else the block's highest
 *     collection 1000        documents in all
 *     trec 9                 that version's rounding
 *     found 1:3 4:2          level of evidence: rank:grade of the anchors covered
 *     evidence 100           bytes of evidence in all
 *     bytes 80:200 80:400    by rank, added up: bytes of evidence:bytes retrieved
 *     docs a b c             ranking by ids, for the next two
 *     pref USER GROUP a 2.5  a preference judgment
 *     judge USER a 1         a judgment of one judgment group
 *     answer TEXT            the answer; must_contain, any_of (one group), forbidden,
 *     expected TEXT          expected_answer; refusal_reason TEXT; grounded yes or no
 *     label refuse           or negative, unlabelled; else labelled
 *     chunk ID               a hit that exists; cites ID: a citation; relevant ID: judged
 *     elapsed 12.5           milliseconds; prompt 10, completion 20: tokens; price 0.1
 *     error TEXT             it failed; missing: not in the run; kebab: its conventions
 *     recall@3 3/7           expected: + - * / ( ) log2 ln exp sqrt numbers, nan
 *
 * The scene is laid out here, plainly and apart from the library's own judge, so that each
 * is a check of the other.  Values must agree to 12 digits.  Measures of a block that
 * differ only in the cutoff are also asked for together, and must not differ by a bit. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/slice.h"
#include "case_answers.h"
#include "metric/groups.h"
#include "metric/metric.h"
#include "metric/prefs.h"

enum { MOST = 4096, MOST_WANTED = 256, MOST_SUBTOPICS = 16 };

typedef struct wanted {
    assay_measure measure;
    double value;
    unsigned line;
} wanted;

typedef struct scene {
    int32_t ranked[MOST];
    uint32_t n_ranked;
    int32_t unranked[MOST];
    uint32_t n_unranked;
    int32_t subtopic[2 * MOST * MOST_SUBTOPICS]; /* a row for each id in the pool */
    uint32_t n_subtopics;
    uint32_t n_rows;
    uint32_t found_pos[MOST];
    int32_t found_grade[MOST];
    uint32_t n_found;
    bool is_evidence;
    uint64_t evidence_bytes;
    uint64_t covered[MOST];
    uint64_t retrieved[MOST];
    uint32_t n_bytes;
    int32_t threshold;
    int32_t max_grade; /* 0 = not said */
    uint64_t collection;
    bool is_trec9;
    assay_slice doc[MOST];
    uint32_t n_docs;
    assay_pref pref[MOST];
    uint32_t n_prefs;
    assay_group_judgment judgment[MOST];
    uint32_t n_judgments;
    answer_scene answer;
    wanted wanted[MOST_WANTED];
    uint32_t n_wanted;
} scene;

static const char *path;
static unsigned line_number;
static unsigned n_passed, n_failed;
static assay_arena arena; /* strings and views of the block at hand */

static _Noreturn void die(const char *format, ...) ASSAY_PRINTF(1, 2);

static _Noreturn void die(const char *format, ...)
{
    va_list args;

    printf("%s:%u: ", path, line_number);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    exit(2);
}

/* ---- expressions ---- */

static double read_sum(const char **at);

static void skip_blanks(const char **at)
{
    while (isspace((unsigned char)**at))
        (*at)++;
}

static double read_function(const char **at)
{
    static const struct {
        const char *name;
        double (*call)(double);
    } functions[] = {{"log2", log2}, {"ln", log}, {"exp", exp}, {"sqrt", sqrt}};
    const char *start = *at;
    size_t n = 0;
    double x;

    while (isalnum((unsigned char)start[n]))
        n++;
    *at += n;
    if (n == 3 && strncmp(start, "nan", 3) == 0)
        return (double)NAN;
    skip_blanks(at);
    for (size_t i = 0; i < ASSAY_COUNT(functions); i++) {
        if (strlen(functions[i].name) != n || strncmp(functions[i].name, start, n) != 0)
            continue;
        if (**at != '(')
            die("want '(' behind '%s'", functions[i].name);
        (*at)++;
        x = read_sum(at);
        if (**at != ')')
            die("want ')'");
        (*at)++;
        return functions[i].call(x);
    }
    die("no function called '%.*s'", (int)n, start);
}

static double read_factor(const char **at)
{
    double x;
    char *end;

    skip_blanks(at);
    if (**at == '-') {
        (*at)++;
        return -read_factor(at);
    }
    if (**at == '(') {
        (*at)++;
        x = read_sum(at);
        if (**at != ')')
            die("want ')'");
        (*at)++;
        return x;
    }
    if (isalpha((unsigned char)**at))
        return read_function(at);
    if (!isdigit((unsigned char)**at))
        die("want a number at '%s'", *at);
    x = strtod(*at, &end);
    *at = end;
    return x;
}

static double read_product(const char **at)
{
    double x = read_factor(at);

    for (skip_blanks(at); **at == '*' || **at == '/'; skip_blanks(at)) {
        char op = *(*at)++;
        double y = read_factor(at);

        x = op == '*' ? x * y : x / y;
    }
    return x;
}

static double read_sum(const char **at)
{
    double x = read_product(at);

    for (skip_blanks(at); **at == '+' || **at == '-'; skip_blanks(at)) {
        char op = *(*at)++;
        double y = read_product(at);

        x = op == '+' ? x + y : x - y;
    }
    return x;
}

static double read_expression(const char *text)
{
    double x = read_sum(&text);

    if (*text)
        die("what is '%s'?", text);
    return x;
}

/* ---- reading a block ---- */

/* The next word of *rest, empty at the end. */
static assay_slice next_word(char **rest)
{
    char *start;

    while (isspace((unsigned char)**rest))
        (*rest)++;
    start = *rest;
    while (**rest && !isspace((unsigned char)**rest))
        (*rest)++;
    return (assay_slice){start, (size_t)(*rest - start)};
}

static assay_slice want_word(char **rest)
{
    assay_slice word = next_word(rest);

    if (!word.len)
        die("the line is too short");
    word = assay_arena_copy(&arena, word);
    if (!word.ptr)
        die("no memory");
    return word;
}

static double want_number(char **rest)
{
    assay_slice word = want_word(rest);
    char *end;
    double x = strtod(word.ptr, &end);

    if (*end)
        die("'%s' is not a number", word.ptr);
    return x;
}

static int32_t want_whole(char **rest)
{
    double x = want_number(rest);

    if (x != floor(x) || fabs(x) > 1e9)
        die("want a whole number");
    return (int32_t)x;
}

static int32_t read_grade(assay_slice word)
{
    int32_t grade;

    if (assay_slice_is(word, "-"))
        return ASSAY_UNPOOLED;
    if (assay_slice_is(word, "u"))
        return ASSAY_POOLED;
    if (!assay_slice_to_i32(word, &grade) || grade < 0)
        die("'%.*s' is not a grade", ASSAY_QUOTE(word));
    return grade;
}

/* One word: a grade, or the grades of one id by subtopic, of which the highest counts. */
static int32_t read_grades_of_one(scene *s, assay_slice word)
{
    int32_t *row = &s->subtopic[s->n_rows * MOST_SUBTOPICS];
    int32_t highest = ASSAY_UNPOOLED;
    assay_slice part;
    uint32_t n = 0;

    if (!memchr(word.ptr, ',', word.len))
        return read_grade(word);
    while (assay_slice_part(&word, ',', &part)) {
        if (n == MOST_SUBTOPICS)
            die("too many subtopics");
        row[n] = read_grade(part);
        highest = row[n] > highest ? row[n] : highest;
        n++;
    }
    if (s->n_subtopics && n != s->n_subtopics)
        die("now %u subtopics, before %u", (unsigned)n, (unsigned)s->n_subtopics);
    s->n_subtopics = n;
    s->n_rows++;
    return highest;
}

static void read_grades(scene *s, char **rest, int32_t *grade, uint32_t *n)
{
    assay_slice word;

    for (word = next_word(rest); word.len; word = next_word(rest)) {
        if (*n == MOST)
            die("too many grades");
        grade[*n] = read_grades_of_one(s, word);
        if (s->n_subtopics && grade[*n] != ASSAY_UNPOOLED &&
            !memchr(word.ptr, ',', word.len))
            die("want a grade for each subtopic");
        (*n)++;
    }
}

static void read_ranked(scene *s, char **rest)
{
    read_grades(s, rest, s->ranked, &s->n_ranked);
}

static void read_unranked(scene *s, char **rest)
{
    if (!s->n_ranked && s->n_subtopics)
        die("'ranked' goes before 'unranked'");
    read_grades(s, rest, s->unranked, &s->n_unranked);
    for (uint32_t i = 0; i < s->n_unranked; i++)
        if (s->unranked[i] == ASSAY_UNPOOLED)
            die("what is not retrieved and not in the pool is nothing");
}

static void read_threshold(scene *s, char **rest)
{
    s->threshold = want_whole(rest);
}

static void read_max_grade(scene *s, char **rest)
{
    s->max_grade = want_whole(rest);
}

static void read_collection(scene *s, char **rest)
{
    s->collection = (uint64_t)want_whole(rest);
}

static void read_trec(scene *s, char **rest)
{
    int32_t version = want_whole(rest);

    if (version != 9 && version != 10)
        die("there is no trec_eval %d here", (int)version);
    s->is_trec9 = version == 9;
}

static void read_found(scene *s, char **rest)
{
    assay_slice word;

    s->is_evidence = true;
    for (word = next_word(rest); word.len; word = next_word(rest)) {
        assay_slice rank, grade = word;
        uint32_t number;

        if (s->n_found == MOST || !assay_slice_part(&grade, ':', &rank) ||
            !assay_slice_to_u32(rank, &number) || number == 0 ||
            !assay_slice_to_i32(grade, &s->found_grade[s->n_found]))
            die("want rank:grade, not '%.*s'", ASSAY_QUOTE(word));
        s->found_pos[s->n_found++] = number - 1;
    }
}

static void read_evidence(scene *s, char **rest)
{
    s->is_evidence = true;
    s->evidence_bytes = (uint64_t)want_whole(rest);
}

static void read_bytes(scene *s, char **rest)
{
    assay_slice word;

    for (word = next_word(rest); word.len; word = next_word(rest)) {
        assay_slice covered, retrieved = word;
        uint32_t part, whole;

        if (s->n_bytes == MOST || !assay_slice_part(&retrieved, ':', &covered) ||
            !assay_slice_to_u32(covered, &part) || !assay_slice_to_u32(retrieved, &whole))
            die("want covered:retrieved, not '%.*s'", ASSAY_QUOTE(word));
        s->covered[s->n_bytes] = part;
        s->retrieved[s->n_bytes++] = whole;
    }
}

static void read_docs(scene *s, char **rest)
{
    while (isspace((unsigned char)**rest))
        (*rest)++;
    while (**rest) {
        if (s->n_docs == MOST)
            die("too many documents");
        s->doc[s->n_docs++] = want_word(rest);
        while (isspace((unsigned char)**rest))
            (*rest)++;
    }
}

static void read_pref(scene *s, char **rest)
{
    assay_pref *p = &s->pref[s->n_prefs++];

    if (s->n_prefs == MOST)
        die("too many preferences");
    p->group = want_word(rest);
    p->subgroup = want_word(rest);
    p->doc = want_word(rest);
    p->level = want_number(rest);
}

static void read_judge(scene *s, char **rest)
{
    assay_group_judgment *j = &s->judgment[s->n_judgments++];

    if (s->n_judgments == MOST)
        die("too many judgments");
    j->group = want_word(rest);
    j->doc = want_word(rest);
    j->grade = want_whole(rest);
}

static void read_wanted(scene *s, assay_slice spelling, const char *expression)
{
    assay_measures found = {0};
    assay_error err;

    if (s->n_wanted == MOST_WANTED)
        die("too many measures in one block");
    if (assay_measure_parse(spelling, &found, &arena, &err))
        die("%s", err.text);
    if (found.n != 1)
        die("'%.*s' is not one measure", ASSAY_QUOTE(spelling));
    s->wanted[s->n_wanted++] =
        (wanted){found.item[0], read_expression(expression), line_number};
    assay_measures_clear(&found);
}

static void read_line(scene *s, char *line)
{
    static const struct {
        const char *word;
        void (*read)(scene *s, char **rest);
    } words[] = {
        {"ranked", read_ranked},
        {"unranked", read_unranked},
        {"threshold", read_threshold},
        {"max_grade", read_max_grade},
        {"collection", read_collection},
        {"trec", read_trec},
        {"found", read_found},
        {"evidence", read_evidence},
        {"bytes", read_bytes},
        {"docs", read_docs},
        {"pref", read_pref},
        {"judge", read_judge},
    };
    char *rest = line;
    assay_slice word = next_word(&rest);
    assay_slice behind = assay_arena_copy(&arena, assay_slice_of(rest));

    if (!behind.ptr)
        die("no memory");
    if (answer_line(&s->answer, word, behind))
        return;
    for (size_t i = 0; i < ASSAY_COUNT(words); i++) {
        if (!assay_slice_is(word, words[i].word))
            continue;
        if (s->n_wanted)
            die("'%s' must stand before the measures", words[i].word);
        words[i].read(s, &rest);
        if (next_word(&rest).len)
            die("the line goes on behind its end");
        return;
    }
    read_wanted(s, word, rest);
}

/* ---- laying the scene out ---- */

/* Arrays of one view, as the library's own judge would make them. */
typedef struct layout {
    int32_t grade[MOST];
    uint32_t rel_pos[MOST];
    uint32_t pool_pos[MOST];
    int32_t found_grade[MOST];
    int32_t ideal[2 * MOST];
    double log2_rank[2 * MOST];
    double scratch[5 * MOST + 2];
    assay_answered answered;
    uint32_t judged[MOST];
    int32_t subtopic[2 * MOST * MOST_SUBTOPICS];
    assay_subtopics subtopics;
} layout;

static int by_grade_falling(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;

    return (x < y) - (x > y);
}

static void add_ideal(layout *l, assay_judged *q, int32_t grade)
{
    if (grade == ASSAY_UNPOOLED)
        return;
    if (grade == ASSAY_POOLED) {
        q->n_pooled++;
        return;
    }
    l->ideal[q->n_ideal++] = grade;
    if (grade >= q->threshold)
        q->n_relevant++;
    else
        q->n_nonrel++;
    if (grade > q->max_grade)
        q->max_grade = grade;
}

static void lay_ranking(const scene *s, bool judged_only, layout *l, assay_judged *q)
{
    for (uint32_t i = 0; i < s->n_ranked; i++)
        if (s->ranked[i] >= 0 || !judged_only)
            l->grade[q->n_ranked++] = s->ranked[i];
    for (uint32_t i = 0; i < q->n_ranked; i++) {
        if (l->grade[i] >= ASSAY_POOLED)
            l->pool_pos[q->n_pool_pos++] = i;
        if (l->grade[i] < 0 || l->grade[i] < q->threshold)
            continue;
        l->found_grade[q->n_rel_pos] = l->grade[i];
        l->rel_pos[q->n_rel_pos++] = i;
    }
    q->grade = l->grade;
    q->pool_pos = l->pool_pos;
    q->rel_pos = l->rel_pos;
    q->found_pos = s->is_evidence ? s->found_pos : l->rel_pos;
    q->cover_pos = q->found_pos;
    q->found_grade = s->is_evidence ? s->found_grade : l->found_grade;
    q->n_found = s->is_evidence ? s->n_found : q->n_rel_pos;
}

/* Grades by subtopic, and the row of each position. */
static void lay_subtopics(const scene *s, bool judged_only, layout *l, assay_judged *q)
{
    uint32_t row = 0;
    uint32_t pos = 0;

    if (!s->n_subtopics)
        return;
    for (uint32_t i = 0; i < s->n_rows; i++)
        memcpy(&l->subtopic[i * s->n_subtopics], &s->subtopic[i * MOST_SUBTOPICS],
               s->n_subtopics * sizeof(int32_t));
    for (uint32_t i = 0; i < s->n_ranked; i++) {
        if (s->ranked[i] >= 0 || !judged_only)
            l->judged[pos++] = s->ranked[i] == ASSAY_UNPOOLED ? ASSAY_NONE : row;
        row += s->ranked[i] != ASSAY_UNPOOLED;
    }
    l->subtopics = (assay_subtopics){s->n_subtopics, s->n_rows, l->subtopic};
    q->subtopics = &l->subtopics;
    q->judged = l->judged;
}

/* What `measure` sees of the scene. */
static void lay_out(const scene *s, const assay_measure *m, layout *l, assay_judged *q)
{
    const assay_groups_options options = {m->has_rel ? m->rel : s->threshold,
                                          m->judged_only};
    assay_error err;

    memset(q, 0, sizeof *q);
    q->threshold = options.threshold;
    q->max_grade = 1;
    q->n_collection = s->collection;
    q->is_trec9 = s->is_trec9;
    q->is_evidence = s->is_evidence;
    q->evidence_bytes = s->evidence_bytes;
    q->evidence_covered = s->covered;
    q->bytes_retrieved = s->retrieved;
    lay_ranking(s, m->judged_only, l, q);
    lay_subtopics(s, m->judged_only, l, q);

    for (uint32_t i = 0; s->is_evidence && i < s->n_found; i++)
        add_ideal(l, q, s->found_grade[i]);
    for (uint32_t i = 0; !s->is_evidence && i < s->n_ranked; i++)
        add_ideal(l, q, s->ranked[i]);
    for (uint32_t i = 0; i < s->n_unranked; i++)
        add_ideal(l, q, s->unranked[i]);
    qsort(l->ideal, q->n_ideal, sizeof l->ideal[0], by_grade_falling);
    q->ideal = l->ideal;
    if (s->max_grade)
        q->max_grade = s->max_grade;
    for (uint32_t i = 0; i < 2 * MOST; i++)
        l->log2_rank[i] = log2((double)i + 2.0);
    q->log2_rank = l->log2_rank;
    q->scratch = l->scratch;

    if (assay_prefs_build(s->doc, s->n_docs, s->pref, s->n_prefs, &arena, &q->prefs,
                          &err))
        die("%s", err.text);
    if (assay_groups_build(s->doc, s->n_docs, s->judgment, s->n_judgments, &options,
                           &arena, &q->groups, &err))
        die("%s", err.text);
    if (!s->answer.is_there)
        return;
    q->result = s->answer.is_missing ? NULL : &s->answer.result;
    q->answered = &l->answered;
    if (!answer_build(&s->answer, q->threshold, &arena, &l->answered))
        die("no memory");
}

/* ---- measuring ---- */

static bool is_close(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)) || fabs(a - b) < 1e-15;
}

/* `n` measures that differ at most in what stands behind `@`. */
static void measure(const scene *s, const assay_measure *const *m, size_t n, double *out)
{
    static layout l;
    static assay_judged q;
    uint32_t k[MOST_WANTED];
    double x[MOST_WANTED];
    const assay_args args = {k, x, n, m[0]->value};

    for (size_t i = 0; i < n; i++) {
        x[i] = m[i]->at;
        k[i] = m[i]->has_at && m[i]->metric->at != ASSAY_AT_REAL ? (uint32_t)m[i]->at
                                                                 : ASSAY_NO_CUTOFF;
    }
    lay_out(s, m[0], &l, &q);
    m[0]->metric->eval(&q, &args, out);
}

static void check_value(const wanted *w, double have)
{
    if (is_close(w->value, have)) {
        n_passed++;
        return;
    }
    printf("%s:%u: %s is %.17g, want %.17g\n", path, w->line, w->measure.name, have,
           w->value);
    n_failed++;
}

static int by_at(const void *a, const void *b)
{
    double x = (*(const assay_measure *const *)a)->at;
    double y = (*(const assay_measure *const *)b)->at;

    return (x > y) - (x < y);
}

static bool differ_only_in_at(const assay_measure *a, const assay_measure *b)
{
    if (a->metric != b->metric || !a->has_at || !b->has_at || a->has_rel != b->has_rel ||
        a->rel != b->rel || a->judged_only != b->judged_only)
        return false;
    for (size_t i = 0; i < ASSAY_PARAMS_MOST; i++)
        if (a->value[i].is_set || b->value[i].is_set)
            return false;
    return true;
}

/* All cutoffs at once give what each gives alone, to the bit. */
static void check_together(const scene *s, const wanted *first)
{
    const assay_measure *m[MOST_WANTED];
    double together[MOST_WANTED];
    size_t n = 0;

    for (uint32_t i = 0; i < s->n_wanted; i++) {
        if (!differ_only_in_at(&first->measure, &s->wanted[i].measure))
            continue;
        if (n == 0 && &s->wanted[i] != first)
            return; /* done from an earlier line */
        m[n++] = &s->wanted[i].measure;
    }
    if (n < 2)
        return;
    qsort(m, n, sizeof m[0], by_at);
    measure(s, m, n, together);
    for (size_t i = 0; i < n; i++) {
        double alone;

        measure(s, &m[i], 1, &alone);
        if (memcmp(&alone, &together[i], sizeof alone) == 0)
            continue;
        printf("%s:%u: %s is %.17g alone and %.17g among others\n", path, first->line,
               m[i]->name, alone, together[i]);
        n_failed++;
    }
}

static void run_block(scene *s)
{
    if (!s->n_wanted)
        die("a block without a measure");
    for (uint32_t i = 0; i < s->n_wanted; i++) {
        const assay_measure *m = &s->wanted[i].measure;
        double have[1];

        measure(s, &m, 1, have);
        check_value(&s->wanted[i], have[0]);
        check_together(s, &s->wanted[i]);
    }
    memset(s, 0, sizeof *s);
    answer_start(&s->answer);
    s->threshold = 1;
    assay_arena_reset(&arena);
}

static void run_file(void)
{
    static scene s;
    char line[8192];
    bool is_open = false;
    FILE *file = fopen(path, "r");

    line_number = 0;
    if (!file)
        die("cannot be opened");
    memset(&s, 0, sizeof s);
    answer_start(&s.answer);
    s.threshold = 1;
    while (fgets(line, sizeof line, file)) {
        char *comment = strchr(line, '#');
        char *rest = line;

        line_number++;
        if (!strchr(line, '\n') && !feof(file))
            die("a line of more than %zu bytes", sizeof line);
        if (comment)
            *comment = '\0';
        if (next_word(&rest).len) {
            read_line(&s, line);
            is_open = true;
        } else if (is_open && !comment) {
            run_block(&s);
            is_open = false;
        }
    }
    if (is_open)
        run_block(&s);
    fclose(file);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        unsigned before = n_passed + n_failed;

        path = argv[i];
        run_file();
        if (n_passed + n_failed == before)
            die("no cases");
    }
    if (argc < 2) {
        printf("usage: run_cases FILE.cases...\n");
        return 2;
    }
    assay_arena_clear(&arena);
    printf("%u passed, %u failed\n", n_passed, n_failed);
    return n_failed > 0;
}
