/* SPDX-License-Identifier: Apache-2.0 */
/* What stands on the screen of 'assay golden create', and what a key does to it.  No
 * input or output: keys go in, wishes and lines come out. */
#ifndef ASSAY_CLI_CREATE_MODEL_H
#define ASSAY_CLI_CREATE_MODEL_H

#include "cli/create_pool.h"
#include "cli/line_edit.h"

typedef enum assay_create_mode {
    ASSAY_CREATE_ASK,      /* a question is typed */
    ASSAY_CREATE_HITS,     /* hits are looked through */
    ASSAY_CREATE_SENTENCE, /* sentences of the hit are chosen */
    ASSAY_CREATE_TAGS,     /* typed */
    ASSAY_CREATE_MUST,     /* typed: what an answer must contain */
    ASSAY_CREATE_HELP
} assay_create_mode;

/* What the person wants done to the file. */
typedef enum assay_create_wish {
    ASSAY_WISH_NONE,
    ASSAY_WISH_ASK, /* the question in model->line */
    ASSAY_WISH_JUDGE,
    ASSAY_WISH_UNJUDGE,
    ASSAY_WISH_TAGS, /* those in model->line */
    ASSAY_WISH_MUST,
    ASSAY_WISH_REFUSE, /* turn it on or off */
    ASSAY_WISH_FINISH, /* the question is checked */
    ASSAY_WISH_NEXT,   /* leave it as it is */
    ASSAY_WISH_UNDO,
    ASSAY_WISH_QUIT
} assay_create_wish;

typedef struct assay_create_act {
    assay_create_wish wish;
    uint32_t hit;
    int32_t grade;
    uint32_t first; /* sentences first to last; ASSAY_NONE = the whole passage */
    uint32_t last;
} assay_create_act;

/* What is known of the question; slices are borrowed. */
typedef struct assay_create_card {
    assay_slice id;
    assay_slice text;
    assay_slice tags; /* "a, b" */
    assay_slice must; /* "x | y" */
    bool is_draft;
    bool is_refuse;
    const int32_t *grade; /* of each hit, or ASSAY_UNGRADED */
    const assay_pool_hit *hit;
    uint32_t n_hits;
} assay_create_card;

typedef struct assay_create_model {
    assay_create_mode mode;
    assay_create_mode before; /* help was asked for */
    uint32_t rows;
    uint32_t columns;
    const char *title; /* the file */
    uint32_t n_checked;
    uint32_t n_drafts;
    uint32_t n_waiting; /* questions of the list that is walked */
    bool is_unjudged;   /* one hit after the other is asked about */
    assay_create_card card;
    assay_line_edit line;
    uint32_t cursor; /* hit */
    uint32_t top;    /* first hit that is shown */
    uint32_t scroll; /* first row of its text that is shown */
    uint32_t first;  /* sentences that are chosen */
    uint32_t last;
    assay_buffer message;
} assay_create_model;

/* Ask for a new question. */
void assay_create_ask(assay_create_model *m);

/* Show a question; the cursor stays where it was when it is the same one. */
void assay_create_show(assay_create_model *m, const assay_create_card *card,
                       bool is_same);

assay_create_act assay_create_key(assay_create_model *m, uint32_t key);

void assay_create_clear(assay_create_model *m);

/* ---- the picture (create_view.c) ---- */

/* Marks in the text of a picture.  Nothing else below a blank stands in it but line
 * breaks. */
#define ASSAY_MARK_PLAIN   '\x01'
#define ASSAY_MARK_REVERSE '\x02'
#define ASSAY_MARK_BOLD    '\x03'

typedef struct assay_picture {
    assay_buffer text; /* `rows` lines, each with a line break but the last */
    uint32_t row;      /* of the cursor, from 0 */
    uint32_t column;
    bool has_cursor;
} assay_picture;

/* Draw; the picture is emptied first. */
void assay_create_draw(assay_create_model *m, assay_picture *out);

/* Other people's text for a terminal: one line of at most `width` columns, without what
 * would move the cursor.  Returns the columns it takes. */
size_t assay_put_cut(assay_buffer *out, assay_slice text, size_t width);

/* The next row of `text` from *at on: at most `width` columns, broken at a blank where
 * there is one, and at line breaks.  False at the end. */
bool assay_next_row(assay_slice text, size_t *at, size_t width, assay_slice *row);

#endif
