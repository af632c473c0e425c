/* schedule_parser.h - the scheduling language as text (Senanayake et al. 2020, section 4).
 *
 *     schedule  = { [ result ":" ] command [ "," | ";" ] }
 *     command   = name "(" argument { "," argument } ")"
 *
 *     reorder(i, j, ...)            split(i, i0, i1, 32)          split_up(i, i0, i1, 32)
 *     collapse(i, j, f)             pos(j, jp, A)                 coord(jp, j)
 *     precompute(value, i, iw, w)   bound(i, ib, 100, max_exact)  unroll(i, 4)
 *     precompute(value, {i, j}, {iw, jw}, w)      the workspace w need not be named
 *     parallelize(i, cpu_thread, no_races)        also written parallelize(i, CPUThread, NoRaces)
 *     parallelize(i, cpu_vector)                  the race strategy as the loop needs it
 *     strategies(i, lanes=4, search)              strategies(i) for none
 *
 * Commands behind the name of a result are for the statement that makes it, those before any for
 * all.
 *
 * A value is one of a statement (einsum_parser.h).  Quotes are no part of it, and braces come in
 * pairs: it stands between them in the text of a pipeline.
 */
#ifndef LACUNA_SCHEDULE_PARSER_H
#define LACUNA_SCHEDULE_PARSER_H

#include "arena.h"
#include "cin.h"
#include "einsum_parser.h"

#include <stdint.h>

typedef enum schedule_kind {
  SCHEDULE_REORDER,
  SCHEDULE_SPLIT,
  SCHEDULE_SPLIT_UP,
  SCHEDULE_COLLAPSE,
  SCHEDULE_POS,
  SCHEDULE_COORD,
  SCHEDULE_PRECOMPUTE,
  SCHEDULE_BOUND,
  SCHEDULE_UNROLL,
  SCHEDULE_PARALLELIZE,
  SCHEDULE_STRATEGIES
} schedule_kind;

/* What a machine does with a loop: its name, and its number, 0 where it has none. */
typedef struct schedule_strategy {
  const char *name;
  int64_t number;
} schedule_strategy;

typedef struct schedule_command {
  schedule_kind kind;
  const char *name, *text; /* "split", and the command as written */
  const char *result;      /* of the statement that it is for; NULL: of any */
  int known_count;         /* variables that must exist */
  const char **known;
  int made_count; /* names of the variables that it makes */
  const char **made;
  const char *subject, *property; /* the tensor or value; what a bound says */
  const einsum *value;            /* of the subject, where it is a value */
  const char *workspace;          /* its name; NULL where it has none */
  int64_t number;                 /* the size or factor, positive, but for a bound */
  cin_bound_kind bound;
  cin_unit unit;
  cin_race race;
  bool race_is_open; /* none is said */
  int strategy_count;
  schedule_strategy *strategies;
} schedule_command;

typedef struct schedule {
  int count;
  schedule_command *commands;
  const char *error; /* one line: the command, what was expected, what was found */
} schedule;

/* Parses `text` into memory of the arena.  False, with `result->error`, where it is no schedule. */
bool schedule_parse(arena *memory, const char *text, schedule *result);

#endif
