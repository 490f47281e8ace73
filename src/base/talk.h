/* SPDX-License-Identifier: Apache-2.0 */
/* A program that stays: lines go in, lines come out.
 *
 * It is started without a shell, in a process group of its own, with three pipes.  What it
 * does wrong (late, dead, too much) is told by the return value of the call that waited
 * for it; nothing it does can hang or kill us.  When it is closed or killed, its whole
 * group goes, and no zombie stays.
 *
 * One handle belongs to one thread at a time. */
#ifndef ASSAY_BASE_TALK_H
#define ASSAY_BASE_TALK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"

typedef struct assay_talk assay_talk;

typedef struct assay_talk_settings {
    const char *const *argv; /* program (looked for in PATH), arguments, null */
    const char *const
        *withheld;          /* variables of our environment that it does not get, ends
                                    with null; or null */
    size_t most_bytes;      /* of one line, or of all its output */
    const atomic_int *stop; /* not 0: stop waiting within 100 ms; or null */
} assay_talk_settings;

typedef enum assay_talk_end {
    ASSAY_TALK_OK,       /* what was waited for is there */
    ASSAY_TALK_GONE,     /* it ended, or closed its output */
    ASSAY_TALK_LATE,     /* the deadline has passed */
    ASSAY_TALK_TOO_MUCH, /* more than most_bytes */
    ASSAY_TALK_STOPPED,
    ASSAY_TALK_NO_MEMORY
} assay_talk_end;

/* Start it.  A program that cannot be started is ASSAY_ESYSTEM that says why; settings and
 * argv must outlive the handle. */
ASSAY_MUST_USE assay_status assay_talk_start(const assay_talk_settings *settings,
                                             assay_talk **out, assay_error *err);

/* Queue bytes for its input; they are copied, and go out while a reply is waited for.
 * False: no memory. */
bool assay_talk_say(assay_talk *talk, assay_slice bytes);

/* Its input ends behind what was said. */
void assay_talk_end_input(assay_talk *talk);

/* The next line without its LF; *line is valid until the next call.  Where it is gone and
 * the last line has no LF, *line has what there is of it. */
assay_talk_end assay_talk_line(assay_talk *talk, int64_t deadline_us, assay_slice *line);

/* All that it writes until its end. */
assay_talk_end assay_talk_all(assay_talk *talk, int64_t deadline_us, assay_slice *out);

/* Throw away what it has written and nobody asked for.  True: there was something. */
bool assay_talk_discard(assay_talk *talk);

/* Wait a moment for its end: whether it is still there. */
bool assay_talk_is_alive(assay_talk *talk, int64_t deadline_us);

/* Whether all that was said has been read by it. */
bool assay_talk_was_heard(const assay_talk *talk);

/* Of one that is gone: hear its last words, kill what is left of its group, and say how it
 * ended: "exit 3", "killed by signal 11". */
void assay_talk_ended(assay_talk *talk, assay_buffer *out);

/* Its exit code, -1 when it was killed; it is killed if it is still there. */
int assay_talk_code(assay_talk *talk);

/* The last line that it wrote to its standard error and that is not blank, "" = none;
 * valid until the next call. */
assay_slice assay_talk_complaint(const assay_talk *talk);

/* Kill it, and its group, and free all.  Null is allowed. */
void assay_talk_kill(assay_talk *talk);

/* Close its input and give it `grace_s` to end by itself, then kill it.  Null is allowed. */
void assay_talk_close(assay_talk *talk, double grace_s);

#endif
