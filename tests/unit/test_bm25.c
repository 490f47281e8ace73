/* SPDX-License-Identifier: Apache-2.0 */
/* BM25: scores worked out by hand, the best k against scoring everything, ties, threads,
 * files. */
#include "index/bm25.h"

#include "base/mem.h"
#include "base/slice.h"
#include "testing.h"

enum { WORD = 8, QUERY_WORDS = 8 };

/* ---- corpora made up from a seed ---- */

typedef struct made {
    assay_passage *item;
    char *bytes;
    size_t used;
    assay_passages all;
} made;

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

/* Small numbers are frequent: each power of two is as likely as the next. */
static uint32_t zipf(uint64_t *seed, uint32_t n_words)
{
    double u = next_random(seed) / 2147483648.0;

    return (uint32_t)(pow((double)n_words, u) - 1);
}

static assay_slice put_words(made *m, uint64_t *seed, uint32_t n, uint32_t n_words)
{
    char *from = m->bytes + m->used;

    for (uint32_t i = 0; i < n; i++)
        m->used +=
            (size_t)snprintf(m->bytes + m->used, WORD, "w%u ", zipf(seed, n_words));
    return (assay_slice){from, (size_t)(m->bytes + m->used - from)};
}

/* Passages of `least` to `most` words; ids ascend. */
static made make(uint64_t seed, uint32_t n, uint32_t least, uint32_t most,
                 uint32_t n_words, bool has_titles)
{
    made m = {.used = 0};

    m.item = calloc(n + 1, sizeof *m.item);
    m.bytes = malloc((size_t)n * (most + 5) * WORD + 16 * (size_t)n + 1);
    CHECK(m.item && m.bytes);
    for (uint32_t i = 0; i < n; i++) {
        char *id = m.bytes + m.used;

        m.used += (size_t)snprintf(id, 16, "d%07u", i) + 1;
        m.item[i].id = assay_slice_of(id);
        m.item[i].doc = m.item[i].id;
        m.item[i].title = (assay_slice){"", 0};
        if (has_titles)
            m.item[i].title = put_words(&m, &seed, next_random(&seed) % 4, n_words);
        m.item[i].text = put_words(
            &m, &seed, least + next_random(&seed) % (most - least + 1), n_words);
    }
    m.all = (assay_passages){m.item, n};
    return m;
}

static void unmake(made *m)
{
    free(m->item);
    free(m->bytes);
}

/* ---- an index ---- */

typedef struct ready {
    assay_postings *postings;
    assay_bm25 *bm25;
    assay_bm25_search *search;
    assay_token_worker *tokens;
} ready;

static assay_tokenizing tokenizing_of(const char *spelling)
{
    assay_tokenizing t;
    assay_error err;

    CHECK_INT(assay_tokenizing_read(spelling, &t, &err), ASSAY_OK);
    return t;
}

static void open_over(ready *r, const char *tokenizer, const char *variant, double title)
{
    const assay_bm25_variant *v = assay_bm25_variant_find(assay_slice_of(variant));
    assay_tokenizing t = tokenizing_of(tokenizer);
    assay_bm25_params params;
    assay_error err;

    CHECK(v != NULL);
    params = v->standard;
    if (title >= 0)
        params.title = title;
    CHECK_INT(assay_bm25_new(r->postings, v, &params, 2, &r->bm25, &err), ASSAY_OK);
    CHECK_INT(assay_bm25_search_new(r->bm25, &r->search, &err), ASSAY_OK);
    CHECK_INT(assay_token_worker_new(&t, &r->tokens, &err), ASSAY_OK);
}

static ready open_index(const assay_passages *all, const char *tokenizer,
                        const char *variant, double title)
{
    assay_tokenizing t = tokenizing_of(tokenizer);
    ready r = {.postings = NULL};
    assay_error err;

    CHECK_INT(assay_postings_build(all, &t, 2, &r.postings, &err), ASSAY_OK);
    open_over(&r, tokenizer, variant, title);
    return r;
}

static void close_index(ready *r)
{
    assay_token_worker_free(r->tokens);
    assay_bm25_search_free(r->search);
    assay_bm25_free(r->bm25);
    assay_postings_free(r->postings);
}

static uint32_t top(ready *r, const char *query, uint32_t k, assay_bm25_hit *hit)
{
    assay_tokens terms;
    assay_error err;
    uint32_t n;

    CHECK(assay_tokenize(r->tokens, assay_slice_of(query), &terms));
    CHECK_INT(assay_bm25_top(r->search, &terms, k, hit, &n, &err), ASSAY_OK);
    return n;
}

/* ---- scores ---- */

#define DOC(name, words)                                                 \
    {                                                                    \
        .id = {name, sizeof(name) - 1}, .doc = {name, sizeof(name) - 1}, \
        .title = {"", 0}, .text = {                                      \
            words,                                                       \
            sizeof(words) - 1                                            \
        }                                                                \
    }

TEST(lucene_score_is_the_sum_of_idf_times_saturated_frequency)
{
    const assay_passage doc[] = {DOC("a", "cat cat dog"), DOC("b", "dog"),
                                 DOC("c", "bird bird")};
    const assay_passages all = {doc, 3};
    ready r = open_index(&all, "words", "lucene", -1);
    assay_bm25_hit hit[3];

    /* Mean length 2, k1 = 1.5, b = .75: K of a = 1.5 * (.25 + .75 * 3 / 2) = 2.0625, of
     * b = 1.5 * (.25 + .75 / 2) = .9375. */
    CHECK_INT(top(&r, "cat dog", 3, hit), 2);
    CHECK_INT(hit[0].doc, 0);
    CHECK_NEAR(hit[0].score,
               log(1 + 2.5 / 1.5) * 2 / (2 + 2.0625) + log(1 + 1.5 / 2.5) / (1 + 2.0625),
               1e-10);
    CHECK_INT(hit[1].doc, 1);
    CHECK_NEAR(hit[1].score, log(1 + 1.5 / 2.5) / (1 + 0.9375), 1e-10);
    close_index(&r);
}

TEST(terms_that_come_twice_in_a_query_count_twice)
{
    const assay_passage doc[] = {DOC("a", "cat dog"), DOC("b", "dog"), DOC("c", "x")};
    const assay_passages all = {doc, 3};
    ready r = open_index(&all, "words", "okapi", -1);
    assay_bm25_hit once[3];
    assay_bm25_hit twice[3];

    CHECK_INT(top(&r, "cat", 3, once), 1);
    CHECK_INT(top(&r, "cat cat", 3, twice), 1);
    CHECK_NEAR(twice[0].score, 2 * once[0].score, 1e-10);
    close_index(&r);
}

/* As recorded of rank_bm25 on files whose passages stand here in other words: idf of a
 * term in most passages is .25 of the mean. */
TEST(okapi_lifts_a_negative_idf_to_a_share_of_the_mean)
{
    const assay_passage doc[] = {DOC("a", "the cat"), DOC("b", "the dog"),
                                 DOC("c", "the bird")};
    const assay_passages all = {doc, 3};
    ready r = open_index(&all, "words", "okapi", -1);
    double rare = log(2.5) - log(1.5);
    double often = log(0.5) - log(3.5);
    double mean = (3 * rare + often) / 4;
    assay_bm25_hit hit[3];

    CHECK_NEAR(assay_bm25_mean_idf(r.bm25), mean, 1e-12);
    /* All are of mean length: f = 1 * 2.5 / (1 + 1.5) = 1. */
    CHECK_INT(top(&r, "the cat", 3, hit), 3);
    CHECK_NEAR(hit[0].score, rare + 0.25 * mean, 1e-10);
    CHECK_NEAR(hit[1].score, 0.25 * mean, 1e-10);
    CHECK_INT(hit[1].doc, 2);
    CHECK_INT(hit[2].doc, 1);
    close_index(&r);
}

TEST(title_terms_count_by_their_weight_in_frequency_and_length)
{
    assay_passage doc[] = {DOC("a", "dog"), DOC("b", "cat dog")};
    const assay_passages all = {doc, 2};
    assay_bm25_hit hit[2];
    ready r;

    doc[0].title = (assay_slice){"cat", 3};
    r = open_index(&all, "words", "lucene", 3);
    /* Lengths 1 + 3 * 1 = 4 and 2, mean 3; tf of cat in a = 3. */
    CHECK_INT(top(&r, "cat", 2, hit), 2);
    CHECK_INT(hit[0].doc, 0);
    CHECK_NEAR(hit[0].score, log(1 + 0.5 / 2.5) * 3 / (3 + 1.5 * (0.25 + 0.75 * 4 / 3)),
               1e-10);
    CHECK_NEAR(hit[1].score, log(1 + 0.5 / 2.5) / (1 + 1.5 * (0.25 + 0.75 * 2 / 3)),
               1e-10);
    close_index(&r);
}

TEST(frequencies_above_a_byte_are_kept)
{
    static char text[3 * 400 + 1];
    assay_passage doc[] = {DOC("a", ""), DOC("b", "cat")};
    const assay_passages all = {doc, 2};
    const assay_bm25_part *part;
    assay_tokens terms;
    assay_error err;
    size_t n;
    ready r;

    for (int i = 0; i < 400; i++)
        memcpy(text + 3 * i, "ox ", 3);
    doc[0].text = (assay_slice){text, 1200};
    doc[1].title = (assay_slice){text, 900};
    r = open_index(&all, "words", "lucene", -1);
    CHECK(assay_tokenize(r.tokens, ASSAY_LIT("ox"), &terms));
    CHECK_INT(assay_bm25_explain(r.search, &terms, 0, &part, &n, &err), ASSAY_OK);
    CHECK_INT(n, 1);
    CHECK_INT(part[0].tf.text, 400);
    CHECK_INT(assay_bm25_explain(r.search, &terms, 1, &part, &n, &err), ASSAY_OK);
    CHECK_INT(part[0].tf.title, 300);
    CHECK_INT(part[0].tf.text, 0);
    close_index(&r);
}

TEST(equal_scores_come_by_id_bytes_descending)
{
    const assay_passage doc[] = {DOC("a", "cat"), DOC("b", "cat"), DOC("c", "cat"),
                                 DOC("d", "dog")};
    const assay_passages all = {doc, 4};
    ready r = open_index(&all, "words", "lucene", -1);
    assay_bm25_hit hit[4];

    CHECK_INT(top(&r, "cat", 2, hit), 2);
    CHECK_INT(hit[0].doc, 2);
    CHECK_INT(hit[1].doc, 1);
    CHECK_INT(top(&r, "cat", 0, hit), 0);
    CHECK_INT(top(&r, "", 4, hit), 0);
    CHECK_INT(top(&r, "fish", 4, hit), 0);
    CHECK_INT(top(&r, "cat dog", 4, hit), 4);
    CHECK_INT(hit[0].doc, 3);
    close_index(&r);
}

TEST(an_empty_corpus_has_no_hits)
{
    const assay_passages none = {NULL, 0};
    const assay_passage doc[] = {DOC("a", ""), DOC("b", "")};
    const assay_passages empty = {doc, 2};
    assay_bm25_hit hit[1];
    ready r = open_index(&none, "auto", "lucene", -1);

    CHECK_INT(top(&r, "cat", 1, hit), 0);
    close_index(&r);
    r = open_index(&empty, "auto", "okapi", -1);
    CHECK_INT(top(&r, "cat", 1, hit), 0);
    close_index(&r);
}

/* ---- skipping ---- */

static void put_query(char *text, uint64_t *seed, uint32_t n_words)
{
    uint32_t n = 1 + next_random(seed) % QUERY_WORDS;
    size_t used = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, WORD + 1, "w%u ", zipf(seed, n_words));
}

/* The quick way and the thorough one give the same bits. */
static void check_queries(ready *r, uint64_t seed, uint32_t n_words, uint32_t n_docs)
{
    static const uint32_t cutoffs[] = {1, 10, 100, 1000};
    assay_bm25_hit *quick = calloc(n_docs + 1, sizeof *quick);
    assay_bm25_hit *all = calloc(n_docs + 1, sizeof *all);
    char text[QUERY_WORDS * (WORD + 1) + 1];
    assay_tokens terms;
    assay_error err;

    CHECK(quick && all);
    for (int q = 0; q < 60; q++) {
        uint32_t k = q == 59 ? n_docs : cutoffs[q % 4];
        uint32_t n_quick;
        uint32_t n_all;

        k = k < n_docs ? k : n_docs;
        put_query(text, &seed, n_words);
        CHECK(assay_tokenize(r->tokens, assay_slice_of(text), &terms));
        CHECK_INT(assay_bm25_top_all(r->search, &terms, k, all, &n_all, &err), ASSAY_OK);
        CHECK_INT(assay_bm25_top(r->search, &terms, k, quick, &n_quick, &err), ASSAY_OK);
        CHECK_INT(n_quick, n_all);
        for (uint32_t i = 0; i < n_all; i++) {
            CHECK_INT(quick[i].doc, all[i].doc);
            CHECK(memcmp(&quick[i].score, &all[i].score, sizeof(double)) == 0);
        }
    }
    free(quick);
    free(all);
}

TEST(skipping_gives_what_scoring_everything_gives)
{
    static const struct {
        uint32_t n, least, most, n_words;
        bool has_titles;
        const char *variant;
    } corpora[] = {
        {300, 1, 20, 40, true, "lucene"},      {30000, 5, 12, 3000, false, "lucene"},
        {30000, 8, 8, 200, false, "lucene"},   {20000, 1, 30, 500, true, "okapi"},
        {100, 20, 40, 5, false, "okapi"},      {9000, 1, 30, 500, true, "robertson"},
        {9000, 1, 30, 500, false, "atire"},    {9000, 1, 30, 500, true, "plus"},
        {9000, 1, 30, 500, false, "l"},        {8192, 3, 3, 50, false, "lucene"},
        {150000, 1, 2, 60000, false, "okapi"},
    };

    for (size_t i = 0; i < sizeof corpora / sizeof corpora[0]; i++) {
        made m = make(i + 1, corpora[i].n, corpora[i].least, corpora[i].most,
                      corpora[i].n_words, corpora[i].has_titles);
        ready r = open_index(&m.all, "whitespace", corpora[i].variant, -1);

        check_queries(&r, i, corpora[i].n_words, corpora[i].n);
        close_index(&r);
        unmake(&m);
    }
}

TEST(parts_of_an_explanation_add_up_to_the_score)
{
    made m = make(7, 500, 1, 30, 60, true);
    ready r = open_index(&m.all, "whitespace", "lucene", -1);
    assay_bm25_hit hit[20];
    assay_tokens terms;
    assay_error err;
    uint32_t n;

    CHECK(assay_tokenize(r.tokens, ASSAY_LIT("w1 w3 w3 w9 w20"), &terms));
    CHECK_INT(assay_bm25_top(r.search, &terms, 20, hit, &n, &err), ASSAY_OK);
    CHECK_INT(n, 20);
    for (uint32_t i = 0; i < n; i++) {
        const assay_bm25_part *part;
        double sum = 0;
        size_t n_parts;

        CHECK_INT(assay_bm25_explain(r.search, &terms, hit[i].doc, &part, &n_parts, &err),
                  ASSAY_OK);
        for (size_t j = 0; j < n_parts; j++)
            sum += part[j].part;
        CHECK(sum == hit[i].score);
    }
    close_index(&r);
    unmake(&m);
}

/* ---- threads and files ---- */

static char *read_bytes(const char *path, size_t *len)
{
    assay_file file = {.mapped = NULL};
    assay_error err;
    char *copy;

    CHECK_INT(assay_file_open(&file, path, &err), ASSAY_OK);
    *len = file.text.len;
    copy = malloc(file.text.len + 1);
    CHECK(copy != NULL);
    memcpy(copy, file.text.ptr, file.text.len);
    assay_file_close(&file);
    return copy;
}

static void save_built(const assay_passages *all, uint32_t n_threads, const char *path)
{
    assay_tokenizing t = tokenizing_of("whitespace");
    assay_postings *p = NULL;
    assay_error err;

    CHECK_INT(assay_postings_build(all, &t, n_threads, &p, &err), ASSAY_OK);
    p->passages = assay_postings_hash(all, n_threads);
    CHECK_INT(assay_postings_save(p, path, &err), ASSAY_OK);
    assay_postings_free(p);
}

TEST(any_number_of_threads_builds_the_same_file)
{
    static const uint32_t threads[] = {2, 3, 8, 64};
    made m = make(11, 9000, 1, 20, 2000, true);
    size_t len;
    char *first;

    save_built(&m.all, 1, "one.idx");
    first = read_bytes("one.idx", &len);
    for (size_t i = 0; i < 4; i++) {
        size_t n;
        char *other;

        save_built(&m.all, threads[i], "more.idx");
        other = read_bytes("more.idx", &n);
        CHECK_INT(n, len);
        CHECK(memcmp(first, other, len) == 0);
        free(other);
    }
    free(first);
    unmake(&m);
}

TEST(a_file_is_searched_like_what_it_was_made_from)
{
    made m = make(12, 9000, 1, 20, 500, true);
    ready r = {.postings = NULL};
    assay_error err;

    save_built(&m.all, 2, "x.idx");
    CHECK_INT(assay_postings_load("x.idx", &r.postings, &err), ASSAY_OK);
    CHECK(r.postings->passages == assay_postings_hash(&m.all, 1));
    CHECK_STR(r.postings->tokenizer, "whitespace");
    open_over(&r, "whitespace", "lucene", -1);
    check_queries(&r, 5, 500, 9000);
    close_index(&r);
    unmake(&m);
}

static void check_refused(const char *bytes, size_t len, const char *words)
{
    assay_postings *p = NULL;
    assay_error err;
    FILE *f = fopen("bad.idx", "wb");

    CHECK(f && fwrite(bytes, 1, len, f) == len && fclose(f) == 0);
    CHECK_INT(assay_postings_load("bad.idx", &p, &err), ASSAY_EINPUT);
    if (!strstr(err.text, words))
        check_failed(__FILE__, __LINE__, "'%s' lacks '%s'", err.text, words);
    CHECK(p == NULL);
}

TEST(bad_files_are_refused_with_a_reason)
{
    made m = make(13, 50, 1, 9, 30, false);
    size_t len;
    char *bytes;

    save_built(&m.all, 1, "good.idx");
    bytes = read_bytes("good.idx", &len);
    check_refused("hello", 5, "bad.idx: this is no index of assay");
    check_refused("", 0, "this is no index of assay");
    check_refused(bytes, 100, "cut short");
    check_refused(bytes, len - 64, "bytes and should have");
    bytes[16]++;
    check_refused(bytes, len, "version 2");
    bytes[16]--;
    bytes[40]++;
    check_refused(bytes, len, "header is broken");
    bytes[40]--;
    /* Its last part, padded to 64 bytes: the tokenizer's name. */
    CHECK(memcmp(bytes + len - 64, "whitespace", 10) == 0);
    bytes[len - 64] ^= 1;
    check_refused(bytes, len, "does not match its checksum");
    free(bytes);
    unmake(&m);
}

/* ---- passages ---- */

TEST(passages_are_sorted_and_ids_that_stand_twice_are_named)
{
    assay_passage good[] = {DOC("b", ""), DOC("a", ""), DOC("ab", "")};
    assay_passage bad[] = {DOC("b", ""), DOC("a", ""), DOC("b", ""), DOC("b", "")};
    assay_passage many[] = {DOC("a", ""), DOC("a", ""), DOC("b", ""), DOC("b", ""),
                            DOC("c", ""), DOC("c", ""), DOC("d", ""), DOC("d", "")};
    assay_error err;

    CHECK_INT(assay_passages_sort(good, 3, &err), ASSAY_OK);
    CHECK(assay_slice_is(good[1].id, "ab"));
    CHECK_INT(assay_passages_sort(bad, 4, &err), ASSAY_EINPUT);
    CHECK_STR(err.text, "an id stands twice: 'b'");
    CHECK_INT(assay_passages_sort(many, 8, &err), ASSAY_EINPUT);
    CHECK_STR(err.text, "ids that stand twice: 'a', 'b', 'c' and 1 more");
}

/* ---- memory ---- */

/* Build, save, load and search; ASSAY_OK when nothing failed. */
static assay_status all_of_it(const assay_passages *all, assay_error *err)
{
    const assay_bm25_variant *v = assay_bm25_variant_at(0);
    assay_postings *built = NULL;
    assay_postings *loaded = NULL;
    assay_token_worker *worker = NULL;
    assay_bm25_search *search = NULL;
    assay_bm25 *bm25 = NULL;
    assay_tokenizing t;
    assay_bm25_hit hit[5];
    assay_tokens terms;
    uint32_t n;
    assay_status st = assay_tokenizing_read("auto", &t, err);

    if (!st)
        st = assay_postings_build(all, &t, 1, &built, err);
    if (!st)
        st = assay_postings_save(built, "oom.idx", err);
    if (!st)
        st = assay_postings_load("oom.idx", &loaded, err);
    if (!st)
        st = assay_bm25_new(loaded, v, &v->standard, 1, &bm25, err);
    if (!st)
        st = assay_bm25_search_new(bm25, &search, err);
    if (!st)
        st = assay_token_worker_new(&t, &worker, err);
    if (!st && !assay_tokenize(worker, ASSAY_LIT("w1 W2 caf\u00e9"), &terms))
        st = ASSAY_ENOMEM;
    if (!st)
        st = assay_bm25_top(search, &terms, 5, hit, &n, err);
    assay_token_worker_free(worker);
    assay_bm25_search_free(search);
    assay_bm25_free(bm25);
    assay_postings_free(loaded);
    assay_postings_free(built);
    return st;
}

TEST(memory_that_runs_out_is_told_wherever_it_does)
{
    made m = make(17, 20, 1, 9, 30, true);
    assay_status st = ASSAY_ENOMEM;
    uint64_t n = 0;
    assay_error err;

    while (st) {
        assay_mem_fail_after(++n);
        st = all_of_it(&m.all, &err);
        CHECK(st == ASSAY_OK || st == ASSAY_ENOMEM);
        CHECK(n < 10000);
    }
    assay_mem_fail_after(0);
    CHECK(n > 20);
    unmake(&m);
}
