/* SPDX-License-Identifier: Apache-2.0 */
/* What makes a question a question: words that no answer repeats.  Folded; the longer
 * ones of a kind come first. */
#ifndef ASSAY_ANSWER_QUESTION_WORDS_H
#define ASSAY_ANSWER_QUESTION_WORDS_H

/* Whole words. */
static const char *const question_words[] = {
    "what",  "what's", "which",   "who",      "who's",  "whom",  "whose", "when",
    "where", "why",    "how",     "many",     "much",   "do",    "does",  "did",
    "was",   "were",   "can",     "could",    "should", "would", "will",  "may",
    "must",  "has",    "have",    "had",      "been",   "being", "i",     "you",
    "we",    "my",     "your",    "our",      "me",     "he",    "she",   "his",
    "her",   "tell",   "explain", "describe", "please", "about", "from",  "its",
    "than",  "so",     "any",     "some",     "왜",
};

/* clang-format off */
/* Anywhere: Korean, Chinese, Japanese. */
static const char *const question_pieces[] = {
    "무엇입니까", "무엇인가요", "무엇인가", "무엇이며", "무엇", "뭐예요", "뭔가요",
    "뭐야", "누구입니까", "누구인가요", "누구", "언제인가요", "언제부터", "언제까지",
    "언제", "어디에서", "어디서", "어디", "어떻게", "어떤", "얼마나", "얼마", "어느",
    "몇 개", "되나요", "하나요", "인가요", "있나요", "까요", "입니까", "습니까",
    "합니까", "됩니까", "나요", "해 줘", "해줘", "알려 주세요", "알려주세요", "알려줘",
    "설명해", "是什么", "是什麼", "什么时候", "什麼時候", "为什么", "為什麼",
    "什么", "什麼", "怎么样", "怎么", "怎麼", "如何", "哪些", "哪个", "哪個", "哪里", "哪裡",
    "哪儿", "谁", "誰", "多少", "多久", "几个", "幾個", "吗", "嗎", "呢", "请问",
    "請問", "为何", "為何", "何时", "何時", "是否", "何ですか", "とは何", "なんですか",
    "ですか", "ますか", "でしょうか", "何の", "何が", "何を", "どのように",
    "どのような", "どうやって", "どうすれば", "どこで", "どこ", "どの", "どれ",
    "いつから", "いつまで", "いつ", "なぜ", "どうして", "いくつ", "いくら",
    "教えてください",
};
/* clang-format on */

#endif
