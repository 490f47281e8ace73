/* SPDX-License-Identifier: Apache-2.0 */
/* Known digests (FIPS 180-4's examples and NIST's), and the two ways of computing them
 * against each other. */
#include "base/sha256.h"
#include "base/slice.h"
#include "testing.h"

static void hex(const uint8_t *digest, char out[65])
{
    for (size_t i = 0; i < ASSAY_SHA256_BYTES; i++)
        snprintf(out + 2 * i, 3, "%02x", digest[i]);
}

static const struct {
    const char *text;
    size_t times; /* so often, one after the other */
    const char *digest;
} known[] = {
    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmno"
     "pqrlmnopqrsmnopqrstnopqrstu",
     1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

TEST(known_digests)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (int is_portable = 0; is_portable < 2; is_portable++) {
            assay_sha256 sha;
            uint8_t digest[ASSAY_SHA256_BYTES];
            char got[65];

            if (is_portable)
                assay_sha256_init_portable(&sha);
            else
                assay_sha256_init(&sha);
            for (size_t k = 0; k < known[i].times; k++)
                assay_sha256_add(&sha, known[i].text, strlen(known[i].text));
            assay_sha256_end(&sha, digest);
            hex(digest, got);
            CHECK_STR(got, known[i].digest);
        }
}

TEST(one_call_gives_the_same)
{
    uint8_t digest[ASSAY_SHA256_BYTES];
    char got[65];

    assay_sha256_of(ASSAY_LIT("abc"), digest);
    hex(digest, got);
    CHECK_STR(got, known[1].digest);
    assay_sha256_of((assay_slice){NULL, 0}, digest);
    hex(digest, got);
    CHECK_STR(got, known[0].digest);
}

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

TEST(both_ways_agree_on_any_length_however_it_is_cut)
{
    static uint8_t bytes[1024];
    uint64_t seed = 0x5EED;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)next(&seed);
    for (size_t len = 0; len <= sizeof bytes; len++) {
        uint8_t one[ASSAY_SHA256_BYTES];
        uint8_t two[ASSAY_SHA256_BYTES];
        assay_sha256 sha;

        assay_sha256_of((assay_slice){(const char *)bytes, len}, one);
        assay_sha256_init_portable(&sha);
        for (size_t at = 0, n; at < len; at += n) {
            n = (size_t)(next(&seed) % 150);
            n = n < len - at ? n : len - at;
            assay_sha256_add(&sha, bytes + at, n);
        }
        assay_sha256_end(&sha, two);
        CHECK(memcmp(one, two, sizeof one) == 0);
    }
}

TEST(a_copy_goes_on_from_where_it_was_made)
{
    assay_sha256 sha;
    assay_sha256 copy;
    uint8_t digest[ASSAY_SHA256_BYTES];
    char got[65];

    assay_sha256_init(&sha);
    assay_sha256_add(&sha, "ab", 2);
    copy = sha;
    assay_sha256_add(&sha, "xyz", 3);
    assay_sha256_add(&copy, "c", 1);
    assay_sha256_end(&copy, digest);
    hex(digest, got);
    CHECK_STR(got, known[1].digest);
}
