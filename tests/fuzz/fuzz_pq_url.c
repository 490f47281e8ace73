/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an address of PostgreSQL's, and as the password of one: whatever they are, the
 * form that is shown has nothing of them. */
#include "base/pq_url.h"

#include <stdlib.h>
#include <string.h>

#include "base/pq.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything fits into what is as large as the address. */
static void look(const char *url, const char *want)
{
    size_t size = strlen(url) + 1;
    char *shown = malloc(size);
    char *plain = malloc(size);
    char schema[ASSAY_PQ_SCHEMA_SIZE];

    if (!shown || !plain)
        abort();
    assay_pq_public_url(url, shown, size);
    assay_pq_split_url(url, plain, schema);
    if (want && strcmp(shown, want) != 0)
        abort();
    free(plain);
    free(shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char before[] = "postgresql://ann:";
    static const char behind[] = "@host:5432/db?sslmode=disable&schema=s";
    char *url = malloc(size + sizeof before + sizeof behind);

    if (!url)
        abort();
    memcpy(url, data, size);
    url[size] = '\0';
    look(url, NULL);
    if (!memchr(data, 0, size)) {
        memcpy(url, before, sizeof before - 1);
        memcpy(url + sizeof before - 1, data, size);
        memcpy(url + sizeof before - 1 + size, behind, sizeof behind);
        look(url, "postgresql://ann@host:5432/db?schema=s");
    }
    free(url);
    return 0;
}
