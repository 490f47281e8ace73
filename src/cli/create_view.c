/* SPDX-License-Identifier: Apache-2.0 */
/* From top to bottom: the file, the question and what is said of it, the hits, the text of
 * the hit under the cursor, a message, the keys.  Nothing is told by colour alone. */
#include "base/slice.h"
#include "base/utf8.h"
#include "cli/create_model.h"
#include "golden/notebook.h"
#include "report/grid.h"

enum { ROWS_LEAST = 10, COLUMNS_LEAST = 20, GUTTER = 2 };

/* ---- text of other people ---- */

/* Bytes of the character at `at`, how it is shown, and its columns. */
static size_t shown(assay_slice text, size_t at, assay_slice *as, size_t *width)
{
    assay_slice rest = {text.ptr + at, text.len - at};
    size_t len;
    uint32_t code = assay_utf8_get(rest, &len);
    bool is_control = code < ' ' || (code >= 0x7F && code < 0xA0) ||
                      (code >= 0x200E && code <= 0x200F) ||
                      (code >= 0x2028 && code <= 0x202E) ||
                      (code >= 0x2066 && code <= 0x2069);

    *as = is_control ? ASSAY_LIT(" ") : (assay_slice){rest.ptr, len};
    if (code == 0xFFFD)
        *as = ASSAY_LIT("\xef\xbf\xbd");
    *width = assay_display_width(*as);
    return len;
}

size_t assay_put_cut(assay_buffer *out, assay_slice text, size_t width)
{
    size_t used = 0;
    size_t len;

    for (size_t at = 0; at < text.len; at += len) {
        assay_slice as;
        size_t w;

        len = shown(text, at, &as, &w);
        if (used + w > width)
            break;
        assay_buffer_slice(out, as);
        used += w;
    }
    return used;
}

bool assay_next_row(assay_slice text, size_t *at, size_t width, assay_slice *row)
{
    size_t start = *at;
    size_t end = start;
    size_t blank = 0; /* behind the last blank of the row */
    size_t used = 0;
    size_t len;

    if (start >= text.len)
        return false;
    for (; end < text.len && text.ptr[end] != '\n'; end += len) {
        assay_slice as;
        size_t w;

        len = shown(text, end, &as, &w);
        if (used + w > width && end > start)
            break;
        used += w;
        if (text.ptr[end] == ' ')
            blank = end + 1;
    }
    if (end < text.len && text.ptr[end] == '\n') {
        *row = (assay_slice){text.ptr + start, end - start};
        *at = end + 1;
        return true;
    }
    if (end < text.len && blank > start)
        end = blank;
    *row = (assay_slice){text.ptr + start, end - start};
    *at = end;
    return true;
}

/* ---- lines ---- */

typedef struct canvas {
    assay_create_model *m;
    assay_picture *out;
    uint32_t row; /* that is drawn now */
} canvas;

static void end_line(canvas *c)
{
    c->row++;
    if (c->row < c->m->rows)
        assay_buffer_char(&c->out->text, '\n');
}

static void put_mark(canvas *c, char mark)
{
    assay_buffer_char(&c->out->text, mark);
}

static size_t put(canvas *c, size_t used, assay_slice text)
{
    return used + assay_put_cut(&c->out->text, text,
                                c->m->columns > used ? c->m->columns - used : 0);
}

static void fill(canvas *c, size_t used, char with)
{
    for (; used < c->m->columns; used++)
        assay_buffer_char(&c->out->text, with);
}

static void rule(canvas *c)
{
    fill(c, 0, '-');
    end_line(c);
}

static void head(canvas *c)
{
    const assay_create_model *m = c->m;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    size_t used;

    assay_buffer_printf(&text, " %s: %u checked, %u %s", m->title, m->n_checked,
                        m->n_drafts, m->n_drafts == 1 ? "draft" : "drafts");
    if (m->n_waiting)
        assay_buffer_printf(&text, ", %u more to ask", m->n_waiting);
    put_mark(c, ASSAY_MARK_REVERSE);
    used = put(c, 0, assay_buffer_view(&text));
    fill(c, used, ' ');
    put_mark(c, ASSAY_MARK_PLAIN);
    end_line(c);
    assay_buffer_clear(&text);
}

static void question(canvas *c)
{
    const assay_create_card *card = &c->m->card;
    size_t used;

    put_mark(c, ASSAY_MARK_BOLD);
    used = put(c, 0, card->id);
    used = put(c, used, ASSAY_LIT("  "));
    put(c, used, card->text);
    put_mark(c, ASSAY_MARK_PLAIN);
    end_line(c);
    used = put(c, 0, card->is_draft ? ASSAY_LIT("draft") : ASSAY_LIT("checked"));
    if (card->is_refuse)
        used = put(c, used, ASSAY_LIT("  should refuse"));
    if (card->tags.len) {
        used = put(c, used, ASSAY_LIT("  tags: "));
        used = put(c, used, card->tags);
    }
    if (card->must.len) {
        used = put(c, used, ASSAY_LIT("  must contain: "));
        put(c, used, card->must);
    }
    end_line(c);
}

static const char *grade_box(int32_t grade, char box[4])
{
    box[0] = '[';
    box[1] = grade == ASSAY_UNGRADED ? ' ' : grade > 9 ? '+' : (char)('0' + grade);
    box[2] = ']';
    box[3] = 0;
    return box;
}

static void hit_line(canvas *c, uint32_t i)
{
    const assay_create_card *card = &c->m->card;
    bool is_here = i == c->m->cursor;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    char box[4];
    size_t used;

    assay_buffer_printf(&text, "%c%2u %s ", is_here ? '>' : ' ', i + 1,
                        grade_box(card->grade[i], box));
    if (is_here)
        put_mark(c, ASSAY_MARK_REVERSE);
    used = put(c, 0, assay_buffer_view(&text));
    used = put(c, used, card->hit[i].passage->doc);
    if (card->hit[i].heading.len) {
        used = put(c, used, ASSAY_LIT("  "));
        used = put(c, used, card->hit[i].heading);
    }
    if (is_here) {
        fill(c, used, ' ');
        put_mark(c, ASSAY_MARK_PLAIN);
    }
    end_line(c);
    assay_buffer_clear(&text);
}

static void hit_list(canvas *c, uint32_t n)
{
    assay_create_model *m = c->m;

    if (m->cursor < m->top)
        m->top = m->cursor;
    if (m->cursor >= m->top + n)
        m->top = m->cursor - n + 1;
    for (uint32_t i = 0; i < n; i++) {
        if (m->top + i < m->card.n_hits)
            hit_line(c, m->top + i);
        else {
            if (!i)
                put(c, 0, ASSAY_LIT("nothing found"));
            end_line(c);
        }
    }
}

/* ---- the passage ---- */

typedef struct chosen {
    size_t at; /* in the passage's text; at == end: nothing */
    size_t end;
} chosen;

static chosen chosen_of(const assay_create_model *m)
{
    const assay_pool_hit *hit = &m->card.hit[m->cursor];

    if (m->mode != ASSAY_CREATE_SENTENCE)
        return (chosen){0, 0};
    return (chosen){hit->sentence[m->first].at, hit->sentence[m->last].end};
}

static void text_row(canvas *c, assay_slice text, assay_slice row, chosen s)
{
    size_t from = (size_t)(row.ptr - text.ptr);
    size_t to = from + row.len;
    size_t a = s.at < from ? from : s.at > to ? to : s.at;
    size_t b = s.end < from ? from : s.end > to ? to : s.end;
    size_t used;

    used = put(c, 0, a < b ? ASSAY_LIT("> ") : ASSAY_LIT("  "));
    used = put(c, used, (assay_slice){text.ptr + from, a - from});
    if (a < b)
        put_mark(c, ASSAY_MARK_REVERSE);
    used = put(c, used, (assay_slice){text.ptr + a, b - a});
    if (a < b)
        put_mark(c, ASSAY_MARK_PLAIN);
    put(c, used, (assay_slice){text.ptr + b, to - b});
    end_line(c);
}

/* Scroll so that the chosen sentence is seen, and no further than the end. */
static void bring_into_view(assay_create_model *m, assay_slice text, size_t width,
                            uint32_t n, chosen s)
{
    uint32_t rows = 0;
    uint32_t first = UINT32_MAX;
    size_t at = 0;
    assay_slice row;

    while (assay_next_row(text, &at, width, &row)) {
        if (s.at < s.end && first == UINT32_MAX &&
            s.at < (size_t)(row.ptr - text.ptr) + row.len + 1)
            first = rows;
        rows++;
    }
    if (first != UINT32_MAX && (first < m->scroll || first + 1 >= m->scroll + n))
        m->scroll = first;
    if (m->scroll + n > rows)
        m->scroll = rows > n ? rows - n : 0;
}

static void passage(canvas *c, uint32_t n)
{
    assay_create_model *m = c->m;
    uint32_t number = 0;
    uint32_t drawn = 0;
    size_t at = 0;
    size_t width = m->columns - GUTTER;
    assay_slice text = ASSAY_LIT("");
    assay_slice row;
    chosen s = {0, 0};

    if (m->card.n_hits) {
        text = m->card.hit[m->cursor].passage->text;
        s = chosen_of(m);
        bring_into_view(m, text, width, n, s);
    }
    while (drawn < n && assay_next_row(text, &at, width, &row))
        if (number++ >= m->scroll) {
            text_row(c, text, row, s);
            drawn++;
        }
    for (; drawn < n; drawn++)
        end_line(c);
}

/* ---- the foot ---- */

static const char *const keys[] = {
    [ASSAY_CREATE_ASK] =
        "Enter: search, or the next draft when empty   Ctrl-Z: undo   Esc: quit",
    [ASSAY_CREATE_HITS] =
        "2 1 0 x mark  s sentence  t tags  m must  r refuse  f done  n next  u undo  q  ?",
    [ASSAY_CREATE_SENTENCE] =
        "arrows: sentence   + - more, less   2 1 0: mark it as quote   Esc: back",
    [ASSAY_CREATE_TAGS] = "tags, apart by commas   Enter: keep   Esc: back",
    [ASSAY_CREATE_MUST] =
        "what an answer must contain, apart by |   Enter: keep   Esc: back",
    [ASSAY_CREATE_HELP] = "any key: back",
};

static void line_field(canvas *c, const char *label)
{
    size_t used = put(c, 0, assay_slice_of(label));
    size_t column = 0;
    size_t left = c->m->columns > used + 4 ? c->m->columns - used : 4;

    c->out->row = c->row;
    put(c, used, assay_line_edit_view(&c->m->line, left, &column));
    c->out->column = (uint32_t)(used + column);
    c->out->has_cursor = true;
    end_line(c);
}

static void message(canvas *c)
{
    assay_create_model *m = c->m;
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    if (m->mode == ASSAY_CREATE_TAGS || m->mode == ASSAY_CREATE_MUST) {
        line_field(c, m->mode == ASSAY_CREATE_TAGS ? "tags: " : "must contain: ");
        return;
    }
    if (m->message.len)
        assay_buffer_slice(&text, assay_buffer_view(&m->message));
    else if (m->mode == ASSAY_CREATE_SENTENCE)
        assay_buffer_printf(&text, "sentence %u of %u", m->first + 1,
                            m->card.hit[m->cursor].n_sentences);
    put(c, 0, assay_buffer_view(&text));
    end_line(c);
    assay_buffer_clear(&text);
}

static void help_page(canvas *c, uint32_t n)
{
    static const char *const line[] = {
        "up down j k      the hit before, the next",
        "PgDn PgUp        more of its text",
        "2 1 0            relevant, partly, not: what was judged stands in [ ]",
        "x                take the judgment away",
        "s or Tab         choose the very sentence: arrows, + and -, then 2 1 0",
        "t                tags of the question",
        "m                strings that a right answer must contain",
        "r                nothing answers it: the system should refuse",
        "f or Enter       done: the question is checked, and counts from now on",
        "n                leave it a draft, go on with the next",
        "u                take back the last change, again and again",
        "q                quit; everything is in the file already",
        "",
        "The hits are those of all retrievers; which one found what is not shown.",
    };

    for (uint32_t i = 0; i < n; i++) {
        if (i < ASSAY_COUNT(line))
            put(c, 0, assay_slice_of(line[i]));
        end_line(c);
    }
}

void assay_create_draw(assay_create_model *m, assay_picture *out)
{
    canvas c = {.m = m, .out = out};
    uint32_t list;

    m->rows = m->rows < ROWS_LEAST ? ROWS_LEAST : m->rows;
    m->columns = m->columns < COLUMNS_LEAST ? COLUMNS_LEAST : m->columns;
    out->text.len = 0;
    out->has_cursor = false;
    out->row = out->column = 0;
    head(&c);
    if (m->mode == ASSAY_CREATE_HELP)
        help_page(&c, m->rows - 3);
    else if (m->mode == ASSAY_CREATE_ASK) {
        end_line(&c);
        line_field(&c, "question: ");
        while (c.row + 2 < m->rows)
            end_line(&c);
    } else {
        question(&c);
        rule(&c);
        /* Head, question (2), two rules, message and keys: the rest is shared. */
        list = m->is_unjudged ? 1 : (m->rows - 7) * 2 / 5;
        hit_list(&c, list);
        rule(&c);
        passage(&c, m->rows - 7 - list);
    }
    message(&c);
    put(&c, 0, assay_slice_of(keys[m->mode]));
    end_line(&c);
}
