/* SPDX-License-Identifier: Apache-2.0 */
#include "text/english.h"

#include <string.h>

assay_status assay_english_open(const assay_param_value *stem,
                                const assay_param_value *stop, assay_stems **out,
                                assay_error *err)
{
    static const char *const algorithms[] = {"english", "porter", NULL};
    static const char *const lists[] = {assay_stop_lucene, NULL};

    return assay_stems_new(algorithms[stem->choice], lists[stop->choice], out, err);
}

size_t assay_english_trim(const char *word, size_t len)
{
    if (len < 3 || word[len - 1] != 's')
        return len;
    if (word[len - 2] == '\'')
        return len - 2;
    if (len > 4 && memcmp(word + len - 4, "\xe2\x80\x99", 3) == 0)
        return len - 4;
    return len;
}
