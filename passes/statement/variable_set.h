/* variable_set.h - sets of a statement's index variables, however many there are. */
#ifndef LACUNA_VARIABLE_SET_H
#define LACUNA_VARIABLE_SET_H

#include "bit_set.h"

typedef bit_set variable_set;

#endif
