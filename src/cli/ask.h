/* SPDX-License-Identifier: Apache-2.0 */
/* Asking the person at the terminal. */
#ifndef ASSAY_CLI_ASK_H
#define ASSAY_CLI_ASK_H

#include <stdbool.h>

/* Read an answer from standard input; y and yes are yes, everything else is no. */
bool assay_ask_yes(void);

#endif
