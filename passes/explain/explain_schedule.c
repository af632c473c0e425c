/* explain_schedule.c - the loops of a kernel as commands that make them (docs/schedules.md):
 *
 *     forall i0 on cpu_thread { forall k { forall i1 { ... }}}
 *
 *     split(i,i0,i1,32)  reorder(i0,k,i1)  parallelize(i0,cpu_thread,no_races)
 */
#include "explain.h"

#include "kernel_words.h"
#include "schedule_parser.h"

#include <mlir-c/BuiltinAttributes.h>

#include <stdarg.h>
#include <string.h>

typedef struct commands {
  arena *memory;
  MlirOperation kernel;
  FILE *out;
  int count;
} commands;

static const char *name_of(const commands *c, MlirValue variable) {
  return variable_words(c->memory, variable);
}

__attribute__((format(printf, 2, 3))) static void command(commands *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs(c->count++ ? " " : "", c->out);
  vfprintf(c->out, format, arguments);
  va_end(arguments);
}

/* ---- Relations ---------------------------------------------------------------------------- */

/* Whether splits derive a variable from `whole`; itself too. */
static bool derives(MlirValue variable, MlirValue whole) {
  while (!mlirValueEqual(variable, whole)) {
    MlirOperation op = value_owner(variable);
    if (mlirOperationIsNull(op) || !cin_is_split(op))
      return false;
    variable = cin_split_parent(op);
  }
  return true;
}

/* Whether a loop over `above` stands inside of one over a part of `whole`. */
static bool stands_inside(const commands *c, MlirValue above, MlirValue whole) {
  op_list foralls = ops_below(c->memory, c->kernel, cin_is_forall);
  for (int f = 0; f < foralls.count; f++) {
    op_list around = cin_path(c->memory, foralls.ops[f]);
    for (int a = 0; mlirValueEqual(cin_forall_variable(foralls.ops[f]), above) && a < around.count;
         a++)
      if (derives(cin_forall_variable(around.ops[a]), whole))
        return true;
  }
  return false;
}

/* Whether a relation goes through the variables above its own together with it: cin.collapse does,
 * and positions of which parts are gone through outside of those. */
static bool is_collapsed(const commands *c, MlirOperation op, MlirValue above) {
  return cin_is_collapse(op) ||
         (cin_is_pos(op) && stands_inside(c, above, mlirOperationGetResult(op, 0)));
}

/* Whether no command names a variable: it is gone through along with another one. */
static bool is_taken_along(const commands *c, MlirValue variable) {
  for (OPERATIONS(op, op_block(c->kernel, 0)))
    for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); i++)
      if (mlirValueEqual(mlirOperationGetOperand(op, i), variable) && is_collapsed(c, op, variable))
        return true;
  return false;
}

/* "i,j": the variables that a relation goes through as one, the outermost first: its first operand
 * is the innermost of them, and those above follow. */
static const char *collapsed(const commands *c, MlirOperation op, int *count) {
  const char *names = "";
  *count = 1;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue above = mlirOperationGetOperand(op, i);
    if (!cinTypeIsAIndexVariable(mlirValueGetType(above)) || !is_collapsed(c, op, above))
      continue;
    names = arena_format(c->memory, "%s%s,", names, name_of(c, above));
    ++*count;
  }
  return arena_format(c->memory, "%s%s", names, name_of(c, mlirOperationGetOperand(op, 0)));
}

/* The positions of several levels are those of their variables collapsed. */
static void print_positions(commands *c, MlirOperation op) {
  int count;
  const char *through = collapsed(c, op, &count);
  if (count > 1) {
    const char *one = cin_new_name(c->memory, c->kernel, mlirOperationGetOperand(op, 0), "_all");
    command(c, "collapse(%s,%s)", through, one);
    through = one;
  }
  command(c, "pos(%s,%s,%s)", through, name_of(c, mlirOperationGetResult(op, 0)),
          cin_tensor_bare_name(c->memory, c->kernel, cin_pos_tensor(op)));
}

static void print_relation(commands *c, MlirOperation op) {
  int count;
  if (cin_is_split(op))
    command(c, "%s(%s,%s,%s,%ld)", op_has(op, "up") ? "split_up" : "split",
            name_of(c, cin_split_parent(op)), name_of(c, cin_split_outer(op)),
            name_of(c, cin_split_inner(op)), (long)cin_split_size(op));
  if (cin_is_collapse(op))
    command(c, "collapse(%s,%s)", collapsed(c, op, &count),
            name_of(c, mlirOperationGetResult(op, 0)));
  if (cin_is_pos(op))
    print_positions(c, op);
  if (cin_is_coord(op))
    command(c, "coord(%s,%s)", name_of(c, mlirOperationGetOperand(op, 0)),
            name_of(c, mlirOperationGetResult(op, 0)));
  if (cin_is_bound(op))
    command(c, "bound(%s,%s,%ld,%s)", name_of(c, mlirOperationGetOperand(op, 0)),
            name_of(c, mlirOperationGetResult(op, 0)), (long)op_integer(op, "size", 0),
            cin_bound_kind_name(cin_op_bound_kind(op)));
}

/* ---- Order -------------------------------------------------------------------------------- */

/* The forall over a variable among some; null where there is none. */
static MlirOperation loop_over(const op_list *loops, MlirValue variable) {
  for (int f = 0; f < loops->count; f++)
    if (mlirValueEqual(cin_forall_variable(loops->ops[f]), variable))
      return loops->ops[f];
  return (MlirOperation){NULL};
}

static bool has_loop(const op_list *loops, MlirValue variable) {
  return !mlirOperationIsNull(loop_over(loops, variable));
}

/* The foralls around an access, outermost first, where it is the one that most are around: what is
 * taken out of them into a workspace stands further out. */
static op_list deepest_path(const commands *c) {
  op_list reads = ops_below(c->memory, c->kernel, cin_is_read), deepest = {0};
  for (int r = 0; r < reads.count; r++) {
    op_list path = cin_path(c->memory, reads.ops[r]);
    if (path.count > deepest.count)
      deepest = path;
  }
  return deepest;
}

/* All foralls, those of a sum that was factored before the ones of what is computed with it. */
static void add_loops(const commands *c, MlirBlock block, op_list *loops) {
  for (OPERATIONS(op, block)) {
    if (cin_is_where(op)) {
      add_loops(c, cin_where_producer(op), loops);
      add_loops(c, cin_where_consumer(op), loops);
    }
    if (!cin_is_forall(op))
      continue;
    if (!has_loop(loops, cin_forall_variable(op)))
      op_list_add(c->memory, loops, op);
    add_loops(c, cin_forall_body(op), loops);
  }
}

static void print_order(commands *c, const op_list *path, int first, int end) {
  const char *names = "";
  int count = 0;
  for (int f = first; f < end; f++)
    if (!is_taken_along(c, cin_forall_variable(path->ops[f])))
      names = arena_format(c->memory, "%s%s%s", names, count++ ? "," : "",
                           name_of(c, cin_forall_variable(path->ops[f])));
  if (count > 1)
    command(c, "reorder(%s)", names);
}

/* Whether a cin.where does nothing with what is produced but put it where it belongs: it has been
 * inserted behind the schedule. */
static bool only_copies(MlirOperation where) {
  MlirOperation op = mlirBlockGetFirstOperation(cin_where_consumer(where));
  while (cin_is_forall(op))
    op = mlirBlockGetFirstOperation(cin_forall_body(op));
  if (!cin_is_read(op) || !mlirValueEqual(cin_access_tensor(op), cin_where_workspace(where)))
    return false;
  MlirOperation assign = mlirOperationGetNextInBlock(op);
  return cin_is_assign(assign) &&
         mlirValueEqual(cin_assign_value(assign), mlirOperationGetResult(op, 0));
}

/* Whether a statement sets what others reduce into to a constant (cin-tile). */
static bool only_fills(MlirOperation op) {
  while (cin_is_forall(op))
    op = mlirBlockGetFirstOperation(cin_forall_body(op));
  if (!mlirOperationIsNull(op) && op_is(op, "arith.constant"))
    op = mlirOperationGetNextInBlock(op);
  MlirOperation made =
      cin_is_assign(op) ? value_owner(cin_assign_value(op)) : (MlirOperation){NULL};
  return !mlirOperationIsNull(made) && op_is(made, "arith.constant");
}

static bool is_only_statement(MlirOperation op) {
  int count = 0;
  for (OPERATIONS(other, mlirOperationGetBlock(op)))
    count +=
        (cin_is_forall(other) && !only_fills(other)) || cin_is_where(other) || cin_is_assign(other);
  return count == 1;
}

/* Whether a forall is all that there was in another one when the schedule was applied. */
static bool is_directly_in(MlirOperation forall, MlirOperation outer) {
  for (MlirOperation op = forall, up; !mlirOperationEqual(op, outer); op = up) {
    up = mlirOperationGetParentOperation(op);
    bool copied = cin_is_where(up) && only_copies(up) &&
                  mlirBlockEqual(mlirOperationGetBlock(op), cin_where_producer(up));
    if (!is_only_statement(op) || !(copied || mlirOperationEqual(up, outer)))
      return false;
  }
  return true;
}

/* Loops that are directly nested have an order, those of each such nest on a path. */
static void print_orders(commands *c, const op_list *path) {
  for (int first = 0, end; first < path->count; first = end) {
    for (end = first + 1; end < path->count && is_directly_in(path->ops[end], path->ops[end - 1]);)
      end++;
    print_order(c, path, first, end);
  }
}

/* ---- Sums that were factored ------------------------------------------------------------- */

static bool is_factored(MlirOperation op) {
  return cin_is_where(op) && op_has(op, "factored");
}

/* "B(i,k)*C(j,k)", as a command can say it; NULL for what is no product of accesses. */
static const char *product_words(const commands *c, MlirStringRef times, MlirValue value) {
  MlirOperation op = value_owner(value);
  if (cin_is_read(op)) {
    const char *words = access_words(c->memory, c->kernel, op);
    return strstr(words, "...") ? NULL : words;
  }
  if (!mlirStringRefEqual(op_name(op), times) || mlirOperationGetNumOperands(op) != 2)
    return NULL;
  const char *left = product_words(c, times, mlirOperationGetOperand(op, 0));
  const char *right = product_words(c, times, mlirOperationGetOperand(op, 1));
  return left && right ? arena_format(c->memory, "%s*%s", left, right) : NULL;
}

/* The sum that an assignment adds to, of which the innermost forall gives the name. */
static void print_sum(commands *c, MlirOperation assign) {
  op_list path = cin_path(c->memory, assign);
  MlirValue value = cin_assign_value(assign);
  const char *words = product_words(c, op_name(value_owner(value)), value);
  MlirValue innermost = cin_forall_variable(path.ops[path.count - 1]);
  if (words)
    command(c, "precompute(%s,{},{},%s)", words,
            cin_new_name(c->memory, c->kernel, innermost, "_sum"));
}

static void print_factored(commands *c) {
  op_list wheres = ops_below(c->memory, c->kernel, is_factored);
  for (int w = 0; w < wheres.count; w++) {
    op_list assigns = ops_below(c->memory, wheres.ops[w], cin_is_assign);
    for (int a = 0; a < assigns.count; a++)
      if (mlirValueEqual(cin_access_tensor(assigns.ops[a]), cin_where_workspace(wheres.ops[w])))
        print_sum(c, assigns.ops[a]);
  }
}

/* ---- Hardware ----------------------------------------------------------------------------- */

static void print_strategies(commands *c, MlirOperation forall) {
  MlirAttribute all = op_attribute(forall, "strategies");
  const char *text = "";
  if (mlirAttributeIsNull(all))
    return;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(all); i++) {
    MlirNamedAttribute told = mlirDictionaryAttrGetElement(all, i);
    MlirStringRef name = mlirIdentifierStr(told.name);
    const char *number =
        mlirAttributeIsAInteger(told.attribute)
            ? arena_format(c->memory, "=%ld", (long)mlirIntegerAttrGetValueInt(told.attribute))
            : "";
    text = arena_format(c->memory, "%s,%.*s%s", text, TEXT(name), number);
  }
  command(c, "strategies(%s%s)", name_of(c, cin_forall_variable(forall)), text);
}

static bool is_gathered_on_threads(MlirOperation where) {
  MlirOperation first = mlirBlockGetFirstOperation(cin_where_producer(where));
  return !mlirOperationIsNull(first) && cin_is_forall(first) &&
         cin_op_unit(first) == CIN_CPU_THREAD && cin_op_race(first) == CIN_TEMPORARY;
}

/* Whether it goes through a workspace that threads gather: that is done on threads without a
 * command. */
static bool consumes_on_threads(MlirOperation forall) {
  MlirOperation where = mlirOperationGetParentOperation(forall);
  return cin_op_unit(forall) == CIN_CPU_THREAD && cin_is_where(where) &&
         cin_op_race(forall) == CIN_NO_RACES && is_gathered_on_threads(where);
}

static void print_unit(commands *c, MlirOperation forall) {
  const char *name = name_of(c, cin_forall_variable(forall));
  if (cin_op_unit(forall) != CIN_SERIAL && !consumes_on_threads(forall))
    command(c, "parallelize(%s,%s,%s)", name, cin_unit_name(cin_op_unit(forall)),
            cin_race_name(cin_op_race(forall)));
  if (cin_forall_is_unrolled(forall))
    command(c, "unroll(%s,%ld)", name, (long)op_integer(forall, "unroll", 1));
  print_strategies(c, forall);
}

/* Of several foralls over a variable, the one of the path tells: others only copy. */
static void print_units(commands *c, const op_list *path) {
  op_list foralls = ops_below(c->memory, c->kernel, cin_is_forall), done = {0};
  for (int f = 0; f < foralls.count; f++) {
    MlirValue variable = cin_forall_variable(foralls.ops[f]);
    MlirOperation telling = loop_over(path, variable);
    if (!has_loop(&done, variable))
      print_unit(c, mlirOperationIsNull(telling) ? foralls.ops[f] : telling);
    op_list_add(c->memory, &done, foralls.ops[f]);
  }
}

/* ---- What was said ------------------------------------------------------------------------ */

/* Whether one of the commands makes a variable of that name. */
static bool makes(const schedule *told, MlirStringRef name) {
  for (int n = 0; n < told->count; n++)
    for (int m = 0; m < told->commands[n].made_count; m++)
      if (text_is(name, told->commands[n].made[m]))
        return true;
  return false;
}

/* Whether one of them runs something on threads: what then is not stays so. */
static bool tells_threads(const schedule *told) {
  for (int n = 0; n < told->count; n++)
    if (told->commands[n].kind == SCHEDULE_PARALLELIZE && told->commands[n].unit == CIN_CPU_THREAD)
      return true;
  return false;
}

/* A kernel of which loops went into the producer of a workspace by a command: the commands as they
 * were said, and what was done without. */
static void print_told(commands *c, MlirStringRef text) {
  schedule told;
  const char *whole = arena_text(c->memory, text.data, text.length);
  op_list foralls = ops_below(c->memory, c->kernel, cin_is_forall);
  if (!schedule_parse(c->memory, whole, &told))
    return;
  command(c, "%s", whole);
  for (OPERATIONS(op, op_block(c->kernel, 0)))
    if (cin_is_split(op) && !makes(&told, provenance_name(cin_split_outer(op))))
      print_relation(c, op);
  for (int f = 0; f < foralls.count && !tells_threads(&told); f++)
    if (cin_op_unit(foralls.ops[f]) == CIN_CPU_THREAD)
      print_unit(c, foralls.ops[f]);
}

static void print_kernel(arena *memory, MlirOperation kernel, FILE *out) {
  commands c = {memory, kernel, out, 0};
  if (op_has(kernel, "commands")) {
    print_told(&c, op_text(kernel, "commands"));
    fputs("\n", out);
    return;
  }
  op_list path = {0};
  bool factored = ops_below(memory, kernel, is_factored).count;
  for (OPERATIONS(op, op_block(kernel, 0)))
    print_relation(&c, op);
  if (factored) {
    add_loops(&c, op_block(kernel, 0), &path);
    print_order(&c, &path, 0, path.count);
  } else {
    path = deepest_path(&c);
    print_orders(&c, &path);
  }
  print_factored(&c);
  print_units(&c, &path);
  fputs("\n", out);
}

static op_list scheduled_kernels(arena *memory, MlirOperation module) {
  op_list kernels = ops_below(memory, module, cin_is_kernel), scheduled = {0};
  for (int k = 0; k < kernels.count; k++)
    if (!statement_op_is_conversion(kernels.ops[k]))
      op_list_add(memory, &scheduled, kernels.ops[k]);
  return scheduled;
}

/* Commands for one of several statements stand behind the name of its result. */
void explain_schedule(arena *memory, MlirOperation module, FILE *out) {
  op_list kernels = scheduled_kernels(memory, module);
  for (int k = 0; k < kernels.count; k++) {
    MlirValue result = cin_kernel_result(kernels.ops[k]);
    if (kernels.count > 1)
      fprintf(out, "%s: ", cin_tensor_bare_name(memory, kernels.ops[k], result));
    print_kernel(memory, kernels.ops[k], out);
  }
}
