/* SPDX-License-Identifier: Apache-2.0 */
/* B.O.B.'s golden JSONL: an object a line.
 *
 *     {"id": 1, "question": "...", "expected_chunks": [12, 40], "difficulty": "easy"}
 *
 * Chunks are numbers there; here their decimal text is the chunk id.  An empty list is a
 * negative: nothing in the corpus answers it. */
#include "base/error.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/slice.h"
#include "golden/fields.h"
#include "golden/lost.h"
#include "golden/top.h"

static assay_status read_answer(const assay_field_reader *in, const assay_node *value,
                                void *into, assay_error *err)
{
    assay_query *q = into;

    if (value->kind == ASSAY_NODE_NULL)
        return ASSAY_OK;
    q->has_expected_answer = true;
    return assay_field_text(in, value, "expected_answer", &q->expected_answer, err);
}

static assay_status read_chunks(const assay_field_reader *in, const assay_node *value,
                                void *into, assay_error *err)
{
    assay_query *q = into;
    assay_status st =
        assay_field_want(in, value, "expected_chunks", ASSAY_NODE_LIST, err);

    for (const assay_node *c = st ? NULL : value->child; c && !st; c = c->next) {
        st = assay_field_want(in, c, "expected_chunks", ASSAY_NODE_INT, err);
        if (!st)
            st = assay_field_judge_id(in, c->text, c->line, true, q, err);
    }
    q->has_relevant_key = true;
    if (!q->n_judgments)
        q->label = ASSAY_LABEL_NEGATIVE;
    return st;
}

static assay_status read_difficulty(const assay_field_reader *in, const assay_node *value,
                                    void *into, assay_error *err)
{
    assay_query *q = into;
    assay_status st;

    if (value->kind == ASSAY_NODE_NULL)
        return ASSAY_OK;
    st = assay_field_text(in, value, "difficulty", &q->difficulty, err);
    if (st || assay_slice_is(q->difficulty, "easy") ||
        assay_slice_is(q->difficulty, "medium") || assay_slice_is(q->difficulty, "hard"))
        return st;
    if (!assay_notes_add(
            &in->golden->notes, &in->golden->arena,
            "query '%.*s' has difficulty '%.*s'; bob knows easy, medium, hard",
            ASSAY_QUOTE(q->id), ASSAY_QUOTE(q->difficulty)))
        return assay_fail_memory(err, "reading a golden set");
    return ASSAY_OK;
}

static const assay_field query_fields[] = {
    {.name = "id"},
    {.name = "question",
     .kind = ASSAY_FIELD_TEXT,
     .at = offsetof(assay_query, text),
     .is_required = true},
    {.name = "expected_chunks", .read = read_chunks, .is_judgment = true},
    {.name = "expected_answer", .read = read_answer},
    {.name = "difficulty", .read = read_difficulty},
    ASSAY_FIELD("category", TEXT, assay_query, category),
    ASSAY_FIELD("notes", TEXT, assay_query, notes),
    {.name = NULL},
};

static int sniff_bob(const assay_golden_source *source)
{
    if (!source->top->is_json || assay_top_has(source->top, "test_cases"))
        return 0;
    if (assay_top_is(source->top, ASSAY_TOP_MAP, "question"))
        return 90;
    return assay_top_is(source->top, ASSAY_TOP_MAP, "expected_chunks") ? 70 : 0;
}

static assay_status read_line(const assay_field_reader *in, const assay_lines *lines,
                              assay_slice line, assay_error *err)
{
    assay_node *node;
    assay_query *q;
    assay_status st = assay_node_json_line(in->path, (uint32_t)lines->line, line,
                                           &in->golden->arena, &node, err);

    if (!st)
        st = assay_field_query(in, node, "id", &q, err);
    return st ? st : assay_fields_read(in, node, "query", q->id, query_fields, q, err);
}

static assay_status read_bob(const assay_golden_source *source, assay_golden *into,
                             assay_error *err)
{
    const assay_field_reader in = {source->path, into, false};
    assay_lines lines = assay_lines_of(source->path, source->text);
    assay_status st = ASSAY_OK;
    assay_slice line;

    while (!st && assay_lines_next(&lines, &line))
        if (assay_slice_trim(line).len)
            st = read_line(&in, &lines, line, err);
    return st;
}

/* ---- writing ---- */

/* A whole number as JSON spells it: no plus, no leading zeros. */
static bool is_number(assay_slice s)
{
    int64_t value;
    size_t sign = s.len && s.ptr[0] == '-';

    return assay_slice_to_i64(s, &value) && s.ptr[0] != '+' &&
           (assay_slice_is(s, "0") || s.ptr[sign] != '0');
}

static void write_id(assay_json_writer *w, assay_slice id)
{
    int64_t value;

    if (is_number(id) && assay_slice_to_i64(id, &value))
        assay_json_int(w, value);
    else
        assay_json_string(w, id);
}

static bool is_chunk(const assay_golden *golden, const assay_judgment *j)
{
    return j->chunk != ASSAY_NONE && j->grade > 0 &&
           is_number(golden->chunks.word[j->chunk]);
}

static void write_chunks(assay_json_writer *w, const assay_golden *golden,
                         const assay_query *q)
{
    assay_json_key(w, "expected_chunks");
    assay_json_flat_list(w);
    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (is_chunk(golden, &q->judgment[i]))
            write_id(w, golden->chunks.word[q->judgment[i].chunk]);
    assay_json_list_end(w);
}

static void write_text(assay_json_writer *w, const char *key, assay_slice text)
{
    if (!text.len)
        return;
    assay_json_key(w, key);
    assay_json_string(w, text);
}

/* The chunks that can be written; those that are no numbers are added to *n_left. */
static uint32_t count_chunks(const assay_golden *golden, const assay_query *q,
                             uint32_t *n_left)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < q->n_judgments; i++) {
        const assay_judgment *j = &q->judgment[i];

        n += is_chunk(golden, j);
        *n_left += j->chunk != ASSAY_NONE && j->grade > 0 && !is_chunk(golden, j);
    }
    return n;
}

/* An empty list says "negative", so a query that merely has no chunks gets none. */
static void write_query(assay_buffer *out, const assay_golden *golden,
                        const assay_query *q, uint32_t *n_left)
{
    assay_json_writer w = assay_json_writer_of(out, 0);
    bool is_negative =
        q->label == ASSAY_LABEL_NEGATIVE || q->label == ASSAY_LABEL_SHOULD_REFUSE;

    assay_json_object(&w);
    assay_json_key(&w, "id");
    write_id(&w, q->id);
    assay_json_key(&w, "question");
    assay_json_string(&w, q->text);
    if (count_chunks(golden, q, n_left) || is_negative)
        write_chunks(&w, golden, q);
    if (q->has_expected_answer) {
        assay_json_key(&w, "expected_answer");
        assay_json_string(&w, q->expected_answer);
    }
    write_text(&w, "difficulty", q->difficulty);
    write_text(&w, "category", q->category);
    write_text(&w, "notes", q->notes);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status write_bob(const assay_golden *golden,
                              const assay_golden_target *target, assay_error *err)
{
    bool has_memory = true;
    uint32_t n_left = 0;

    for (uint32_t i = 0; i < golden->n_queries; i++)
        if (!golden->query[i].is_draft)
            write_query(target->out, golden, &golden->query[i], &n_left);
    if (n_left)
        has_memory = assay_notes_add(
            target->lost, target->arena,
            "%u chunk %s no whole %s, which bob JSONL cannot hold", n_left,
            n_left == 1 ? "id is" : "ids are", n_left == 1 ? "number" : "numbers");
    return assay_golden_written(target, has_memory, err);
}

const assay_golden_format assay_golden_format_bob = {
    .name = "bob",
    .title = "bob JSONL",
    .summary = "B.O.B.'s golden JSONL: a question a line with its chunk numbers",
    .holds = ASSAY_HOLDS(TEXT) | ASSAY_HOLDS(DIFFICULTY) | ASSAY_HOLDS(CATEGORY) |
             ASSAY_HOLDS(NOTES) | ASSAY_HOLDS(ANSWER) | ASSAY_HOLDS(NEGATIVE) |
             ASSAY_HOLDS(UNLABELLED) | ASSAY_HOLDS(CHUNK),
    .has_sets = true,
    .says_few = true,
    .sniff = sniff_bob,
    .read = read_bob,
    .write = write_bob,
};
