/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/refuse.h"

#include <string.h>

#include "base/slice.h"
#include "corpus/scripts.h"

/* text/refusal.c knows each of them for what it is. */
static const char *const words[] = {
    [ASSAY_TONGUE_ENGLISH] = "The sources do not answer this question.",
    [ASSAY_TONGUE_KOREAN] = "제공된 자료에서 답을 찾을 수 없습니다.",
    [ASSAY_TONGUE_CHINESE] = "提供的资料中没有找到答案。",
    [ASSAY_TONGUE_JAPANESE] = "提供された資料に答えは見つかりません。",
};

static uint64_t letters(const uint64_t *count, const char *script)
{
    const char *name;

    for (size_t i = 0; (name = assay_script_name(i)) != NULL; i++)
        if (strcmp(name, script) == 0)
            return count[i];
    return 0;
}

assay_tongue assay_tongue_of(assay_slice query)
{
    uint64_t count[ASSAY_SCRIPTS_MOST] = {0};
    uint64_t latin, hangul, han, kana;

    assay_scripts_count(query, count);
    latin = letters(count, "Latin");
    hangul = letters(count, "Hangul");
    han = letters(count, "Han");
    kana = letters(count, "Kana");
    /* A syllable or sign says as much as a few letters: "Kubernetes란 무엇인가" is Korean,
     * "what does 漢字 mean" is English. */
    if (3 * (hangul + han + kana) < latin || hangul + han + kana == 0)
        return ASSAY_TONGUE_ENGLISH;
    if (hangul >= han + kana)
        return ASSAY_TONGUE_KOREAN;
    return kana ? ASSAY_TONGUE_JAPANESE : ASSAY_TONGUE_CHINESE;
}

assay_answer assay_refuse(assay_slice query, const char *reason)
{
    return (assay_answer){
        .text = assay_slice_of(words[assay_tongue_of(query)]),
        .grounded = ASSAY_FLAG_NO,
        .refusal_reason = assay_slice_of(reason),
        .model = ASSAY_LIT(""),
        .prompt_tokens = -1,
        .completion_tokens = -1,
        .latency_ms = -1,
        .cost = -1,
    };
}
