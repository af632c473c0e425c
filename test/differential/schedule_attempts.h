/* schedule_attempts.h - one random schedule at a time, for the files that write them.  Each attempt
 * writes it into the case, and says whether it can be carried out. */
#ifndef LACUNA_SCHEDULE_ATTEMPTS_H
#define LACUNA_SCHEDULE_ATTEMPTS_H

#include "maker.h"

enum { MOST_LOOPS = MAX_VARIABLES + 1 };
extern const char variable_names[];

/* Whether the statement has the variable; whether all loops are one nest: nothing is reduced inside
 * of an expression. */
bool is_used(const test_case *c, int v);
bool is_one_nest(const test_case *c);
bool is_dense(const tensor *t);
/* An access of a tensor whose levels hold expressions of dimensions; NULL for none. */
const node *choose_exotic_access(maker *m);

/* Any access; NULL for none. */
const node *choose_access(maker *m);

/* The name of the loop through a subscript: i_plus_k, i_x2_plus_k, i_k, i_moved; i1_plus_k where i
 * is split. */
enum { NAME_SIZE = 32 };
void write_form_name(const subscript *s, bool backwards, int split, char *name);

/* Of such levels: the text of the one after this one, NULL after the last; the name that the loop
 * over an expression of dimensions has: j_i, i_plus_j, i_block, i_in, i_slot; or a dimension's own.
 * False where a subscript is more than a variable. */
const char *next_level(const char *levels);
bool write_loop_name(const node *access, const char *expression, char *name);

/* Pieces of a size, or so many of them; how iterations that reduce into the same places do so. */
const char *split_name(maker *m);
const char *shared_race(maker *m);
void shuffle(maker *m, int count, char names[][4]);

bool attempt_reorder(maker *m);
bool attempt_nested(maker *m);
bool attempt_positions(maker *m);
bool attempt_collapse(maker *m);
/* schedule_workspaces.c */
bool attempt_precompute(maker *m);
bool attempt_numbered(maker *m);
bool attempt_exotic_precompute(maker *m);
bool attempt_window(maker *m);

#endif
