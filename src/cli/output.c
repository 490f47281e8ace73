/* SPDX-License-Identifier: Apache-2.0 */
/* Where results and chatter go: results to standard output or a file, words to standard
 * error. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"
#include "cli/cli.h"

static const struct {
    const char *ending;
    const char *format;
} endings[] = {
    {".json", "json"}, {".jsonl", "jsonl"}, {".ndjson", "jsonl"}, {".csv", "csv"},
    {".md", "md"},     {".tsv", "tsv"},     {".txt", "table"},
};

static const char *format_of_name(const char *path)
{
    assay_slice name = assay_slice_of(path);

    if (assay_slice_ends(name, ".gz"))
        name.len -= 3;
    else if (assay_slice_ends(name, ".zst"))
        name.len -= 4;
    for (size_t i = 0; i < ASSAY_COUNT(endings); i++)
        if (assay_slice_ends(name, endings[i].ending))
            return endings[i].format;
    return NULL;
}

const char *assay_cli_format(const assay_cli *cli, const char *standard)
{
    const char *format = assay_cli_text(cli, "format");
    const char *path = assay_cli_text(cli, "output");

    if (format)
        return format;
    if (assay_cli_flag(cli, "json"))
        return "json";
    format = path ? format_of_name(path) : NULL;
    return format ? format : standard;
}

assay_status assay_cli_print(const assay_buffer *out, assay_error *err)
{
    if (out->has_failed)
        return assay_fail_memory(err, "writing the result");
    if ((out->len && fwrite(out->ptr, 1, out->len, stdout) != out->len) || fflush(stdout))
        return assay_fail(err, ASSAY_ESYSTEM, "cannot write to standard output");
    return ASSAY_OK;
}

assay_status assay_cli_emit(const assay_cli *cli, const assay_buffer *out,
                            assay_error *err)
{
    const char *path = assay_cli_text(cli, "output");

    if (out->has_failed)
        return assay_fail_memory(err, "writing the result");
    if (path && strcmp(path, "-") != 0)
        return assay_file_save(path, assay_buffer_view(out), err);
    return assay_cli_print(out, err);
}

void assay_cli_warn(const assay_cli *cli, const char *format, ...)
{
    va_list args;

    if (cli->is_quiet)
        return;
    fputs("assay: warning: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

void assay_cli_warn_notes(const assay_cli *cli, const assay_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++)
        assay_cli_warn(cli, "%s", notes->text[i]);
}

void assay_cli_say(const assay_cli *cli, const char *format, ...)
{
    va_list args;

    if (!cli->is_verbose)
        return;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

assay_slice assay_cli_stem(const char *path)
{
    assay_slice s = assay_slice_of(path);
    const char *slash = strrchr(path, '/');
    const char *dot;

    if (slash && slash[1])
        s = assay_slice_of(slash + 1);
    if (assay_slice_ends(s, ".gz"))
        s.len -= 3;
    else if (assay_slice_ends(s, ".zst"))
        s.len -= 4;
    dot = s.ptr + s.len;
    while (dot > s.ptr && *dot != '.')
        dot--;
    if (dot > s.ptr)
        s.len = (size_t)(dot - s.ptr);
    return s;
}
