/* SPDX-License-Identifier: Apache-2.0 */
/* JSON pointers (RFC 6901) into a tree: "/data/0/id", "" = the whole. */
#ifndef ASSAY_BASE_POINTER_H
#define ASSAY_BASE_POINTER_H

#include <stdbool.h>

#include "assay.h"
#include "base/node.h"

/* Well-formed: empty or begins with '/', and '~' is followed by 0 or 1. */
bool assay_pointer_is(assay_slice pointer);

/* What it points at, or null; `root` may be null. */
const assay_node *assay_pointer_get(const assay_node *root, assay_slice pointer);

#endif
