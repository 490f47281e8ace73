# TEST(name) at the start of a line -> LISTED(name), for tests/unit/testing.h.
match($0, /^TEST\([A-Za-z0-9_]+\)/) { print "LISTED(" substr($0, 6, RLENGTH - 6) ")" }
