/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite behind our errors. */
#include "base/sql.h"

#include <sys/stat.h>

#include "base/slice.h"
#include "testing.h"

static const char *const steps[] = {"CREATE TABLE a (x INTEGER, t TEXT)",
                                    "CREATE TABLE b (y BLOB)"};
static const assay_sql_schema one_step = {"thing", 0x74657374, steps, 1};
static const assay_sql_schema two_steps = {"thing", 0x74657374, steps, 2};
static const assay_sql_schema other_kind = {"corpus", 0x74657375, steps, 2};

static assay_sql *open_sql(const char *path, assay_sql_mode mode)
{
    assay_error err = {ASSAY_OK, ""};
    assay_sql *sql = NULL;

    if (assay_sql_open(path, mode, &sql, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return sql;
}

static assay_status open_and_fail(const char *path, assay_sql_mode mode, assay_error *err)
{
    assay_sql *sql = NULL;
    assay_status st = assay_sql_open(path, mode, &sql, err);

    CHECK(st != ASSAY_OK && !sql);
    return st;
}

static int64_t ask(assay_sql *sql, const char *text)
{
    assay_stmt *stmt;
    bool has_row = false;
    int64_t n;

    CHECK(assay_stmt_new(sql, text, &stmt, NULL) == ASSAY_OK);
    CHECK(assay_stmt_step(stmt, &has_row, NULL) == ASSAY_OK);
    CHECK(has_row);
    n = assay_stmt_int(stmt, 0);
    assay_stmt_free(stmt);
    return n;
}

TEST(values_come_back_byte_for_byte)
{
    assay_sql *sql = open_sql("bytes.db", ASSAY_SQL_CREATE);
    const assay_slice odd = {"a\0b\xff\n", 5};
    assay_stmt *stmt;
    bool has_row = false;

    CHECK(assay_sql_run(sql, "CREATE TABLE v (t TEXT, b BLOB, i INTEGER) STRICT", NULL) ==
          ASSAY_OK);
    CHECK(assay_stmt_new(sql, "INSERT INTO v VALUES (?1, ?2, ?3)", &stmt, NULL) ==
          ASSAY_OK);
    assay_stmt_put_text(stmt, 1, odd);
    assay_stmt_put_blob(stmt, 2, "", 0);
    assay_stmt_put_int(stmt, 3, INT64_MIN);
    CHECK(assay_stmt_run(stmt, NULL) == ASSAY_OK);
    CHECK_INT(assay_sql_last_id(sql), 1);
    assay_stmt_free(stmt);
    CHECK(assay_stmt_new(sql, "SELECT t, b, i FROM v", &stmt, NULL) == ASSAY_OK);
    CHECK(assay_stmt_step(stmt, &has_row, NULL) == ASSAY_OK && has_row);
    CHECK(assay_slice_eq(assay_stmt_slice(stmt, 0), odd));
    CHECK_INT(assay_stmt_slice(stmt, 1).len, 0);
    CHECK_INT(assay_stmt_int(stmt, 2), INT64_MIN);
    CHECK(assay_stmt_step(stmt, &has_row, NULL) == ASSAY_OK && !has_row);
    assay_stmt_free(stmt);
    assay_sql_close(sql);
}

TEST(a_file_that_is_not_there_is_said)
{
    assay_error err;

    CHECK_INT(open_and_fail("absent.db", ASSAY_SQL_READ, &err), ASSAY_EUSAGE);
    CHECK_STR(err.text, "no file 'absent.db'");
    CHECK_INT(open_and_fail("absent.db", ASSAY_SQL_WRITE, &err), ASSAY_EUSAGE);
    CHECK_INT(open_and_fail("no/folder.db", ASSAY_SQL_CREATE, &err), ASSAY_ESYSTEM);
}

TEST(a_file_that_is_no_database_is_bad_input)
{
    assay_error err;

    write_file("text.db", "this is a text, and quite a long one, but it is no database "
                          "at all, as its first bytes show to anybody who looks at it");
    CHECK_INT(open_and_fail("text.db", ASSAY_SQL_READ, &err), ASSAY_EINPUT);
    CHECK_STR(err.text, "'text.db': it is no SQLite database");
    CHECK_INT(open_and_fail("text.db", ASSAY_SQL_CREATE, &err), ASSAY_EINPUT);
}

TEST(schemas_go_up_step_by_step_and_never_down)
{
    assay_error err;
    assay_sql *sql = open_sql("steps.db", ASSAY_SQL_CREATE);

    CHECK(assay_sql_migrate(sql, &one_step, &err) == ASSAY_OK);
    CHECK_INT(ask(sql, "PRAGMA user_version"), 1);
    assay_sql_close(sql);

    sql = open_sql("steps.db", ASSAY_SQL_READ);
    CHECK_INT(assay_sql_migrate(sql, &two_steps, &err), ASSAY_EINPUT);
    CHECK(strstr(err.text, "older assay"));
    assay_sql_close(sql);

    sql = open_sql("steps.db", ASSAY_SQL_WRITE);
    CHECK(assay_sql_migrate(sql, &two_steps, &err) == ASSAY_OK);
    CHECK_INT(ask(sql, "SELECT count(*) FROM b"), 0);
    CHECK_INT(assay_sql_migrate(sql, &one_step, &err), ASSAY_EINPUT);
    CHECK(strstr(err.text, "newer assay"));
    CHECK_INT(assay_sql_migrate(sql, &other_kind, &err), ASSAY_EINPUT);
    CHECK_STR(err.text, "'steps.db' is a database, but no corpus of assay");
    assay_sql_close(sql);
}

TEST(a_step_that_fails_leaves_the_schema_as_it_was)
{
    static const char *const bad[] = {"CREATE TABLE a (x INTEGER)", "CREATE NONSENSE"};
    const assay_sql_schema broken = {"thing", 0x74657374, bad, 2};
    assay_sql *sql = open_sql("broken.db", ASSAY_SQL_CREATE);
    assay_error err;

    CHECK(assay_sql_migrate(sql, &broken, &err) != ASSAY_OK);
    CHECK_INT(ask(sql, "SELECT count(*) FROM sqlite_schema"), 0);
    assay_sql_close(sql);
}

TEST(a_transaction_is_taken_back_when_the_handle_says_so)
{
    assay_sql *sql = open_sql("back.db", ASSAY_SQL_CREATE);

    CHECK(assay_sql_migrate(sql, &two_steps, NULL) == ASSAY_OK);
    CHECK(assay_sql_begin(sql, NULL) == ASSAY_OK);
    CHECK(assay_sql_run(sql, "INSERT INTO a VALUES (1, 'x')", NULL) == ASSAY_OK);
    CHECK_INT(assay_sql_changes(sql), 1);
    assay_sql_rollback(sql);
    assay_sql_rollback(sql);
    CHECK_INT(ask(sql, "SELECT count(*) FROM a"), 0);
    assay_sql_close(sql);
}

TEST(readers_go_on_while_one_writes)
{
    assay_sql *writer = open_sql("both.db", ASSAY_SQL_CREATE);
    assay_sql *reader;

    CHECK(assay_sql_migrate(writer, &two_steps, NULL) == ASSAY_OK);
    reader = open_sql("both.db", ASSAY_SQL_READ);
    CHECK(assay_sql_begin(writer, NULL) == ASSAY_OK);
    CHECK(assay_sql_run(writer, "INSERT INTO a VALUES (1, 'x')", NULL) == ASSAY_OK);
    CHECK_INT(ask(reader, "SELECT count(*) FROM a"), 0);
    CHECK(assay_sql_commit(writer, NULL) == ASSAY_OK);
    CHECK_INT(ask(reader, "SELECT count(*) FROM a"), 1);
    assay_sql_close(reader);
    assay_sql_close(writer);
}

TEST(a_reader_may_not_write)
{
    assay_sql *sql = open_sql("read.db", ASSAY_SQL_CREATE);
    assay_error err;

    CHECK(assay_sql_migrate(sql, &two_steps, NULL) == ASSAY_OK);
    assay_sql_close(sql);
    sql = open_sql("read.db", ASSAY_SQL_READ);
    CHECK_INT(assay_sql_run(sql, "INSERT INTO a VALUES (1, 'x')", &err), ASSAY_ESYSTEM);
    CHECK_STR(err.text, "'read.db': it may not be written");
    assay_sql_close(sql);
}

TEST(a_database_in_a_folder_that_may_not_be_written_is_read)
{
    assay_sql *sql;

    CHECK(mkdir("ro", 0755) == 0);
    sql = open_sql("ro/a b%?#.db", ASSAY_SQL_CREATE);
    CHECK(assay_sql_migrate(sql, &two_steps, NULL) == ASSAY_OK);
    CHECK(assay_sql_run(sql, "INSERT INTO a VALUES (1, 'x')", NULL) == ASSAY_OK);
    assay_sql_close(sql);
    CHECK(chmod("ro", 0555) == 0);
    sql = open_sql("ro/a b%?#.db", ASSAY_SQL_READ);
    CHECK_INT(ask(sql, "SELECT count(*) FROM a"), 1);
    assay_sql_close(sql);
    CHECK(chmod("ro", 0755) == 0);
}

TEST(a_damaged_database_is_bad_input)
{
    assay_sql *sql = open_sql("damaged.db", ASSAY_SQL_CREATE);
    assay_error err = {ASSAY_OK, ""};
    assay_stmt *stmt = NULL;
    assay_status st;
    FILE *f;

    CHECK(assay_sql_migrate(sql, &two_steps, NULL) == ASSAY_OK);
    CHECK(assay_sql_run(sql, "INSERT INTO a VALUES (1, 'x')", NULL) == ASSAY_OK);
    assay_sql_close(sql);
    f = fopen("damaged.db", "r+b");
    CHECK(f && fseek(f, 16384, SEEK_SET) == 0);
    for (int i = 0; i < 16384; i++)
        CHECK(fputc(0xA5, f) != EOF);
    CHECK(fclose(f) == 0);
    sql = open_sql("damaged.db", ASSAY_SQL_READ);
    st = assay_stmt_new(sql, "SELECT * FROM a", &stmt, &err);
    if (!st)
        st = assay_stmt_run(stmt, &err);
    CHECK_INT(st, ASSAY_EINPUT);
    CHECK_STR(err.text, "'damaged.db': the database is damaged; make it anew");
    assay_stmt_free(stmt);
    assay_sql_close(sql);
}
