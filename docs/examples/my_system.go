// go build my_system.go; assay run --golden golden.yaml --system 'cmd:./my_system FOLDER'
package main

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"regexp"
	"sort"
	"strings"
)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range regexp.MustCompile(`[\pL\pN_]+`).FindAllString(strings.ToLower(text), -1) {
		set[w] = true
	}
	return set
}

func main() {
	root, docs := os.DirFS(os.Args[1]), map[string]map[string]bool{}
	fs.WalkDir(root, ".", func(path string, _ fs.DirEntry, err error) error {
		text, _ := fs.ReadFile(root, path)
		docs[path] = words(string(text))
		return err
	})
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		ask, hits := map[string]any{}, []map[string]any{}
		json.Unmarshal(in.Bytes(), &ask)
		for path, has := range docs {
			score := 0.0
			for w := range words(ask["query"].(string)) {
				if has[w] {
					score++
				}
			}
			if score > 0 {
				hits = append(hits, map[string]any{"doc_id": path, "score": score})
			}
		}
		sort.Slice(hits, func(i, j int) bool { return hits[i]["score"].(float64) > hits[j]["score"].(float64) })
		hits = hits[:min(int(ask["k"].(float64)), len(hits))]
		json.NewEncoder(os.Stdout).Encode(map[string]any{"id": ask["id"], "hits": hits})
	}
}
