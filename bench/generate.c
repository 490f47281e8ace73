/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the data that the benchmarks run on, from a seed and nothing else.
 *
 * The big set has the size of MS MARCO passage dev (6,980 queries, 1,000 hits each, about
 * 1.07 relevant documents a query); the small one the size of a TREC track (50 queries,
 * 1,000 hits, about 200 graded judgments a query).  Only integers are used, so that the
 * same seed gives the same bytes on every machine.
 *
 * The rankings are held as numbers (8 bytes a hit) and written as text once for each
 * file. The shuffled run is thus a walk over a shuffled index, not a shuffle of strings.
 */
#define _POSIX_C_SOURCE 200809L

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    EXIT_USAGE = 2,
    EXIT_SYSTEM = 4,
    MAX_QUERY_ID = 1102400, /* the highest query id of MS MARCO passage is near here */
    MAX_DOC_ID = 8841822,   /* and the highest passage id is this */
    SMALL_QUERIES = 50,
    SMALL_DOCS = 1000,
    BLOCK = 1 << 20, /* bytes handed to the system at a time */
    LINE_ROOM = 256, /* no single put is longer than this */
    PATH_ROOM = 4096,
};

/* Raised whenever the bytes made from a given seed change. */
#define DATA_VERSION 1

typedef struct request {
    const char *dir;
    uint64_t seed;
    uint32_t n_queries;
    uint32_t n_docs; /* hits a query in the big run */
    bool has_long_ids;
} request;

/* The rankings of a run, hit i of query q at q * n_docs + i, best first. */
typedef struct rankings {
    uint32_t *query;       /* n_queries ids, all different */
    uint32_t *doc;         /* document of each hit, all different within a query */
    uint32_t *score_micro; /* score of each hit in millionths, never rising */
    uint32_t n_queries;
    uint32_t n_docs;
} rankings;

typedef struct writer {
    FILE *file;
    char *buf;
    size_t n_used;
    uint64_t n_written; /* bytes, those in buf included */
    bool has_long_ids;
    bool has_failed;
} writer;

static void *get_memory(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);

    if (!p) {
        fprintf(stderr, "generate: no memory for %zu x %zu bytes\n", n, size);
        exit(EXIT_SYSTEM);
    }
    return p;
}

/* Random numbers: splitmix64, which needs no warming up and takes any seed. */

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* A number in 0 .. n-1.  The bias of multiply and shift, below 2^-8 of a per cent for our
 * n, does not matter here. */
static uint32_t below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(((next_random(state) >> 32) * n) >> 32);
}

/* One stream for each purpose and item: a file made alone has the bytes that it has when
 * all are made. */
static uint64_t stream(uint64_t seed, const char *purpose, uint32_t item)
{
    uint64_t state = seed ^ 0x6173736179u;

    for (; *purpose; purpose++)
        state = next_random(&state) ^ (unsigned char)*purpose;
    state ^= item;
    return next_random(&state);
}

static void shuffle(uint32_t *a, uint32_t n, uint64_t *state)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = below(state, i);
        uint32_t t = a[i - 1];

        a[i - 1] = a[j];
        a[j] = t;
    }
}

static uint32_t *count_up(uint32_t n)
{
    uint32_t *a = get_memory(n, sizeof *a);

    for (uint32_t i = 0; i < n; i++)
        a[i] = i;
    return a;
}

/* Rankings. */

/* Query ids in no order, as they stand in the query file that a real run was made from.
 */
static void draw_queries(rankings *r, uint64_t state)
{
    uint32_t *ids = count_up(MAX_QUERY_ID);

    for (uint32_t i = 0; i < r->n_queries; i++) {
        uint32_t j = i + below(&state, MAX_QUERY_ID - i);
        uint32_t t = ids[i];

        ids[i] = ids[j];
        ids[j] = t;
        r->query[i] = ids[i] + 1;
    }
    free(ids);
}

/* Documents of query q.  seen[] has a power of two of slots and is kept between queries:
 * a slot counts only when its upper half names this query, so it is never wiped. */
static void draw_docs(rankings *r, uint32_t q, uint64_t *seen, uint32_t n_slots,
                      uint64_t *state)
{
    uint32_t *doc = r->doc + (size_t)q * r->n_docs;

    for (uint32_t i = 0; i < r->n_docs;) {
        uint32_t id = 1 + below(state, MAX_DOC_ID);
        uint64_t mark = ((uint64_t)q + 1) << 32 | id;
        uint32_t slot = (id * 2654435761u) & (n_slots - 1);

        while (seen[slot] >> 32 == (uint64_t)q + 1 && seen[slot] != mark)
            slot = (slot + 1) & (n_slots - 1);
        if (seen[slot] == mark)
            continue;
        seen[slot] = mark;
        doc[i++] = id;
    }
}

/* Scores fall steeply at first and flatten, as BM25 scores do: the gap after rank k is
 * about 1/k of the first.  About four gaps a query are nought, which are the ties. */
static void draw_scores(rankings *r, uint32_t q, uint64_t *state)
{
    uint32_t *score = r->score_micro + (size_t)q * r->n_docs;
    uint32_t now = 12000000 + below(state, 20000000);
    uint32_t widest = now / 12;

    for (uint32_t i = 0; i < r->n_docs; i++) {
        uint32_t gap = 1 + below(state, widest / (i + 1) + 2);

        score[i] = now;
        if (below(state, r->n_docs) >= 4 && now > gap)
            now -= gap;
    }
}

static rankings draw_rankings(uint32_t n_queries, uint32_t n_docs, uint64_t seed,
                              const char *purpose)
{
    size_t n_hits = (size_t)n_queries * n_docs;
    rankings r = {.n_queries = n_queries, .n_docs = n_docs};
    uint32_t n_slots = 16;
    uint64_t *seen;

    while (n_slots < 2 * n_docs)
        n_slots *= 2;
    seen = get_memory(n_slots, sizeof *seen);
    r.query = get_memory(n_queries, sizeof *r.query);
    r.doc = get_memory(n_hits, sizeof *r.doc);
    r.score_micro = get_memory(n_hits, sizeof *r.score_micro);

    draw_queries(&r, stream(seed, purpose, UINT32_MAX));
    for (uint32_t q = 0; q < n_queries; q++) {
        uint64_t state = stream(seed, purpose, q);

        draw_docs(&r, q, seen, n_slots, &state);
        draw_scores(&r, q, &state);
    }
    free(seen);
    return r;
}

static void clear_rankings(rankings *r)
{
    free(r->query);
    free(r->doc);
    free(r->score_micro);
    *r = (rankings){0};
}

/* Text. */

static void flush(writer *w)
{
    if (!w->has_failed && fwrite(w->buf, 1, w->n_used, w->file) != w->n_used)
        w->has_failed = true;
    w->n_used = 0;
}

static void put_text(writer *w, const char *s)
{
    size_t n = strlen(s);

    assert(n < LINE_ROOM);
    if (w->n_used + LINE_ROOM > BLOCK)
        flush(w);
    memcpy(w->buf + w->n_used, s, n);
    w->n_used += n;
    w->n_written += n;
}

static void put_number(writer *w, uint32_t n)
{
    char digits[11];
    char *p = digits + sizeof digits - 1;

    *p = '\0';
    do {
        *--p = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    put_text(w, p);
}

static void put_score(writer *w, uint32_t micro)
{
    char digits[8] = ".000000";
    uint32_t rest = micro % 1000000;

    put_number(w, micro / 1000000);
    for (int i = 6; i > 0; i--) {
        digits[i] = (char)('0' + rest % 10);
        rest /= 10;
    }
    put_text(w, digits);
}

/* The long form is that of MS MARCO v2; the multiplication spreads the ids over nine
 * digits and keeps them different. */
static void put_doc(writer *w, uint32_t doc)
{
    if (w->has_long_ids) {
        uint32_t part = doc % 70;

        put_text(w, "msmarco_passage_");
        put_text(w, part < 10 ? "0" : "");
        put_number(w, part);
        put_text(w, "_");
        doc *= 61;
    }
    put_number(w, doc);
}

static void put_run_line(writer *w, const rankings *r, size_t hit)
{
    put_number(w, r->query[hit / r->n_docs]);
    put_text(w, " Q0 ");
    put_doc(w, r->doc[hit]);
    put_text(w, " ");
    put_number(w, (uint32_t)(hit % r->n_docs) + 1);
    put_text(w, " ");
    put_score(w, r->score_micro[hit]);
    put_text(w, " bench\n");
}

static void put_judgment(writer *w, uint32_t query, uint32_t doc, uint32_t grade)
{
    put_number(w, query);
    put_text(w, " 0 ");
    put_doc(w, doc);
    put_text(w, " ");
    put_number(w, grade);
    put_text(w, "\n");
}

/* Files. */

static void write_run(writer *w, const rankings *r, uint64_t seed)
{
    size_t n_hits = (size_t)r->n_queries * r->n_docs;

    (void)seed;
    for (size_t i = 0; i < n_hits; i++)
        put_run_line(w, r, i);
}

static void write_shuffled(writer *w, const rankings *r, uint64_t seed)
{
    uint32_t n_hits = r->n_queries * r->n_docs;
    uint64_t state = stream(seed, "shuffle", 0);
    uint32_t *order = count_up(n_hits);

    shuffle(order, n_hits, &state);
    for (uint32_t i = 0; i < n_hits; i++)
        put_run_line(w, r, order[i]);
    free(order);
}

static void write_jsonl(writer *w, const rankings *r, uint64_t seed)
{
    (void)seed;
    for (uint32_t q = 0; q < r->n_queries; q++) {
        put_text(w, "{\"query_id\":\"");
        put_number(w, r->query[q]);
        put_text(w, "\",\"hits\":[");
        for (uint32_t i = 0; i < r->n_docs; i++) {
            size_t hit = (size_t)q * r->n_docs + i;

            put_text(w, i ? ",{\"rank\":" : "{\"rank\":");
            put_number(w, i + 1);
            put_text(w, ",\"doc_id\":\"");
            put_doc(w, r->doc[hit]);
            put_text(w, "\",\"score\":");
            put_score(w, r->score_micro[hit]);
            put_text(w, "}");
        }
        put_text(w, "]}\n");
    }
}

/* A position that is as likely in 1 .. 2 as in 3 .. 6 or 7 .. 14: relevant documents
 * crowd at the top and have a long tail. */
static uint32_t draw_pos(uint32_t n_docs, uint64_t *state)
{
    uint32_t n_doublings = 1;

    while ((2u << n_doublings) - 2 < n_docs)
        n_doublings++;
    for (;;) {
        uint32_t k = below(state, n_doublings);
        uint32_t pos = (2u << k) - 2 + below(state, 2u << k);

        if (pos < n_docs)
            return pos;
    }
}

/* Documents above the highest id are never retrieved, so no search is needed to find one.
 */
static uint32_t draw_missing(uint64_t *state)
{
    return MAX_DOC_ID + 1 + below(state, 1000000);
}

/* One relevant document a query and a second one in every fourteenth, 86 % of them
 * retrieved: the figures of BM25 on MS MARCO dev.  The queries stand in another order
 * than in the run. */
static void write_sparse_qrels(writer *w, const rankings *r, uint64_t seed)
{
    uint64_t state = stream(seed, "qrels order", 0);
    uint32_t *order = count_up(r->n_queries);

    shuffle(order, r->n_queries, &state);
    for (uint32_t i = 0; i < r->n_queries; i++) {
        const uint32_t *docs = r->doc + (size_t)order[i] * r->n_docs;
        uint32_t n = 1;
        uint32_t previous = 0;

        state = stream(seed, "qrels", order[i]);
        n += below(&state, 100) < 7;
        while (n) {
            bool is_retrieved = below(&state, 100) < 86;
            uint32_t doc =
                is_retrieved ? docs[draw_pos(r->n_docs, &state)] : draw_missing(&state);

            /* A pair judged twice is an error in a qrels file. */
            if (doc == previous)
                continue;
            put_judgment(w, r->query[order[i]], doc, 1);
            previous = doc;
            n--;
        }
    }
    free(order);
}

static uint32_t draw_grade(bool is_top, uint64_t *state)
{
    /* Per cent of judgments that have at most grade 0, 1, 2. */
    static const uint32_t top[] = {50, 75, 90};
    static const uint32_t rest[] = {80, 92, 97};
    uint32_t u = below(state, 100);
    uint32_t grade = 0;

    while (grade < 3 && u >= (is_top ? top : rest)[grade])
        grade++;
    return grade;
}

/* About 200 judgments a query, grades 0 to 3: the first 50 hits, as if they had been
 * pooled, 90 of the others, and 60 that this run did not find. */
static void write_graded_qrels(writer *w, const rankings *r, uint64_t seed)
{
    enum { POOL = 50, DEEPER = 90, MISSING = 60 };

    for (uint32_t q = 0; q < r->n_queries; q++) {
        uint64_t state = stream(seed, "graded", q);
        uint32_t missing = draw_missing(&state);

        for (uint32_t i = 0; i < r->n_docs; i++)
            if (i < POOL || below(&state, r->n_docs - POOL) < DEEPER)
                put_judgment(w, r->query[q], r->doc[(size_t)q * r->n_docs + i],
                             draw_grade(i < POOL, &state));
        for (uint32_t i = 0; i < MISSING; i++) {
            put_judgment(w, r->query[q], missing, draw_grade(false, &state));
            missing += 1 + below(&state, 100);
        }
    }
}

typedef struct output {
    const char *name;
    bool is_small; /* made from the small rankings, not the big ones */
    void (*write)(writer *w, const rankings *r, uint64_t seed);
} output;

static const output outputs[] = {
    {"run.trec", false, write_run},    {"run.shuffled.trec", false, write_shuffled},
    {"run.jsonl", false, write_jsonl}, {"run.qrels", false, write_sparse_qrels},
    {"small.trec", true, write_run},   {"small.qrels", true, write_graded_qrels},
};

enum { N_OUTPUTS = sizeof outputs / sizeof outputs[0] };

static void die(const char *what, const char *path)
{
    fprintf(stderr, "generate: cannot %s '%s': %s\n", what, path, strerror(errno));
    exit(EXIT_SYSTEM);
}

static void join(char *path, const char *dir, const char *name, const char *suffix)
{
    int n = snprintf(path, PATH_ROOM, "%s/%s%s", dir, name, suffix);

    if (n < 0 || n >= PATH_ROOM) {
        errno = ENAMETOOLONG;
        die("name a file in", dir);
    }
}

static void make_dir(const char *dir)
{
    char path[PATH_ROOM];
    size_t n = strlen(dir);

    if (n >= sizeof path) {
        errno = ENAMETOOLONG;
        die("make", dir);
    }
    memcpy(path, dir, n + 1);
    for (size_t i = 1; i <= n; i++) {
        char c = path[i];

        if (c != '/' && c != '\0')
            continue;
        path[i] = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            die("make", path);
        path[i] = c;
    }
}

/* The stamp says what the files were made from and how long each one is.  It is written
 * after each file, so that an interrupted run goes on where it stopped. */

static void describe(const request *req, char *text, size_t size)
{
    snprintf(text, size, "assay bench data %d seed %llu queries %u docs %u ids %s\n",
             DATA_VERSION, (unsigned long long)req->seed, req->n_queries, req->n_docs,
             req->has_long_ids ? "long" : "short");
}

static void read_stamp(const request *req, uint64_t size_bytes[N_OUTPUTS])
{
    char path[PATH_ROOM], want[LINE_ROOM], line[LINE_ROOM];
    FILE *f;

    join(path, req->dir, "stamp", "");
    f = fopen(path, "r");
    if (!f)
        return;
    describe(req, want, sizeof want);
    if (fgets(line, sizeof line, f) && strcmp(line, want) == 0) {
        char name[64];
        unsigned long long n;

        while (fscanf(f, "%63s %llu", name, &n) == 2)
            for (int i = 0; i < N_OUTPUTS; i++)
                if (strcmp(outputs[i].name, name) == 0)
                    size_bytes[i] = n;
    }
    fclose(f);
}

static void write_stamp(const request *req, const uint64_t size_bytes[N_OUTPUTS])
{
    char path[PATH_ROOM], draft[PATH_ROOM], text[LINE_ROOM];
    FILE *f;

    join(path, req->dir, "stamp", "");
    join(draft, req->dir, "stamp", ".part");
    f = fopen(draft, "w");
    if (!f)
        die("write", draft);
    describe(req, text, sizeof text);
    fputs(text, f);
    for (int i = 0; i < N_OUTPUTS; i++)
        if (size_bytes[i])
            fprintf(f, "%s %llu\n", outputs[i].name, (unsigned long long)size_bytes[i]);
    if (fclose(f) || rename(draft, path))
        die("write", path);
}

static bool is_there(const request *req, const output *out, uint64_t size_bytes)
{
    char path[PATH_ROOM];
    struct stat st;

    join(path, req->dir, out->name, "");
    return size_bytes && stat(path, &st) == 0 && (uint64_t)st.st_size == size_bytes;
}

static uint64_t make(const request *req, const output *out, const rankings *r)
{
    char path[PATH_ROOM], draft[PATH_ROOM];
    writer w = {.has_long_ids = req->has_long_ids};
    int failed;

    join(path, req->dir, out->name, "");
    join(draft, req->dir, out->name, ".part");
    w.buf = get_memory(BLOCK, 1);
    w.file = fopen(draft, "wb");
    if (!w.file)
        die("write", draft);
    setvbuf(w.file, NULL, _IONBF, 0); /* buf is the buffer */
    out->write(&w, r, req->seed);
    flush(&w);
    failed = w.has_failed;
    if (fclose(w.file) || failed || rename(draft, path))
        die("write", path);
    free(w.buf);
    return w.n_written;
}

static void make_all(const request *req)
{
    uint64_t size_bytes[N_OUTPUTS] = {0};
    rankings r[2] = {{0}, {0}}; /* big, small; drawn when the first file needs them */

    make_dir(req->dir);
    read_stamp(req, size_bytes);
    for (int i = 0; i < N_OUTPUTS; i++) {
        const output *out = &outputs[i];
        rankings *from = &r[out->is_small];
        bool is_kept = is_there(req, out, size_bytes[i]);

        if (!is_kept) {
            if (!from->query)
                *from =
                    out->is_small
                        ? draw_rankings(SMALL_QUERIES, SMALL_DOCS, req->seed, "small")
                        : draw_rankings(req->n_queries, req->n_docs, req->seed, "big");
            size_bytes[i] = make(req, out, from);
            write_stamp(req, size_bytes);
        }
        fprintf(stderr, "generate: %s %s/%s, %llu bytes\n", is_kept ? "kept" : "made",
                req->dir, out->name, (unsigned long long)size_bytes[i]);
    }
    clear_rankings(&r[0]);
    clear_rankings(&r[1]);
}

static const char usage[] =
    "usage: generate [--dir DIR] [--seed N] [--queries N] [--docs N] [--ids short|long]\n"
    "  --dir DIR       where the files go                 build/bench/data\n"
    "  --seed N        the same seed, the same bytes      1\n"
    "  --queries N     queries in the big run             6980\n"
    "  --docs N        hits a query in the big run        1000\n"
    "  --ids KIND      short: 7067032                     short\n"
    "                  long: msmarco_passage_07_123456789\n";

static uint64_t to_number(const char *option, const char *text, uint64_t least,
                          uint64_t most)
{
    char *end;
    unsigned long long n;

    errno = 0;
    n = strtoull(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || n < least || n > most) {
        fprintf(stderr, "generate: --%s '%s' is not a number from %llu to %llu\n", option,
                text, (unsigned long long)least, (unsigned long long)most);
        exit(EXIT_USAGE);
    }
    return n;
}

static bool to_ids(const char *text)
{
    bool is_long = strcmp(text, "long") == 0;

    if (!is_long && strcmp(text, "short") != 0) {
        fprintf(stderr, "generate: --ids '%s' is neither short nor long\n", text);
        exit(EXIT_USAGE);
    }
    return is_long;
}

int main(int argc, char **argv)
{
    static const struct option table[] = {
        {"dir", required_argument, NULL, 'd'},
        {"seed", required_argument, NULL, 's'},
        {"queries", required_argument, NULL, 'q'},
        {"docs", required_argument, NULL, 'n'},
        {"ids", required_argument, NULL, 'i'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    request req = {"build/bench/data", 1, 6980, 1000, false};
    int c;

    while ((c = getopt_long(argc, argv, "", table, NULL)) != -1) {
        switch (c) {
        case 'd': req.dir = optarg; break;
        case 's': req.seed = to_number("seed", optarg, 0, UINT64_MAX); break;
        case 'q':
            req.n_queries = (uint32_t)to_number("queries", optarg, 1, 1000000);
            break;
        case 'n': req.n_docs = (uint32_t)to_number("docs", optarg, 1, 1000000); break;
        case 'i': req.has_long_ids = to_ids(optarg); break;
        case 'h': fputs(usage, stdout); return 0;
        default: fputs(usage, stderr); return EXIT_USAGE;
        }
    }
    if (optind < argc || (uint64_t)req.n_queries * req.n_docs > UINT32_MAX) {
        fputs(optind < argc ? usage : "generate: more than 2^32 lines are too many\n",
              stderr);
        return EXIT_USAGE;
    }
    make_all(&req);
    return 0;
}
