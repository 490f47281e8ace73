cd "$FIX/golden/trec" && "$ASSAY" golden check good_topics.qrels --topics good_topics.qrels.topics
