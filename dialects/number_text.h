/* number_text.h - decimal numbers in texts, which have a point in every locale of a host. */
#ifndef LACUNA_NUMBER_TEXT_H
#define LACUNA_NUMBER_TEXT_H

#ifdef __cplusplus
extern "C" {
#endif

/* As strtod in the C locale: the number that `text` begins with, and in `*end` (which may be null)
 * the place after it, `text` itself where none begins. */
double number_from_text(const char *text, char **end);

#ifdef __cplusplus
}
#endif
#endif
