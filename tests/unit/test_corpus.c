/* SPDX-License-Identifier: Apache-2.0 */
/* The corpus: what is stored comes back, and what was stored once still resolves. */
#include "corpus/corpus.h"

#include <sys/wait.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/corpus_cuts.h"
#include "corpus/corpus_write.h"
#include "testing.h"

static assay_corpus *open_corpus(const char *path, assay_corpus_mode mode)
{
    assay_error err = {ASSAY_OK, ""};
    assay_corpus *corpus = NULL;

    if (assay_corpus_open(path, mode, &corpus, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return corpus;
}

static assay_chunking chunking_of(const char *spelling)
{
    assay_chunking chunking;

    CHECK(assay_chunking_read(assay_slice_of(spelling), &chunking, NULL) == ASSAY_OK);
    return chunking;
}

static void use(assay_corpus *corpus, const char *spelling)
{
    assay_chunking chunking = chunking_of(spelling);
    assay_buffer full = ASSAY_BUFFER_EMPTY;

    assay_chunking_print(&chunking, &full);
    CHECK(assay_corpus_use_chunking(corpus, assay_buffer_view(&full), NULL) == ASSAY_OK);
    assay_buffer_clear(&full);
}

/* Put a file with one document; the status is that of the document. */
static assay_status put(assay_corpus *corpus, const char *path, assay_document doc,
                        assay_error *err)
{
    const assay_corpus_file file = {.path = assay_slice_of(path),
                                    .root = ASSAY_LIT("."),
                                    .size = doc.text.len,
                                    .reader = ASSAY_LIT("test")};
    assay_chunking chunking;
    assay_corpus_packer packer = {0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_corpus_packed packed;
    assay_status st;

    CHECK(assay_chunking_read(assay_corpus_chunking(corpus), &chunking, NULL) ==
          ASSAY_OK);
    CHECK(assay_corpus_pack(&packer, &doc, NULL, &chunking, &arena, &packed, NULL) ==
          ASSAY_OK);
    CHECK(assay_corpus_begin_file(corpus, &file, NULL) == ASSAY_OK);
    st = assay_corpus_put_doc(corpus, &packed, err);
    if (st)
        assay_corpus_cancel_file(corpus);
    else
        CHECK(assay_corpus_end_file(corpus, NULL) == ASSAY_OK);
    assay_corpus_packer_clear(&packer);
    assay_arena_clear(&arena);
    return st;
}

static void put_text(assay_corpus *corpus, const char *id, const char *text)
{
    const assay_document doc = {.id = assay_slice_of(id),
                                .title = ASSAY_LIT("A title"),
                                .text = assay_slice_of(text),
                                .form = ASSAY_FORM_MARKDOWN};

    CHECK(put(corpus, id, doc, NULL) == ASSAY_OK);
}

static const char small_text[] = "# One\n\nFirst paragraph.\n\n## Two\n\nSecond one.\n";

TEST(a_document_comes_back_as_it_was)
{
    assay_corpus *corpus = open_corpus("new/folder/a.db", ASSAY_CORPUS_CREATE);
    const assay_document doc = {.id = {"b\0c\n\xff.py", 8},
                                .title = ASSAY_LIT("T"),
                                .text = {"x = 1\n\xff\xfe\0 broken", 16},
                                .form = ASSAY_FORM_CODE,
                                .lang = ASSAY_LIT("python"),
                                .extractor = ASSAY_LIT("html@1"),
                                .line = 7};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_corpus_doc found;
    bool is_there = false;

    use(corpus, "lines");
    CHECK(put(corpus, "dir/file.py", doc, NULL) == ASSAY_OK);
    assay_corpus_close(corpus);
    corpus = open_corpus("new/folder/a.db", ASSAY_CORPUS_READ);
    CHECK(assay_corpus_find(corpus, doc.id, &arena, &found, &is_there, NULL) == ASSAY_OK);
    CHECK(is_there && found.is_today);
    CHECK(assay_slice_eq(found.id, doc.id) && assay_slice_eq(found.title, doc.title));
    CHECK(assay_slice_eq(found.lang, doc.lang));
    CHECK(assay_slice_eq(found.extractor, doc.extractor));
    CHECK(assay_slice_is(found.source, "dir/file.py"));
    CHECK_INT(found.form, ASSAY_FORM_CODE);
    CHECK_INT(found.bytes, 16);
    CHECK_INT(found.line, 7);
    CHECK(assay_corpus_text(corpus, found.version, &text, NULL) == ASSAY_OK);
    CHECK(assay_slice_eq(assay_buffer_view(&text), doc.text));
    CHECK(assay_corpus_find(corpus, ASSAY_LIT("b"), &arena, &found, &is_there, NULL) ==
          ASSAY_OK);
    CHECK(!is_there);
    assay_buffer_clear(&text);
    assay_arena_clear(&arena);
    assay_corpus_close(corpus);
}

static bool same_chunks(const assay_chunks *a, const assay_chunks *b)
{
    bool is_same = a->n == b->n && a->n_headings == b->n_headings;

    for (uint32_t i = 0; is_same && i < a->n_headings; i++) {
        const assay_heading *x = &a->heading[i];
        const assay_heading *y = &b->heading[i];

        is_same = assay_slice_eq(x->text, y->text) && x->parent == y->parent &&
                  x->level == y->level && x->section.start == y->section.start &&
                  x->section.end == y->section.end;
    }
    for (uint32_t i = 0; is_same && i < a->n; i++) {
        const assay_chunk *x = &a->chunk[i];
        const assay_chunk *y = &b->chunk[i];

        is_same = memcmp(x->id, y->id, sizeof x->id) == 0 && x->n_spans == y->n_spans &&
                  x->heading == y->heading && x->first_line == y->first_line &&
                  x->last_line == y->last_line &&
                  memcmp(x->span, y->span, x->n_spans * sizeof *x->span) == 0;
    }
    return is_same;
}

/* A Markdown text that every chunker cuts into several pieces. */
static void make_text(assay_buffer *out, uint32_t seed, size_t n_words)
{
    for (size_t i = 0; i < n_words; i++) {
        seed = seed * 1664525u + 1013904223u;
        if (seed >> 24 < 4)
            assay_buffer_printf(out, "\n\n%.*s Heading %u\n\n", (int)(seed % 3 + 1),
                                "###", seed % 97);
        assay_buffer_printf(out, "word%u%s", seed >> 20, seed >> 28 ? " " : ".\n");
    }
}

TEST(chunks_of_every_chunker_come_back_as_they_were_cut)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_buffer cut = ASSAY_BUFFER_EMPTY;

    make_text(&text, 5, 3000);
    for (size_t i = 0; assay_chunker_at(i); i++) {
        assay_chunking chunking = chunking_of(assay_chunker_at(i)->name);
        const assay_document doc = {.id = ASSAY_LIT("d"),
                                    .text = assay_buffer_view(&text),
                                    .form = ASSAY_FORM_MARKDOWN};
        assay_arena arena = ASSAY_ARENA_EMPTY;
        assay_chunks chunks;
        assay_chunks back;

        CHECK(assay_chunking_cut(&chunking, &doc, &arena, &chunks, NULL) == ASSAY_OK);
        CHECK(chunks.n > 0);
        cut.len = 0;
        assay_cut_encode(&chunks, doc.text, &cut);
        CHECK(assay_cut_decode(assay_buffer_view(&cut), doc.text, "cut", &arena, &back,
                               NULL) == ASSAY_OK);
        CHECK(same_chunks(&chunks, &back));
        /* Whatever byte is lost at the end, it is noticed. */
        for (size_t len = 0; len < cut.len; len++)
            CHECK(assay_cut_decode((assay_slice){cut.ptr, len}, doc.text, "cut", &arena,
                                   &back, NULL) == ASSAY_EINPUT);
        /* Spans that lie behind the text are noticed, too. */
        CHECK(assay_cut_decode(assay_buffer_view(&cut), ASSAY_LIT("short"), "cut", &arena,
                               &back, NULL) == ASSAY_EINPUT);
        assay_arena_clear(&arena);
    }
    assay_buffer_clear(&text);
    assay_buffer_clear(&cut);
}

TEST(the_chunks_of_a_document_are_those_of_its_chunker)
{
    assay_corpus *corpus = open_corpus("chunks.db", ASSAY_CORPUS_CREATE);
    assay_chunking chunking = chunking_of("md-heading(target=10,overlap=0,max=40)");
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_corpus_doc found;
    assay_document doc;
    assay_chunks want;
    assay_chunks got;
    bool is_there;

    use(corpus, "md-heading(target=10,overlap=0,max=40)");
    put_text(corpus, "a.md", small_text);
    CHECK(assay_corpus_find(corpus, ASSAY_LIT("a.md"), &arena, &found, &is_there, NULL) ==
          ASSAY_OK);
    CHECK(assay_corpus_text(corpus, found.version, &text, NULL) == ASSAY_OK);
    doc = assay_corpus_document(&found, assay_buffer_view(&text));
    CHECK(assay_chunking_cut(&chunking, &doc, &arena, &want, NULL) == ASSAY_OK);
    CHECK(assay_corpus_chunks(corpus, found.version, doc.text, &arena, &got, NULL) ==
          ASSAY_OK);
    CHECK(want.n > 1 && same_chunks(&want, &got));
    CHECK_INT(found.n_chunks, want.n);
    assay_buffer_clear(&text);
    assay_arena_clear(&arena);
    assay_corpus_close(corpus);
}

TEST(a_text_of_many_parts_comes_back_whole)
{
    assay_corpus *corpus = open_corpus("parts.db", ASSAY_CORPUS_CREATE);
    size_t len = 2 * ASSAY_CORPUS_PART + 12345;
    char *bytes = malloc(len);
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    uint64_t seed = 1;
    assay_document doc = {.id = ASSAY_LIT("big"), .text = {bytes, len}};

    CHECK(bytes);
    /* The first part cannot be packed, the others can. */
    for (size_t i = 0; i < len; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = i < ASSAY_CORPUS_PART ? (char)(seed >> 56) : 'a';
    }
    use(corpus, "whole");
    CHECK(put(corpus, "big", doc, NULL) == ASSAY_OK);
    CHECK(assay_corpus_text(corpus, 1, &text, NULL) == ASSAY_OK);
    CHECK(text.len == len && memcmp(text.ptr, bytes, len) == 0);
    assay_buffer_clear(&text);
    free(bytes);
    assay_corpus_close(corpus);
}

static const char *hash_of(assay_corpus *corpus)
{
    static char hex[4][65];
    static unsigned next;
    char *p = hex[next++ % 4];

    CHECK(assay_corpus_hash(corpus, p, NULL) == ASSAY_OK);
    CHECK_INT(strlen(p), 64);
    return p;
}

TEST(the_hash_knows_documents_and_not_their_order_or_chunking)
{
    assay_corpus *one = open_corpus("hash1.db", ASSAY_CORPUS_CREATE);
    assay_corpus *two = open_corpus("hash2.db", ASSAY_CORPUS_CREATE);
    const char *before;

    use(one, "whole");
    use(two, "paragraph");
    put_text(one, "a.md", "A");
    put_text(one, "b.md", "B");
    put_text(two, "b.md", "B");
    CHECK(strcmp(hash_of(one), hash_of(two)) != 0);
    put_text(two, "a.md", "A");
    CHECK_STR(hash_of(one), hash_of(two));
    before = hash_of(one);
    put_text(one, "a.md", "AA");
    CHECK(strcmp(hash_of(one), before) != 0);
    put_text(one, "a.md", "A");
    CHECK_STR(hash_of(one), before);
    assay_corpus_close(one);
    assay_corpus_close(two);
}

/* ---- the archive ---- */

/* The id of chunk `i` of today's document, printed. */
static assay_slice chunk_id(assay_corpus *corpus, const char *doc, uint32_t i)
{
    static char hex[8][ASSAY_CHUNK_ID_CHARS];
    static unsigned next;
    char *p = hex[next++ % 8];
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_corpus_doc found;
    assay_chunks chunks;
    bool is_there;

    CHECK(assay_corpus_find(corpus, assay_slice_of(doc), &arena, &found, &is_there,
                            NULL) == ASSAY_OK);
    CHECK(is_there);
    CHECK(assay_corpus_text(corpus, found.version, &text, NULL) == ASSAY_OK);
    CHECK(assay_corpus_chunks(corpus, found.version, assay_buffer_view(&text), &arena,
                              &chunks, NULL) == ASSAY_OK);
    CHECK(i < chunks.n);
    assay_chunk_id_print(chunks.chunk[i].id, p);
    assay_buffer_clear(&text);
    assay_arena_clear(&arena);
    return (assay_slice){p, ASSAY_CHUNK_ID_CHARS};
}

/* Cut all by another chunking, as ingest does. */
static void recut(assay_corpus *corpus, const char *spelling)
{
    assay_chunking chunking = chunking_of(spelling);
    assay_buffer full = ASSAY_BUFFER_EMPTY;
    assay_corpus_packer packer = {0};
    assay_corpus_uncut *uncut;
    size_t n;

    assay_chunking_print(&chunking, &full);
    CHECK(assay_corpus_list_uncut(corpus, assay_buffer_view(&full), &uncut, &n, NULL) ==
          ASSAY_OK);
    for (size_t i = 0; i < n; i++) {
        assay_arena arena = ASSAY_ARENA_EMPTY;
        assay_buffer text = ASSAY_BUFFER_EMPTY;
        assay_corpus_packed packed;
        assay_corpus_doc found;
        assay_document doc;
        bool is_there;

        CHECK(assay_corpus_find_version(corpus, uncut[i].version, &arena, &found,
                                        &is_there, NULL) == ASSAY_OK);
        CHECK(assay_corpus_text(corpus, uncut[i].version, &text, NULL) == ASSAY_OK);
        doc = assay_corpus_document(&found, assay_buffer_view(&text));
        CHECK(assay_corpus_pack_cut(&packer, &doc, &chunking, &arena, &packed, NULL) ==
              ASSAY_OK);
        CHECK(assay_corpus_put_cuts(corpus, assay_buffer_view(&full), &uncut[i].version,
                                    &packed, 1, NULL) == ASSAY_OK);
        assay_buffer_clear(&text);
        assay_arena_clear(&arena);
    }
    assay_mem_free(uncut);
    assay_corpus_packer_clear(&packer);
    CHECK(assay_corpus_use_chunking(corpus, assay_buffer_view(&full), NULL) == ASSAY_OK);
    assay_buffer_clear(&full);
}

TEST(ids_of_yesterdays_chunking_still_have_their_place)
{
    assay_corpus *corpus = open_corpus("archive.db", ASSAY_CORPUS_CREATE);
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_chunk_place place[4];
    assay_slice id[4];

    use(corpus, "paragraph(target=1,max=100)");
    put_text(corpus, "a.md", small_text);
    id[0] = chunk_id(corpus, "a.md", 1);
    recut(corpus, "whole");
    CHECK(assay_slice_starts(assay_corpus_chunking(corpus), "whole@"));
    id[1] = chunk_id(corpus, "a.md", 0);
    id[2] = ASSAY_LIT("no id at all");
    id[3] = ASSAY_LIT("00000000000000000000000000000000");
    CHECK(assay_corpus_places(corpus, id, 4, &arena, place, NULL) == ASSAY_OK);
    CHECK(place[0].is_there && !place[0].is_today);
    CHECK(assay_slice_starts(place[0].chunking, "paragraph@"));
    CHECK(assay_slice_is(place[0].doc, "a.md"));
    CHECK_INT(place[0].version, 1);
    CHECK_INT(place[0].n_spans, 1);
    /* The second paragraph of the text. */
    CHECK_INT(place[0].span[0].start, 7);
    CHECK(place[1].is_there && place[1].is_today);
    CHECK(!place[2].is_there && !place[3].is_there);
    assay_arena_clear(&arena);
    assay_corpus_close(corpus);
}

TEST(a_changed_document_keeps_its_old_text_for_old_ids)
{
    assay_corpus *corpus = open_corpus("changed.db", ASSAY_CORPUS_CREATE);
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_chunk_place place;
    assay_corpus_doc found;
    assay_slice id;
    bool is_there;

    use(corpus, "whole");
    put_text(corpus, "a.md", "old words");
    id = chunk_id(corpus, "a.md", 0);
    put_text(corpus, "a.md", "new words");
    CHECK(assay_corpus_places(corpus, &id, 1, &arena, &place, NULL) == ASSAY_OK);
    CHECK(place.is_there && !place.is_today);
    CHECK(assay_corpus_text(corpus, place.version, &text, NULL) == ASSAY_OK);
    CHECK(assay_slice_is(assay_buffer_view(&text), "old words"));
    CHECK(assay_corpus_find_version(corpus, place.version, &arena, &found, &is_there,
                                    NULL) == ASSAY_OK);
    CHECK(is_there && !found.is_today && assay_slice_is(found.id, "a.md"));

    /* And so does one that is gone. */
    CHECK(assay_corpus_remove_file(corpus, 1, NULL) == ASSAY_OK);
    CHECK(assay_corpus_find(corpus, ASSAY_LIT("a.md"), &arena, &found, &is_there, NULL) ==
          ASSAY_OK);
    CHECK(!is_there);
    CHECK(assay_corpus_places(corpus, &id, 1, &arena, &place, NULL) == ASSAY_OK);
    CHECK(place.is_there && !place.is_today);
    assay_buffer_clear(&text);
    assay_arena_clear(&arena);
    assay_corpus_close(corpus);
}

TEST(a_text_that_comes_back_is_the_version_of_before)
{
    assay_corpus *corpus = open_corpus("revive.db", ASSAY_CORPUS_CREATE);
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_chunk_place place;
    assay_corpus_doc found;
    assay_slice id;
    bool is_there;

    use(corpus, "whole");
    put_text(corpus, "a.md", "one");
    id = chunk_id(corpus, "a.md", 0);
    put_text(corpus, "a.md", "two");
    put_text(corpus, "a.md", "one");
    CHECK(assay_corpus_find(corpus, ASSAY_LIT("a.md"), &arena, &found, &is_there, NULL) ==
          ASSAY_OK);
    CHECK_INT(found.version, 1);
    CHECK_INT(found.n_chunks, 1);
    /* Today's version is told although version 2 is newer. */
    CHECK(assay_corpus_places(corpus, &id, 1, &arena, &place, NULL) == ASSAY_OK);
    CHECK(place.is_there && place.is_today);
    CHECK_INT(place.version, 1);
    assay_arena_clear(&arena);
    assay_corpus_close(corpus);
}

TEST(two_files_with_one_document_are_named_both)
{
    assay_corpus *corpus = open_corpus("twice.db", ASSAY_CORPUS_CREATE);
    const assay_document doc = {.id = ASSAY_LIT("x"), .text = ASSAY_LIT("text")};
    assay_corpus_size size;
    assay_error err;

    use(corpus, "whole");
    CHECK(put(corpus, "one.jsonl", doc, &err) == ASSAY_OK);
    CHECK_INT(put(corpus, "two.jsonl", doc, &err), ASSAY_NO);
    CHECK_STR(err.text, "document 'x' is there already, from 'one.jsonl'");
    CHECK(assay_corpus_measure(corpus, &size, NULL) == ASSAY_OK);
    CHECK_INT(size.n_files, 1);
    CHECK_INT(size.n_docs, 1);
    CHECK_INT(size.bytes, 4);
    CHECK_INT(size.n_chunks, 1);
    assay_corpus_close(corpus);
}

static assay_status count_cuts(void *ctx, const assay_corpus_cuts *cuts, assay_error *err)
{
    (void)err;
    *(uint64_t *)ctx += cuts->n_versions;
    return ASSAY_OK;
}

static uint64_t n_cuts(assay_corpus *corpus)
{
    uint64_t n = 0;

    CHECK(assay_corpus_each_chunking(corpus, count_cuts, &n, NULL) == ASSAY_OK);
    return n;
}

static assay_status write_pin(void *ctx, assay_slice chunking, assay_slice who,
                              assay_error *e)
{
    assay_buffer *out = ctx;

    (void)e;
    assay_buffer_printf(out, "%.*s<%.*s ", (int)chunking.len, chunking.ptr, (int)who.len,
                        who.ptr);
    return ASSAY_OK;
}

TEST(pinning_anew_replaces_what_one_held_and_leaves_the_others)
{
    assay_corpus *corpus = open_corpus("pins.db", ASSAY_CORPUS_CREATE);
    const assay_slice one[] = {ASSAY_LIT("whole@1"), ASSAY_LIT("chars@1"),
                               ASSAY_LIT("whole@1")};
    assay_buffer out = ASSAY_BUFFER_EMPTY;

    CHECK(assay_corpus_pin(corpus, ASSAY_LIT("whole@1"), ASSAY_LIT("run"), NULL) ==
          ASSAY_OK);
    CHECK(assay_corpus_repin(corpus, ASSAY_LIT("a.yaml"), one, 3, NULL) == ASSAY_OK);
    CHECK(assay_corpus_each_pin(corpus, write_pin, &out, NULL) == ASSAY_OK);
    assay_buffer_char(&out, '\0');
    CHECK_STR(out.ptr, "chars@1<a.yaml whole@1<a.yaml whole@1<run ");
    out.len = 0;
    CHECK(assay_corpus_repin(corpus, ASSAY_LIT("a.yaml"), one, 1, NULL) == ASSAY_OK);
    CHECK(assay_corpus_repin(corpus, ASSAY_LIT("run"), one, 0, NULL) == ASSAY_OK);
    CHECK(assay_corpus_each_pin(corpus, write_pin, &out, NULL) == ASSAY_OK);
    assay_buffer_char(&out, '\0');
    CHECK_STR(out.ptr, "whole@1<a.yaml ");
    assay_buffer_clear(&out);
    assay_corpus_close(corpus);
}

TEST(pruning_drops_only_what_nobody_holds_on_to)
{
    assay_corpus *corpus = open_corpus("prune.db", ASSAY_CORPUS_CREATE);
    assay_chunking paragraph = chunking_of("paragraph");
    assay_buffer pinned = ASSAY_BUFFER_EMPTY;
    assay_corpus_pruned pruned = {0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    const char *before;

    assay_chunking_print(&paragraph, &pinned);
    use(corpus, "paragraph");
    put_text(corpus, "a.md", "old");
    put_text(corpus, "a.md", "now");
    recut(corpus, "whole");
    recut(corpus, "lines");
    before = hash_of(corpus);
    CHECK_INT(n_cuts(corpus), 4);

    CHECK(assay_corpus_pin(corpus, assay_buffer_view(&pinned), ASSAY_LIT("run_1"),
                           NULL) == ASSAY_OK);
    CHECK(assay_corpus_pin(corpus, assay_buffer_view(&pinned), ASSAY_LIT("run_1"),
                           NULL) == ASSAY_OK);
    CHECK(assay_corpus_prune(corpus, NULL, 0, &pruned, NULL) == ASSAY_OK);
    CHECK_INT(pruned.n_cuts, 1);
    CHECK_INT(pruned.n_versions, 0);
    CHECK_INT(n_cuts(corpus), 3);

    CHECK(assay_corpus_unpin(corpus, ASSAY_LIT("run_1"), NULL) == ASSAY_OK);
    {
        const assay_slice keep = assay_buffer_view(&pinned);

        CHECK(assay_corpus_prune(corpus, &keep, 1, &pruned, NULL) == ASSAY_OK);
    }
    CHECK_INT(pruned.n_cuts, 0);
    CHECK(assay_corpus_prune(corpus, NULL, 0, &pruned, NULL) == ASSAY_OK);
    CHECK_INT(pruned.n_cuts, 2);
    CHECK_INT(pruned.n_versions, 1);
    CHECK_INT(n_cuts(corpus), 1);
    CHECK_STR(hash_of(corpus), before);
    CHECK(assay_corpus_text(corpus, 1, &text, NULL) == ASSAY_EUSAGE);
    CHECK(assay_corpus_text(corpus, 2, &text, NULL) == ASSAY_OK);
    assay_buffer_clear(&text);
    assay_buffer_clear(&pinned);
    assay_arena_clear(&arena);
    assay_corpus_close(corpus);
}

/* ---- what is refused ---- */

TEST(a_corpus_that_is_not_there_is_said_with_the_command_that_makes_one)
{
    assay_corpus *corpus = NULL;
    assay_error err;

    CHECK_INT(assay_corpus_open("no.db", ASSAY_CORPUS_READ, &corpus, &err), ASSAY_EUSAGE);
    CHECK_STR(err.text, "no corpus 'no.db'; make one with 'assay ingest PATH...'");
}

TEST(a_second_one_who_ingests_is_told_who_is_at_it)
{
    assay_corpus *corpus = open_corpus("locked.db", ASSAY_CORPUS_CREATE);
    int status = 0;
    pid_t child;

    CHECK(assay_corpus_lock(corpus, NULL) == ASSAY_OK);
    CHECK(assay_corpus_lock(corpus, NULL) == ASSAY_OK);
    /* The lock is the process's: only another one is kept out. */
    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        assay_error err = {ASSAY_OK, ""};
        assay_corpus *second = NULL;
        char want[40];

        snprintf(want, sizeof want, "process %ld ingests", (long)getppid());
        if (assay_corpus_open("locked.db", ASSAY_CORPUS_CREATE, &second, &err) ||
            assay_corpus_lock(second, &err) != ASSAY_ESYSTEM || !strstr(err.text, want))
            _exit(1);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assay_corpus_close(corpus);
}

static assay_status stop_at_once(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    (void)ctx;
    return assay_fail(err, ASSAY_NO, "saw %.*s", ASSAY_QUOTE(doc->id));
}

TEST(documents_are_visited_in_byte_order_and_a_visitor_may_stop)
{
    assay_corpus *corpus = open_corpus("order.db", ASSAY_CORPUS_CREATE);
    assay_error err;

    use(corpus, "whole");
    put_text(corpus, "b", "1");
    put_text(corpus, "a\xff", "2");
    put_text(corpus, "a", "3");
    CHECK_INT(assay_corpus_each(corpus, stop_at_once, NULL, &err), ASSAY_NO);
    CHECK_STR(err.text, "saw a");
    assay_corpus_close(corpus);
}

/* ---- damage ---- */

static assay_status read_doc(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    assay_corpus *corpus = ctx;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_chunks chunks;
    assay_status st = assay_corpus_text(corpus, doc->version, &text, err);

    if (!st)
        st = assay_corpus_chunks(corpus, doc->version, assay_buffer_view(&text), &arena,
                                 &chunks, err);
    assay_buffer_clear(&text);
    assay_arena_clear(&arena);
    return st;
}

/* All that can be asked; the first failure must have words. */
static assay_status read_all(const char *path)
{
    const assay_slice id = ASSAY_LIT("00000000000000000000000000000000");
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_error err = {ASSAY_OK, ""};
    assay_corpus *corpus = NULL;
    assay_chunk_place place;
    assay_corpus_size size;
    char hash[65];
    assay_status st = assay_corpus_open(path, ASSAY_CORPUS_READ, &corpus, &err);

    if (!st)
        st = assay_corpus_each(corpus, read_doc, corpus, &err);
    if (!st)
        st = assay_corpus_places(corpus, &id, 1, &arena, &place, &err);
    if (!st)
        st = assay_corpus_hash(corpus, hash, &err);
    if (!st)
        st = assay_corpus_measure(corpus, &size, &err);
    CHECK(!st || err.text[0]);
    assay_arena_clear(&arena);
    assay_corpus_close(corpus);
    return st;
}

TEST(a_damaged_corpus_is_an_error_and_never_a_crash)
{
    assay_corpus *corpus = open_corpus("whole.db", ASSAY_CORPUS_CREATE);
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    static char bytes[1 << 20];
    uint32_t n_noticed = 0;
    uint32_t seed = 3;
    size_t len;
    FILE *f;

    use(corpus, "md-heading");
    make_text(&text, 11, 2000);
    assay_buffer_char(&text, 0);
    put_text(corpus, "a.md", text.ptr);
    put_text(corpus, "b.md", small_text);
    assay_corpus_close(corpus);
    CHECK_INT(read_all("whole.db"), ASSAY_OK);
    f = fopen("whole.db", "rb");
    CHECK(f);
    len = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    CHECK(len > 4096 && len < sizeof bytes);
    for (int i = 0; i < 150; i++) {
        size_t at[16];
        char was[16];

        for (size_t j = 0; j < 16; j++) {
            seed = seed * 1664525u + 1013904223u;
            at[j] = (size_t)(seed >> 4) % len;
            was[j] = bytes[at[j]];
            bytes[at[j]] = (char)(seed >> 24);
        }
        f = fopen("damaged.db", "wb");
        CHECK(f && fwrite(bytes, 1, len, f) == len && fclose(f) == 0);
        n_noticed += read_all("damaged.db") != ASSAY_OK;
        for (size_t j = 16; j-- > 0;)
            bytes[at[j]] = was[j];
    }
    CHECK(n_noticed > 20);
    assay_buffer_clear(&text);
}
