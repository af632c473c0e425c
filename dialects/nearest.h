/* nearest.h - the name that a person who wrote another probably meant.
 *
 *     nearest near = nearest_to("sqr");
 *     for (each function)
 *       nearest_offer(&near, function->name);
 *     "no function 'sqr'%s", nearest_hint(&near)        no function 'sqr'; did you mean 'sqrt'?
 *
 * Near is what few edits make of it: letters put in, left out, exchanged, or two neighbours swapped
 * (optimal string alignment), at most one for every three letters, whatever their case.
 */
#ifndef LACUNA_NEAREST_H
#define LACUNA_NEAREST_H

#ifdef __cplusplus
extern "C" {
#endif

enum { NEAREST_LENGTH = 63 };

typedef struct nearest {
  char wanted[NEAREST_LENGTH + 1], found[NEAREST_LENGTH + 1], hint[NEAREST_LENGTH + 32];
  int edits; /* of `found`, or more than are near */
} nearest;

/* Begins a search, with no name found.  Names of more than NEAREST_LENGTH characters are near to
 * none. */
nearest nearest_to(const char *wanted);

/* Keeps `name` where it is nearer than those before it, and not the one that was written. */
void nearest_offer(nearest *search, const char *name);

/* Offers each word of a list that spaces and commas separate, of `bcsr:RxC` what is before the
 * colon. */
void nearest_offer_words(nearest *search, const char *words);

/* "; did you mean 'NAME'?", or "" where no name is near; lives as long as `search`. */
const char *nearest_hint(nearest *search);

#ifdef __cplusplus
}
#endif
#endif
