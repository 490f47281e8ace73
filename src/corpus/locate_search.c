/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/locate_search.h"

#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/dict.h"
#include "base/mem.h"

enum {
    GRAM = 8,
    LOOK = 256,            /* first positions of a needle that its gram is chosen from */
    MOST_GUARDED = 1 << 20 /* bytes of a needle with a guard */
};

typedef struct slot {
    uint64_t gram;
    uint32_t first; /* entry, or ASSAY_NONE: free */
} slot;

typedef struct entry {
    uint32_t group;
    uint32_t at;   /* of the gram in the needle */
    uint32_t next; /* with the same gram, or ASSAY_NONE */
    int32_t edge;  /* where the guard begins, seen from the gram */
    assay_guard guard;
} entry;

/* Needles whose grams have one length. */
typedef struct class
{
    uint64_t mask; /* of the bytes that count */
    uint32_t n;
    unsigned map_shift;
    unsigned slot_shift;
    uint64_t *map;
    slot *slot;
} class;

struct assay_needles {
    const assay_slice *needle;
    entry *entry; /* entry i belongs to needle i */
    uint32_t n;
    class of[GRAM + 1]; /* by length of the gram */
};

static uint64_t hash(uint64_t gram)
{
    return gram * UINT64_C(0x9E3779B97F4A7C15);
}

/* The map and the slots must not depend on the same bits alone. */
static uint64_t hash_again(uint64_t gram)
{
    uint64_t h = (gram ^ gram >> 29) * UINT64_C(0xBF58476D1CE4E5B9);

    return h ^ h >> 32;
}

static uint64_t load_short(const char *p, size_t len)
{
    char copy[GRAM] = {0};

    memcpy(copy, p, len < GRAM ? len : GRAM);
    return assay_bytes_load(copy);
}

static size_t gram_length(assay_slice needle)
{
    return needle.len < GRAM ? needle.len : GRAM;
}

/* ---- choosing grams ---- */

typedef struct counts {
    uint16_t *of; /* saturating, by hash */
    unsigned shift;
} counts;

static size_t positions(assay_slice needle)
{
    size_t n = needle.len < GRAM ? 0 : needle.len - GRAM + 1;

    return n < LOOK ? n : LOOK;
}

static void count_grams(const counts *c, assay_slice needle)
{
    for (size_t i = 0; i < positions(needle); i++) {
        uint16_t *count = &c->of[hash(assay_bytes_load(needle.ptr + i)) >> c->shift];

        *count = (uint16_t)(*count + (*count < UINT16_MAX));
    }
}

static uint32_t rarest_gram(const counts *c, assay_slice needle)
{
    uint32_t best = 0;
    unsigned least = UINT16_MAX + 1;

    for (size_t i = 0; i < positions(needle); i++) {
        unsigned count = c->of[hash(assay_bytes_load(needle.ptr + i)) >> c->shift];

        if (count < least) {
            least = count;
            best = (uint32_t)i;
        }
    }
    return best;
}

static unsigned bits_for(uint64_t want, unsigned least, unsigned most)
{
    unsigned bits = least;

    while (bits < most && UINT64_C(1) << bits < want)
        bits++;
    return bits;
}

/* Set the place of each needle's gram. */
static bool choose_grams(assay_needles *set)
{
    uint64_t total = 0;
    unsigned bits;
    counts c;

    for (uint32_t i = 0; i < set->n; i++)
        total += positions(set->needle[i]);
    bits = bits_for(total * 2, 8, 22);
    c = (counts){ASSAY_NEW_ARRAY(uint16_t, (size_t)1 << bits), 64 - bits};
    if (!c.of)
        return false;
    for (uint32_t i = 0; i < set->n; i++)
        count_grams(&c, set->needle[i]);
    for (uint32_t i = 0; i < set->n; i++)
        set->entry[i].at = rarest_gram(&c, set->needle[i]);
    assay_mem_free(c.of);
    return true;
}

/* ---- the tables ---- */

static slot *find_slot(const class *k, uint64_t gram)
{
    uint64_t last = (UINT64_C(1) << (64 - k->slot_shift)) - 1;
    uint64_t at = hash_again(gram) & last;

    while (k->slot[at].first != ASSAY_NONE && k->slot[at].gram != gram)
        at = (at + 1) & last;
    return &k->slot[at];
}

static bool make_class(class *k, size_t length)
{
    unsigned map_bits = bits_for((uint64_t)k->n * 16, 9, 24);
    unsigned slot_bits = bits_for((uint64_t)k->n * 2, 3, 31);
    size_t n_slots = (size_t)1 << slot_bits;

    k->mask = length == GRAM ? UINT64_MAX : (UINT64_C(1) << (8 * length)) - 1;
    k->map_shift = 64 - map_bits;
    k->slot_shift = 64 - slot_bits;
    k->map = ASSAY_NEW_ARRAY(uint64_t, ((size_t)1 << map_bits) / 64);
    k->slot = ASSAY_NEW_ARRAY(slot, n_slots);
    if (!k->map || !k->slot)
        return false;
    for (size_t i = 0; i < n_slots; i++)
        k->slot[i].first = ASSAY_NONE;
    return true;
}

static void add_entry(class *k, entry *entries, uint32_t number, uint64_t gram)
{
    uint64_t bit = hash(gram) >> k->map_shift;
    slot *s = find_slot(k, gram);

    k->map[bit >> 6] |= UINT64_C(1) << (bit & 63);
    s->gram = gram;
    entries[number].next = s->first;
    s->first = number;
}

static void set_guard(entry *e, const assay_guard *guard, assay_slice needle)
{
    e->guard = *guard;
    e->edge = -(int32_t)e->at;
    if (needle.len > MOST_GUARDED)
        e->guard.size = 0;
    else if (!guard->is_before)
        e->edge += (int32_t)needle.len;
}

static bool make_tables(assay_needles *set, const uint32_t *group,
                        const assay_guard *guard)
{
    for (uint32_t i = 0; i < set->n; i++)
        set->of[gram_length(set->needle[i])].n++;
    for (size_t g = 1; g <= GRAM; g++)
        if (set->of[g].n && !make_class(&set->of[g], g))
            return false;
    /* Backwards, so that the needles of one gram are met in their order. */
    for (uint32_t i = set->n; i-- > 0;) {
        assay_slice needle = set->needle[i];
        size_t g = gram_length(needle);
        uint32_t at = set->entry[i].at;

        set->entry[i].group = group ? group[i] : i;
        if (guard)
            set_guard(&set->entry[i], &guard[i], needle);
        if (g > 0)
            add_entry(&set->of[g], set->entry, i,
                      load_short(needle.ptr + at, needle.len - at));
    }
    return true;
}

assay_needles *assay_needles_new(const assay_slice *needle, const uint32_t *group,
                                 const assay_guard *guard, uint32_t n)
{
    assay_needles *set = ASSAY_NEW(assay_needles);

    if (!set)
        return NULL;
    set->needle = needle;
    set->n = n;
    set->entry = ASSAY_NEW_ARRAY(entry, n);
    if (!set->entry || !choose_grams(set) || !make_tables(set, group, guard)) {
        assay_needles_free(set);
        return NULL;
    }
    return set;
}

void assay_needles_free(assay_needles *set)
{
    if (!set)
        return;
    for (size_t g = 0; g <= GRAM; g++) {
        assay_mem_free(set->of[g].map);
        assay_mem_free(set->of[g].slot);
    }
    assay_mem_free(set->entry);
    assay_mem_free(set);
}

/* ---- searching ---- */

typedef struct search {
    const assay_needles *set;
    const class *class;
    assay_slice text;
    const uint8_t *done;
    assay_needles_sink *sink;
    void *ctx;
} search;

static uint32_t load_four(const char *p, uint32_t mask)
{
    char copy[GRAM] = {0};

    memcpy(copy, p, 4);
    return (uint32_t)assay_bytes_load(copy) & mask;
}

/* Whether what stands beside a needle, whose gram is at `at`, lets it pass.  One edit may
 * drop a byte, or bring a letter of four bytes. */
static bool is_let_through(assay_slice text, const entry *e, size_t at)
{
    const assay_guard *g = &e->guard;
    uint32_t mask = UINT32_MAX >> (32 - 8 * g->size);
    ptrdiff_t edge = (ptrdiff_t)at + e->edge;
    ptrdiff_t size = g->size;

    /* Near the ends of the text nothing is turned away. */
    if (edge < 3 * 4 || edge + 4 * 4 > (ptrdiff_t)text.len)
        return true;
    if (load_four(text.ptr + (g->is_before ? edge - size : edge), mask) == g->beside)
        return true;
    for (ptrdiff_t shift = -1; shift <= 4; shift++) {
        ptrdiff_t from = g->is_before ? edge - 2 * size - shift : edge + size + shift;

        if (load_four(text.ptr + from, mask) == g->beyond)
            return true;
    }
    return false;
}

/* The map has let this position through: ask the table, then compare. */
static ASSAY_NOINLINE bool look_up(const search *s, uint64_t gram, size_t at)
{
    const slot *found = find_slot(s->class, gram);

    for (uint32_t i = found->first; i != ASSAY_NONE; i = s->set->entry[i].next) {
        const entry *e = &s->set->entry[i];
        assay_slice needle;
        size_t start = at - e->at;

        if (at < e->at || (e->guard.size && !is_let_through(s->text, e, at)))
            continue;
        needle = s->set->needle[i];
        if ((s->done && s->done[e->group]) || s->text.len - start < needle.len ||
            memcmp(s->text.ptr + start, needle.ptr, needle.len) != 0)
            continue;
        if (!s->sink(s->ctx, i, start))
            return false;
    }
    return true;
}

static bool search_class(const search *s)
{
    const uint64_t *map = s->class->map;
    uint64_t mask = s->class->mask;
    unsigned shift = s->class->map_shift;
    const char *p = s->text.ptr;
    size_t len = s->text.len;
    size_t wide = len < GRAM ? 0 : len - GRAM + 1;

    for (size_t i = 0; i < wide; i++) {
        uint64_t gram = assay_bytes_load(p + i) & mask;
        uint64_t bit = hash(gram) >> shift;

        if (ASSAY_UNLIKELY(map[bit >> 6] >> (bit & 63) & 1) && !look_up(s, gram, i))
            return false;
    }
    /* Near the end there are no 8 bytes to load.  A gram of zero bytes may seem to stand
     * there; the comparison looks at the length. */
    for (size_t i = wide; i < len; i++)
        if (!look_up(s, load_short(p + i, len - i) & mask, i))
            return false;
    return true;
}

bool assay_needles_search(const assay_needles *set, assay_slice text, const uint8_t *done,
                          assay_needles_sink *sink, void *ctx)
{
    search s = {set, NULL, text, done, sink, ctx};

    for (size_t g = 1; g <= GRAM; g++) {
        s.class = &set->of[g];
        if (set->of[g].n > 0 && text.len >= g && !search_class(&s))
            return false;
    }
    return true;
}
