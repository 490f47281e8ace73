/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tags_arg.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"

assay_status assay_tag_read(const char *text, assay_tag *out, assay_error *err)
{
    const char *sign = strchr(text, '=');

    if (!sign || sign == text)
        return assay_fail(err, ASSAY_EUSAGE, "'%.80s' is no tag; want KEY=VALUE", text);
    if (!sign[1])
        return assay_fail(err, ASSAY_EUSAGE,
                          "tag '%.80s' has no value; 'assay runs tag RUN --remove KEY' "
                          "takes one away",
                          text);
    *out = (assay_tag){{text, (size_t)(sign - text)}, assay_slice_of(sign + 1)};
    return ASSAY_OK;
}

static int by_key(const void *a, const void *b)
{
    return assay_slice_cmp(((const assay_tag *)a)->key, ((const assay_tag *)b)->key);
}

assay_status assay_tags_read(assay_cli *cli, const char *option, const assay_tag **out,
                             uint32_t *n, assay_error *err)
{
    uint32_t count = 0;
    assay_tag *tag;

    while (assay_cli_item(cli, option, count))
        count++;
    tag = ASSAY_ARENA_ARRAY(&cli->arena, assay_tag, count + 1);
    if (!tag)
        return assay_fail_memory(err, "reading tags");
    for (uint32_t i = 0; i < count; i++) {
        assay_status st = assay_tag_read(assay_cli_item(cli, option, i), &tag[i], err);

        if (st)
            return st;
    }
    qsort(tag, count, sizeof *tag, by_key);
    for (uint32_t i = 1; i < count; i++)
        if (assay_slice_eq(tag[i - 1].key, tag[i].key))
            return assay_fail(err, ASSAY_EUSAGE, "tag '%.*s' is given twice",
                              ASSAY_QUOTE(tag[i].key));
    *out = tag;
    *n = count;
    return ASSAY_OK;
}
