/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pq_lib.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"

static bool find(void *handle, const char *name, void *into)
{
    void *symbol = dlsym(handle, name);

    /* POSIX promises that this works for functions; C does not. */
    memcpy(into, &symbol, sizeof symbol);
    return symbol != NULL;
}

assay_status assay_pq_load(assay_pq_lib *lib, assay_error *err)
{
    bool has_all;

    lib->handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    has_all = lib->handle != NULL;
#define X(member, symbol, result, arguments) \
    has_all = has_all && find(lib->handle, symbol, &lib->member);
    ASSAY_PQ_FUNCTIONS(X)
#undef X
    /* It stays loaded: what it brought along does not like to be unloaded. */
    if (has_all)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_ESYSTEM,
                      "a store in PostgreSQL needs libpq; install it with 'apt-get "
                      "install libpq5'");
}
