/* SPDX-License-Identifier: Apache-2.0 */
/* The three streams of the child are socket pairs: they can be made close-on-exec in one
 * step, so that no other thread's child inherits them, and writing to one whose reader is
 * gone is an error without a signal. */
#include "base/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

enum { STREAMS = 3, MOST_COMPLAINT = 4096, STEP = 1 << 16, NAP_MS = 5 };

typedef struct run {
    const assay_child *child;
    int ours[STREAMS];   /* -1 = closed */
    int theirs[STREAMS]; /* what becomes 0, 1, 2 in the child */
    pid_t pid;
    size_t sent;
    size_t got;
    int64_t deadline; /* milliseconds of the clock */
    bool is_late;
    bool is_too_much;
} run;

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_all(run *r)
{
    for (int i = 0; i < STREAMS; i++) {
        close_one(&r->ours[i]);
        close_one(&r->theirs[i]);
    }
}

static assay_status fail_system(assay_error *err, const char *program, int number)
{
    char words[200];

    if (number == ENOMEM)
        return assay_fail_memory(err, "starting a program");
    if (strerror_r(number, words, sizeof words))
        words[0] = '\0';
    return assay_fail(err, ASSAY_ESYSTEM, "cannot start '%s': %s", program, words);
}

/* 0, or errno. */
static int open_streams(run *r)
{
    for (int i = 0; i < STREAMS; i++) {
        int pair[2];

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
            return errno;
        r->ours[i] = pair[0];
        r->theirs[i] = pair[1];
    }
    return 0;
}

/* dup2 of a descriptor onto itself would leave it close-on-exec; ours are above 2 unless
 * the process runs without standard streams. */
static int add_streams(const run *r, posix_spawn_file_actions_t *actions)
{
    int number = 0;

    for (int i = 0; !number && i < STREAMS; i++) {
        if (r->theirs[i] < STREAMS)
            return EBADF;
        number = posix_spawn_file_actions_adddup2(actions, r->theirs[i], i);
    }
    return number;
}

static int spawn(run *r)
{
    /* Numbers and messages in one language, whatever ours is. */
    static char locale[] = "LC_ALL=C";
    char *const environment[] = {locale, NULL};
    posix_spawn_file_actions_t actions;
    int number = posix_spawn_file_actions_init(&actions);

    if (number)
        return number;
    number = add_streams(r, &actions);
    if (!number)
        number = posix_spawnp(&r->pid, r->child->argv[0], &actions, NULL,
                              (char *const *)(uintptr_t)r->child->argv, environment);
    posix_spawn_file_actions_destroy(&actions);
    return number;
}

/* ---- talking ---- */

static void send_some(run *r)
{
    assay_slice input = r->child->input;
    size_t left = input.len - r->sent;
    ssize_t n = left ? send(r->ours[0], input.ptr + r->sent, left < STEP ? left : STEP,
                            MSG_NOSIGNAL | MSG_DONTWAIT)
                     : 0;

    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return;
    /* A program may stop reading early; what it wrote says whether that was right. */
    if (n < 0)
        r->sent = input.len;
    else
        r->sent += (size_t)n;
    if (r->sent == input.len)
        close_one(&r->ours[0]);
}

/* False: no memory. */
static bool receive_some(run *r, int stream)
{
    char discarded[512];
    assay_buffer *into = stream == 1 ? r->child->out : r->child->complaint;
    bool is_kept = stream == 1 || into->len < MOST_COMPLAINT;
    char *room = is_kept ? assay_buffer_reserve(into, STEP) : discarded;
    ssize_t n;

    if (!room)
        return false;
    n = recv(r->ours[stream], room, is_kept ? STEP : sizeof discarded, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return true;
    if (n <= 0) {
        close_one(&r->ours[stream]);
        return true;
    }
    if (is_kept)
        into->len += (size_t)n;
    if (stream == 1) {
        r->got += (size_t)n;
        r->is_too_much = r->got > r->child->max_output;
    }
    return true;
}

/* Until it closed its output.  False: no memory. */
static bool talk(run *r)
{
    while (r->ours[1] >= 0 || r->ours[2] >= 0) {
        struct pollfd fds[STREAMS];
        int64_t left = r->deadline - now_ms();

        for (int i = 0; i < STREAMS; i++)
            fds[i] = (struct pollfd){.fd = r->ours[i], .events = i ? POLLIN : POLLOUT};
        r->is_late = left <= 0;
        if (r->is_late || r->is_too_much)
            return true;
        if (poll(fds, STREAMS, left < 1000 ? (int)left : 1000) < 0)
            continue; /* a signal */
        if (fds[0].revents && r->ours[0] >= 0)
            send_some(r);
        for (int i = 1; i < STREAMS; i++)
            if (fds[i].revents && r->ours[i] >= 0 && !receive_some(r, i))
                return false;
    }
    return true;
}

/* Wait for its end; kill it when it is time. */
static int reap(run *r, bool is_over)
{
    int status = 0;

    for (;;) {
        pid_t pid;

        if (is_over)
            kill(r->pid, SIGKILL);
        pid = waitpid(r->pid, &status, is_over ? 0 : WNOHANG);
        if (pid == r->pid || (pid < 0 && errno != EINTR))
            return status;
        if (pid == 0) {
            poll(NULL, 0, NAP_MS);
            r->is_late = is_over = now_ms() >= r->deadline;
        }
    }
}

static assay_child_end end_of(const run *r, int status, int *number)
{
    *number = 0;
    if (r->is_late)
        return ASSAY_CHILD_LATE;
    if (r->is_too_much)
        return ASSAY_CHILD_TOO_MUCH;
    if (WIFSIGNALED(status)) {
        *number = WTERMSIG(status);
        return ASSAY_CHILD_KILLED;
    }
    *number = WEXITSTATUS(status);
    return ASSAY_CHILD_EXITED;
}

assay_status assay_child_run(const assay_child *child, assay_child_end *end, int *number,
                             assay_error *err)
{
    run r = {.child = child,
             .ours = {-1, -1, -1},
             .theirs = {-1, -1, -1},
             .deadline = now_ms() + (int64_t)child->seconds * 1000};
    bool has_memory;
    int fault = open_streams(&r);
    int status;

    if (fault) {
        close_all(&r);
        return fail_system(err, child->argv[0], fault);
    }
    fault = spawn(&r);
    for (int i = 0; i < STREAMS; i++)
        close_one(&r.theirs[i]);
    if (fault) {
        close_all(&r);
        *end = ASSAY_CHILD_NOT_BEGUN;
        *number = fault;
        return fault == ENOMEM || fault == EAGAIN
                   ? fail_system(err, child->argv[0], fault)
                   : ASSAY_OK;
    }
    has_memory = talk(&r);
    status = reap(&r, !has_memory || r.is_late || r.is_too_much);
    close_all(&r);
    if (!has_memory)
        return assay_fail_memory(err, "reading what a program wrote");
    *end = end_of(&r, status, number);
    return ASSAY_OK;
}
