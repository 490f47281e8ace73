/* SPDX-License-Identifier: Apache-2.0 */
/* What the builders of trees share; for node.c and node_yaml.c only. */
#ifndef ASSAY_BASE_NODE_BUILD_H
#define ASSAY_BASE_NODE_BUILD_H

#include <stdbool.h>

#include "base/node.h"

/* Make `node` an INT or a NUMBER by its text; false when it is not a finite decimal
 * number: then nothing of it that counts has changed. */
bool assay_node_set_number(assay_node *node);

#endif
