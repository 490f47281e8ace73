/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of assay's own golden format share: g_native.c reads a set,
 * native_judgment.c a judgment, native_write.c writes it all. */
#ifndef ASSAY_GOLDEN_NATIVE_H
#define ASSAY_GOLDEN_NATIVE_H

#include "golden/emit.h"
#include "golden/fields.h"

/* As YAML, or as JSON when target->is_json. */
ASSAY_MUST_USE assay_status assay_native_write(const assay_golden *golden,
                                               const assay_golden_target *target,
                                               assay_error *err);

/* Write a judgment as a flat map, a query as a map. */
void assay_native_put_judgment(assay_emit *e, const assay_golden *golden,
                               const assay_judgment *j);
void assay_native_put_query(assay_emit *e, const assay_golden *golden,
                            const assay_query *q);

/* Read the map of a query into in->golden, or of a judgment into its last query. */
ASSAY_MUST_USE assay_status assay_native_query(const assay_field_reader *in,
                                               const assay_node *map, assay_error *err);
ASSAY_MUST_USE assay_status assay_native_judgment(const assay_field_reader *in,
                                                  const assay_node *map, assay_query *q,
                                                  assay_error *err);

/* Whether `key` belongs to a judgment. */
bool assay_native_is_judgment_key(assay_slice key);

#endif
