/* SPDX-License-Identifier: Apache-2.0 */
/* How a hit is recognised in runs that may have cut their documents differently, and what
 * else their snapshots say differently.
 *
 *     one chunker          exact               chunk ids, else evidence, else documents
 *     another, with spans  fallback_doc_span   a hit counts that finds the evidence
 *     another, without     fallback_doc        document ids
 *
 * Runs that do not say how their documents were cut are taken to be alike, unless they
 * name chunks and have none in common although they have documents in common. */
#include <string.h>

#include "base/buffer.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/slice.h"
#include "compare/compare.h"

const char *assay_match_word(assay_match match)
{
    static const char *const word[] = {"exact", "fallback_doc_span", "fallback_doc"};

    return word[match];
}

/* ---- chunkers ---- */

static assay_slice chunker_of(const assay_compare_side *side)
{
    return side->snapshot ? side->snapshot->chunker : ASSAY_LIT("");
}

static assay_slice policy_of(const assay_compare_side *side)
{
    return side->snapshot ? side->snapshot->policy_hash : ASSAY_LIT("");
}

static bool same_chunker(const assay_compare_side *a, const assay_compare_side *b)
{
    return assay_slice_eq(chunker_of(a), chunker_of(b)) &&
           assay_slice_eq(policy_of(a), policy_of(b));
}

typedef enum overlap { OVERLAP_UNKNOWN, OVERLAP_YES, OVERLAP_NO } overlap;

static bool has_chunk(const assay_result *r, assay_slice chunk)
{
    for (uint32_t i = 0; i < r->n_hits; i++)
        if (assay_slice_eq(r->hit[i].chunk, chunk))
            return true;
    return false;
}

static bool has_doc(const assay_result *r, assay_slice doc)
{
    for (uint32_t i = 0; i < r->n_hits; i++)
        if (assay_slice_eq(r->hit[i].doc, doc))
            return true;
    return false;
}

/* Whether the hits of one query share a chunk, or only documents. */
static overlap query_overlap(const assay_result *a, const assay_result *b)
{
    overlap seen = OVERLAP_UNKNOWN;

    for (uint32_t i = 0; i < a->n_hits; i++) {
        const assay_hit *h = &a->hit[i];

        if (h->chunk.len && has_chunk(b, h->chunk))
            return OVERLAP_YES;
        if (h->chunk.len && h->doc.len && has_doc(b, h->doc))
            seen = OVERLAP_NO;
    }
    return seen;
}

/* Runs share a chunk nearly always with the first query: this ends early. */
static overlap run_overlap(const assay_run *a, const assay_run *b)
{
    overlap seen = OVERLAP_UNKNOWN;

    if (!a->result || !b->result || !a->has_chunks || !b->has_chunks)
        return OVERLAP_UNKNOWN;
    for (uint32_t i = 0; i < a->n_results; i++) {
        uint32_t at = assay_dict_find(&b->ids, a->result[i].query_id);
        overlap o = at == ASSAY_NONE ? OVERLAP_UNKNOWN
                                     : query_overlap(&a->result[i], &b->result[at]);

        if (o == OVERLAP_YES)
            return o;
        if (o == OVERLAP_NO)
            seen = o;
    }
    return seen;
}

/* Why they cannot be held against each other chunk by chunk; null = they can. */
static const char *why_not_exact(const assay_compare_side *side, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        bool knows_a = chunker_of(&side[0]).len > 0;
        bool knows_b = chunker_of(&side[i]).len > 0;

        if (knows_a != knows_b)
            return "one of the runs does not say how its documents were cut";
        if (knows_a && !same_chunker(&side[0], &side[i]))
            return "the documents were cut by different chunkers";
        if (!knows_a && run_overlap(side[0].run, side[i].run) == OVERLAP_NO)
            return "the runs have documents in common and no chunk";
    }
    return NULL;
}

/* ---- judgments ---- */

static bool speaks(const assay_judgment *j, assay_level level)
{
    if (j->grade < 1)
        return false;
    switch (level) {
    case ASSAY_LEVEL_EVIDENCE: return assay_judgment_is_evidence(j);
    case ASSAY_LEVEL_CHUNK: return j->chunk != ASSAY_NONE && !j->stale;
    case ASSAY_LEVEL_DOC:
    case ASSAY_LEVEL_AUTO: break;
    }
    return j->doc != ASSAY_NONE && j->stale != ASSAY_STALE_LOST;
}

static bool has_level(const assay_query *q, assay_level level)
{
    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (speaks(&q->judgment[i], level))
            return true;
    return false;
}

/* Labelled queries of the core that every golden set judges at the level. */
static uint32_t count_level(const assay_compare_side *side, uint32_t n,
                            const assay_core *core, assay_level level)
{
    uint32_t count = 0;

    for (uint32_t q = 0; q < core->n; q++) {
        bool is_judged = true;

        for (uint32_t i = 0; i < n && is_judged; i++)
            is_judged = has_level(&side[i].golden->query[core->query[i][q]], level);
        count += is_judged;
    }
    return count;
}

/* Queries that have something relevant at any level. */
static uint32_t count_labelled(const assay_compare_side *side, const assay_core *core)
{
    uint32_t count = 0;

    for (uint32_t q = 0; q < core->n; q++)
        count += side[0].golden->query[core->query[0][q]].label == ASSAY_LABEL_LABELLED;
    return count;
}

static bool all_have_spans(const assay_compare_side *side, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!side[i].run->has_spans && side[i].run->depth)
            return false;
    return true;
}

static bool all_have_docs(const assay_compare_side *side, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!side[i].run->has_docs && !side[i].run->trec && side[i].run->depth)
            return false;
    return true;
}

static bool all_have_chunks(const assay_compare_side *side, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!side[i].run->has_chunks && side[i].run->depth)
            return false;
    return true;
}

/* ---- choosing ---- */

/* With one chunker chunk ids are what is compared, where all that is labelled has them. */
static assay_level exact_level(const assay_compare_side *side, uint32_t n,
                               const assay_core *core)
{
    uint32_t n_labelled = count_labelled(side, core);

    if (n_labelled && all_have_chunks(side, n) &&
        count_level(side, n, core, ASSAY_LEVEL_CHUNK) == n_labelled)
        return ASSAY_LEVEL_CHUNK;
    return ASSAY_LEVEL_AUTO;
}

static assay_status fall_back(const assay_compare_side *side, uint32_t n,
                              const assay_core *core, assay_matching *out,
                              assay_error *err)
{
    uint32_t n_spans = count_level(side, n, core, ASSAY_LEVEL_EVIDENCE);
    uint32_t n_docs = count_level(side, n, core, ASSAY_LEVEL_DOC);
    bool can_spans = n_spans && all_have_spans(side, n);
    bool can_docs = n_docs && all_have_docs(side, n);

    if (can_spans && (n_spans >= n_docs || !can_docs)) {
        out->match = ASSAY_MATCH_SPANS;
        out->level = ASSAY_LEVEL_EVIDENCE;
    } else {
        out->match = ASSAY_MATCH_DOCS;
        out->level = ASSAY_LEVEL_DOC;
    }
    if (can_spans || can_docs || !count_labelled(side, core))
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EINPUT,
                      "incomparable: %s, and neither the bytes nor the documents of the "
                      "judgments are known in both",
                      out->why);
}

assay_status assay_match_choose(const assay_compare_side *side, uint32_t n,
                                const assay_core *core, bool is_strict,
                                assay_matching *out, assay_error *err)
{
    const char *why = why_not_exact(side, n);

    *out = (assay_matching){.match = ASSAY_MATCH_EXACT, .why = why ? why : ""};
    if (!why) {
        out->level = exact_level(side, n, core);
        return ASSAY_OK;
    }
    if (is_strict)
        return assay_fail(err, ASSAY_EINPUT,
                          "incomparable: %s, and --strict-chunker-version was given",
                          why);
    return fall_back(side, n, core, out, err);
}

/* ---- what else differs ---- */

static assay_slice number(assay_arena *arena, uint64_t value)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_slice s = {"", 0};

    if (!value)
        return s;
    assay_buffer_printf(&b, "%llu", (unsigned long long)value);
    if (!b.has_failed)
        s = assay_arena_copy(arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return s;
}

/* The parts of a hash that tell two apart, for people. */
static assay_slice brief(assay_slice hash)
{
    return (assay_slice){hash.ptr, hash.len > 12 ? 12 : hash.len};
}

enum { MOST_DIFFERENCES = 20 };

typedef struct differing {
    assay_difference *item;
    uint32_t n;
} differing;

static void add(differing *d, const char *what, assay_slice a, assay_slice b)
{
    if (!assay_slice_eq(a, b))
        d->item[d->n++] = (assay_difference){what, a, b};
}

bool assay_differences(const assay_compare_side *a, const assay_compare_side *b,
                       assay_arena *arena, assay_difference **out, uint32_t *n)
{
    static const assay_snapshot none;
    const assay_snapshot *x = a->snapshot ? a->snapshot : &none;
    const assay_snapshot *y = b->snapshot ? b->snapshot : &none;
    differing d = {ASSAY_ARENA_ARRAY(arena, assay_difference, MOST_DIFFERENCES), 0};
    const uint64_t counts[][2] = {{x->k, y->k}, {x->depth, y->depth}};
    static const char *const count_words[] = {"k", "depth"};

    if (!d.item)
        return false;
    add(&d, "method", x->method, y->method);
    if (assay_slice_eq(x->method, y->method))
        add(&d, "identity", x->identity, y->identity);
    add(&d, "system", x->system, y->system);
    add(&d, "chunker", x->chunker, y->chunker);
    add(&d, "chunking policy", x->policy_hash, y->policy_hash);
    add(&d, "embedder", x->embedder, y->embedder);
    add(&d, "answerer", x->answerer, y->answerer);
    add(&d, "model", x->model, y->model);
    add(&d, "prompt", x->prompt, y->prompt);
    add(&d, "golden", brief(x->golden_hash), brief(y->golden_hash));
    add(&d, "corpus", brief(x->corpus_hash), brief(y->corpus_hash));
    for (size_t i = 0; i < ASSAY_COUNT(counts); i++) {
        assay_slice p = number(arena, counts[i][0]);
        assay_slice q = number(arena, counts[i][1]);

        if (!p.ptr || !q.ptr)
            return false;
        add(&d, count_words[i], p, q);
    }
    add(&d, "conventions", x->conventions, y->conventions);
    add(&d, "assay", x->version, y->version);
    *out = d.item;
    *n = d.n;
    return true;
}
