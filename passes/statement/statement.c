/* A tin.compute taken apart (statement.h). */
#include "statement.h"

#include "format_assembly.h"
#include "ir.h"
#include "result_format.h"
#include "tin.h"
#include "tin_ops.h"
#include "value_map.h"

#include <mlir-c/BuiltinAttributes.h>

#include <string.h>

/*--- Accesses ----------------------------------------------------------------------------------*/

static variable_set variables_of(const statement *s, MlirAffineExpr expression) {
  variable_set set = set_empty();
  for (int v = 0; v < s->variable_count; v++)
    if (mlirAffineExprIsFunctionOfDim(expression, v))
      set_insert(s->memory, &set, v);
  return set;
}

/* The variables of a level's coordinate: those of the subscripts of the dimensions in it. */
static variable_set level_variables(const statement *s, const access *a,
                                    const format_level *level) {
  variable_set set = set_empty();
  for (int d = 0; d < a->format->order; d++)
    if (mlirAffineExprIsFunctionOfDim(level->expression, d))
      set_add(s->memory, &set, variables_of(s, mlirAffineMapGetResult(a->map, d)));
  return set;
}

static int bare_variable(const access *a, const format_level *level) {
  if (level->dimension < 0)
    return -1;
  MlirAffineExpr subscript = mlirAffineMapGetResult(a->map, level->dimension);
  return mlirAffineExprIsADim(subscript) ? (int)mlirAffineDimExprGetPosition(subscript) : -1;
}

static bool take_format(const statement *s, access *a) {
  a->format = a == statement_result(s)
                  ? result_format_get(s->memory, s->op, a->type)
                  : tensor_format_get(s->memory, a->type, mlirOperationGetLocation(s->op));
  if (!a->format)
    return false;
  a->level_count = a->format->level_count;
  a->levels = ARENA_ARRAY(s->memory, access_level, a->level_count);
  for (int l = 0; l < a->level_count; l++) {
    const format_level *level = &a->format->levels[l];
    a->levels[l] = (access_level){
        .level = level, .variables = level_variables(s, a, level), .bare = bare_variable(a, level)};
  }
  return true;
}

static void take_map(const statement *s, access *a, MlirAffineMap map) {
  a->map = map;
  a->variables = set_empty();
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    set_add(s->memory, &a->variables, variables_of(s, mlirAffineMapGetResult(map, d)));
}

static const char *access_name(const statement *s, int number) {
  MlirStringRef name = statement_op_tensor_name(s->op, number);
  if (name.length)
    return arena_text(s->memory, name.data, name.length);
  return number == s->operand_count ? "the result"
                                    : arena_format(s->memory, "operand %d", number + 1);
}

static bool take_access(const statement *s, int number) {
  access *a = &s->accesses[number];
  a->name = access_name(s, number);
  bool is_result = number == s->operand_count;
  if (!is_result)
    a->operand = mlirOperationGetOperand(s->op, number);
  a->type = mlirValueGetType(is_result ? mlirOperationGetResult(s->op, 0) : a->operand);
  take_map(s, a, tin_compute_map(s->op, number));
  if (!is_result) {
    a->pad = tin_compute_pad(s->op, number);
    a->holds = tin_tensor_holds(a->operand);
  }
  return take_format(s, a);
}

static int variable_number(const statement *s, MlirStringRef name) {
  for (int v = 0; v < s->variable_count; v++)
    if (text_is(name, s->variables[v]))
      return v;
  return -1;
}

static void take_alike(statement *s) {
  s->alike = ARENA_ARRAY(s->memory, int, s->variable_count);
  for (int v = 0; v < s->variable_count; v++) {
    MlirStringRef name = mlirStringRefCreateFromCString(s->variables[v]);
    MlirStringRef other = tin_compute_alike(s->op, name);
    s->alike[v] = other.length ? variable_number(s, other) : -1;
  }
}

static void take_extents(statement *s) {
  s->extents = ARENA_ARRAY(s->memory, int64_t, s->variable_count);
  for (int v = 0; v < s->variable_count; v++) {
    MlirStringRef name = mlirStringRefCreateFromCString(s->variables[v]);
    s->extents[v] = tin_compute_extent(s->op, name);
  }
}

static void take_subscripts(statement *s) {
  s->subscripts = ARENA_ARRAY(s->memory, MlirAffineExpr, s->variable_count);
  for (int v = 0; v < s->variable_count; v++) {
    MlirStringRef name = mlirStringRefCreateFromCString(s->variables[v]);
    MlirAffineMap map = tin_compute_subscript(s->op, name);
    if (!mlirAffineMapIsNull(map))
      s->subscripts[v] = remap_canonical(mlirAffineMapGetResult(map, 0));
  }
}

static bool take_variables(statement *s) {
  s->variable_count = (int)tin_compute_variable_count(s->op);
  s->variables = ARENA_ARRAY(s->memory, const char *, s->variable_count);
  for (int v = 0; v < s->variable_count; v++) {
    MlirStringRef name = tin_compute_variable(s->op, v);
    s->variables[v] = arena_text(s->memory, name.data, name.length);
  }
  take_alike(s);
  take_extents(s);
  take_subscripts(s);
  return true;
}

/*--- Reductions --------------------------------------------------------------------------------*/

static bool is_argument(const statement *s, MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), op_block(s->op, 0));
}

static variable_set reduced_variables(const statement *s, MlirOperation reduce) {
  variable_set set = set_empty();
  for (intptr_t i = 0; i < tin_reduce_variable_count(reduce); i++)
    set_insert(s->memory, &set, variable_number(s, tin_reduce_variable(reduce, i)));
  return set;
}

static variable_set subscripts_at(const statement *s, MlirOperation reduce) {
  variable_set set = set_empty();
  for (intptr_t i = 0; i < tin_reduce_at_count(reduce); i++)
    set_insert(s->memory, &set, variable_number(s, tin_reduce_at(reduce, i)));
  return set;
}

static void add_nest_access(const statement *s, nest *n, int number) {
  for (int i = 0; i < n->access_count; i++)
    if (n->accesses[i] == number)
      return;
  if (!n->accesses)
    n->accesses = ARENA_ARRAY(s->memory, int, s->operand_count);
  n->accesses[n->access_count++] = number;
}

static bool same_reduction(const nest *n, MlirOperation reduce) {
  return n->kind && tin_reduce_kind(reduce) == n->kind &&
         mlirAttributeEqual(n->identity, tin_reduce_identity(reduce));
}

static void take_reduction(nest *n, MlirOperation reduce) {
  n->reduce = reduce;
  n->kind = tin_reduce_kind(reduce);
  n->identity = tin_reduce_identity(reduce);
}

/* The tin.reduce ops that stand one directly inside another and do the same are one. */
static void take_nest(const statement *s, nest *n, MlirValue value) {
  n->value = n->term = value;
  for (;;) {
    MlirOperation reduce = value_owner(n->term);
    if (mlirOperationIsNull(reduce) || !tin_is_reduce(reduce) ||
        (n->kind && !same_reduction(n, reduce)))
      return;
    if (!n->kind)
      take_reduction(n, reduce);
    set_add(s->memory, &n->own, reduced_variables(s, reduce));
    set_add(s->memory, &n->at, subscripts_at(s, reduce));
    n->term = tin_reduce_value(reduce);
  }
}

/* Constants may have been hoisted. */
static bool is_own(const statement *s, MlirOperation op) {
  return mlirBlockEqual(mlirOperationGetBlock(op), op_block(s->op, 0)) ||
         op_is(op, "arith.constant") || op_is(op, "complex.constant");
}

/* Nests as they are found, parents before children: they are moved into one array at the end. */
typedef struct nest_list {
  int count, room;
  nest **nests;
} nest_list;

/* A value that several reductions use is a nest in each of them: of such there can be many. */
enum { MOST_NESTS = 10000 };

static nest *add_nest(const statement *s, nest_list *found, nest *parent) {
  if (found->count == found->room) {
    nest **larger = ARENA_ARRAY(s->memory, nest *, 2 * found->room + 16);
    if (found->count)
      memcpy(larger, found->nests, sizeof *larger * (size_t)found->count);
    found->nests = larger;
    found->room = 2 * found->room + 16;
  }
  nest *n = ARENA_ARRAY(s->memory, nest, 1);
  *n = (nest){.number = found->count, .parent = parent};
  return found->nests[found->count++] = n;
}

static bool take_term(const statement *s, nest_list *found, nest *n);

static bool add_child(const statement *s, nest_list *found, nest *parent, MlirValue value) {
  if (found->count == MOST_NESTS)
    return error_at(s->op,
                    "expected at most %d nests of loops, found more: a reduction in each that uses "
                    "it",
                    (int)MOST_NESTS);
  nest *child = add_nest(s, found, parent);
  take_nest(s, child, value);
  return take_term(s, found, child);
}

static bool is_leaf(MlirValue value, void *data) {
  const statement *s = data;
  MlirOperation op = value_owner(value);
  return mlirOperationIsNull(op) || !is_own(s, op) || tin_is_reduce(op);
}

static bool take_part(const statement *s, nest_list *found, nest *n, MlirValue value) {
  if (is_argument(s, value)) {
    add_nest_access(s, n, (int)mlirBlockArgumentGetArgNumber(value));
    return true;
  }
  MlirOperation op = value_owner(value);
  if (mlirOperationIsNull(op) || !is_own(s, op))
    return error_at(s->op, "expected the region to use its arguments and constants, found a "
                           "value from outside");
  return !tin_is_reduce(op) || add_child(s, found, n, value);
}

/* Walks the expression of a nest: its accesses, and a child for each reduction. */
static bool take_term(const statement *s, nest_list *found, nest *n) {
  value_list parts = values_in_order(s->memory, n->term, is_leaf, (void *)s);
  for (int i = 0; i < parts.count; i++)
    if (!take_part(s, found, n, parts.values[i]))
      return false;
  return true;
}

/* The subscripts that a nest reduces at, and what is in them. */
static variable_set uses_of_subscripts(const statement *s, const nest *n) {
  variable_set uses = n->at;
  for (int v = set_first(n->at); v >= 0; v = set_next(n->at, v + 1))
    uses = set_union(s->memory, uses, variables_of(s, s->subscripts[v]));
  return uses;
}

static variable_set nest_uses(const statement *s, const nest *n) {
  variable_set uses = uses_of_subscripts(s, n);
  for (int i = 0; i < n->access_count; i++)
    set_add(s->memory, &uses, s->accesses[n->accesses[i]].variables);
  for (int c = n->number + 1; c < s->nest_count; c++)
    if (s->nests[c].parent == n)
      set_add(s->memory, &uses, s->nests[c].outer);
  return uses;
}

static void take_outer_variables(statement *s) {
  for (int n = s->nest_count - 1; n > 0; n--)
    s->nests[n].outer = set_minus(s->memory, nest_uses(s, &s->nests[n]), s->nests[n].own);
}

static void move_nests(statement *s, const nest_list *found) {
  s->nest_count = found->count;
  s->nests = ARENA_ARRAY(s->memory, nest, found->count);
  for (int n = 0; n < found->count; n++) {
    s->nests[n] = *found->nests[n];
    if (n > 0)
      s->nests[n].parent = &s->nests[s->nests[n].parent->number];
  }
}

static bool take_nests(statement *s) {
  nest_list found = {0};
  nest *root = add_nest(s, &found, NULL);
  MlirOperation yield = mlirBlockGetTerminator(op_block(s->op, 0));
  take_nest(s, root, mlirOperationGetOperand(yield, 0));
  set_add(s->memory, &root->own, statement_result(s)->variables);
  if (!take_term(s, &found, root))
    return false;
  move_nests(s, &found);
  take_outer_variables(s);
  return true;
}

/*--- Public ------------------------------------------------------------------------------------*/

statement *statement_create(arena *memory, MlirOperation op) {
  statement *s = ARENA_ARRAY(memory, statement, 1);
  s->memory = memory;
  s->op = op;
  s->replaced_access = -1;
  if (!take_variables(s))
    return NULL;
  s->trip_counts = ARENA_ARRAY(memory, double, s->variable_count);
  s->operand_count = (int)mlirOperationGetNumOperands(op);
  s->absences = ARENA_ARRAY(memory, char, s->operand_count + 1);
  s->accesses = ARENA_ARRAY(memory, access, s->operand_count + 1);
  for (int a = 0; a <= s->operand_count; a++)
    if (!take_access(s, a))
      return NULL;
  return take_nests(s) ? s : NULL;
}

variable_set statement_variables(const statement *s) {
  return set_below(s->memory, s->variable_count);
}

variable_set statement_result_variables(const statement *s) {
  return statement_result(s)->variables;
}

variable_set statement_counters(const statement *s) {
  variable_set counters = set_empty();
  for (int v = 0; s->loops && v < s->variable_count; v++)
    if (s->loops[v].variable < 0 && remap_counted(s->loops[v].by) >= 0)
      set_insert(s->memory, &counters, v);
  return counters;
}

/* Counters stand beside the result's variables where nothing is reduced: each entry comes once. */
variable_set statement_root_reductions(const statement *s) {
  if (!s->nests[0].kind)
    return set_empty();
  variable_set once = set_minus(s->memory, statement_result_variables(s), s->scattered);
  return set_minus(s->memory, s->nests[0].own, once);
}

static statement *statement_copy(const statement *s, int operand_count) {
  statement *copy = ARENA_ARRAY(s->memory, statement, 1);
  *copy = *s;
  copy->operand_count = operand_count;
  copy->accesses = ARENA_ARRAY(s->memory, access, operand_count + 1);
  copy->trip_counts = ARENA_ARRAY(s->memory, double, s->variable_count);
  copy->absences = ARENA_ARRAY(s->memory, char, operand_count + 1);
  return copy;
}

statement *statement_with_type(const statement *s, int access_number, MlirType type) {
  statement *copy = statement_copy(s, s->operand_count);
  memcpy(copy->accesses, s->accesses, sizeof *s->accesses * (size_t)(s->operand_count + 1));
  copy->accesses[access_number].type = type;
  return take_format(copy, &copy->accesses[access_number]) ? copy : NULL;
}

bool nest_is_within(const nest *n, const nest *ancestor) {
  while (n && n != ancestor)
    n = n->parent;
  return n != NULL;
}

/* The access to a temporary over the variables of `set`, in their order. */
static bool take_temporary(statement *s, access *a, variable_set set, MlirType type) {
  MlirContext context = mlirOperationGetContext(s->op);
  MlirAffineExpr *subscripts = ARENA_ARRAY(s->memory, MlirAffineExpr, s->variable_count + 1);
  intptr_t order = 0;
  for (int v = 0; v < s->variable_count; v++)
    if (set_has(set, v))
      subscripts[order++] = mlirAffineDimExprGet(context, v);
  *a = (access){.name = "a temporary", .type = type};
  take_map(s, a, mlirAffineMapGet(context, s->variable_count, 0, order, subscripts));
  return take_format(s, a);
}

/* The nests of `from` that are (or are not) within `n`, in a new array of `to`. */
static void copy_nests(statement *to, const statement *from, const nest *n, bool within) {
  int *number = ARENA_ARRAY(from->memory, int, from->nest_count);
  to->nests = ARENA_ARRAY(from->memory, nest, from->nest_count);
  to->nest_count = 0;
  for (int i = 0; i < from->nest_count; i++) {
    const nest *old = &from->nests[i];
    if (nest_is_within(old, n) != within)
      continue;
    number[i] = to->nest_count;
    nest *copy = &to->nests[to->nest_count];
    *copy = *old;
    copy->number = to->nest_count++;
    copy->parent = copy->number == 0 ? NULL : &to->nests[number[old->parent->number]];
  }
}

static bool nests_read(const statement *s, int number) {
  for (int n = 0; n < s->nest_count; n++)
    for (int a = 0; a < s->nests[n].access_count; a++)
      if (s->nests[n].accesses[a] == number)
        return true;
  return false;
}

/* Operands that only the other part of the statement reads are scalars in this one. */
static void leave_out_unread(statement *part, const statement *other, int operand_count) {
  for (int a = 0; a < operand_count; a++)
    if (!nests_read(part, a) && nests_read(other, a)) {
      part->accesses[a].level_count = 0;
      part->accesses[a].variables = set_empty();
    }
}

statement *statement_of_nest(const statement *s, const nest *n, MlirType temporary) {
  statement *part = statement_copy(s, s->operand_count);
  memcpy(part->accesses, s->accesses, sizeof *s->accesses * (size_t)s->operand_count);
  if (!take_temporary(part, statement_result(part), n->outer, temporary))
    return NULL;
  copy_nests(part, s, n, true);
  leave_out_unread(part, s, s->operand_count);
  set_add(s->memory, &part->nests[0].own, n->outer);
  part->nests[0].outer = set_empty();
  return part;
}

statement *statement_without_nest(const statement *s, const nest *n, MlirType temporary) {
  statement *rest = statement_copy(s, s->operand_count + 1);
  memcpy(rest->accesses, s->accesses, sizeof *s->accesses * (size_t)s->operand_count);
  *statement_result(rest) = *statement_result(s);
  if (!take_temporary(rest, &rest->accesses[s->operand_count], n->outer, temporary))
    return NULL;
  rest->replaced = n->value;
  rest->replaced_access = s->operand_count;
  copy_nests(rest, s, n, false);
  leave_out_unread(rest, s, s->operand_count);
  for (int i = 0; i < rest->nest_count; i++) {
    nest *copy = &rest->nests[i];
    int *accesses = ARENA_ARRAY(s->memory, int, rest->operand_count);
    if (copy->access_count)
      memcpy(accesses, copy->accesses, sizeof *accesses * (size_t)copy->access_count);
    copy->accesses = accesses;
    if (mlirValueEqual(copy->value, n->parent->value))
      accesses[copy->access_count++] = s->operand_count;
  }
  return rest;
}

const nest *statement_nested_sum(const statement *s, MlirValue value) {
  for (int n = 1; n < s->nest_count; n++)
    if (mlirValueEqual(s->nests[n].value, value))
      return &s->nests[n];
  return NULL;
}

statement *statement_of_term(const statement *s, MlirValue term, tin_reduction kind) {
  const nest *sum = statement_nested_sum(s, term);
  statement *part = statement_copy(s, s->operand_count);
  memcpy(part->accesses, s->accesses, sizeof *s->accesses * (size_t)(s->operand_count + 1));
  part->gathers = true;
  part->nest_count = 1;
  part->nests = ARENA_ARRAY(s->memory, nest, 1);
  part->nests[0] =
      (nest){.value = s->nests[0].value, .term = term, .kind = kind, .own = s->nests[0].own};
  if (sum) {
    term = part->nests[0].term = sum->term;
    part->nests[0].own = set_union(s->memory, s->nests[0].own, sum->own);
  }
  value_list parts = values_in_order(s->memory, term, is_leaf, (void *)s);
  for (int i = 0; i < parts.count; i++) {
    if (statement_nested_sum(s, parts.values[i]))
      return NULL;
    if (is_argument(s, parts.values[i]))
      add_nest_access(s, &part->nests[0], (int)mlirBlockArgumentGetArgNumber(parts.values[i]));
  }
  leave_out_unread(part, s, s->operand_count);
  return part;
}

assembly_list statement_assemblies(const statement *s) {
  return assembly_ways(statement_result(s)->format, result_is_recorded(s->op));
}

bool access_takes_any_order(const access *result, const assembly *a) {
  for (int l = 0; l < a->end && l < result->level_count; l++)
    for (int below = a->end; below < result->level_count; below++)
      if (set_meets(result->levels[l].variables, result->levels[below].variables))
        return false;
  return assembly_is_in_any_order(a);
}

static bool are_digits(const statement *s, int u, int v) {
  bool remapped = s->loops && s->loops[u].variable < 0 && s->loops[v].variable < 0;
  return remapped && (remap_is_digit_above(s->loops[u].by, s->loops[v].by) ||
                      remap_is_digit_above(s->loops[v].by, s->loops[u].by));
}

/* Whether the coordinate of a level follows from loops through blocks and what is in them, so that
 * it ascends where they stand in that order. */
static bool ascends_in_blocks(const statement *s, const access_level *level) {
  for (int u = 0; u < s->variable_count; u++)
    for (int v = 0; v < u; v++)
      if (set_has(level->variables, u) && set_has(level->variables, v) && !are_digits(s, u, v))
        return false;
  return level->recovered && !level->descends;
}

static bool holds_constant(const access_level *level) {
  return mlirAffineExprIsAConstant(level->level->expression);
}

/* Whether the coordinate follows from one loop, and those over the variables known, as i + j does
 * from j where i is known, and ascends with it. */
static bool ascends_alone(const statement *s, const access_level *level, variable_set known) {
  return level->recovered && !level->descends &&
         set_size(set_minus(s->memory, level->variables, known)) == 1;
}

static bool is_ascended_to(const statement *s, const access_level *level) {
  bool is_one = level->level->properties & LEVEL_BRANCHLESS && level->recovered;
  if (holds_constant(level) || is_one || ascends_alone(s, level, set_empty()))
    return true;
  bool inserts = level->level->format->capabilities & LEVEL_INSERT;
  return level->bare >= 0 || (inserts && ascends_in_blocks(s, level));
}

/* Entries are appended under one parent at a time: each level above has a loop of its own, or
 * loops of its blocks, and so has the level itself but where it is gathered first: what adds to a
 * row comes in any order. */
static bool is_told_in_order(const statement *s, int l) {
  const access *result = statement_result(s);
  const access_level *level = &result->levels[l];
  bool is_last = l == result->level_count - 1, is_added = is_last && s->gathers;
  bool is_gathered = is_last && !set_is_empty(statement_root_reductions(s));
  variable_set known = set_empty();
  for (int above = 0; above < l; above++) {
    const access_level *outer = &result->levels[above];
    bool is_shared = !is_added && set_meets(outer->variables, level->variables);
    if (!is_ascended_to(s, outer) || (is_shared && outer->bare < 0))
      return false;
    if (is_shared)
      set_insert(s->memory, &known, outer->bare);
  }
  if (!set_is_empty(known))
    return ascends_alone(s, level, known);
  return level->bare >= 0 || is_added || holds_constant(level) || ascends_alone(s, level, known) ||
         (is_gathered && level->recovered && !level->descends);
}

static bool is_assembled(const statement *s, int l) {
  const access *result = statement_result(s);
  assembly_list list = statement_assemblies(s);
  bool takes = is_told_in_order(s, l);
  for (int i = 0; i < list.count; i++)
    takes |= assembly_takes(&list.ways[i], l) || access_takes_any_order(result, &list.ways[i]);
  return takes;
}

static bool level_is_reached(const statement *s, const access *a, int l) {
  const access_level *level = &a->levels[l];
  if (a == statement_result(s))
    return is_assembled(s, l);
  return level->bare >= 0 || level->recovered || access_level_is_searched(a, l) ||
         (level->level->format->capabilities & LEVEL_LOCATE);
}

static bool level_is_supported(const statement *s, const access *a, int l, bool explain) {
  const access_level *level = &a->levels[l];
  if (level->level->dimension < 0 && !s->unmapped)
    return explain && error_at(s->op,
                               "the format of %s is not lowered yet: level %d holds an expression "
                               "of dimensions, and no loops make these known",
                               a->name, l);
  if (level_is_reached(s, a, l))
    return true;
  char *unbuilt =
      a == statement_result(s) ? tensor_format_unbuilt(s->memory, a->format, a->name) : NULL;
  if (unbuilt)
    return explain && error_at(s->op, "%s", unbuilt);
  if (level->level->dimension < 0)
    return explain &&
           error_at(s->op,
                    "the format of %s is not lowered yet in this statement: no loop goes "
                    "through the expression that level %d holds",
                    a->name, l);
  return explain && error_at(s->op,
                             "%sthe subscript of dimension %d of %s is not lowered yet: expected "
                             "one variable alone, since the level that stores it cannot be "
                             "located in",
                             statement_scatters(s) ? "not supported yet: " : "",
                             level->level->dimension, a->name);
}

bool statement_is_supported(const statement *s, bool explain) {
  for (int i = 0; i <= s->operand_count; i++) {
    const access *a = &s->accesses[i];
    for (int l = 0; l < a->level_count; l++)
      if (!level_is_supported(s, a, l, explain))
        return false;
    bool is_read = a->level_count || !a->format->level_count;
    if (is_read && !s->unmapped && !tensor_format_is_plain(a->format))
      return explain && error_at(s->op,
                                 "the format of %s is not lowered yet: expected one level for each "
                                 "dimension",
                                 a->name);
  }
  return true;
}

int access_dimension_of(const access *a, int variable) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(a->map); d++) {
    MlirAffineExpr subscript = mlirAffineMapGetResult(a->map, d);
    if (mlirAffineExprIsADim(subscript) && mlirAffineDimExprGetPosition(subscript) == variable)
      return (int)d;
  }
  return -1;
}

bool access_tells_size(const access *a, int variable) {
  return access_dimension_of(a, variable) >= 0;
}

static bool is_name(const statement *s, const char *name) {
  for (int v = 0; v < s->variable_count; v++)
    if (!strcmp(s->variables[v], name))
      return true;
  for (int a = 0; a <= s->operand_count; a++)
    if (!strcmp(s->accesses[a].name, name))
      return true;
  return false;
}

const char *statement_new_name(const statement *s, const char *stem, const char *suffix) {
  const char *name = arena_format(s->memory, "%s%s", stem, suffix);
  while (is_name(s, name))
    name = arena_format(s->memory, "%s_", name);
  return name;
}

char *statement_names(const statement *s, variable_set set) {
  char *names = arena_format(s->memory, "%s", "");
  for (int v = 0; v < s->variable_count; v++)
    if (set_has(set, v))
      names = arena_format(s->memory, "%s%s%s", names, *names ? ", " : "", s->variables[v]);
  return names;
}
