/* SPDX-License-Identifier: Apache-2.0 */
/* What is PostgreSQL's own among stores: schemas, and how they are made.  All of it needs a
 * server, which ASSAY_TEST_STORE names (tests/server/postgres.sh); what all stores share is in
 * contract/test_stores.c. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pq.h"
#include "store/database.h"
#include "store/store.h"
#include "testing.h"

/* A place of which nothing is there yet. */
static const char *new_place(void)
{
    static char place[500];
    static int n;
    const char *url = getenv("ASSAY_TEST_STORE");

    if (!url || !assay_pq_is_url(url))
        SKIP("ASSAY_TEST_STORE is not set");
    snprintf(place, sizeof place, "%s%cschema=user_%d_%d", url,
             strchr(url, '?') ? '&' : '?', (int)getpid(), n++);
    return place;
}

static const assay_database *driver(void)
{
    const assay_database *d = NULL;
    assay_error err = {ASSAY_OK, ""};

    CHECK_INT(assay_database_find("postgresql://", &d, &err), ASSAY_OK);
    return d;
}

static assay_status open_it(const char *place, assay_store_mode mode, assay_error *err)
{
    const assay_database *d = driver();
    void *db = NULL;
    assay_status st = d->open(place, mode, &db, err);

    if (!st)
        st = d->migrate(db, err);
    d->close(db);
    return st;
}

static void run(const char *place, const char *text)
{
    assay_error err = {ASSAY_OK, ""};
    assay_pq *pq = NULL;

    if (assay_pq_open(place, &pq, &err) || assay_pq_run(pq, text, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    assay_pq_close(pq);
}

static void check_words(const assay_error *err, const char *words)
{
    if (!strstr(err->text, words))
        check_failed(__FILE__, __LINE__, "'%s' has no '%s'", err->text, words);
}

TEST(programs_that_start_at_once_make_one_schema)
{
    const char *place = new_place();
    int n_good = 0;

    fflush(stdout);
    for (int i = 0; i < 6; i++)
        if (fork() == 0)
            _exit(open_it(place, ASSAY_STORE_CREATE, NULL) ? 1 : 0);
    for (int i = 0; i < 6; i++) {
        int status = 1;

        CHECK(wait(&status) > 0);
        n_good += status == 0;
    }
    CHECK_INT(n_good, 6);
    run(place, "INSERT INTO goldens VALUES ('a', 'b', 0, '', 'c')");
    CHECK_INT(open_it(place, ASSAY_STORE_READ, NULL), ASSAY_OK);
}

TEST(where_no_store_is_reading_does_not_make_one)
{
    const char *place = new_place();
    assay_error err = {ASSAY_OK, ""};

    CHECK_INT(open_it(place, ASSAY_STORE_READ, &err), ASSAY_EUSAGE);
    check_words(&err, "'assay run' makes one");
    CHECK_INT(open_it(place, ASSAY_STORE_WRITE, &err), ASSAY_EUSAGE);
    check_words(&err, "?schema=user_");
}

TEST(a_newer_schema_is_refused)
{
    const char *place = new_place();
    assay_error err = {ASSAY_OK, ""};

    CHECK_INT(open_it(place, ASSAY_STORE_CREATE, &err), ASSAY_OK);
    run(place, "INSERT INTO assay_schema (version) VALUES (99)");
    for (int mode = ASSAY_STORE_READ; mode <= ASSAY_STORE_CREATE; mode++) {
        CHECK_INT(open_it(place, (assay_store_mode)mode, &err), ASSAY_EINPUT);
        check_words(&err, "was written by a newer assay (schema 99, this program knows ");
    }
}

TEST(a_schema_with_tables_of_the_same_names_is_left_alone)
{
    const char *place = new_place();
    assay_error err = {ASSAY_OK, ""};
    const char *name = strstr(place, "schema=") + strlen("schema=");
    char text[200];

    snprintf(text, sizeof text, "CREATE SCHEMA %s; CREATE TABLE run_tags (n BIGINT)",
             name);
    run(place, text);
    CHECK_INT(open_it(place, ASSAY_STORE_CREATE, &err), ASSAY_EINPUT);
    check_words(&err, "run_tags");
    /* Nothing of the failed migration is left. */
    run(place, "CREATE TABLE eval_runs (n BIGINT); CREATE TABLE assay_schema (n BIGINT)");
}

TEST(readers_cannot_write)
{
    const char *place = new_place();
    const assay_database *d = driver();
    assay_error err = {ASSAY_OK, ""};
    void *db = NULL, *stmt = NULL;
    bool has_row;

    CHECK_INT(open_it(place, ASSAY_STORE_CREATE, &err), ASSAY_OK);
    CHECK_INT(d->open(place, ASSAY_STORE_READ, &db, &err), ASSAY_OK);
    CHECK_INT(d->prepare(db, "DELETE FROM goldens", &stmt, &err), ASSAY_OK);
    CHECK_INT(d->step(stmt, &has_row, &err), ASSAY_ESYSTEM);
    check_words(&err, "may only be read");
    d->free(stmt);
    d->close(db);
}
