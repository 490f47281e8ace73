/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as assay.yaml.  What loads has names and paths that can be used. */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "pipeline/project.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_slice text = {(const char *)data, size};
    assay_project *p = NULL;
    assay_error err = {ASSAY_OK, ""};
    assay_status st = assay_project_parse("folder", text, &p, &err);

    if ((st == ASSAY_OK) != (p != NULL) || (st && !err.text[0]))
        abort();
    for (uint32_t i = 0; p && i < p->n_corpora; i++) {
        if (!assay_corpus_name_is(assay_slice_of(p->corpus[i].name)))
            abort();
        for (uint32_t j = 0; j < p->corpus[i].n_paths; j++)
            if (!p->corpus[i].path[j][0])
                abort();
    }
    assay_project_free(p);
    return 0;
}
