/* hypersparse.h - which variables of a program have far more coordinates than its operands have
 * entries: workspaces along them keep what is there alone (passes/cin/choose_policies.c). */
#ifndef LACUNA_RUN_HYPERSPARSE_H
#define LACUNA_RUN_HYPERSPARSE_H

#include "inputs.h"

/* Their names, in commas; "" for none, also where it is not known how many entries there are. */
const char *inputs_hypersparse(const inputs *in, const options *o, arena *memory);

#endif
