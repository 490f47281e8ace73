/* SPDX-License-Identifier: Apache-2.0 */
/* The golden set: queries and what is known of their answers.
 *
 * This is the socket for golden formats (g_*.c, listed in golden_roster.h) and the noun
 * that they fill.  Everything hangs in one arena. */
#ifndef ASSAY_GOLDEN_GOLDEN_H
#define ASSAY_GOLDEN_GOLDEN_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/dict.h"
#include "base/file.h"
#include "base/notes.h"
#include "base/span.h"
#include "corpus/locate.h"

/* One statement of the golden set about one query. */
typedef struct assay_judgment {
    uint32_t doc;   /* number in golden->docs, or ASSAY_NONE */
    uint32_t chunk; /* number in golden->chunks, or ASSAY_NONE */
    int32_t grade;  /* > 0 relevant, 0 judged and not relevant, < 0 pooled, not judged */
    uint32_t line;  /* in the file it came from, 0 = none */
    uint32_t subtopic; /* number in golden->subtopics, or ASSAY_NONE (TREC's 2nd field) */
    uint32_t heading;  /* number in golden->headings, or ASSAY_NONE */
    uint32_t n_spans;
    uint8_t place;          /* an assay_place: what `where` means */
    uint8_t stale;          /* an assay_stale: what a look into the corpus said */
    assay_span where;       /* as given */
    const assay_span *span; /* evidence in bytes once known, ascending and apart: given,
                               or resolved in the corpus; null = not known */
    assay_slice quote;      /* "" when there is none */
} assay_judgment;

/* Whether a judgment still counts (golden/resolve.h says how it is found out). */
typedef enum assay_stale {
    ASSAY_STALE_NOT,       /* it counts */
    ASSAY_STALE_AMBIGUOUS, /* the evidence stands at several places of its document, which
                              is all that is known: it counts at the level of documents */
    ASSAY_STALE_LOST       /* it counts nowhere */
} assay_stale;

/* What is known of a query; never mixed up (docs/SEMANTICS.md). */
typedef enum assay_label {
    ASSAY_LABEL_LABELLED,      /* has judgments that say something */
    ASSAY_LABEL_UNLABELLED,    /* nobody judged it */
    ASSAY_LABEL_SHOULD_REFUSE, /* the right answer is to refuse */
    ASSAY_LABEL_NEGATIVE,      /* explicitly nothing relevant exists */
    ASSAY_LABEL_STALE          /* was judged, but nothing of it is left in the corpus */
} assay_label;

enum { ASSAY_N_LABELS = ASSAY_LABEL_STALE + 1 };

typedef struct assay_strings {
    assay_slice *item;
    uint32_t n;
} assay_strings;

/* A key of a query that results can be sliced by: lang, difficulty, category, group,
 * tags (one pair each), and what stands under meta. */
typedef struct assay_facet {
    assay_slice key;
    assay_slice value;
} assay_facet;

typedef struct assay_query {
    assay_slice id;
    assay_slice text; /* "" when the format has none */
    uint32_t line;
    uint8_t label;         /* an assay_label */
    bool is_draft;         /* state: draft; never counts */
    bool is_unasked;       /* a draft only because a run left it out (planned.h) */
    bool has_relevant_key; /* the format's list of judgments stood there, even empty */
    assay_judgment *judgment;
    uint32_t n_judgments;
    assay_slice lang;
    assay_slice difficulty;
    assay_slice category;
    assay_slice group;
    assay_slice notes;
    assay_slice expected_answer;
    bool has_expected_answer;
    assay_strings tags;
    assay_facet *meta;
    uint32_t n_meta;
    assay_strings must_contain;
    assay_strings forbidden;
    assay_strings *any_of; /* groups, each with one string to be found */
    uint32_t n_any_of;
} assay_query;

/* A document that came with the golden set (evalvault, BEIR). */
typedef struct assay_golden_doc {
    assay_slice id;
    assay_slice title;
    assay_slice text;
} assay_golden_doc;

typedef struct assay_threshold {
    assay_slice metric; /* as spelled */
    double value;
    uint32_t line; /* in the file, 0 = not known */
} assay_threshold;

struct assay_golden {
    assay_arena arena;
    assay_file file;         /* kept open: slices point into it */
    const char *path;        /* in the arena */
    const char *judged_path; /* of the file whose lines the judgments name; path, unless
                              * that is a folder */
    const struct assay_golden_format *format;
    assay_slice name;
    assay_slice version; /* evalvault's; "" else */
    assay_slice description;
    assay_slice conventions; /* "" = not said */
    assay_threshold *threshold;
    uint32_t n_thresholds;
    assay_query *query; /* in file order */
    uint32_t n_queries;
    size_t cap_queries;
    assay_dict ids;    /* query id -> index in query[] */
    assay_dict docs;   /* doc ids that judgments name */
    assay_dict chunks; /* chunk ids that judgments name */
    assay_dict subtopics;
    assay_dict headings;   /* that judgments name: "Refunds > Approval" */
    assay_golden_doc *doc; /* documents that came along, or null */
    uint32_t n_docs;
    struct assay_resolution *resolution; /* of the last look into a corpus, or null */
    assay_notes notes;
    uint32_t n_left_out;     /* BEIR: queries without a line in the split's qrels */
    uint32_t n_unknown_keys; /* ignored, where the format allows them */
    bool drop_self_hits;     /* BEIR: a hit whose id is the query's own id is dropped */
};
typedef struct assay_golden assay_golden;

/* What a reader gets. */
typedef struct assay_golden_source {
    const char *path; /* for messages */
    assay_slice
        text; /* the whole file, unpacked, byte order mark removed; "" for a folder */
    bool is_folder;
    const struct assay_top *top; /* how the text begins (golden/top.h); for sniff only */
    const assay_golden_options *options; /* never null */
} assay_golden_source;

/* Where and how to write. */
typedef struct assay_golden_target {
    assay_buffer *out; /* gets the file */
    const char *path;  /* of the folder, where the format is one */
    const char *split; /* BEIR: null = "test" */
    bool is_json;      /* the native format as JSON instead of YAML */
    bool has_topics;   /* query texts go into a file of their own, so they are not lost */
    bool only_judgments; /* nothing else is missed */
    assay_notes *lost;   /* gets a line a kind of loss, with its count */
    assay_arena *arena;  /* for these lines and for scratch */
} assay_golden_target;

/* What a golden set may hold and a format may not: one bit each in `holds`. */
typedef enum assay_golden_part {
    ASSAY_PART_TEXT,
    ASSAY_PART_LANG,
    ASSAY_PART_DIFFICULTY,
    ASSAY_PART_CATEGORY,
    ASSAY_PART_GROUP,
    ASSAY_PART_NOTES,
    ASSAY_PART_TAGS,
    ASSAY_PART_META,
    ASSAY_PART_ANSWER,
    ASSAY_PART_MUST_CONTAIN,
    ASSAY_PART_ANY_OF,
    ASSAY_PART_FORBIDDEN,
    ASSAY_PART_DRAFT,
    ASSAY_PART_REFUSE,   /* queries that should be refused */
    ASSAY_PART_NEGATIVE, /* queries with explicitly nothing relevant */
    ASSAY_PART_UNLABELLED,
    ASSAY_PART_DOC,       /* judgments of a document, no chunk named */
    ASSAY_PART_CHUNK,     /* judgments of a chunk, no document named */
    ASSAY_PART_DOC_CHUNK, /* judgments that name both */
    ASSAY_PART_QUOTE,
    ASSAY_PART_PLACE,
    ASSAY_PART_HEADING,
    ASSAY_PART_SUBTOPIC,
    ASSAY_PART_GRADE,  /* above 1 */
    ASSAY_PART_ZERO,   /* judged, not relevant */
    ASSAY_PART_POOLED, /* below 0 */
    ASSAY_PART_NAME,
    ASSAY_PART_VERSION,
    ASSAY_PART_DESCRIPTION,
    ASSAY_PART_CONVENTIONS,
    ASSAY_PART_THRESHOLDS,
    ASSAY_PART_DOCUMENTS,
    ASSAY_PART_SELF_HITS,
    ASSAY_N_PARTS
} assay_golden_part;

#define ASSAY_HOLDS(part) (UINT64_C(1) << ASSAY_PART_##part)
#define ASSAY_HOLDS_ALL   (ASSAY_HOLDS(SELF_HITS) | (ASSAY_HOLDS(SELF_HITS) - 1))

typedef struct assay_golden_format {
    const char *name;
    const char *title; /* in sentences: "kebab YAML" */
    const char *summary;
    uint64_t holds; /* bits of ASSAY_HOLDS */
    bool is_folder; /* `path` is a folder: read and write there */
    bool has_sets;  /* an id that stands twice in a list counts once, with a note;
                          * in other formats it is an error */
    bool says_few;  /* fewer than ASSAY_GOLDEN_FEW queries are worth a note */

    /* How sure: 0 = not mine, 100 = certain.  Sees the first 64 kB or so. */
    int (*sniff)(const assay_golden_source *source);
    assay_status (*read)(const assay_golden_source *source, assay_golden *into,
                         assay_error *err);

    /* Append the whole file to target->out, or write into the folder target->path.  What
     * `holds` says is lost was noted before; only what depends on the ids is noted here. */
    assay_status (*write)(const assay_golden *golden, const assay_golden_target *target,
                          assay_error *err);
} assay_golden_format;

/* From fewer queries than this nothing can be concluded. */
enum { ASSAY_GOLDEN_FEW = 10 };

/* Null past the end. */
const assay_golden_format *assay_golden_format_at(size_t i);
const assay_golden_format *assay_golden_format_find(assay_slice name);

/* Read `path` (a file, "-", or a folder).  `options` may be null.  On success the caller
 * owns *out; on failure *out is not touched. */
ASSAY_MUST_USE assay_status assay_golden_load(const char *path,
                                              const assay_golden_options *options,
                                              assay_golden **out, assay_error *err);

/* The same from memory; `name` stands for the path in messages.  The text is copied. */
ASSAY_MUST_USE assay_status assay_golden_parse(const char *name, assay_slice text,
                                               const assay_golden_options *options,
                                               assay_golden **out, assay_error *err);

/* Write in `format`; what it cannot hold is noted in target->lost. */
ASSAY_MUST_USE assay_status assay_golden_write(const assay_golden *golden,
                                               const assay_golden_format *format,
                                               const assay_golden_target *target,
                                               assay_error *err);

/* Query texts as lines of id, tab, text: what --topics reads. */
ASSAY_MUST_USE assay_status assay_golden_write_topics(const assay_golden *golden,
                                                      const assay_golden_target *target,
                                                      assay_error *err);

/* What people call a label state: "labelled", "should_refuse" ... */
const char *assay_label_name(assay_label label);

assay_golden *assay_golden_new(void);
void assay_golden_free(assay_golden *golden);

/* ---- for readers ---- */

/* Append a query; *out stays valid until the next call.  An id that was there already
 * is remembered as a duplicate: assay_golden_finish names all of them. */
ASSAY_MUST_USE assay_status assay_golden_add(assay_golden *golden, assay_slice id,
                                             uint32_t line, assay_query **out,
                                             assay_error *err);

/* Append a judgment to `query` (the last one added, or any while its array grows by
 * doubling in the arena). */
ASSAY_MUST_USE assay_status assay_golden_judge(assay_golden *golden, assay_query *query,
                                               const assay_judgment *judgment,
                                               assay_error *err);

/* Whether it says which bytes of which document. */
static inline bool assay_judgment_is_evidence(const assay_judgment *j)
{
    return j->doc != ASSAY_NONE && j->n_spans && !j->stale;
}

/* Set the evidence of a judgment to one span; false: no memory. */
bool assay_judgment_span(assay_golden *golden, assay_judgment *judgment, assay_span span);

/* A judgment with nothing set. */
assay_judgment assay_judgment_none(void);

/* Derive labels, refuse duplicates, check what all formats share.  Called by load. */
ASSAY_MUST_USE assay_status assay_golden_finish(assay_golden *golden, assay_error *err);

#endif
