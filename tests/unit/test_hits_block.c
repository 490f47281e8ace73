/* SPDX-License-Identifier: Apache-2.0 */
#include "testing.h"

#include "base/slice.h"
#include "store/hits_block.h"
#include "store/hits_format.h"

#define S(text)                \
    {                          \
        text, sizeof(text) - 1 \
    }

enum { MOST = 700 };

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static bool same(assay_slice a, assay_slice b)
{
    return a.len == b.len && a.ptr && memcmp(a.ptr, b.ptr, a.len) == 0;
}

static void check_same(const assay_hit *a, const assay_hit *b)
{
    CHECK(same(a->chunk, b->chunk) && same(a->doc, b->doc) && same(a->text, b->text));
    CHECK_INT(a->rank, b->rank);
    CHECK_INT(a->has_score, b->has_score);
    CHECK(!b->has_score || memcmp(&a->score, &b->score, sizeof a->score) == 0);
    CHECK_INT(a->n_spans, b->n_spans);
    CHECK_INT(a->n_legs, b->n_legs);
    CHECK_INT(a->has_lines, b->has_lines);
    CHECK((a->span == NULL) == (!a->n_spans && !a->has_lines));
    CHECK((a->leg == NULL) == !a->n_legs);
    CHECK(!b->has_lines ||
          (a->span->start == b->span->start && a->span->end == b->span->end));
    for (uint32_t i = 0; i < b->n_spans; i++)
        CHECK(a->span[i].start == b->span[i].start && a->span[i].end == b->span[i].end);
    for (uint32_t i = 0; i < b->n_legs; i++) {
        CHECK(same(a->leg[i].name, b->leg[i].name));
        CHECK(a->leg[i].rank == b->leg[i].rank);
        CHECK(a->leg[i].has_score == b->leg[i].has_score);
        CHECK(!b->leg[i].has_score || a->leg[i].score == b->leg[i].score);
    }
}

/* Packs, unpacks, compares; the number of bytes. */
static size_t round_trip(assay_hits_packer *packer, const assay_hit *hit, uint32_t n)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_hit *back = NULL;
    uint32_t n_back = 99;
    uint8_t seen = 0;
    unsigned want = ASSAY_SEEN_DONE;
    assay_error err = {ASSAY_OK, ""};
    size_t bytes;

    assay_buffer_text(&out, "x"); /* it need not begin at the beginning */
    CHECK(assay_hits_pack(packer, hit, n, &out));
    bytes = out.len - 1;
    if (assay_hits_unpack((assay_slice){out.ptr + 1, bytes}, &arena, &back, &n_back,
                          &seen, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    CHECK_INT(n_back, n);
    for (uint32_t i = 0; i < n; i++) {
        check_same(&back[i], &hit[i]);
        want |= assay_run_seen(&hit[i]);
    }
    CHECK_INT(seen, want);
    assay_buffer_clear(&out);
    assay_arena_clear(&arena);
    return bytes;
}

static const assay_span spans[] = {{5, 6}, {0, UINT64_MAX}, {1U << 31, 1U << 31 | 1}};
static const assay_span lines[] = {{3, 9}};
static const assay_leg_place legs[] = {{S("a"), 1, true, 0.5}, {S(""), 0, false, 0}};

static assay_hit plain_hit(char (*id)[40], uint32_t i, uint64_t *state)
{
    snprintf(id[i], 40, "%016llx%016llx", (unsigned long long)next_random(state),
             (unsigned long long)next_random(state));
    return (assay_hit){.chunk = {id[i], 32},
                       .doc = S(""),
                       .text = S(""),
                       .rank = i + 1,
                       .score = (double)next_random(state),
                       .has_score = true};
}

TEST(no_hits_are_a_block_too)
{
    assay_hits_packer packer = {.n_words = 0};

    CHECK_INT(round_trip(&packer, NULL, 0), 8 + 1); /* header and the number */
    assay_hits_packer_clear(&packer);
}

TEST(a_chunk_id_of_hex_digits_and_a_score_take_24_bytes)
{
    static char id[100][40];
    assay_hits_packer packer = {.n_words = 0};
    assay_hit hit[100];
    uint64_t state = 1;

    for (uint32_t i = 0; i < 100; i++)
        hit[i] = plain_hit(id, i, &state);
    CHECK_INT(round_trip(&packer, hit, 100), 8 + 1 + 100 * (16 + 8));
    assay_hits_packer_clear(&packer);
}

TEST(hits_that_have_nothing_come_back_as_nothing)
{
    assay_hits_packer packer = {.n_words = 0};
    assay_hit hit[3];

    for (int i = 0; i < 3; i++)
        hit[i] = (assay_hit){.chunk = S(""), .doc = S(""), .text = S("")};
    round_trip(&packer, hit, 3);
    assay_hits_packer_clear(&packer);
}

/* One hit of any sort. */
static assay_hit random_hit(char (*id)[40], uint32_t i, unsigned odd, uint64_t *state)
{
    assay_hit h = plain_hit(id, i, state);
    unsigned r = (unsigned)(next_random(state) >> 20);

    /* `odd` says what this list may have; chance says which of its hits have it. */
    if (odd & 1 && r & 1)
        h.chunk.len = r >> 8 & 31;
    if (odd & 2)
        h.doc = (assay_slice){id[r % (i + 1)], r >> 4 & 1 ? 32 : r >> 3 & 31};
    if (odd & 4 && r & 2)
        h.rank = r >> 4;
    if (odd & 8)
        h.rank = 0;
    if (odd & 16)
        h.has_score = odd & 32 ? r & 4 : false;
    if (odd & 64) {
        h.n_spans = odd & 128 ? 1 : r >> 5 & 3;
        h.span = h.n_spans ? spans : NULL;
    }
    if (odd & 256) {
        h.n_legs = (uint8_t)(r >> 6 & 1 ? 2 : 0);
        h.leg = h.n_legs ? legs : NULL;
    }
    if (odd & 512 && r & 8)
        h.text = (assay_slice){id[i], r >> 9 & 31};
    if (odd & 1024)
        h.chunk.len = 0;
    if (odd & 2048 && !h.n_spans && r & 16) {
        h.has_lines = true;
        h.span = lines;
    }
    if (!h.has_score)
        h.score = 0;
    return h;
}

TEST(hits_of_every_sort_come_back)
{
    static char id[MOST][40];
    static assay_hit hit[MOST];
    assay_hits_packer packer = {.n_words = 0};
    uint64_t state = 7;

    for (unsigned round = 0; round < 4096; round++) {
        uint32_t n = (uint32_t)(next_random(&state) >> 30) % (round % 16 ? 20 : MOST);

        for (uint32_t i = 0; i < n; i++)
            hit[i] = random_hit(id, i, round, &state);
        round_trip(&packer, hit, n);
    }
    assay_hits_packer_clear(&packer);
}

TEST(many_different_documents_have_numbers_of_two_and_four_bytes)
{
    enum { N = 70000 };
    char(*id)[40] = calloc(N, sizeof *id);
    assay_hit *hit = calloc(N, sizeof *hit);
    assay_hits_packer packer = {.n_words = 0};
    uint64_t state = 3;

    CHECK(id && hit);
    for (uint32_t i = 0; i < N; i++) {
        hit[i] = plain_hit(id, i, &state);
        hit[i].doc = (assay_slice){id[i], 31};
    }
    round_trip(&packer, hit, 1000);
    round_trip(&packer, hit, N);
    assay_hits_packer_clear(&packer);
    free(hit);
    free(id);
}

/* ---- damage ---- */

static assay_status unpack(assay_slice block, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_hit *hit;
    uint32_t n;
    uint8_t seen;
    assay_status st = assay_hits_unpack(block, &arena, &hit, &n, &seen, err);

    assay_arena_clear(&arena);
    return st;
}

static void pack_some(assay_buffer *out)
{
    static char id[20][40];
    assay_hits_packer packer = {.n_words = 0};
    assay_hit hit[20];
    uint64_t state = 5;

    for (uint32_t i = 0; i < 20; i++)
        hit[i] = random_hit(id, i, 1 + 2 + 4 + 64 + 256 + 512, &state);
    CHECK(assay_hits_pack(&packer, hit, 20, out));
    assay_hits_packer_clear(&packer);
}

TEST(a_block_that_lost_its_end_is_told)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_error err;

    pack_some(&out);
    for (size_t len = 0; len < out.len; len++) {
        CHECK_INT(unpack((assay_slice){out.ptr, len}, &err), ASSAY_EINPUT);
        CHECK_STR(err.text, "the hits are damaged");
    }
    CHECK_INT(unpack(assay_buffer_view(&out), &err), ASSAY_OK);
    assay_buffer_clear(&out);
}

TEST(a_block_with_a_wrong_bit_is_told)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_error err;

    pack_some(&out);
    for (size_t i = 0; i < out.len * 8; i++) {
        out.ptr[i / 8] = (char)(out.ptr[i / 8] ^ (1 << i % 8));
        CHECK_INT(unpack(assay_buffer_view(&out), &err), ASSAY_EINPUT);
        out.ptr[i / 8] = (char)(out.ptr[i / 8] ^ (1 << i % 8));
    }
    assay_buffer_clear(&out);
}

/* With a right check sum, as only a program could have made it: found by the fuzzer. */
TEST(counts_of_spans_that_go_beyond_the_block_are_told)
{
    char block[8 + 1 + 100];
    assay_slice s = {block, sizeof block};
    uint32_t sum;
    assay_error err;

    /* 100 hits with 40 spans each, as far as one can see; the fiftieth has too many. */
    memset(block, 40, sizeof block);
    memset(block, 0, HITS_HEADER);
    block[0] = HITS_VERSION;
    block[HITS_AT_KINDS] = (char)(HITS_SCORE_NONE << HITS_SCORE_AT);
    block[HITS_AT_PARTS] = HITS_HAS_SPANS;
    block[HITS_HEADER] = 100;
    block[HITS_HEADER + 50] = 127;
    sum = assay_hits_sum(block, s.len);
    for (int i = 0; i < 4; i++)
        block[HITS_AT_SUM + i] = (char)(sum >> 8 * i);
    CHECK_INT(unpack(s, &err), ASSAY_EINPUT);
    CHECK_STR(err.text, "the hits are damaged");
}

TEST(a_block_of_a_newer_format_is_told)
{
    static const char block[] = "\x02\0\0\0\0\0\0\0\0";
    assay_error err;

    CHECK_INT(unpack((assay_slice){block, sizeof block - 1}, &err), ASSAY_EINPUT);
    CHECK_STR(err.text,
              "the hits were written by a newer assay (format 2, this program knows 1)");
}

/* The bytes that docs/STORE.md explains: two hits of documents "a" and "b", ranks 1 and 2,
 * scores 2.0 and 1.0. */
TEST(the_format_is_the_one_in_the_documentation)
{
    static const unsigned char want[] = {
        1, 2 << 2, 0, 0,              /* version; docs in a table; nothing else */
        0, 0,      0, 0,              /* the check sum, not compared here */
        2,                            /* hits */
        2, 1,      1, 'a', 'b', 0, 1, /* 2 words, their lengths, bytes; numbers */
        0, 0,      0, 0,   0,   0, 0x00, 0x40, /* 2.0 */
        0, 0,      0, 0,   0,   0, 0xF0, 0x3F, /* 1.0 */
    };
    assay_hit hit[] = {
        {.chunk = S(""),
         .doc = S("a"),
         .text = S(""),
         .rank = 1,
         .score = 2,
         .has_score = true},
        {.chunk = S(""),
         .doc = S("b"),
         .text = S(""),
         .rank = 2,
         .score = 1,
         .has_score = true},
    };
    assay_hits_packer packer = {.n_words = 0};
    assay_buffer out = ASSAY_BUFFER_EMPTY;

    CHECK(assay_hits_pack(&packer, hit, 2, &out));
    CHECK_INT(out.len, sizeof want);
    CHECK(memcmp(out.ptr, want, 4) == 0);
    CHECK(memcmp(out.ptr + 8, want + 8, sizeof want - 8) == 0);
    assay_buffer_clear(&out);
    assay_hits_packer_clear(&packer);
}
