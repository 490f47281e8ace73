/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ask.h"

#include <stdio.h>
#include <string.h>

#include "base/slice.h"

bool assay_ask_yes(void)
{
    char line[16] = "";

    if (!fgets(line, sizeof line, stdin))
        return false;
    line[strcspn(line, "\n")] = '\0';
    return assay_slice_is_nocase(assay_slice_of(line), "y") ||
           assay_slice_is_nocase(assay_slice_of(line), "yes");
}
