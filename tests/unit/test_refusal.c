/* SPDX-License-Identifier: Apache-2.0 */
#include "testing.h"

#include "base/arena.h"
#include "base/compiler.h"
#include "base/slice.h"
#include "text/fold.h"
#include "text/refusal.h"

static bool refuses(const char *answer)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice folded;
    bool is_refusal;

    CHECK(assay_fold(assay_slice_of(answer), &arena, &folded));
    is_refusal = assay_refusal_is(folded);
    assay_arena_clear(&arena);
    return is_refusal;
}

/* All of them are looked at before the test fails, so that one round shows all. */
static void check_all(const char *const *answer, size_t n, bool want)
{
    int wrong = 0;

    for (size_t i = 0; i < n; i++) {
        if (refuses(answer[i]) == want)
            continue;
        printf("%s: %s\n", want ? "a refusal" : "no refusal", answer[i]);
        wrong++;
    }
    CHECK_INT(wrong, 0);
}

TEST(english_refusals_are_recognised)
{
    static const char *const answer[] = {
        "I don't know.",
        "I don’t know.",
        "I DO NOT KNOW",
        "I'm sorry, but I don't know the answer to that question.",
        "Unfortunately, I cannot answer this question based on the provided context.",
        "I am unable to answer this question from the documents.",
        "I couldn't find any information about parental leave in the documents.",
        "I could not find an answer in the handbook.",
        "I don't have enough information to answer this question.",
        "We do not have sufficient information to say.",
        "The provided context does not contain information about the refund policy.",
        "The context doesn't mention the price of the licence.",
        "Based on the provided documents, there is no information about parking.",
        "According to the given context, the founding year is not specified in the "
        "provided text.",
        "The answer is not in the provided context.",
        "There is no mention of a deadline in the sources.",
        "No relevant information was found.",
        "Not enough information.",
        "This question cannot be answered from the given passages.",
        "The documents do not provide any details on that. [1][2]",
        "[#1] I don't know.",
        "**I don't know.**",
        "The retrieved passages do not cover this topic. They describe only the "
        "installation and the first start.",
        "I don't know. However, you can contact support for more help.",
        "It seems that the provided documents do not include the answer.",
        "unknown",
        "N/A",
        "I'm not able to find that in the material you gave me.",
        "Sorry, the knowledge base has nothing on this topic.",
        "Based on the given context, I cannot determine who wrote the letter.",
        "You asked about overtime. The documents do not mention overtime at all.",
    };

    check_all(answer, ASSAY_COUNT(answer), true);
}

TEST(english_answers_are_not_taken_for_refusals)
{
    static const char *const answer[] = {
        "",
        "   ",
        "Refunds are approved by the finance lead [1].",
        "No.",
        "None.",
        "The message \"I don't know\" means that the model refused.",
        "I don't know the exact figure, but the policy grants a refund within 30 days [1].",
        "If the documents do not contain a signature, the claim is rejected.",
        "Requests that are not mentioned in the document are handled by the finance lead.",
        "Customers who do not provide documents within 30 days lose the claim.",
        "There is no information desk on the second floor.",
        "I could not find any exceptions to the rule, so it always applies.",
        "The licence does not include support.",
        "Unknown queries are counted and named.",
        "A query without judgments is ineligible: it has no score and is not in n.",
        "The metric cannot be computed when no citation resolves to a chunk.",
        "The context does not mention the price. However, the data sheet lists it at 300 "
        "euros for one seat and 2,500 for ten.",
        "Not available on Sundays.",
        "A system should say 'I do not know' when the sources are silent.",
        "The report found no evidence of fraud.",
        "Draft documents do not contain a stamp.",
        "Do not copy text from the documents.",
        "We do not know your password: only its hash is kept.",
        "The retention period is 30 days; the context gives no reason for it.",
    };

    check_all(answer, ASSAY_COUNT(answer), false);
}

TEST(a_refusal_with_a_long_answer_behind_it_is_an_answer)
{
    char answer[1000] = "The documents do not mention a deadline.";

    CHECK(refuses(answer));
    for (int i = 0; i < 8; i++)
        strncat(answer, " Applications are read in the order in which they arrive.",
                sizeof answer - strlen(answer) - 1);
    CHECK(!refuses(answer));
}

TEST(korean_refusals_are_recognised)
{
    static const char *const answer[] = {
        "모르겠습니다.",
        "잘 모르겠습니다.",
        "자료에 없습니다.",
        "죄송합니다. 제공된 자료에는 해당 내용이 없습니다.",
        "제공된 문서에서 해당 정보를 찾을 수 없습니다.",
        "주어진 컨텍스트만으로는 답변할 수 없습니다.",
        "제공된 문맥에는 환불 기한에 대한 "
        "정보가 포함되어 있지 않습니다.",
        "이 질문에 대해서는 답변드릴 수 없습니다. [1]",
        "문서에는 가격이 언급되어 있지 않습니다.",
        "육아 휴직에 대한 정보가 없습니다.",
        "관련 정보를 찾지 못했습니다.",
        "검색 결과에서 답을 확인할 수 없습니다.",
        "문서에 해당 정보가 나와 있지 않습니다.",
        "알 수 없음",
        "모름",
        "죄송하지만 그 질문에는 답할 수 없어요.",
        "자료에서는 확인되지 않습니다. "
        "다만 담당 부서에 문의해 주시기 바랍니다.",
    };

    check_all(answer, ASSAY_COUNT(answer), true);
}

TEST(korean_answers_are_not_taken_for_refusals)
{
    static const char *const answer[] = {
        "환불은 재무 책임자가 승인합니다. [1]",
        "없습니다.",
        "이 문서에는 제한이 없습니다.",
        "'모르겠습니다'라는 답은 거절로 셉니다.",
        "정확한 날짜는 모르지만, 규정에 따르면 30일 안에 환불됩니다.",
        "제출한 서류에 서명이 포함되어 있지 않습니다.",
        "삭제된 파일은 찾을 수 없습니다.",
        "문서에 포함되어 있지 않으면 신청이 거부됩니다.",
        "판정이 없는 질의는 점수가 없고 평균에 들어가지 않습니다.",
        "제공된 자료에는 가격이 언급되어 있지 않습니다. "
        "하지만 안내서에 따르면 한 자리에 "
        "30만 원입니다.",
        "실패한 질의는 0점으로 계산합니다.",
    };

    check_all(answer, ASSAY_COUNT(answer), false);
}

TEST(chinese_refusals_are_recognised)
{
    static const char *const answer[] = {
        "我不知道。",
        "抱歉，我无法回答这个问题。",
        "很抱歉，根据提供的资料，我无法回答您的问题。",
        "根据提供的上下文，无法回答该问题。",
        "文档中没有提到退款期限。",
        "资料中未提及价格。",
        "提供的文档没有包含相关信息。",
        "上下文中没有关于停车的信息。[1]",
        "没有找到相关信息。",
        "知识库中找不到相关内容。",
        "無法回答。",
        "抱歉，資料中沒有提到退款期限。",
        "根據提供的資料，無法得知答案。",
        "這個問題無法根據提供的資料回答。",
        "不知道",
        "无法从提供的文档中得知。",
        "文档中没有提到价格，但您可以联系客服。",
    };

    check_all(answer, ASSAY_COUNT(answer), true);
}

TEST(chinese_answers_are_not_taken_for_refusals)
{
    static const char *const answer[] = {
        "退款由财务负责人批准。[1]",
        "没有。",
        "不知道密码的用户可以重置密码。",
        "无法回答的问题会被记录下来。",
        "如果文件中没有提供签名，申请会被拒绝。",
        "申请表未包含签名，因此被退回。",
        "我不知道确切日期，但是根据规定三十天内可以退款。",
        "“我不知道”这句话表示模型拒绝回答。",
        "没有判定的查询不计入平均值。",
        "文档中没有提到具体金额。"
        "不过价目表写明每个席位三百元，十个席位两千五百元。",
    };

    check_all(answer, ASSAY_COUNT(answer), false);
}

TEST(japanese_refusals_are_recognised)
{
    static const char *const answer[] = {
        "わかりません。",
        "申し訳ありませんが、その質問にはお答えできません。",
        "提供された文書には記載がありません。",
        "資料には返金の期限について記載されていません。",
        "関連する情報が見つかりませんでした。",
        "提供されたコンテキストからは判断できません。",
        "ドキュメントに該当する情報は含まれていません。[1]",
        "育児休業に関する情報はありません。",
        "残念ながら、検索結果から答えを特定できませんでした。",
        "回答できません。",
        "該当する記述は見つかりませんでした。",
        "不明",
        "分かりません。しかし、詳しくは窓口へお問い合わせください。",
    };

    check_all(answer, ASSAY_COUNT(answer), true);
}

TEST(japanese_answers_are_not_taken_for_refusals)
{
    static const char *const answer[] = {
        "返金は財務責任者が承認します。[1]",
        "ありません。",
        "この文書に制限はありません。",
        "「わかりません」という回答は拒否として数えます。",
        "正確な日付はわかりませんが、"
        "規定では三十日以内に返金されます。",
        "申請書類に署名が含まれていません。",
        "資料に記載されていない場合は申請が却下されます。",
        "判定のない質問は平均に含まれません。",
        "文書には価格の記載がありません。"
        "しかし、価格表では一席三万円、十席二十五万円です。",
    };

    check_all(answer, ASSAY_COUNT(answer), false);
}

TEST(broken_text_is_no_refusal)
{
    CHECK(!refuses("\xFF\xFE"));
    CHECK(!refuses("[#"));
    CHECK(!refuses("[1][2][3]"));
    CHECK(!refuses("..."));
    CHECK(!refuses("sorry"));
    CHECK(!refuses("based on"));
}
