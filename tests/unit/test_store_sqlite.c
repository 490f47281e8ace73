/* SPDX-License-Identifier: Apache-2.0 */
/* What can go wrong with a store in a file: damage, foreign files, no space, locks. */
#include "testing.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/slice.h"
#include "store/store.h"

static assay_error err;

#define OK(call)                                                                \
    do {                                                                        \
        if ((call) != ASSAY_OK)                                                 \
            check_failed(__FILE__, __LINE__, "%s failed: %s", #call, err.text); \
    } while (0)

static assay_store *open_store(assay_store_mode mode)
{
    assay_store *store = NULL;

    OK(assay_store_open("s/a.db", mode, &store, &err));
    return store;
}

static void run_sql(const char *path, const char *text)
{
    sqlite3 *db;
    char *words = NULL;

    CHECK(sqlite3_open(path, &db) == SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &words) != SQLITE_OK)
        check_failed(__FILE__, __LINE__, "%s: %s", text, words);
    sqlite3_close(db);
}

static void put(assay_store *store, const char *query, const char *text)
{
    assay_hit hit = {.chunk = ASSAY_LIT(""),
                     .doc = ASSAY_LIT("d"),
                     .text = assay_slice_of(text),
                     .rank = 1};
    assay_result r = {.query_id = assay_slice_of(query),
                      .query = ASSAY_LIT("?"),
                      .mode = ASSAY_LIT(""),
                      .error = ASSAY_LIT(""),
                      .hit = &hit,
                      .n_hits = 1,
                      .elapsed_ms = -1};

    OK(assay_store_put(store, ASSAY_LIT("run_1"), &r, &err));
}

/* A new store with one run of two results. */
static assay_store *make_store(void)
{
    assay_stored run = {.run_id = ASSAY_LIT("run_1"),
                        .created_at = ASSAY_LIT("2026-11-16T06:00:00.000Z"),
                        .method = ASSAY_LIT("bm25")};
    assay_store *store;

    (void)!system("rm -rf s");
    store = open_store(ASSAY_STORE_CREATE);
    OK(assay_store_add(store, &run, &err));
    put(store, "q1", "one");
    put(store, "q2", "two");
    return store;
}

static assay_status load(assay_store *store)
{
    assay_run *run = NULL;
    assay_status st = assay_store_load(store, ASSAY_LIT("run_1"), &run, &err);

    assay_run_free(run);
    return st;
}

/* ---- damage ---- */

TEST(damaged_hits_name_run_and_query)
{
    assay_store *store = make_store();

    run_sql("s/a.db", "UPDATE eval_query_results SET hits = substr(hits, 1, 12)"
                      " WHERE query_id = 'q2'");
    CHECK_INT(load(store), ASSAY_EINPUT);
    CHECK_STR(err.text, "'s/a.db': run 'run_1', query 'q2': the hits are damaged");
    assay_store_close(store);
}

TEST(damaged_json_names_run_and_query_and_place)
{
    assay_store *store = make_store();

    run_sql("s/a.db", "UPDATE eval_query_results SET result_json = '{\"query_id\":\"q1\","
                      "\"elapsed_ms\":-5}' WHERE query_id = 'q1'");
    CHECK_INT(load(store), ASSAY_EINPUT);
    CHECK_STR(err.text, "'s/a.db': run 'run_1', query 'q1': result_json:1:31: "
                        "'elapsed_ms' is -5; it cannot be negative");
    run_sql("s/a.db",
            "UPDATE eval_query_results SET result_json = '{' WHERE query_id = 'q1'");
    CHECK_INT(load(store), ASSAY_EINPUT);
    CHECK(strstr(err.text, "query 'q1': result_json:1:"));
    /* A cell that SQLite's own functions have written anew still reads. */
    run_sql("s/a.db", "UPDATE eval_query_results SET result_json = json_set("
                      "'{ \"hits_top_k\" : [1], \"query\" : \"x\" }', '$.mode', 'm')"
                      " WHERE query_id = 'q1'");
    CHECK_INT(load(store), ASSAY_OK);
    assay_store_close(store);
}

TEST(a_damaged_golden_set_is_told_by_its_hash)
{
    assay_store *store = make_store();
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice text;

    OK(assay_store_put_golden(store, ASSAY_LIT("ab"), ASSAY_LIT("g"),
                              ASSAY_LIT("some text that is long enough to be packed"),
                              &err));
    run_sql("s/a.db", "UPDATE goldens SET body = x'28b52ffd00'");
    CHECK_INT(assay_store_get_golden(store, ASSAY_LIT("ab"), &arena, &text, &err),
              ASSAY_EINPUT);
    CHECK(strstr(err.text, "golden set 'ab'") && strstr(err.text, "s/a.db"));
    run_sql("s/a.db", "UPDATE goldens SET n_bytes = 1000000000000000");
    CHECK_INT(assay_store_get_golden(store, ASSAY_LIT("ab"), &arena, &text, &err),
              ASSAY_EINPUT);
    assay_arena_clear(&arena);
    assay_store_close(store);
}

TEST(a_damaged_file_is_an_input_error)
{
    assay_store *store = make_store();
    struct stat st;
    int fd;

    assay_store_close(store);
    CHECK(stat("s/a.db", &st) == 0);
    fd = open("s/a.db", O_WRONLY);
    CHECK(fd >= 0);
    for (off_t at = 200; at < st.st_size; at += 64)
        CHECK(pwrite(fd, "rubbish!", 8, at) == 8);
    close(fd);
    store = NULL;
    CHECK_INT(assay_store_open("s/a.db", ASSAY_STORE_READ, &store, &err) ||
                  load(store) == ASSAY_EINPUT,
              1);
    CHECK(strstr(err.text, "'s/a.db': ") == err.text);
    assay_store_close(store);
}

/* ---- files of something else ---- */

static void check_open(const char *path, assay_store_mode mode, assay_status want,
                       const char *words)
{
    assay_store *store = NULL;

    err.text[0] = 0;
    CHECK_INT(assay_store_open(path, mode, &store, &err), want);
    CHECK_STR(err.text, words);
    CHECK(store == NULL);
}

TEST(what_is_no_store_is_told)
{
    assay_store *store = make_store();

    assay_store_close(store);
    check_open("s/b.db", ASSAY_STORE_READ, ASSAY_EUSAGE,
               "no store 's/b.db'; 'assay run' makes one");
    check_open("s/b.db", ASSAY_STORE_WRITE, ASSAY_EUSAGE,
               "no store 's/b.db'; 'assay run' makes one");
    check_open("", ASSAY_STORE_CREATE, ASSAY_EUSAGE, "a store needs a path");
    write_file("s/text.db",
               "this is a text and long enough to be none of SQLite's files, "
               "whose first hundred bytes say what they are ...........");
    check_open("s/text.db", ASSAY_STORE_READ, ASSAY_EINPUT,
               "'s/text.db': it is no SQLite database");
    run_sql("s/other.db", "CREATE TABLE eval_runs (run_id TEXT)");
    check_open("s/other.db", ASSAY_STORE_CREATE, ASSAY_EINPUT,
               "'s/other.db' is a database, but no store of assay");
    run_sql("s/a.db", "PRAGMA user_version = 3");
    check_open("s/a.db", ASSAY_STORE_WRITE, ASSAY_EINPUT,
               "'s/a.db' was written by a newer assay (schema 3, this program knows 1)");
    check_open("s/a.db", ASSAY_STORE_READ, ASSAY_EINPUT,
               "'s/a.db' was written by a newer assay (schema 3, this program knows 1)");
    check_open("mysql://u:secret@host/db", ASSAY_STORE_READ, ASSAY_EUSAGE,
               "no store is called 'mysql:...'; want a path or postgresql://...");
    write_file("s/file", "");
    check_open("s/file/a.db", ASSAY_STORE_CREATE, ASSAY_ESYSTEM,
               "cannot make the folder 's/file': File exists");
}

/* ---- the system refuses ---- */

/* Run `work` in a child that is not root: for root everything may be written. */
static void as_nobody(int (*work)(void))
{
    enum { OUT_OF_REACH = 77 };
    char here[4096];
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(99);
        /* Below /root nobody but root gets anywhere. */
        if (!getcwd(here, sizeof here) || access(here, X_OK) != 0)
            _exit(OUT_OF_REACH);
        _exit(work());
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    if (WEXITSTATUS(status) == OUT_OF_REACH)
        SKIP("the folder is out of reach for who is not root");
    CHECK_INT(WEXITSTATUS(status), 0);
}

static int read_only_work(void)
{
    assay_store *store = NULL;
    assay_run *run = NULL;

    if (assay_store_open("s/a.db", ASSAY_STORE_WRITE, &store, &err) != ASSAY_ESYSTEM)
        return 1;
    if (strcmp(err.text, "'s/a.db': it may not be written") != 0)
        return 2;
    if (assay_store_open("s/new/b.db", ASSAY_STORE_CREATE, &store, &err) != ASSAY_ESYSTEM)
        return 3;
    if (assay_store_open("s/a.db", ASSAY_STORE_READ, &store, &err) != ASSAY_OK)
        return 4;
    if (assay_store_load(store, ASSAY_LIT("run_1"), &run, &err) != ASSAY_OK)
        return 5;
    if (assay_run_n(run) != 2)
        return 6;
    assay_run_free(run);
    assay_store_close(store);
    return 0;
}

TEST(a_read_only_folder_can_be_read)
{
    assay_store_close(make_store());
    CHECK(chmod("s/a.db", 0444) == 0 && chmod("s", 0555) == 0 && chmod(".", 0755) == 0);
    as_nobody(read_only_work);
    CHECK(chmod("s", 0755) == 0);
}

static int full_disk_work(void)
{
    struct rlimit limit = {400000, 400000};
    assay_store *store = NULL;
    assay_hit hit = {.doc = ASSAY_LIT("d"), .chunk = ASSAY_LIT("")};
    static char text[20000];
    uint32_t n_put = 0;
    assay_status st = ASSAY_OK;
    assay_run *run = NULL;

    signal(SIGXFSZ, SIG_IGN);
    memset(text, 'x', sizeof text);
    hit.text = (assay_slice){text, sizeof text};
    if (assay_store_open("s/a.db", ASSAY_STORE_WRITE, &store, &err))
        return 1;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 2;
    while (!st && n_put < 1000) {
        char id[20];
        assay_result r = {.query = ASSAY_LIT(""),
                          .mode = ASSAY_LIT(""),
                          .error = ASSAY_LIT(""),
                          .hit = &hit,
                          .n_hits = 1,
                          .elapsed_ms = -1};

        snprintf(id, sizeof id, "x%03u", n_put);
        r.query_id = assay_slice_of(id);
        st = assay_store_put(store, ASSAY_LIT("run_1"), &r, &err);
        n_put += !st;
    }
    if (st != ASSAY_ESYSTEM || strncmp(err.text, "'s/a.db': ", 10) != 0)
        return 3;
    /* All that was acknowledged is there, for this handle and for others. */
    if (assay_store_load(store, ASSAY_LIT("run_1"), &run, &err))
        return 4;
    if (assay_run_n(run) != n_put + 2 || n_put == 0)
        return 5;
    assay_run_free(run);
    _exit(0); /* as if it had died then */
}

TEST(a_full_disk_loses_nothing_that_was_acknowledged)
{
    assay_store *store = make_store();
    int status = -1;
    assay_run *run = NULL;
    pid_t child;

    assay_store_close(store);
    child = fork();
    if (child == 0)
        _exit(full_disk_work());
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 0);
    store = open_store(ASSAY_STORE_WRITE);
    OK(assay_store_load(store, ASSAY_LIT("run_1"), &run, &err));
    CHECK(assay_run_n(run) > 5);
    assay_run_free(run);
    put(store, "q3", "goes on");
    assay_store_close(store);
}

TEST(a_locked_store_says_who_is_in_the_way)
{
    assay_store *store = make_store();
    assay_stored_change change = {.status = ASSAY_LIT("done")};
    sqlite3 *db;

    CHECK(sqlite3_open("s/a.db", &db) == SQLITE_OK);
    CHECK(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK);
    assay_store_set_patience(store, 30);
    CHECK_INT(assay_store_change(store, ASSAY_LIT("run_1"), &change, &err),
              ASSAY_ESYSTEM);
    CHECK_STR(err.text, "'s/a.db': another process is writing to it; try again later");
    CHECK_INT(assay_store_remove(store, ASSAY_LIT("run_1"), &err), ASSAY_ESYSTEM);
    CHECK_INT(load(store), ASSAY_OK); /* readers go on */
    CHECK(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
    OK(assay_store_change(store, ASSAY_LIT("run_1"), &change, &err));
    assay_store_close(store);
}

/* ---- the file goes away ---- */

TEST(a_file_that_was_taken_away_is_no_place_to_write_to)
{
    assay_store *store = make_store();
    assay_stored_change change = {.status = ASSAY_LIT("done")};

    assay_store_set_patience(store, 20);
    CHECK(rename("s/a.db", "s/b.db") == 0);
    CHECK_INT(assay_store_change(store, ASSAY_LIT("run_1"), &change, &err),
              ASSAY_ESYSTEM);
    CHECK(strstr(err.text, "s/a.db"));
    CHECK(rename("s/b.db", "s/a.db") == 0);
    /* It is back, and the work goes on. */
    OK(assay_store_change(store, ASSAY_LIT("run_1"), &change, &err));
    put(store, "q3", "three");
    assay_store_close(store);
    store = open_store(ASSAY_STORE_READ);
    CHECK_INT(load(store), ASSAY_OK);
    assay_store_close(store);
}

TEST(a_transaction_that_fails_leaves_nothing_behind)
{
    assay_store *store = make_store();
    assay_tag tag[] = {{ASSAY_LIT("a"), ASSAY_LIT("1")},
                       {ASSAY_LIT("b"), ASSAY_LIT("2")}};
    assay_stored run = {.run_id = ASSAY_LIT("run_2"),
                        .created_at = ASSAY_LIT("2026"),
                        .tag = tag,
                        .n_tags = 2};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_stored got;

    run_sql("s/a.db", "CREATE TRIGGER no_b BEFORE INSERT ON run_tags WHEN NEW.tag_key ="
                      " 'b' BEGIN SELECT RAISE(ABORT, 'not this one'); END");
    CHECK(assay_store_add(store, &run, &err) != ASSAY_OK);
    CHECK(strstr(err.text, "not this one"));
    CHECK_INT(assay_store_get(store, run.run_id, &arena, &got, &err), ASSAY_EUSAGE);
    run_sql("s/a.db", "DROP TRIGGER no_b");
    OK(assay_store_add(store, &run, &err));
    assay_arena_clear(&arena);
    assay_store_close(store);
}
