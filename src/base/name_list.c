/* SPDX-License-Identifier: Apache-2.0 */
#include "base/name_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/slice.h"

/* Kept free for "and 4000000000 more". */
enum { TAIL = 24 };

void assay_name_list_printf(assay_name_list *list, const char *format, ...)
{
    size_t room = sizeof list->text - TAIL - list->used;
    char item[200];
    va_list args;
    size_t len;
    int n;

    list->n++;
    va_start(args, format);
    n = vsnprintf(item, sizeof item, format, args);
    va_end(args);
    len = n < 0 ? 0 : (size_t)n < sizeof item ? (size_t)n : sizeof item - 1;
    /* Once one was left out all are, so that the list is a beginning. */
    if (list->n_left || len + 2 >= room) {
        list->n_left++;
        return;
    }
    if (list->used) {
        memcpy(list->text + list->used, ", ", 2);
        list->used += 2;
    }
    memcpy(list->text + list->used, item, len);
    list->used += len;
    list->text[list->used] = '\0';
}

void assay_name_list_add(assay_name_list *list, assay_slice name)
{
    assay_name_list_printf(list, "'%.*s'", ASSAY_QUOTE(name));
}

const char *assay_name_list_text(assay_name_list *list)
{
    if (list->n_left)
        snprintf(list->text + list->used, sizeof list->text - list->used, " and %u more",
                 list->n_left);
    return list->text;
}
