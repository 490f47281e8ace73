/* SPDX-License-Identifier: Apache-2.0 */
/* Files replaced in one step: written under a name beside the target, brought to the
 * disk, then renamed over it. */
#define _XOPEN_SOURCE 700 /* realpath is in the XSI part of POSIX */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_pack.h"
#include "base/mem.h"
#include "base/slice.h"

enum { MODE = 0644, MODE_BITS = 07777, MOST_TRIES = 1000 };

static assay_status fail_write(assay_error *err, const char *path, int number)
{
    char reason[200];

    if (number == ENOENT || number == ENOTDIR)
        return assay_fail(err, ASSAY_EUSAGE, "no folder for '%s'", path);
    if (strerror_r(number, reason, sizeof reason))
        return assay_fail(err, ASSAY_ESYSTEM, "cannot write '%s': error %d", path,
                          number);
    return assay_fail(err, ASSAY_ESYSTEM, "cannot write '%s': %s", path, reason);
}

/* 0, or the error number. */
static int write_all(int fd, assay_slice text)
{
    while (text.len > 0) {
        ssize_t n = write(fd, text.ptr, text.len < INT_MAX ? text.len : INT_MAX);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        text.ptr += n;
        text.len -= (size_t)n;
    }
    return 0;
}

/* A new file beside `path`; its name goes to `name`, which has room.  Not mkstemp: that
 * makes files only we can read, and the process's umask cannot be asked for without
 * changing it for all threads. */
static int create_beside(const char *path, char *name, size_t size)
{
    int fd = -1;

    for (int i = 0; i < MOST_TRIES && fd < 0; i++) {
        snprintf(name, size, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

/* Fill the new file and put it in the place of `path`; 0, or the error number. */
static int fill_and_rename(int fd, const char *name, const char *path,
                           const struct stat *old, assay_slice text)
{
    int number = write_all(fd, text);

    if (!number && old && fchmod(fd, old->st_mode & MODE_BITS))
        number = errno;
    if (!number && fsync(fd))
        number = errno;
    if (close(fd) && !number)
        number = errno;
    if (!number && rename(name, path))
        number = errno;
    if (number)
        unlink(name);
    return number;
}

/* Put `text` in the place of `target`; `path` is what the caller calls it. */
static assay_status replace(const char *target, const char *path, const struct stat *old,
                            assay_slice text, assay_error *err)
{
    size_t size = strlen(target) + 64;
    char *name = assay_mem_alloc(size);
    int number;
    int fd;

    if (!name)
        return assay_fail(err, ASSAY_ENOMEM, "out of memory while writing '%s'", path);
    fd = create_beside(target, name, size);
    number = fd < 0 ? errno : fill_and_rename(fd, name, target, old, text);
    assay_mem_free(name);
    return number ? fail_write(err, path, number) : ASSAY_OK;
}

/* Devices and pipes are written to, not replaced. */
static assay_status write_into(const char *path, assay_slice text, assay_error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    int number;

    if (fd < 0)
        return fail_write(err, path, errno);
    number = write_all(fd, text);
    if (close(fd) && !number)
        number = errno;
    return number ? fail_write(err, path, number) : ASSAY_OK;
}

static assay_status put(const char *path, assay_slice text, assay_error *err)
{
    struct stat old;
    assay_status st;
    char *real;

    if (stat(path, &old))
        return replace(path, path, NULL, text, err);
    if (S_ISDIR(old.st_mode))
        return assay_fail(err, ASSAY_EUSAGE, "'%s' is a folder", path);
    if (!S_ISREG(old.st_mode))
        return write_into(path, text, err);
    /* A link stays a link, and what it points at is replaced. */
    real = realpath(path, NULL);
    st = replace(real ? real : path, path, &old, text, err);
    free(real);
    return st;
}

assay_status assay_file_save(const char *path, assay_slice text, assay_error *err)
{
    assay_pack kind = assay_pack_of_name(path);
    assay_buffer packed = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (kind == ASSAY_PACK_NONE)
        return put(path, text, err);
    st = assay_pack_do(kind, text, path, &packed, err);
    if (!st)
        st = put(path, assay_buffer_view(&packed), err);
    assay_buffer_clear(&packed);
    return st;
}
