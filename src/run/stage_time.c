/* SPDX-License-Identifier: Apache-2.0 */
/* Times as stage events write them: ISO 8601 in the forms that Python reads, a trailing Z
 * included. */
#include <string.h>

#include "base/slice.h"
#include "run/stages.h"

/* `n` digits at *s as a number; moves *s behind them. */
static bool take_digits(assay_slice *s, size_t n, int64_t *out)
{
    *out = 0;
    if (s->len < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned digit = (unsigned)(s->ptr[i] - '0');

        if (digit > 9)
            return false;
        *out = *out * 10 + (int64_t)digit;
    }
    *s = (assay_slice){s->ptr + n, s->len - n};
    return true;
}

static bool take_char(assay_slice *s, const char *any_of)
{
    if (!s->len || !*s->ptr || !strchr(any_of, *s->ptr))
        return false;
    *s = (assay_slice){s->ptr + 1, s->len - 1};
    return true;
}

/* Days from 1970-01-01, by the civil calendar. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool take_date(assay_slice *s, int64_t *us)
{
    static const int64_t longest[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t year, month, day;

    if (!take_digits(s, 4, &year) || !take_char(s, "-") || !take_digits(s, 2, &month) ||
        !take_char(s, "-") || !take_digits(s, 2, &day))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > longest[month - 1])
        return false;
    if (month == 2 && day == 29 && (year % 4 || (year % 100 == 0 && year % 400)))
        return false;
    *us = days_of(year, month, day) * INT64_C(86400000000);
    return true;
}

/* hh:mm[:ss[.ffffff]] */
static bool take_clock(assay_slice *s, int64_t *us)
{
    int64_t hour, minute, second = 0, fraction = 0, scale = 100000, digit;

    if (!take_digits(s, 2, &hour) || !take_char(s, ":") || !take_digits(s, 2, &minute))
        return false;
    if (take_char(s, ":")) {
        if (!take_digits(s, 2, &second))
            return false;
        if (take_char(s, ".,")) {
            if (!take_digits(s, 1, &digit))
                return false;
            /* Digits beyond the microsecond are cut off. */
            do {
                fraction += digit * scale;
                scale /= 10;
            } while (take_digits(s, 1, &digit));
        }
    }
    if (hour > 23 || minute > 59 || second > 59)
        return false;
    *us = ((hour * 60 + minute) * 60 + second) * 1000000 + fraction;
    return true;
}

/* Z, +hh:mm, +hhmm or +hh. */
static bool take_zone(assay_slice *s, int64_t *us, bool *has_zone)
{
    bool is_west = s->len && *s->ptr == '-';
    int64_t hour, minute = 0;

    *us = 0;
    *has_zone = s->len > 0;
    if (!s->len || take_char(s, "Zz"))
        return s->len == 0;
    if (!take_char(s, "+-") || !take_digits(s, 2, &hour))
        return false;
    if (s->len) {
        take_char(s, ":");
        if (!take_digits(s, 2, &minute))
            return false;
    }
    *us = (hour * 60 + minute) * INT64_C(60000000) * (is_west ? -1 : 1);
    return s->len == 0 && hour < 24 && minute < 60;
}

bool assay_stage_time(assay_slice text, int64_t *us, bool *has_zone)
{
    assay_slice s = assay_slice_trim(text);
    int64_t date, clock, zone;

    *has_zone = false;
    if (!take_date(&s, &date))
        return false;
    *us = date;
    if (!s.len)
        return true;
    if (!take_char(&s, "Tt ") || !take_clock(&s, &clock) ||
        !take_zone(&s, &zone, has_zone))
        return false;
    *us = date + clock - zone;
    return true;
}
