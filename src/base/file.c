/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory.
 *
 * Regular files are mapped, everything else (pipes, terminals, /proc) is read to its
 * end.  Should another process cut a mapped file short while we read it, the system
 * kills us with SIGBUS; nothing here can prevent that, and programs that replace files
 * by renaming, as assay_file_save does, never cause it.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file_pack.h"
#include "base/mem.h"
#include "base/slice.h"

enum { READ_STEP = 1 << 16 };

/* ASSAY_ESYSTEM: "cannot <what> '<path>': <reason>". */
static assay_status fail_system(assay_error *err, const char *what, const char *path,
                                int number)
{
    char reason[200];

    if (strerror_r(number, reason, sizeof reason))
        return assay_fail(err, ASSAY_ESYSTEM, "cannot %s '%s': error %d", what, path,
                          number);
    return assay_fail(err, ASSAY_ESYSTEM, "cannot %s '%s': %s", what, path, reason);
}

static assay_status fail_memory(assay_error *err, const char *path)
{
    return assay_fail(err, ASSAY_ENOMEM, "out of memory while reading '%s'", path);
}

/* ---- reading ---- */

/* Make the file the owner of what `b` holds. */
static void take_buffer(assay_file *file, assay_buffer *b)
{
    *file = (assay_file){.text = assay_buffer_view(b), .heap = b->ptr};
    *b = (assay_buffer)ASSAY_BUFFER_EMPTY;
}

static assay_status read_all(assay_file *file, int fd, const char *path, assay_error *err)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    for (;;) {
        char *room = assay_buffer_reserve(&b, READ_STEP);
        ssize_t n;

        if (!room) {
            assay_buffer_clear(&b);
            return fail_memory(err, path);
        }
        n = read(fd, room, b.cap - b.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int number = errno;

            assay_buffer_clear(&b);
            return fail_system(err, "read", path, number);
        }
        if (n == 0)
            break;
        b.len += (size_t)n;
    }
    take_buffer(file, &b);
    return ASSAY_OK;
}

/* Map the `size` bytes of fd; false where the file system cannot. */
static bool map(assay_file *file, int fd, off_t size)
{
    size_t len = (size_t)size;
    void *p;

    if (size <= 0 || (uintmax_t)size > SIZE_MAX)
        return false;
    p = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return false;
    /* Hints: readers go once from front to back.  Their failure does not matter. */
    posix_madvise(p, len, POSIX_MADV_SEQUENTIAL);
    posix_madvise(p, len, POSIX_MADV_WILLNEED);
    *file = (assay_file){.text = {p, len}, .mapped = p, .mapped_len = len};
    return true;
}

static assay_status read_fd(assay_file *file, int fd, const char *path, assay_error *err)
{
    struct stat st;

    if (fstat(fd, &st))
        return fail_system(err, "read", path, errno);
    if (S_ISDIR(st.st_mode))
        return assay_fail(err, ASSAY_EUSAGE, "'%s' is a folder", path);
    /* Standard input may be a file of which a part has been read already. */
    if (S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0 && map(file, fd, st.st_size))
        return ASSAY_OK;
    return read_all(file, fd, path, err);
}

/* Replace packed contents by what is in them. */
static assay_status unpack(assay_file *file, const char *path, assay_error *err)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_pack kind = assay_pack_of(file->text);
    assay_status st;

    if (kind == ASSAY_PACK_NONE)
        return ASSAY_OK;
    st = assay_pack_undo(kind, file->text, path, &b, err);
    if (st) {
        assay_buffer_clear(&b);
        return st;
    }
    assay_file_close(file);
    take_buffer(file, &b);
    return ASSAY_OK;
}

assay_status assay_file_open(assay_file *file, const char *path, assay_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    assay_file read = {0};
    assay_status st;

    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return assay_fail(err, ASSAY_EUSAGE, "no file '%s'", path);
    if (fd < 0)
        return fail_system(err, "open", path, errno);
    if (is_stdin)
        path = "standard input";
    st = read_fd(&read, fd, path, err);
    if (!is_stdin)
        close(fd);
    if (!st)
        st = unpack(&read, path, err);
    if (st) {
        assay_file_close(&read);
        return st;
    }
    *file = read;
    return ASSAY_OK;
}

assay_status assay_file_copy(assay_file *file, assay_slice text, const char *name,
                             assay_error *err)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_pack kind = assay_pack_of(text);
    assay_status st = ASSAY_OK;

    if (kind == ASSAY_PACK_NONE)
        assay_buffer_slice(&b, text);
    else
        st = assay_pack_undo(kind, text, name, &b, err);
    if (!st && b.has_failed)
        st = fail_memory(err, name);
    if (st) {
        assay_buffer_clear(&b);
        return st;
    }
    take_buffer(file, &b);
    return ASSAY_OK;
}

void assay_file_close(assay_file *file)
{
    if (file->mapped)
        munmap(file->mapped, file->mapped_len);
    assay_mem_free(file->heap);
    *file = (assay_file){0};
}

bool assay_file_is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool assay_file_exists(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0;
}
