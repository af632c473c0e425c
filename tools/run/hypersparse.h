/* hypersparse.h - which variables of a program have far more coordinates than its operands have
 * entries: workspaces along them keep what is there alone (passes/cin/choose_policies.c). */
#ifndef LACUNA_RUN_HYPERSPARSE_H
#define LACUNA_RUN_HYPERSPARSE_H

#include "inputs.h"

/* Their names, in commas; "" for none, also where it is not known how many entries there are. */
const char *inputs_hypersparse(const inputs *in, const options *o, arena *memory);

/* How many entries an operand has, one that is yet to be made as many as it will have; 0 where that
 * is not known. */
double run_tensor_entries(const run_tensor *t, const options *o);

/* What the loops are chosen by (tin.holds): about how many entries an operand has, how large each
 * dimension is, and then about how many entries have one coordinate of each at most; NULL where
 * that is not known. */
const int64_t *inputs_hold(arena *memory, const run_tensor *t, const options *o);

#endif
