/* tokens.h - mutation of text by its words: a fuzzer's share of inputs that still parse.
 *
 *     tin.einsum "y(i) = A(i,j)"   ->   tin.einsum "y(i) = A(j,j)"
 *
 * Bytes flipped at random rarely pass a parser; words that are dropped, doubled, exchanged for
 * other words of the same text or of a list, often do.
 */
#ifndef LACUNA_FUZZ_TOKENS_H
#define LACUNA_FUZZ_TOKENS_H

#include <stddef.h>
#include <stdint.h>

/* Changes one or a few words of `data`, in place; `words` ends in NULL.  Returns the new size, at
 * most `room`; the same text comes of the same seed. */
size_t tokens_mutate(uint8_t *data, size_t size, size_t room, unsigned seed,
                     const char *const *words);

#endif
