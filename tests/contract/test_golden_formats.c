/* SPDX-License-Identifier: Apache-2.0 */
/* What every golden format must do, by its fixtures in tests/fixtures/golden/<name>/: read
 * its good files and no other's, write them back the same, and refuse the bad ones with
 * the message beside them. */
#include "testing.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/slice.h"
#include "golden/golden.h"
#include "golden/top.h"

enum { MOST_FILES = 200, PATH = 1200 };

typedef struct listing {
    char name[MOST_FILES][100];
    size_t n;
} listing;

static bool ends(const char *name, const char *ending)
{
    return assay_slice_ends(assay_slice_of(name), ending);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static const char *folder_of(const assay_golden_format *format)
{
    char name[100];

    snprintf(name, sizeof name, "golden/%s", format->name);
    return fixture(name);
}

/* Files and folders of a format that begin with `prefix`, without what stands beside. */
static void list(const assay_golden_format *format, const char *prefix, listing *out)
{
    DIR *dir = opendir(folder_of(format));
    struct dirent *e;

    out->n = 0;
    if (!dir)
        check_failed(__FILE__, __LINE__, "no fixtures in '%s'", folder_of(format));
    while ((e = readdir(dir)) != NULL) {
        if (strncmp(e->d_name, prefix, strlen(prefix)) != 0 || ends(e->d_name, ".err") ||
            ends(e->d_name, ".topics"))
            continue;
        CHECK(out->n < MOST_FILES);
        snprintf(out->name[out->n++], sizeof out->name[0], "%.99s", e->d_name);
    }
    closedir(dir);
    qsort(out->name, out->n, sizeof out->name[0], by_name);
    if (!out->n)
        check_failed(__FILE__, __LINE__, "'%s' has no %s fixture", format->name, prefix);
}

/* Load a fixture, with its topics and documents. */
static assay_status load(const assay_golden_format *format, const char *name,
                         const char *as, assay_golden **out, assay_error *err)
{
    char path[PATH];
    char topics[PATH];
    assay_golden_options options = {.format = as, .with_documents = true};

    snprintf(path, sizeof path, "%s/%s", folder_of(format), name);
    snprintf(topics, sizeof topics, "%.1100s.topics", path);
    if (assay_file_exists(topics))
        options.topics = topics;
    return assay_golden_load(path, &options, out, err);
}

static assay_golden *must_load(const assay_golden_format *format, const char *name,
                               const char *as)
{
    assay_golden *golden = NULL;
    assay_error err;

    if (load(format, name, as, &golden, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return golden;
}

/* ---- equality ---- */

/* What two golden sets are found to differ in. */
static char difference[300];

static bool differ(const char *what, const assay_query *q)
{
    snprintf(difference, sizeof difference, "%s of query '%.*s'", what,
             q ? (int)q->id.len : 0, q ? q->id.ptr : "");
    return false;
}

static bool same_strings(assay_strings a, assay_strings b)
{
    if (a.n != b.n)
        return false;
    for (uint32_t i = 0; i < a.n; i++)
        if (!assay_slice_eq(a.item[i], b.item[i]))
            return false;
    return true;
}

static bool same_word(const assay_dict *a, uint32_t i, const assay_dict *b, uint32_t j)
{
    if (i == ASSAY_NONE || j == ASSAY_NONE)
        return i == j;
    return assay_slice_eq(a->word[i], b->word[j]);
}

static bool same_judgment(const assay_golden *a, const assay_judgment *x,
                          const assay_golden *b, const assay_judgment *y)
{
    return same_word(&a->docs, x->doc, &b->docs, y->doc) &&
           same_word(&a->chunks, x->chunk, &b->chunks, y->chunk) &&
           same_word(&a->subtopics, x->subtopic, &b->subtopics, y->subtopic) &&
           x->grade == y->grade && x->place == y->place &&
           x->where.start == y->where.start && x->where.end == y->where.end &&
           same_word(&a->headings, x->heading, &b->headings, y->heading) &&
           x->n_spans == y->n_spans &&
           (!x->n_spans ||
            (x->span[0].start == y->span[0].start && x->span[0].end == y->span[0].end)) &&
           assay_slice_eq(x->quote, y->quote);
}

static bool same_lists(const assay_query *x, const assay_query *y)
{
    if (!same_strings(x->tags, y->tags) ||
        !same_strings(x->must_contain, y->must_contain) ||
        !same_strings(x->forbidden, y->forbidden) || x->n_any_of != y->n_any_of ||
        x->n_meta != y->n_meta)
        return false;
    for (uint32_t i = 0; i < x->n_any_of; i++)
        if (!same_strings(x->any_of[i], y->any_of[i]))
            return false;
    for (uint32_t i = 0; i < x->n_meta; i++)
        if (!assay_slice_eq(x->meta[i].key, y->meta[i].key) ||
            !assay_slice_eq(x->meta[i].value, y->meta[i].value))
            return false;
    return true;
}

static bool same_query(const assay_golden *a, const assay_query *x, const assay_golden *b,
                       const assay_query *y)
{
    if (!assay_slice_eq(x->id, y->id) || !assay_slice_eq(x->text, y->text))
        return differ("id or text", x);
    if (x->label != y->label || x->is_draft != y->is_draft ||
        x->has_relevant_key != y->has_relevant_key)
        return differ("label", x);
    if (!assay_slice_eq(x->lang, y->lang) ||
        !assay_slice_eq(x->difficulty, y->difficulty) ||
        !assay_slice_eq(x->category, y->category) ||
        !assay_slice_eq(x->group, y->group) || !assay_slice_eq(x->notes, y->notes) ||
        !assay_slice_eq(x->expected_answer, y->expected_answer) ||
        x->has_expected_answer != y->has_expected_answer)
        return differ("a text", x);
    if (!same_lists(x, y))
        return differ("a list", x);
    if (x->n_judgments != y->n_judgments)
        return differ("number of judgments", x);
    for (uint32_t i = 0; i < x->n_judgments; i++)
        if (!same_judgment(a, &x->judgment[i], b, &y->judgment[i]))
            return differ("a judgment", x);
    return true;
}

static bool same_head(const assay_golden *a, const assay_golden *b)
{
    if (!assay_slice_eq(a->name, b->name) || !assay_slice_eq(a->version, b->version) ||
        !assay_slice_eq(a->description, b->description) ||
        !assay_slice_eq(a->conventions, b->conventions) ||
        a->n_thresholds != b->n_thresholds || a->n_docs != b->n_docs ||
        a->drop_self_hits != b->drop_self_hits)
        return false;
    for (uint32_t i = 0; i < a->n_thresholds; i++)
        if (!assay_slice_eq(a->threshold[i].metric, b->threshold[i].metric) ||
            a->threshold[i].value != b->threshold[i].value)
            return false;
    for (uint32_t i = 0; i < a->n_docs; i++)
        if (!assay_slice_eq(a->doc[i].id, b->doc[i].id) ||
            !assay_slice_eq(a->doc[i].title, b->doc[i].title) ||
            !assay_slice_eq(a->doc[i].text, b->doc[i].text))
            return false;
    return true;
}

static bool assay_golden_equal(const assay_golden *a, const assay_golden *b)
{
    if (!same_head(a, b))
        return differ("head", NULL);
    if (a->n_queries != b->n_queries)
        return differ("number of queries", NULL);
    for (uint32_t i = 0; i < a->n_queries; i++)
        if (!same_query(a, &a->query[i], b, &b->query[i]))
            return false;
    return true;
}

/* ---- writing and reading back ---- */

/* Write `golden` in `format` and read it again; counts what was lost. */
static assay_golden *round_trip(const assay_golden *golden,
                                const assay_golden_format *format, bool is_json,
                                size_t *n_lost)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_buffer topics = ASSAY_BUFFER_EMPTY;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_notes lost = {0};
    assay_golden_target target = {.out = &out,
                                  .path = "written",
                                  .is_json = is_json,
                                  .has_topics = strcmp(format->name, "trec") == 0,
                                  .lost = &lost,
                                  .arena = &arena};
    assay_golden_options options = {.format = format->name, .with_documents = true};
    assay_golden *back = NULL;
    assay_error err;

    CHECK(system("rm -rf written topics.tsv") == 0);
    if (assay_golden_write(golden, format, &target, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    target.out = &topics;
    CHECK(assay_golden_write_topics(golden, &target, &err) == ASSAY_OK);
    if (topics.len && target.has_topics &&
        assay_file_save("topics.tsv", assay_buffer_view(&topics), &err) == 0)
        options.topics = "topics.tsv";
    if (!format->is_folder)
        CHECK(assay_file_save("written", assay_buffer_view(&out), &err) == ASSAY_OK);
    options.with_documents = golden->n_docs > 0;
    if (assay_golden_load("written", &options, &back, &err))
        check_failed(__FILE__, __LINE__, "%s: %s\n%.*s", format->name, err.text,
                     (int)out.len, out.ptr);
    *n_lost = lost.n;
    assay_notes_clear(&lost);
    assay_arena_clear(&arena);
    assay_buffer_clear(&topics);
    assay_buffer_clear(&out);
    return back;
}

static void check_same(const assay_golden *a, const assay_golden *b, const char *name,
                       const char *through)
{
    if (!assay_golden_equal(a, b))
        check_failed(__FILE__, __LINE__, "%s through %s differs in %s", name, through,
                     difference);
}

/* ---- tests ---- */

TEST(every_format_says_what_it_is)
{
    const assay_golden_format *f;

    for (size_t i = 0; (f = assay_golden_format_at(i)) != NULL; i++) {
        CHECK(f->name && f->title && f->summary && f->sniff && f->read && f->write);
        CHECK(assay_golden_format_find(assay_slice_of(f->name)) == f);
    }
    CHECK(assay_golden_format_find(ASSAY_LIT("no such format")) == NULL);
}

TEST(every_good_file_is_recognised_as_its_own_format)
{
    const assay_golden_format *f;
    static listing files;

    for (size_t i = 0; (f = assay_golden_format_at(i)) != NULL; i++) {
        list(f, "good", &files);
        for (size_t k = 0; k < files.n; k++) {
            assay_golden *golden = must_load(f, files.name[k], NULL);

            if (golden->format != f)
                check_failed(__FILE__, __LINE__, "%s/%s was taken for %s", f->name,
                             files.name[k], golden->format->name);
            assay_golden_free(golden);
        }
    }
}

TEST(no_format_claims_a_good_file_of_another)
{
    const assay_golden_format *f;
    const assay_golden_format *other;
    static listing files;

    for (size_t i = 0; (f = assay_golden_format_at(i)) != NULL; i++) {
        list(f, "good", &files);
        for (size_t k = 0; k < files.n; k++) {
            assay_golden *golden = must_load(f, files.name[k], f->name);
            const assay_golden_options options = {0};
            static assay_top top;
            assay_golden_source source = {.path = golden->path,
                                          .text = golden->file.text,
                                          .is_folder = f->is_folder,
                                          .options = &options};

            if (f->is_folder)
                source.text = ASSAY_LIT("");
            CHECK(assay_top_read(&top, source.text, &golden->arena));
            source.top = &top;
            for (size_t o = 0; (other = assay_golden_format_at(o)) != NULL; o++)
                if (other != f && other->is_folder == f->is_folder &&
                    other->sniff(&source))
                    check_failed(__FILE__, __LINE__, "%s claims %s/%s", other->name,
                                 f->name, files.name[k]);
            assay_golden_free(golden);
        }
    }
}

TEST(every_good_file_comes_back_the_same_when_written)
{
    const assay_golden_format *f;
    static listing files;
    size_t n_lost;

    for (size_t i = 0; (f = assay_golden_format_at(i)) != NULL; i++) {
        list(f, "good", &files);
        for (size_t k = 0; k < files.n; k++) {
            assay_golden *golden = must_load(f, files.name[k], f->name);
            assay_golden *back = round_trip(golden, f, false, &n_lost);

            check_same(golden, back, files.name[k], f->name);
            CHECK_INT(n_lost, 0);
            assay_golden_free(back);
            assay_golden_free(golden);
        }
    }
}

TEST(the_native_format_holds_every_good_file_of_all_formats_as_yaml_and_json)
{
    const assay_golden_format *native = assay_golden_format_at(0);
    const assay_golden_format *f;
    static listing files;
    size_t n_lost;

    for (size_t i = 0; (f = assay_golden_format_at(i)) != NULL; i++) {
        list(f, "good", &files);
        for (size_t k = 0; k < files.n * 2; k++) {
            const char *name = files.name[k / 2];
            assay_golden *golden = must_load(f, name, f->name);
            assay_golden *back = round_trip(golden, native, k % 2, &n_lost);

            check_same(golden, back, name, k % 2 ? "JSON" : "YAML");
            CHECK_INT(n_lost, 0);
            assay_golden_free(back);
            assay_golden_free(golden);
        }
    }
}

TEST(what_a_target_can_hold_survives_there_and_back)
{
    const assay_golden_format *f;
    const assay_golden_format *to;
    static listing files;
    size_t n_lost;

    for (size_t i = 0; (f = assay_golden_format_at(i)) != NULL; i++) {
        list(f, "good", &files);
        for (size_t k = 0; k < files.n; k++) {
            assay_golden *golden = must_load(f, files.name[k], f->name);

            for (size_t t = 0; (to = assay_golden_format_at(t)) != NULL; t++) {
                bool fits = true;
                assay_golden *there;

                /* A set of which the target holds nothing cannot be read again. */
                for (uint32_t q = 0; q < golden->n_queries; q++)
                    fits =
                        fits && golden->query[q].n_judgments > 0 &&
                        golden->query[q].judgment[0].doc != ASSAY_NONE &&
                        golden->query[q].judgment[0].grade > 0 &&
                        !memchr(golden->query[q].id.ptr, ' ', golden->query[q].id.len) &&
                        golden->query[q].text.len > 0;
                if (!fits)
                    continue;
                there = round_trip(golden, to, false, &n_lost);
                /* BEIR's rule for hits of the query itself comes with its format. */
                if (!n_lost && golden->drop_self_hits == there->drop_self_hits)
                    check_same(golden, there, files.name[k], to->name);
                assay_golden_free(there);
            }
            assay_golden_free(golden);
        }
    }
}

/* The message beside a bad fixture, without its line break. */
static void read_message(const assay_golden_format *format, const char *name, char *text,
                         size_t size)
{
    char path[PATH];
    FILE *file;
    size_t n;

    snprintf(path, sizeof path, "%s/%s.err", folder_of(format), name);
    file = fopen(path, "rb");
    if (!file)
        check_failed(__FILE__, __LINE__, "no message beside %s/%s", format->name, name);
    n = fread(text, 1, size - 1, file);
    fclose(file);
    while (n && text[n - 1] == '\n')
        n--;
    text[n] = '\0';
}

/* `text` without the path of the fixtures. */
static void shorten(const assay_golden_format *format, char *text)
{
    char prefix[PATH];
    char *at;

    snprintf(prefix, sizeof prefix, "%s/", folder_of(format));
    while ((at = strstr(text, prefix)) != NULL)
        memmove(at, at + strlen(prefix), strlen(at + strlen(prefix)) + 1);
}

TEST(every_bad_file_fails_with_the_message_beside_it)
{
    const assay_golden_format *f;
    static listing files;

    for (size_t i = 0; (f = assay_golden_format_at(i)) != NULL; i++) {
        list(f, "bad_", &files);
        for (size_t k = 0; k < files.n; k++) {
            assay_golden *golden = NULL;
            char want[1000];
            assay_error err;

            if (load(f, files.name[k], f->name, &golden, &err) == ASSAY_OK)
                check_failed(__FILE__, __LINE__, "%s/%s was read", f->name,
                             files.name[k]);
            CHECK(golden == NULL);
            CHECK(err.status == ASSAY_EINPUT || err.status == ASSAY_EUSAGE);
            read_message(f, files.name[k], want, sizeof want);
            shorten(f, err.text);
            CHECK_STR(err.text, want);
        }
    }
}

/* Real sets of other people, where they are at hand. */
TEST(real_sets_load_and_come_back_through_every_format_that_holds_them)
{
    static const struct {
        const char *path;
        const char *format;
        uint32_t n_queries;
    } set[] = {
        {"kebab/fixtures/golden_queries.yaml", "kebab", 5},
        {"kebab/fixtures/multi_hop_golden.yaml", "kebab", 15},
        {"bob/docs/eval/example_gold.jsonl", "bob", 20},
        {"evalvault/examples/benchmarks/korean_rag/retrieval_test.json", "evalvault", 15},
        {"evalvault/tests/fixtures/benchmark/retrieval_ground_truth_min.json",
         "evalvault", 2},
        {"dl-hard-runs/dl_hard-doc.qrels", "trec", 50},
        {"covid-rrf-oracle/qrels.covid-round1.txt", "trec", 30},
        {"cran", "beir", 225},
        {"cacm", "beir", 52},
        {"beir-nfcorpus", "beir", 323},
        {"beir-scifact", "beir", 300},
        {"autorag-ko", "beir", 114},
    };
    size_t n_lost;

    if (!assay_file_is_folder(TEST_SRC "/../shared/data"))
        SKIP("no ../shared/data");
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
        assay_golden *golden = NULL;
        assay_golden *back;
        char path[PATH];
        assay_error err;

        snprintf(path, sizeof path, "%s/../shared/data/%s", TEST_SRC, set[i].path);
        if (assay_golden_load(path, NULL, &golden, &err))
            check_failed(__FILE__, __LINE__, "%s", err.text);
        CHECK_STR(golden->format->name, set[i].format);
        CHECK_INT(golden->n_queries, set[i].n_queries);
        back = round_trip(golden, golden->format, false, &n_lost);
        check_same(golden, back, set[i].path, golden->format->name);
        assay_golden_free(back);
        back = round_trip(golden, assay_golden_format_at(0), false, &n_lost);
        check_same(golden, back, set[i].path, "YAML");
        assay_golden_free(back);
        assay_golden_free(golden);
    }
}
