/* SPDX-License-Identifier: Apache-2.0 */
#include "testing.h"

#include <time.h>

#include "store/run_id.h"

enum { N = 20000 };

TEST(ids_are_uuids_of_version_7_and_ascend)
{
    static char id[N][ASSAY_RUN_ID_SIZE];
    assay_run_ids ids = {0, 0};
    assay_error err;

    for (int i = 0; i < N; i++) {
        CHECK(assay_run_id_make(&ids, id[i], &err) == ASSAY_OK);
        CHECK_INT(strlen(id[i]), 36);
        CHECK(strncmp(id[i], "run_", 4) == 0);
        CHECK_INT(strspn(id[i] + 4, "0123456789abcdef"), 32);
        CHECK(id[i][4 + 12] == '7');                  /* the version */
        CHECK(strchr("89ab", id[i][4 + 16]) != NULL); /* the variant */
        CHECK(i == 0 || strcmp(id[i - 1], id[i]) < 0);
    }
}

TEST(an_id_begins_with_the_time_in_milliseconds)
{
    assay_run_ids ids = {0, 0};
    char id[ASSAY_RUN_ID_SIZE];
    char head[13];
    unsigned long long ms;
    assay_error err;

    CHECK(assay_run_id_make(&ids, id, &err) == ASSAY_OK);
    memcpy(head, id + 4, 12);
    head[12] = 0;
    ms = strtoull(head, NULL, 16);
    CHECK(ms / 1000 + 60 > (unsigned long long)time(NULL));
    CHECK(ms / 1000 < (unsigned long long)time(NULL) + 60);
}

TEST(two_makers_at_once_make_different_ids)
{
    assay_run_ids a = {0, 0};
    assay_run_ids b = {0, 0};
    char one[ASSAY_RUN_ID_SIZE];
    char two[ASSAY_RUN_ID_SIZE];
    assay_error err;

    for (int i = 0; i < 1000; i++) {
        CHECK(assay_run_id_make(&a, one, &err) == ASSAY_OK);
        CHECK(assay_run_id_make(&b, two, &err) == ASSAY_OK);
        CHECK(strcmp(one, two) != 0);
    }
}

TEST(the_time_has_milliseconds_and_a_z)
{
    char now[ASSAY_STORE_TIME_SIZE];
    char before[ASSAY_STORE_TIME_SIZE];

    assay_store_time(0, now);
    assay_store_time(60, before);
    CHECK_INT(strlen(now), 24);
    CHECK(now[4] == '-' && now[10] == 'T' && now[19] == '.' && now[23] == 'Z');
    CHECK(strcmp(before, now) < 0);
}
