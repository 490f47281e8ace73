/* SPDX-License-Identifier: Apache-2.0 */
/* Source code and files of settings: the file's bytes as they are, and the language, known
 * by the name of the file or by its first line. */
#include <string.h>

#include "base/compiler.h"
#include "base/slice.h"
#include "corpus/doc_name.h"
#include "corpus/document.h"

typedef struct language {
    const char *name;
    const char *endings;  /* "c|h", or null */
    const char *files;    /* whole names, in lower case, or null */
    const char *programs; /* in a first line "#!...", or null */
} language;

static const language languages[] = {
    {"ada", "adb|ads", NULL, NULL},
    {"assembly", "s|asm", NULL, NULL},
    {"awk", "awk", NULL, "awk|gawk|mawk"},
    {"batch", "bat|cmd", NULL, NULL},
    {"c", "c|h", NULL, "tcc"},
    {"clojure", "clj|cljs|cljc|edn", NULL, NULL},
    {"cmake", "cmake", "cmakelists.txt", NULL},
    {"cpp", "cc|cpp|cxx|c++|hh|hpp|hxx|h++|ipp|tpp|inl", NULL, NULL},
    {"csharp", "cs|csx", NULL, NULL},
    {"css", "css|scss|sass|less", NULL, NULL},
    {"cuda", "cu|cuh", NULL, NULL},
    {"d", "d", NULL, NULL},
    {"dart", "dart", NULL, NULL},
    {"diff", "diff|patch", NULL, NULL},
    {"dockerfile", "dockerfile", "dockerfile|containerfile", NULL},
    {"elixir", "ex|exs", NULL, "elixir"},
    {"elm", "elm", NULL, NULL},
    {"erlang", "erl|hrl", "rebar.config", "escript"},
    {"fortran", "f|for|f77|f90|f95|f03|f08", NULL, NULL},
    {"fsharp", "fs|fsi|fsx", NULL, NULL},
    {"glsl", "glsl|vert|frag", NULL, NULL},
    {"go", "go", "go.mod|go.sum", NULL},
    {"graphql", "graphql|gql", NULL, NULL},
    {"groovy", "groovy|gradle", "jenkinsfile", "groovy"},
    {"haskell", "hs|lhs", NULL, "runhaskell|runghc"},
    {"hcl", "tf|hcl|tfvars", NULL, NULL},
    {"idl", "idl|thrift|proto|capnp", NULL, NULL},
    {"ini", "ini|cfg|conf|properties|env|service", NULL, NULL},
    {"java", "java", NULL, NULL},
    {"javascript", "js|mjs|cjs|jsx", NULL, "node|deno|bun"},
    {"json", "json|jsonl|ndjson|json5|jsonc|geojson|ipynb|webmanifest", NULL, "jq"},
    {"julia", "jl", NULL, "julia"},
    {"kotlin", "kt|kts", NULL, NULL},
    {"lisp", "lisp|lsp|cl|el", NULL, "sbcl"},
    {"lua", "lua", NULL, "lua|luajit"},
    {"make", "mk|mak|make", "makefile|gnumakefile", "make"},
    {"matlab", "mlx", NULL, NULL},
    {"meson", NULL, "meson.build|meson_options.txt", NULL},
    {"nim", "nim|nims", NULL, NULL},
    {"nix", "nix", NULL, NULL},
    {"objective-c", "m|mm", NULL, NULL},
    {"ocaml", "ml|mli", NULL, "ocaml"},
    {"pascal", "pas|pp|dpr", NULL, NULL},
    {"perl", "pl|pm|t|pod", NULL, "perl"},
    {"php", "php|phtml", NULL, "php"},
    {"powershell", "ps1|psm1|psd1", NULL, "pwsh"},
    {"prolog", "pro", NULL, "swipl"},
    {"python", "py|pyi|pyw|pyx", NULL, "python|python2|python3|pypy|pypy3"},
    {"r", "r", NULL, "rscript"},
    {"racket", "rkt", NULL, "racket"},
    {"ruby", "rb|rake|gemspec|erb", "rakefile|gemfile|vagrantfile|podfile", "ruby"},
    {"rust", "rs", NULL, NULL},
    {"scala", "scala|sc|sbt", NULL, "scala"},
    {"scheme", "scm|ss", NULL, "guile"},
    {"shell", "sh|bash|zsh|ksh|fish|bats", "pkgbuild",
     "sh|bash|zsh|ksh|dash|ash|fish|bats"},
    {"solidity", "sol", NULL, NULL},
    {"sql", "sql|psql|ddl", NULL, "psql|sqlite3"},
    {"starlark", "bzl|bazel|star", "build|workspace|module.bazel", NULL},
    {"svelte", "svelte", NULL, NULL},
    {"swift", "swift", NULL, "swift"},
    {"tcl", "tcl|tk", NULL, "tclsh|wish|expect"},
    {"toml", "toml", "cargo.lock|poetry.lock", NULL},
    {"typescript", "ts|tsx|mts|cts", NULL, "ts-node|tsx"},
    {"verilog", "v|vh|sv|svh", NULL, NULL},
    {"vhdl", "vhd|vhdl", NULL, NULL},
    {"vim", "vim", NULL, NULL},
    {"visual-basic", "vb|vbs|bas", NULL, NULL},
    {"vue", "vue", NULL, NULL},
    {"wgsl", "wgsl", NULL, NULL},
    {"xml", "xml|xsd|xsl|xslt|svg|rss|atom|plist|csproj|vcxproj", NULL, NULL},
    {"yaml", "yaml|yml", NULL, NULL},
    {"zig", "zig", NULL, NULL},
};

/* The program that "#!/usr/bin/env -S python3 -u" names, without path or version: "python3";
 * "" when the first line is no such line. */
static assay_slice shebang(assay_slice head)
{
    const char *end;
    assay_slice word;

    if (!assay_slice_starts(head, "#!"))
        return ASSAY_LIT("");
    end = memchr(head.ptr, '\n', head.len);
    head.len = end ? (size_t)(end - head.ptr) : head.len;
    head.ptr += 2;
    head.len -= 2;
    for (head = assay_slice_trim(head); head.len; head = assay_slice_trim(head)) {
        size_t n = 0;

        while (n < head.len && head.ptr[n] != ' ' && head.ptr[n] != '\t')
            n++;
        word = (assay_slice){head.ptr, n};
        head.ptr += n;
        head.len -= n;
        for (size_t i = 0; i < n; i++)
            if (head.ptr[-1 - (ptrdiff_t)i] == '/') {
                word = (assay_slice){head.ptr - i, i};
                break;
            }
        /* `env`, its options and its settings stand before the program. */
        if (!assay_slice_is(word, "env") && !assay_slice_starts(word, "-") &&
            !memchr(word.ptr, '=', word.len))
            return word;
    }
    return ASSAY_LIT("");
}

/* Digits and points at the end are a version: python3.11, lua5.4. */
static assay_slice without_version(assay_slice program)
{
    while (program.len &&
           (program.ptr[program.len - 1] == '.' ||
            (program.ptr[program.len - 1] >= '0' && program.ptr[program.len - 1] <= '9')))
        program.len--;
    return program;
}

static bool is_program(const language *l, assay_slice program)
{
    return program.len && l->programs &&
           (assay_doc_is_one_of(program, l->programs) ||
            assay_doc_is_one_of(without_version(program), l->programs));
}

/* How sure, and of which language. */
static int find_language(const assay_doc_source *source, const char **name)
{
    assay_slice file = assay_doc_name(source);
    assay_slice ending = assay_doc_ending(source);
    assay_slice program = shebang(assay_doc_head(source));
    int best = 0;

    for (size_t i = 0; i < ASSAY_COUNT(languages); i++) {
        const language *l = &languages[i];
        int sure = 0;

        if (l->files && assay_doc_is_one_of(file, l->files))
            sure = 75;
        else if (ending.len && l->endings && assay_doc_is_one_of(ending, l->endings))
            sure = 70;
        else if (is_program(l, program))
            sure = 50;
        if (sure > best) {
            best = sure;
            *name = l->name;
        }
    }
    /* Dockerfile.release and the like. */
    if (!best && assay_slice_starts(file, "Dockerfile.")) {
        *name = "dockerfile";
        return 65;
    }
    return best;
}

static int sniff_code(const assay_doc_source *source)
{
    const char *name;

    return find_language(source, &name);
}

static assay_status read_code(const assay_doc_source *source, assay_doc_sink *emit,
                              void *ctx, assay_error *err)
{
    const char *name = "";

    find_language(source, &name);
    return assay_doc_whole(source, ASSAY_FORM_CODE, assay_slice_of(name), ASSAY_LIT(""),
                           emit, ctx, err);
}

const assay_doc_reader assay_doc_reader_code = {
    .name = "code",
    .summary = "source code and settings, byte for byte, with their language",
    .sniff = sniff_code,
    .read = read_code,
};
