/* SPDX-License-Identifier: Apache-2.0 */
/* The trie's children are lists: names share beginnings, so lists below the root are
 * short, and 24 bytes a state keep a hundred thousand names in the cache's reach. */
#include "text/aho.h"

#include "base/dict.h"
#include "base/mem.h"

typedef struct assay_aho_state {
    uint32_t child;      /* first, 0 = none */
    uint32_t sibling;    /* 0 = none */
    uint32_t fail;       /* the longest proper suffix that is a state */
    uint32_t shorter;    /* nearest suffix state that ends a word, 0 = none */
    uint32_t number;     /* of the word that ends here, or ASSAY_NONE */
    uint32_t depth_byte; /* depth << 8 | byte */
} state;

static uint32_t depth_of(const state *s)
{
    return s->depth_byte >> 8;
}

static uint32_t child_of(const assay_aho *aho, uint32_t at, unsigned char byte)
{
    uint32_t s = at ? aho->state[at].child : aho->root[byte];

    while (at && s && (aho->state[s].depth_byte & 255) != byte)
        s = aho->state[s].sibling;
    return s;
}

/* State 0 is the root. */
static uint32_t new_state(assay_aho *aho, uint32_t depth, unsigned char byte)
{
    state *grown =
        assay_mem_grow(aho->state, &aho->cap_states, aho->n_states + 1u, sizeof *grown);

    if (!grown)
        return 0;
    aho->state = grown;
    grown[aho->n_states] = (state){.number = ASSAY_NONE, .depth_byte = depth << 8 | byte};
    return aho->n_states++;
}

static uint32_t add_child(assay_aho *aho, uint32_t at, unsigned char byte)
{
    uint32_t made = new_state(aho, depth_of(&aho->state[at]) + 1, byte);

    if (!made)
        return 0;
    if (!at) {
        aho->root[byte] = made;
        return made;
    }
    aho->state[made].sibling = aho->state[at].child;
    aho->state[at].child = made;
    return made;
}

bool assay_aho_add(assay_aho *aho, assay_slice word, uint32_t number)
{
    uint32_t at = 0;

    if (!aho->n_states) {
        new_state(aho, 0, 0);
        if (!aho->n_states)
            return false;
    }
    for (size_t i = 0; i < word.len; i++) {
        unsigned char byte = (unsigned char)word.ptr[i];
        uint32_t next = child_of(aho, at, byte);

        if (!next)
            next = add_child(aho, at, byte);
        if (!next)
            return false;
        at = next;
    }
    if (at && aho->state[at].number == ASSAY_NONE)
        aho->state[at].number = number;
    return true;
}

static uint32_t step(const assay_aho *aho, uint32_t at, unsigned char byte)
{
    uint32_t next;

    while (!(next = child_of(aho, at, byte)) && at)
        at = aho->state[at].fail;
    return next;
}

static void link_state(assay_aho *aho, uint32_t parent, uint32_t s)
{
    state *me = &aho->state[s];
    const state *fail;

    me->fail =
        parent ? step(aho, aho->state[parent].fail, (unsigned char)(me->depth_byte & 255))
               : 0;
    fail = &aho->state[me->fail];
    me->shorter = me->fail && fail->number != ASSAY_NONE ? me->fail : fail->shorter;
}

bool assay_aho_finish(assay_aho *aho)
{
    uint32_t *queue = ASSAY_NEW_ARRAY(uint32_t, aho->n_states + 1u);
    uint32_t n = 0;

    if (!queue)
        return false;
    for (unsigned b = 0; b < 256; b++)
        if (aho->root[b]) {
            link_state(aho, 0, aho->root[b]);
            queue[n++] = aho->root[b];
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t s = aho->state[queue[i]].child; s; s = aho->state[s].sibling) {
            link_state(aho, queue[i], s);
            queue[n++] = s;
        }
    assay_mem_free(queue);
    return true;
}

void assay_aho_scan(const assay_aho *aho, assay_slice text, assay_aho_found *found,
                    void *ctx)
{
    uint32_t at = 0;

    if (!aho->n_states)
        return;
    for (size_t i = 0; i < text.len; i++) {
        uint32_t s;

        at = step(aho, at, (unsigned char)text.ptr[i]);
        s = aho->state[at].number != ASSAY_NONE ? at : aho->state[at].shorter;
        for (; s; s = aho->state[s].shorter)
            found(ctx, aho->state[s].number, i + 1 - depth_of(&aho->state[s]), i + 1);
    }
}

void assay_aho_clear(assay_aho *aho)
{
    assay_mem_free(aho->state);
    *aho = (assay_aho){.n_states = 0};
}
