/* SPDX-License-Identifier: Apache-2.0 */
/* Replies of another shape: JSON pointers say where things are. */
#ifndef ASSAY_RETRIEVE_SYSTEM_MAP_H
#define ASSAY_RETRIEVE_SYSTEM_MAP_H

#include "retrieve/system_config.h"
#include "run/run_json.h"

/* Read `text`, which must live as long as the result; what is made lives in in->arena. */
ASSAY_MUST_USE assay_status assay_map_read(assay_run_reader *in,
                                           const assay_system_config *config,
                                           assay_slice text, assay_result *out,
                                           assay_error *err);

#endif
