/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal text to double and back.
 *
 * Reading.  The text is w * 10^e with a whole number w.  Three ways, the first that
 * applies:
 *   1. w fits in 53 bits and |e| <= 22: w and 10^|e| are doubles, so one multiplication
 *      or division rounds correctly (Clinger 1990).
 *   2. w has at most 19 digits and |e| <= 27: w * 5^e is computed in 128 bits, exactly
 *      or with the knowledge whether something was left over, and rounded once.
 *   3. strtod, on digits and exponent only, so that no locale can interfere.
 *
 * Printing.  Up to 15 digits: w / 10^k is tried for growing k until it is the value.
 * Else 16 digits, computed exactly in 128 bits, if they read back, else 17.  What is
 * very large or very small goes through snprintf.
 */
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

enum {
    EXACT_POWER = 22,  /* 10^22 is the largest power of ten that is a double */
    MOST_FIVES = 27,   /* 5^27 < 2^64 */
    MOST_DIGITS = 19,  /* any such number fits in 64 bits */
    KEPT_DIGITS = 800, /* the 768th digit is the last that can decide alone */
    LONGEST_ODD = 400  /* characters of inf, nan and hexadecimal numbers */
};

static const double power_of_ten[EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* A decimal number as it stands in the text. */
typedef struct decimal {
    const char *whole; /* digits before the point */
    const char *whole_end;
    const char *part; /* digits behind it */
    const char *part_end;
    uint64_t mantissa; /* all of them as one number; overflows beyond 19 digits */
    int64_t exponent;  /* the value is mantissa * 10^exponent */
    bool is_negative;
} decimal;

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') <= 9;
}

/* ---- rounding in 128 bits ---- */

#if ASSAY_HAS_U128

static const uint64_t power_of_five[MOST_FIVES + 1] = {
    UINT64_C(1),
    UINT64_C(5),
    UINT64_C(25),
    UINT64_C(125),
    UINT64_C(625),
    UINT64_C(3125),
    UINT64_C(15625),
    UINT64_C(78125),
    UINT64_C(390625),
    UINT64_C(1953125),
    UINT64_C(9765625),
    UINT64_C(48828125),
    UINT64_C(244140625),
    UINT64_C(1220703125),
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

/* The double nearest to (top + a bit less than 1 if has_rest) * 2^exponent, ties to even.
 * `top` has at least 62 bits and the result is a normal number. */
static double round_to_double(uint64_t top, int exponent, bool has_rest)
{
    int shift = ASSAY_LEADING_ZEROS(top);
    uint64_t mantissa;
    uint64_t below;
    uint64_t bits;
    double value;

    top <<= shift;
    exponent -= shift;
    mantissa = top >> 11;
    below = top & 0x7FF;
    if (below > 0x400 || (below == 0x400 && (has_rest || (mantissa & 1))))
        mantissa++;
    /* The leading one of the mantissa adds 1 to the exponent field, a carry another. */
    bits = ((uint64_t)(exponent + 11 + 52 + 1022) << 52) + mantissa;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* w * 10^exponent for w > 0 and an exponent of at most MOST_FIVES either way. */
static double scale(uint64_t w, int exponent)
{
    int shift = ASSAY_LEADING_ZEROS(w);

    w <<= shift;
    if (exponent >= 0) {
        assay_u128 product = (assay_u128)w * power_of_five[exponent];
        uint64_t high = (uint64_t)(product >> 64);
        uint64_t low = (uint64_t)product;
        int up = high ? ASSAY_LEADING_ZEROS(high) : 64;

        if (up == 64)
            return round_to_double(low, exponent - shift, false);
        product <<= up;
        return round_to_double((uint64_t)(product >> 64), exponent - shift + 64 - up,
                               (uint64_t)product != 0);
    } else {
        uint64_t five = power_of_five[-exponent];
        int up = ASSAY_LEADING_ZEROS(five);
        /* The divisor has its top bit set and w / 2 is smaller: 63 or 64 bits. */
        assay_u128 dividend = (assay_u128)w << 63;
        uint64_t quotient = (uint64_t)(dividend / (five << up));

        return round_to_double(quotient, exponent - shift - 63 + up,
                               (assay_u128)quotient * (five << up) != dividend);
    }
}

#endif

/* ---- reading ---- */

#if ASSAY_HAS_WORD_SCAN

static inline bool is_eight_digits(uint64_t word)
{
    return ((word & UINT64_C(0xF0F0F0F0F0F0F0F0)) |
            (((word + UINT64_C(0x0606060606060606)) & UINT64_C(0xF0F0F0F0F0F0F0F0)) >>
             4)) == UINT64_C(0x3333333333333333);
}

/* Pairs, then fours, then eight digits are put together by multiplication. */
static inline uint64_t eight_digits(uint64_t word)
{
    word -= UINT64_C(0x3030303030303030);
    word = word * 10 + (word >> 8);
    return (((word & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
             (word >> 16 & UINT64_C(0x000000FF000000FF)) *
                 UINT64_C(0x0000271000000001)) >>
            32) &
           UINT64_C(0xFFFFFFFF);
}

#endif

static inline const char *scan_digits(const char *p, const char *end, uint64_t *mantissa)
{
    uint64_t m = *mantissa;

#if ASSAY_HAS_WORD_SCAN
    while (end - p >= 8) {
        uint64_t word;

        memcpy(&word, p, 8);
        if (!is_eight_digits(word))
            break;
        m = m * 100000000 + eight_digits(word);
        p += 8;
    }
#endif
    for (; p < end && is_digit(*p); p++)
        m = m * 10 + (uint64_t)(*p - '0');
    *mantissa = m;
    return p;
}

/* The exponent at p, which stands on an 'e', if it is one; else p is the end. */
static const char *scan_exponent(const char *p, const char *end, int64_t *exponent)
{
    const char *digits = p + 1;
    bool is_negative = digits < end && *digits == '-';
    int64_t value = 0;

    digits += digits < end && (*digits == '-' || *digits == '+');
    if (digits == end || !is_digit(*digits))
        return p;
    for (p = digits; p < end && is_digit(*p); p++)
        if (value < INT64_C(1000000000000000))
            value = value * 10 + (*p - '0');
    *exponent += is_negative ? -value : value;
    return p;
}

/* Copy digits behind the `n` that `to` holds, without leading zeros and at most
 * KEPT_DIGITS in all.  *n_dropped counts those that were left out. */
static size_t keep_digits(const char *p, const char *end, char *to, size_t n,
                          int64_t *n_dropped, bool *has_rest)
{
    for (; p < end; p++) {
        if (n == KEPT_DIGITS) {
            ++*n_dropped;
            *has_rest |= *p != '0';
        } else if (n || *p != '0') {
            to[n++] = *p;
        }
    }
    return n;
}

static ASSAY_NOINLINE double read_slow(const decimal *d)
{
    char text[KEPT_DIGITS + 40];
    int64_t exponent = d->exponent;
    int64_t n_dropped = 0;
    bool has_rest = false;
    size_t n = keep_digits(d->whole, d->whole_end, text, 0, &n_dropped, &has_rest);

    n = keep_digits(d->part, d->part_end, text, n, &n_dropped, &has_rest);
    if (n == 0)
        return 0;
    exponent += n_dropped;
    if (has_rest) {
        /* All that the digits left out can do is to tell a tie from more than a tie. */
        text[n++] = '1';
        exponent--;
    }
    if (exponent > 99999)
        exponent = 99999;
    if (exponent < -99999)
        exponent = -99999;
    snprintf(text + n, sizeof text - n, "e%d", (int)exponent);
    return strtod(text, NULL);
}

static inline double read_decimal(const decimal *d)
{
    const char *p = d->whole;
    int64_t n = (d->whole_end - d->whole) + (d->part_end - d->part);
    int64_t e = d->exponent;

    if (n > MOST_DIGITS) {
        for (; p < d->whole_end && *p == '0'; p++)
            n--;
        if (p == d->whole_end)
            for (p = d->part; p < d->part_end && *p == '0'; p++)
                n--;
    }
    if (ASSAY_UNLIKELY(n > MOST_DIGITS))
        return read_slow(d);
    if (ASSAY_LIKELY(d->mantissa <= (uint64_t)1 << 53)) {
        if (e <= 0 && e >= -EXACT_POWER)
            return (double)d->mantissa / power_of_ten[-e];
        if (e > 0 && e <= EXACT_POWER)
            return (double)d->mantissa * power_of_ten[e];
        if (d->mantissa == 0)
            return 0;
    }
#if ASSAY_HAS_U128
    if (e >= -MOST_FIVES && e <= MOST_FIVES)
        return scale(d->mantissa, (int)e);
#endif
    return read_slow(d);
}

/* What strtod takes beyond decimals. */
static const char *scan_odd(const char *p, const char *end, double *out)
{
    char copy[LONGEST_ODD];
    size_t n = 0;
    double value;
    char *stop;

    while (n < sizeof copy - 1 && p + n < end && (unsigned char)p[n] > ' ') {
        copy[n] = p[n];
        n++;
    }
    copy[n] = '\0';
    value = strtod(copy, &stop);
    if (stop > copy)
        *out = value;
    return p + (stop - copy);
}

const char *assay_number_scan(const char *p, const char *end, bool is_lenient,
                              double *out)
{
    const char *start = p;
    decimal d = {.is_negative = p < end && *p == '-'};
    double value;

    p += p < end && (*p == '-' || *p == '+');
    d.whole = p;
    p = scan_digits(p, end, &d.mantissa);
    d.whole_end = d.part = d.part_end = p;
    if (p < end && *p == '.') {
        d.part = p + 1;
        d.part_end = p = scan_digits(p + 1, end, &d.mantissa);
        d.exponent = -(d.part_end - d.part);
    }
    if (d.whole_end == d.whole && d.part_end == d.part)
        return is_lenient ? scan_odd(start, end, out) : start;
    if (p < end && (*p | 0x20) == 'x' && is_lenient && p == d.whole + 1 &&
        *d.whole == '0')
        return scan_odd(start, end, out);
    if (p < end && (*p | 0x20) == 'e')
        p = scan_exponent(p, end, &d.exponent);
    value = read_decimal(&d);
    *out = d.is_negative ? -value : value;
    return p;
}

bool assay_number_read(assay_slice s, double *out)
{
    double value = 0;

    if (!s.len || assay_number_scan(s.ptr, s.ptr + s.len, false, &value) != s.ptr + s.len)
        return false;
    if (!isfinite(value))
        return false;
    *out = value;
    return true;
}

/* ---- printing ---- */

/* w / 10^k without trailing zeros behind the point. */
static size_t print_plain(uint64_t w, int k, bool is_negative, char *text)
{
    char digit[24];
    int n = 0;
    char *to = text;

    for (; k > 0 && w % 10 == 0; k--)
        w /= 10;
    for (; w || n <= k; w /= 10)
        digit[n++] = (char)('0' + w % 10);
    if (is_negative)
        *to++ = '-';
    while (n > 0) {
        if (n == k)
            *to++ = '.';
        *to++ = digit[--n];
    }
    *to = '\0';
    return (size_t)(to - text);
}

#if ASSAY_HAS_U128

/* value * 10^k to the nearest whole number, ties to even; both such that it has 16 or
 * 17 digits. */
static uint64_t scaled(uint64_t mantissa, int exponent, int k)
{
    assay_u128 product = (assay_u128)mantissa * power_of_five[k];
    int shift = -(exponent + k);
    uint64_t whole = (uint64_t)(product >> shift);
    assay_u128 rest = product - ((assay_u128)whole << shift);
    assay_u128 half = (assay_u128)1 << (shift - 1);

    return whole + (rest > half || (rest == half && (whole & 1)));
}

/* A value from 1e-4 to below 1e15, where %g writes no exponent and all powers that
 * are needed are exact. */
static size_t print_common(double value, bool is_negative, char *text)
{
    uint64_t bits;
    uint64_t mantissa;
    uint64_t w;
    int exponent;
    int k;

    memcpy(&bits, &value, sizeof bits);
    mantissa = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    exponent = (int)(bits >> 52) - 1075;

    /* The most decimals that make no more than 15 digits; 1233 / 4096 is log10(2). */
    k = 14 - (((exponent + 52) * 1233) >> 12);
    k -= value * power_of_ten[k] >= 1e15;
    w = (uint64_t)(value * power_of_ten[k] + 0.5);
    if ((double)w / power_of_ten[k] == value)
        return print_plain(w, k, is_negative, text);
    w = scaled(mantissa, exponent, k + 1);
    if (scale(w, -(k + 1)) == value)
        return print_plain(w, k + 1, is_negative, text);
    return print_plain(scaled(mantissa, exponent, k + 2), k + 2, is_negative, text);
}

#endif

/* Some locales write the decimal point otherwise. */
static void fix_point(char *text)
{
    char *p = text + (*text == '-');
    char *rest;

    while (is_digit(*p))
        p++;
    if (*p == '\0' || *p == 'e')
        return;
    for (rest = p; *rest && !is_digit(*rest); rest++)
        ;
    *p = '.';
    memmove(p + 1, rest, strlen(rest) + 1);
}

size_t assay_number_print(double value, char text[ASSAY_NUMBER_TEXT])
{
    double size = fabs(value);
    /* 15 digits survive the way to double and back, except among subnormal ones. */
    int digits = size < 2.2250738585072014e-308 ? 1 : 15;

    if (!isfinite(value)) {
        const char *name = isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";

        return (size_t)snprintf(text, ASSAY_NUMBER_TEXT, "%s", name);
    }
#if ASSAY_HAS_U128
    if (size >= 1e-4 && size < 1e15)
        return print_common(size, value < 0, text);
#endif
    for (; digits <= 17; digits++) {
        double again = 0;

        /* The bound is for the compiler: 17 digits never need more than 25 bytes. */
        (void)snprintf(text, ASSAY_NUMBER_TEXT, "%.*g", digits < 17 ? digits : 17, value);
        fix_point(text);
        if (assay_number_read((assay_slice){text, strlen(text)}, &again) &&
            again == value)
            break;
    }
    return strlen(text);
}
