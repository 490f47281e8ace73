/* SPDX-License-Identifier: Apache-2.0 */
/* A knowledge graph over passages: entities, what relates them, and where they stand.
 *
 * Entities and passages are nodes of one graph: 0 to n_entities - 1 are entities, then
 * come the passages.  Edges go both ways and have weights: of a relation its confidence,
 * of an entity in a passage its confidence, less the more passages it stands in.
 *
 * Names are compared as folded words (text/fold.h), so that case, width and punctuation
 * do not matter; rows of one name are one node with several documents. */
#ifndef ASSAY_INDEX_GRAPH_H
#define ASSAY_INDEX_GRAPH_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/dict.h"
#include "base/notes.h"
#include "corpus/passages.h"
#include "text/aho.h"

typedef struct assay_graph_edge {
    uint32_t to;  /* node */
    float weight; /* > 0 */
} assay_graph_edge;

typedef struct assay_graph {
    assay_arena arena;
    uint32_t n_entities;
    uint32_t n_passages;
    const assay_slice *name; /* by entity, as it was first written */
    uint32_t *n_places;      /* by entity: passages in which it stands */
    float *confidence;       /* by entity: the highest of its rows */
    uint32_t *first;         /* by node, and one more: its first edge */
    assay_graph_edge *edge;  /* by node, relations first */
    double *degree;          /* by node: sum of its weights */
    assay_aho names;         /* keys and aliases -> entity */
    uint32_t n_relations;    /* pairs of entities */
} assay_graph;

/* Read entities and relations from JSON (docs/FORMATS.md).  What does not fit (unknown
 * ends, ids that are no documents) is left out and said in `notes`, which live in
 * `arena`.  On success the caller owns *out. */
ASSAY_MUST_USE assay_status assay_graph_load(const char *path,
                                             const assay_passages *passages,
                                             assay_notes *notes, assay_arena *arena,
                                             assay_graph **out, assay_error *err);

/* Make one from the passages: entities are titles, proper names, code identifiers and
 * frequent phrases; what stands in one sentence is related.  The same graph for any
 * number of threads. */
ASSAY_MUST_USE assay_status assay_graph_make(const assay_passages *passages,
                                             uint32_t n_threads, assay_graph **out,
                                             assay_error *err);

void assay_graph_free(assay_graph *graph);

/* ---- asking ---- */

/* The entities named in `key` (as assay_fold_key makes it), as whole words, in the order
 * of the text; a name may end within a Hangul word, where a particle of up to three
 * syllables follows.  Of names that overlap only the leftmost, longest counts, or, with
 * `nested`, all do.  *out lives in `arena`; an entity stands once.  False: no memory. */
bool assay_graph_named(const assay_aho *names, assay_slice key, bool nested,
                       assay_arena *arena, uint32_t **out, uint32_t *n);

/* A worker's scratch space: zeroed is ready. */
typedef struct assay_graph_walker {
    double *value;     /* by node; all 0 between calls */
    double *rest;      /* likewise */
    uint32_t *touched; /* nodes whose value or rest is not 0 */
    uint8_t *is_touched;
    uint32_t n_touched;
    uint32_t *queue; /* nodes waiting, a ring */
    uint8_t *is_queued;
    uint32_t n_nodes; /* for which there is room */
} assay_graph_walker;

typedef struct assay_graph_start {
    uint32_t node;
    double weight; /* > 0; all weights of a walk should add up to 1 */
} assay_graph_start;

/* Personalised PageRank from start[0..n): at each step the walk goes on with probability
 * `damping`, else back to a start.  Computed by pushing what has not been passed on yet,
 * in a fixed order, until what is left at any node is below 1e-6 of its degree.  Values
 * are in walker->value of the nodes in walker->touched, until the next call.  False: no
 * memory. */
bool assay_graph_pagerank(const assay_graph *graph, assay_graph_walker *walker,
                          const assay_graph_start *start, uint32_t n, double damping);

/* Instead: the start's weights spread over `hops` steps, each times `decay` and the
 * edge's weight; a node's value is the sum of what reached it. */
bool assay_graph_spread(const assay_graph *graph, assay_graph_walker *walker,
                        const assay_graph_start *start, uint32_t n, uint32_t hops,
                        double decay);

void assay_graph_walker_clear(assay_graph_walker *walker);

/* ---- building ---- */

/* A graph on its way; zeroed but for n_passages is ready. */
typedef struct assay_graph_builder {
    assay_arena arena; /* becomes the graph's */
    uint32_t n_passages;
    assay_dict keys; /* folded names -> entity */
    assay_slice *name;
    size_t cap_names;
    float *confidence;
    size_t cap_confidence;
    struct assay_graph_link *link; /* entity - entity */
    size_t n_links;
    size_t cap_links;
    struct assay_graph_link *place; /* entity - passage */
    size_t n_places;
    size_t cap_places;
    assay_dict alias_keys; /* other keys -> number in alias_of */
    uint32_t *alias_of;
    size_t cap_aliases;
} assay_graph_builder;

/* The entity whose folded name is `key`, added when new; `name` is how it is written.
 * An empty key gives ASSAY_NONE.  False: no memory. */
bool assay_graph_entity(assay_graph_builder *b, assay_slice key, assay_slice name,
                        double confidence, uint32_t *number);

/* Another key under which the entity is found in queries. */
bool assay_graph_alias(assay_graph_builder *b, assay_slice key, uint32_t entity);
bool assay_graph_relate(assay_graph_builder *b, uint32_t x, uint32_t y, double weight);
bool assay_graph_put(assay_graph_builder *b, uint32_t entity, uint32_t passage,
                     double weight);

/* Takes all of `b`, also on failure. */
ASSAY_MUST_USE assay_status assay_graph_build(assay_graph_builder *b, assay_graph **out,
                                              assay_error *err);

void assay_graph_builder_clear(assay_graph_builder *b);

#endif
