/* SPDX-License-Identifier: Apache-2.0 */
/* kebab's database, made here by kebab's own DDL, read and left alone. */
#include "pipeline/kebab_db.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/sql.h"
#include "base/wal.h"
#include "testing.h"

static assay_error err;

/* As kebab makes them; of `chunks` what an import could want. */
static const char ddl[] =
    "CREATE TABLE eval_runs (run_id TEXT PRIMARY KEY, suite TEXT NOT NULL, "
    "config_snapshot_json TEXT NOT NULL, aggregate_json TEXT NOT NULL, commit_hash TEXT, "
    "created_at TEXT NOT NULL);"
    "CREATE TABLE eval_query_results (run_id TEXT NOT NULL REFERENCES eval_runs(run_id) "
    "ON DELETE CASCADE, query_id TEXT NOT NULL, result_json TEXT NOT NULL, PRIMARY KEY "
    "(run_id, query_id));"
    "CREATE TABLE chunks (chunk_id TEXT PRIMARY KEY, doc_id TEXT NOT NULL, text TEXT NOT "
    "NULL, source_spans_json TEXT NOT NULL, chunker_version TEXT NOT NULL);";

static const char run_1[] =
    "INSERT INTO eval_runs VALUES('run_0199aa', 'golden', '{\"config\":{\"llm\":"
    "{\"api_key\":\"hush\"}},\"eval_k\":10,\"chunker_version\":\"md-heading-v2\","
    "\"embedding\":{\"model\":\"e5-large\",\"version\":\"1\",\"dimensions\":1024,"
    "\"provider\":\"local\"},\"llm\":{\"model_id\":\"gemma\",\"provider\":\"ollama\"},"
    "\"prompt_template_version\":\"rag-v3\",\"score_gate\":0.3,\"rrf_k\":60,"
    "\"index_version\":null}', '{}', NULL, '2026-05-01T10:00:00Z');"
    "INSERT INTO eval_query_results VALUES('run_0199aa', 'g2', '{\"query_id\":\"g2\","
    "\"query\":\"who\",\"mode\":\"hybrid\",\"hits_top_k\":[],\"answer\":null,"
    "\"elapsed_ms\":7,\"error\":\"index gone\"}');"
    "INSERT INTO eval_query_results VALUES('run_0199aa', 'g1', '{\n\"query_id\":\"g1\","
    "\"query\":\"what\",\"mode\":\"hybrid\",\"hits_top_k\":[{\"rank\":1,\"chunk_id\":\"c1\","
    "\"doc_id\":\"d1\",\"doc_path\":\"a.md\",\"snippet\":\"words\",\"citation\":{\"kind\":"
    "\"line\",\"path\":\"a.md\",\"start\":3,\"end\":4},\"retrieval\":{\"method\":\"hybrid\","
    "\"fusion_score\":0.5}},{\"rank\":2,\"chunk_id\":\"c2\",\"doc_id\":\"d1\",\"retrieval\":"
    "{\"fusion_score\":0.25}}],\"answer\":{\"answer\":\"so [#1]\",\"citations\":[{\"marker\":"
    "\"1\",\"citation\":{\"kind\":\"line\",\"path\":\"a.md\",\"start\":3,\"end\":4}}],"
    "\"grounded\":true,\"refusal_reason\":null},\"elapsed_ms\":12,\"error\":null}');";

static const char run_2[] =
    "INSERT INTO eval_runs VALUES('run_0199ab', 'golden', '{\"eval_k\":5}', "
    "'{\"mrr\":0.5}', 'abc123', '2026-05-02T10:00:00Z');"
    "INSERT INTO eval_query_results VALUES('run_0199ab', 'g1', '{\"query_id\":\"g1\","
    "\"query\":\"what\",\"mode\":\"lexical\",\"hits_top_k\":[{\"rank\":1,\"chunk_id\":\"c2\","
    "\"doc_id\":\"d1\"}],\"answer\":null,\"elapsed_ms\":3,\"error\":null}');";

static void run_sql(assay_sql *sql, const char *text)
{
    if (assay_sql_run(sql, text, &err))
        check_failed("sql", 0, "%s", err.text);
}

static assay_sql *writer(const char *path)
{
    assay_sql *sql = NULL;

    if (assay_sql_open(path, ASSAY_SQL_CREATE, &sql, &err))
        check_failed(path, 0, "%s", err.text);
    return sql;
}

static void make(const char *path)
{
    assay_sql *sql = writer(path);

    run_sql(sql, ddl);
    run_sql(sql, run_1);
    run_sql(sql, run_2);
    assay_sql_close(sql);
}

static assay_kebab_db *open_db(const char *path)
{
    assay_kebab_db *db = NULL;

    if (assay_kebab_db_open(path, &db, &err))
        check_failed(path, 0, "%s", err.text);
    return db;
}

static assay_run *load(assay_kebab_db *db, const char *id, assay_snapshot *snapshot)
{
    const assay_kebab_run *found = NULL;
    assay_run *run = NULL;

    if (assay_kebab_db_find(db, assay_slice_of(id), &found, &err) ||
        assay_kebab_db_load(db, found, &run, snapshot, &err))
        check_failed(id, 0, "%s", err.text);
    return run;
}

/* Names, times and bytes of all files in a folder, as one number and a count. */
static uint64_t look_at(const char *folder, int *n_files)
{
    uint64_t sum = 0;
    DIR *d = opendir(folder);
    const struct dirent *e;

    *n_files = 0;
    while ((e = readdir(d)) != NULL) {
        char path[600];
        assay_file file = {0};
        struct stat st;

        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (stat(path, &st) || !S_ISREG(st.st_mode))
            continue;
        CHECK(!assay_file_open(&file, path, &err));
        sum += assay_hash(file.text.ptr, file.text.len) ^
               assay_hash(e->d_name, strlen(e->d_name)) ^
               (uint64_t)st.st_mtim.tv_nsec * 31 ^ (uint64_t)st.st_mtim.tv_sec;
        assay_file_close(&file);
        ++*n_files;
    }
    closedir(d);
    return sum;
}

static void copy_file(const char *from, const char *to)
{
    assay_file file = {0};

    CHECK(!assay_file_open(&file, from, &err));
    CHECK(!assay_file_save(to, file.text, &err));
    assay_file_close(&file);
}

TEST(runs_are_listed_and_loaded)
{
    const assay_kebab_run *r;
    assay_snapshot s;
    assay_kebab_db *db;
    assay_run *run;

    mkdir("a", 0755);
    make("a/kebab.sqlite");
    CHECK(assay_kebab_db_is("a/kebab.sqlite"));
    db = open_db("a/kebab.sqlite");
    r = assay_kebab_db_at(db, 0);
    CHECK(assay_slice_is(r->run_id, "run_0199aa"));
    CHECK(assay_slice_is(r->suite, "golden"));
    CHECK(assay_slice_is(r->commit, ""));
    CHECK(assay_slice_is(r->aggregate, "{}"));
    CHECK_INT(r->n_results, 2);
    r = assay_kebab_db_at(db, 1);
    CHECK(assay_slice_is(r->commit, "abc123"));
    CHECK(assay_slice_is(r->aggregate, "{\"mrr\":0.5}"));
    CHECK(assay_slice_is(r->created_at, "2026-05-02T10:00:00Z"));
    CHECK(!assay_kebab_db_at(db, 2));

    run = load(db, "run_0199aa", &s);
    CHECK(assay_slice_is(run->name, "run_0199aa"));
    CHECK_INT(run->n_results, 2);
    CHECK(assay_slice_is(run->result[0].query_id, "g1"));
    CHECK_INT(run->result[0].n_hits, 2);
    CHECK(assay_slice_is(run->result[0].hit[0].chunk, "c1"));
    CHECK(assay_slice_is(run->result[0].hit[0].doc, "d1"));
    CHECK_NEAR(run->result[0].hit[0].score, 0.5, 0);
    CHECK_INT(run->result[0].hit[0].n_spans, 0);
    CHECK_INT(run->result[0].answer->citation[0].lines.start, 3);
    CHECK_INT(run->result[0].answer->citation[0].lines.end, 4);
    CHECK_NEAR(run->result[0].elapsed_ms, 12, 0);
    CHECK(assay_slice_is(run->result[1].error, "index gone"));
    CHECK_INT(s.k, 10);
    CHECK(assay_slice_is(s.chunker, "md-heading-v2"));
    CHECK(assay_slice_is(s.embedder_model, "e5-large"));
    CHECK_INT(s.embedder_dims, 1024);
    CHECK(assay_slice_is(s.model, "gemma"));
    CHECK(assay_slice_is(s.prompt, "rag-v3"));
    CHECK(assay_slice_is(s.method, "hybrid"));
    CHECK(s.has_answers);
    assay_run_free(run);
    assay_kebab_db_close(db);
}

TEST(secrets_of_the_configuration_do_not_come_along)
{
    assay_kebab_db *db;

    mkdir("b", 0755);
    make("b/kebab.sqlite");
    db = open_db("b/kebab.sqlite");
    CHECK(strstr(assay_kebab_db_at(db, 0)->settings.ptr, "\"api_key\":\"[redacted]\""));
    CHECK(!strstr(assay_kebab_db_at(db, 0)->settings.ptr, "hush"));
    assay_kebab_db_close(db);
}

TEST(a_run_is_found_by_the_beginning_of_its_id)
{
    const assay_kebab_run *r = NULL;
    assay_kebab_db *db;

    mkdir("c", 0755);
    make("c/k.db");
    db = open_db("c/k.db");
    CHECK(!assay_kebab_db_find(db, ASSAY_LIT("0199ab"), &r, &err));
    CHECK(r == assay_kebab_db_at(db, 1));
    CHECK(!assay_kebab_db_find(db, ASSAY_LIT("run_0199aa"), &r, &err));
    CHECK(r == assay_kebab_db_at(db, 0));
    CHECK(!assay_kebab_db_find(db, ASSAY_LIT(""), &r, &err));
    CHECK(r == assay_kebab_db_at(db, 1));
    CHECK_INT(assay_kebab_db_find(db, ASSAY_LIT("run_01"), &r, &err), ASSAY_EUSAGE);
    CHECK_STR(err.text, "'c/k.db' has 2 runs 'run_01': run_0199ab, run_0199aa");
    CHECK_INT(assay_kebab_db_find(db, ASSAY_LIT("run_x"), &r, &err), ASSAY_EUSAGE);
    CHECK_STR(
        err.text,
        "'c/k.db' has no run among 2 called 'run_x'; it has run_0199ab, run_0199aa");
    assay_kebab_db_close(db);
}

TEST(nothing_is_written_and_nothing_is_left_beside_it)
{
    int before, after;
    uint64_t sum;
    assay_snapshot s;
    assay_kebab_db *db;

    mkdir("d", 0755);
    make("d/kebab.sqlite");
    sum = look_at("d", &before);
    db = open_db("d/kebab.sqlite");
    assay_run_free(load(db, "", &s));
    CHECK(look_at("d", &after) == sum && before == after);
    assay_kebab_db_close(db);
    CHECK(look_at("d", &after) == sum && before == after);
    CHECK_INT(before, 1);

    /* A folder that cannot be written, for those who are not root. */
    CHECK(chmod("d/kebab.sqlite", 0444) == 0 && chmod("d", 0555) == 0);
    db = open_db("d/kebab.sqlite");
    assay_run_free(load(db, "0199aa", &s));
    assay_kebab_db_close(db);
    CHECK(chmod("d", 0755) == 0);
}

TEST(what_is_only_in_the_log_is_seen_and_the_log_stays)
{
    int before, after;
    uint64_t sum;
    assay_snapshot s;
    assay_kebab_db *db;
    assay_run *run;
    assay_sql *sql;

    /* kebab at work: the first run is in the file, the second in the log. */
    mkdir("e", 0755);
    mkdir("f", 0755);
    sql = writer("e/kebab.sqlite");
    run_sql(sql, ddl);
    run_sql(sql, run_1);
    run_sql(sql, "PRAGMA wal_checkpoint(TRUNCATE)");
    run_sql(sql, run_2);
    sum = look_at("e", &before);
    CHECK_INT(before, 3); /* -wal, -shm */
    db = open_db("e/kebab.sqlite");
    CHECK(assay_slice_is(assay_kebab_db_at(db, 1)->run_id, "run_0199ab"));
    run = load(db, "0199ab", &s);
    CHECK(assay_slice_is(s.method, "lexical"));
    assay_run_free(run);
    assay_kebab_db_close(db);
    CHECK(look_at("e", &after) == sum && before == after);

    /* kebab killed: a file and its log, and a transaction that was not finished. */
    run_sql(sql, "PRAGMA cache_size = 1; BEGIN; INSERT INTO eval_runs SELECT 'run_x' || "
                 "value, '', hex(zeroblob(5000)), '', '', '' FROM json_each("
                 "'[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24]')");
    copy_file("e/kebab.sqlite", "f/kebab.sqlite");
    copy_file("e/kebab.sqlite-wal", "f/kebab.sqlite-wal");
    assay_sql_rollback(sql);
    assay_sql_close(sql);
    sum = look_at("f", &before);
    db = open_db("f/kebab.sqlite");
    CHECK(assay_kebab_db_at(db, 1) && !assay_kebab_db_at(db, 2));
    assay_kebab_db_close(db);
    CHECK(look_at("f", &after) == sum && before == after);
}

TEST(a_database_that_changes_meanwhile_is_told)
{
    const assay_kebab_run *r = NULL;
    assay_run *run = NULL;
    assay_snapshot s;
    assay_kebab_db *db;
    assay_sql *sql;

    mkdir("g", 0755);
    make("g/kebab.sqlite");
    db = open_db("g/kebab.sqlite");
    CHECK(!assay_kebab_db_find(db, ASSAY_LIT(""), &r, &err));
    sql = writer("g/kebab.sqlite");
    run_sql(sql, "UPDATE eval_runs SET suite = 'other'");
    assay_sql_close(sql); /* and its log goes into the file */
    CHECK_INT(assay_kebab_db_load(db, r, &run, &s, &err), ASSAY_ESYSTEM);
    CHECK_STR(err.text, "'g/kebab.sqlite' was written to while it was read; try again");
    CHECK(run == NULL);
    assay_kebab_db_close(db);
}

TEST(a_journal_that_was_cut_short_is_refused)
{
    assay_kebab_db *db = NULL;

    mkdir("h", 0755);
    make("h/k.db");
    write_file("h/k.db-journal", "x");
    CHECK_INT(assay_kebab_db_open("h/k.db", &db, &err), ASSAY_EINPUT);
    CHECK(strstr(err.text, "a transaction that was cut short ('h/k.db-journal')"));
}

TEST(what_is_no_kebab_database_is_said)
{
    static const char *const step[] = {"CREATE TABLE t (x)"};
    static const assay_sql_schema ours = {"thing", 0x74657374, step, 1};
    assay_kebab_db *db = NULL;
    assay_sql *sql;

    mkdir("i", 0755);
    sql = writer("i/other.db");
    run_sql(sql, "CREATE TABLE eval_runs (x)");
    assay_sql_close(sql);
    CHECK_INT(assay_kebab_db_open("i/other.db", &db, &err), ASSAY_EINPUT);
    CHECK_STR(err.text,
              "'i/other.db' is no database of kebab: it has no tables eval_runs "
              "and eval_query_results");
    write_file("i/text", "no database at all, but a text that is longer than a page head "
                         "and has nothing that SQLite would know about, not one byte");
    CHECK(!assay_kebab_db_is("i/text"));
    CHECK_INT(assay_kebab_db_open("i/text", &db, &err), ASSAY_EINPUT);
    CHECK_STR(err.text, "'i/text': it is no SQLite database");
    CHECK_INT(assay_kebab_db_open("i/none", &db, &err), ASSAY_EUSAGE);
    CHECK_STR(err.text, "no file 'i/none'");

    sql = writer("i/ours.db");
    CHECK(!assay_sql_migrate(sql, &ours, &err));
    assay_sql_close(sql);
    CHECK(!assay_kebab_db_is("i/ours.db"));
}

TEST(a_row_that_holds_something_else_is_named)
{
    static const struct {
        const char *sql;
        const char *words;
    } bad[] = {
        {"UPDATE eval_query_results SET query_id = 'g0' WHERE run_id = 'run_0199ab'",
         "j/k.db(run_0199ab): the row of query 'g0' holds the result of 'g1'"},
        {"UPDATE eval_query_results SET result_json = '{\"query_id\":\"g1\"}'",
         "j/k.db(run_0199ab):1:1: query 'g1' has no 'hits_top_k'"},
        {"UPDATE eval_runs SET config_snapshot_json = '[]'",
         "j/k.db(run_0199ab):1: the snapshot of a run is no object"},
    };

    mkdir("j", 0755);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const assay_kebab_run *r = NULL;
        assay_run *run = NULL;
        assay_snapshot s;
        assay_kebab_db *db;
        assay_sql *sql;

        unlink("j/k.db");
        make("j/k.db");
        sql = writer("j/k.db");
        run_sql(sql, bad[i].sql);
        assay_sql_close(sql);
        db = open_db("j/k.db");
        CHECK(!assay_kebab_db_find(db, ASSAY_LIT(""), &r, &err));
        CHECK_INT(assay_kebab_db_load(db, r, &run, &s, &err), ASSAY_EINPUT);
        CHECK_STR(err.text, bad[i].words);
        CHECK(run == NULL);
        assay_kebab_db_close(db);
    }
}

TEST(a_run_without_results_is_empty)
{
    assay_snapshot s;
    assay_kebab_db *db;
    assay_run *run;
    assay_sql *sql;

    mkdir("k", 0755);
    make("k/k.db");
    sql = writer("k/k.db");
    run_sql(sql, "DELETE FROM eval_query_results");
    assay_sql_close(sql);
    db = open_db("k/k.db");
    run = load(db, "", &s);
    CHECK_INT(assay_run_n(run), 0);
    assay_run_free(run);
    assay_kebab_db_close(db);
}

TEST(without_memory_it_says_so)
{
    uint64_t n = 1;
    assay_status st;

    mkdir("m", 0755);
    make("m/k.db");
    for (;; n++) {
        const assay_kebab_run *found = NULL;
        assay_kebab_db *db = NULL;
        assay_run *run = NULL;
        assay_snapshot s;

        assay_mem_fail_after(n);
        st = assay_kebab_db_open("m/k.db", &db, &err);
        if (!st)
            st = assay_kebab_db_find(db, ASSAY_LIT("0199aa"), &found, &err);
        if (!st)
            st = assay_kebab_db_load(db, found, &run, &s, &err);
        assay_run_free(run);
        assay_kebab_db_close(db);
        if (!assay_mem_has_failed())
            break;
        assay_mem_fail_after(0);
        CHECK_INT(st, ASSAY_ENOMEM);
    }
    assay_mem_fail_after(0);
    CHECK_INT(st, ASSAY_OK);
    CHECK(n > 20);
}

/* ---- logs: what SQLite itself makes of them is what we make of them ---- */

static int64_t ask(assay_sql *sql, const char *text)
{
    assay_stmt *stmt = NULL;
    bool has_row = false;
    int64_t n = -1;

    if (assay_stmt_new(sql, text, &stmt, &err) || assay_stmt_step(stmt, &has_row, &err))
        check_failed("ask", 0, "%s", err.text);
    n = has_row ? assay_stmt_int(stmt, 0) : -1;
    assay_stmt_free(stmt);
    return n;
}

static int64_t sum_of(bool is_ours)
{
    assay_sql *sql = NULL;
    int64_t n;

    if (is_ours ? assay_sql_open_untouched("l/copy.db", &sql, &err)
                : assay_sql_open("l/copy.db", ASSAY_SQL_READ, &sql, &err))
        check_failed("l/copy.db", 0, "%s", err.text);
    n = ask(sql, "SELECT coalesce(sum(length(x) * (rowid % 97 + 1)), -7) FROM t");
    CHECK(ask(sql, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = "
                   "'ok'") == 1);
    assay_sql_close(sql);
    return n;
}

TEST(a_log_cut_anywhere_says_what_sqlite_says)
{
    static const char *const steps[] = {
        "INSERT INTO t SELECT hex(zeroblob(value * 300)) FROM "
        "json_each('[1,2,3,4,5,6,7,8,9]')",
        "DELETE FROM t WHERE rowid > 3; VACUUM",
        "PRAGMA cache_size = 1; BEGIN; INSERT INTO t SELECT hex(zeroblob(value * 900)) FROM "
        "json_each('[9,8,7,6,5,4,3,2,1]'); UPDATE t SET x = x || 'y'; COMMIT",
        "BEGIN; UPDATE t SET x = x || x; UPDATE t SET x = x || 'z'",
    };
    assay_file db = {0};
    assay_file log = {0};
    assay_wal whole;
    size_t n_frames;
    assay_sql *sql;

    mkdir("l", 0755);
    sql = writer("l/t.db");
    run_sql(sql, "CREATE TABLE t (x TEXT); INSERT INTO t VALUES('first')");
    run_sql(sql, "PRAGMA wal_checkpoint(TRUNCATE)");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        run_sql(sql, steps[i]);
    copy_file("l/t.db", "l/kept.db");
    copy_file("l/t.db-wal", "l/kept.log");
    assay_sql_rollback(sql);
    assay_sql_close(sql);

    CHECK(!assay_file_open(&db, "l/kept.db", &err));
    CHECK(!assay_file_open(&log, "l/kept.log", &err));
    CHECK(assay_wal_look(log.text, &whole));
    n_frames = (log.text.len - ASSAY_WAL_HEAD) / (24 + whole.page_bytes);
    CHECK(whole.n_frames > 3 && whole.n_frames < n_frames); /* one is not finished */
    for (size_t i = 0; i <= 2 * n_frames + 2; i++) {
        size_t len = ASSAY_WAL_HEAD + i * (24 + whole.page_bytes) / 2;
        int64_t ours;

        len = len < log.text.len ? len : log.text.len;
        unlink("l/copy.db-shm");
        CHECK(!assay_file_save("l/copy.db", db.text, &err));
        CHECK(!assay_file_save("l/copy.db-wal", (assay_slice){log.text.ptr, len}, &err));
        ours = sum_of(true);
        CHECK(!assay_file_exists("l/copy.db-shm"));
        CHECK_INT(ours, sum_of(false));
    }
    assay_file_close(&db);
    assay_file_close(&log);
}
