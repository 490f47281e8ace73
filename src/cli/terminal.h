/* SPDX-License-Identifier: Apache-2.0 */
/* A whole screen of a terminal: keys in, pictures out, by plain ANSI sequences.
 *
 * Signals are blocked and asked for while waiting for a key, so that the terminal is given
 * back whatever ends the program. */
#ifndef ASSAY_CLI_TERMINAL_H
#define ASSAY_CLI_TERMINAL_H

#include <signal.h>
#include <termios.h>

#include "base/buffer.h"
#include "cli/create_model.h"
#include "cli/terminal_keys.h"

typedef struct assay_terminal {
    struct termios before;
    sigset_t mask_before;
    bool is_open;
    uint32_t rows;
    uint32_t columns;
    bool is_resized; /* since the last key */
    int signal;      /* that asks to end, or 0 */
    assay_key_reader reader;
    assay_buffer in;  /* bytes that are no keys yet */
    assay_buffer out; /* a picture on its way */
} assay_terminal;

/* Standard input and output must be one. */
ASSAY_MUST_USE assay_status assay_terminal_open(assay_terminal *t, assay_error *err);

/* Give it back as it was.  The words that `signal` asks for are the caller's. */
void assay_terminal_close(assay_terminal *t);

/* Wait for a key.  ASSAY_KEY_NONE: the size changed, a signal asks to end, or the terminal
 * is gone (then signal is SIGHUP). */
uint32_t assay_terminal_key(assay_terminal *t);

void assay_terminal_draw(assay_terminal *t, const assay_picture *picture);

#endif
