/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/eval_words.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/slice.h"

typedef struct word {
    const char *text;
    int value;
} word;

static const word ties[] = {
    {"score", ASSAY_TIES_ID_DOWN},     {"id-down", ASSAY_TIES_ID_DOWN},
    {"id-up", ASSAY_TIES_ID_UP},       {"rank", ASSAY_TIES_RANK},
    {"listed", ASSAY_TIES_LISTED},     {"optimistic", ASSAY_TIES_BEST},
    {"pessimistic", ASSAY_TIES_WORST}, {NULL, 0},
};
static const word levels[] = {
    {"auto", ASSAY_LEVEL_AUTO},
    {"evidence", ASSAY_LEVEL_EVIDENCE},
    {"chunk", ASSAY_LEVEL_CHUNK},
    {"doc", ASSAY_LEVEL_DOC},
    {NULL, 0},
};
static const word duplicates[] = {
    {"error", ASSAY_DUPLICATES_ERROR},
    {"first", ASSAY_DUPLICATES_FIRST},
    {NULL, 0},
};
static const word empties[] = {
    {"skip", ASSAY_EMPTY_ABSENT},
    {"zero", ASSAY_EMPTY_ZERO},
    {NULL, 0},
};

static assay_status find(const word *table, const char *what, const char *text, int *out,
                         assay_error *err)
{
    if (!text)
        return ASSAY_OK;
    for (; table->text; table++)
        if (strcmp(table->text, text) == 0) {
            *out = table->value;
            return ASSAY_OK;
        }
    return assay_fail(err, ASSAY_EUSAGE, "%s has no rule '%.80s'", what, text);
}

assay_status assay_eval_words(const assay_eval_options *options, assay_eval_settings *out,
                              assay_error *err)
{
    int level = ASSAY_LEVEL_AUTO;
    int tie = ASSAY_TIES_ID_DOWN;
    int duplicate = ASSAY_DUPLICATES_DEFAULT;
    int empty = ASSAY_EMPTY_ABSENT;
    assay_status st = find(levels, "level", options->level, &level, err);

    if (!st)
        st = find(ties, "ties", options->ties, &tie, err);
    if (!st)
        st = find(duplicates, "duplicates", options->duplicates, &duplicate, err);
    if (!st)
        st = find(empties, "empty-relevance", options->empty_relevance, &empty, err);
    if (st)
        return st;
    if (!(options->confidence >= 0 && options->confidence < 1))
        return assay_fail(err, ASSAY_EUSAGE, "confidence must be at least 0 and below 1");
    *out = (assay_eval_settings){.level = (assay_level)level,
                                 .ties = (assay_ties)tie,
                                 .duplicates = (assay_duplicates)duplicate,
                                 .collapse = options->collapse != 0,
                                 .has_empty_rule = options->empty_relevance != NULL,
                                 .empty_rule = (assay_empty_rule)empty,
                                 .confidence = options->confidence,
                                 .n_threads = options->n_threads};
    if (!options->conventions)
        return ASSAY_OK;
    out->conventions = assay_conventions_find(assay_slice_of(options->conventions));
    if (!out->conventions)
        return assay_fail(err, ASSAY_EUSAGE, "no conventions called '%.80s'",
                          options->conventions);
    return ASSAY_OK;
}
