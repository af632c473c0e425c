/* case.h - one random case of the differential tester: an expression, its tensors, their entries.
 *
 * A case follows from a seed alone, so that a failing one can be run again.  Values are small
 * integers wherever the expression allows, so that sums are exact in any order, but for some at the
 * ends of their type.
 */
#ifndef LACUNA_TEST_CASE_H
#define LACUNA_TEST_CASE_H

#include "ring.h"

enum { MAX_VARIABLES = 5, MAX_TENSOR_ORDER = 4, MAX_TENSORS = 16, MAX_NODES = 128 };

typedef enum node_kind {
  NODE_ACCESS,
  NODE_CONSTANT,
  NODE_NEGATE,
  NODE_ADD,
  NODE_SUBTRACT,
  NODE_MULTIPLY,
  NODE_DIVIDE,
  NODE_POWER,
  NODE_COMPARE, /* by `function`, "<", ... */
  NODE_CALL
} node_kind;

/* factors[i] * i + factors[j] * j + ... + constant */
typedef struct subscript {
  int factors[MAX_VARIABLES];
  int64_t constant;
} subscript;

typedef struct node {
  node_kind kind;
  int tensor;                             /* NODE_ACCESS */
  subscript subscripts[MAX_TENSOR_ORDER]; /* NODE_ACCESS */
  bool padded, pads;                      /* NODE_ACCESS: may be out of range; `value` there */
  long double value;                      /* NODE_CONSTANT */
  const char *function;                   /* NODE_CALL */
  unsigned variables;                     /* the set of variables that it has */
  struct node *left, *right, *third;
} node;

typedef enum level_kind {
  LEVEL_DENSE,
  LEVEL_COMPRESSED,
  LEVEL_COMPRESSED_NONUNIQUE,
  LEVEL_SINGLETON,
  LEVEL_SINGLETON_NONUNIQUE
} level_kind;

typedef struct entry {
  int64_t coordinates[MAX_TENSOR_ORDER];
  element value;
  int64_t number;
} entry;

typedef struct tensor {
  char name[8];
  int32_t type; /* lac_type */
  int order;
  int64_t dimensions[MAX_TENSOR_ORDER];
  bool is_static[MAX_TENSOR_ORDER]; /* the dimension stands in the type */
  bool must_be_dense;               /* has a compound subscript */
  bool must_be_full;                /* something is divided by it */
  level_kind levels[MAX_TENSOR_ORDER];
  int modes[MAX_TENSOR_ORDER]; /* the dimension that each level holds */
  int position_bits, coordinate_bits;
  const char *exotic; /* the levels of a format that only the compiler packs, or NULL */
  char mix[720];      /* those levels, where they are drawn one by one */
  char format[1024];  /* text of the #tin.format; "" where it has none */
  bool duplicates;    /* entries may be there twice */
  bool unordered;     /* coordinates are in no order */
  bool symmetric;     /* the same with the first two dimensions exchanged, one triangle stored */
  int64_t count;
  entry *entries;
} tensor;

typedef struct test_case {
  uint64_t seed;
  int32_t type;     /* lac_type of the result */
  const ring *ring; /* NULL: plus_times by default */
  char schedule[640];
  int threads, level; /* of optimization */
  bool strict, deterministic;
  int cache;              /* bytes of tiles */
  int beyond;             /* of a result whose tiles are added up in a workspace */
  char policies[128];     /* of workspaces, "" for those that are chosen */
  const char *interleave; /* passes of MLIR's that run after each of the pipeline's, "" for none */
  const char *cpu;        /* that code is for, where that runs here; NULL for this machine's */
  bool converts;          /* pack and unpack by the compiler's conversions */
  bool exact;             /* no rounding as long as numbers are small */
  bool conversion;        /* a tin.convert of the one operand, not an expression */
  bool accumulate;        /* +=: the first operand is the result's previous value */
  bool misfit;            /* the shapes do not agree: a status is expected */
  int variable_count;
  int64_t extents[MAX_VARIABLES];
  unsigned stated; /* the variables whose extents the program states */
  subscript result_subscripts[MAX_TENSOR_ORDER];
  int result_variables[MAX_TENSOR_ORDER]; /* that are such a subscript alone, or -1 */
  bool scatters;                          /* some are not */
  tensor result;                          /* no entries */
  int tensor_count;
  tensor tensors[MAX_TENSORS]; /* in the order of their first appearance */
  node *root;
  node nodes[MAX_NODES];
  int node_count;
  char expression[2048];
} test_case;

/* From here on tensors are stored in these levels, "d0 : dense, d1 : delta(8)", and others that
 * were given so, where cases of the tester's own draw levels that are not dense, compressed or
 * singleton.  `levels` must last.  False where there are too many, or too many dimensions. */
bool draw_format(const char *levels);

/* From here on all cases are such whose results are scattered into (scatter.c), or as many as else.
 */
void draw_scattering(bool all);
bool all_are_scattering(void);

/* From here on all compound subscripts are padded (padding.c), or in a share of the cases. */
void draw_padding(bool all);
bool all_are_padded(void);

/* From here on the results of all cases have compound subscripts (result_subscripts.c), or of a
 * share of them. */
void draw_result_subscripts(bool all);
bool all_results_are_compound(void);

/* From here on all cases run these passes of MLIR's between Lacuna's, "" none.  `passes` must last.
 */
void interleave(const char *passes);

/* Makes the case of a seed; test_case_free frees what it holds. */
void test_case_make(test_case *c, uint64_t seed);
void test_case_free(test_case *c);

/* The case in a few lines, for people. */
void test_case_print(const test_case *c);

/* Where zero meets infinity the value may be the annihilated one, or not finite; what is made of
 * that may be anything. */
typedef enum certainty { CERTAIN, OR_NOT_FINITE, ANYTHING } certainty;

/* Whether a sparse result has an entry. */
typedef enum presence { NO_ENTRY, MAYBE_ENTRY, AN_ENTRY } presence;

/* The result at one coordinate: its value, and a bound on the magnitude of all that was summed up
 * to it, to which rounding errors are proportional. */
typedef struct number {
  element value;
  double size;
  certainty how;
  bool in_parts; /* of entries that are stored twice: a product may be of each, then added up */
  presence there;
} number;

/* The result at all coordinates, row-major, by plain loops over all index variables.  The caller
 * frees it. */
number *test_case_evaluate(const test_case *c);

/* What is not stored: 0, or what the semiring's addition leaves unchanged. */
element test_case_fill(const test_case *c);

/* The number of coordinates of a tensor. */
int64_t tensor_volume(const tensor *t);

/* How many coordinates a level may have: those of the largest dimension, or of a diagonal's. */
int64_t tensor_coordinates(const tensor *t);

/* The variable that stands alone in a subscript; -1 for a compound one. */
int subscript_bare(const subscript *s);

/* The least and greatest value of a subscript; where a variable has no values as if it had one. */
int64_t subscript_least(const test_case *c, const subscript *s);
int64_t subscript_greatest(const test_case *c, const subscript *s);

#endif
