/* SPDX-License-Identifier: Apache-2.0 */
/* Ingest: what is read, what is not, what is kept, and that nothing can break it. */
#include "pipeline/ingest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/slice.h"
#include "base/sql.h"
#include "testing.h"

/* Long ago: then size and time can be relied on. */
enum { LONG_AGO = 1000000000 };

static void age_file(const char *path, time_t seconds)
{
    const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};

    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}

/* Write a file that has not been touched for long. */
static void write_old(const char *path, const char *text)
{
    write_file(path, text);
    age_file(path, LONG_AGO);
}

static void make_folder(const char *path)
{
    CHECK(mkdir(path, 0777) == 0);
}

/* ---- running ---- */

static assay_ingest_summary last; /* of the last run; cleared by the next */

static assay_status run(const char *corpus, const char *const *path, size_t n,
                        const assay_ingest_options *options)
{
    const assay_ingest_options standard = {.n_threads = 2};
    assay_error err = {ASSAY_OK, ""};
    assay_status st;

    assay_ingest_summary_clear(&last);
    st = assay_ingest(corpus, path, n, options ? options : &standard, &last, &err);
    if (st && !err.text[0])
        check_failed(__FILE__, __LINE__, "no words for status %d", (int)st);
    return st;
}

static void ingest(const char *corpus, const char *path)
{
    CHECK_INT(run(corpus, &path, 1, NULL), ASSAY_OK);
}

static void ingest_by(const char *corpus, const char *path, const char *chunker)
{
    assay_chunking chunking;
    const assay_ingest_options options = {.n_threads = 2, .chunking = &chunking};

    CHECK(assay_chunking_read(assay_slice_of(chunker), &chunking, NULL) == ASSAY_OK);
    CHECK_INT(run(corpus, &path, 1, &options), ASSAY_OK);
}

#define CHECK_COUNTS(read, replaced, unchanged, removed) \
    do {                                                 \
        CHECK_INT(last.n_read, read);                    \
        CHECK_INT(last.n_replaced, replaced);            \
        CHECK_INT(last.n_unchanged, unchanged);          \
        CHECK_INT(last.n_removed, removed);              \
    } while (0)

/* One number out of a corpus. */
static int64_t ask(const char *path, const char *text)
{
    assay_sql *sql = NULL;
    assay_stmt *stmt;
    bool has_row = false;
    int64_t n;

    CHECK(assay_sql_open(path, ASSAY_SQL_READ, &sql, NULL) == ASSAY_OK);
    CHECK(assay_stmt_new(sql, text, &stmt, NULL) == ASSAY_OK);
    CHECK(assay_stmt_step(stmt, &has_row, NULL) == ASSAY_OK && has_row);
    n = assay_stmt_int(stmt, 0);
    assay_stmt_free(stmt);
    assay_sql_close(sql);
    return n;
}

static bool has_doc(const char *path, const char *id)
{
    char text[200];

    snprintf(text, sizeof text,
             "SELECT count(*) FROM versions WHERE is_today = 1 AND doc = '%s'", id);
    return ask(path, text) == 1;
}

/* ---- what is read ---- */

TEST(files_as_before_are_not_read_again)
{
    make_folder("as_before");
    write_old("as_before/a.md", "one");
    write_old("as_before/b.md", "two");
    ingest("as_before.db", "as_before");
    CHECK_COUNTS(2, 0, 0, 0);
    /* Other bytes of the same length and time: whoever does not read does not see. */
    write_old("as_before/a.md", "ONE");
    ingest("as_before.db", "as_before");
    CHECK_COUNTS(0, 0, 2, 0);
    {
        const char *path = "as_before";
        const assay_ingest_options options = {.is_thorough = true};

        CHECK_INT(run("as_before.db", &path, 1, &options), ASSAY_OK);
    }
    CHECK_COUNTS(0, 1, 1, 0);
}

TEST(a_touched_file_is_read_and_found_unchanged)
{
    char hash[65];

    make_folder("touched");
    write_old("touched/a.md", "one");
    ingest("touched.db", "touched");
    memcpy(hash, last.hash, sizeof hash);
    age_file("touched/a.md", LONG_AGO + 5);
    ingest("touched.db", "touched");
    CHECK_COUNTS(0, 0, 1, 0);
    CHECK_STR(last.hash, hash);
    CHECK_INT(ask("touched.db", "SELECT mtime_ns / 1000000000 FROM files"), LONG_AGO + 5);
}

TEST(a_change_within_the_same_moment_is_seen)
{
    struct timespec now;

    make_folder("racy");
    write_file("racy/a.md", "one");
    CHECK(clock_gettime(CLOCK_REALTIME, &now) == 0);
    age_file("racy/a.md", now.tv_sec);
    ingest("racy.db", "racy");
    write_file("racy/a.md", "ONE");
    age_file("racy/a.md", now.tv_sec);
    ingest("racy.db", "racy");
    CHECK_COUNTS(0, 1, 0, 0);
}

TEST(changed_and_gone_files_go_to_the_archive_and_come_back)
{
    char hash[65];

    make_folder("change");
    write_old("change/a.md", "one");
    write_old("change/b.md", "two");
    ingest("change.db", "change");
    memcpy(hash, last.hash, sizeof hash);
    write_file("change/a.md", "one, changed");
    CHECK(remove("change/b.md") == 0);
    ingest("change.db", "change");
    CHECK_COUNTS(0, 1, 0, 1);
    CHECK(!has_doc("change.db", "b.md"));
    CHECK_INT(ask("change.db", "SELECT count(*) FROM versions"), 3);
    write_old("change/a.md", "one");
    write_old("change/b.md", "two");
    ingest("change.db", "change");
    CHECK_COUNTS(1, 1, 0, 0);
    CHECK_STR(last.hash, hash);
    /* Revived, not stored again. */
    CHECK_INT(ask("change.db", "SELECT count(*) FROM versions"), 3);
}

TEST(a_file_that_holds_no_text_any_more_is_removed)
{
    FILE *f;

    make_folder("binary");
    write_old("binary/a.txt", "text");
    ingest("binary.db", "binary");
    f = fopen("binary/a.txt", "wb");
    CHECK(f && fwrite("a\0b\0\1\2", 1, 6, f) == 6 && fclose(f) == 0);
    ingest("binary.db", "binary");
    CHECK_COUNTS(0, 0, 0, 1);
    CHECK_INT(last.n_skips, 1);
    CHECK_STR(last.skip[0].reason, "binary");
    CHECK(!has_doc("binary.db", "a.txt"));
}

TEST(a_file_that_fails_is_told_and_what_was_there_stays)
{
    make_folder("fails");
    write_old("fails/a.jsonl", "{\"id\": \"x\", \"text\": \"one\"}\n");
    write_old("fails/b.md", "two");
    ingest("fails.db", "fails");
    write_file("fails/a.jsonl", "{\"id\": \"x\", \"text\": \"one\"}\n{\"id\": \"y\", ");
    write_file("fails/b.md", "two, changed");
    ingest("fails.db", "fails");
    CHECK_COUNTS(0, 1, 0, 0);
    CHECK_INT(last.n_faults, 1);
    CHECK(assay_slice_is(last.fault[0].path, "fails/a.jsonl"));
    CHECK(strstr(last.fault[0].why, "a.jsonl:2"));
    CHECK(has_doc("fails.db", "x") && !has_doc("fails.db", "y"));
}

/* ---- roots ---- */

TEST(other_roots_are_left_alone)
{
    make_folder("r1");
    make_folder("r2");
    write_old("r1/a.md", "one");
    write_old("r2/b.md", "two");
    ingest("roots.db", "r1");
    ingest("roots.db", "r2");
    CHECK_COUNTS(1, 0, 0, 0);
    CHECK(has_doc("roots.db", "a.md") && has_doc("roots.db", "b.md"));
    CHECK(remove("r2/b.md") == 0);
    ingest("roots.db", "r2");
    CHECK_COUNTS(0, 0, 0, 1);
    CHECK(has_doc("roots.db", "a.md"));
}

TEST(a_folder_of_a_folder_keeps_the_ids)
{
    make_folder("outer");
    make_folder("outer/inner");
    write_old("outer/inner/a.md", "one");
    write_old("outer/b.md", "two");
    ingest("nested.db", "outer");
    CHECK(has_doc("nested.db", "inner/a.md"));
    write_old("outer/inner/c.md", "three");
    ingest("nested.db", "outer/inner");
    CHECK_COUNTS(1, 0, 1, 0);
    CHECK(has_doc("nested.db", "inner/c.md") && has_doc("nested.db", "b.md"));
    ingest("nested.db", "outer/inner/a.md");
    CHECK_COUNTS(0, 0, 1, 0);
}

TEST(a_folder_around_a_folder_takes_it_over)
{
    make_folder("around");
    make_folder("around/inner");
    write_old("around/inner/a.md", "one");
    write_old("around/a.md", "two");
    ingest("around.db", "around/inner");
    CHECK(has_doc("around.db", "a.md"));
    /* around/a.md has the id now that around/inner/a.md had: put off until it is free. */
    ingest("around.db", "around");
    CHECK_COUNTS(1, 1, 0, 0);
    CHECK_INT(last.n_faults, 0);
    CHECK(has_doc("around.db", "a.md") && has_doc("around.db", "inner/a.md"));
}

TEST(a_project_that_was_moved_is_unchanged)
{
    const char *before = "home1/docs";
    const char *after = "home2/docs";
    assay_ingest_options options = {.home = "home1"};

    make_folder("home1");
    make_folder("home1/docs");
    write_old("home1/docs/a.md", "one");
    CHECK_INT(run("moved.db", &before, 1, &options), ASSAY_OK);
    CHECK(rename("home1", "home2") == 0);
    options.home = "home2";
    CHECK_INT(run("moved.db", &after, 1, &options), ASSAY_OK);
    CHECK_COUNTS(0, 0, 1, 0);
}

TEST(names_with_any_bytes_are_stored)
{
    make_folder("names");
    write_old("names/new\nline \xff.md", "one");
    ingest("names.db", "names");
    CHECK_COUNTS(1, 0, 0, 0);
    ingest("names.db", "names");
    CHECK_COUNTS(0, 0, 1, 0);
}

/* ---- documents ---- */

TEST(two_files_with_one_document_fail_by_name)
{
    make_folder("twice");
    write_old("twice/a.jsonl", "{\"id\": \"x\", \"text\": \"one\"}\n");
    write_old("twice/b.jsonl", "{\"id\": \"y\", \"text\": \"two\"}\n"
                               "{\"id\": \"x\", \"text\": \"three\"}\n");
    ingest("twice.db", "twice");
    CHECK_INT(last.n_faults, 1);
    CHECK(assay_slice_is(last.fault[0].path, "twice/b.jsonl"));
    CHECK_STR(last.fault[0].why, "document 'x' is there already, from 'twice/a.jsonl'");
    CHECK(has_doc("twice.db", "x") && !has_doc("twice.db", "y"));
}

TEST(a_document_that_stands_twice_in_a_file_fails_with_both_lines)
{
    write_old("lines.jsonl", "{\"id\": \"x\", \"text\": \"one\"}\n"
                             "{\"id\": \"x\", \"text\": \"two\"}\n");
    ingest("lines.db", "lines.jsonl");
    CHECK_INT(last.n_faults, 1);
    CHECK(strstr(last.fault[0].why, "'x'"));
    CHECK_INT(ask("lines.db", "SELECT count(*) FROM versions"), 0);
}

TEST(a_document_may_move_from_file_to_file)
{
    make_folder("move");
    write_old("move/b.jsonl", "{\"id\": \"x\", \"text\": \"one\"}\n");
    ingest("move.db", "move");
    write_file("move/a.jsonl", "{\"id\": \"x\", \"text\": \"one\"}\n");
    write_file("move/b.jsonl", "{\"id\": \"y\", \"text\": \"two\"}\n");
    ingest("move.db", "move");
    CHECK_COUNTS(1, 1, 0, 0);
    CHECK_INT(last.n_faults, 0);
    CHECK_INT(ask("move.db", "SELECT count(*) FROM versions"), 2);
}

/* ---- chunking ---- */

TEST(another_chunker_cuts_what_is_stored_and_reads_nothing)
{
    make_folder("recut");
    write_old("recut/a.md", "# One\n\nFirst.\n\nSecond.\n\nThird.\n");
    ingest_by("recut.db", "recut", "whole");
    CHECK_INT(last.size.n_chunks, 1);
    /* Nobody who does not read sees that it was changed. */
    write_old("recut/a.md", "# Two\n\nFirst.\n\nSecond.\n\nThird.\n");
    ingest_by("recut.db", "recut", "lines(size=1,overlap=0)");
    CHECK_INT(last.n_recut, 1);
    CHECK_COUNTS(0, 0, 1, 0);
    CHECK(last.size.n_chunks > 1);
    CHECK_INT(ask("recut.db", "SELECT count(*) FROM cuts"), 2);
    /* Back again: the cuts are there. */
    ingest_by("recut.db", "recut", "whole");
    CHECK_INT(last.n_recut, 0);
    CHECK_INT(last.size.n_chunks, 1);
    /* Without a chunker today's stays. */
    ingest("recut.db", "recut");
    CHECK(strncmp(last.chunking, "whole@", 6) == 0);
}

/* ---- long files ---- */

/* A file of records; one of them is longer than a batch takes. */
static void write_records(const char *path, size_t n, bool is_broken)
{
    FILE *f = fopen(path, "wb");

    CHECK(f);
    for (size_t i = 0; i < n; i++) {
        fprintf(f, "{\"id\": \"r%zu\", \"text\": \"", i);
        for (size_t w = 0; w < (i == n / 2 ? 700000U : 40U); w++)
            fprintf(f, "word%zu ", w % 97 + i % 7);
        fprintf(f, "\"}\n");
    }
    if (is_broken)
        fprintf(f, "{\"id\": ");
    CHECK(fclose(f) == 0);
}

TEST(a_long_file_is_stored_as_a_whole_or_not_at_all)
{
    make_folder("long");
    write_records("long/records.jsonl", 3000, true);
    ingest_by("long.db", "long", "paragraph");
    CHECK_INT(last.n_faults, 1);
    CHECK(strstr(last.fault[0].why, "records.jsonl:3001"));
    CHECK_INT(ask("long.db", "SELECT count(*) FROM versions"), 0);
    write_records("long/records.jsonl", 3000, false);
    ingest("long.db", "long");
    CHECK_COUNTS(1, 0, 0, 0);
    CHECK_INT(last.size.n_docs, 3000);
    CHECK_INT(ask("long.db", "SELECT count(*) FROM texts WHERE part > 0"), 1);
    ingest("long.db", "long");
    CHECK_COUNTS(0, 0, 1, 0);
}

/* ---- threads, killing, stopping ---- */

static void make_tree(const char *folder, size_t n_files, size_t n_words)
{
    char path[100];
    uint32_t seed = 7;

    make_folder(folder);
    for (size_t i = 0; i < n_files; i++) {
        FILE *f;

        snprintf(path, sizeof path, "%s/%03zu.md", folder, i);
        f = fopen(path, "wb");
        CHECK(f);
        for (size_t w = 0; w < n_words; w++) {
            seed = seed * 1664525u + 1013904223u;
            fprintf(f, "%sword%u%s", w % 50 ? "" : "\n\n## Part\n\n", seed >> 22,
                    w % 9 ? " " : ".\n");
        }
        CHECK(fclose(f) == 0);
    }
}

/* All that was stored, but for the times of reading. */
static const char everything[] =
    "SELECT sum(v.version * 31 + length(v.doc) * 7 + v.bytes + c.n_chunks * 3"
    " + f.file * 13 + length(c.body)) FROM versions v JOIN cuts c USING (version)"
    " JOIN files f USING (file)";

TEST(any_number_of_threads_stores_the_same)
{
    const char *path = "threads";
    assay_ingest_options options = {.n_threads = 1};
    char hash[65];

    make_tree("threads", 40, 400);
    write_records("threads/z.jsonl", 2000, false);
    CHECK_INT(run("threads1.db", &path, 1, &options), ASSAY_OK);
    memcpy(hash, last.hash, sizeof hash);
    options.n_threads = 4;
    CHECK_INT(run("threads4.db", &path, 1, &options), ASSAY_OK);
    CHECK_STR(last.hash, hash);
    CHECK_INT(ask("threads4.db", everything), ask("threads1.db", everything));
}

typedef struct stopper {
    atomic_int flag;
    uint64_t after;
} stopper;

static void stop_after(void *ctx, const assay_ingest_progress *progress)
{
    stopper *s = ctx;

    if (progress->n >= s->after)
        atomic_store(&s->flag, 2);
}

TEST(who_is_stopped_leaves_whole_files_and_goes_on_later)
{
    const char *path = "stop";
    const uint64_t n_all = 1301; /* more than two batches, and a long file */
    char hash[65];

    make_tree("stop", 1300, 20);
    write_records("stop/650.jsonl", 1000, false);
    ingest("stop_want.db", "stop");
    CHECK_INT(last.n_read, n_all);
    memcpy(hash, last.hash, sizeof hash);
    for (uint64_t after = 0; after < 1000; after += 450) {
        stopper s = {.flag = !after, .after = after};
        const assay_ingest_options options = {
            .n_threads = 2, .cancel = &s.flag, .progress = stop_after, .ctx = &s};
        uint64_t n_read;

        remove("stop.db");
        CHECK_INT(run("stop.db", &path, 1, &options), ASSAY_OK);
        CHECK(last.was_cancelled);
        n_read = last.n_read;
        CHECK(n_read >= after && n_read < n_all);
        CHECK(after == 0 || last.n_left == n_all - n_read);
        CHECK_INT(last.size.n_files, n_read);
        CHECK_INT(ask("stop.db", "SELECT count(*) FROM versions WHERE line > 0") % 1000,
                  0);
        ingest("stop.db", "stop");
        CHECK_INT(last.n_read, n_all - n_read);
        CHECK_STR(last.hash, hash);
    }
}

/* Another process ingests and is killed after a while. */
static void kill_after(const char *corpus, const char *path, const char *chunker,
                       long nanoseconds)
{
    const struct timespec wait = {.tv_nsec = nanoseconds};
    pid_t child;

    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        assay_chunking chunking;
        const assay_ingest_options options = {.n_threads = 2, .chunking = &chunking};
        assay_ingest_summary summary = {0};

        if (assay_chunking_read(assay_slice_of(chunker), &chunking, NULL) == ASSAY_OK)
            (void)!assay_ingest(corpus, &path, 1, &options, &summary, NULL);
        _exit(0);
    }
    nanosleep(&wait, NULL);
    kill(child, SIGKILL);
    CHECK(waitpid(child, NULL, 0) == child);
}

TEST(whenever_it_is_killed_the_corpus_is_whole)
{
    static const char *const chunkers[] = {"whole", "lines", "paragraph"};
    int64_t most = 0;
    uint32_t seed = 99;
    char hash[65];

    make_tree("kill", 120, 600);
    write_records("kill/long.jsonl", 1000, false);
    ingest("kill_want.db", "kill");
    memcpy(hash, last.hash, sizeof hash);
    for (int i = 0; i < 24; i++) {
        int64_t n;

        seed = seed * 1664525u + 1013904223u;
        kill_after("kill.db", "kill", chunkers[i / 8],
                   1000000L + (long)(seed >> 8) % 60000000L);
        if (access("kill.db", F_OK) != 0 ||
            ask("kill.db", "SELECT count(*) FROM sqlite_schema") == 0)
            continue;
        CHECK_INT(ask("kill.db", "SELECT count(*) FROM pragma_integrity_check"
                                 " WHERE integrity_check = 'ok'"),
                  1);
        CHECK_INT(ask("kill.db", "SELECT count(*) FROM pragma_foreign_key_check"), 0);
        /* Whole files: all documents of one or none, each with its text and a cut. */
        n = ask("kill.db", "SELECT count(*) FROM versions WHERE line > 0");
        CHECK(n == 0 || n == 1000);
        n = ask("kill.db", "SELECT count(*) FROM versions");
        CHECK(n >= most);
        most = n;
        CHECK_INT(ask("kill.db", "SELECT count(*) FROM versions v WHERE v.is_today = 1"
                                 " AND NOT EXISTS (SELECT 1 FROM cuts c JOIN chunkings k"
                                 " USING (chunking) JOIN settings s ON s.value ="
                                 " k.spelling WHERE c.version = v.version)"),
                  0);
    }
    ingest("kill.db", "kill");
    CHECK_STR(last.hash, hash);
}

/* ---- dry runs and refusals ---- */

TEST(a_dry_run_writes_nothing)
{
    const char *path = "dry";
    const assay_ingest_options options = {.is_dry = true};

    make_folder("dry");
    write_old("dry/a.md", "one");
    CHECK_INT(run("dry_folder/dry.db", &path, 1, &options), ASSAY_OK);
    CHECK_COUNTS(1, 0, 0, 0);
    CHECK(access("dry_folder", F_OK) != 0);
    ingest("dry_folder/dry.db", "dry");
    write_file("dry/a.md", "changed");
    write_file("dry/b.md", "new");
    CHECK_INT(run("dry_folder/dry.db", &path, 1, &options), ASSAY_OK);
    CHECK_COUNTS(1, 1, 0, 0);
    CHECK_INT(ask("dry_folder/dry.db", "SELECT count(*) FROM versions"), 1);
}

TEST(a_path_that_is_not_there_is_said)
{
    const char *path = "nowhere";
    const assay_ingest_options options = {.is_dry = true};
    assay_error err;

    assay_ingest_summary_clear(&last);
    CHECK_INT(assay_ingest("absent.db", &path, 1, &options, &last, &err), ASSAY_EUSAGE);
    CHECK_STR(err.text, "no file or folder 'nowhere'");
    assay_ingest_summary_clear(&last);
}
