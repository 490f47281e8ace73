/* SPDX-License-Identifier: Apache-2.0 */
/* For progress_on_a_terminal.sh: a job of N steps of 20 ms, with the real progress.c.
 * At half of it one line is printed.  Ctrl-C ends it with "stopped". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/slice.h"
#include "cli/progress.h"

int main(int argc, char **argv)
{
    const struct timespec pause = {0, 20000000};
    assay_cli cli = {.is_quiet = argc > 2 && strchr(argv[2], 'q'),
                     .is_dumb = argc > 2 && strchr(argv[2], 'd'),
                     .is_plain = argc > 2 && strchr(argv[2], 'p')};
    const atomic_int *stop = assay_interrupt_catch();
    unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 10;
    assay_progress p;

    assay_progress_start(&p, &cli, "work", "files");
    p.bar.total = n;
    p.bar.total_bytes = n * 1000000ULL;
    for (unsigned i = 0; i < n && !*stop; i++) {
        p.bar.done = i;
        p.bar.bytes = i * 1000000ULL;
        p.bar.failed = i / 4;
        p.bar.name = ASSAY_LIT("설정/a\nb.md");
        assay_progress_step(&p);
        if (i == n / 2) {
            assay_progress_hide(&p);
            fprintf(stderr, "half\n");
        }
        nanosleep(&pause, NULL);
    }
    assay_progress_finish(&p);
    assay_interrupt_release();
    puts(*stop ? "stopped" : "done");
    return 0;
}
