/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors from files: .npy with keys, JSON lines, and what can be wrong with them. */
#include "base/slice.h"
#include "embed/embed.h"
#include "embed/npy.h"
#include "embed/vector_file.h"
#include "testing.h"

static void write_bytes(const char *path, const void *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");

    CHECK(f && fwrite(bytes, 1, len, f) == len && fclose(f) == 0);
}

/* A .npy file of version `version` with this header and data. */
static void write_npy(const char *path, int version, const char *head, const void *data,
                      size_t len)
{
    unsigned char all[1000];
    size_t n = strlen(head);
    size_t at = version == 1 ? 10 : 12;

    memcpy(all, "\x93NUMPY", 6);
    all[6] = (unsigned char)version;
    all[7] = 0;
    memset(all + 8, 0, 4);
    all[8] = (unsigned char)n;
    memcpy(all + at, head, n);
    memcpy(all + at + n, data, len);
    write_bytes(path, all, at + n + len);
}

#define HEAD(type, shape) \
    "{'descr': '" type "', 'fortran_order': False, 'shape': " shape ", }\n"

static assay_status load(const char *path, const char *keys, assay_vector_file *f,
                         assay_error *err)
{
    return assay_vector_file_load(path, keys, f, err);
}

static void check_bad(const char *path, const char *keys, assay_status want,
                      const char *words)
{
    assay_vector_file f = {0};
    assay_error err = {ASSAY_OK, ""};

    CHECK_INT(load(path, keys, &f, &err), want);
    CHECK_STR(err.text, words);
    CHECK(f.row == NULL);
}

TEST(matrices_of_floats_of_all_three_sizes_are_read)
{
    static const float f4[] = {1, -2, 0.5F, 4};
    static const double f8[] = {1, -2, 0.5, 4};
    static const uint16_t f2[] = {0x3C00, 0xC000, 0x3800, 0x4400};
    static const struct {
        const char *head;
        const void *data;
        size_t len;
    } t[] = {{HEAD("<f4", "(2, 2)"), f4, sizeof f4},
             {HEAD("<f8", "(2, 2)"), f8, sizeof f8},
             {HEAD("<f2", "(2, 2)"), f2, sizeof f2},
             {"{ \"shape\":(2,2),'fortran_order':False,'descr':'<f4'}", f4, sizeof f4}};

    write_file("keys", "one\ntwo words\r\n");
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++)
        for (int version = 1; version <= 3; version++) {
            assay_vector_file f;
            assay_error err = {ASSAY_OK, ""};
            const float *row;

            write_npy("v.npy", version, t[i].head, t[i].data, t[i].len);
            if (load("v.npy", "keys", &f, &err))
                check_failed(__FILE__, __LINE__, "%s", err.text);
            row = assay_vector_file_find(&f, ASSAY_LIT("two words"), ASSAY_LIT(""));
            CHECK(row && row[0] == 0.5F && row[1] == 4);
            row = assay_vector_file_find(&f, ASSAY_LIT("none"), ASSAY_LIT(" one "));
            CHECK(row && row[0] == 1 && row[1] == -2);
            CHECK(!assay_vector_file_find(&f, ASSAY_LIT("none"), ASSAY_LIT("three")));
            assay_vector_file_clear(&f);
        }
}

TEST(halves_of_all_kinds_are_what_they_are)
{
    static const uint16_t bits[] = {0x0001, 0x8001, 0x03FF, 0x0400, 0x7BFF, 0x8000};
    assay_npy npy;
    assay_error err;
    char all[200];
    float row[6];
    size_t n;

    write_npy("h.npy", 1, HEAD("<f2", "(1, 6)"), bits, sizeof bits);
    {
        FILE *f = fopen("h.npy", "rb");

        n = fread(all, 1, sizeof all, f);
        fclose(f);
    }
    CHECK(assay_npy_read("h.npy", (assay_slice){all, n}, &npy, &err) == ASSAY_OK);
    assay_npy_row(&npy, 0, row);
    CHECK(row[0] == 0x1p-24F && row[1] == -0x1p-24F && row[2] == 1023 * 0x1p-24F);
    CHECK(row[3] == 0x1p-14F && row[4] == 65504 && row[5] == 0 && signbit(row[5]));
}

TEST(what_is_wrong_with_a_matrix_is_said)
{
    static const float f4[] = {1, 2, NAN, 4};

    write_file("keys", "a\nb\n");
    write_npy("v.npy", 1, HEAD("<f4", "(2, 2)"), f4, sizeof f4);
    check_bad("v.npy", "keys", ASSAY_EINPUT, "v.npy: row 2: number 1 is not finite");
    check_bad("v.npy", NULL, ASSAY_EUSAGE,
              "'v.npy' needs a file that names its rows, one id (or text) a line");
    write_npy("v.npy", 1, HEAD("<f4", "(3, 2)"), f4, sizeof f4);
    check_bad("v.npy", "keys", ASSAY_EINPUT,
              "v.npy: 3 rows of 2 numbers are 24 bytes, but 16 follow");
    write_npy("v.npy", 1, HEAD("<i4", "(2, 2)"), f4, sizeof f4);
    check_bad("v.npy", "keys", ASSAY_EINPUT,
              "v.npy: its numbers are '<i4'; want '<f4', '<f8' or '<f2'");
    write_npy("v.npy", 1, HEAD("<f4", "(4,)"), f4, sizeof f4);
    check_bad("v.npy", "keys", ASSAY_EINPUT,
              "v.npy: want a matrix, a row for each vector");
    write_npy("v.npy", 1, HEAD("<f4", "(99999999999999999, 99999999999999)"), f4, 16);
    check_bad("v.npy", "keys", ASSAY_EINPUT, "v.npy: its shape is too large");
    write_npy("v.npy", 1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", f4,
              16);
    check_bad("v.npy", "keys", ASSAY_EINPUT, "v.npy: want an array in C order");
    write_npy("v.npy", 1, "{'descr': '<f4', 'shape': (2, 2)}", f4, 16);
    check_bad("v.npy", "keys", ASSAY_EINPUT,
              "v.npy: its header is not {'descr', 'fortran_order', 'shape'}");
    write_npy("v.npy", 9, HEAD("<f4", "(2, 2)"), f4, 16);
    check_bad("v.npy", "keys", ASSAY_EINPUT, "v.npy: version 9 of .npy is not known");
    write_bytes("v.npy", "\x93NUMPY\x01\x00\xFF\xFF{'de", 14);
    check_bad("v.npy", "keys", ASSAY_EINPUT, "v.npy: the file ends within its header");
}

TEST(keys_that_do_not_fit_the_rows_are_named_by_line)
{
    static const float f4[] = {1, 2, 3, 4};

    write_npy("v.npy", 2, HEAD("<f4", "(2, 2)"), f4, sizeof f4);
    write_file("keys", "a\n");
    check_bad("v.npy", "keys", ASSAY_EINPUT, "keys: 1 lines, but 'v.npy' has 2 rows");
    write_file("keys", "a\nb\nc\n");
    check_bad("v.npy", "keys", ASSAY_EINPUT,
              "keys:3: more lines than 'v.npy' has rows, 2");
    write_file("keys", "a\na\n");
    check_bad("v.npy", "keys", ASSAY_EINPUT, "keys:2: 'a' stands twice");
    write_file("keys", "\na\n");
    check_bad("v.npy", "keys", ASSAY_EINPUT,
              "keys:1: an empty line; want the id of row 1");
    check_bad("v.npy", "nowhere", ASSAY_EUSAGE, "no file 'nowhere'");
}

TEST(json_lines_have_ids_or_texts_or_both)
{
    assay_vector_file f;
    assay_error err = {ASSAY_OK, ""};
    const float *row;

    write_file("v.jsonl",
               "{\"id\": \"a\", \"vector\": [1, 2.5, -3e-1], \"more\": {\"x\": []}}\n"
               "\n"
               "{\"embedding\": [4, 5, 6], \"text\": \"what \\u00e9\"}\n"
               "{\"id\": 7, \"text\": \"what \\u00e9\", \"vector\": [7, 8, 9]}\n");
    if (load("v.jsonl", NULL, &f, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    CHECK(f.dims == 3 && f.n_rows == 3);
    row = assay_vector_file_find(&f, ASSAY_LIT("a"), ASSAY_LIT(""));
    CHECK(row && row[1] == 2.5F && row[2] == -0.3F);
    row = assay_vector_file_find(&f, ASSAY_LIT(""), ASSAY_LIT("what \xC3\xA9"));
    CHECK(row && row[0] == 4);
    row = assay_vector_file_find(&f, ASSAY_LIT("7"), ASSAY_LIT(""));
    CHECK(row && row[0] == 7);
    assay_vector_file_clear(&f);
}

TEST(what_is_wrong_with_a_json_line_is_said_with_its_place)
{
    static const struct {
        const char *text;
        const char *words;
    } bad[] = {
        {"{\"id\": \"a\"}\n", "v:1: there is no 'vector' and no 'embedding'"},
        {"{\"vector\": [1]}\n", "v:1: there is no 'id' and no 'text'"},
        {"{\"id\": \"a\", \"vector\": [1]}\n{\"id\": \"b\", \"vector\": [1, 2]}\n",
         "v:2:23: a vector of 2 numbers; the first one has 1"},
        {"{\"id\": \"a\", \"vector\": []}\n", "v:1:23: a vector of 0 numbers"},
        {"{\"id\": \"a\", \"vector\": [1, \"2\"]}\n",
         "v:1:27: a vector has numbers only"},
        {"{\"id\": \"a\", \"vector\": [1e39]}\n", "v:1:24: '1e39' does not fit a float"},
        {"{\"id\": \"a\", \"vector\": 3}\n", "v:1:23: a vector is a list of numbers"},
        {"{\"id\": \"a\", \"vector\": [1]}\n{\"id\": \"a\", \"vector\": [1]}\n",
         "v:2: 'a' stands twice"},
        {"{\"text\": \"a\", \"vector\": [1]}\n{\"text\": \"a\", \"vector\": [1]}\n",
         "v:2: 'a' stands twice"},
        {"[1]\n", "v:1:1: want an object"},
        {"\n", "v: there are no vectors in it"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        write_file("v", bad[i].text);
        check_bad("v", NULL, ASSAY_EINPUT, bad[i].words);
    }
}

static assay_slice id_at(void *ctx, size_t i)
{
    (void)ctx;
    return i == 0 ? ASSAY_LIT("d1") : ASSAY_LIT("d2");
}

TEST(passages_are_found_by_id_and_queries_by_text)
{
    assay_slice text[] = {ASSAY_LIT("first"), ASSAY_LIT("second")};
    assay_slice query = ASSAY_LIT("why");
    assay_slice other = ASSAY_LIT("who");
    assay_embed_settings settings = {0};
    assay_embedding e;
    assay_error err = {ASSAY_OK, ""};
    float row[4];

    write_file("p.jsonl", "{\"id\": \"d1\", \"vector\": [3, 4]}\n"
                          "{\"text\": \"second\", \"vector\": [0, 2]}\n");
    write_file("q.jsonl", "{\"text\": \"why\", \"vector\": [5, 0]}\n");
    if (assay_embedding_open("file:p.jsonl(queries=q.jsonl)", &settings, &e, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    CHECK_INT(e.embedder->dims(e.state), 2);
    CHECK(e.embedder->embed_named(e.state, ASSAY_EMBED_PASSAGE, assay_embed_slice_at,
                                  id_at, text, 2, row, &err) == ASSAY_OK);
    CHECK(row[0] == 0.6F && row[1] == 0.8F && row[2] == 0 && row[3] == 1);
    CHECK(e.embedder->embed(e.state, ASSAY_EMBED_QUERY, assay_embed_slice_at, &query, 1,
                            row, &err) == ASSAY_OK);
    CHECK(row[0] == 1 && row[1] == 0);
    CHECK(e.embedder->embed(e.state, ASSAY_EMBED_QUERY, assay_embed_slice_at, &other, 1,
                            row, &err) == ASSAY_EINPUT);
    CHECK_STR(err.text, "'q.jsonl' has no vector for the query 'who'");
    CHECK(e.embedder->embed(e.state, ASSAY_EMBED_PASSAGE, assay_embed_slice_at, text, 2,
                            row, &err) == ASSAY_EINPUT);
    CHECK_STR(err.text, "'p.jsonl' has no vector for passage 'first'");
    assay_embedding_close(&e);
}

TEST(files_of_different_lengths_do_not_fit)
{
    assay_embed_settings settings = {0};
    assay_embedding e;
    assay_error err;

    write_file("p.jsonl", "{\"id\": \"d1\", \"vector\": [3, 4]}\n");
    write_file("q.jsonl", "{\"text\": \"why\", \"vector\": [5]}\n");
    CHECK(assay_embedding_open("file:p.jsonl(queries=q.jsonl)", &settings, &e, &err) ==
          ASSAY_EINPUT);
    CHECK_STR(err.text, "'q.jsonl' has vectors of 1 numbers, 'p.jsonl' of 2");
}
