/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders -> documents -> chunks -> corpus.
 *
 * Incremental: a file whose size and time of change are those of last time is not read;
 * one that was only touched is read and found unchanged; a changed one replaces what it
 * had given, and one that is gone takes its documents to the archive.  One transaction a
 * file: whenever it is stopped, the corpus holds whole files.  Files of the corpus that do
 * not lie below the paths given are left alone. */
#ifndef ASSAY_PIPELINE_INGEST_H
#define ASSAY_PIPELINE_INGEST_H

#include <stdatomic.h>
#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/notes.h"
#include "corpus/chunker.h"
#include "corpus/corpus.h"

/* How far it is. */
typedef struct assay_ingest_progress {
    const char *stage; /* "cutting" (texts that are stored) or "reading" (files) */
    uint64_t n;        /* texts or files done, of n_total */
    uint64_t n_total;
    uint64_t bytes; /* of them, of bytes_total */
    uint64_t bytes_total;
    assay_slice path; /* done last, as stored; may be "" */
} assay_ingest_progress;

typedef enum assay_ingest_event {
    ASSAY_INGEST_READ, /* was not there before */
    ASSAY_INGEST_REPLACED,
    ASSAY_INGEST_REMOVED,
    ASSAY_INGEST_SKIPPED,
    ASSAY_INGEST_FAILED
} assay_ingest_event;

/* "read", "replaced" ... */
const char *assay_ingest_word(assay_ingest_event event);

/* Zeroed is the default. */
typedef struct assay_ingest_options {
    const char *home; /* paths below it are stored relative to it; null: working folder */
    const assay_chunking *chunking; /* null: the corpus's, else the standard */
    const char *pdftotext;          /* null: the one in the PATH */
    uint32_t n_threads;             /* 0: all cores */
    bool is_dry;                    /* only say what would be done; nothing is written */
    bool is_thorough;               /* read all files, whatever their size and time */
    const atomic_int *cancel; /* null, or: stop soon when it is not 0 (by a signal) */

    /* Null, or called now and then; never twice at once, but from any thread. */
    void (*progress)(void *ctx, const assay_ingest_progress *progress);
    /* The same for each file that is not unchanged; `why` is null where there is none. */
    void (*tell)(void *ctx, assay_ingest_event event, assay_slice path, const char *why);
    void *ctx; /* of both */

    /* Files and folders of the project itself, which are no documents: its settings, its
     * golden set (whose questions would answer themselves), its workspace.  Those that are
     * not there, and one that is named as a path, make no difference. */
    const char *const *own;
    size_t n_own;
} assay_ingest_options;

typedef struct assay_ingest_skip {
    const char *reason; /* "ignored", "binary" ... */
    uint64_t n;
} assay_ingest_skip;

typedef struct assay_ingest_fault {
    assay_slice path; /* as stored */
    const char *why;
} assay_ingest_fault;

/* Zeroed is empty. */
typedef struct assay_ingest_summary {
    uint64_t n_found; /* files below the paths, skipped ones not counted */
    uint64_t n_read;  /* new */
    uint64_t n_replaced;
    uint64_t n_unchanged;
    uint64_t n_removed;
    uint64_t n_recut; /* stored texts cut anew because the chunking changed */
    uint64_t bytes_read;
    assay_ingest_skip *skip; /* by reason, in the order they came up */
    size_t n_skips;
    size_t cap_skips;
    assay_ingest_fault *fault;
    size_t n_faults;
    size_t cap_faults;
    assay_notes notes;      /* what readers had to say */
    bool was_cancelled;     /* before all was done */
    uint64_t n_left;        /* files not looked at because of that */
    assay_corpus_size size; /* the corpus afterwards; zero in a dry run */
    char hash[65];          /* its hash; "" in a dry run */
    const char *chunking;   /* full spelling */
    assay_arena arena;
} assay_ingest_summary;

void assay_ingest_summary_clear(assay_ingest_summary *summary);

/* Bring the corpus at `corpus_path` (made when it is not there) up to date with
 * path[0..n_paths).  Files that fail are told in the summary and the rest is stored: the
 * status is ASSAY_OK.  Another status means that the work stopped; the summary then says
 * how far it came.  Memory is bounded by the largest document and the number of files. */
ASSAY_MUST_USE assay_status assay_ingest(const char *corpus_path, const char *const *path,
                                         size_t n_paths,
                                         const assay_ingest_options *options,
                                         assay_ingest_summary *summary, assay_error *err);

#endif
