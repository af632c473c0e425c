/* case.h - one random case of the differential tester: an expression, its tensors, their entries.
 *
 * A case follows from a seed alone, so that a failing one can be run again.  Values are small
 * integers wherever the expression allows, so that sums are exact in any order.
 */
#ifndef LACUNA_TEST_CASE_H
#define LACUNA_TEST_CASE_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

enum { MAX_VARIABLES = 4, MAX_TENSOR_ORDER = 3, MAX_TENSORS = 6, MAX_NODES = 64 };

typedef enum node_kind {
  NODE_ACCESS,
  NODE_CONSTANT,
  NODE_NEGATE,
  NODE_ADD,
  NODE_SUBTRACT,
  NODE_MULTIPLY,
  NODE_DIVIDE,
  NODE_CALL
} node_kind;

typedef struct node {
  node_kind kind;
  int tensor;                      /* NODE_ACCESS */
  int variables[MAX_TENSOR_ORDER]; /* NODE_ACCESS: the subscripts */
  double value;                    /* NODE_CONSTANT */
  const char *function;            /* NODE_CALL */
  struct node *left, *right;
} node;

typedef struct entry {
  int64_t coordinates[MAX_TENSOR_ORDER];
  double complex value;
} entry;

typedef struct tensor {
  char name[8];
  int order;
  int64_t dimensions[MAX_TENSOR_ORDER];
  int modes[MAX_TENSOR_ORDER]; /* the dimension that each level holds */
  char *format;                /* text of the #tin.format */
  bool coordinates;            /* stored as the coordinate list itself, duplicates and all */
  int64_t count;
  entry *entries;
} tensor;

typedef struct test_case {
  uint64_t seed;
  int32_t type;         /* lac_type */
  const char *semiring; /* NULL: plus_times */
  const char *schedule;
  int threads;
  bool exact;
  int variable_count;
  int64_t extents[MAX_VARIABLES];
  int result_variables[MAX_TENSOR_ORDER];
  tensor result; /* no entries */
  int tensor_count;
  tensor tensors[MAX_TENSORS]; /* in the order of their first appearance */
  node *root;
  node nodes[MAX_NODES];
  int node_count;
  char expression[1024];
} test_case;

/* Makes the case of a seed; test_case_free frees what it holds. */
void test_case_make(test_case *c, uint64_t seed);
void test_case_free(test_case *c);

/* The case in a few lines, for people. */
void test_case_print(const test_case *c);

/* The result at all coordinates, row-major, by plain loops over all index variables.  The caller
 * frees it. */
double complex *test_case_evaluate(const test_case *c);

/* What is not stored: 0, or what the semiring's addition leaves unchanged. */
double test_case_fill(const test_case *c);

/* The number of coordinates of a tensor. */
int64_t tensor_volume(const tensor *t);

#endif
