/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"

/* Seconds between two drawings: the eye sees no more than ten a second, and a log wants
 * few lines. */
static const double on_terminal = 0.1;
static const double in_log = 10;

static double now(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_MONOTONIC, &t))
        return 0;
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t columns(void)
{
    struct winsize size;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

/* One write for one line: two would flicker. */
static void flush(assay_progress *p)
{
    if (!p->line.has_failed && p->line.len)
        fwrite(p->line.ptr, 1, p->line.len, stderr);
    fflush(stderr);
    p->line.len = 0;
}

void assay_progress_start(assay_progress *p, const assay_cli *cli, const char *what,
                          const char *items)
{
    *p = (assay_progress){.bar = {.what = what, .items = items}};
    p->is_on = !cli->is_quiet;
    p->is_terminal = isatty(STDERR_FILENO) && !cli->is_dumb;
    p->has_color = p->is_terminal && !cli->is_plain;
    p->began = now();
    /* A terminal gets its first line after a moment, so short jobs do not flash. */
    p->drawn = p->began;
}

static void draw(assay_progress *p)
{
    if (!p->is_terminal) {
        assay_bar_line(&p->bar, &p->line);
        assay_buffer_char(&p->line, '\n');
        flush(p);
        return;
    }
    /* The last column stays free: some terminals break the line when it is written. */
    assay_buffer_text(&p->line, "\r");
    assay_bar_print(&p->bar, columns() - 1, p->has_color, &p->line);
    assay_buffer_text(&p->line, "\033[K");
    p->is_drawn = true;
    flush(p);
}

void assay_progress_step(assay_progress *p)
{
    double time;

    if (!p->is_on)
        return;
    time = now();
    if (time - p->drawn < (p->is_terminal ? on_terminal : in_log))
        return;
    p->drawn = time;
    p->bar.seconds = time - p->began;
    draw(p);
}

void assay_progress_hide(assay_progress *p)
{
    if (!p->is_drawn)
        return;
    assay_buffer_text(&p->line, "\r\033[K");
    flush(p);
    p->is_drawn = false;
    p->drawn = 0;
}

void assay_progress_finish(assay_progress *p)
{
    assay_progress_hide(p);
    assay_buffer_clear(&p->line);
    p->is_on = false;
}

/* ---- Ctrl-C ---- */

/* The one mutable global of the program: a signal handler can reach nothing else.  (An int
 * is lock-free wherever this compiles, so a handler may set it.) */
static atomic_int interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

/* A signal that whoever started us ignores (nohup, a background job) stays ignored. */
static void set_action(const struct sigaction *action)
{
    static const int numbers[] = {SIGINT, SIGTERM};

    for (size_t i = 0; i < ASSAY_COUNT(numbers); i++) {
        struct sigaction old;

        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], action, NULL);
    }
}

const atomic_int *assay_interrupt_catch(void)
{
    /* Reset when it was used, so that the second signal ends the process. */
    struct sigaction action = {.sa_handler = on_signal,
                               .sa_flags = (int)SA_RESETHAND | SA_RESTART};

    interrupted = 0;
    sigemptyset(&action.sa_mask);
    set_action(&action);
    return &interrupted;
}

void assay_interrupt_release(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    sigemptyset(&action.sa_mask);
    set_action(&action);
}
