/* SPDX-License-Identifier: Apache-2.0 */
#include "index/pile.h"

#include <math.h>

static void swap(assay_pile_item *a, assay_pile_item *b)
{
    assay_pile_item t = *a;

    *a = *b;
    *b = t;
}

/* The k-th largest score, by quickselect (the middle of three as pivot); the order of
 * the items changes. */
static float kth(assay_pile_item *item, uint32_t n, uint32_t k)
{
    uint32_t low = 0;
    uint32_t high = n - 1;
    uint32_t want = k - 1;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        uint32_t i = low;
        uint32_t j = high;
        float pivot;

        if (item[mid].about > item[low].about)
            swap(&item[mid], &item[low]);
        if (item[high].about > item[low].about)
            swap(&item[high], &item[low]);
        if (item[high].about > item[mid].about)
            swap(&item[high], &item[mid]);
        pivot = item[mid].about;
        while (i <= j) {
            while (item[i].about > pivot)
                i++;
            while (item[j].about < pivot)
                j--;
            if (i <= j) {
                swap(&item[i], &item[j]);
                i++;
                if (j == 0)
                    break;
                j--;
            }
        }
        if (want <= j)
            high = j;
        else if (want >= i)
            low = i;
        else
            break;
    }
    return item[want].about;
}

bool assay_pile_sift(assay_pile *pile)
{
    uint32_t kept = 0;
    double floor;

    if (pile->n < pile->k || !pile->k)
        return pile->n <= pile->cap / 2;
    /* k rows score at least kth - margin, so one of the best k does, and its score here
     * is at most another margin below that. */
    floor = (double)kth(pile->item, pile->n, pile->k) - 2 * pile->margin;
    if (floor > (double)pile->floor)
        pile->floor = nextafterf((float)floor, -INFINITY);
    for (uint32_t i = 0; i < pile->n; i++)
        if (pile->item[i].about >= pile->floor)
            pile->item[kept++] = pile->item[i];
    pile->n = kept;
    return kept <= pile->cap / 2;
}
