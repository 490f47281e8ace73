/* SPDX-License-Identifier: Apache-2.0 */
/* What every embedder must do (embed/embed.h): rows that depend on their text alone, the
 * same in any batch and on any number of threads, of length 1 or all 0. */
#include "testing.h"

#include "base/pool.h"
#include "base/slice.h"
#include "embed/embed.h"

static assay_slice text[] = {
    {"insurance covers water damage in the house", 42},
    {"the policy ends when the premium is not paid", 44},
    {"\xEB\xB3\xB4\xED\x97\x98\xEB\xA3\x8C 10\xEB\x85\x84", 15},
    {"", 0},
    {"\xFF\xFE broken \xC3", 11},
    {"water", 5},
    {"\xF0\x9F\x98\x80 caf\xC3\xA9 \xE2\x80\x94 \xEF\xAC\x81ne", 20},
    {"insurance covers water damage in the house", 42},
};
enum { N = sizeof text / sizeof text[0] };

/* How to open one for a test; null where that takes a server: those are held to the same
 * by tests/server/embedders.sh. */
static const char *sample(const assay_embedder *e)
{
    static char spelling[1100];

    if (strcmp(e->name, "lsa") == 0)
        return "lsa";
    if (strcmp(e->name, "file") == 0) {
        write_file("vectors.jsonl",
                   "{\"text\": \"insurance covers water damage in the house\", "
                   "\"vector\": [1, 2]}\n"
                   "{\"text\": \"the policy ends when the premium is not paid\", "
                   "\"vector\": [3, -1]}\n"
                   "{\"text\": \"\xEB\xB3\xB4\xED\x97\x98\xEB\xA3\x8C 10\xEB\x85\x84\", "
                   "\"vector\": [0.5, 0]}\n"
                   "{\"text\": \"\", \"vector\": [0, 0]}\n"
                   "{\"text\": \"water\", \"vector\": [1e-20, 3e-20]}\n"
                   "{\"text\": \"\xF0\x9F\x98\x80 caf\xC3\xA9 \xE2\x80\x94 "
                   "\xEF\xAC\x81ne\", \"vector\": [7, 7]}\n");
        return "file:vectors.jsonl";
    }
    if (strcmp(e->name, "bert") == 0) {
        snprintf(spelling, sizeof spelling, "bert:%s", fixture("bert/mean"));
        return spelling;
    }
    if (strcmp(e->name, "openai") == 0 || strcmp(e->name, "ollama") == 0)
        return NULL;
    check_failed(__FILE__, __LINE__, "no sample of embedder '%s'", e->name);
    return spelling;
}

/* The embedder at *i, or the first behind it that there is a sample of. */
static const assay_embedder *next_sample(size_t *i)
{
    const assay_embedder *e;

    while ((e = assay_embedder_at(*i)) != NULL && !sample(e))
        ++*i;
    return e;
}

/* Texts that the sample can embed: a file has none that is not UTF-8. */
static size_t texts_of(const assay_embedder *e, assay_slice *out)
{
    size_t n = 0;

    for (size_t i = 0; i < N; i++)
        if (strcmp(e->name, "file") != 0 || i != 4)
            out[n++] = text[i];
    return n;
}

static assay_embedding open_one(const assay_embedder *e, assay_slice *texts, size_t n,
                                uint32_t n_threads)
{
    assay_embed_settings settings = {.n_threads = n_threads};
    assay_embedding out;
    assay_error err = {ASSAY_OK, ""};

    if (assay_embedding_open(sample(e), &settings, &out, &err) ||
        (e->needs_training && e->train(out.state, assay_embed_slice_at, texts, n, &err)))
        check_failed(__FILE__, __LINE__, "%s: %s", e->name, err.text);
    CHECK(out.embedder == e);
    return out;
}

static float *embed(const assay_embedding *o, assay_embed_role role, assay_slice *texts,
                    size_t n)
{
    uint32_t dims = o->embedder->dims(o->state);
    float *row = calloc(n * dims + 1, sizeof *row);
    assay_error err = {ASSAY_OK, ""};

    if (o->embedder->embed(o->state, role, assay_embed_slice_at, texts, n, row, &err))
        check_failed(__FILE__, __LINE__, "%s: %s", o->embedder->name, err.text);
    return row;
}

TEST(every_embedder_says_what_it_is)
{
    const assay_embedder *e;

    CHECK(assay_embedder_at(0) != NULL);
    for (size_t i = 0; (e = assay_embedder_at(i)) != NULL; i++) {
        CHECK(e->name && e->summary && e->param && e->open && e->dims && e->embed &&
              e->identity && e->close && (!e->needs_training || e->train));
        CHECK(assay_embedder_find(assay_slice_of(e->name)) == e);
    }
    CHECK(assay_embedder_find(ASSAY_LIT("nothing")) == NULL);
}

TEST(every_embedder_gives_rows_of_length_1_or_0)
{
    const assay_embedder *e;

    for (size_t i = 0; (e = next_sample(&i)) != NULL; i++) {
        assay_slice texts[N];
        size_t n = texts_of(e, texts);
        assay_embedding o = open_one(e, texts, n, 1);
        uint32_t dims = e->dims(o.state);
        float *row = embed(&o, ASSAY_EMBED_PASSAGE, texts, n);

        CHECK(dims > 0);
        for (size_t t = 0; t < n; t++) {
            double sum = 0;

            for (uint32_t j = 0; j < dims; j++)
                sum += pow((double)row[t * dims + j], 2);
            if (sum != 0)
                CHECK_NEAR(sqrt(sum), 1, 1e-6);
        }
        free(row);
        assay_embedding_close(&o);
    }
}

TEST(every_embedder_gives_a_text_one_row_in_any_batch_and_on_any_threads)
{
    const assay_embedder *e;

    for (size_t i = 0; (e = next_sample(&i)) != NULL; i++) {
        assay_slice texts[N];
        size_t n = texts_of(e, texts);
        assay_embedding one = open_one(e, texts, n, 1);
        assay_embedding many = open_one(e, texts, n, 4);
        uint32_t dims = e->dims(one.state);

        for (int role = 0; role < 2; role++) {
            float *a = embed(&one, (assay_embed_role)role, texts, n);
            float *b = embed(&many, (assay_embed_role)role, texts, n);

            CHECK_INT(e->dims(many.state), dims);
            CHECK(memcmp(a, b, n * dims * sizeof *a) == 0);
            for (size_t t = 0; t < n; t++) {
                float *c = embed(&many, (assay_embed_role)role, texts + t, 1);

                CHECK(memcmp(a + t * dims, c, dims * sizeof *a) == 0);
                free(c);
            }
            /* The first text stands again at the end. */
            CHECK(memcmp(a, a + (n - 1) * dims, dims * sizeof *a) == 0);
            free(a);
            free(b);
        }
        assay_embedding_close(&one);
        assay_embedding_close(&many);
    }
}

typedef struct share {
    assay_embedding *o;
    assay_slice *texts;
    size_t n;
    float *row[8];
} share;

static void embed_shared(void *ctx, uint32_t worker, size_t item)
{
    share *s = ctx;
    assay_error err;

    (void)worker;
    if (s->o->embedder->embed(s->o->state, ASSAY_EMBED_QUERY, assay_embed_slice_at,
                              s->texts, s->n, s->row[item], &err))
        s->row[item][0] = 99;
}

TEST(every_embedder_may_be_asked_by_several_threads_at_once)
{
    const assay_embedder *e;

    for (size_t i = 0; (e = next_sample(&i)) != NULL; i++) {
        assay_slice texts[N];
        size_t n = texts_of(e, texts);
        assay_embedding o = open_one(e, texts, n, 1);
        uint32_t dims = e->dims(o.state);
        share s = {.o = &o, .texts = texts, .n = n};
        float *want = embed(&o, ASSAY_EMBED_QUERY, texts, n);

        for (int r = 0; r < 8; r++)
            s.row[r] = calloc(n * dims + 1, sizeof *want);
        assay_pool_run(4, 8, embed_shared, &s);
        for (int r = 0; r < 8; r++) {
            CHECK(memcmp(s.row[r], want, n * dims * sizeof *want) == 0);
            free(s.row[r]);
        }
        free(want);
        assay_embedding_close(&o);
    }
}

TEST(every_embedder_has_an_identity_of_one_line)
{
    const assay_embedder *e;

    for (size_t i = 0; (e = next_sample(&i)) != NULL; i++) {
        assay_slice texts[N];
        size_t n = texts_of(e, texts);
        assay_embedding o = open_one(e, texts, n, 1);
        assay_buffer b = ASSAY_BUFFER_EMPTY;

        e->identity(o.state, &b);
        CHECK(b.len > 0 && !memchr(b.ptr, '\n', b.len));
        CHECK(assay_slice_starts(assay_buffer_view(&b), e->name));
        assay_buffer_clear(&b);
        assay_embedding_close(&o);
    }
}

TEST(every_embedder_refuses_unknown_parameters)
{
    const assay_embedder *e;

    for (size_t i = 0; (e = next_sample(&i)) != NULL; i++) {
        assay_embed_settings settings = {.argument = ASSAY_LIT(""),
                                         .params = ASSAY_LIT("no_such=1")};
        const char *spelling = sample(e);
        const char *colon = strchr(spelling, ':');
        void *state = NULL;
        assay_error err = {ASSAY_OK, ""};

        if (colon)
            settings.argument = assay_slice_of(colon + 1);
        CHECK_INT(e->open(&settings, &state, &err), ASSAY_EUSAGE);
        CHECK(strstr(err.text, "no_such") && !state);
    }
}

TEST(an_unknown_embedder_is_told_with_those_there_are)
{
    assay_embed_settings settings = {0};
    assay_embedding o;
    assay_error err;

    CHECK(assay_embedding_open("word2vec", &settings, &o, &err) == ASSAY_EUSAGE);
    CHECK(strstr(err.text, "no embedder called 'word2vec'; there are lsa, ") == err.text);
}
