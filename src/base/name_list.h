/* SPDX-License-Identifier: Apache-2.0 */
/* Names for a message: as many as fit one line, then "and 12 more". */
#ifndef ASSAY_BASE_NAME_LIST_H
#define ASSAY_BASE_NAME_LIST_H

#include "assay.h"
#include "base/compiler.h"

/* Zeroed is empty and ready. */
typedef struct assay_name_list {
    char text[640];
    size_t used;
    uint32_t n;      /* names added */
    uint32_t n_left; /* those that did not fit */
} assay_name_list;

/* Add "'name'", or what `format` says. */
void assay_name_list_add(assay_name_list *list, assay_slice name);
void assay_name_list_printf(assay_name_list *list, const char *format, ...)
    ASSAY_PRINTF(2, 3);

/* The list, complete; call it once, when all names are in. */
const char *assay_name_list_text(assay_name_list *list);

#endif
