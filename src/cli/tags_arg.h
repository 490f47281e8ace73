/* SPDX-License-Identifier: Apache-2.0 */
/* Tags as a command line has them: KEY=VALUE. */
#ifndef ASSAY_CLI_TAGS_ARG_H
#define ASSAY_CLI_TAGS_ARG_H

#include "cli/cli.h"
#include "store/store.h"

/* One; the value may hold anything, also '='. */
ASSAY_MUST_USE assay_status assay_tag_read(const char *text, assay_tag *out,
                                           assay_error *err);

/* All values of the repeatable `option`, in byte order of their keys, in the command's
 * arena.  A key that is given twice is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_tags_read(assay_cli *cli, const char *option,
                                            const assay_tag **out, uint32_t *n,
                                            assay_error *err);

#endif
