/* SPDX-License-Identifier: Apache-2.0 */
/* Several processes and one store: they write at once, they are killed, they make the same
 * store at the same time.  Over each database that is there, as in test_stores.c. */
#include "store_testing.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

enum { WRITERS = 4, RESULTS = 40, KILLS = 20, PLENTY = 100000 };

/* What children tell their parent. */
typedef struct shared {
    volatile uint32_t n_done; /* results whose put has returned */
} shared;

static shared *share(void)
{
    int fd = open("shared", O_RDWR | O_CREAT | O_TRUNC, 0600);
    shared *s;

    CHECK(fd >= 0 && ftruncate(fd, sizeof *s) == 0);
    s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(s != MAP_FAILED);
    close(fd);
    s->n_done = 0;
    return s;
}

static assay_result result_of(assay_hit *hit, char *id, uint32_t q)
{
    snprintf(id, 20, "q%06u", q);
    *hit = (assay_hit){.chunk = SLICE(""),
                       .doc = assay_slice_of(id),
                       .text = SLICE(""),
                       .rank = 1,
                       .score = q,
                       .has_score = true};
    return (assay_result){.query_id = assay_slice_of(id),
                          .query = SLICE("what?"),
                          .mode = SLICE(""),
                          .error = SLICE(""),
                          .hit = hit,
                          .n_hits = 1,
                          .elapsed_ms = q};
}

/* In a child: never returns, and tells by its code whether all went well. */
static void write_results(const char *place, const char *run_id, uint32_t first,
                          uint32_t n, shared *s)
{
    assay_store *store = NULL;
    assay_error err;

    if (assay_store_open(place, ASSAY_STORE_WRITE, &store, &err))
        _exit(2);
    for (uint32_t q = first; q < first + n; q++) {
        char id[20];
        assay_hit hit;
        assay_result r = result_of(&hit, id, q);

        if (assay_store_put(store, assay_slice_of(run_id), &r, &err)) {
            fprintf(stderr, "%s\n", err.text);
            _exit(3);
        }
        if (s)
            s->n_done = q + 1;
    }
    assay_store_close(store);
    _exit(0);
}

static void wait_well(pid_t child)
{
    int status = -1;

    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void check_results(const char *place, const char *run_id, uint32_t least,
                          uint32_t most)
{
    assay_store *store = open_store(place, ASSAY_STORE_READ);
    assay_run *run = NULL;
    uint32_t n;

    OK(assay_store_load(store, assay_slice_of(run_id), &run, &test_err));
    n = assay_run_n(run);
    CHECK(n >= least && n <= most);
    for (uint32_t q = 0; q < n; q++) {
        char id[20];
        assay_hit hit;
        assay_result want = result_of(&hit, id, q);

        check_same_result(&run->result[q], &want);
    }
    assay_run_free(run);
    assay_store_close(store);
}

static void many_writers(assay_store *store, const char *place)
{
    pid_t child[WRITERS];

    add_run(store, "run_shared");
    for (uint32_t w = 0; w < WRITERS; w++) {
        child[w] = fork();
        if (child[w] == 0)
            write_results(place, "run_shared", w * RESULTS, RESULTS, NULL);
    }
    for (uint32_t w = 0; w < WRITERS; w++)
        wait_well(child[w]);
    check_results(place, "run_shared", WRITERS * RESULTS, WRITERS * RESULTS);
}

TEST(several_processes_write_to_one_run_at_once)
{
    each_store(many_writers);
}

static void pause_us(long us)
{
    struct timespec t = {0, us * 1000};

    nanosleep(&t, NULL);
}

static void killed_writers(assay_store *store, const char *place)
{
    shared *s = share();
    uint64_t state = (uint64_t)getpid() * 2654435761U + 1;

    for (uint32_t k = 0; k < KILLS; k++) {
        char run_id[20];
        uint32_t done;
        pid_t child;

        snprintf(run_id, sizeof run_id, "run_%u", k);
        add_run(store, run_id);
        s->n_done = 0;
        child = fork();
        if (child == 0)
            write_results(place, run_id, 0, PLENTY, s);
        while (s->n_done == 0 && waitpid(child, NULL, WNOHANG) == 0)
            pause_us(100);
        state = state * 6364136223846793005U + 1442695040888963407U;
        pause_us((long)(state >> 40) % 3000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        done = s->n_done;
        CHECK(done > 0);
        /* All that was acknowledged, and at most the one in flight besides. */
        check_results(place, run_id, done, done + 1);
    }
    munmap(s, sizeof *s);
}

TEST(what_a_killed_process_had_put_is_there)
{
    each_store(killed_writers);
}

TEST(several_processes_make_one_store_at_once)
{
    const char *at;

    for (int i = 0; (at = new_place(i)) != NULL; i++) {
        char place[1200];
        pid_t child[WRITERS];

        snprintf(place, sizeof place, "%s", at);
        for (uint32_t w = 0; w < WRITERS; w++) {
            child[w] = fork();
            if (child[w] == 0) {
                assay_store *store = NULL;
                assay_stored run;
                assay_error err;
                char id[20];

                snprintf(id, sizeof id, "run_%u", w);
                run = small_run(id);
                if (assay_store_open(place, ASSAY_STORE_CREATE, &store, &err) ||
                    assay_store_add(store, &run, &err)) {
                    fprintf(stderr, "%s\n", err.text);
                    _exit(1);
                }
                assay_store_close(store);
                _exit(0);
            }
        }
        for (uint32_t w = 0; w < WRITERS; w++)
            wait_well(child[w]);
        for (uint32_t w = 0; w < WRITERS; w++) {
            assay_store *store = open_store(place, ASSAY_STORE_READ);
            assay_arena arena = ASSAY_ARENA_EMPTY;
            assay_stored *list;
            uint32_t n;

            OK(assay_store_list(store, NULL, &arena, &list, &n, &test_err));
            CHECK_INT(n, WRITERS);
            assay_arena_clear(&arena);
            assay_store_close(store);
        }
    }
}
