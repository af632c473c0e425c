/* kernel_statement.c - reads a cin.kernel into tensors, accesses, iterators, expressions and
 * index statements.  What is read, assigned and produced where is as the kernel's verifier says
 * (dialects/verify_kernel.c). */
#include "kernel_statement.h"

#include "cin_kernel.h"

#include "cin.h"
#include "ir.h"
#include "remap.h"
#include "result_format.h"
#include "tin.h"
#include "value_map.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

typedef struct reading {
  kernel_statement *s;
  value_map read; /* values read so far, by number in `expressions` */
  int room;
  const expression **expressions;
} reading;

/* `count` elements at `from`, with room for one more. */
static void *one_more(arena *memory, const void *from, int count, size_t size) {
  char *more = arena_alloc(memory, (size_t)(count + 1) * size);
  if (count)
    memcpy(more, from, (size_t)count * size);
  return more;
}

/* ---- tensors ------------------------------------------------------------------------------ */

static tensor *add_tensor(kernel_statement *s, tensor_role role, MlirValue source,
                          const char *name) {
  tensor *t = ARENA_ARRAY(s->memory, tensor, 1);
  t->number = s->tensor_count;
  t->role = role;
  t->name = name;
  t->source = source;
  t->type = mlirValueGetType(source);
  t->format = role == TENSOR_RESULT
                  ? result_format_get(s->memory, s->kernel, t->type)
                  : tensor_format_get(s->memory, t->type, mlirOperationGetLocation(s->kernel));
  s->tensors = one_more(s->memory, s->tensors, s->tensor_count, sizeof *s->tensors);
  s->tensors[s->tensor_count++] = t;
  if (t->format)
    t->fill = scalar_zero(t->format->element);
  return t->format ? t : NULL;
}

static const char *argument_name(kernel_statement *s, intptr_t n, intptr_t count) {
  MlirStringRef name = statement_op_tensor_name(s->kernel, n);
  if (name.length)
    return arena_text(s->memory, name.data, name.length);
  return n == count - 1 ? "the result" : arena_format(s->memory, "operand %d", (int)n);
}

static bool set_fill(kernel_statement *s, tensor *t, MlirAttribute fill) {
  if (!scalar_from_attribute(fill, t->format->element, &t->fill))
    return error_at(s->kernel, "expected the fill value of %s as a number of its element type",
                    t->name);
  t->fill_attribute = fill;
  return true;
}

/* Workspaces live in a kernel, and have no handle. */
static bool check_is_stored(const kernel_statement *s, const tensor *t) {
  for (int l = 0; l < t->format->level_count; ++l)
    if (t->format->levels[l].format->capabilities & LEVEL_WORKSPACE ||
        t->format->levels[l].format->shares_key)
      return error_at(
          s->kernel, "expected levels of stored tensors, found level %d (%s, for workspaces) of %s",
          l, t->format->levels[l].format->name, t->name);
  return true;
}

static bool read_arguments(kernel_statement *s) {
  MlirBlock body = op_block(s->kernel, 0);
  intptr_t count = mlirBlockGetNumArguments(body);
  for (intptr_t n = 0; n < count; ++n) {
    tensor_role role = n == count - 1 ? TENSOR_RESULT : TENSOR_OPERAND;
    tensor *t = add_tensor(s, role, mlirBlockGetArgument(body, n), argument_name(s, n, count));
    if (!t || !check_is_stored(s, t))
      return false;
    MlirAttribute fill = statement_op_fill(s->kernel, n);
    if (!mlirAttributeIsNull(fill) && !set_fill(s, t, fill))
      return false;
    s->result = t;
  }
  return count > 0;
}

bool tensor_in_registers(const tensor *t) {
  enum { MOST_ELEMENTS = 64 };
  int64_t elements = 1;
  if (t->role != TENSOR_WORKSPACE || t->format->order == 0 || !tensor_format_is_dense(t->format) ||
      !mlirShapedTypeHasStaticShape(t->type))
    return false;
  for (int d = 0; d < t->format->order && elements <= MOST_ELEMENTS; ++d)
    elements *= mlirShapedTypeGetDimSize(t->type, d);
  return elements <= MOST_ELEMENTS;
}

static bool read_workspace(kernel_statement *s, MlirOperation op) {
  int before = s->tensor_count;
  const char *name = arena_format(s->memory, "workspace %d", before);
  tensor *t = add_tensor(s, TENSOR_WORKSPACE, mlirOperationGetResult(op, 0), name);
  if (!t)
    return false;
  t->op = op;
  if (t->format->order > 1 && !tensor_format_is_workspace(t->format))
    return error_at(op,
                    "expected a workspace of order %d whose levels are dense, or a policy that "
                    "takes several coordinates with levels that share its key",
                    t->format->order);
  return true;
}

static tensor *tensor_of(const kernel_statement *s, MlirValue source) {
  for (int n = 0; n < s->tensor_count; ++n)
    if (mlirValueEqual(s->tensors[n]->source, source))
      return s->tensors[n];
  return NULL;
}

/* ---- accesses ----------------------------------------------------------------------------- */

static MlirAttribute pad_of(MlirOperation read) {
  return cin_is_read(read) ? cin_read_pad(read) : (MlirAttribute){NULL};
}

static bool same_access(const tensor_read *a, const tensor *t, MlirOperation op, intptr_t rank,
                        const subscript *at) {
  if (a->tensor != t || !mlirAttributeEqual(pad_of(a->op), pad_of(op)))
    return false;
  for (intptr_t d = 0; d < rank; ++d)
    if (!subscript_equal(&a->subscripts[d], &at[d]))
      return false;
  return true;
}

static bool level_is_supported(const tensor_read *a, int k) {
  const format_level *level = &a->tensor->format->levels[k];
  MlirStringRef name = mlirStringRefCreateFromCString(level->format->name);
  const iterator *i = a->iterators[k];
  if (iterator_is_located(i))
    return true;
  if (!iterator_can_walk(i))
    return error_at(a->op,
                    "not supported yet: a %.*s level, which can only be located, as an "
                    "operand",
                    TEXT(name));
  return true;
}

MlirValue level_variable(const kernel_statement *s, const format_level *level, intptr_t rank,
                         const subscript *subscripts) {
  MlirValue *variables = ARENA_ARRAY(s->memory, MlirValue, rank + 1);
  for (intptr_t d = 0; d < rank; ++d) {
    const subscript *at = &subscripts[d];
    variables[d] = subscript_is_compound(at)
                       ? cin_form_variable(s->kernel, at->expression, at->count, at->variables)
                       : subscript_variable(at);
  }
  return cin_level_variable(s->kernel, level, (int)rank, variables);
}

/* Whether a subscript that the level's coordinate depends on may be out of its dimension. */
static bool level_is_padded(const tensor_read *a, const format_level *level) {
  for (intptr_t d = 0; d < a->rank; ++d)
    if (a->subscripts[d].padded && mlirAffineExprIsFunctionOfDim(level->expression, d))
      return true;
  return false;
}

/* What level k is subscripted by; NULL, with a diagnostic, where there is no variable for it. */
static const subscript *level_subscript(const kernel_statement *s, const tensor_read *a, int k) {
  const format_level *level = &a->tensor->format->levels[k];
  MlirValue *variable = ARENA_ARRAY(s->memory, MlirValue, 1);
  subscript *at = ARENA_ARRAY(s->memory, subscript, 1);
  if (mlirAffineExprIsAConstant(level->expression)) {
    *at = (subscript){level->expression, 0, NULL, false};
    return at;
  }
  *variable = level_variable(s, level, a->rank, a->subscripts);
  if (mlirValueIsNull(*variable) && level->dimension >= 0)
    return &a->subscripts[level->dimension];
  if (mlirValueIsNull(*variable)) {
    error_at(a->op, "expected a cin.remap to the expression that level %d of %s holds", k,
             a->tensor->name);
    return NULL;
  }
  MlirContext context = mlirOperationGetContext(s->kernel);
  *at = (subscript){mlirAffineDimExprGet(context, 0), 1, variable, level_is_padded(a, level)};
  return at;
}

static bool make_iterators(kernel_statement *s, tensor_read *a) {
  const tensor_format *format = a->tensor->format;
  a->iterators = ARENA_ARRAY(s->memory, const iterator *, format->level_count + 1);
  for (int k = 0; k < format->level_count; ++k) {
    const subscript *at = level_subscript(s, a, k);
    if (!at)
      return false;
    a->iterators[k] = iterator_get(&s->iterators, a->tensor, &format->levels[k], k,
                                   k ? a->iterators[k - 1] : NULL, at);
    if (!level_is_supported(a, k))
      return false;
  }
  return true;
}

/* A value out of range that is the fill is told by what is not stored. */
static bool take_pad(tensor_read *a) {
  MlirAttribute pad = pad_of(a->op);
  if (!tin_pad_is_value(pad))
    return true;
  if (!scalar_from_attribute(pad, a->tensor->format->element, &a->pad))
    return error_at(a->op, "expected the padding of %s as a number of its element type",
                    a->tensor->name);
  a->pads = !scalar_equal(&a->pad, &a->tensor->fill);
  return true;
}

static const tensor_read *read_access(kernel_statement *s, MlirOperation op, const tensor *t) {
  intptr_t rank;
  const subscript *at = subscripts_of(s->memory, op, &rank);
  for (int n = 0; n < s->access_count; ++n)
    if (same_access(s->accesses[n], t, op, rank, at))
      return s->accesses[n];
  tensor_read *a = ARENA_ARRAY(s->memory, tensor_read, 1);
  *a = (tensor_read){
      .number = s->access_count, .op = op, .tensor = t, .rank = rank, .subscripts = at};
  if (!take_pad(a))
    return NULL;
  s->accesses = one_more(s->memory, s->accesses, s->access_count, sizeof *s->accesses);
  s->accesses[s->access_count++] = a;
  return make_iterators(s, a) ? a : NULL;
}

/* ---- expressions -------------------------------------------------------------------------- */

static const expression *read_before(const reading *r, MlirValue value) {
  int place = value_map_place(&r->read, value);
  return place < 0 ? NULL : r->expressions[place];
}

static bool read_read(reading *r, MlirOperation op, expression *e) {
  tensor *t = tensor_of(r->s, cin_access_tensor(op));
  if (!mlirTypeIsARankedTensor(t->type)) {
    e->kind = EXPRESSION_SCALAR;
    e->tensor = t;
    return true;
  }
  e->kind = EXPRESSION_ACCESS;
  e->access = read_access(r->s, op, t);
  return e->access;
}

static bool read_operation(reading *r, MlirOperation op, expression *e) {
  if (mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumRegions(op) != 0)
    return error_at(op, "expected a scalar operation with one result and no region");
  e->kind = EXPRESSION_OPERATION;
  e->op = op;
  e->rule = algebra_operator_find(op_name(op));
  e->count = (int)mlirOperationGetNumOperands(op);
  e->operands = ARENA_ARRAY(r->s->memory, const expression *, e->count + 1);
  for (int n = 0; n < e->count; ++n)
    e->operands[n] = read_before(r, mlirOperationGetOperand(op, n));
  return true;
}

static bool read_value(reading *r, MlirOperation user, MlirValue value, expression *e) {
  MlirOperation op = value_owner(value);
  if (cin_is_read(op))
    return read_read(r, op, e);
  if (op_is(op, "arith.constant") || op_is(op, "complex.constant")) {
    e->kind = EXPRESSION_CONSTANT;
    return scalar_from_attribute(op_attribute(op, "value"), e->type, &e->constant) ||
           error_at(op, "expected a constant of a scalar type");
  }
  if (!mlirOperationIsNull(op))
    return read_operation(r, op, e);
  e->kind = EXPRESSION_SCALAR;
  e->tensor = tensor_of(r->s, value);
  return (e->tensor && !mlirTypeIsARankedTensor(e->type)) ||
         error_at(user, "expected scalar operands, found a tensor");
}

static void remember(reading *r, MlirValue value, const expression *e) {
  int place = r->read.count;
  value_map_set(&r->read, value, value);
  if (place == r->room) {
    r->room = r->room ? 2 * r->room : 32;
    const expression **more = ARENA_ARRAY(r->s->memory, const expression *, r->room);
    if (place)
      memcpy(more, r->expressions, sizeof *more * (size_t)place);
    r->expressions = more;
  }
  r->expressions[place] = e;
}

/* Arguments, reads and what was read before have no operands to be read first. */
static bool is_leaf(MlirValue value, void *data) {
  const reading *r = data;
  MlirOperation op = value_owner(value);
  return mlirOperationIsNull(op) || cin_is_read(op) || read_before(r, value);
}

static bool read_one(reading *r, MlirOperation user, MlirValue value) {
  expression e = {.type = mlirValueGetType(value)};
  if (read_before(r, value))
    return true;
  if (!read_value(r, user, value, &e))
    return false;
  remember(r, value, expression_share(r->s->expressions, &e));
  return true;
}

static const expression *read_expression(reading *r, MlirOperation user, MlirValue value) {
  value_list parts = values_in_order(r->s->memory, value, is_leaf, r);
  for (int n = 0; n < parts.count; ++n)
    if (!read_one(r, user, parts.values[n]))
      return NULL;
  return read_before(r, value);
}

/* ---- assignments -------------------------------------------------------------------------- */

static bool read_reduction(assignment *a) {
  a->kind = cin_assign_kind(a->op);
  if (!a->kind)
    return true;
  builder *b = builder_create(mlirOperationGetContext(a->op), mlirOperationGetLocation(a->op));
  MlirType type = a->target->format->element;
  a->identity_attribute = cin_assign_identity(a->op);
  if (mlirAttributeIsNull(a->identity_attribute))
    a->identity_attribute = combine_identity(b, a->kind, type);
  builder_free(b);
  return scalar_from_attribute(a->identity_attribute, type, &a->identity) ||
         error_at(a->op,
                  "expected a reduction that has an identity in its element type, found "
                  "'%s'",
                  tinReductionName(a->kind));
}

/* What a workspace has before anything is assigned is the identity of its reduction; without one
 * what the result has where there are no entries, so that none are made of that. */
static void note_assignment(kernel_statement *s, tensor *t, const assignment *a) {
  bool is_like_result = mlirTypeEqual(t->format->element, s->result->format->element);
  t->assignments = one_more(s->memory, t->assignments, t->assignment_count, sizeof *t->assignments);
  t->assignments[t->assignment_count++] = a;
  if (t->role == TENSOR_WORKSPACE && a->kind) {
    t->fill = a->identity;
    t->fill_attribute = a->identity_attribute;
  } else if (t->role == TENSOR_WORKSPACE && is_like_result) {
    t->fill = s->result->fill;
    t->fill_attribute = s->result->fill_attribute;
  }
}

static bool bare_target(const kernel_statement *s, const assignment *a) {
  for (intptr_t d = 0; d < a->rank; ++d)
    if (subscript_is_compound(&a->subscripts[d]))
      return error_at(a->op,
                      "expected bare index variables as subscripts of what is assigned, "
                      "found '%s'",
                      subscript_text(s->memory, &a->subscripts[d]));
  return true;
}

static assignment *read_assignment(reading *r, MlirOperation op) {
  kernel_statement *s = r->s;
  assignment *a = ARENA_ARRAY(s->memory, assignment, 1);
  a->op = op;
  a->target = tensor_of(s, cin_access_tensor(op));
  a->subscripts = subscripts_of(s->memory, op, &a->rank);
  a->value = read_expression(r, op, cin_assign_value(op));
  if (!a->value || !bare_target(s, a) || !read_reduction(a))
    return NULL;
  note_assignment(s, a->target, a);
  return a;
}

/* ---- statements --------------------------------------------------------------------------- */

static bool read_block(reading *r, MlirBlock from, block *to);

static index_statement *read_forall(reading *r, MlirOperation op) {
  index_statement *n = ARENA_ARRAY(r->s->memory, index_statement, 1);
  n->kind = STATEMENT_FORALL;
  n->op = op;
  n->variable = cin_forall_variable(op);
  return read_block(r, cin_forall_body(op), &n->body) ? n : NULL;
}

/* The producer is read first: it comes first, and its assignments tell the workspace's identity. */
static index_statement *read_where(reading *r, MlirOperation op) {
  index_statement *n = ARENA_ARRAY(r->s->memory, index_statement, 1);
  n->kind = STATEMENT_WHERE;
  n->op = op;
  n->workspace = tensor_of(r->s, cin_where_workspace(op));
  bool read = read_block(r, cin_where_producer(op), &n->producer) &&
              read_block(r, cin_where_consumer(op), &n->body);
  return read ? n : NULL;
}

static index_statement *read_assign(reading *r, MlirOperation op) {
  index_statement *n = ARENA_ARRAY(r->s->memory, index_statement, 1);
  n->kind = STATEMENT_ASSIGNMENT;
  n->op = op;
  n->assignment = read_assignment(r, op);
  return n->assignment ? n : NULL;
}

static bool read_block(reading *r, MlirBlock from, block *to) {
  for (OPERATIONS(op, from)) {
    index_statement *n;
    if (cin_is_forall(op))
      n = read_forall(r, op);
    else if (cin_is_where(op))
      n = read_where(r, op);
    else if (cin_is_assign(op))
      n = read_assign(r, op);
    else
      continue;
    if (!n)
      return false;
    to->statements = one_more(r->s->memory, to->statements, to->count, sizeof *to->statements);
    to->statements[to->count++] = n;
  }
  return true;
}

/* A read that nobody uses says what shape its tensor has to have. */
static bool read_unused(kernel_statement *s) {
  op_list reads = ops_below(s->memory, s->kernel, cin_is_read);
  for (int n = 0; n < reads.count; ++n) {
    MlirOperation op = reads.ops[n];
    const tensor *t = tensor_of(s, mlirOperationGetOperand(op, 0));
    bool is_unused = mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0)));
    if (is_unused && t && t->role == TENSOR_OPERAND && mlirTypeIsARankedTensor(t->type) &&
        !read_access(s, op, t))
      return false;
  }
  return true;
}

static bool read_workspaces(kernel_statement *s) {
  for (OPERATIONS(op, op_block(s->kernel, 0)))
    if (cin_is_workspace(op) && !read_workspace(s, op))
      return false;
  return true;
}

kernel_statement *kernel_statement_read(arena *memory, MlirOperation kernel) {
  kernel_statement *s = ARENA_ARRAY(memory, kernel_statement, 1);
  s->memory = memory;
  s->kernel = kernel;
  s->iterators.memory = memory;
  s->expressions = ARENA_ARRAY(memory, expression_table, 1);
  s->expressions->memory = memory;
  reading r = {.s = s, .read = {.memory = memory}};
  bool read = read_arguments(s) && read_workspaces(s) &&
              read_block(&r, op_block(kernel, 0), &s->body) && read_unused(s);
  return read ? s : NULL;
}

/* ---- questions ---------------------------------------------------------------------------- */

static void gather(arena *memory, const block *b, effects *all) {
  for (int n = 0; n < b->count; ++n) {
    const index_statement *at = b->statements[n];
    if (at->kind != STATEMENT_ASSIGNMENT) {
      gather(memory, &at->body, all);
      continue;
    }
    all->assignments = one_more(memory, all->assignments, all->count, sizeof *all->assignments);
    all->assignments[all->count++] = at->assignment;
  }
}

effects block_effects(arena *memory, const block *b) {
  effects all = {0, NULL};
  gather(memory, b, &all);
  return all;
}

bool block_assigns(const block *b, const tensor *target) {
  for (int n = 0; n < b->count; ++n) {
    const index_statement *at = b->statements[n];
    if (at->kind == STATEMENT_ASSIGNMENT
            ? at->assignment->target == target
            : block_assigns(&at->body, target) || block_assigns(&at->producer, target))
      return true;
  }
  return false;
}
