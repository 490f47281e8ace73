/* SPDX-License-Identifier: Apache-2.0 */
#include "report/bar.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "base/compiler.h"
#include "base/slice.h"
#include "report/grid.h"

enum {
    BAR_LEAST = 6,
    BAR_MOST = 24,
    NAME_LEAST = 8,
    NAME_GOOD = 40,
    PARTS = 8,
    PART_BYTES = 64
};

/* ---- small texts ---- */

void assay_bar_size(double bytes, assay_buffer *out)
{
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
    size_t i = 0;

    /* 999.95 would be printed as 1000.0. */
    while (bytes >= (i ? 999.95 : 1000) && i + 1 < ASSAY_COUNT(unit)) {
        bytes /= 1000;
        i++;
    }
    assay_buffer_printf(out, i ? "%.1f %s" : "%.0f %s", bytes, unit[i]);
}

static void print_time(double seconds, assay_buffer *out)
{
    uint64_t s = seconds < 360000 ? (uint64_t)(seconds + 0.5) : 360000;

    if (s >= 360000)
        assay_buffer_text(out, "days");
    else if (s >= 3600)
        assay_buffer_printf(out, "%u:%02u:%02u", (unsigned)(s / 3600),
                            (unsigned)(s / 60 % 60), (unsigned)(s % 60));
    else
        assay_buffer_printf(out, "%u:%02u", (unsigned)(s / 60), (unsigned)(s % 60));
}

/* How far, from 0 to 1; below 0 when it is not known.  Bytes tell the time better than
 * items do. */
static double share(const assay_bar *bar)
{
    double part = -1;

    if (bar->total_bytes)
        part = (double)bar->bytes / (double)bar->total_bytes;
    else if (bar->total)
        part = (double)bar->done / (double)bar->total;
    return part > 1 ? 1 : part;
}

/* ---- the name ---- */

/* The next character as it is shown; *len is its length in the name. */
static size_t show_char(assay_slice rest, char shown[8], size_t *len)
{
    utf8proc_int32_t code;
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)rest.ptr,
                                          (utf8proc_ssize_t)rest.len, &code);

    *len = n > 0 ? (size_t)n : 1;
    /* Also what has no width by itself, or would turn the line around. */
    if (n <= 0 || code < 0x20 || (code >= 0x7f && code < 0xa0)) {
        snprintf(shown, 8, "\\x%02x", (unsigned)(unsigned char)rest.ptr[0]);
        *len = 1;
        return 4;
    }
    if (utf8proc_category(code) == UTF8PROC_CATEGORY_CF ||
        utf8proc_category(code) == UTF8PROC_CATEGORY_ZL ||
        utf8proc_category(code) == UTF8PROC_CATEGORY_ZP) {
        memcpy(shown, "?", 2);
        return 1;
    }
    memcpy(shown, rest.ptr, *len);
    shown[*len] = '\0';
    return (size_t)utf8proc_charwidth(code);
}

static size_t name_width(assay_slice name)
{
    size_t width = 0;
    char shown[8];
    size_t len;

    for (; name.len; name.ptr += len, name.len -= len)
        width += show_char(name, shown, &len);
    return width;
}

void assay_bar_name(assay_slice name, size_t columns, assay_buffer *out)
{
    size_t width = name_width(name);
    char shown[8];
    size_t len;

    if (width > columns && columns < 4)
        return;
    if (width > columns) {
        assay_buffer_text(out, "...");
        while (width > columns - 3) {
            width -= show_char(name, shown, &len);
            name.ptr += len;
            name.len -= len;
        }
    }
    for (; name.len; name.ptr += len, name.len -= len) {
        (void)show_char(name, shown, &len);
        assay_buffer_text(out, shown);
    }
}

/* ---- the line ---- */

typedef enum part_id { WHAT, PERCENT, COUNT, BAR, RATE, ITEMS, LEFT, FAILED } part_id;

/* The texts between which the bar and the name share what is left. */
typedef struct parts {
    assay_buffer text[PARTS]; /* by part_id; "" = not shown */
} parts;

static void fill_rates(const assay_bar *bar, parts *p)
{
    double part = share(bar);

    /* The first moments say nothing about the speed. */
    if (bar->seconds < 0.2)
        return;
    if (bar->bytes) {
        assay_bar_size((double)bar->bytes / bar->seconds, &p->text[RATE]);
        assay_buffer_text(&p->text[RATE], "/s");
    }
    assay_buffer_printf(&p->text[ITEMS], "%.0f %s/s", (double)bar->done / bar->seconds,
                        bar->items);
    if (part > 0 && part < 1) {
        print_time(bar->seconds * (1 - part) / part, &p->text[LEFT]);
        assay_buffer_text(&p->text[LEFT], " left");
    }
}

static void fill_parts(const assay_bar *bar, parts *p)
{
    double part = share(bar);

    assay_buffer_text(&p->text[WHAT], bar->what);
    if (part >= 0)
        assay_buffer_printf(&p->text[PERCENT], "%3.0f%%", 100 * part);
    if (bar->total)
        assay_buffer_printf(&p->text[COUNT], "%llu/%llu %s",
                            (unsigned long long)bar->done, (unsigned long long)bar->total,
                            bar->items);
    else
        assay_buffer_printf(&p->text[COUNT], "%llu %s", (unsigned long long)bar->done,
                            bar->items);
    fill_rates(bar, p);
    if (bar->failed)
        assay_buffer_printf(&p->text[FAILED], "%llu failed",
                            (unsigned long long)bar->failed);
}

static size_t total_width(const parts *p)
{
    size_t width = 0;

    for (size_t i = 0; i < PARTS; i++)
        if (p->text[i].len)
            width += p->text[i].len + (width ? 2 : 0); /* all ASCII */
    return width;
}

static void fill_bar(double part, size_t columns, assay_buffer *out)
{
    size_t inside = columns - 2;
    size_t full = (size_t)(part * (double)inside);

    assay_buffer_char(out, '[');
    for (size_t i = 0; i < inside; i++)
        assay_buffer_char(out, i < full ? '=' : i == full ? '>' : ' ');
    assay_buffer_char(out, ']');
}

static void clear_parts(parts *p)
{
    for (size_t i = 0; i < PARTS; i++)
        assay_buffer_clear(&p->text[i]);
}

/* Let go of what matters less until it fits; what is left over is for bar and name. */
static size_t make_room(parts *p, size_t columns)
{
    static const part_id order[] = {COUNT, ITEMS, RATE, LEFT, PERCENT, FAILED, WHAT};
    size_t width = total_width(p);

    for (size_t i = 0; i < ASSAY_COUNT(order) && width > columns; i++) {
        assay_buffer_clear(&p->text[order[i]]);
        width = total_width(p);
    }
    return width > columns ? 0 : columns - width;
}

static void put_parts(const parts *p, bool has_color, assay_buffer *out)
{
    const char *gap = "";

    for (size_t i = 0; i < PARTS; i++) {
        bool is_red = has_color && i == FAILED;

        if (!p->text[i].len)
            continue;
        assay_buffer_text(out, gap);
        assay_buffer_text(out, is_red ? "\033[31m" : "");
        assay_buffer_slice(out, assay_buffer_view(&p->text[i]));
        assay_buffer_text(out, is_red ? "\033[0m" : "");
        gap = "  ";
    }
}

void assay_bar_print(const assay_bar *bar, size_t columns, bool has_color,
                     assay_buffer *out)
{
    parts p = {.text = {ASSAY_BUFFER_EMPTY}};
    double part = share(bar);
    size_t wanted = name_width(bar->name);
    size_t room;

    fill_parts(bar, &p);
    room = make_room(&p, columns);
    /* Between the share and a name that can be read, the count has to go. */
    if (part >= 0 && bar->name.len && room < NAME_GOOD) {
        assay_buffer_clear(&p.text[COUNT]);
        room = columns > total_width(&p) ? columns - total_width(&p) : 0;
    }
    if (wanted > NAME_LEAST)
        wanted = NAME_LEAST;
    if (part >= 0 && room >= 2 + BAR_LEAST + 2 + wanted) {
        size_t most = room - 2 - (wanted ? 2 + wanted : 0);
        size_t width = room / 2 < BAR_LEAST ? BAR_LEAST : room / 2;

        width = width > most ? most : width;
        width = width > BAR_MOST ? BAR_MOST : width;
        fill_bar(part, width, &p.text[BAR]);
        room -= width + 2;
    }
    put_parts(&p, has_color, out);
    if (bar->name.len && room >= 2 + wanted) {
        assay_buffer_text(out, "  ");
        assay_bar_name(bar->name, room - 2, out);
    }
    clear_parts(&p);
}

void assay_bar_line(const assay_bar *bar, assay_buffer *out)
{
    parts p = {.text = {ASSAY_BUFFER_EMPTY}};

    fill_parts(bar, &p);
    put_parts(&p, false, out);
    if (bar->name.len) {
        assay_buffer_text(out, "  ");
        assay_bar_name(bar->name, SIZE_MAX, out);
    }
    clear_parts(&p);
}
