/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a terminal into keys: characters (UTF-8), control characters, the sequences of
 * arrows and the like, and text that was pasted. */
#ifndef ASSAY_CLI_TERMINAL_KEYS_H
#define ASSAY_CLI_TERMINAL_KEYS_H

#include <stdbool.h>

#include "assay.h"

/* A key is a character's code (below these), or one of these. */
enum {
    ASSAY_KEY_NONE = 0,
    ASSAY_KEY_FIRST = 0x110000,
    ASSAY_KEY_UP = ASSAY_KEY_FIRST,
    ASSAY_KEY_DOWN,
    ASSAY_KEY_LEFT,
    ASSAY_KEY_RIGHT,
    ASSAY_KEY_HOME,
    ASSAY_KEY_END,
    ASSAY_KEY_PAGE_UP,
    ASSAY_KEY_PAGE_DOWN,
    ASSAY_KEY_DELETE,
    ASSAY_KEY_BACKSPACE,
    ASSAY_KEY_ENTER,
    ASSAY_KEY_TAB,
    ASSAY_KEY_ESCAPE
};

/* Ctrl with a letter. */
#define ASSAY_KEY_CTRL(letter) ((uint32_t)((letter) - 'a' + 1))

/* Zeroed is ready. */
typedef struct assay_key_reader {
    bool is_paste; /* between the marks of a paste: line breaks are blanks */
} assay_key_reader;

/* The next key of *in, which is moved behind it; ASSAY_KEY_NONE when *in is used up or
 * ends within a key.  With is_all nothing more is coming at once: what is left is taken as
 * it is, and a lone ESC is the escape key. */
uint32_t assay_key_next(assay_key_reader *reader, assay_slice *in, bool is_all);

#endif
