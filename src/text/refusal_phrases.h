/* SPDX-License-Identifier: Apache-2.0 */
/* The phrases that refusal.c looks for, and where.  All text is folded: lower case,
 * narrow forms, single blanks. */
#ifndef ASSAY_TEXT_REFUSAL_PHRASES_H
#define ASSAY_TEXT_REFUSAL_PHRASES_H

#include <stdint.h>

typedef enum where {
    WHOLE, /* the whole answer */
    START, /* the sentence begins with it, lead-ins left out */
    NEAR,  /* near the beginning, in the main clause */
    END    /* the sentence ends with it */
} where;

typedef struct rule {
    where at;
    uint8_t gap[2];      /* most bytes between the parts */
    const char *part[3]; /* alternatives separated by '|' */
} rule;

/* Lists are wrapped by hand: the formatter aligns them beyond any width. */
/* clang-format off */

/* ---- English ---- */

#define EN_SOURCE \
    "the context|this context|provided context|given context|retrieved context|" \
    "available context|the document|the documents|these documents|your documents|" \
    "provided document|provided documents|given documents|retrieved documents|" \
    "available documents|supplied documents|the sources|provided sources|" \
    "given sources|available sources|my sources|the passage|the passages|" \
    "provided passages|given passages|retrieved passages|the text|provided text|" \
    "given text|the excerpts|provided excerpts|the materials|provided material|" \
    "provided materials|provided information|given information|" \
    "available information|the information provided|the information given|" \
    "provided data|the knowledge base|knowledge base|search results|the provided"

#define EN_INFO \
    "information|answer|answers|detail|details|mention|anything|specifics|data|" \
    "reference|references|enough|sufficient|explanation|relevant"

/* "does not X" and its relatives. */
#define EN_NOT(verb) \
    "does not " verb "|doesn't " verb "|do not " verb "|don't " verb "|did not " verb

#define EN_LACK \
    EN_NOT("contain") "|" EN_NOT("include") "|" EN_NOT("provide") "|" EN_NOT("have") \
    "|" EN_NOT("give") "|" EN_NOT("offer") \
    "|contains no|contain no|includes no|include no|provides no|provide no|" \
    "offers no|gives no|has no|have no|lacks|lack"

#define EN_SILENT \
    EN_NOT("mention") "|" EN_NOT("specify") "|" EN_NOT("state") "|" EN_NOT("say") \
    "|" EN_NOT("address") "|" EN_NOT("cover") "|" EN_NOT("discuss") \
    "|" EN_NOT("describe") "|" EN_NOT("explain") "|" EN_NOT("indicate") \
    "|" EN_NOT("answer") \
    "|make no mention|makes no mention|is silent|are silent|has nothing|" \
    "have nothing|contains nothing|contain nothing|says nothing|say nothing"

#define EN_ABSENT \
    "not mentioned|not specified|not stated|not provided|not included|not found|" \
    "not covered|not addressed|not described|not discussed|not available|" \
    "not given|not contained|not present|not explained|no information|no mention|" \
    "no details|no answer|no reference|nothing|enough information|" \
    "sufficient information|insufficient information|cannot be found|" \
    "can't be found|could not be found|couldn't be found|cannot be determined|" \
    "can't be determined|cannot be answered|can't be answered|" \
    "not possible to answer|not possible to determine"

/* ---- Korean ---- */

#define KO_SOURCE \
    "제공된|주어진|제시된|해당 문서|이 문서|문서에는|문서에서는|" \
    "문서에서|문서만으로|자료에는|자료에서는|자료에서|" \
    "자료만으로|컨텍스트|문맥|본문에는|본문에서|검색 결과|검색된|" \
    "지식 베이스|출처에는|출처에서"

#define KO_ABSENT \
    "알 수 없|찾을 수 없|찾지 못|확인할 수 없|확인되지 않|" \
    "나와 있지 않|나와있지 않|나오지 않|적혀 있지 않|" \
    "포함되어 있지 않|포함돼 있지 않|포함되지 않|언급되어 있지 않|" \
    "언급돼 있지 않|언급되지 않|언급이 없|언급하지 않|" \
    "명시되어 있지 않|명시되지 않|기재되어 있지 않|" \
    "설명되어 있지 않|설명하지 않|다루지 않|다루고 있지 않|" \
    "제공하지 않|제공되지 않|정보가 없|정보는 없|내용이 없|" \
    "내용은 없|설명이 없|설명은 없|기록이 없|답변할 수 없|" \
    "답할 수 없|답이 없|답은 없|답변이 없"

/* ---- Chinese, simplified and traditional ---- */

#define ZH_SOURCE \
    "上下文|文档中|文件中|资料中|资料里|材料中|文中|提供的|" \
    "给定的|所给|现有资料|参考资料|已知信息|知识库|检索结果|" \
    "搜索结果|文档里|文件里|来源中|来源里|以上资料|上述资料|这些资料|" \
    "以上資料|上述資料|這些資料|文檔裡|來源中|文檔中|資料中|資料裡|給定的|所給|現有資料|參考資料|" \
    "已知資訊|知識庫|檢索結果|搜尋結果"

#define ZH_ABSENT \
    "没有这个问题的答案|没有该问题的答案|没有此问题的答案|没有答案|沒有答案|" \
    "没有提到|没有提及|没有提供|没有包含|没有相关|没有关于|" \
    "没有说明|没有涉及|没有给出|没有记载|没有足够|没有找到|" \
    "未提及|未提到|未提供|未包含|未说明|未涉及|未给出|未找到|" \
    "不包含|不足以|找不到|无法找到|无法回答|无法确定|无法得知|" \
    "无法得出|沒有提到|沒有提及|沒有提供|沒有包含|沒有相關|" \
    "沒有關於|沒有說明|沒有涉及|沒有給出|沒有記載|沒有足夠|" \
    "沒有找到|未說明|未給出|無法找到|無法回答|無法確定|無法得知"

/* ---- Japanese ---- */

#define JA_SOURCE \
    "情報源に|情報源から|資料で|文書で|資料内|文書内|" \
    "提供された|与えられた|文書に|文書から|文書では|資料に|" \
    "資料から|資料では|コンテキスト|文脈に|文脈から|" \
    "ドキュメントに|ドキュメントから|ドキュメントでは|本文に|" \
    "本文から|検索結果に|検索結果から|ナレッジベース|出典に"

#define JA_ABSENT \
    "答えがありません|答えはありません|記述がありません|記述はありません|" \
    "記載がありません|記載はありません|記載されていません|" \
    "記載されておりません|書かれていません|含まれていません|" \
    "含まれておりません|言及されていません|言及がありません|" \
    "言及はありません|見つかりません|見つけられません|" \
    "述べられていません|説明されていません|触れられていません|" \
    "情報がありません|情報はありません|載っていません|" \
    "確認できません|示されていません|特定できません|" \
    "提供されていません|判断できません|わかりません|" \
    "分かりません|記載がない|記載されていない|含まれていない|" \
    "見つからない"

/* clang-format on */

static const rule rules[] = {
    /* English; "we do not know your password" is an answer, hence the first */
    {START, {12}, {"i", "don't know|do not know"}},
    {START,
     {12},
     {"i|we", "cannot answer|can't answer|"
              "can not answer|could not answer|couldn't answer|"
              "have no information|have no answer|am unable to answer|"
              "are unable to answer|am not able to answer|"
              "cannot help with|can't help with|cannot determine|"
              "can't determine|could not determine|cannot tell|can't tell|"
              "cannot confirm|cannot verify"}},
    {START,
     {12},
     {"i'm|i am|we're|we are",
      "unable to answer|not able to answer|unable to provide an answer|"
      "unable to provide information|unable to determine|"
      "not able to determine|unable to help|unable to assist"}},
    {START,
     {12, 60},
     {"i|we",
      "could not find|couldn't find|cannot find|can't find|"
      "did not find|didn't find|was unable to find|"
      "was not able to find|wasn't able to find|found no|"
      "am unable to find|not able to find|unable to find|"
      "not able to locate|unable to locate|do not see|don't see|"
      "could not locate|couldn't locate",
      EN_INFO "|evidence|in the|in these|in your"}},
    {START,
     {12, 12},
     {"i|we", "don't have|do not have|lack|have not been given",
      "enough information|sufficient information|enough context|"
      "sufficient context|any information|the information|information|"
      "access to|relevant information|necessary information|an answer|"
      "enough"}},
    {START,
     {0},
     {"cannot answer|can't answer|unable to answer|cannot be answered|"
      "unanswerable|no relevant information|no relevant documents|"
      "no relevant passages|no relevant results|no relevant context|"
      "no matching documents|no documents were found|no results found|"
      "no results were found|no information about|no information on|"
      "no information regarding|no information available|"
      "no information is available|no information found|"
      "no information was found|no information in the|no answer found|"
      "no answer was found|no answer could be found|no answer is available|"
      "insufficient information|insufficient context|"
      "not enough information|not enough context|information not found|"
      "information not available|answer not found"}},
    {START,
     {25, 1},
     {"there is no|there's no|there are no|there was no|there isn't|"
      "there is not|there is insufficient",
      "information|details|mention|answer|data",
      "about|on|regarding|concerning|available|provided|to answer|of|"
      "in the|within the|from the|that"}},
    {NEAR, {40, 60}, {EN_SOURCE, EN_LACK, EN_INFO}},
    {NEAR, {40}, {EN_SOURCE, EN_SILENT}},
    {NEAR,
     {12},
     {EN_SOURCE, "is insufficient|are insufficient|is not sufficient|"
                 "are not sufficient|is not enough|are not enough|isn't enough|"
                 "aren't enough"}},
    {START,
     {2, 12},
     {"none of|neither of", EN_SOURCE,
      "mention|mentions|say|says|state|states|specify|specifies|contain|contains|"
      "provide|provides|discuss|discusses|address|addresses|answer|answers|cover|"
      "covers|explain|explains|describe|describes|give|gives|indicate|indicates"}},
    {START,
     {0},
     {"not possible to determine|not possible to answer|not possible to tell|"
      "not possible to say|impossible to determine|impossible to answer"}},
    {NEAR, {1, 6}, {"not", "in", EN_SOURCE}},
    {NEAR, {60, 6}, {EN_ABSENT, "in|from|within|by|using|based on", EN_SOURCE}},
    {NEAR,
     {40},
     {"question|query", "cannot be answered|can't be answered|"
                        "could not be answered|is not answerable|"
                        "is unanswerable"}},
    {WHOLE,
     {0},
     {"unknown|n/a|not available|not found|no answer|no information|"
      "not specified|not mentioned|not stated|not provided|unanswerable|"
      "unsure|i'm not sure|i am not sure|no idea|don't know|idk"}},

    /* Korean */
    {END,
     {0},
     {"모르겠|모릅니다|몰라요|알지 못합니다|알지 못해|답변할 수 없|"
      "답변 드릴 수 없|답변드릴 수 없|답변해 드릴 수 없|답할 수 없|"
      "대답할 수 없|답변을 드릴 수 없|"
      "답변을 드리기 어렵|답변을 제공할 수 없|"
      "답변이 불가|답변하기 어렵|답하기 어렵|"
      "답변드리기 어렵|답을 찾을 수 없|"
      "답을 찾지 못|답변을 찾을 수 없|답변을 찾지 못|정보를 찾을 수 없|"
      "정보를 찾지 못|내용을 찾을 수 없|내용을 찾지 못|관련 정보가 없|"
      "관련된 정보가 없|관련 내용이 없|관련된 내용이 없|정보가 부족|"
      "자료에 없|자료에는 없|자료에서는 없|문서에 없|문서에는 없|"
      "컨텍스트에 없|컨텍스트에는 없|문맥에 없|본문에 없|출처에 없"}},
    {END, {120}, {KO_SOURCE, KO_ABSENT}},
    {END,
     {3},
     {"문서에|자료에|본문에|출처에|컨텍스트에|문맥에",
      "명시되어 있지 않|명시되지 않|나와 있지 않|나와있지 않|나오지 않|"
      "언급되어 있지 않|언급되지 않|기재되어 있지 않|적혀 있지 않"}},
    {END, {60}, {"문서에 해당|문서에 관련|자료에 해당|자료에 관련", KO_ABSENT}},
    {END,
     {30},
     {"에 대한|에 관한|에 대해|관련", "정보가 없|정보는 없|내용이 없|"
                                      "내용은 없|자료가 없|정보가 제공되지"}},
    {WHOLE,
     {0},
     {"모름|알 수 없음|알 수 없습니다|알 수 없어요|정보 없음|"
      "해당 정보 없음|관련 정보 없음|답변 불가|답변할 수 없음|자료 없음|"
      "자료에 없음|확인 불가"}},

    /* Chinese */
    {START,
     {0},
     {"我不知道|我不清楚|我不太清楚|我无法回答|无法回答|我不能回答|不能回答|"
      "我没有足够|我没有相关|我找不到|"
      "我未能找到|我没有找到|没有找到相关|"
      "未找到相关|找不到相关|没有相关信息|没有相关资料|没有相关内容|"
      "没有足够的信息|没有足够信息|信息不足|无法确定答案|无法提供答案|"
      "无法得知|我無法回答|無法回答|"
      "我沒有足夠|我沒有找到|沒有找到相關|"
      "未找到相關|找不到相關|沒有相關資訊|沒有相關資料|資訊不足|"
      "無法確定答案|無法提供答案|無法得知"}},
    {NEAR, {90}, {ZH_SOURCE, ZH_ABSENT}},
    {NEAR,
     {30},
     {"资料|文档|文本|来源|上下文|資料|文檔|來源",
      "无法回答|無法回答|不足以回答|不足以确定|不足以確定"}},
    {NEAR, {30, 60}, {"问题|問題", "无法|無法|不能", "回答|解答"}},
    {NEAR, {90}, {"无法|無法", "上下文中|文档中|资料中|文中|文檔中|資料中"}},
    {WHOLE,
     {0},
     {"不知道|不清楚|未知|未提及|无法回答|无法确定|无相关信息|没有答案|"
      "無法回答|無法確定|無相關資訊|沒有答案"}},

    /* Japanese */
    {END,
     {0},
     {"わかりません|分かりません|わかりかねます|分かりかねます|存じません|"
      "お答えできません|お答えできかねます|"
      "お答えすることができません|"
      "お答えすることはできません|回答できません|"
      "回答することができません|"
      "回答することはできません|回答できかねます|答えられません|"
      "答えることができません|答えることはできません|"
      "情報が見つかりません|"
      "情報は見つかりません|情報を見つけることができません|"
      "関連する情報がありません|関連する情報はありません|"
      "関連情報がありません|"
      "関する情報がありません|関する情報はありません|"
      "関する記載がありません|関する記載はありません|"
      "情報が不足しています|十分な情報がありません|情報が十分ではありません|"
      "情報が十分にありません|"
      "回答不能です|わからないです|分からないです"}},
    {END, {150}, {JA_SOURCE, JA_ABSENT}},
    {END, {30}, {"該当する|関連する", "見つかりません|見つけられません"}},
    {WHOLE,
     {0},
     {"不明|不明です|わからない|分からない|回答不能|回答できない|"
      "該当なし|情報なし|記載なし"}},
};

/* Words before the refusal proper.  Those of the second list go on to the next comma. */
static const char leads[] =
    "sorry|i'm sorry|i am sorry|i apologize|apologies|my apologies|unfortunately|but|"
    "i'm afraid|i am afraid|that|however|it seems that|it seems|it appears that|"
    "it appears|it looks like|please note that|note that|answer|the answer is|hmm|well|"
    "it is|it's|"
    "죄송합니다만|죄송합니다|죄송하지만|"
    "안타깝게도|유감스럽게도|아쉽게도|"
    "很抱歉|非常抱歉|抱歉|对不起|對不起|"
    "不好意思|遗憾的是|遺憾的是|目前|"
    "申し訳ありませんが|申し訳ありません|"
    "申し訳ございませんが|申し訳ございません|"
    "すみませんが|すみません|残念ながら";
static const char lead_clauses[] =
    "based on|according to|from|given|after|as an ai|as a language model|with|using|"
    "regarding|as for|in the|unfortunately|"
    "根据|基于|依据|从|關於|关于|根據|基於|依據";

/* A sentence or clause that begins with one of these states a rule, not a refusal. */
static const char conditions[] =
    "if|when|whenever|unless|where|which|who|whose|that are|that is|that were|that have|"
    "that do|that does|如果|若|当|當|假如|凡是|只要|除非";

static const char contrasts[] =
    "but|however|nevertheless|nonetheless|that said|though|although|하지만|그러나|다만|"
    "그렇지만|但是|但|不过|然而|不過|しかし|ただし|ですが|けれども";

/* Behind a contrast: an offer, not an answer. */
static const char offers[] =
    "you can|you may|you might|you could|please|feel free|i can|i'd|i would|if you|"
    "let me|i recommend|i suggest|consider|contact|check|문의|확인해|확인하시|참고하|"
    "제공해 주|알려 주|알려주|您可以|你可以|建议|请|如果您|建議|請|"
    "お問い合わせ|ご確認|ご参照|ください";

#endif
