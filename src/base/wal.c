/* SPDX-License-Identifier: Apache-2.0 */
/* The format is section 4 of sqlite.org/fileformat2.html: a head of 32 bytes, then frames of
 * 24 bytes and a page each; numbers big-endian.  A frame counts when its salts are those of
 * the head and its checksum, which runs over all frames before it, is right; a frame whose
 * second number is not 0 ends a transaction. */
#include "base/wal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/mem.h"

enum {
    FRAME_HEAD = 24,
    VERSION = 3007000,
    PAGE_LEAST = 512,
    PAGE_MOST = 65536,
    TRIES = 20
};

/* Two bytes of a database that say whether it has a log. */
enum { LOG_MARK = 18 };

#define MAGIC UINT32_C(0x377f0682) /* the lowest bit: checksums of big-endian words */

static uint32_t big(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;

    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static uint32_t little(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;

    return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

typedef struct checksum {
    bool is_big;
    uint32_t a;
    uint32_t b;
} checksum;

static void add(checksum *sum, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        sum->a += (sum->is_big ? big(p + i) : little(p + i)) + sum->b;
        sum->b += (sum->is_big ? big(p + i + 4) : little(p + i + 4)) + sum->a;
    }
}

static bool is_right(const checksum *sum, const char *written)
{
    return sum->a == big(written) && sum->b == big(written + 4);
}

bool assay_wal_look(assay_slice log, assay_wal *out)
{
    checksum sum = {false, 0, 0};
    size_t frame_bytes;
    uint32_t n = 0;

    *out = (assay_wal){0};
    if (log.len < ASSAY_WAL_HEAD || (big(log.ptr) & ~UINT32_C(1)) != MAGIC ||
        big(log.ptr + 4) != VERSION)
        return false;
    out->page_bytes = big(log.ptr + 8);
    if (out->page_bytes < PAGE_LEAST || out->page_bytes > PAGE_MOST ||
        out->page_bytes & (out->page_bytes - 1))
        return false;
    sum.is_big = big(log.ptr) & 1;
    add(&sum, log.ptr, 24);
    if (!is_right(&sum, log.ptr + 24))
        return false;
    frame_bytes = FRAME_HEAD + out->page_bytes;
    for (const char *p = log.ptr + ASSAY_WAL_HEAD;
         (size_t)(log.ptr + log.len - p) >= frame_bytes; p += frame_bytes) {
        add(&sum, p, 8);
        add(&sum, p + FRAME_HEAD, out->page_bytes);
        if (memcmp(p + 8, log.ptr + 16, 8) != 0 || !is_right(&sum, p + 16) || !big(p))
            break;
        n++;
        if (big(p + 4)) {
            out->n_pages = big(p + 4);
            out->n_frames = n;
        }
    }
    return true;
}

void assay_wal_apply(assay_slice log, const assay_wal *wal, char *image)
{
    const char *p = log.ptr + ASSAY_WAL_HEAD;

    for (uint32_t i = 0; i < wal->n_frames; i++, p += FRAME_HEAD + wal->page_bytes)
        if (big(p) <= wal->n_pages) /* a later transaction may have cut the end off */
            memcpy(image + (size_t)(big(p) - 1) * wal->page_bytes, p + FRAME_HEAD,
                   wal->page_bytes);
}

/* ---- files ---- */

/* All of a file as it is now; one that is not there is empty. */
static assay_status slurp(const char *path, assay_buffer *out, assay_error *err)
{
    enum { STEP = 1 << 20 };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = 0;
    struct stat st;

    out->len = 0;
    if (fd < 0 && errno == ENOENT)
        return ASSAY_OK;
    if (fd < 0)
        return assay_fail(err, ASSAY_ESYSTEM, "cannot read '%s'", path);
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        (void)assay_buffer_reserve(out, (size_t)st.st_size + 1);
    do {
        char *to = assay_buffer_reserve(out, STEP);

        n = to ? read(fd, to, STEP) : 0;
        out->len += n > 0 ? (size_t)n : 0;
    } while (n > 0 || (n < 0 && errno == EINTR));
    close(fd);
    if (out->has_failed)
        return assay_fail_memory(err, "reading a database");
    return n < 0 ? assay_fail(err, ASSAY_ESYSTEM, "cannot read '%s'", path) : ASSAY_OK;
}

/* A transaction that was cut short would have to be rolled back, in the file. */
static assay_status check_journal(const char *path, const char *journal, assay_error *err)
{
    struct stat st;

    if (stat(journal, &st) || st.st_size == 0)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EINPUT,
                      "'%s' has a transaction that was cut short ('%s'); let its own "
                      "program open it once",
                      path, journal);
}

static assay_status lay_over(const char *path, assay_buffer *file, assay_slice log,
                             assay_error *err)
{
    size_t size = file->len;
    assay_wal wal;

    /* What is no log SQLite would take for an empty one. */
    if (assay_wal_look(log, &wal) && wal.n_pages)
        size = (size_t)wal.n_pages * wal.page_bytes;
    if (size > file->len + log.len)
        return assay_fail(err, ASSAY_EINPUT, "'%s-wal' belongs to another database",
                          path);
    if (size > file->len && !assay_buffer_reserve(file, size - file->len))
        return assay_fail_memory(err, "reading a database");
    if (size > file->len)
        memset(file->ptr + file->len, 0, size - file->len);
    file->len = size;
    assay_wal_apply(log, &wal, file->ptr);
    /* In memory there is no log. */
    if (size > LOG_MARK + 1)
        file->ptr[LOG_MARK] = file->ptr[LOG_MARK + 1] = 1;
    return ASSAY_OK;
}

/* One try.  A log is begun anew only when all of it is in the file, and has another head
 * then: with the same head before and after, whatever the file lacks is in the log. */
static assay_status read_both(const char *path, const char *log_path, assay_buffer *file,
                              assay_buffer *log, bool *is_one, assay_error *err)
{
    char head[ASSAY_WAL_HEAD] = "";
    size_t n;
    assay_status st = slurp(log_path, log, err);

    n = log->len < sizeof head ? log->len : sizeof head;
    if (n)
        memcpy(head, log->ptr, n);
    *is_one = st == ASSAY_OK;
    if (st || !n)
        return st;
    st = slurp(path, file, err);
    if (!st)
        st = slurp(log_path, log, err);
    *is_one = !st && log->len >= n && memcmp(log->ptr, head, n) == 0;
    return st;
}

assay_status assay_wal_image(const char *path, char **image, size_t *size,
                             assay_error *err)
{
    assay_buffer log_path = ASSAY_BUFFER_EMPTY;
    assay_buffer journal = ASSAY_BUFFER_EMPTY;
    assay_buffer file = ASSAY_BUFFER_EMPTY;
    assay_buffer log = ASSAY_BUFFER_EMPTY;
    bool is_one = false;
    assay_status st = ASSAY_OK;

    assay_buffer_printf(&log_path, "%s-wal%c", path, 0);
    assay_buffer_printf(&journal, "%s-journal%c", path, 0);
    if (log_path.has_failed || journal.has_failed)
        st = assay_fail_memory(err, "opening a database");
    if (!st)
        st = check_journal(path, journal.ptr, err);
    for (int i = 0; i < TRIES && !st && !is_one; i++)
        st = read_both(path, log_path.ptr, &file, &log, &is_one, err);
    if (!st && !is_one)
        st = assay_fail(err, ASSAY_ESYSTEM, "'%s' is written to all the time; try again",
                        path);
    if (!st && log.len)
        st = lay_over(path, &file, assay_buffer_view(&log), err);
    if (!st && log.len) {
        *image = file.ptr;
        *size = file.len;
        file = (assay_buffer)ASSAY_BUFFER_EMPTY; /* handed over */
    }
    assay_buffer_clear(&file);
    assay_buffer_clear(&log);
    assay_buffer_clear(&journal);
    assay_buffer_clear(&log_path);
    return st;
}
