/* explain_parts.h - inside passes/explain: what an explanation gathers for a kernel. */
#ifndef LACUNA_EXPLAIN_PARTS_H
#define LACUNA_EXPLAIN_PARTS_H

#include "explain.h"
#include "kernel_words.h"

typedef struct explained {
  arena *memory;
  const char *title; /* NULL: a conversion, of which the remarks tell */
  const char *names; /* of its tensors, as 'A' 'x' 'y' */
  char *text;        /* a line a row, ended; so far */
  explain_strategy *strategy_words;
} explained;

/* One more line, as printf, `depth` steps inside of the first. */
void explained_add(explained *e, int depth, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, where no such line stands yet. */
void explained_add_once(explained *e, const char *line);

/* The loops of a cin.kernel with what is done in them; why they stand so; how its result is built;
 * why its entries are gathered. */
void explain_loops(explained *e, MlirOperation kernel);
void explain_order(explained *e, MlirOperation kernel);
void explain_assembly(explained *e, MlirOperation kernel);
void explain_scattering(explained *e, MlirOperation kernel);
/* The walks of a sit.kernel. */
void explain_walks(explained *e, MlirOperation kernel);

#endif
