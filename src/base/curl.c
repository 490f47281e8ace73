/* SPDX-License-Identifier: Apache-2.0 */
#include "base/curl.h"

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

assay_status assay_curl_load(assay_curl *lib, assay_error *err)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

    for (size_t i = 0; !lib->handle && i < ASSAY_COUNT(names); i++)
        lib->handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (lib->handle && find(lib->handle, "curl_global_init", &lib->global_init) &&
        find(lib->handle, "curl_easy_init", &lib->init) &&
        find(lib->handle, "curl_easy_setopt", &lib->setopt) &&
        find(lib->handle, "curl_multi_init", &lib->multi_init) &&
        find(lib->handle, "curl_multi_add_handle", &lib->multi_add) &&
        find(lib->handle, "curl_multi_perform", &lib->multi_perform) &&
        find(lib->handle, "curl_multi_poll", &lib->multi_poll) &&
        find(lib->handle, "curl_multi_info_read", &lib->multi_read) &&
        find(lib->handle, "curl_multi_remove_handle", &lib->multi_remove) &&
        find(lib->handle, "curl_multi_cleanup", &lib->multi_cleanup) &&
        find(lib->handle, "curl_easy_getinfo", &lib->getinfo) &&
        find(lib->handle, "curl_easy_cleanup", &lib->cleanup) &&
        find(lib->handle, "curl_slist_append", &lib->append) &&
        find(lib->handle, "curl_slist_free_all", &lib->free_all) &&
        find(lib->handle, "curl_easy_strerror", &lib->words) &&
        lib->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_ESYSTEM,
                      "talking to a server needs libcurl; install it with 'apt-get "
                      "install libcurl4'");
}
