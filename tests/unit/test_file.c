/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in and out, packed or not. */
#include "base/file.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/mem.h"
#include "base/slice.h"
#include "testing.h"

static assay_error err;

static void write_bytes(const char *path, assay_slice s)
{
    FILE *f = fopen(path, "wb");

    CHECK(f != NULL && fwrite(s.ptr, 1, s.len, f) == s.len && fclose(f) == 0);
}

static void holds(const char *path, assay_slice want)
{
    assay_file file = {0};

    if (assay_file_open(&file, path, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    CHECK(file.text.ptr != NULL);
    CHECK_INT(file.text.len, want.len);
    CHECK(assay_slice_eq(file.text, want));
    assay_file_close(&file);
    CHECK(file.text.ptr == NULL && file.heap == NULL && file.mapped == NULL);
}

static void fails(const char *path, assay_status status, const char *message)
{
    assay_file file = {.text = {"untouched", 9}};

    CHECK_INT(assay_file_open(&file, path, &err), status);
    CHECK_STR(err.text, message);
    CHECK(assay_slice_is(file.text, "untouched"));
}

/* Text that packs well but not too well. */
static assay_slice sample(size_t n)
{
    static char text[400000];
    uint32_t seed = 7;

    CHECK(n <= sizeof text);
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        text[i] = (char)('a' + (seed >> 28));
    }
    return (assay_slice){text, n};
}

/* What save would write under such a name; the caller clears it. */
static assay_buffer packed_as(const char *name, assay_slice text)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    char *room;
    FILE *f;

    CHECK(assay_file_save(name, text, &err) == ASSAY_OK);
    f = fopen(name, "rb");
    room = assay_buffer_reserve(&b, 1 << 20);
    CHECK(f != NULL && room != NULL);
    b.len = fread(room, 1, 1 << 20, f);
    fclose(f);
    return b;
}

TEST(a_file_is_read_as_it_is)
{
    write_file("a.txt", "one\ntwo\n");
    holds("a.txt", ASSAY_LIT("one\ntwo\n"));
    write_bytes("b.bin", (assay_slice){"\0\xff\x1f", 3});
    holds("b.bin", (assay_slice){"\0\xff\x1f", 3});
}

TEST(an_empty_file_is_fine)
{
    write_file("empty", "");
    holds("empty", ASSAY_LIT(""));
}

TEST(files_of_whole_pages_are_fine)
{
    write_bytes("pages", sample(8192));
    holds("pages", sample(8192));
}

TEST(a_file_that_is_not_there_is_named)
{
    fails("nothing.txt", ASSAY_EUSAGE, "no file 'nothing.txt'");
    write_file("plain", "x");
    fails("plain/below", ASSAY_EUSAGE, "no file 'plain/below'");
}

TEST(a_folder_is_not_a_file)
{
    CHECK(mkdir("folder", 0755) == 0);
    fails("folder", ASSAY_EUSAGE, "'folder' is a folder");
    CHECK(assay_file_save("folder", ASSAY_LIT("x"), &err) == ASSAY_EUSAGE);
    CHECK_STR(err.text, "'folder' is a folder");
    CHECK(assay_file_is_folder("folder") && assay_file_exists("folder"));
    CHECK(!assay_file_is_folder("nothing") && !assay_file_exists("nothing"));
}

TEST(a_file_that_may_not_be_read_says_why)
{
    write_file("secret", "x");
    CHECK(chmod("secret", 0) == 0);
    if (access("secret", R_OK) == 0)
        SKIP("root may read everything");
    fails("secret", ASSAY_ESYSTEM, "cannot open 'secret': Permission denied");
}

TEST(links_without_an_end_say_why)
{
    CHECK(symlink("ouroboros", "ouroboros") == 0);
    fails("ouroboros", ASSAY_ESYSTEM,
          "cannot open 'ouroboros': Too many levels of symbolic links");
}

typedef struct writer {
    const char *path;
    assay_slice text;
} writer;

static void *feed(void *arg)
{
    const writer *w = arg;
    int fd = open(w->path, O_WRONLY);
    size_t done = 0;

    /* In small pieces, as programs write. */
    while (fd >= 0 && done < w->text.len) {
        size_t n = w->text.len - done < 1000 ? w->text.len - done : 1000;
        ssize_t put = write(fd, w->text.ptr + done, n);

        if (put <= 0)
            break;
        done += (size_t)put;
    }
    if (fd >= 0)
        close(fd);
    return NULL;
}

static void pipe_holds(const char *path, assay_slice fed, assay_slice want)
{
    writer w = {path, fed};
    pthread_t thread;

    CHECK(mkfifo(path, 0600) == 0);
    CHECK(pthread_create(&thread, NULL, feed, &w) == 0);
    holds(path, want);
    pthread_join(thread, NULL);
}

TEST(a_pipe_is_read_to_its_end)
{
    pipe_holds("fifo", sample(300000), sample(300000));
}

TEST(a_packed_pipe_is_unpacked)
{
    assay_buffer gz = packed_as("p.gz", sample(100000));

    pipe_holds("fifo.gz", assay_buffer_view(&gz), sample(100000));
    assay_buffer_clear(&gz);
}

TEST(standard_input_is_read_from_where_it_stands)
{
    assay_file file = {0};
    int saved = dup(0);
    int fd;
    char c;

    write_file("in.txt", "abc");
    fd = open("in.txt", O_RDONLY);
    CHECK(saved >= 0 && fd >= 0 && dup2(fd, 0) == 0);
    CHECK(assay_file_open(&file, "-", &err) == ASSAY_OK);
    CHECK(assay_slice_is(file.text, "abc"));
    assay_file_close(&file);
    CHECK(read(0, &c, 1) == 1);
    CHECK(assay_file_open(&file, "-", &err) == ASSAY_OK);
    CHECK(assay_slice_is(file.text, "bc"));
    assay_file_close(&file);
    CHECK(dup2(saved, 0) == 0);
    close(fd);
    close(saved);
}

TEST(what_is_saved_packed_reads_back)
{
    static const char *const name[] = {"s.gz", "s.zst", "s.txt"};
    static const size_t size[] = {0, 1, 1000, 65536, 400000};

    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 5; k++) {
            CHECK(assay_file_save(name[i], sample(size[k]), &err) == ASSAY_OK);
            holds(name[i], sample(size[k]));
        }
    }
}

TEST(packing_is_real_and_always_the_same)
{
    assay_buffer gz = packed_as("r.gz", sample(100000));
    assay_buffer zst = packed_as("r.zst", sample(100000));
    assay_buffer again = packed_as("other.gz", sample(100000));

    CHECK(gz.len < 90000 && memcmp(gz.ptr, "\x1f\x8b", 2) == 0);
    CHECK(zst.len < 90000 && memcmp(zst.ptr, "\x28\xb5\x2f\xfd", 4) == 0);
    CHECK(assay_slice_eq(assay_buffer_view(&gz), assay_buffer_view(&again)));
    assay_buffer_clear(&gz);
    assay_buffer_clear(&zst);
    assay_buffer_clear(&again);
}

TEST(packing_is_known_by_content_not_by_name)
{
    assay_buffer gz = packed_as("n.gz", ASSAY_LIT("hello"));

    write_bytes("n.txt", assay_buffer_view(&gz));
    holds("n.txt", ASSAY_LIT("hello"));
    write_file("plain.gz", "hello");
    holds("plain.gz", ASSAY_LIT("hello"));
    assay_buffer_clear(&gz);
}

TEST(members_and_frames_are_put_together)
{
    static const char *const name[] = {"m.gz", "m.zst"};

    for (size_t i = 0; i < 2; i++) {
        assay_buffer all = packed_as(name[i], ASSAY_LIT("one "));
        assay_buffer none = packed_as(name[i], ASSAY_LIT(""));
        assay_buffer two = packed_as(name[i], ASSAY_LIT("two"));

        assay_buffer_slice(&all, assay_buffer_view(&none));
        assay_buffer_slice(&all, assay_buffer_view(&two));
        write_bytes(name[i], assay_buffer_view(&all));
        holds(name[i], ASSAY_LIT("one two"));
        assay_buffer_clear(&all);
        assay_buffer_clear(&none);
        assay_buffer_clear(&two);
    }
}

TEST(a_skippable_frame_is_skipped)
{
    assay_buffer zst = packed_as("k.zst", ASSAY_LIT("text"));
    assay_buffer all = ASSAY_BUFFER_EMPTY;

    assay_buffer_add(&all, "\x5a\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
    assay_buffer_slice(&all, assay_buffer_view(&zst));
    write_bytes("k.zst", assay_buffer_view(&all));
    holds("k.zst", ASSAY_LIT("text"));
    assay_buffer_clear(&zst);
    assay_buffer_clear(&all);
}

TEST(every_cut_of_a_packed_file_is_broken)
{
    static const char *const name[] = {"c.gz", "c.zst"};

    for (size_t i = 0; i < 2; i++) {
        assay_buffer whole = packed_as(name[i], sample(3000));

        for (size_t len = 4; len < whole.len; len++) {
            assay_file file = {0};
            char want[100];

            snprintf(want, sizeof want, "'%s' is broken: it ends too early", name[i]);
            CHECK_INT(
                assay_file_copy(&file, (assay_slice){whole.ptr, len}, name[i], &err),
                ASSAY_EINPUT);
            CHECK_STR(err.text, want);
        }
        assay_buffer_clear(&whole);
    }
}

TEST(bytes_behind_packed_data_are_refused)
{
    static const struct {
        const char *name;
        const char *message;
    } kind[] = {
        {"g.gz", "'g.gz' is broken: there are other bytes behind the gzip data"},
        {"g.zst", "'g.zst' is broken: there are other bytes behind the zstd data"},
    };

    for (size_t i = 0; i < 2; i++) {
        assay_buffer b = packed_as(kind[i].name, ASSAY_LIT("text"));

        assay_buffer_text(&b, "more");
        write_bytes(kind[i].name, assay_buffer_view(&b));
        fails(kind[i].name, ASSAY_EINPUT, kind[i].message);
        assay_buffer_clear(&b);
    }
}

TEST(a_changed_byte_in_packed_data_is_found)
{
    assay_buffer gz = packed_as("x.gz", sample(1000));

    gz.ptr[gz.len - 6] ^= 1; /* of the checksum */
    write_bytes("x.gz", assay_buffer_view(&gz));
    fails("x.gz", ASSAY_EINPUT, "'x.gz' is broken: incorrect data check");
    write_bytes("y.gz", ASSAY_LIT("\x1f\x8b"
                                  "nonsense"));
    fails("y.gz", ASSAY_EINPUT, "'y.gz' is broken: unknown compression method");
    write_bytes("y.zst", ASSAY_LIT("\x28\xb5\x2f\xfd"
                                   "\xff\xff\xff\xff nonsense"));
    CHECK(assay_file_open(&(assay_file){0}, "y.zst", &err) == ASSAY_EINPUT);
    CHECK(strncmp(err.text, "'y.zst' is broken: ", 19) == 0);
    assay_buffer_clear(&gz);
}

TEST(a_copy_is_its_own)
{
    char text[] = "abc";
    assay_file file = {0};

    CHECK(assay_file_copy(&file, (assay_slice){text, 3}, "x", &err) == ASSAY_OK);
    text[0] = 'X';
    CHECK(assay_slice_is(file.text, "abc"));
    assay_file_close(&file);
    CHECK(assay_file_copy(&file, ASSAY_LIT(""), "x", &err) == ASSAY_OK);
    CHECK(file.text.ptr != NULL && file.text.len == 0);
    assay_file_close(&file);
}

/* How many entries the folder has, without . and .. */
static int n_entries(const char *folder)
{
    char command[200];
    FILE *f;
    int n = -1;

    snprintf(command, sizeof command, "ls -A '%s' | wc -l", folder);
    f = popen(command, "r");
    CHECK(f != NULL && fscanf(f, "%d", &n) == 1);
    pclose(f);
    return n;
}

TEST(saving_replaces_in_one_step_and_leaves_nothing_beside)
{
    assay_file before = {0};

    CHECK(mkdir("out", 0755) == 0);
    CHECK(assay_file_save("out/f", ASSAY_LIT("old"), &err) == ASSAY_OK);
    CHECK(assay_file_open(&before, "out/f", &err) == ASSAY_OK);
    CHECK(assay_file_save("out/f", ASSAY_LIT("new text"), &err) == ASSAY_OK);
    /* Who had it open still sees the old one, whole. */
    CHECK(assay_slice_is(before.text, "old"));
    assay_file_close(&before);
    holds("out/f", ASSAY_LIT("new text"));
    CHECK_INT(n_entries("out"), 1);
}

static unsigned mode_of(const char *path)
{
    struct stat st;

    CHECK(stat(path, &st) == 0);
    return st.st_mode & 0777;
}

TEST(a_new_file_has_the_mode_of_the_umask_and_an_old_one_keeps_its_own)
{
    mode_t mask = umask(027);

    CHECK(assay_file_save("fresh", ASSAY_LIT("x"), &err) == ASSAY_OK);
    CHECK_INT(mode_of("fresh"), 0640);
    CHECK(chmod("fresh", 0604) == 0);
    CHECK(assay_file_save("fresh", ASSAY_LIT("y"), &err) == ASSAY_OK);
    CHECK_INT(mode_of("fresh"), 0604);
    umask(mask);
}

TEST(a_link_stays_a_link)
{
    struct stat st;

    CHECK(mkdir("there", 0755) == 0);
    write_file("there/real", "old");
    CHECK(symlink("there/real", "link") == 0);
    CHECK(assay_file_save("link", ASSAY_LIT("new"), &err) == ASSAY_OK);
    CHECK(lstat("link", &st) == 0 && S_ISLNK(st.st_mode));
    holds("there/real", ASSAY_LIT("new"));
}

TEST(a_device_is_written_to_not_replaced)
{
    struct stat st;

    CHECK(assay_file_save("/dev/null", ASSAY_LIT("x"), &err) == ASSAY_OK);
    CHECK(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
}

TEST(saving_where_there_is_no_folder_says_so)
{
    CHECK(assay_file_save("no/where/x", ASSAY_LIT("x"), &err) == ASSAY_EUSAGE);
    CHECK_STR(err.text, "no folder for 'no/where/x'");
}

TEST(a_failed_save_keeps_what_was_there)
{
    CHECK(mkdir("full", 0755) == 0);
    write_file("full/f", "old");
    CHECK(chmod("full", 0555) == 0);
    if (access("full", W_OK) == 0) {
        chmod("full", 0755);
        SKIP("root may write everywhere");
    }
    CHECK(assay_file_save("full/f", ASSAY_LIT("new"), &err) == ASSAY_ESYSTEM);
    CHECK_STR(err.text, "cannot write 'full/f': Permission denied");
    holds("full/f", ASSAY_LIT("old"));
    CHECK(chmod("full", 0755) == 0);
}

#ifdef ASSAY_TEST
TEST(without_memory_a_packed_file_is_refused)
{
    assay_buffer gz = packed_as("o.gz", sample(300000));

    for (uint64_t n = 1;; n++) {
        assay_file file = {0};
        assay_status st;

        assay_mem_fail_after(n);
        st = assay_file_open(&file, "o.gz", &err);
        if (!assay_mem_has_failed()) {
            CHECK(st == ASSAY_OK && file.text.len == 300000);
            assay_file_close(&file);
            break;
        }
        CHECK(st == ASSAY_ENOMEM && file.text.ptr == NULL);
    }
    assay_mem_fail_after(0);
    assay_buffer_clear(&gz);
}
#endif
