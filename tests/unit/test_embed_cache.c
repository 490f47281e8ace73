/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/embed_cache.h"

#include <sys/wait.h>

#include "base/pool.h"
#include "base/slice.h"
#include "testing.h"

enum { DIMS = 3 };

typedef struct counter {
    size_t n_texts;
    size_t n_calls;
    size_t fail_at; /* call that fails, from 1; 0 = none */
    size_t die_at;  /* call in which the process is killed */
} counter;

/* A vector that can be checked: length of the text, its first byte, the role. */
static assay_status compute(void *state, assay_embed_role role, const assay_slice *text,
                            size_t n, float *out, assay_error *err)
{
    counter *c = state;

    c->n_calls++;
    if (c->n_calls == c->die_at)
        raise(SIGKILL);
    if (c->n_calls == c->fail_at) {
        snprintf(err->text, sizeof err->text, "no");
        return err->status = ASSAY_ESYSTEM;
    }
    c->n_texts += n;
    for (size_t i = 0; i < n; i++) {
        out[i * DIMS] = (float)text[i].len;
        out[i * DIMS + 1] = text[i].len ? (float)text[i].ptr[0] : 0;
        out[i * DIMS + 2] = (float)role + 0.1F;
    }
    return ASSAY_OK;
}

static assay_slice text[] = {{"a", 1},  {"bb", 2}, {"a", 1},  {"", 0},
                             {"cc", 2}, {"d", 1},  {"bb", 2}, {"e", 1}};
enum { N = 8, DIFFERENT = 6 };

static assay_embed_cache *open_cache(const char *path, const char *identity)
{
    assay_embed_cache *cache = NULL;
    assay_error err = {ASSAY_OK, ""};

    if (assay_embed_cache_open(path, assay_slice_of(identity), &cache, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return cache;
}

static assay_status fill(assay_embed_cache *cache, assay_embed_role role, counter *c,
                         float *out)
{
    assay_error err;

    return assay_embed_cache_fill(cache, role, assay_embed_slice_at, text, N, DIMS, 2,
                                  compute, c, out, &err);
}

static void check_rows(const float *out, assay_embed_role role)
{
    for (size_t i = 0; i < N; i++) {
        CHECK(out[i * DIMS] == (float)text[i].len);
        CHECK(out[i * DIMS + 1] == (text[i].len ? (float)text[i].ptr[0] : 0));
        CHECK(out[i * DIMS + 2] == (float)role + 0.1F);
    }
}

TEST(nothing_is_embedded_twice_by_one_model_in_one_role)
{
    float out[N * DIMS];
    counter c = {0};
    uint64_t found, computed;
    assay_embed_cache *cache = open_cache("cache", "model 1");

    CHECK(fill(cache, ASSAY_EMBED_PASSAGE, &c, out) == ASSAY_OK);
    check_rows(out, ASSAY_EMBED_PASSAGE);
    CHECK_INT(c.n_texts, DIFFERENT);
    CHECK_INT(c.n_calls, DIFFERENT / 2);
    assay_embed_cache_close(cache);

    cache = open_cache("cache", "model 1");
    memset(out, 0, sizeof out);
    CHECK(fill(cache, ASSAY_EMBED_PASSAGE, &c, out) == ASSAY_OK);
    check_rows(out, ASSAY_EMBED_PASSAGE);
    CHECK_INT(c.n_texts, DIFFERENT);
    assay_embed_cache_counts(cache, &found, &computed);
    CHECK(found == DIFFERENT && computed == 0);
    /* As a query a text may have another vector. */
    CHECK(fill(cache, ASSAY_EMBED_QUERY, &c, out) == ASSAY_OK);
    check_rows(out, ASSAY_EMBED_QUERY);
    CHECK_INT(c.n_texts, 2 * DIFFERENT);
    assay_embed_cache_close(cache);

    cache = open_cache("cache", "model 2");
    CHECK(fill(cache, ASSAY_EMBED_PASSAGE, &c, out) == ASSAY_OK);
    CHECK_INT(c.n_texts, 3 * DIFFERENT);
    assay_embed_cache_close(cache);
}

TEST(without_a_file_all_is_computed_but_no_text_twice_at_once)
{
    float out[N * DIMS];
    counter c = {0};
    assay_embed_cache *cache = open_cache(NULL, "m");

    CHECK(fill(cache, ASSAY_EMBED_PASSAGE, &c, out) == ASSAY_OK);
    check_rows(out, ASSAY_EMBED_PASSAGE);
    CHECK_INT(c.n_texts, DIFFERENT);
    CHECK(fill(cache, ASSAY_EMBED_PASSAGE, &c, out) == ASSAY_OK);
    CHECK_INT(c.n_texts, 2 * DIFFERENT);
    assay_embed_cache_close(cache);
}

TEST(what_came_before_a_failure_is_kept)
{
    float out[N * DIMS];
    counter c = {.fail_at = 3};
    assay_embed_cache *cache = open_cache("broken", "m");

    CHECK(fill(cache, ASSAY_EMBED_PASSAGE, &c, out) == ASSAY_ESYSTEM);
    CHECK_INT(c.n_texts, 4);
    CHECK(fill(cache, ASSAY_EMBED_PASSAGE, &c, out) == ASSAY_OK);
    CHECK_INT(c.n_texts, DIFFERENT);
    check_rows(out, ASSAY_EMBED_PASSAGE);
    assay_embed_cache_close(cache);
}

TEST(what_came_before_kill_9_is_kept)
{
    float out[N * DIMS];
    counter c = {.die_at = 3};
    assay_embed_cache *cache;
    pid_t child = fork();
    int status;

    if (child == 0) {
        cache = open_cache("killed", "m");
        (void)fill(cache, ASSAY_EMBED_PASSAGE, &c, out);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    c = (counter){0};
    cache = open_cache("killed", "m");
    CHECK(fill(cache, ASSAY_EMBED_PASSAGE, &c, out) == ASSAY_OK);
    CHECK_INT(c.n_texts, DIFFERENT - 4);
    check_rows(out, ASSAY_EMBED_PASSAGE);
    assay_embed_cache_close(cache);
}

static assay_status compute_two(void *state, assay_embed_role role,
                                const assay_slice *texts, size_t n, float *out,
                                assay_error *err)
{
    (void)role;
    (void)texts;
    (void)err;
    *(size_t *)state += n;
    for (size_t i = 0; i < 2 * n; i++)
        out[i] = 9;
    return ASSAY_OK;
}

TEST(a_vector_of_another_length_is_embedded_anew)
{
    float out[N * DIMS];
    counter c = {0};
    size_t n_texts = 0;
    assay_error err;
    assay_embed_cache *cache = open_cache("lengths", "m");

    CHECK(fill(cache, ASSAY_EMBED_PASSAGE, &c, out) == ASSAY_OK);
    for (int i = 0; i < 2; i++) {
        CHECK(assay_embed_cache_fill(cache, ASSAY_EMBED_PASSAGE, assay_embed_slice_at,
                                     text, N, 2, 100, compute_two, &n_texts, out,
                                     &err) == ASSAY_OK);
        CHECK_INT(n_texts, DIFFERENT);
        CHECK(out[0] == 9 && out[2 * N - 1] == 9);
    }
    assay_embed_cache_close(cache);
}

TEST(a_file_that_is_no_cache_is_left_alone)
{
    assay_embed_cache *cache = NULL;
    assay_error err;

    write_file("letter",
               "Dear reader, this is no database but a letter of some length.\n");
    CHECK(assay_embed_cache_open("letter", ASSAY_LIT("m"), &cache, &err) == ASSAY_EINPUT);
    CHECK(cache == NULL && err.text[0]);
}

typedef struct share {
    assay_embed_cache *cache;
    float out[4][N * DIMS];
    assay_status status[4];
} share;

static void fill_shared(void *ctx, uint32_t worker, size_t item)
{
    share *s = ctx;
    counter c = {0};

    (void)worker;
    s->status[item] = fill(s->cache, ASSAY_EMBED_QUERY, &c, s->out[item]);
}

TEST(several_threads_may_ask_one_cache)
{
    share s = {.cache = open_cache("shared", "m")};

    assay_pool_run(4, 4, fill_shared, &s);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(s.status[i], ASSAY_OK);
        check_rows(s.out[i], ASSAY_EMBED_QUERY);
    }
    assay_embed_cache_close(s.cache);
}
