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

/* A second set of each language, written without looking at the rules: what chat models
 * say. */
TEST(phrasings_of_models_are_recognised)
{
    static const char *const answer[] = {
        /* English */
        "The provided sources do not contain the answer to this question.",
        "There is nothing in the sources about parental leave.",
        "None of the sources mention who founded the company.",
        "I'm sorry, but the context doesn't provide enough detail to answer that.",
        "Based on the sources, it is not possible to determine the price.",
        "The passage does not say when the bridge was built [#1].",
        "The sources are silent on this point.",
        "I cannot find this information in the provided documents.",
        "The documents you shared don't address this question.",
        "No answer can be found in the given text.",
        "The text does not specify the number of employees.",
        "Unfortunately the retrieved context is insufficient to answer this question.",
        "This information is not available in the provided sources.",
        "The sources do not answer this question.",
        /* an honest "not in the sources" that cites what it looked at */
        "The sources do not state the exact date; they only mention the year of the "
        "renovation [#2].",
        /* Korean */
        "제공된 출처에는 이 질문에 대한 답이 없습니다.",
        "주어진 문서에는 관련 내용이 포함되어 있지 않아 답변드리기 어렵습니다.",
        "문서에서 해당 내용을 찾을 수 없습니다. [#1]",
        "출처에는 설립 연도가 나와 있지 않습니다.",
        "제시된 자료만으로는 가격을 알 수 없습니다.",
        "죄송합니다. 해당 질문에 대한 정보는 문서에 없습니다.",
        "검색된 문서에 육아 휴직에 관한 내용은 없습니다.",
        "자료에 명시되어 있지 않습니다.",
        "질문에 답할 수 있는 정보가 부족합니다.",
        "제공된 정보로는 답변이 불가능합니다.",
        "이 내용은 자료에서 다루고 있지 않습니다.",
        "근거를 찾지 못해 답변할 수 없습니다.",
        "제공된 자료에서 답을 찾을 수 없습니다.",
        /* Chinese */
        "提供的来源中没有这个问题的答案。",
        "根据现有资料无法确定价格。",
        "抱歉，文档里没有相关内容。",
        "所提供的文本没有说明公司何时成立。[#1]",
        "资料中并未提及退款期限。",
        "来源中未给出具体数字。",
        "以上资料不足以回答该问题。",
        "从给定的资料中找不到答案。",
        "对不起，我在提供的资料中没有找到答案。",
        "文中没有相关信息。",
        "目前的资料无法回答这个问题。",
        "抱歉，提供的文件未包含此信息。",
        "提供的资料中没有找到答案。",
        /* Japanese */
        "提供された情報源にはこの質問の答えがありません。",
        "与えられた資料からは答えられません。",
        "申し訳ございませんが、資料に該当する記載がありません。",
        "文書には価格についての記述がありません。[#1]",
        "資料には設立年が示されていません。",
        "この質問に回答するための十分な情報がありません。",
        "ドキュメントからは確認できませんでした。",
        "提供された文脈では判断できません。",
        "出典には記載されていないため、お答えできません。",
        "該当する情報は資料内に見つかりませんでした。",
        "その点については資料で触れられていません。",
        "情報が不足しているため、回答できません。",
        "提供された資料に答えは見つかりません。",
    };

    check_all(answer, ASSAY_COUNT(answer), true);
}

TEST(answers_of_models_are_not_taken_for_refusals)
{
    static const char *const answer[] = {
        /* English */
        "The page shows \"404 Not Found\" when the file is missing [#1].",
        "A query that is not found in the run scores 0 [#2].",
        "The status code 404 means that the resource was not found.",
        "If no answer is found, the program exits with code 1.",
        "The gate says \"not enough queries\" and fails [#1].",
        "The error 'no such file' is printed when the path does not exist.",
        "It is not possible to undo a deletion.",
        "The contract does not mention a notice period, so the legal one of four weeks "
        "applies [#1].",
        "Employees do not need a visa.",
        "The author never specifies a date in his diary, which historians find odd [#3].",
        "No, the sources of the Nile were unknown until 1858 [#1].",
        "He did not find the treasure.",
        /* Korean */
        "파일이 없으면 '찾을 수 없습니다'라는 메시지가 나옵니다. [#1]",
        "404는 페이지를 찾을 수 없다는 뜻입니다.",
        "예외는 없습니다. [#1]",
        "신청서에 서명이 없으면 접수되지 않습니다.",
        "문서에 없는 항목은 재무팀이 처리합니다. [#2]",
        /* Chinese */
        "找不到文件时会显示“未找到”。[#1]",
        "404 表示页面未找到。",
        "资料中没有提及的费用由申请人承担。[#1]",
        "没有例外。",
        "如果找不到答案，程序返回 1。",
        /* Japanese */
        "ファイルがない場合は「見つかりません」と表示されます。[#1]",
        "例外はありません。[#1]",
        "資料に記載されていない費用は申請者が負担します。",
        "404はページが見つからないことを意味します。",
    };

    check_all(answer, ASSAY_COUNT(answer), false);
}
