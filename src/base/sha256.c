/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256, by FIPS 180-4 (sections 4.1.2, 5, 6.2). */
#include "base/sha256.h"

#include <string.h>

#include "base/compiler.h"

#if defined(ASSAY_HAS_SHA_NI)
#include <immintrin.h>
#endif

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_key[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

/* Of the square roots of the first eight. */
static const uint32_t first_state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* ---- portable ---- */

static uint32_t turn(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static uint32_t load_big(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_big(uint8_t *p, uint32_t word)
{
    p[0] = (uint8_t)(word >> 24);
    p[1] = (uint8_t)(word >> 16);
    p[2] = (uint8_t)(word >> 8);
    p[3] = (uint8_t)word;
}

/* The 64 words that a block becomes. */
static void spread(const uint8_t *block, uint32_t w[64])
{
    for (size_t t = 0; t < 16; t++)
        w[t] = load_big(block + 4 * t);
    for (size_t t = 16; t < 64; t++) {
        uint32_t s0 = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10;

        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
}

static void mix_block(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

    spread(block, w);
    for (size_t t = 0; t < 64; t++) {
        uint32_t s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        uint32_t choice = (e & f) ^ (~e & g);
        uint32_t t1 = h + s1 + choice + round_key[t] + w[t];
        uint32_t s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
        uint32_t majority = (a & b) ^ (a & c) ^ (b & c);

        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + s0 + majority;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

static void mix_portable(uint32_t state[8], const uint8_t *p, size_t n_blocks)
{
    for (; n_blocks; n_blocks--, p += ASSAY_SHA256_BLOCK)
        mix_block(state, p);
}

/* ---- with the processor's instructions ---- */

#if defined(ASSAY_HAS_SHA_NI)
/* Four rounds with the words t to t + 3 in `w`; the state is in the order that the
 * instructions want, abef and cdgh. */
#define FOUR_ROUNDS(t, w)                                                          \
    do {                                                                           \
        __m128i k = _mm_loadu_si128((const __m128i *)(const void *)&round_key[t]); \
        __m128i wk = _mm_add_epi32((w), k);                                        \
                                                                                   \
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);                              \
        wk = _mm_shuffle_epi32(wk, 0x0E);                                          \
        abef = _mm_sha256rnds2_epu32(abef, cdgh, wk);                              \
    } while (0)

/* The next four words, in place of the oldest four, w0. */
#define NEXT_WORDS(w0, w1, w2, w3) \
    w0 = _mm_sha256msg2_epu32(     \
        _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3)

ASSAY_SHA_NI static __m128i load_words(const uint8_t *p)
{
    const __m128i big = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);

    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), big);
}

ASSAY_SHA_NI static void mix_sha_ni(uint32_t state[8], const uint8_t *p, size_t n_blocks)
{
    __m128i *out = (__m128i *)(void *)state;
    __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(out), 0xB1);
    __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(out + 1), 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);

    for (; n_blocks; n_blocks--, p += ASSAY_SHA256_BLOCK) {
        const __m128i old_abef = abef;
        const __m128i old_cdgh = cdgh;
        __m128i w0 = load_words(p);
        __m128i w1 = load_words(p + 16);
        __m128i w2 = load_words(p + 32);
        __m128i w3 = load_words(p + 48);

        for (size_t t = 0;; t += 16) {
            FOUR_ROUNDS(t, w0);
            FOUR_ROUNDS(t + 4, w1);
            FOUR_ROUNDS(t + 8, w2);
            FOUR_ROUNDS(t + 12, w3);
            if (t == 48)
                break;
            NEXT_WORDS(w0, w1, w2, w3);
            NEXT_WORDS(w1, w2, w3, w0);
            NEXT_WORDS(w2, w3, w0, w1);
            NEXT_WORDS(w3, w0, w1, w2);
        }
        abef = _mm_add_epi32(abef, old_abef);
        cdgh = _mm_add_epi32(cdgh, old_cdgh);
    }
    {
        __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
        __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);

        _mm_storeu_si128(out, _mm_blend_epi16(feba, dchg, 0xF0));
        _mm_storeu_si128(out + 1, _mm_alignr_epi8(dchg, feba, 8));
    }
}
#endif

/* ---- the hash ---- */

void assay_sha256_init_portable(assay_sha256 *sha)
{
    memcpy(sha->state, first_state, sizeof sha->state);
    sha->n_bytes = 0;
    sha->mix = mix_portable;
}

void assay_sha256_init(assay_sha256 *sha)
{
    assay_sha256_init_portable(sha);
#if defined(ASSAY_HAS_SHA_NI)
    if (assay_has_sha_ni())
        sha->mix = mix_sha_ni;
#endif
}

void assay_sha256_add(assay_sha256 *sha, const void *bytes, size_t len)
{
    const uint8_t *p = bytes;
    size_t held = (size_t)(sha->n_bytes % ASSAY_SHA256_BLOCK);
    size_t room = ASSAY_SHA256_BLOCK - held;

    sha->n_bytes += len;
    if (held && len >= room) {
        memcpy(sha->block + held, p, room);
        sha->mix(sha->state, sha->block, 1);
        p += room;
        len -= room;
        held = 0;
    }
    if (len >= ASSAY_SHA256_BLOCK) {
        sha->mix(sha->state, p, len / ASSAY_SHA256_BLOCK);
        p += len - len % ASSAY_SHA256_BLOCK;
        len %= ASSAY_SHA256_BLOCK;
    }
    if (len)
        memcpy(sha->block + held, p, len);
}

void assay_sha256_end(assay_sha256 *sha, uint8_t digest[ASSAY_SHA256_BYTES])
{
    /* A one bit, zeros, and the length in bits as the last eight bytes of a block. */
    uint8_t *block = sha->block;
    size_t held = (size_t)(sha->n_bytes % ASSAY_SHA256_BLOCK);

    block[held++] = 0x80;
    if (held > ASSAY_SHA256_BLOCK - 8) {
        memset(block + held, 0, ASSAY_SHA256_BLOCK - held);
        sha->mix(sha->state, block, 1);
        held = 0;
    }
    memset(block + held, 0, ASSAY_SHA256_BLOCK - 8 - held);
    store_big(block + 56, (uint32_t)(sha->n_bytes >> 29));
    store_big(block + 60, (uint32_t)(sha->n_bytes << 3));
    sha->mix(sha->state, block, 1);
    for (size_t i = 0; i < 8; i++)
        store_big(digest + 4 * i, sha->state[i]);
}

void assay_sha256_of(assay_slice bytes, uint8_t digest[ASSAY_SHA256_BYTES])
{
    assay_sha256 sha;

    assay_sha256_init(&sha);
    assay_sha256_add(&sha, bytes.ptr, bytes.len);
    assay_sha256_end(&sha, digest);
}
