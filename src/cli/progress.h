/* SPDX-License-Identifier: Apache-2.0 */
/* How far a long job has come, on standard error; and Ctrl-C.
 *
 * On a terminal one line is redrawn, at most ten times a second.  Elsewhere there is a
 * plain line every ten seconds, so a short job prints none.  --quiet: nothing.
 *
 * One thread at a time. */
#ifndef ASSAY_CLI_PROGRESS_H
#define ASSAY_CLI_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "cli/cli.h"
#include "report/bar.h"

typedef struct assay_progress {
    assay_bar bar; /* set the totals here as soon as they are known */
    bool is_on;
    bool is_terminal;
    bool has_color;
    bool is_drawn; /* something stands in the terminal's last line */
    double began;  /* seconds of the monotonic clock */
    double drawn;
    assay_buffer line;
} assay_progress;

/* `what` is the verb, `items` what is counted: "ingest", "files". */
void assay_progress_start(assay_progress *p, const assay_cli *cli, const char *what,
                          const char *items);

/* p->bar (done, bytes, failed, name) was brought up to date.  Cheap: asks for the time and
 * draws when it is time to. */
void assay_progress_step(assay_progress *p);

/* Take the line away, so that something else can be printed; the next step redraws it. */
void assay_progress_hide(assay_progress *p);

/* Take the line away for good. */
void assay_progress_finish(assay_progress *p);

/* From now on Ctrl-C (SIGINT) and SIGTERM set the flag, so that the job can end at a good
 * place; the second one kills the process.  The flag is 0, or the signal's number; any
 * thread may read it. */
const atomic_int *assay_interrupt_catch(void);

/* Back to the default. */
void assay_interrupt_release(void);

#endif
