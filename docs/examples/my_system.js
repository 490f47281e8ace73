// assay run --golden golden.yaml --system 'cmd:node my_system.js FOLDER'
const fs = require("fs"), root = process.argv[2];
const words = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
const files = fs.readdirSync(root, { recursive: true }).filter((name) => name.endsWith(".md"));
const docs = files.map((name) => [name, words(fs.readFileSync(root + "/" + name, "utf8"))]);

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const ask = JSON.parse(line), want = [...words(ask.query)];
  const hits = docs.map(([doc_id, has]) => ({ doc_id, score: want.filter((w) => has.has(w)).length }));
  hits.sort((a, b) => b.score - a.score);
  console.log(JSON.stringify({ id: ask.id, hits: hits.filter((h) => h.score).slice(0, ask.k) }));
});
