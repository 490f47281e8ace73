/* SPDX-License-Identifier: Apache-2.0 */
/* Reading is held against strtod, printing against snprintf: both are exact in the C
 * library we test with. */
#include "base/number.h"

#include <float.h>
#include <locale.h>

#include "base/slice.h"
#include "testing.h"

static uint64_t state = 88172645463325252;

/* xorshift64 (Marsaglia 2003) */
static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static uint64_t below(uint64_t n)
{
    return next() % n;
}

/* From 0 to 1, all 53 bits. */
static double unit(void)
{
    return (double)(next() >> 11) * 0x1p-53;
}

static double any_finite(void)
{
    for (;;) {
        uint64_t bits = next();
        double value;

        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            return value;
    }
}

static void reads_as_strtod(const char *text)
{
    size_t len = strlen(text);
    char *stop;
    double want = strtod(text, &stop);
    double got = 0;
    const char *end = assay_number_scan(text, text + len, false, &got);

    /* Bits, not values: 0 and -0 are not the same. */
    if (end != stop || memcmp(&got, &want, sizeof got) != 0)
        check_failed(__FILE__, __LINE__, "'%s' is %.17g to %zu, want %.17g to %zu", text,
                     got, (size_t)(end - text), want, (size_t)(stop - text));
}

TEST(random_digits_read_as_by_strtod)
{
    for (int i = 0; i < 1000000; i++) {
        char text[64];
        size_t n_digits = 1 + below(24);
        size_t point = below(n_digits + 1);
        size_t n = 0;

        if (below(2))
            text[n++] = below(2) ? '-' : '+';
        for (size_t d = 0; d < n_digits; d++) {
            if (d == point)
                text[n++] = '.';
            text[n++] = (char)('0' + below(10));
        }
        text[n] = '\0';
        if (below(3) == 0)
            snprintf(text + n, sizeof text - n, "e%d", (int)below(80) - 40);
        else if (below(20) == 0)
            snprintf(text + n, sizeof text - n, "E%+d", (int)below(800) - 400);
        reads_as_strtod(text);
    }
}

TEST(random_doubles_read_back_with_any_number_of_digits)
{
    for (int i = 0; i < 200000; i++) {
        char text[64];
        double value = any_finite();

        snprintf(text, sizeof text, "%.17g", value);
        CHECK(strtod(text, NULL) == value);
        reads_as_strtod(text);
        snprintf(text, sizeof text, "%.*g", (int)below(20) + 1, value);
        reads_as_strtod(text);
        snprintf(text, sizeof text, "%.17g", unit());
        reads_as_strtod(text);
        snprintf(text, sizeof text, "%.*f", (int)below(24), unit() * 1000);
        reads_as_strtod(text);
    }
}

TEST(ties_are_rounded_to_even)
{
    for (int i = 0; i < 200000; i++) {
        char text[64];
        uint64_t m = ((uint64_t)1 << 53 | next() >> 11) & (((uint64_t)1 << 54) - 1);

        /* Odd and of 54 bits: exactly between two doubles, and one off on each side. */
        m |= (uint64_t)1 << 53 | 1;
        snprintf(text, sizeof text, "%llu", (unsigned long long)m << below(10));
        reads_as_strtod(text);
        snprintf(text, sizeof text, "%llu", (unsigned long long)(m << 9) + below(3) - 1);
        reads_as_strtod(text);
        snprintf(text, sizeof text, "%.*f", 20, ldexp((double)(m >> 1), -(int)below(20)));
        reads_as_strtod(text);
    }
}

TEST(a_mantissa_beyond_64_bits_does_not_wrap)
{
    /* 2^64 has 20 digits; its remainder modulo 2^64 is 0. */
    reads_as_strtod("18446744073709551616");
    reads_as_strtod("18446744073709551617");
    reads_as_strtod("0.18446744073709551616");
    reads_as_strtod("184467440737095516160000");
    reads_as_strtod("9999999999999999999");
    reads_as_strtod("99999999999999999999");
    reads_as_strtod("0000000000000000000000000000001.5");
    reads_as_strtod("0.00000000000000000000000000000015");
}

TEST(very_long_numbers_are_exact)
{
    enum { LONG = 5000 };
    static char text[LONG + 20];

    /* Half an ulp above 1 is 1 + 2^-53: with zeros behind it a tie, with a 1 at the far
     * end more than one. */
    memset(text, '0', LONG);
    memcpy(text, "1.00000000000000011102230246251565404236316680908203125", 55);
    text[LONG] = '\0';
    reads_as_strtod(text);
    text[LONG - 1] = '1';
    reads_as_strtod(text);
    memset(text, '0', LONG);
    text[1] = '.';
    memcpy(text + LONG, "17e4990", 8);
    reads_as_strtod(text);
    memset(text, '9', LONG);
    memcpy(text + LONG, "e-4990", 7);
    reads_as_strtod(text);
    memset(text, '1', LONG);
    text[LONG] = '\0';
    reads_as_strtod(text);
}

TEST(the_edges_of_the_range_read_as_by_strtod)
{
    static const char *const text[] = {
        "0",
        "-0",
        "0.0",
        "-0.0e5",
        "0e999999999999999999999",
        "1e308",
        "1e309",
        "-1e309",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992e22",
        "9007199254740993e22",
        "1e27",
        "1e28",
        "1e-27",
        "1e-28",
        "9999999999999999999e27",
        "9999999999999999999e-27",
        "1e+5",
        "1.e5",
        ".5",
        "5.",
        "+1.5",
        "1e99999999999999999999",
        "1e-99999999999999999999",
    };

    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        reads_as_strtod(text[i]);
}

TEST(a_number_ends_where_strtod_ends_it)
{
    static const char *const text[] = {
        "1e", "1e+", "1e-x", "1.5.5", "1 2", "12,5", "1-1", "5.e", "1e5e5", "1..2", "7x",
    };

    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        reads_as_strtod(text[i]);
}

TEST(what_is_no_number_is_left_alone)
{
    static const char *const text[] = {"",    "-", "+",  ".",   "-.",  "e5",
                                       ".e5", "x", " 1", "inf", "nan", "--1"};

    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        double value = 42;

        CHECK(assay_number_scan(text[i], text[i] + strlen(text[i]), false, &value) ==
              text[i]);
        CHECK(value == 42);
    }
}

TEST(numbers_end_with_the_slice)
{
    static const char text[] = "123456789.123456789";

    for (size_t len = 1; len < sizeof text; len++) {
        char *copy = malloc(len); /* so that reading beyond it is seen */
        char terminated[30];
        double value = 0;

        CHECK(copy != NULL);
        memcpy(copy, text, len);
        snprintf(terminated, sizeof terminated, "%.*s", (int)len, text);
        CHECK(assay_number_scan(copy, copy + len, false, &value) == copy + len);
        CHECK(value == strtod(terminated, NULL));
        free(copy);
    }
}

TEST(lenient_scans_take_what_strtod_takes)
{
    static const char *const text[] = {"inf",  "-inf",    "infinity", "INF", "0x1p3",
                                       "0X1F", "-0x.8p1", "0x",       "0xg", "1x"};

    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        double value = 42;
        char *stop;
        double want = strtod(text[i], &stop);

        CHECK(assay_number_scan(text[i], text[i] + strlen(text[i]), true, &value) ==
              stop);
        CHECK(value == want);
    }
}

TEST(lenient_scans_take_nan)
{
    static const char text[] = "nan 1";
    double value = 0;

    CHECK(assay_number_scan(text, text + 5, true, &value) == text + 3);
    CHECK(isnan(value));
}

TEST(a_whole_slice_is_a_finite_number_or_none)
{
    double value = 42;

    CHECK(assay_number_read(ASSAY_LIT("-2.5e1"), &value) && value == -25.0);
    CHECK(!assay_number_read(ASSAY_LIT(""), &value));
    CHECK(!assay_number_read(ASSAY_LIT("1 "), &value));
    CHECK(!assay_number_read(ASSAY_LIT(" 1"), &value));
    CHECK(!assay_number_read(ASSAY_LIT("1e999"), &value));
    CHECK(!assay_number_read(ASSAY_LIT("inf"), &value));
    CHECK(!assay_number_read(ASSAY_LIT("nan"), &value));
    CHECK(!assay_number_read(ASSAY_LIT("0x10"), &value));
    CHECK(value == -25.0);
}

static void prints(double value, const char *want)
{
    char text[ASSAY_NUMBER_TEXT];

    CHECK_INT(assay_number_print(value, text), strlen(want));
    CHECK_STR(text, want);
}

TEST(numbers_are_printed_with_the_fewest_digits)
{
    prints(0.0, "0");
    prints(-0.0, "-0");
    prints(1.0, "1");
    prints(-1.5, "-1.5");
    prints(0.1, "0.1");
    prints(0.1 + 0.2, "0.30000000000000004");
    prints(1.0 / 3, "0.3333333333333333");
    prints(2.0 / 3, "0.6666666666666666");
    prints(100000, "100000");
    prints(123456789012345.0, "123456789012345");
    prints(1e15, "1e+15");
    prints(1e22, "1e+22");
    prints(0.0001, "0.0001");
    prints(0.00001, "1e-05");
    prints(1e-7, "1e-07");
    prints(5e-324, "5e-324");
    prints(DBL_MAX, "1.7976931348623157e+308");
    prints(9007199254740993.0, "9007199254740992");
    prints(NAN, "nan");
    prints(INFINITY, "inf");
    prints(-INFINITY, "-inf");
}

/* One that is easy, hard, small, large or odd. */
static double sample(int i)
{
    switch (i % 6) {
    case 0: return any_finite();
    case 1: return unit();
    case 2: return (double)below(100000000) / 1e6;
    case 3: return ldexp((double)(next() >> 11), -(int)below(70));
    case 4: return -(double)below(1000) / (double)(below(1000) + 1);
    default: return (double)below(1000) * pow(10, (double)below(40) - 20);
    }
}

TEST(printed_numbers_read_back_and_none_is_shorter)
{
    for (int i = 0; i < 300000; i++) {
        double value = sample(i);
        char text[ASSAY_NUMBER_TEXT];
        char other[64];
        double again = 0;
        int digits = 1;

        CHECK(assay_number_print(value, text) == strlen(text));
        CHECK(assay_number_read(assay_slice_of(text), &again));
        if (memcmp(&again, &value, sizeof value) != 0)
            check_failed(__FILE__, __LINE__, "%.17g became %s", value, text);
        for (; digits <= 17; digits++) {
            snprintf(other, sizeof other, "%.*g", digits, value);
            if (strtod(other, NULL) == value)
                break;
        }
        /* With up to 15 digits, so many are asked for: that decides on the exponent. */
        if (fabs(value) >= DBL_MIN)
            snprintf(other, sizeof other, "%.*g", digits < 15 ? 15 : digits, value);
        if (value != 0)
            CHECK_STR(text, other);
    }
}

TEST(a_comma_in_the_locale_changes_nothing)
{
    static const char *const name[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                       "de_DE"};
    double value = 0;
    size_t i = 0;

    while (i < 4 && !setlocale(LC_NUMERIC, name[i]))
        i++;
    if (i == 4)
        SKIP("no locale with a comma is installed");
    prints(0.5, "0.5");
    prints(1.5e300, "1.5e+300");
    prints(1.5e-9, "1.5e-09");
    CHECK(assay_number_read(ASSAY_LIT("1.5e300"), &value) && value == 1.5e300);
    CHECK(assay_number_read(ASSAY_LIT("123456789.0123456789012345"), &value));
    CHECK(value == 123456789.0123456789012345);
    setlocale(LC_NUMERIC, "C");
}

TEST(short_scores_read_as_strtod_reads_them_or_not_at_all)
{
    /* Room before the number, with things that must not be taken for a part of it. */
    static const char *const before[] = {"q1 Q0 doc 1 ", "q Q d.txt 10 ",
                                         "1.5 2.5 3.5 1 "};
    uint64_t seed = 7;

    for (int round = 0; round < 300000; round++) {
        char text[64];
        double got = -12345;
        size_t start;
        int decimals;

        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        decimals = (int)(seed >> 60);
        start = (size_t)snprintf(text, sizeof text, "%s", before[round % 3]);
        snprintf(text + start, sizeof text - start, "%s%.*f", seed >> 33 & 1 ? "-" : "",
                 decimals, (double)(seed >> 34 & 0xfffffff) / (1 << (seed >> 8 & 15)));
        if (assay_number_short(text + start, text + strlen(text), &got))
            CHECK_NEAR(got, strtod(text + start, NULL), 0);
        else
            CHECK_NEAR(got, -12345, 0);
    }
}

TEST(short_scores_leave_everything_unusual_alone)
{
    static const char *const odd[] = {
        "12",   ".5",          "1.",         "1e5",   "1.2.3", "--1.0", "1.5x",
        "+1.5", "x1.5",        "1,5",        "1.5e3", "inf",   "nan",   "0x1.8",
        "-",    "123456789.5", "1.23456789", "1. 5",  ""};
    char text[64];

    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        double got = -12345;

        snprintf(text, sizeof text, "q1 Q0 document 1 %s", odd[i]);
        CHECK(!assay_number_short(text + 17, text + strlen(text), &got));
        CHECK_NEAR(got, -12345, 0);
    }
}
