/* SPDX-License-Identifier: Apache-2.0 */
/* The levers of a sweep and the settings they make: "bm25.k1=0.9,1.2" times
 * "chunker=md-heading(target=300|500)" are four.
 *
 *     chunker, embedder, tokenizer, method   whole spellings
 *     PARAM                                  a parameter of the method: weights=0.3:0.7
 *     METHOD.PARAM                           the same, with its name: hybrid.fusion=rrf
 *     LEG.PARAM                              of a leg: bm25.k1=0.9
 *     rrf.k                                  the constant of the method's fusion
 *
 * Values stand between commas; inside brackets | says "or"; 0.1..0.9/5 is five of them. */
#ifndef ASSAY_PIPELINE_LEVERS_H
#define ASSAY_PIPELINE_LEVERS_H

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"

enum { ASSAY_LEVERS_MOST = 16, ASSAY_SWEEP_MOST = 10000 };

typedef struct assay_lever {
    assay_slice name;
    assay_slice *value;
    uint32_t n;
} assay_lever;

typedef struct assay_levers {
    assay_lever lever[ASSAY_LEVERS_MOST];
    uint32_t n;
    uint32_t n_settings; /* of all together; 1 without any lever */
} assay_levers;

/* Add the lever of one --vary; everything lives in `arena`.  What is malformed, given twice
 * or too much is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_levers_add(assay_levers *levers, assay_slice text,
                                             assay_arena *arena, assay_error *err);

/* Which value of lever `lever` a setting has.  The last lever changes fastest. */
uint32_t assay_setting_value(const assay_levers *levers, uint32_t setting,
                             uint32_t lever);

/* "rrf.k=10 chunker=lines": what is special about a setting. */
void assay_setting_print(const assay_levers *levers, uint32_t setting, assay_buffer *out);

/* The value of the lever of this name, or an empty slice. */
assay_slice assay_setting_of(const assay_levers *levers, uint32_t setting,
                             const char *name);

/* The method's spelling with the setting's parameters in it, in `arena`: `method` is what
 * was asked for, unless there is a lever of that name.  A lever that fits no parameter of
 * it is ASSAY_EUSAGE and lists those there are. */
ASSAY_MUST_USE assay_status assay_setting_method(const assay_levers *levers,
                                                 uint32_t setting, assay_slice method,
                                                 assay_arena *arena, assay_slice *out,
                                                 assay_error *err);

#endif
