/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a list of measures; what is accepted must read back as itself. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/slice.h"
#include "metric/metric.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_back(const assay_measure *m, const char *spelling, assay_arena *arena)
{
    assay_measures again = {0};

    if (assay_measure_parse(assay_slice_of(spelling), &again, arena, NULL) ||
        again.n != 1 || !assay_measure_equal(&again.item[0], m))
        abort();
    assay_measures_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_slice text = {(const char *)data, size};
    assay_measures measures = {0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_error err;

    if (!assay_measure_parse_list(text, &measures, &arena, &err))
        for (size_t i = 0; i < measures.n; i++) {
            read_back(&measures.item[i], measures.item[i].name, &arena);
            read_back(&measures.item[i], measures.item[i].full, &arena);
        }
    assay_measures_clear(&measures);
    assay_arena_clear(&arena);
    return 0;
}
