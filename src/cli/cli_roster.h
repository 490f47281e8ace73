/* SPDX-License-Identifier: Apache-2.0 */
/* Every command, in the order help shows them. */
#ifndef ASSAY_CLI_CLI_ROSTER_H
#define ASSAY_CLI_CLI_ROSTER_H

#define ASSAY_COMMAND_ROSTER(X) \
    X(init)                     \
    X(ingest)                   \
    X(corpus_list)              \
    X(corpus_show)              \
    X(corpus_stats)             \
    X(corpus_chunks)            \
    X(corpus_text)              \
    X(corpus_diff)              \
    X(corpus_prune)             \
    X(run)                      \
    X(eval)                     \
    X(compare)                  \
    X(explain)                  \
    X(baseline_set)             \
    X(baseline_bless)           \
    X(baseline_show)            \
    X(baseline_list)            \
    X(baseline_clear)           \
    X(baseline_export)          \
    X(baseline_import)          \
    X(gate)                     \
    X(variants)                 \
    X(sweep)                    \
    X(golden_check)             \
    X(golden_add)               \
    X(golden_create)            \
    X(golden_draft)             \
    X(golden_anchor)            \
    X(golden_convert)           \
    X(golden_stats)             \
    X(golden_perturb)           \
    X(golden_doctor)            \
    X(golden_relevance_map)     \
    X(runs_list)                \
    X(runs_show)                \
    X(runs_tag)                 \
    X(runs_rm)                  \
    X(runs_export)              \
    X(runs_import)              \
    X(runs_trend)               \
    X(runs_convert)             \
    X(metrics)                  \
    X(stages)                   \
    X(fuse)                     \
    X(chunk)                    \
    X(benchmark)                \
    X(search)                   \
    X(ask)                      \
    X(metric_list)              \
    X(metric_show)              \
    X(retriever_list)           \
    X(retriever_show)           \
    X(embedder_list)            \
    X(embedder_show)            \
    X(answerer_list)            \
    X(answerer_show)            \
    X(tokenizer_list)           \
    X(tokenizer_show)           \
    X(tokenize)                 \
    X(chunker_list)             \
    X(chunker_show)             \
    X(format_list)              \
    X(format_show)              \
    X(trec_eval)                \
    X(help)

#endif
