/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/baseline_arg.h"

#include <string.h>

#include "base/error.h"
#include "base/name_list.h"
#include "base/slice.h"

assay_status assay_baseline_arg_find(assay_cli *cli, assay_store *store, const char *name,
                                     assay_stored_baseline *out, assay_error *err)
{
    assay_stored_baseline *list = NULL;
    assay_name_list names = {0};
    uint32_t n = 0;
    assay_status st = assay_store_baselines(store, &cli->arena, &list, &n, err);

    if (st)
        return st;
    for (uint32_t i = 0; i < n; i++) {
        if (assay_slice_is(list[i].name, name)) {
            *out = list[i];
            return ASSAY_OK;
        }
        assay_name_list_add(&names, list[i].name);
    }
    if (!n)
        return assay_fail(err, ASSAY_EUSAGE,
                          "no baseline '%.80s'; 'assay baseline set RUN' makes one",
                          name);
    return assay_fail(err, ASSAY_EUSAGE, "no baseline '%.80s'; there is %s", name,
                      assay_name_list_text(&names));
}

static void warn(const assay_cli *cli, const assay_stored *run)
{
    if (!assay_slice_is(run->status, ASSAY_RUN_DONE))
        assay_cli_warn(cli, "the run is not finished: %u of %u queries are done",
                       run->n_done, run->n_planned);
    if (run->n_failed)
        assay_cli_warn(cli, "%u of its queries failed", run->n_failed);
    if (!run->golden_hash.len)
        assay_cli_warn(cli, "the run has no golden set: nothing can be held against it "
                            "without --golden");
}

assay_status assay_baseline_arg_set(assay_cli *cli, assay_store *store, const char *name,
                                    const char *note, const assay_stored *run,
                                    assay_stored_baseline *out, assay_error *err)
{
    const assay_stored_baseline b = {.name = assay_slice_of(name),
                                     .run_id = run->run_id,
                                     .note = assay_slice_of(note ? note : "")};
    assay_status st;

    warn(cli, run);
    st = assay_store_set_baseline(store, &b, err);
    return st ? st : assay_baseline_arg_find(cli, store, name, out, err);
}
