/* lac_ascii.h - letters, digits and spaces as ASCII has them, in whatever locale the host is.
 *
 * <ctype.h> and <strings.h> ask the process's locale: in an 8-bit one bytes above 127 are letters,
 * and in Turkish the small letter of I is no i.  Everything that Lacuna reads is ASCII in its
 * grammar, so that a text means the same in every program. */
#ifndef LAC_ASCII_H
#define LAC_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline bool lac_is_digit(char c) {
  return c >= '0' && c <= '9';
}

static inline bool lac_is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool lac_is_letter_or_digit(char c) {
  return lac_is_letter(c) || lac_is_digit(c);
}

static inline bool lac_is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool lac_is_printable(char c) {
  return c >= ' ' && c <= '~';
}

static inline char lac_small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char lac_capital_letter(char c) {
  return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Whether `text`, which ends in a zero byte or is longer than the word, begins with the word, small
 * letters and capitals alike. */
static inline bool lac_begins_with(const char *text, const char *word) {
  for (; *word; text++, word++)
    if (lac_small_letter(*text) != lac_small_letter(*word))
      return false;
  return true;
}

/* Whether `text` ends so, small letters and capitals alike. */
static inline bool lac_ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && lac_begins_with(text + length - end_length, end);
}

#ifdef __cplusplus
}
#endif
#endif
