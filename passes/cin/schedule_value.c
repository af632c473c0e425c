/* schedule_value.c - finding what a schedule writes in a kernel, and replacing it. */
#include "schedule_value.h"

#include "algebra.h"
#include "einsum_expand.h"
#include "remap.h"

#include <mlir-c/BuiltinTypes.h>

#include <string.h>

/* ---- Reads -------------------------------------------------------------------------------- */

static bool tensor_is_named(MlirOperation kernel, MlirValue tensor, const char *name) {
  arena *memory = arena_create();
  bool same = !strcmp(cin_tensor_bare_name(memory, kernel, tensor), name);
  arena_free(memory);
  return same;
}

MlirValue schedule_tensor(MlirOperation kernel, const char *name) {
  MlirBlock block = op_block(kernel, 0);
  for (intptr_t n = 0; n < mlirBlockGetNumArguments(block); ++n)
    if (tensor_is_named(kernel, mlirBlockGetArgument(block, n), name))
      return mlirBlockGetArgument(block, n);
  for (OPERATIONS(op, block))
    if (cin_is_workspace(op) && tensor_is_named(kernel, mlirOperationGetResult(op, 0), name))
      return mlirOperationGetResult(op, 0);
  return (MlirValue){NULL};
}

/* The place of a variable among those of a read; -1 for none. */
static intptr_t place_of(MlirOperation read, const char *name) {
  for (intptr_t n = 0; n < cin_access_variable_count(read); ++n)
    if (text_is(provenance_name(cin_access_variable(read, n)), name))
      return n;
  return -1;
}

static bool is_subscript(const einsum *text, const einsum_subscript *s, MlirOperation read,
                         MlirAffineExpr is) {
  MlirContext context = mlirOperationGetContext(read);
  MlirAffineExpr sum = mlirAffineConstantExprGet(context, s->constant);
  for (int t = 0; t < s->term_count; ++t) {
    intptr_t place = place_of(read, text->variables[s->terms[t].variable]);
    if (place < 0)
      return false;
    MlirAffineExpr factor = mlirAffineConstantExprGet(context, s->terms[t].coefficient);
    MlirAffineExpr variable = mlirAffineDimExprGet(context, place);
    sum = mlirAffineAddExprGet(sum, mlirAffineMulExprGet(variable, factor));
  }
  return mlirAffineExprEqual(remap_canonical(sum), remap_canonical(is));
}

/* What a tensor of the kernel is where nothing is stored. */
static MlirAttribute fill_of(const schedule_value *found, MlirValue tensor) {
  intptr_t number = mlirBlockArgumentGetArgNumber(tensor);
  MlirAttribute fill = statement_op_fill(found->kernel, number);
  return mlirAttributeIsNull(fill)
             ? combine_identity(found->b, TIN_ADD, element_type(mlirValueGetType(tensor)))
             : fill;
}

/* Whether both are the same out of range: neither is padded, or both with one value. */
static bool is_padded_as(const schedule_value *found, const einsum_access *access,
                         MlirOperation read) {
  MlirAttribute pad = cin_read_pad(read);
  MlirValue tensor = cin_access_tensor(read);
  if (mlirAttributeIsNull(pad) || !access->padded)
    return mlirAttributeIsNull(pad) && !access->padded;
  MlirAttribute fill = fill_of(found, tensor), written = fill;
  if (access->pad)
    written =
        scalar_number_attribute(found->b, access->pad, element_type(mlirValueGetType(tensor)));
  return mlirAttributeEqual(tin_pad_is_value(pad) ? pad : fill, written);
}

static bool is_read_of(const schedule_value *found, const einsum_access *access,
                       MlirOperation read) {
  MlirAffineMap map = cin_access_map(read);
  if (mlirAffineMapGetNumResults(map) != access->order || !is_padded_as(found, access, read) ||
      !tensor_is_named(found->kernel, cin_access_tensor(read),
                       found->text->tensors[access->tensor].name))
    return false;
  for (int d = 0; d < access->order; ++d)
    if (!is_subscript(found->text, &access->subscripts[d], read, mlirAffineMapGetResult(map, d)))
      return false;
  return true;
}

/* ---- The value by itself ------------------------------------------------------------------ */

typedef struct pattern {
  schedule_value *found;
  einsum_body body;
  shape_table *table;
} pattern;

static int leaf_of_pattern(MlirValue value, void *data) {
  (void)data;
  return mlirValueIsABlockArgument(value) ? (int)mlirBlockArgumentGetArgNumber(value)
                                          : SHAPE_INSIDE;
}

static int leaf_of_assigned(MlirValue value, void *data);

/* The only assignment to the workspace of a cin.where; null for others. */
static MlirOperation assignment_to(arena *memory, MlirOperation where) {
  op_list assigns = ops_below(memory, where, cin_is_assign);
  MlirOperation only = {NULL};
  int count = 0;
  for (int n = 0; n < assigns.count; ++n)
    if (mlirValueEqual(cin_access_tensor(assigns.ops[n]), cin_where_workspace(where))) {
      only = assigns.ops[n];
      ++count;
    }
  return count == 1 ? only : (MlirOperation){NULL};
}

static const value_sum *sum_at(const schedule_value *found, MlirOperation read) {
  for (int n = 0; n < found->sum_count; ++n)
    if (mlirOperationEqual(found->sums[n].read, read))
      return &found->sums[n];
  return NULL;
}

static void add_sum(schedule_value *found, value_sum sum) {
  if (found->sum_count == found->sum_room) {
    found->sum_room = found->sum_room ? 2 * found->sum_room : 4;
    value_sum *larger = ARENA_ARRAY(found->memory, value_sum, found->sum_room);
    if (found->sum_count)
      memcpy(larger, found->sums, sizeof *larger * (size_t)found->sum_count);
    found->sums = larger;
  }
  found->sums[found->sum_count++] = sum;
}

/* Of a read of a scalar workspace the shape of what is summed in it. */
static int shape_of_sum(pattern *p, MlirOperation read) {
  const value_sum *known = sum_at(p->found, read);
  if (known)
    return known->shape;
  MlirOperation where = cin_access_rank(read) ? (MlirOperation){NULL} : cin_where_of(read);
  MlirOperation assign =
      mlirOperationIsNull(where) ? where : assignment_to(p->found->memory, where);
  if (mlirOperationIsNull(assign))
    return SHAPE_UNKNOWN;
  const shaped_values *all =
      shape_values(p->table, cin_assign_value(assign), leaf_of_assigned, p, false);
  add_sum(p->found, (value_sum){read, all->shapes[all->count - 1]});
  return p->found->sums[p->found->sum_count - 1].shape;
}

static int leaf_of_assigned(MlirValue value, void *data) {
  pattern *p = data;
  MlirOperation op = value_owner(value);
  if (mlirOperationIsNull(op))
    return SHAPE_UNKNOWN;
  if (!cin_is_read(op))
    return SHAPE_INSIDE;
  for (int n = 0; n < p->body.access_count; ++n)
    if (is_read_of(p->found, p->body.accesses[n], op)) {
      p->found->reads[n] = op;
      return n;
    }
  return shape_as(shape_of_sum(p, op));
}

/* Of the tensors; false where one is not there. */
static bool find_elements(const schedule_value *found, MlirType *elements) {
  for (int t = 0; t < found->text->tensor_count; ++t) {
    MlirValue tensor = schedule_tensor(found->kernel, found->text->tensors[t].name);
    if (mlirValueIsNull(tensor))
      return false;
    elements[t] = element_type(mlirValueGetType(tensor));
  }
  return true;
}

/* Writes it as a statement of the semiring has it; false where the elements have no such. */
static bool write_pattern(pattern *p, const semiring *ring, MlirType element,
                          const MlirType *elements) {
  schedule_value *found = p->found;
  if (!scalar_is_defined(ring->plus, element) || !scalar_is_defined(ring->times, element))
    return false;
  found->block = mlirBlockCreate(0, NULL, NULL);
  builder_at_end(found->b, found->block);
  p->body = (einsum_body){.memory = found->memory,
                          .statement = found->text,
                          .ring = ring,
                          .b = found->b,
                          .block = found->block,
                          .element = element,
                          .elements = elements};
  found->value = einsum_body_emit(&p->body);
  found->read_count = p->body.access_count;
  found->reads = ARENA_ARRAY(found->memory, MlirOperation, found->read_count + 1);
  return !mlirValueIsNull(found->value);
}

/* ---- Where it stands ---------------------------------------------------------------------- */

/* Takes parts of a chain, not yet of a group, that are those of the wanted one; false where some
 * are missing. */
static bool take_group(const chain *wanted, const chain *in, int *groups, int group) {
  int taken = 0;
  for (int w = 0; w < wanted->count; ++w) {
    int n = 0;
    while (n < in->count && (groups[n] || in->parts[n].shape != wanted->parts[w].shape ||
                             in->parts[n].inverse != wanted->parts[w].inverse))
      ++n;
    if (n == in->count)
      break;
    groups[n] = group;
    ++taken;
  }
  for (int n = 0; taken < wanted->count && n < in->count; ++n)
    if (groups[n] == group)
      groups[n] = 0;
  return taken == wanted->count;
}

static bool match_parts(const schedule_value *found, const chain *wanted, value_match *match) {
  match->chain = shaped_chain(found->assigned, match->value);
  if (!wanted->op || match->chain.op != wanted->op || match->chain.count <= wanted->count)
    return false;
  match->groups = ARENA_ARRAY(found->memory, int, match->chain.count);
  while (take_group(wanted, &match->chain, match->groups, match->group_count + 1))
    ++match->group_count;
  return match->group_count;
}

/* What is made elsewhere, outside of loops, is left alone. */
static bool is_made_beside(MlirValue value, MlirOperation assign) {
  MlirOperation op = value_owner(value);
  return !mlirOperationIsNull(op) &&
         mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(assign));
}

/* Whether the value is read of a sum: it stands where that is summed. */
static bool is_sum(const schedule_value *found, MlirValue value) {
  MlirOperation op = value_owner(value);
  return !mlirOperationIsNull(op) && cin_is_read(op) && sum_at(found, op);
}

static void find_matches(schedule_value *found, const shaped_values *pattern) {
  const shaped_values *all = found->assigned;
  int wanted_shape = pattern->shapes[pattern->count - 1];
  chain wanted = shaped_chain(pattern, found->value);
  found->matches = ARENA_ARRAY(found->memory, value_match, all->count + 1);
  for (int n = 0; n < all->count; ++n) {
    value_match match = {.value = all->values[n]};
    if (all->shapes[n] == SHAPE_INSIDE || !is_made_beside(match.value, found->assign) ||
        is_sum(found, match.value))
      continue;
    bool whole = all->shapes[n] == wanted_shape;
    match.group_count = whole;
    if (whole || match_parts(found, &wanted, &match))
      found->matches[found->match_count++] = match;
  }
}

/* A new argument of the block in the place of a value in the pattern, which a sum stands for. */
static void stand_for(schedule_value *found, const shaped_values *pattern, const value_sum *sum) {
  MlirValue argument = {NULL};
  for (int n = 0; n + 1 < pattern->count; ++n) {
    MlirValue value = pattern->values[n];
    if (sum->shape < 0 || pattern->shapes[n] != sum->shape ||
        mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
      continue;
    if (mlirValueIsNull(argument)) {
      argument = mlirBlockAddArgument(found->block, mlirValueGetType(value),
                                      mlirOperationGetLocation(sum->read));
      found->reads[found->read_count++] = sum->read;
    }
    mlirValueReplaceAllUsesOfWith(value, argument);
  }
}

static bool is_no_leaf(MlirValue value, void *data) {
  (void)value;
  (void)data;
  return false;
}

/* What only sums are made of the value does not read. */
static void forget_reads(schedule_value *found) {
  value_list used = values_in_order(found->memory, found->value, is_no_leaf, NULL);
  bool *is_used = ARENA_ARRAY(found->memory, bool, found->read_count + 1);
  for (int n = 0; n < used.count; ++n)
    if (mlirValueIsABlockArgument(used.values[n]))
      is_used[mlirBlockArgumentGetArgNumber(used.values[n])] = true;
  for (int n = 0; n < found->read_count; ++n)
    if (!is_used[n])
      found->reads[n] = (MlirOperation){NULL};
}

/* b + A * x  ->  b + t, where what is assigned reads a sum of A * x there. */
static void take_sums(schedule_value *found, const shaped_values *pattern) {
  int accesses = found->read_count;
  MlirOperation *reads = ARENA_ARRAY(found->memory, MlirOperation, accesses + found->sum_count + 1);
  memcpy(reads, found->reads, sizeof *reads * (size_t)accesses);
  found->reads = reads;
  for (int n = 0; n < found->sum_count; ++n)
    if (shaped_has(found->assigned, mlirOperationGetResult(found->sums[n].read, 0)))
      stand_for(found, pattern, &found->sums[n]);
  if (found->read_count > accesses)
    forget_reads(found);
}

static bool find_in_semiring(pattern *p, const char *name, MlirType element,
                             const MlirType *elements) {
  schedule_value *found = p->found;
  semiring ring;
  if (!semiring_from_name(name, &ring))
    return false;
  ring.is_arithmetic = true;
  found->match_count = found->sum_count = 0;
  if (write_pattern(p, &ring, element, elements)) {
    p->table = shape_table_create(found->memory);
    shaped_values *pattern = shape_values(p->table, found->value, leaf_of_pattern, NULL, true);
    found->assigned =
        shape_values(p->table, cin_assign_value(found->assign), leaf_of_assigned, p, false);
    find_matches(found, pattern);
    if (found->match_count)
      take_sums(found, pattern);
  }
  if (!found->match_count && !mlirBlockIsNull(found->block)) {
    mlirBlockDestroy(found->block);
    found->block = (MlirBlock){NULL};
  }
  return found->match_count;
}

/* The semirings whose reduction it may be; without one, those that people name. */
static const struct {
  tin_reduction kind;
  const char *names[6];
} semirings[] = {
    {TIN_NO_REDUCTION, {"plus_times", "min_plus", "max_plus", "or_and", "max_times", "min_max"}},
    {TIN_ADD, {"plus_times", "plus_min", "plus_max", "plus_and"}},
    {TIN_MUL, {"times_plus", "times_times"}},
    {TIN_MIN, {"min_plus", "min_times", "min_max", "min_min", "plus_times"}},
    {TIN_MAX, {"max_plus", "max_times", "max_min", "max_max", "plus_times"}},
    {TIN_AND, {"and_or", "and_and", "and_xor"}},
    {TIN_OR, {"or_and", "or_or", "or_times"}},
    {TIN_XOR, {"xor_and", "xor_or"}},
};

bool schedule_value_find(arena *memory, MlirOperation assign, const einsum *text,
                         schedule_value *found) {
  MlirOperation kernel = assign;
  while (!cin_is_kernel(kernel))
    kernel = mlirOperationGetParentOperation(kernel);
  MlirType *elements = ARENA_ARRAY(memory, MlirType, text->tensor_count + 1);
  MlirType element = mlirValueGetType(cin_assign_value(assign));
  *found = (schedule_value){.memory = memory, .kernel = kernel, .assign = assign, .text = text};
  if (!find_elements(found, elements))
    return false;
  found->b = builder_create(mlirOperationGetContext(assign), mlirOperationGetLocation(assign));
  pattern p = {.found = found};
  for (size_t n = 0; n < sizeof semirings / sizeof *semirings; ++n)
    for (int r = 0; r < 6 && semirings[n].kind == cin_assign_kind(assign) && semirings[n].names[r];
         ++r)
      if (find_in_semiring(&p, semirings[n].names[r], element, elements))
        return true;
  schedule_value_free(found);
  return false;
}

void schedule_value_free(schedule_value *found) {
  if (!mlirBlockIsNull(found->block))
    mlirBlockDestroy(found->block);
  if (found->b)
    builder_free(found->b);
  found->block = (MlirBlock){NULL};
  found->b = NULL;
}

/* ---- What it is in ------------------------------------------------------------------------ */

bool schedule_value_distributes(const schedule_value *found, tin_reduction kind) {
  const value_match *match = &found->matches[0];
  MlirStringRef op = mlirStringRefCreateFromCString(match->chain.op ? match->chain.op->name : "");
  if (found->match_count != 1 || match->group_count != 1 ||
      (match->groups && !algebra_distributes(kind, op, 0)))
    return false;
  MlirValue value = match->value;
  for (;;) {
    MlirOpOperand use = value_only_use(value);
    if (mlirOpOperandIsNull(use))
      return false;
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, found->assign))
      return true;
    if (!algebra_distributes(kind, op_name(user), mlirOpOperandGetOperandNumber(use)))
      return false;
    value = mlirOperationGetResult(user, 0);
  }
}

/* Marks what is left of the values, from the root down, once the value is replaced. */
static void mark_left(const schedule_value *found, bool *left) {
  const shaped_values *all = found->assigned;
  int match = found->match_count - 1;
  left[all->count - 1] = true;
  for (int n = all->count; n-- > 0;) {
    const value_match *m = match >= 0 ? &found->matches[match] : NULL;
    bool is_matched = m && mlirValueEqual(m->value, all->values[n]);
    match -= is_matched;
    MlirOperation op = value_owner(all->values[n]);
    if (!left[n] || (is_matched && !m->groups) || mlirOperationIsNull(op) || cin_is_read(op))
      continue;
    for (int part = 0; is_matched && part < m->chain.count; ++part)
      if (!m->groups[part])
        left[value_map_place(&all->places, m->chain.parts[part].value)] = true;
    for (intptr_t i = 0; !is_matched && i < mlirOperationGetNumOperands(op); ++i)
      left[value_map_place(&all->places, mlirOperationGetOperand(op, i))] = true;
  }
}

bool schedule_value_is_read_beside(const schedule_value *found, MlirOperation read) {
  bool *left = ARENA_ARRAY(found->memory, bool, found->assigned->count + 1);
  int place = value_map_place(&found->assigned->places, mlirOperationGetResult(read, 0));
  mark_left(found, left);
  return place >= 0 && left[place];
}

/* ---- Writing ------------------------------------------------------------------------------ */

typedef struct emission {
  const schedule_value *found;
  builder *b;
  const value_map *renamed;
} emission;

static MlirValue emit_read(MlirValue value, void *data) {
  const emission *e = data;
  if (!mlirValueIsABlockArgument(value))
    return (MlirValue){NULL};
  MlirOperation read = e->found->reads[mlirBlockArgumentGetArgNumber(value)];
  MlirOperation copy = mlirOperationClone(read);
  for (intptr_t n = 0; n < cin_access_variable_count(read); ++n) {
    MlirValue now = value_map_get(e->renamed, cin_access_variable(read, n));
    if (!mlirValueIsNull(now))
      mlirOperationSetOperand(copy, n + 1, now);
  }
  MlirValue tensor = value_map_get(e->renamed, cin_access_tensor(read));
  if (!mlirValueIsNull(tensor))
    mlirOperationSetOperand(copy, 0, tensor);
  return op_result(insert_op(e->b, copy), 0);
}

MlirValue schedule_value_emit(const schedule_value *found, builder *b, const value_map *renamed) {
  value_map made = {.memory = found->memory};
  emission e = {found, b, renamed};
  return value_map_copy(&made, b, found->value, emit_read, &e);
}

typedef struct replacement {
  schedule_value *found;
  MlirValue workspace;
  int count;
  const MlirValue *variables;
  MlirValue (*read_of)(void *data, MlirValue read);
  void *data;
  value_map now; /* what stands for what was replaced */
} replacement;

static MlirValue read_workspace(const replacement *r) {
  MlirLocation location = mlirOperationGetLocation(r->found->assign);
  MlirOperation read = cin_bare_read(location, r->workspace, r->count, r->variables);
  return r->read_of(r->data, op_result(insert_op(r->found->b, read), 0));
}

static MlirValue apply(builder *b, const char *op, MlirValue x, MlirValue y) {
  MlirValue operands[] = {x, y};
  MlirType type = mlirValueGetType(y);
  return mlirValueIsNull(x) ? y : op_result(make_op(b, op, 2, operands, 1, &type, 0, NULL), 0);
}

/* The chain from left to right, with a read in place of each group where its first part stands. */
static MlirValue rebuild(const replacement *r, const value_match *match) {
  MlirValue value = {NULL};
  int met = 0;
  for (int n = 0; n < match->chain.count; ++n) {
    const chain_part *part = &match->chain.parts[n];
    const char *op = part->inverse ? match->chain.op->inverse : match->chain.op->name;
    MlirValue now = value_map_get(&r->now, part->value);
    if (!match->groups[n])
      value = mlirValueIsNull(value) && mlirValueIsNull(now)
                  ? part->value
                  : apply(r->found->b, op, value, mlirValueIsNull(now) ? part->value : now);
    else if (match->groups[n] > met) {
      value = apply(r->found->b, match->chain.op->name, value, read_workspace(r));
      ++met;
    }
  }
  return value;
}

static void erase_unused(const shaped_values *all) {
  for (int n = all->count; n-- > 0;) {
    MlirOperation op = value_owner(all->values[n]);
    if (!mlirOperationIsNull(op) && mlirOpOperandIsNull(mlirValueGetFirstUse(all->values[n])))
      mlirOperationDestroy(op);
  }
}

void schedule_value_replace(schedule_value *found, MlirValue workspace, int count,
                            const MlirValue *variables, MlirValue (*read_of)(void *, MlirValue),
                            void *data) {
  replacement r = {found, workspace, count, variables, read_of, data, {.memory = found->memory}};
  for (int n = 0; n < found->match_count; ++n) {
    const value_match *match = &found->matches[n];
    builder_before(found->b, value_owner(match->value));
    MlirValue by = match->groups ? rebuild(&r, match) : read_workspace(&r);
    mlirValueReplaceAllUsesOfWith(match->value, by);
    value_map_set(&r.now, match->value, by);
  }
  erase_unused(found->assigned);
}
