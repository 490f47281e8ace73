// SPDX-License-Identifier: Apache-2.0
// Lucene on bench/bm25.sh's data: java Bm25Lucene FOLDER N_THREADS [ROUNDS]
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.MMapDirectory;

public class Bm25Lucene {
    interface Work {
        void on(int item) throws Exception;
    }

    static double cpu() {
        return ((com.sun.management.OperatingSystemMXBean)
                ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() * 1e-9;
    }

    static void spread(int nThreads, int n, Work work) throws Exception {
        AtomicInteger next = new AtomicInteger();
        Thread[] threads = new Thread[nThreads];

        for (int t = 0; t < nThreads; t++) {
            threads[t] = new Thread(() -> {
                try {
                    for (int i = next.getAndIncrement(); i < n; i = next.getAndIncrement())
                        work.on(i);
                } catch (Exception e) {
                    throw new RuntimeException(e);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads)
            thread.join();
    }

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        int nThreads = Integer.parseInt(args[1]);
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 3;
        List<String> passages = Files.readAllLines(folder.resolve("passages.txt"));
        List<String> queries = Files.readAllLines(folder.resolve("queries.txt"));
        Path index = Files.createTempDirectory("bm25-lucene");

        long start = System.nanoTime();
        double used = cpu();
        MMapDirectory directory = new MMapDirectory(index);
        IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
        config.setSimilarity(new BM25Similarity(1.5f, 0.75f));
        config.setRAMBufferSizeMB(1000);
        config.setUseCompoundFile(false);
        IndexWriter writer = new IndexWriter(directory, config);
        FieldType type = new FieldType();
        type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
        type.setTokenized(true);
        type.freeze();
        spread(nThreads, passages.size(), i -> {
            Document document = new Document();
            document.add(new Field("text", passages.get(i), type));
            writer.addDocument(document);
        });
        writer.forceMerge(1);
        writer.close();
        System.out.printf("build %.3f%n", (System.nanoTime() - start) * 1e-9);
        System.out.printf("build_cpu %.3f%n", cpu() - used);

        IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(directory));
        searcher.setSimilarity(new BM25Similarity(1.5f, 0.75f));
        searcher.setQueryCache(null);
        for (int k : new int[] {10, 1000}) {
            double best = 1e9;
            double bestCpu = 1e9;
            float[] first = new float[queries.size()];

            // Two more rounds than the others, for the compiler.
            for (int round = 0; round < rounds + 2; round++) {
                start = System.nanoTime();
                used = cpu();
                spread(nThreads, queries.size(), i -> {
                    BooleanQuery.Builder builder = new BooleanQuery.Builder();
                    for (String term : queries.get(i).split(" "))
                        builder.add(new TermQuery(new Term("text", term)),
                                    BooleanClause.Occur.SHOULD);
                    TopScoreDocCollector collector = TopScoreDocCollector.create(k, k);
                    searcher.search(builder.build(), collector);
                    TopDocs top = collector.topDocs();
                    first[i] = top.scoreDocs.length > 0 ? top.scoreDocs[0].score : 0;
                });
                best = Math.min(best, (System.nanoTime() - start) * 1e-9);
                bestCpu = Math.min(bestCpu, cpu() - used);
            }
            double sum = 0;
            for (float f : first)
                sum += f;
            System.out.printf("k%d %.1f%nk%d_cpu %.1f%nsum%d %.6f%n", k, queries.size() / best,
                              k, queries.size() / bestCpu, k, sum);
        }
        try (var files = Files.list(index)) {
            for (Path file : files.toList())
                Files.delete(file);
        }
        Files.delete(index);
    }
}
