"$ASSAY" retriever list
"$ASSAY" retriever show hybrid
"$ASSAY" embedder show ollama
"$ASSAY" retriever show nothing
