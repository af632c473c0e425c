/* copying_commands.c - see copying_commands.h. */
#include "copying_commands.h"

#include "algebra.h"
#include "command_words.h"
#include "loop_cost.h"

/* "k_before,l_before": variables of the loops that copy, in the order of `of`, which no other
 * command means. */
static const char *names_before(const copied_accesses *c, const access *a, const int *of,
                                int count) {
  const statement *s = c->s;
  const char *suffix = c->count == 1 ? "_before" : arena_format(s->memory, "_before_%s", a->name);
  const char *names = "";
  for (int n = 0; n < count; n++)
    names = arena_format(s->memory, "%s%s%s", names, n ? "," : "",
                         statement_new_name(s, s->variables[of[n]], suffix));
  return names;
}

static const char *array_name(const copied_accesses *c, const access *a) {
  return statement_new_name(c->s, a->name, "_array");
}

/* An access's variables as its array has them. */
static int *variables_in_array(const copied_accesses *c, const access *a, const int *order) {
  int *made = ARENA_ARRAY(c->s->memory, int, c->s->variable_count + 1), count = 0;
  for (int n = 0; n < c->s->variable_count; n++)
    if (set_has(a->variables, order[n]))
      made[count++] = order[n];
  return made;
}

/* "precompute(value,{l,k},{l_before,k_before},W_array)" */
static const char *precompute_command(const copied_accesses *c, const access *a, const char *value,
                                      const int *order) {
  const int *made = variables_in_array(c, a, order);
  return arena_format(c->s->memory, "precompute(%s,{%s},{%s},%s)", value,
                      variables_in_command(c->s, made, a->level_count),
                      names_before(c, a, made, a->level_count), array_name(c, a));
}

/* Of an operand; where its levels are walked "reorder(k_before,l_before)" besides, as they are
 * stored. */
static const char *operand_commands(const copied_accesses *c, const access *a, const int *order) {
  const char *copy = precompute_command(c, a, access_in_command(c->s, a), order);
  int *stored = ARENA_ARRAY(c->s->memory, int, a->level_count + 1);
  for (int l = 0; l < a->level_count; l++)
    stored[l] = a->levels[l].bare;
  return access_is_array(a) ? copy
                            : arena_format(c->s->memory, "%s reorder(%s)", copy,
                                           names_before(c, a, stored, a->level_count));
}

static bool is_product(const statement *s, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return true;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const tin_reduction kind = s->nests[0].kind;
  return mlirOperationGetNumOperands(op) == 2 && algebra_distributes(kind, name, 0) &&
         algebra_distributes(kind, name, 1) && is_product(s, mlirOperationGetOperand(op, 0)) &&
         is_product(s, mlirOperationGetOperand(op, 1));
}

bool assigns_product(const statement *s) {
  return s->nest_count == 1 && s->nests[0].kind && is_product(s, s->nests[0].term);
}

/* "A(i,j)*B_array(j,k)", with arrays in place of what is copied before. */
static const char *product_words(const copied_accesses *c, MlirValue value, const int *order) {
  const statement *s = c->s;
  if (!mlirValueIsABlockArgument(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    return arena_format(s->memory, "%s*%s", product_words(c, mlirOperationGetOperand(op, 0), order),
                        product_words(c, mlirOperationGetOperand(op, 1), order));
  }
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  const access *a = &s->accesses[number];
  return c->copied[number] ? arena_format(s->memory, "%s(%s)", array_name(c, a),
                                          variables_in_command(s, variables_in_array(c, a, order),
                                                               a->level_count))
                           : access_in_command(s, a);
}

const char *copying_commands(const copied_accesses *c, const int *order) {
  const char *words = "";
  for (int n = 0; n <= c->s->operand_count; n++) {
    const access *a = &c->s->accesses[n];
    const char *command =
        !c->copied[n] ? NULL
        : n < c->s->operand_count
            ? operand_commands(c, a, order)
            : precompute_command(c, a, product_words(c, c->s->nests[0].term, order), order);
    if (command)
      words = arena_format(c->s->memory, "%s%s%s", words, *words ? " " : "", command);
  }
  return words;
}
