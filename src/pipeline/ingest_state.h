/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of ingest share. */
#ifndef ASSAY_PIPELINE_INGEST_STATE_H
#define ASSAY_PIPELINE_INGEST_STATE_H

#include "base/dict.h"
#include "base/file.h"
#include "base/pool.h"
#include "corpus/corpus_write.h"
#include "pipeline/ingest.h"

/* A file below the paths. */
typedef struct assay_ingest_file {
    const char *path; /* to open it */
    assay_slice key;  /* as it is stored */
    assay_slice root; /* likewise */
    assay_slice id;   /* of a document that is the whole file */
    uint64_t size;
    int64_t mtime_ns;
    uint32_t known; /* number among the known files, or ASSAY_NONE */
    bool is_named;
    bool is_todo; /* must be read */
} assay_ingest_file;

/* Where one path given leads. */
typedef struct assay_ingest_root {
    const char *path;
    assay_slice key;
    assay_slice id_root; /* the outermost root around it */
} assay_ingest_root;

/* What is to be done, made by assay_ingest_look. */
typedef struct assay_ingest_plan {
    assay_ingest_root *root;
    size_t n_roots;
    assay_slice *own; /* keys of what is left out */
    size_t n_own;
    assay_ingest_file *file; /* in the order of the walk */
    size_t n_files;
    size_t cap_files;
    assay_dict keys;          /* of file[], so that none is taken twice */
    assay_corpus_file *known; /* files that the corpus has, by path */
    bool *is_seen;            /* of known: still there, or it cannot be told */
    size_t n_known;
    size_t cap_known;
    assay_dict known_keys;
    assay_arena arena;
} assay_ingest_plan;

/* How reading a file, or one document of it, ended. */
typedef enum assay_ingest_outcome {
    ASSAY_INGEST_UNDONE, /* cancelled before */
    ASSAY_INGEST_SAME,   /* the bytes that the corpus knows */
    ASSAY_INGEST_NONE,   /* nothing to read in it: `why` */
    ASSAY_INGEST_BAD,    /* `why` */
    ASSAY_INGEST_DONE,   /* its documents are ready */
    ASSAY_INGEST_FATAL   /* no memory */
} assay_ingest_outcome;

/* One piece of work for a thread, and what came of it. */
typedef struct assay_ingest_item {
    assay_ingest_file *file;
    bool begins; /* the file; a long file is several items */
    bool ends;
    assay_document doc; /* of an item that is one document */
    bool is_doc;
    assay_ingest_outcome outcome;
    const char *why;
    uint8_t hash[ASSAY_SHA256_BYTES]; /* of the file */
    int64_t read_ns;
    assay_corpus_packed *packed;
    size_t n_packed;
    size_t cap_packed;
    assay_notes notes;
    assay_arena arena;
} assay_ingest_item;

typedef struct assay_ingest_batch {
    assay_ingest_item *item; /* ASSAY_INGEST_ITEMS of them */
    size_t n;
    uint64_t bytes;
} assay_ingest_batch;

enum {
    ASSAY_INGEST_ITEMS = 512,      /* most of a batch */
    ASSAY_INGEST_BYTES = 32 << 20, /* more than so many are not added to a batch */
    ASSAY_INGEST_LONG = 4 << 20    /* files and documents of their own */
};

typedef struct assay_ingest_state {
    const assay_ingest_options *options;
    assay_ingest_summary *summary;
    assay_corpus *corpus; /* null in a dry run without a corpus */
    const assay_chunking *chunking;
    assay_ingest_plan plan;
    assay_corpus_packer packer[ASSAY_POOL_MOST];
    assay_arena arena[ASSAY_POOL_MOST]; /* of each worker, for parts of a long document */
    assay_ingest_batch batch[2];        /* one is filled or read, the other written */
    uint32_t now;                       /* which is filled */
    assay_ingest_progress progress;

    /* The writer's. */
    bool is_open;   /* a transaction is */
    bool is_broken; /* the file at hand failed: the rest of it is passed over */
    const char *why_broken;
    bool is_twice;   /* because of a document that another file has */
    bool is_retry;   /* the second round */
    size_t n_again;  /* files put off to the second round */
    assay_status st; /* the first failure that ends it all */
    assay_error err;
} assay_ingest_state;

static inline bool assay_ingest_is_cancelled(const assay_ingest_state *state)
{
    return state->options->cancel && atomic_load(state->options->cancel);
}

/* Where the paths lead; one that is not there is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_ingest_find_roots(assay_ingest_state *state,
                                                    const char *const *path, size_t n,
                                                    assay_error *err);

/* What the corpus knows, and the walk: the plan. */
ASSAY_MUST_USE assay_status assay_ingest_look(assay_ingest_state *state,
                                              assay_error *err);
void assay_ingest_plan_clear(assay_ingest_plan *plan);

/* Cut what is stored by the new chunking, where it is another than today's. */
ASSAY_MUST_USE assay_status assay_ingest_recut(assay_ingest_state *state,
                                               assay_error *err);

/* Read one file into its item. */
void assay_ingest_read(assay_ingest_state *state, assay_corpus_packer *packer,
                       assay_ingest_item *item);

/* The parts of it, for who reads a long file piece by piece. */
typedef struct assay_ingest_source {
    assay_file file;
    assay_doc_source source;
    const assay_doc_reader *reader;
} assay_ingest_source;

/* Open and look at the file; true when it must be read, else item->outcome says it. */
bool assay_ingest_open(assay_ingest_state *state, assay_ingest_item *item,
                       assay_ingest_source *out);
void assay_ingest_fail(assay_ingest_item *item, assay_status st, const assay_error *err);

/* Store a batch, in order. */
void assay_ingest_write(assay_ingest_state *state, assay_ingest_batch *batch);

/* Words for the summary; false: no memory. */
bool assay_ingest_add_skip(assay_ingest_state *state, assay_slice path,
                           const char *reason);
bool assay_ingest_add_fault(assay_ingest_state *state, assay_slice path, const char *why);
void assay_ingest_tell(const assay_ingest_state *state, assay_ingest_event event,
                       assay_slice path, const char *why);
void assay_ingest_report(assay_ingest_state *state, assay_slice path, uint64_t bytes);

#endif
