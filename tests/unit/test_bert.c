/* SPDX-License-Identifier: Apache-2.0 */
/* Encoders of the BERT family: against recorded vectors of another implementation
 * (tests/fixtures/bert), and what can be wrong with a model folder. */
#include "base/dot.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/slice.h"
#include "embed/embed.h"
#include "embed/safetensors.h"
#include "embed/wordpiece.h"
#include "testing.h"

#include <sys/stat.h>

enum { MOST = 1024 };

typedef struct expected {
    assay_slice text;
    double row[2][MOST]; /* as a query, as a passage */
    size_t n[2];
} expected;

static void read_expected(const char *path, assay_lines *in, assay_slice line,
                          assay_arena *arena, expected *out)
{
    assay_json json = {0};
    assay_json_token token;
    assay_error err;
    int which = -1;

    memset(out->n, 0, sizeof out->n);
    assay_json_init(&json, path, in->line, line, arena);
    do {
        CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK);
        if (token.kind == ASSAY_JSON_KEY)
            which = assay_slice_is(token.text, "query")     ? 0
                    : assay_slice_is(token.text, "passage") ? 1
                                                            : -1;
        else if (token.kind == ASSAY_JSON_STRING)
            out->text = token.text;
        else if (token.kind == ASSAY_JSON_NUMBER && which >= 0)
            CHECK(assay_number_read(token.text, &out->row[which][out->n[which]++]));
    } while (token.kind != ASSAY_JSON_END);
    assay_json_clear(&json);
}

/* Every text of expected.jsonl, in both roles, within `eps` of what is recorded. */
static size_t check_folder(const char *folder, double eps)
{
    assay_embed_settings settings = {.n_threads = 1};
    char path[1100], spelling[1100];
    static expected want;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_file file = {0};
    assay_embedding e;
    assay_error err = {ASSAY_OK, ""};
    assay_lines in;
    assay_slice line;
    uint32_t dims;
    size_t n = 0;

    snprintf(path, sizeof path, "%s/expected.jsonl", folder);
    snprintf(spelling, sizeof spelling, "bert:%s", folder);
    if (assay_embedding_open(spelling, &settings, &e, &err) ||
        assay_file_open(&file, path, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    dims = e.embedder->dims(e.state);
    in = assay_lines_of(path, file.text);
    for (; assay_lines_next(&in, &line); n++) {
        read_expected(path, &in, line, &arena, &want);
        for (int role = 0; role < 2; role++) {
            float row[MOST];

            CHECK_INT(want.n[role], dims);
            CHECK(e.embedder->embed(
                      e.state, role ? ASSAY_EMBED_PASSAGE : ASSAY_EMBED_QUERY,
                      assay_embed_slice_at, &want.text, 1, row, &err) == ASSAY_OK);
            for (uint32_t i = 0; i < dims; i++)
                CHECK_NEAR((double)row[i], want.row[role][i], eps);
        }
    }
    assay_embedding_close(&e);
    assay_file_close(&file);
    assay_arena_clear(&arena);
    return n;
}

TEST(mean_pooling_prefixes_and_lower_case_as_another_implementation_has_them)
{
    CHECK_INT(check_folder(fixture("bert/mean"), 2e-6), 11);
}

TEST(first_vectors_kept_case_and_halves_as_another_implementation_has_them)
{
    CHECK_INT(check_folder(fixture("bert/cls"), 2e-6), 11);
}

/* ASSAY_MODELS: a folder with models, in each an expected.jsonl as those above. */
TEST(real_models_give_the_vectors_recorded_beside_them)
{
    const char *models = getenv("ASSAY_MODELS");
    char folder[1000];
    struct stat st;

    if (!models)
        SKIP("ASSAY_MODELS does not name a folder with all-MiniLM-L6-v2");
    snprintf(folder, sizeof folder, "%s/all-MiniLM-L6-v2", models);
    if (stat(folder, &st) != 0)
        SKIP("ASSAY_MODELS has no all-MiniLM-L6-v2");
    CHECK(check_folder(folder, 2e-5) >= 100);
}

TEST(vectors_can_be_cut_and_are_of_length_1_again)
{
    assay_embed_settings settings = {.n_threads = 1};
    assay_slice text = ASSAY_LIT("the policy covers water damage");
    char spelling[1100];
    assay_embedding all, cut;
    assay_error err;
    float a[8], b[3];

    snprintf(spelling, sizeof spelling, "bert:%s", fixture("bert/mean"));
    CHECK(assay_embedding_open(spelling, &settings, &all, &err) == ASSAY_OK);
    snprintf(spelling, sizeof spelling, "bert:%s(dims=3)", fixture("bert/mean"));
    CHECK(assay_embedding_open(spelling, &settings, &cut, &err) == ASSAY_OK);
    CHECK_INT(cut.embedder->dims(cut.state), 3);
    CHECK(all.embedder->embed(all.state, ASSAY_EMBED_QUERY, assay_embed_slice_at, &text,
                              1, a, &err) == ASSAY_OK);
    CHECK(cut.embedder->embed(cut.state, ASSAY_EMBED_QUERY, assay_embed_slice_at, &text,
                              1, b, &err) == ASSAY_OK);
    assay_dot_normalise(a, 3);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR((double)a[i], (double)b[i], 1e-6);
    assay_embedding_close(&all);
    assay_embedding_close(&cut);
}

TEST(the_cache_gives_the_bits_that_the_model_gave)
{
    assay_embed_settings settings = {.n_threads = 2, .cache_path = "cache"};
    assay_slice text[] = {ASSAY_LIT("the policy"), ASSAY_LIT(""), ASSAY_LIT("paid")};
    char spelling[1100];
    float row[2][3 * 8];
    assay_error err;

    snprintf(spelling, sizeof spelling, "bert:%s", fixture("bert/mean"));
    for (int i = 0; i < 2; i++) {
        assay_embedding e;

        CHECK(assay_embedding_open(spelling, &settings, &e, &err) == ASSAY_OK);
        CHECK(e.embedder->embed(e.state, ASSAY_EMBED_PASSAGE, assay_embed_slice_at, text,
                                3, row[i], &err) == ASSAY_OK);
        assay_embedding_close(&e);
    }
    CHECK(memcmp(row[0], row[1], sizeof row[0]) == 0);
}

/* ---- word pieces ---- */

static assay_wordpiece small_vocab(void)
{
    static const char lines[] =
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n##a\n##b\nab\n,\n"
        "\xC3\xA9\ne\n\xE6\x97\xA5\n";
    assay_wordpiece w;
    assay_error err;

    CHECK(assay_wordpiece_read_lines("v", assay_slice_of(lines), &w, &err) == ASSAY_OK);
    return w;
}

static void check_pieces(const assay_wordpiece *w, const char *text, size_t len,
                         size_t most, const char *want)
{
    assay_pieces p = {0};
    char got[400] = "";
    size_t used = 0;

    CHECK(assay_wordpiece_cut(w, (assay_slice){text, len}, most, &p));
    for (size_t i = 0; i < p.n; i++)
        used += (size_t)snprintf(got + used, sizeof got - used, "%s%u", i ? " " : "",
                                 p.id[i]);
    CHECK_STR(got, want);
    assay_pieces_clear(&p);
}

/* Ids: 5 a, 6 b, 7 ##a, 8 ##b, 9 ab, 10 comma, 11 e with accent, 12 e, 13 a Han character. */
TEST(words_are_cut_into_their_longest_pieces)
{
    assay_wordpiece w = small_vocab();
    char many[300];

    check_pieces(&w, "", 0, 10, "2 3");
    check_pieces(&w, "abba A,b", 8, 99, "2 9 8 7 5 10 6 3");
    check_pieces(&w, "abc b", 5, 99, "2 1 6 3");
    check_pieces(&w, "\xC3\x89 e\xCC\x81", 6, 99, "2 12 12 3");
    check_pieces(&w,
                 "a\xE6\x97\xA5"
                 "b",
                 5, 99, "2 5 13 6 3");
    check_pieces(&w,
                 "a\0\x01\xE2\x80\x8B"
                 "b\xFF",
                 8, 99, "2 9 3");
    check_pieces(&w, "a[SEP]b [MASK", 13, 99, "2 5 3 6 1 1 3");
    check_pieces(&w, "a b a b", 7, 4, "2 5 6 3");
    check_pieces(&w, "a b", 3, 2, "2 3");
    /* The word that does not fit is unknown as a whole, not cut off. */
    check_pieces(&w, "a abc", 5, 4, "2 5 1 3");
    memset(many, 'a', sizeof many);
    check_pieces(&w, many, 101, 99, "2 1 3");
    w.is_lower = w.is_stripped = false;
    check_pieces(&w, "A \xC3\xA9", 4, 99, "2 1 11 3");
    assay_wordpiece_clear(&w);
}

TEST(what_is_wrong_with_a_vocabulary_is_said)
{
    static const struct {
        const char *text;
        const char *words;
    } bad[] = {
        {"{}", "t: there is no WordPiece vocabulary in it"},
        {"[]", "t:1: want an object"},
        {"{\"model\": {\"vocab\": [\"a\"]}}",
         "t:1: there is no WordPiece vocabulary in it"},
        {"{\"model\": {\"vocab\": {\"a\": \"b\"}}}", "t:1: 'a' has no number"},
        {"{\"model\": {\"vocab\": {\"a\": -1}}}", "t:1: 'a' has no number"},
        {"{\"model\": {\"vocab\": {\"a\": 1}}}", "t: the vocabulary has no [CLS]"},
        {"{\"normalizer\": {\"type\": \"NFC\"}}",
         "t:1: only BertNormalizer is known, not 'NFC'"},
    };
    assay_wordpiece w;
    assay_error err;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(assay_wordpiece_read_json("t", assay_slice_of(bad[i].text), &w, &err) ==
              ASSAY_EINPUT);
        CHECK_STR(err.text, bad[i].words);
    }
    CHECK(assay_wordpiece_read_lines("v", ASSAY_LIT("[CLS]\n[SEP]\n"), &w, &err) ==
          ASSAY_EINPUT);
    CHECK_STR(err.text, "v: the vocabulary has no [UNK]");
}

/* ---- safetensors ---- */

static assay_status read_tensors(const char *header, size_t n_data,
                                 assay_safetensors *out, assay_error *err)
{
    static char all[1000];
    size_t len = strlen(header);

    memset(all, 0, sizeof all);
    all[0] = (char)(len & 0xFF);
    all[1] = (char)(len >> 8);
    memcpy(all + 8, header, len);
    for (size_t i = 0; i < n_data; i++)
        all[8 + len + i] = (char)(i * 64);
    return assay_safetensors_read("m", (assay_slice){all, 8 + len + n_data}, out, err);
}

TEST(tensors_of_three_kinds_are_read)
{
    assay_safetensors s;
    assay_error err = {ASSAY_OK, ""};
    const assay_tensor *t;
    float x[2];

    if (read_tensors(
            "{\"__metadata__\":{\"a\":\"b\"},"
            "\"f\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
            "\"h\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]},"
            "\"b\":{\"dtype\":\"BF16\",\"shape\":[1,2],\"data_offsets\":[0,4]}}  ",
            4, &s, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    /* The bytes are 00 40 80 C0. */
    t = assay_safetensors_find(&s, ASSAY_LIT("f"));
    assay_tensor_floats(t, 0, 1, x);
    CHECK(x[0] == -4.0078125F); /* C0804000: -(1 + 0x4000 / 2^23 ...) * 4 */
    t = assay_safetensors_find(&s, ASSAY_LIT("h"));
    assay_tensor_floats(t, 0, 2, x);
    CHECK(x[0] == 2 && x[1] == -2.25F);
    t = assay_safetensors_find(&s, ASSAY_LIT("b"));
    assay_tensor_floats(t, 0, 2, x);
    CHECK(x[0] == 2 && x[1] == -4 && t->n_dims == 2 && t->shape[1] == 2);
    CHECK(!assay_safetensors_find(&s, ASSAY_LIT("g")));
    assay_safetensors_clear(&s);
}

TEST(what_is_wrong_with_tensors_is_said)
{
    static const struct {
        const char *header;
        const char *words;
    } bad[] = {
        {"[]", "m:1:1: want an object"},
        {"{\"a\":1}", "m:1:6: want an object"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}",
         "m:1:2: tensor 'a' lacks dtype, shape or data_offsets"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}",
         "m:1:2: tensor 'a' has 8 bytes; its shape wants 12"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,12]}}",
         "m:1:2: tensor 'a' lies outside of the file"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,4]}}",
         "m:1:2: tensor 'a' lies outside of the file"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}",
         "m:1:30: want a whole number"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296,4],"
         "\"data_offsets\":[0,8]}}",
         "m:1:2: tensor 'a' is too large"},
    };
    assay_safetensors s;
    assay_error err;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(read_tensors(bad[i].header, 8, &s, &err) == ASSAY_EINPUT);
        CHECK_STR(err.text, bad[i].words);
    }
    CHECK(assay_safetensors_read("m", ASSAY_LIT("\xFF\xFF\xFF\xFF\0\0\0\0{}"), &s,
                                 &err) == ASSAY_EINPUT);
    CHECK_STR(err.text, "m: not a safetensors file: its header would have 4294967295 of "
                        "10 bytes");
    CHECK(assay_safetensors_read("m", ASSAY_LIT("x"), &s, &err) == ASSAY_EINPUT);
}

/* ---- folders ---- */

/* A copy of the fixture in the test's own folder. */
static void copy_model(const char *to)
{
    char command[2300];

    snprintf(command, sizeof command, "rm -rf %s && cp -r '%s' %s", to,
             fixture("bert/mean"), to);
    CHECK(system(command) == 0);
}

static void check_bad_folder(assay_status want, const char *words)
{
    assay_embed_settings settings = {0};
    assay_embedding e;
    assay_error err = {ASSAY_OK, ""};

    CHECK_INT(assay_embedding_open("bert:m", &settings, &e, &err), want);
    CHECK_STR(err.text, words);
}

#define CONFIG(more)                                                                    \
    "{\"hidden_size\": 8, \"num_hidden_layers\": 2, \"num_attention_heads\": 2, "       \
    "\"intermediate_size\": 12, \"max_position_embeddings\": 24, \"type_vocab_size\": " \
    "2, \"vocab_size\": 52" more "}"

TEST(what_is_wrong_with_a_model_folder_is_said)
{
    check_bad_folder(ASSAY_EUSAGE, "no folder 'm'");
    copy_model("m");
    CHECK(remove("m/model.safetensors") == 0);
    check_bad_folder(ASSAY_EINPUT, "'m' has no safetensors file");
    copy_model("m");
    CHECK(remove("m/vocab.txt") == 0);
    check_bad_folder(ASSAY_EUSAGE, "no file 'm/vocab.txt'");
    copy_model("m");
    CHECK(remove("m/config.json") == 0);
    check_bad_folder(ASSAY_EUSAGE, "no file 'm/config.json'");
    write_file("m/config.json", CONFIG(""));
    check_bad_folder(ASSAY_EINPUT,
                     "m/config.json: model_type is ''; only 'bert' is known");
    write_file("m/config.json", CONFIG(", \"model_type\": \"mpnet\""));
    check_bad_folder(ASSAY_EINPUT,
                     "m/config.json:1: model_type is 'mpnet'; only 'bert' is known");
    write_file("m/config.json",
               CONFIG(", \"model_type\": \"bert\", \"hidden_act\": \"silu\""));
    check_bad_folder(ASSAY_EINPUT, "m/config.json:1: hidden_act 'silu' is not known");
    write_file("m/config.json", "{\"model_type\": \"bert\", \"hidden_size\": 0}");
    check_bad_folder(ASSAY_EINPUT,
                     "m/config.json:1: 'hidden_size' is no number from 1 to 16384");
    copy_model("m");
    write_file("m/modules.json", "[{\"type\": \"x.models.Dense\", \"path\": \"2\"}]");
    check_bad_folder(ASSAY_EINPUT,
                     "m/modules.json:1: module 'x.models.Dense' is not known");
    copy_model("m");
    write_file("m/1_Pooling/config.json", "{\"pooling_mode_max_tokens\": true}");
    check_bad_folder(ASSAY_EINPUT,
                     "m/1_Pooling/config.json: pooling is neither mean nor cls");
}

TEST(tensors_that_do_not_fit_the_config_are_named)
{
    char header[] = "{\"x\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]}}";
    char all[200] = "";
    FILE *f;

    copy_model("m");
    write_file("m/config.json",
               "{\"model_type\": \"bert\", \"hidden_size\": 8, \"num_hidden_layers\": 3, "
               "\"num_attention_heads\": 2, \"intermediate_size\": 12, "
               "\"max_position_embeddings\": 24, \"type_vocab_size\": 2, "
               "\"vocab_size\": 52}");
    check_bad_folder(ASSAY_EINPUT, "m/model.safetensors: there is no tensor "
                                   "'encoder.layer.2.attention.self.query.weight'");
    write_file("m/config.json",
               "{\"model_type\": \"bert\", \"hidden_size\": 8, \"num_hidden_layers\": 2, "
               "\"num_attention_heads\": 2, \"intermediate_size\": 10, "
               "\"max_position_embeddings\": 24, \"type_vocab_size\": 2, "
               "\"vocab_size\": 52}");
    check_bad_folder(ASSAY_EINPUT,
                     "m/model.safetensors: tensor 'encoder.layer.0.intermediate.dense."
                     "weight' is not of shape 10 x 8");
    all[0] = (char)(sizeof header - 1);
    memcpy(all + 8, header, sizeof header - 1);
    f = fopen("m/model.safetensors", "wb");
    CHECK(f && fwrite(all, 1, 8 + sizeof header - 1 + 8, f) && fclose(f) == 0);
    check_bad_folder(ASSAY_EINPUT, "m/model.safetensors: there is no tensor "
                                   "'embeddings.word_embeddings.weight'");
}
