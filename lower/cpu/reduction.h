/* reduction.h - a walk that does nothing but reduce, so that its entries may be taken together:
 * what it reduces into, for the files that make its loops on lanes. */
#ifndef LACUNA_REDUCTION_H
#define LACUNA_REDUCTION_H

#include "coiterate.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { REDUCTION_VARIABLES = 8 };

/* A variable that is reduced into, once in the body. */
typedef struct reduced {
  MlirValue variable;
  tin_reduction kind;
  lowered outside; /* what it is outside of the walk, once there is code */
} reduced;

/* Into variables made outside of the walk; or, where duplicates are visited one by one, into a
 * place of the result (`place`), which is the same for all entries with one coordinate of the
 * level. */
typedef struct reduction {
  coiteration *c; /* once there is code */
  lowering *k;
  walked_kernel *walked;
  struct reduction_value *values; /* what they are on lanes */
  MlirType element;
  int count;
  reduced variables[REDUCTION_VARIABLES];
  bool place;
  bool notes;           /* it sets variables to constants, too */
  bool asked;           /* somebody has asked for lanes */
  bool gathers;         /* what is located with their coordinates */
  bool counts;          /* it goes over all coordinates, no level */
  MlirValue begin, end; /* of its places, once there is code */
} reduction;

/* Whether somebody has asked for lanes (`on cpu_vector parallel_reduction`). */
bool reduction_is_asked(MlirOperation coiterate);

/* Reads the body of a walk, or of a loop over all coordinates that is asked for; false where it
 * does anything else, or where floating-point sums must keep their order. */
bool reduction_read(reduction *r, const walked *w);

/* The array that has the coordinates of a walked level, each at its entry's own place; null where
 * they are made otherwise. */
MlirValue reduction_coordinates(const walk *w);

#ifdef __cplusplus
}
#endif
#endif
