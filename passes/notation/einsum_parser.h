/* einsum_parser.h - tensor index notation as text.
 *
 *     statement  := access ("=" | "+=") value
 *     value      := sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
 *     sum        := product { ("+" | "-") product }
 *     product    := factor { ("*" | "/") factor }
 *     factor     := "-" factor | "+" factor | power
 *     power      := primary [ "^" factor ]
 *     primary    := number | "(" value ")" | function "(" value { "," value } ")" | access
 *     access     := name [ padding ] [ "(" [ subscript { "," subscript } ] ")" ]
 *     padding    := "[" "pad" [ ":" ["-"] ( number | "inf" | "nan" ) ] "]"
 *     subscript  := ["-"] term { ("+" | "-") term },    term := integer | [integer "*"] name
 *
 * A name without parentheses is a scalar; a name before "(" is a function where scalar_ops.h knows
 * one of that name, and a tensor else.
 */
#ifndef LACUNA_EINSUM_PARSER_H
#define LACUNA_EINSUM_PARSER_H

#include "arena.h"
#include "bit_set.h"
#include "scalar_ops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One subscript: sum of coefficient * variable, plus a constant.  No variable occurs twice and no
 * coefficient is zero. */
typedef struct einsum_term {
  int variable; /* a number into einsum.variables */
  int64_t coefficient;
} einsum_term;
typedef struct einsum_subscript {
  int term_count;
  einsum_term *terms;
  int64_t constant;
} einsum_subscript;

/* Whether `s` is one variable alone, as it is. */
bool einsum_subscript_is_bare(const einsum_subscript *s);

typedef struct einsum_access {
  int tensor; /* a number into einsum.tensors; -1 for the result */
  int order;
  einsum_subscript *subscripts;
  bool padded; /* out of range it is `pad`, the text of a number; NULL: its fill */
  const char *pad;
} einsum_access;

typedef enum einsum_kind {
  EINSUM_NUMBER,
  EINSUM_ACCESS,
  EINSUM_ADD,
  EINSUM_SUBTRACT,
  EINSUM_MULTIPLY,
  EINSUM_DIVIDE,
  EINSUM_NEGATE, /* of `left` */
  EINSUM_CALL    /* of a function (a comparison, a power) of one argument, `left`, two or three */
} einsum_kind;

typedef struct einsum_node {
  einsum_kind kind;
  int column;                      /* of its operator or first character, from 1 */
  const char *number;              /* the text of a number */
  const einsum_access *access;     /* of an access */
  const scalar_function *function; /* of a call */
  struct einsum_node *left, *right, *third;
  bit_set variables;  /* those that subscript an access in it */
  bool reads;         /* whether an access is in it */
  int depth;          /* of operations in operations */
  bit_set descending; /* those of them that go further down than this node (einsum_expand.h) */
} einsum_node;

typedef struct einsum_tensor {
  const char *name;
  int order;
  int column; /* of its first access */
} einsum_tensor;

typedef struct einsum {
  const char *result; /* its name */
  einsum_access result_access;
  bool accumulate; /* += */

  /* The operands, in the order of their first appearance on the right-hand side; with += the
   * result's previous value before them. */
  int tensor_count;
  einsum_tensor *tensors;

  /* The index variables, in the order of their first appearance: the result's first. */
  int variable_count;
  const char **variables;

  einsum_node *expression;
  int access_count; /* in it, from left to right */
  const einsum_access **accesses;
  int depth; /* of operations in operations */
} einsum;

typedef struct einsum_error {
  int column;          /* from 1 */
  const char *message; /* what was expected and what was found; in the arena */
} einsum_error;

/* Parses `length` bytes of `text`.  The statement lives in `memory`.  NULL, with `*error` filled
 * in, where that is no statement, whatever the bytes are. */
const einsum *einsum_parse(arena *memory, const char *text, size_t length, einsum_error *error);

/* A value alone, "B(i,k) * C(k,j)", of which nothing is summed: the result has all variables, and
 * no name. */
const einsum *einsum_parse_value(arena *memory, const char *text, size_t length,
                                 einsum_error *error);

/* `error` for a person, in one line: the column, the message, and what stands before the column. */
char *einsum_error_text(arena *memory, const char *text, size_t length, const einsum_error *error);

/* The number of a tensor or variable by its name, or -1. */
int einsum_find_tensor(const einsum *e, const char *name);
int einsum_find_variable(const einsum *e, const char *name);

/* The variables in the result's subscripts, and those that are such a subscript alone: where there
 * are others, what several values of these come to is added up. */
bit_set einsum_result_variables(arena *memory, const einsum *e);
bit_set einsum_bare_variables(arena *memory, const einsum *e);

/* Notes `node`'s sets, in `memory`, from those of what it is made of. */
void einsum_node_note(arena *memory, einsum_node *node);

/* Whether `node` has an access that the variable subscripts. */
static inline bool einsum_node_uses(const einsum_node *node, int variable) {
  return set_has(node->variables, variable);
}

/* Whether a sum over the variable stands further down than `node`, as a term in it lacks it. */
static inline bool einsum_node_descends(const einsum_node *node, int variable) {
  return set_has(node->descending, variable);
}

#endif
