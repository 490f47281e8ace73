# Blanks out comments and what is inside strings and character constants, keeping lines and
# columns, so that a search for a word finds code only. Prints file:line:text.
FNR == 1 { in_comment = 0 }
{
    out = ""
    n = length($0)
    quote = ""
    for (i = 1; i <= n; i++) {
        c = substr($0, i, 1)
        two = substr($0, i, 2)
        if (in_comment) {
            if (two == "*/") { in_comment = 0; i++; out = out " " }
            out = out " "
        } else if (quote != "") {
            if (c == "\\") { i++; out = out "  " }
            else if (c == quote) { quote = ""; out = out c }
            else out = out " "
        } else if (two == "/*") { in_comment = 1; i++; out = out "  " }
        else if (two == "//") break
        else {
            if (c == "\"" || c == "'") quote = c
            out = out c
        }
    }
    print FILENAME ":" FNR ":" out
}
