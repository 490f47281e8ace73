/* SPDX-License-Identifier: Apache-2.0 */
#include "testing.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/slice.h"
#include "corpus/walk.h"

/* What a walk told, one line each: "word relative". */
typedef struct told {
    assay_buffer text;
    uint32_t n_files;
    uint64_t bytes;
    int64_t mtime_ns; /* of the last file */
    char path[4200];  /* of the last entry */
    char why[300];
    bool is_folder;
    bool is_named;
    uint32_t stop_at; /* fail at this file; 0 = never */
} told;

static assay_status note(void *ctx, const assay_walk_entry *e, assay_error *err)
{
    told *t = ctx;

    assay_buffer_printf(&t->text, "%s ", assay_walk_word(e->skip));
    assay_buffer_slice(&t->text, e->relative);
    assay_buffer_char(&t->text, '\n');
    if (e->skip == ASSAY_WALK_FILE) {
        t->n_files++;
        t->bytes += e->size;
        t->mtime_ns = e->mtime_ns;
    }
    snprintf(t->path, sizeof t->path, "%s", e->path);
    snprintf(t->why, sizeof t->why, "%s", e->why ? e->why : "");
    t->is_folder = e->is_folder;
    t->is_named = e->is_named;
    if (t->stop_at && t->n_files == t->stop_at)
        return assay_fail(err, ASSAY_NO, "stopped");
    return ASSAY_OK;
}

static const char *walk(const char *root, told *t)
{
    assay_error err;

    memset(t, 0, sizeof *t);
    if (assay_walk(root, note, t, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    assay_buffer_char(&t->text, '\0');
    return t->text.ptr;
}

#define CHECK_WALK(root, want)             \
    do {                                   \
        CHECK_STR(walk((root), &t), want); \
        assay_buffer_clear(&t.text);       \
    } while (0)

static void run(const char *command)
{
    if (system(command) != 0)
        check_failed(__FILE__, __LINE__, "failed: %s", command);
}

static void folder(const char *path)
{
    CHECK(mkdir(path, 0755) == 0 || errno == EEXIST);
}

static void fresh(void)
{
    run("chmod -R u+rwx t 2>/dev/null; rm -rf t");
    folder("t");
    folder(".git"); /* the folder of the tests may itself be in a repository */
}

TEST(files_come_in_byte_order_of_their_paths)
{
    told t;

    fresh();
    folder("t/a");
    folder("t/a-b");
    write_file("t/a/z", "1");
    write_file("t/a/B", "22");
    write_file("t/a-b/y", "");
    write_file("t/a.txt", "333");
    write_file("t/a0", "");
    write_file("t/\xc3\xa9", "");
    write_file("t/Z", "");
    CHECK_STR(walk("t", &t),
              "file Z\nfile a-b/y\nfile a.txt\nfile a/B\nfile a/z\nfile a0\n"
              "file \xc3\xa9\n");
    CHECK_INT(t.bytes, 6);
    CHECK_STR(t.path, "t/\xc3\xa9");
    CHECK(!t.is_named);
    assay_buffer_clear(&t.text);
    CHECK_WALK("t///", "file Z\nfile a-b/y\nfile a.txt\nfile a/B\nfile a/z\nfile a0\n"
                       "file \xc3\xa9\n");
}

TEST(a_file_as_root_is_named_whatever_its_name)
{
    told t;

    fresh();
    write_file("t/.hidden", "abc");
    CHECK_STR(walk("t/.hidden", &t), "file .hidden\n");
    CHECK(t.is_named);
    CHECK_INT(t.bytes, 3);
    CHECK_STR(t.path, "t/.hidden");
    assay_buffer_clear(&t.text);
}

TEST(the_working_folder_gives_bare_paths_but_for_dashes)
{
    told t;

    fresh();
    write_file("t/-", "");
    CHECK(chdir("t") == 0);
    walk(".", &t);
    assay_buffer_clear(&t.text);
    CHECK_STR(t.path, "./-");
    write_file("x", "");
    walk("./", &t);
    CHECK(chdir("..") == 0);
    CHECK_STR(t.path, "x");
    assay_buffer_clear(&t.text);
}

TEST(a_root_that_is_not_there_is_a_usage_error)
{
    told t = {0};
    assay_error err;

    CHECK(assay_walk("no/such", note, &t, &err) == ASSAY_EUSAGE);
    CHECK_STR(err.text, "no file or folder 'no/such'");
}

TEST(hidden_and_ignored_names_are_told)
{
    told t;

    fresh();
    folder("t/.git");
    folder("t/.assay");
    folder("t/.github");
    folder("t/build");
    folder("t/src");
    write_file("t/.git/x", "");
    write_file("t/.gitignore", "build/\n*.o\n!keep.o\n/only\n");
    write_file("t/build/a", "");
    write_file("t/src/a.o", "");
    write_file("t/src/keep.o", "");
    write_file("t/src/only", "");
    write_file("t/src/.gitignore", "!a.o\nb\n");
    write_file("t/src/b", "");
    write_file("t/b", "");
    write_file("t/only", "");
    CHECK_WALK("t",
               "ignored .assay\nignored .git\nhidden .github\nhidden .gitignore\n"
               "file b\nignored build\nignored only\n"
               "hidden src/.gitignore\nfile src/a.o\nignored src/b\nfile src/keep.o\n"
               "file src/only\n");
}

TEST(rules_above_the_root_count_inside_a_repository_only)
{
    told t;

    fresh();
    folder("t/d");
    folder("t/d/e");
    write_file("t/.gitignore", "*.o\n/d/e/x\n");
    write_file("t/d/.gitignore", "/e/y\n!z.o\n");
    write_file("t/d/e/x", "");
    write_file("t/d/e/y", "");
    write_file("t/d/e/z.o", "");
    write_file("t/d/e/a.o", "");
    CHECK(rmdir(".git") == 0);
    if (system("d=$PWD; while [ \"$d\" ]; do [ ! -e \"$d/.git\" ] || exit 1; d=${d%/*}; "
               "done") == 0)
        CHECK_WALK("t/d/e", "file a.o\nfile x\nfile y\nfile z.o\n");
    folder("t/.git");
    CHECK_WALK("t/d/e", "ignored a.o\nignored x\nignored y\nfile z.o\n");
    CHECK_WALK("t/d", "hidden .gitignore\nignored e/a.o\nignored e/x\nignored e/y\n"
                      "file e/z.o\n");
}

TEST(links_to_files_are_followed_and_links_to_folders_are_not)
{
    told t;

    fresh();
    folder("t/d");
    write_file("t/d/f", "12345");
    CHECK(symlink("d/f", "t/to_file") == 0);
    CHECK(symlink(".", "t/loop") == 0);
    CHECK(symlink("..", "t/d/up") == 0);
    CHECK(symlink("nowhere", "t/dangling") == 0);
    CHECK(symlink("self", "t/self") == 0);
    CHECK_STR(walk("t", &t), "file d/f\nlink d/up\nlink dangling\nlink loop\nlink self\n"
                             "file to_file\n");
    CHECK_INT(t.bytes, 10);
    assay_buffer_clear(&t.text);
    /* A root that is a link was named, so it is followed. */
    CHECK_WALK("t/loop/d", "file f\nlink up\n");
}

TEST(pipes_are_special_and_never_opened)
{
    told t;

    fresh();
    CHECK(mkfifo("t/p", 0600) == 0);
    CHECK(mkfifo("t/.gitignore", 0600) == 0);
    CHECK_WALK("t", "hidden .gitignore\nspecial p\n");
    CHECK_WALK("t/p", "special p\n");
}

TEST(names_may_hold_any_byte)
{
    told t;

    fresh();
    write_file("t/new\nline", "");
    write_file("t/\xff\xfe", "");
    write_file("t/a\\b*[", "");
    CHECK_WALK("t", "file a\\b*[\nfile new\nline\nfile \xff\xfe\n");
}

TEST(unreadable_files_and_folders_are_told_with_the_reason)
{
    told t;
    bool is_root = geteuid() == 0;

    fresh();
    folder("t/closed");
    write_file("t/closed/x", "");
    write_file("t/secret", "x");
    CHECK(chmod("t/closed", 0) == 0 && chmod("t/secret", 0) == 0);
    if (is_root && (chmod(".", 0755) || seteuid(65534)))
        SKIP("root may read everything");
    walk("t", &t);
    if (is_root)
        CHECK(seteuid(0) == 0);
    CHECK_STR(t.text.ptr, "unreadable closed\nunreadable secret\n");
    CHECK_STR(t.why, "Permission denied");
    assay_buffer_clear(&t.text);
}

TEST(deep_trees_need_no_stack)
{
    told t;
    char path[4000] = "t";
    size_t len = 1;

    fresh();
    while (len + 2 < 3900) {
        memcpy(path + len, "/d", 3);
        len += 2;
        folder(path);
    }
    memcpy(path + len, "/f", 3);
    write_file(path, "x");
    walk("t", &t);
    CHECK_INT(t.n_files, 1);
    CHECK_STR(t.path, path);
    assay_buffer_clear(&t.text);
}

TEST(a_path_too_long_to_open_is_told)
{
    told t;

    fresh();
    run("cd t && i=0 && n=$(printf '%0200d' 0) && while [ $i -lt 25 ]; do mkdir $n && "
        "cd -P $n && i=$((i + 1)); done");
    walk("t", &t);
    CHECK(strncmp(t.text.ptr, "unreadable 000", 14) == 0);
    CHECK(t.is_folder);
    CHECK_STR(t.why, "File name too long");
    assay_buffer_clear(&t.text);
}

TEST(a_visitor_can_stop_the_walk)
{
    told t = {.stop_at = 2};
    assay_error err;

    fresh();
    folder("t/a");
    write_file("t/a/1", "");
    write_file("t/a/2", "");
    write_file("t/a/3", "");
    CHECK(assay_walk("t", note, &t, &err) == ASSAY_NO);
    CHECK_STR(err.text, "stopped");
    CHECK_INT(t.n_files, 2);
    assay_buffer_clear(&t.text);
}

/* ---- git itself ---- */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static void random_tree(uint32_t *seed)
{
    static const char *const names[] = {"a", "b",   "ab",  "a b", "a-c",     "x.o", "y.o",
                                        "d", "A",   "[a]", "a*",  "#x",      "!x",  "x ",
                                        "e", "foo", "bar", "c\\", "\xc3\xa9"};
    enum { N = sizeof names / sizeof names[0] };

    for (int i = 0; i < 60; i++) {
        char path[200] = "g";
        int depth = (int)(next_random(seed) % 4) + 1;

        for (int k = 0; k < depth; k++) {
            size_t len = strlen(path);

            snprintf(path + len, sizeof path - len, "/%s", names[next_random(seed) % N]);
            if (k + 1 < depth && mkdir(path, 0755) != 0 && errno != EEXIST)
                break;
        }
        if (access(path, F_OK) != 0) {
            FILE *f = fopen(path, "wb");

            if (f)
                fclose(f);
        }
    }
}

static void random_rules(uint32_t *seed, const char *path)
{
    static const char *const piece[] = {
        "a",    "b",    "*",           "**",  "/",  "**/", "/**",   "?",       "[a-b]",
        "[!a]", "\\",   "foo",         "*.o", "x",  " ",   "d",     "e",       "ab",
        "[[]",  "[]a]", "#",           "!",   "/",  "\\ ", "A",     "c",       "**a",
        "a**",  "[^b]", "[[:alpha:]]", "/",   "d/", "e/",  "/**/a", "\xc3\xa9"};
    enum { N = sizeof piece / sizeof piece[0] };
    FILE *f = fopen(path, "wb");
    int n_lines = (int)(next_random(seed) % 6) + 1;

    if (!f)
        return; /* no such folder in this tree */
    for (int i = 0; i < n_lines; i++) {
        int n = (int)(next_random(seed) % 4) + 1;

        if (next_random(seed) % 4 == 0)
            fputc('!', f);
        for (int k = 0; k < n; k++)
            fputs(piece[next_random(seed) % N], f);
        fputs(next_random(seed) % 8 ? "\n" : "\r\n", f);
    }
    fclose(f);
}

static void keep_files(const assay_walk_entry *e, assay_buffer *out)
{
    if (e->skip != ASSAY_WALK_FILE)
        return;
    assay_buffer_slice(out, e->relative);
    assay_buffer_char(out, '\n');
}

static assay_status note_file(void *ctx, const assay_walk_entry *e, assay_error *err)
{
    (void)err;
    keep_files(e, ctx);
    return ASSAY_OK;
}

static void read_pipe(const char *command, assay_buffer *out)
{
    FILE *p = popen(command, "r");
    char block[4096];
    size_t n;

    CHECK(p != NULL);
    while ((n = fread(block, 1, sizeof block, p)) > 0)
        assay_buffer_add(out, block, n);
    CHECK(pclose(p) == 0);
    for (size_t i = 0; i < out->len; i++)
        if (!out->ptr[i])
            out->ptr[i] = '\n';
    assay_buffer_char(out, '\0');
}

TEST(random_trees_give_the_files_that_git_would_add)
{
    static const char git[] =
        "cd g && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -c "
        "core.excludesFile=/dev/null ls-files -z --others --exclude-per-directory=.gitignore "
        "-x .gitignore | LC_ALL=C sort -z";
    uint32_t seed = 20240607;

    if (system("git --version >/dev/null 2>&1") != 0)
        SKIP("no git");
    for (int round = 0; round < 40; round++) {
        assay_buffer ours = ASSAY_BUFFER_EMPTY;
        assay_buffer theirs = ASSAY_BUFFER_EMPTY;
        assay_error err;

        run("rm -rf g && mkdir g && git -c init.defaultBranch=m init -q g");
        random_tree(&seed);
        random_rules(&seed, "g/.gitignore");
        random_rules(&seed, "g/a/.gitignore");
        random_rules(&seed, "g/d/.gitignore");
        CHECK(assay_walk("g", note_file, &ours, &err) == ASSAY_OK);
        assay_buffer_char(&ours, '\0');
        read_pipe(git, &theirs);
        if (strcmp(ours.ptr, theirs.ptr) != 0)
            run("head -50 g/.gitignore g/a/.gitignore g/d/.gitignore 2>/dev/null; true");
        CHECK_STR(ours.ptr, theirs.ptr);
        assay_buffer_clear(&ours);
        assay_buffer_clear(&theirs);
    }
}
