/* SPDX-License-Identifier: Apache-2.0 */
/* The two other things that 'assay gate' does: planning, and testing itself. */
#ifndef ASSAY_CLI_GATE_TRY_H
#define ASSAY_CLI_GATE_TRY_H

#include "cli/workspace.h"
#include "pipeline/gating.h"

/* gate --plan METRIC=V. */
ASSAY_MUST_USE assay_status assay_gate_plan_print(const assay_workspace *ws,
                                                  const assay_gating_settings *settings,
                                                  assay_error *err);

/* gate --aa A [B]. */
ASSAY_MUST_USE assay_status assay_gate_try(assay_cli *cli, assay_error *err);

#endif
