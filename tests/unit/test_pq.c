/* SPDX-License-Identifier: Apache-2.0 */
/* PostgreSQL behind our errors.  What needs a server runs where ASSAY_TEST_STORE names one:
 * in `make check-servers`, against a server that tests/server/postgres.sh starts. */
#include "base/pq.h"

#include <stdlib.h>

#include "base/pq_url.h"
#include "base/slice.h"
#include "testing.h"

static void check_public(const char *url, const char *want)
{
    char out[200];

    assay_pq_public_url(url, out, sizeof out);
    CHECK_STR(out, want);
}

TEST(an_address_is_known_by_its_scheme)
{
    CHECK(assay_pq_is_url("postgresql://host/db"));
    CHECK(assay_pq_is_url("postgres://"));
    CHECK(!assay_pq_is_url("postgresql.db"));
    CHECK(!assay_pq_is_url("sqlite://x"));
}

TEST(the_public_form_has_user_host_and_database)
{
    check_public("postgresql://ann:secret@host:5433/db", "postgresql://ann@host:5433/db");
    check_public("postgres://host/db", "postgres://host/db");
    check_public("postgresql://ann@host", "postgresql://ann@host");
    check_public("postgresql://:secret@host", "postgresql://host");
    check_public("postgresql:///db?host=/run&user=ann&password=secret",
                 "postgresql:///db");
    check_public("postgresql://[::1]:5433,b/db", "postgresql://[::1]:5433,b/db");
    check_public("postgresql://h/db?schema=a_1", "postgresql://h/db?schema=a_1");
    check_public("postgresql://h/db?password=secret&schema=a&x=1",
                 "postgresql://h/db?schema=a");
    check_public("postgresql://h/db?schema=A%20b", "postgresql://h/db");
}

TEST(a_password_that_was_not_escaped_is_not_in_the_public_form)
{
    check_public("postgresql://ann:se@cret@host/db", "postgresql://ann@host/db");
    check_public("postgresql://ann:se/cret@host/db", "postgresql://ann@host/db");
    check_public("postgresql://ann:se?cret@host/db", "postgresql://ann@host/db");
    check_public("postgresql://ann:se:cr#et@host/db", "postgresql://ann@host/db");
    check_public("postgresql://ann:secret/db", "postgresql://ann");
    check_public("postgresql://ann:12cret", "postgresql://ann");
}

static void check_split(const char *url, const char *want_plain, const char *want_schema)
{
    char plain[200];
    char schema[ASSAY_PQ_SCHEMA_SIZE];

    assay_pq_split_url(url, plain, schema);
    CHECK_STR(plain, want_plain);
    CHECK_STR(schema, want_schema);
}

TEST(the_schema_is_taken_out_of_the_address)
{
    check_split("postgresql://h/db", "postgresql://h/db", "");
    check_split("postgresql://h/db?schema=a", "postgresql://h/db", "a");
    check_split("postgresql://h/db?schema=a&x=1", "postgresql://h/db?x=1", "a");
    check_split("postgresql://h/db?x=1&schema=a", "postgresql://h/db?x=1", "a");
    check_split("postgresql://h/db?x=1&schema=a&y=2", "postgresql://h/db?x=1&y=2", "a");
    check_split("postgresql://h/schema=a", "postgresql://h/schema=a", "");
    check_split("postgresql://h/db?schema=a;b", "postgresql://h/db", "");
}

static void check_refused(const char *url)
{
    assay_error err = {ASSAY_OK, ""};
    assay_pq *pq = NULL;
    assay_status st = assay_pq_open(url, &pq, &err);

    CHECK(!pq);
    if (strstr(err.text, "needs libpq"))
        SKIP("libpq is not installed");
    CHECK_INT(st, ASSAY_EUSAGE);
    CHECK(strstr(err.text, "is no address of a PostgreSQL database"));
    CHECK(!strstr(err.text, "cret"));
}

TEST(an_address_that_would_show_its_password_is_refused)
{
    check_refused("postgresql://ann:12/cret@host/db");
    check_refused("postgresql://ann:se@cret@host/db");
    check_refused("postgresql://ann:12?cret@host/db");
    check_refused("postgresql://ann:12?dbname=cret@host/db");
    check_refused("postgresql://ann:secret/db");
    check_refused("postgresql://ann:%cret@host/db");
    check_refused("postgresql://ann@host/db?cret=1");
}

TEST(where_nobody_listens_it_says_so)
{
    assay_error err = {ASSAY_OK, ""};
    assay_pq *pq = NULL;
    /* Port 1 is tcpmux, which nobody has run for decades. */
    assay_status st = assay_pq_open("postgresql://ann:secret@127.0.0.1:1/db", &pq, &err);

    CHECK_INT(st, ASSAY_ESYSTEM);
    if (strstr(err.text, "needs libpq"))
        SKIP("libpq is not installed");
    CHECK_STR(err.text, "'postgresql://ann@127.0.0.1:1/db': Connection refused");
}

TEST(the_name_of_a_schema_needs_no_quoting)
{
    assay_error err = {ASSAY_OK, ""};
    assay_pq *pq = NULL;
    assay_status st = assay_pq_open("postgresql://host/db?schema=a;drop", &pq, &err);

    if (strstr(err.text, "needs libpq"))
        SKIP("libpq is not installed");
    CHECK_INT(st, ASSAY_EUSAGE);
    CHECK(strstr(err.text, "the name of a schema has small letters") != NULL);
}

/* ---- against a server ---- */

static const char *server(void)
{
    const char *url = getenv("ASSAY_TEST_STORE");

    return url && assay_pq_is_url(url) ? url : NULL;
}

static assay_pq *connect_to_server(void)
{
    assay_error err = {ASSAY_OK, ""};
    assay_pq *pq = NULL;

    if (!server())
        SKIP("ASSAY_TEST_STORE is not set");
    if (assay_pq_open(server(), &pq, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return pq;
}

static void run(assay_pq *pq, const char *text)
{
    assay_error err = {ASSAY_OK, ""};

    if (assay_pq_run(pq, text, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
}

static assay_pq_stmt *statement(assay_pq *pq, const char *text)
{
    assay_error err = {ASSAY_OK, ""};
    assay_pq_stmt *stmt = NULL;

    CHECK_INT(assay_pq_stmt_new(pq, text, &stmt, &err), ASSAY_OK);
    return stmt;
}

static bool step(assay_pq_stmt *stmt)
{
    assay_error err = {ASSAY_OK, ""};
    bool has_row = false;

    if (assay_pq_step(stmt, &has_row, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return has_row;
}

static int64_t ask(assay_pq *pq, const char *text)
{
    assay_pq_stmt *stmt = statement(pq, text);
    int64_t n = -1;

    if (step(stmt))
        n = assay_pq_int(stmt, 0);
    assay_pq_stmt_free(stmt);
    return n;
}

TEST(values_come_back_as_they_went)
{
    assay_pq *pq = connect_to_server();
    assay_pq_stmt *in, *out;
    static const int64_t numbers[] = {0, -1, 1, INT64_MAX, INT64_MIN, 255, -256};

    run(pq, "CREATE TEMP TABLE a (n BIGINT, t TEXT, b BYTEA)");
    in = statement(pq, "INSERT INTO a VALUES ($1, $2, $3)");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        assay_pq_put_int(in, 1, numbers[i]);
        assay_pq_put_slice(in, 2, ASSAY_LIT("물 \\x41 ' \" \n"));
        assay_pq_put_slice(in, 3, ASSAY_LIT("\\\0\xff'"));
        CHECK(!step(in));
        CHECK_INT(assay_pq_changes(pq), 1);
    }
    assay_pq_put_null(in, 1);
    assay_pq_put_slice(in, 2, (assay_slice){NULL, 0});
    assay_pq_put_null(in, 3);
    CHECK(!step(in));

    out = statement(pq, "SELECT n, t, b FROM a WHERE n = $1");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        assay_pq_put_int(out, 1, numbers[i]);
        CHECK(step(out));
        CHECK_INT(assay_pq_int(out, 0), numbers[i]);
        CHECK(assay_slice_eq(assay_pq_slice(out, 1), ASSAY_LIT("물 \\x41 ' \" \n")));
        CHECK(assay_slice_eq(assay_pq_slice(out, 2), ASSAY_LIT("\\\0\xff'")));
        CHECK(!step(out));
    }
    assay_pq_stmt_free(out);

    out = statement(pq, "SELECT n, t, b FROM a WHERE n IS NULL");
    CHECK(step(out));
    CHECK(assay_pq_is_null(out, 0) && !assay_pq_is_null(out, 1) &&
          assay_pq_is_null(out, 2));
    CHECK_INT(assay_pq_int(out, 0), 0);
    CHECK_INT(assay_pq_slice(out, 1).len, 0);
    assay_pq_stmt_free(out);
    CHECK_INT(ask(pq, "SELECT CAST(-7 AS SMALLINT)"), -7);
    CHECK_INT(ask(pq, "SELECT -7"), -7);
    assay_pq_stmt_free(in);
    assay_pq_close(pq);
}

TEST(a_large_value_goes_through_in_pieces)
{
    assay_pq *pq = connect_to_server();
    assay_pq_stmt *in = NULL;
    size_t size = (size_t)24 << 20;
    char *bytes = malloc(size);

    CHECK(bytes != NULL);
    memset(bytes, 7, size);
    run(pq, "CREATE TEMP TABLE a (b BYTEA)");
    in = statement(pq, "INSERT INTO a VALUES ($1) RETURNING b");
    assay_pq_put_slice(in, 1, (assay_slice){bytes, size});
    CHECK(step(in));
    CHECK(assay_slice_eq(assay_pq_slice(in, 0), (assay_slice){bytes, size}));
    assay_pq_stmt_free(in);
    assay_pq_close(pq);
    free(bytes);
}

TEST(a_rollback_takes_back_and_a_commit_keeps)
{
    assay_pq *pq = connect_to_server();
    assay_error err = {ASSAY_OK, ""};

    run(pq, "CREATE TEMP TABLE a (n BIGINT)");
    assay_pq_rollback(pq); /* there is none */
    CHECK_INT(assay_pq_begin(pq, &err), ASSAY_OK);
    run(pq, "INSERT INTO a VALUES (1)");
    assay_pq_rollback(pq);
    CHECK_INT(ask(pq, "SELECT count(*) FROM a"), 0);
    CHECK_INT(assay_pq_begin(pq, &err), ASSAY_OK);
    run(pq, "INSERT INTO a VALUES (1)");
    CHECK_INT(assay_pq_commit(pq, &err), ASSAY_OK);
    CHECK_INT(ask(pq, "SELECT count(*) FROM a"), 1);
    assay_pq_close(pq);
}

static void check_fails(assay_pq *pq, const char *text, assay_status status,
                        assay_pq_fault fault, const char *words)
{
    assay_error err = {ASSAY_OK, ""};

    CHECK_INT(assay_pq_run(pq, text, &err), status);
    CHECK_INT(assay_pq_fault_of(pq), fault);
    if (!strstr(err.text, words))
        check_failed(__FILE__, __LINE__, "'%s' has no '%s'", err.text, words);
    CHECK(err.text[0] == '\'');
}

TEST(failures_have_a_status_a_fault_and_words)
{
    assay_pq *pq = connect_to_server();

    run(pq, "CREATE TEMP TABLE a (n BIGINT PRIMARY KEY);"
            "CREATE TEMP TABLE b (n BIGINT REFERENCES a (n))");
    check_fails(pq, "SELECT nothing FROM nowhere", ASSAY_EINPUT, ASSAY_PQ_FAULT_NONE,
                "(42P01)");
    check_fails(pq, "INSERT INTO b VALUES (1)", ASSAY_EUSAGE, ASSAY_PQ_FAULT_FOREIGN,
                "refers to");
    check_fails(pq, "SELECT 1; DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$; SELECT 2",
                ASSAY_ESYSTEM, ASSAY_PQ_FAULT_AGAIN, "waited for each other");
    check_fails(pq, "SET statement_timeout = 50; SELECT pg_sleep(20)", ASSAY_ESYSTEM,
                ASSAY_PQ_FAULT_NONE, "took too long");
    CHECK_INT(ask(pq, "SELECT 5"), 5);
    CHECK_INT(assay_pq_fault_of(pq), ASSAY_PQ_FAULT_NONE);
    assay_pq_close(pq);
}

TEST(text_that_the_server_cannot_keep_is_an_input_error)
{
    assay_pq *pq = connect_to_server();
    assay_error err = {ASSAY_OK, ""};
    assay_pq_stmt *in;
    bool has_row;

    run(pq, "CREATE TEMP TABLE a (t TEXT)");
    in = statement(pq, "INSERT INTO a VALUES ($1)");
    assay_pq_put_slice(in, 1, ASSAY_LIT("a\0b"));
    CHECK_INT(assay_pq_step(in, &has_row, &err), ASSAY_EINPUT);
    assay_pq_put_slice(in, 1, ASSAY_LIT("caf\xe9"));
    CHECK_INT(assay_pq_step(in, &has_row, &err), ASSAY_EINPUT);
    CHECK(strstr(err.text, "no UTF-8") != NULL);
    assay_pq_stmt_free(in);
    assay_pq_close(pq);
}

TEST(a_connection_that_was_cut_is_lost)
{
    assay_pq *pq = connect_to_server();
    assay_pq *other = connect_to_server();
    assay_pq_stmt *stmt = statement(pq, "SELECT CAST(pg_backend_pid() AS BIGINT)");
    assay_error err = {ASSAY_OK, ""};
    char text[100];
    bool has_row;

    /* Twice, so that it is prepared. */
    for (int i = 0; i < 2; i++)
        CHECK(step(stmt) && (i || !step(stmt)));
    snprintf(text, sizeof text, "SELECT pg_terminate_backend(%lld, 5000)",
             (long long)assay_pq_int(stmt, 0));
    assay_pq_reset(stmt);
    run(other, text);
    CHECK_INT(assay_pq_step(stmt, &has_row, &err), ASSAY_ESYSTEM);
    CHECK_INT(assay_pq_fault_of(pq), ASSAY_PQ_FAULT_LOST);
    CHECK(strstr(err.text, "closed the connection") ||
          strstr(err.text, "connection to the server was lost"));
    CHECK_INT(assay_pq_step(stmt, &has_row, &err), ASSAY_ESYSTEM);
    CHECK_INT(assay_pq_fault_of(pq), ASSAY_PQ_FAULT_LOST);
    assay_pq_stmt_free(stmt);
    assay_pq_close(other);
    assay_pq_close(pq);
}
