/* SPDX-License-Identifier: Apache-2.0 */
/* What gate_rules.c and gate_rules_read.c share. */
#ifndef ASSAY_COMPARE_GATE_RULES_OWN_H
#define ASSAY_COMPARE_GATE_RULES_OWN_H

#include "base/compiler.h"
#include "compare/gate_rules.h"

/* The key in assay.yaml, and a rule as one writes it. */
const char *assay_gate_rule_key(assay_gate_kind kind);
const char *assay_gate_rule_example(assay_gate_kind kind);

/* Fail with the file and line, or with the option. */
assay_status assay_gate_rule_fail(assay_gate_place place, assay_gate_kind kind,
                                  assay_error *err, const char *format, ...)
    ASSAY_PRINTF(4, 5);

/* One rule, its metric and its limit apart.  A limit of a threshold may begin with a sign;
 * without one, better is on the safe side.  An empty margin is the default. */
assay_status assay_gate_add_threshold(assay_gate_rules *rules, assay_slice metric,
                                      assay_slice limit, assay_gate_place place,
                                      assay_error *err);
assay_status assay_gate_add_drop(assay_gate_rules *rules, assay_slice metric,
                                 assay_slice allowance, assay_gate_place place,
                                 assay_error *err);
assay_status assay_gate_add_margin(assay_gate_rules *rules, assay_slice metric,
                                   assay_slice margin, assay_gate_place place,
                                   assay_error *err);

/* Ids are in the arena; they are sorted here. */
assay_status assay_gate_add_protected(assay_gate_rules *rules, assay_slice *id,
                                      uint32_t n, assay_gate_place place,
                                      assay_error *err);

#endif
