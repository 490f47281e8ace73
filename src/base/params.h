/* SPDX-License-Identifier: Apache-2.0 */
/* Things with parameters, `name:argument(param=value,...)`: read by a table, printed back
 * in full.  For fusion methods, retrievers, tokenizers, embedders. */
#ifndef ASSAY_BASE_PARAMS_H
#define ASSAY_BASE_PARAMS_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"

/* Cut into its three parts; the argument and the parameters may be missing ("").  A
 * spelling that lacks its closing bracket is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_params_split(assay_slice spelling, assay_slice *name,
                                               assay_slice *argument, assay_slice *params,
                                               assay_error *err);

typedef enum assay_param_kind {
    ASSAY_PARAM_REAL,  /* a finite number in [least, most] */
    ASSAY_PARAM_COUNT, /* a whole number in [least, most] */
    ASSAY_PARAM_WORD,  /* one of .choices */
    ASSAY_PARAM_TEXT   /* anything without comma and brackets */
} assay_param_kind;

typedef struct assay_param {
    const char *name; /* null ends a table */
    assay_param_kind kind;
    double least;
    double most;
    const char *choices;  /* "a|b|c" */
    const char *standard; /* what stands there when nothing was said; never null */
    const char *help;
} assay_param;

typedef struct assay_param_value {
    bool is_given;
    double number;    /* of REAL and COUNT */
    assay_slice text; /* as given, or the standard; of WORD the choice itself */
    uint32_t choice;  /* of WORD: which of the choices, from 0 */
} assay_param_value;

/* Fill value[i] for table[i].  `what` begins the error: "fusion 'rrf'".  Unknown names
 * suggest the nearest; a name given twice is an error too. */
ASSAY_MUST_USE assay_status assay_params_read(const char *what, const assay_param *table,
                                              assay_slice params,
                                              assay_param_value *value, assay_error *err);

/* "name(a=1,b=x)": all parameters in the table's order but empty texts; "name" when there
 * are none. */
void assay_params_print(const char *name, const assay_param *table,
                        const assay_param_value *value, assay_buffer *out);

#endif
