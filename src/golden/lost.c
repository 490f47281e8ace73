/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/lost.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/slice.h"

/* "1 query has a language, which TREC qrels cannot hold"; without a number where there is
 * no plural. */
static const struct {
    const char *one;
    const char *many;
} words[ASSAY_N_PARTS] = {
    [ASSAY_PART_TEXT] = {"query has a text", "queries have texts"},
    [ASSAY_PART_LANG] = {"query has a language", "queries have languages"},
    [ASSAY_PART_DIFFICULTY] = {"query has a difficulty", "queries have difficulties"},
    [ASSAY_PART_CATEGORY] = {"query has a category", "queries have categories"},
    [ASSAY_PART_GROUP] = {"query has a group", "queries have groups"},
    [ASSAY_PART_NOTES] = {"query has notes", "queries have notes"},
    [ASSAY_PART_TAGS] = {"query has tags", "queries have tags"},
    [ASSAY_PART_META] = {"query has meta keys", "queries have meta keys"},
    [ASSAY_PART_ANSWER] = {"query has an expected answer",
                           "queries have expected answers"},
    [ASSAY_PART_MUST_CONTAIN] = {"query has must_contain", "queries have must_contain"},
    [ASSAY_PART_ANY_OF] = {"query has any_of", "queries have any_of"},
    [ASSAY_PART_FORBIDDEN] = {"query has forbidden strings",
                              "queries have forbidden strings"},
    [ASSAY_PART_DRAFT] = {"query is a draft", "queries are drafts"},
    [ASSAY_PART_REFUSE] = {"query should be refused", "queries should be refused"},
    [ASSAY_PART_NEGATIVE] = {"query has explicitly nothing relevant",
                             "queries have explicitly nothing relevant"},
    [ASSAY_PART_UNLABELLED] = {"query is not judged", "queries are not judged"},
    [ASSAY_PART_DOC] = {"judgment names a document and no chunk",
                        "judgments name documents and no chunks"},
    [ASSAY_PART_CHUNK] = {"judgment names a chunk and no document",
                          "judgments name chunks and no documents"},
    [ASSAY_PART_DOC_CHUNK] = {"judgment names a chunk together with its document",
                              "judgments name chunks together with their documents"},
    [ASSAY_PART_QUOTE] = {"judgment has a quote", "judgments have quotes"},
    [ASSAY_PART_PLACE] = {"judgment has a place in its document",
                          "judgments have places in their documents"},
    [ASSAY_PART_HEADING] = {"judgment names a heading", "judgments name headings"},
    [ASSAY_PART_SUBTOPIC] = {"judgment has a subtopic", "judgments have subtopics"},
    [ASSAY_PART_GRADE] = {"judgment has a grade above 1",
                          "judgments have grades above 1"},
    [ASSAY_PART_ZERO] = {"judgment says not relevant", "judgments say not relevant"},
    [ASSAY_PART_POOLED] = {"judgment says pooled but not judged",
                           "judgments say pooled but not judged"},
    [ASSAY_PART_NAME] = {"the set has a name", NULL},
    [ASSAY_PART_VERSION] = {"the set has a version", NULL},
    [ASSAY_PART_DESCRIPTION] = {"the set has a description", NULL},
    [ASSAY_PART_CONVENTIONS] = {"the set names conventions", NULL},
    [ASSAY_PART_THRESHOLDS] = {"threshold is set", "thresholds are set"},
    [ASSAY_PART_DOCUMENTS] = {"document came along", "documents came along"},
    [ASSAY_PART_SELF_HITS] = {"the set drops hits of a query's own id", NULL},
};

/* ---- counting ---- */

static void count_judgment(const assay_judgment *j, uint32_t *count)
{
    bool has_doc = j->doc != ASSAY_NONE;
    bool has_chunk = j->chunk != ASSAY_NONE;

    count[ASSAY_PART_DOC] += has_doc && !has_chunk;
    count[ASSAY_PART_CHUNK] += has_chunk && !has_doc;
    count[ASSAY_PART_DOC_CHUNK] += has_doc && has_chunk;
    count[ASSAY_PART_QUOTE] += j->quote.len > 0;
    count[ASSAY_PART_PLACE] += j->place != ASSAY_PLACE_NONE;
    count[ASSAY_PART_HEADING] += j->heading != ASSAY_NONE;
    count[ASSAY_PART_SUBTOPIC] += j->subtopic != ASSAY_NONE;
    count[ASSAY_PART_GRADE] += j->grade > 1;
    count[ASSAY_PART_ZERO] += j->grade == 0;
    count[ASSAY_PART_POOLED] += j->grade < 0;
}

static void count_query(const assay_query *q, uint32_t *count)
{
    count[ASSAY_PART_TEXT] += q->text.len > 0;
    count[ASSAY_PART_LANG] += q->lang.len > 0;
    count[ASSAY_PART_DIFFICULTY] += q->difficulty.len > 0;
    count[ASSAY_PART_CATEGORY] += q->category.len > 0;
    count[ASSAY_PART_GROUP] += q->group.len > 0;
    count[ASSAY_PART_NOTES] += q->notes.len > 0;
    count[ASSAY_PART_TAGS] += q->tags.n > 0;
    count[ASSAY_PART_META] += q->n_meta > 0;
    count[ASSAY_PART_ANSWER] += q->has_expected_answer;
    count[ASSAY_PART_MUST_CONTAIN] += q->must_contain.n > 0;
    count[ASSAY_PART_ANY_OF] += q->n_any_of > 0;
    count[ASSAY_PART_FORBIDDEN] += q->forbidden.n > 0;
    count[ASSAY_PART_DRAFT] += q->is_draft;
    count[ASSAY_PART_REFUSE] += q->label == ASSAY_LABEL_SHOULD_REFUSE;
    count[ASSAY_PART_NEGATIVE] += q->label == ASSAY_LABEL_NEGATIVE;
    count[ASSAY_PART_UNLABELLED] += q->label == ASSAY_LABEL_UNLABELLED;
    for (uint32_t i = 0; i < q->n_judgments; i++)
        count_judgment(&q->judgment[i], count);
}

void assay_golden_count(const assay_golden *golden, uint32_t count[ASSAY_N_PARTS])
{
    for (size_t i = 0; i < ASSAY_N_PARTS; i++)
        count[i] = 0;
    for (uint32_t i = 0; i < golden->n_queries; i++)
        count_query(&golden->query[i], count);
    count[ASSAY_PART_NAME] = golden->name.len > 0;
    count[ASSAY_PART_VERSION] = golden->version.len > 0;
    count[ASSAY_PART_DESCRIPTION] = golden->description.len > 0;
    count[ASSAY_PART_CONVENTIONS] = golden->conventions.len > 0;
    count[ASSAY_PART_THRESHOLDS] = golden->n_thresholds;
    count[ASSAY_PART_DOCUMENTS] = golden->n_docs;
    count[ASSAY_PART_SELF_HITS] = golden->drop_self_hits;
}

static bool say(const assay_golden_target *target, const char *title, uint32_t n,
                size_t part)
{
    if (!words[part].many)
        return assay_notes_add(target->lost, target->arena, "%s, which %s cannot hold",
                               words[part].one, title);
    return assay_notes_add(target->lost, target->arena, "%u %s, which %s cannot hold", n,
                           n == 1 ? words[part].one : words[part].many, title);
}

/* Whether the part says which documents are relevant to which query. */
static bool is_judgment(size_t part)
{
    return part >= ASSAY_PART_DRAFT && part <= ASSAY_PART_POOLED;
}

assay_status assay_golden_say_lost(const assay_golden *golden,
                                   const assay_golden_format *format,
                                   const assay_golden_target *target, assay_error *err)
{
    uint32_t count[ASSAY_N_PARTS];

    assay_golden_count(golden, count);
    if (target->has_topics)
        count[ASSAY_PART_TEXT] = 0;
    for (size_t i = 0; i < ASSAY_N_PARTS; i++) {
        if (!count[i] || (format->holds >> i & 1))
            continue;
        if (target->only_judgments && !is_judgment(i))
            continue;
        if (!say(target, format->title, count[i], i))
            return assay_fail_memory(err, "writing a golden set");
    }
    return ASSAY_OK;
}

assay_status assay_golden_write(const assay_golden *golden,
                                const assay_golden_format *format,
                                const assay_golden_target *target, assay_error *err)
{
    assay_status st = assay_golden_say_lost(golden, format, target, err);

    return st ? st : format->write(golden, target, err);
}

assay_status assay_golden_written(const assay_golden_target *target, bool has_memory,
                                  assay_error *err)
{
    if (!has_memory || (target->out && target->out->has_failed))
        return assay_fail_memory(err, "writing a golden set");
    return ASSAY_OK;
}

/* ---- documents of a query ---- */

static int by_object(const void *a, const void *b)
{
    const assay_doc_grade *x = a;
    const assay_doc_grade *y = b;

    if (x->doc != y->doc)
        return x->doc < y->doc ? -1 : 1;
    if (x->subtopic != y->subtopic)
        return x->subtopic < y->subtopic ? -1 : 1;
    return (x->pos > y->pos) - (x->pos < y->pos);
}

static int by_pos(const void *a, const void *b)
{
    const assay_doc_grade *x = a;
    const assay_doc_grade *y = b;

    return (x->pos > y->pos) - (x->pos < y->pos);
}

/* Of equal neighbours the first stays, with the highest grade. */
static uint32_t merge(assay_doc_grade *item, uint32_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        assay_doc_grade *last = kept ? &item[kept - 1] : NULL;

        if (!last || last->doc != item[i].doc || last->subtopic != item[i].subtopic)
            item[kept++] = item[i];
        else if (last->grade < item[i].grade)
            last->grade = item[i].grade;
    }
    return kept;
}

assay_doc_grade *assay_golden_docs_of(const assay_query *query, bool by_subtopic,
                                      const assay_golden_target *target, uint32_t *n)
{
    assay_doc_grade *item =
        ASSAY_ARENA_ARRAY(target->arena, assay_doc_grade, query->n_judgments);

    *n = 0;
    if (!item)
        return NULL;
    for (uint32_t i = 0; i < query->n_judgments; i++) {
        const assay_judgment *j = &query->judgment[i];

        if (j->doc != ASSAY_NONE)
            item[(*n)++] = (assay_doc_grade){
                j->doc, by_subtopic ? j->subtopic : ASSAY_NONE, j->grade, i};
    }
    qsort(item, *n, sizeof *item, by_object);
    *n = merge(item, *n);
    qsort(item, *n, sizeof *item, by_pos);
    return item;
}
