/* SPDX-License-Identifier: Apache-2.0 */
#include "metric/conventions.h"

#include <string.h>

#include "base/compiler.h"
#include "base/slice.h"

static const assay_conventions table[] = {
    {
        .name = "assay",
        .summary = "honest by default",
        .measures = "hit@1,hit@3,hit@5,hit@10,mrr,recall@1,recall@3,recall@5,recall@10,"
                    "precision@1,precision@3,precision@5,precision@10,"
                    "ndcg@1,ndcg@3,ndcg@5,ndcg@10",
        .span_measures = "evidence_recall@5,evidence_cost@5,evidence_precision@5,"
                         "evidence_iou@5",
        .answer_measures = "citation_coverage,groundedness,refusal_correctness,"
                           "over_refusal_rate,empty_result_rate",
        .order = ASSAY_BY_SCORE,
        .empty = ASSAY_EMPTY_ABSENT,
        .zero = ASSAY_ZERO_ABSENT,
        .repeats = ASSAY_REPEAT_DROP,
    },
    {
        .name = "kebab",
        .summary = "as kebab-eval aggregates a run",
        .measures =
            "hit@1,hit@3,hit@5,hit@10,mrr,recall@1,recall@3,recall@5,recall@10,"
            "precision@1,precision@3,precision@5,precision@10,"
            "citation_coverage,groundedness,empty_result_rate,refusal_correctness",
        .mrr_depth = 10,
        .order = ASSAY_BY_RANK,
        .level = ASSAY_LEVEL_CHUNK,
        .recall_level = ASSAY_LEVEL_DOC,
        .empty = ASSAY_EMPTY_ABSENT,
        .zero = ASSAY_ZERO_KEBAB,
        .repeats = ASSAY_REPEAT_KEEP,
        .missing_is_absent = true,
        .failed_keeps_hits = true,
        .refused_is_ungrounded = true,
        .no_docs_should_refuse = true,
        .grounds_should_refuse = true,
        .strings_are_bytes = true,
        .path_resolves = true,
        .rounds = true,
    },
    {
        .name = "bob",
        .summary = "as B.O.B. eval prints and saves",
        .measures = "recall@5,precision@5,mrr",
        .order = ASSAY_BY_LIST,
        .level = ASSAY_LEVEL_CHUNK,
        .recall_level = ASSAY_LEVEL_CHUNK,
        .empty = ASSAY_EMPTY_RECALL_ONE,
        .zero = ASSAY_ZERO_ZERO,
        .repeats = ASSAY_REPEAT_ONCE,
        .has_spread = true,
        .pass_mrr = 0.5,
    },
    {
        .name = "evalvault",
        .summary = "as EvalVault's retrieval benchmark",
        .measures = "precision@5,recall@5,mrr,ndcg@5",
        .mrr_depth = 5,
        .order = ASSAY_BY_LIST,
        .level = ASSAY_LEVEL_DOC,
        .recall_level = ASSAY_LEVEL_DOC,
        .empty = ASSAY_EMPTY_ABSENT,
        .zero = ASSAY_ZERO_ZERO,
        .repeats = ASSAY_REPEAT_ONCE,
        .precision_over_returned = true,
        .alarm = {{"recall@5", 0.6}, {"mrr", 0.5}, {"ndcg@10", 0.6}, {NULL, 0}},
    },
    {
        .name = "trec",
        .summary = "as trec_eval without -c",
        .measures = "official",
        .order = ASSAY_BY_SCORE,
        .level = ASSAY_LEVEL_DOC,
        .recall_level = ASSAY_LEVEL_DOC,
        .empty = ASSAY_EMPTY_ZERO,
        .zero = ASSAY_ZERO_ZERO,
        .repeats = ASSAY_REPEAT_REFUSE,
        .missing_is_absent = true,
    },
};

const assay_conventions *assay_conventions_at(size_t i)
{
    return i < ASSAY_COUNT(table) ? &table[i] : NULL;
}

const assay_conventions *assay_conventions_find(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(table); i++)
        if (assay_slice_is(name, table[i].name))
            return &table[i];
    return NULL;
}

/* ---- for people ---- */

static const char *const order_words[] = {"score, rank, list", "stored rank", "list"};
static const char *const empty_words[] = {"no score", "0, in the mean",
                                          "recall 1, the rest 0, in the mean"};
static const char *const zero_words[] = {
    "null", "0", "null for citation_coverage and refusal_correctness, else 0"};
static const char *const repeat_words[] = {"first stays", "rows as they are",
                                           "count once", "error"};
static const char *const level_words[] = {"auto", "evidence", "chunk", "doc"};

bool assay_conventions_rule(const assay_conventions *c, size_t i, assay_rule *out)
{
    const assay_rule rules[] = {
        {"order of hits", order_words[c->order]},
        {"level", level_words[c->level]},
        {"level of recall", level_words[c->recall_level ? c->recall_level : c->level]},
        {"mrr depth", !c->mrr_depth        ? "whole list"
                      : c->mrr_depth == 10 ? "10"
                                           : "5"},
        {"nothing relevant", empty_words[c->empty]},
        {"precision divides by", c->precision_over_returned ? "number returned" : "k"},
        {"no query counts", zero_words[c->zero]},
        {"missing query", c->missing_is_absent ? "no score" : "0"},
        {"failed query", c->failed_keeps_hits ? "its hits count" : "a miss"},
        {"refused means",
         c->refused_is_ungrounded ? "grounded is false" : "refusal reason or phrase"},
        {"groundedness of should_refuse",
         c->grounds_should_refuse ? "counts" : "left out"},
        {"must_contain", c->strings_are_bytes ? "exact bytes" : "folded"},
        {"spread", c->has_spread ? "sample standard deviation" : "none"},
        {"rounding", c->rounds ? "4 decimals, half away from zero" : "none"},
        {"duplicates", repeat_words[c->repeats]},
    };

    if (i >= ASSAY_COUNT(rules))
        return false;
    *out = rules[i];
    return true;
}

const char *assay_level_word(assay_level level)
{
    return level_words[level];
}

bool assay_level_find(const char *word, assay_level *out)
{
    for (size_t i = 0; i < ASSAY_COUNT(level_words); i++)
        if (strcmp(word, level_words[i]) == 0) {
            *out = (assay_level)i;
            return true;
        }
    return false;
}
