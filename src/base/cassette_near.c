/* SPDX-License-Identifier: Apache-2.0 */
/* Requests are compared by their pieces of four bytes.  Each piece is hashed; the hash
 * names one of 128 bins and a value, and a bin keeps its smallest value.  The share of bins
 * that two requests have in common tells the share of pieces that they have in common,
 * whatever their length (minhash with one permutation: Li, Owen, Zhang 2012). */
#include "base/cassette_near.h"

#include <string.h>

#include "base/mem.h"
#include "base/slice.h"
#include "base/utf8.h"

enum { BINS = 128, PIECE = 4, SHOWN = 240, AROUND = 24, DIFFERS = 120 };

#define EMPTY UINT32_MAX

typedef struct look {
    uint32_t bin[BINS];
} look;

struct assay_tape_looks {
    size_t n;
    look item[];
};

static void make_look(assay_slice text, look *out)
{
    memset(out, 0xff, sizeof *out);
    for (size_t i = 0; i < text.len; i++) {
        uint32_t piece = 0;
        uint32_t value;

        memcpy(&piece, text.ptr + i, text.len - i < PIECE ? text.len - i : PIECE);
        piece *= UINT32_C(0x9E3779B1);
        piece = (piece ^ piece >> 15) * UINT32_C(0x85EBCA6B);
        piece ^= piece >> 13;
        value = piece / BINS;
        if (value < out->bin[piece % BINS])
            out->bin[piece % BINS] = value;
    }
}

assay_tape_looks *assay_tape_looks_new(const assay_tape *tape)
{
    assay_tape_looks *looks =
        assay_mem_zero(1, sizeof *looks + tape->n * sizeof looks->item[0]);

    if (!looks)
        return NULL;
    looks->n = tape->n;
    for (size_t i = 0; i < tape->n; i++)
        make_look(tape->item[i].request, &looks->item[i]);
    return looks;
}

void assay_tape_looks_free(assay_tape_looks *looks)
{
    assay_mem_free(looks);
}

/* 0 to 1. */
static double likeness(const look *a, const look *b)
{
    uint32_t same = 0;
    uint32_t used = 0;

    for (size_t i = 0; i < BINS; i++) {
        used += a->bin[i] != EMPTY || b->bin[i] != EMPTY;
        same += a->bin[i] != EMPTY && a->bin[i] == b->bin[i];
    }
    return used ? (double)same / used : 1;
}

const assay_taped *assay_tape_nearest(const assay_tape *tape,
                                      const assay_tape_looks *looks,
                                      const assay_taped *call)
{
    const assay_taped *best = NULL;
    double highest = -1;
    look mine;

    make_look(call->request, &mine);
    for (size_t i = 0; i < tape->n; i++) {
        const assay_taped *other = &tape->item[i];
        double value = likeness(&mine, &looks->item[i]);

        value += assay_slice_eq(other->kind, call->kind) ? 4 : 0;
        value += assay_slice_eq(other->target, call->target) ? 2 : 0;
        if (value > highest) {
            highest = value;
            best = other;
        }
    }
    return best;
}

/* ---- words ---- */

/* At most `most` bytes from `at` on, without control characters, dots where it was cut. */
static void put_piece(assay_slice text, size_t at, size_t most, assay_buffer *out)
{
    size_t end;

    at = assay_utf8_floor(text, at < text.len ? at : text.len);
    end = text.len - at <= most ? text.len : assay_utf8_floor(text, at + most);
    if (at)
        assay_buffer_text(out, "...");
    for (size_t i = at; i < end; i++)
        assay_buffer_char(out, (unsigned char)text.ptr[i] < ' ' ? ' ' : text.ptr[i]);
    if (end < text.len)
        assay_buffer_text(out, "...");
}

static size_t common(assay_slice a, assay_slice b)
{
    size_t n = 0;

    while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n])
        n++;
    return n;
}

static void put_difference(assay_slice asked, assay_slice taped, assay_buffer *out)
{
    size_t at = common(asked, taped);

    at = at > AROUND ? at - AROUND : 0;
    assay_buffer_text(out, " '");
    put_piece(taped, at, DIFFERS, out);
    assay_buffer_text(out, "' where this one has '");
    put_piece(asked, at, DIFFERS, out);
    assay_buffer_char(out, '\'');
}

void assay_tape_show_miss(const assay_taped *call, const assay_taped *nearest,
                          assay_buffer *out)
{
    assay_slice line;

    put_piece(call->kind, 0, DIFFERS, out);
    assay_buffer_char(out, ' ');
    put_piece(call->target, 0, DIFFERS, out);
    assay_buffer_char(out, ' ');
    put_piece(call->request, 0, SHOWN, out);
    if (!nearest) {
        assay_buffer_text(out, "; nothing was");
        return;
    }
    line = nearest->request;
    assay_buffer_printf(out, "; the nearest is line %llu,",
                        (unsigned long long)nearest->number);
    if (!assay_slice_eq(nearest->kind, call->kind)) {
        assay_buffer_text(out, " of kind '");
        put_piece(nearest->kind, 0, DIFFERS, out);
        assay_buffer_text(out, "', with");
    } else if (!assay_slice_eq(nearest->target, call->target)) {
        assay_buffer_text(out, " to '");
        put_piece(nearest->target, 0, DIFFERS, out);
        assay_buffer_text(out, "', with");
    } else {
        assay_buffer_text(out, " which has");
    }
    if (assay_slice_eq(line, call->request))
        assay_buffer_text(out, " the same request");
    else
        put_difference(call->request, line, out);
}
