/* command_words.h - parts of a statement as commands of a schedule spell them.
 */
#ifndef LACUNA_COMMAND_WORDS_H
#define LACUNA_COMMAND_WORDS_H

#include "statement.h"

/* "X[pad](i+k,2*j+l-1)": an access in the variables of its subscripts. */
const char *access_in_command(const statement *s, const access *a);

/* "i,j,k": so many variables by their names. */
const char *variables_in_command(const statement *s, const int *variables, int count);

#endif
