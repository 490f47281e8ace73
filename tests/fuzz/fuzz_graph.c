/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a knowledge graph, and as passages to make one from. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/slice.h"
#include "index/graph.h"
#include "text/fold.h"

static void ask(const assay_graph *g, assay_slice text)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_graph_walker walker = {.n_nodes = 0};
    assay_slice key;
    uint32_t *seed;
    uint32_t n;

    if (!assay_fold_key(text, &arena, &key) ||
        !assay_graph_named(&g->names, key, false, &arena, &seed, &n))
        abort();
    for (uint32_t i = 0; i < n && i < 4; i++) {
        const assay_graph_start start = {seed[i], 1};

        if (seed[i] >= g->n_entities || !assay_graph_pagerank(g, &walker, &start, 1, 0.5))
            abort();
        for (uint32_t j = 0; j < walker.n_touched; j++)
            if (!(walker.value[walker.touched[j]] >= 0))
                abort();
    }
    assay_graph_walker_clear(&walker);
    assay_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    const assay_slice text = {(const char *)data, size};
    size_t half = size / 2;
    const assay_passage item[] = {
        {.id = {"1", 1}, .doc = {"1", 1}, .title = {"Ann", 3}, .text = {text.ptr, half}},
        {.id = {"2", 1},
         .doc = {"1", 1},
         .title = {"", 0},
         .text = {text.ptr + half, size - half}},
    };
    const assay_passages passages = {item, 2};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_notes notes = {0};
    assay_graph *g = NULL;

    if (!path[0])
        snprintf(path, sizeof path, "/tmp/fuzz_graph.%d", (int)getpid());
    if (assay_file_save(path, text, NULL))
        return 0;
    if (!assay_graph_load(path, &passages, &notes, &arena, &g, NULL)) {
        ask(g, text);
        assay_graph_free(g);
    }
    unlink(path);
    g = NULL;
    if (assay_graph_make(&passages, 1, &g, NULL))
        abort();
    ask(g, text);
    assay_graph_free(g);
    assay_notes_clear(&notes);
    assay_arena_clear(&arena);
    return 0;
}
