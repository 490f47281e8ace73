/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static void record(assay_error *err, assay_status status, size_t used, const char *format,
                   va_list args)
{
    if (!err)
        return;
    err->status = status;
    if (used < sizeof err->text)
        vsnprintf(err->text + used, sizeof err->text - used, format, args);
    /* A message is one line: what it quotes may hold line breaks, or codes that a
     * terminal would obey. */
    for (char *c = err->text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            *c = ' ';
}

assay_status assay_fail(assay_error *err, assay_status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    record(err, status, 0, format, args);
    va_end(args);
    return status;
}

assay_status assay_fail_at(assay_error *err, const char *path, uint64_t line,
                           const char *format, ...)
{
    va_list args;
    int used = 0;

    if (err && line)
        used = snprintf(err->text, sizeof err->text, "%s:%llu: ", path,
                        (unsigned long long)line);
    else if (err)
        used = snprintf(err->text, sizeof err->text, "%s: ", path);
    va_start(args, format);
    record(err, ASSAY_EINPUT, used < 0 ? 0 : (size_t)used, format, args);
    va_end(args);
    return ASSAY_EINPUT;
}

assay_status assay_fail_memory(assay_error *err, const char *what)
{
    return assay_fail(err, ASSAY_ENOMEM, "out of memory while %s", what);
}

const char *assay_version(void)
{
    return ASSAY_VERSION;
}
