/* SPDX-License-Identifier: Apache-2.0 */
/* What may still be among the best k, while rows pass by with scores that are off by no
 * more than a known margin. */
#ifndef ASSAY_INDEX_PILE_H
#define ASSAY_INDEX_PILE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct assay_pile_item {
    float about; /* the score, within the margin */
    uint32_t row;
} assay_pile_item;

typedef struct assay_pile {
    assay_pile_item *item; /* room for cap, lent by the caller */
    uint32_t n;
    uint32_t cap; /* more than k */
    uint32_t k;
    float floor;   /* rows below it are out; -infinite at first */
    double margin; /* most that a score can be off */
} assay_pile;

/* Leave out what cannot be among the best k any more; raises the floor.  False: it is
 * still more than half full, because too many are too close. */
bool assay_pile_sift(assay_pile *pile);

#endif
