/* SPDX-License-Identifier: Apache-2.0 */
/* What a corpus is made of, counted: where it came from, how long chunks are, how much
 * stands in two of them, which forms and scripts, which texts are there twice. */
#ifndef ASSAY_CORPUS_CORPUS_STATS_H
#define ASSAY_CORPUS_CORPUS_STATS_H

#include "corpus/corpus.h"

/* A path that was ingested. */
typedef struct assay_corpus_root {
    assay_slice path;
    uint64_t n_files;
    uint64_t n_docs;
} assay_corpus_root;

typedef struct assay_corpus_origin {
    assay_corpus_root *root; /* in byte order of their paths */
    size_t n_roots;
    int64_t read_ns; /* when a file was read last, since 1970; 0 = never */
} assay_corpus_origin;

/* Everything lives in `arena`. */
ASSAY_MUST_USE assay_status assay_corpus_origins(assay_corpus *corpus, assay_arena *arena,
                                                 assay_corpus_origin *out,
                                                 assay_error *err);

enum { ASSAY_CORPUS_QUANTILES = 7 };

/* Of what the quantiles are, in percent: 0 is the shortest, 100 the longest. */
extern const int assay_corpus_quantile[ASSAY_CORPUS_QUANTILES];

typedef struct assay_corpus_lengths {
    uint64_t n;
    double mean;                               /* bytes; 0 where n is 0 */
    uint64_t quantile[ASSAY_CORPUS_QUANTILES]; /* nearest rank */
} assay_corpus_lengths;

/* A name and how much of it there is: a form, a language, a script. */
typedef struct assay_corpus_share {
    assay_slice name;
    uint64_t n_docs;
    uint64_t amount; /* bytes of forms and languages, letters of scripts */
} assay_corpus_share;

typedef struct assay_corpus_shares {
    assay_corpus_share *item; /* most first, equal ones by name */
    size_t n;
} assay_corpus_shares;

/* Documents that have the same text, byte for byte. */
typedef struct assay_corpus_twins {
    const assay_slice *id; /* in byte order */
    uint32_t n;            /* at least 2 */
    uint64_t bytes;        /* of the text */
} assay_corpus_twins;

typedef struct assay_corpus_stats {
    assay_corpus_lengths docs;
    assay_corpus_lengths chunks;
    uint64_t bytes;         /* of all texts */
    uint64_t covered;       /* bytes that stand in a chunk */
    uint64_t covered_twice; /* of them in more than one */
    uint64_t n_headings;    /* chunks under a heading */
    uint64_t n_empty;       /* documents without text */
    uint64_t n_broken;      /* documents that are not UTF-8 */
    assay_corpus_shares forms;
    assay_corpus_shares langs; /* of code */
    assay_corpus_shares scripts;
    assay_corpus_twins *twins; /* by their first ids */
    size_t n_twins;
} assay_corpus_stats;

/* Reads every text once; memory is bounded by the largest document and eight bytes a
 * chunk.  Everything lives in `arena`. */
ASSAY_MUST_USE assay_status assay_corpus_count(assay_corpus *corpus, assay_arena *arena,
                                               assay_corpus_stats *out, assay_error *err);

#endif
