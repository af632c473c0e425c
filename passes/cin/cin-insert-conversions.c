/* cin-insert-conversions.c - operands whose storage contradicts the order of the foralls are
 * converted before the kernel, and a result that cannot be built in it is, after the kernel.
 *
 *     A(i,j) = B(i,j) + C(i,j), A and B by rows, C by columns
 *
 *     C' = convert C to rows
 *     forall i { forall j { A[i, j] = B[i, j] + C'[i, j] } }
 *
 * The order stands: it was chosen (iteration_graph.h, conversion_plan.h) or given by a schedule.
 * Where something else would avoid the conversion, the remark says what.
 *
 * A result is built as its levels are, if there is a way (assembly_loops.h); else with its levels
 * in the order of the foralls; else its entries come in any order, and several times where a sum
 * goes on outside of them: they are recorded, or listed, and added up afterwards.
 *
 *     A(i,l) = B(k,i) * C(k,l), all by rows, in the order k, i, l        outer products
 *
 *     forall k { forall i { forall l { A[i, l] = B[k, i] * C[k, l] } } }       by record
 */
#include "access_order.h"
#include "assembly_loops.h"
#include "bridge.h"
#include "cin.h"
#include "copied_operand.h"
#include "diagnostic.h"
#include "format_assembly.h"
#include "format_order.h"
#include "held_policy.h"
#include "kernel_statement.h"
#include "looked_up.h"
#include "result_format.h"
#include "statement_rebuild.h"
#include "statistics.h"
#include "tin.h"
#include "tin_ops.h"
#include "workspace_policy.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

typedef struct inserter {
  arena *memory;
  MlirOperation kernel;
  const char *policies; /* as cin_insert_conversions_options (bridge.h) */
  int64_t bytes;
  provenance *graph;
  bool *failed; /* the kernel is none that can be read; a diagnostic has said so */
} inserter;

/* An access that contradicts the order, and where. */
typedef struct conflict {
  access_order order;
  int level, above; /* above: -1 for strides */
} conflict;

/* ---- words ---------------------------------------------------------------------------------- */

/* Of a kernel that somebody wrote: the variables of a conversion are nobody's. */
static void say(const inserter *x, const char *remark) {
  if (!statement_op_is_conversion(x->kernel))
    remark_at(x->kernel, "%s", remark);
}

static MlirStringRef name_at(const conflict *c, int level) {
  return provenance_name(cin_forall_variable(c->order.path.ops[c->order.known_at[level]]));
}

/* Why, and what to write to avoid it. */
static const char *reason_for(const inserter *x, const conflict *c) {
  if (c->above < 0)
    return arena_format(
        x->memory, "since the loop over '%.*s' takes strides through it; stored so, it need not be",
        TEXT(name_at(c, c->level)));
  MlirStringRef inner = name_at(c, c->level), outer = name_at(c, c->above);
  const char *cycle = access_order_cycle(x->memory, x->graph, &c->order, c->above, c->level);
  return cycle
             ? arena_format(x->memory,
                            "since the orders of the levels form a cycle, %s; stored so, it need "
                            "not be",
                            cycle)
             : arena_format(x->memory,
                            "since the loop over '%.*s' is outside of the one over '%.*s'; stored "
                            "so, or by reorder(%.*s,%.*s), it need not be",
                            TEXT(inner), TEXT(outer), TEXT(outer), TEXT(inner));
}

/* ---- types ---------------------------------------------------------------------------------- */

/* Where the foralls make a level known; a constant keeps to the level above. */
static int place_of(const access_order *o, int l) {
  while (l > 0 && o->known_at[l] < 0)
    --l;
  return o->known_at[l];
}

/* The type with its levels in the order in which the foralls make them known; null where they
 * cannot be so. */
static MlirType type_following_foralls(const inserter *x, const access_order *o, MlirType type) {
  int count = o->format->level_count, *from = ARENA_ARRAY(x->memory, int, count + 1);
  for (int l = 0; l < count; ++l) {
    int at = l;
    for (; at > 0 && place_of(o, from[at - 1]) > place_of(o, l); --at)
      from[at] = from[at - 1];
    from[at] = l;
  }
  return type_with_levels(x->memory, type, o->format, from);
}

static MlirAttribute fill_of(const inserter *x, intptr_t number) {
  MlirAttribute fills = op_attribute(x->kernel, "fills");
  return mlirAttributeIsNull(fills) ? fills : mlirArrayAttrGetElement(fills, number);
}

/* ---- operands ------------------------------------------------------------------------------- */

/* Whether a read of the operand, as `type`, is against the order. */
static bool find_conflict(const inserter *x, MlirValue argument, MlirType type, conflict *found) {
  op_list reads = ops_below(x->memory, x->kernel, cin_is_read);
  for (int i = 0; i < reads.count; ++i) {
    if (!mlirValueEqual(cin_access_tensor(reads.ops[i]), argument) ||
        !access_order_read(x->memory, x->graph, x->kernel, reads.ops[i], type, &found->order))
      continue;
    found->level = access_order_fault(&found->order, &found->above);
    if (found->level >= 0)
      return true;
  }
  return false;
}

/* The operand converted before, if it goes into the kernel elsewhere too and needs the same. */
static MlirValue converted_before(const inserter *x, MlirValue operand, MlirType type) {
  for (intptr_t n = 0; n < mlirOperationGetNumOperands(x->kernel); ++n) {
    MlirValue other = mlirOperationGetOperand(x->kernel, n);
    MlirOperation owner =
        mlirValueIsAOpResult(other) ? mlirOpResultGetOwner(other) : (MlirOperation){NULL};
    if (!mlirOperationIsNull(owner) && tin_is_convert(owner) &&
        mlirValueEqual(mlirOperationGetOperand(owner, 0), operand) &&
        mlirTypeEqual(mlirValueGetType(other), type))
      return other;
  }
  return (MlirValue){NULL};
}

static MlirValue convert_before(const inserter *x, const access_order *o, intptr_t number,
                                MlirType type, const char *reason) {
  MlirValue operand = mlirOperationGetOperand(x->kernel, number);
  MlirValue converted = converted_before(x, operand, type);
  if (!mlirValueIsNull(converted))
    return converted;
  statistic_add(STATISTIC_ORDER_CONVERSIONS, 1);
  const char *name = cin_operand_name(x->memory, x->kernel, cin_access_tensor(o->access));
  say(x, arena_format(x->memory, "converted %s to %s, %s", name, format_text(x->memory, type),
                      reason));
  builder *b =
      builder_create(mlirOperationGetContext(x->kernel), mlirOperationGetLocation(x->kernel));
  builder_before(b, x->kernel);
  converted = convert_make(b, operand, type, fill_of(x, number));
  builder_free(b);
  return converted;
}

/* Whether loops go through positions of the operand, as it is stored. */
static bool has_positions(const inserter *x, MlirValue argument) {
  for (OPERATIONS(op, op_block(x->kernel, 0)))
    if (cin_is_pos(op) && mlirValueEqual(cin_pos_tensor(op), argument))
      return true;
  return false;
}

static void convert_operand(const inserter *x, const access_order *o, intptr_t number,
                            MlirType type, const char *reason) {
  mlirOperationSetOperand(x->kernel, number, convert_before(x, o, number, type, reason));
  mlirValueSetType(mlirBlockGetArgument(op_block(x->kernel, 0), number), type);
}

/* The type, with a place for each coordinate of its first level where that is as soon made. */
static MlirType placed_type(const inserter *x, intptr_t number, MlirType type) {
  MlirAttribute holds = tin_tensor_holds(mlirOperationGetOperand(x->kernel, number));
  MlirType whole = mlirTypeIsNull(type) ? type : type_with_whole_root(x->memory, type, holds);
  return mlirTypeIsNull(whole) ? type : whole;
}

/* What no type makes agree with the order stays as it is: sparsify says why it cannot be walked. */
static void convert_conflicting(const inserter *x, intptr_t number) {
  MlirValue argument = mlirBlockGetArgument(op_block(x->kernel, 0), number);
  MlirType type = mlirValueGetType(argument);
  conflict c, left;
  if (!find_conflict(x, argument, type, &c))
    return;
  type = placed_type(x, number, type_following_foralls(x, &c.order, type));
  if (!mlirTypeIsNull(type) && !find_conflict(x, argument, type, &left))
    convert_operand(x, &c.order, number, type, reason_for(x, &c));
}

/* What is not converted for the order is, to a type that takes less, where that is so. */
static void convert_if(const inserter *x, intptr_t number, MlirType better,
                       bool (*takes_less)(arena *memory, const access_order *order),
                       const char *reason) {
  MlirValue argument = mlirBlockGetArgument(op_block(x->kernel, 0), number);
  MlirType type = mlirValueGetType(argument);
  op_list reads = ops_below(x->memory, x->kernel, cin_is_read);
  access_order o;
  conflict c;
  if (mlirTypeIsNull(better) || mlirTypeEqual(type, better) ||
      find_conflict(x, argument, better, &c))
    return;
  for (int i = 0; i < reads.count; ++i)
    if (mlirValueEqual(cin_access_tensor(reads.ops[i]), argument) &&
        access_order_read(x->memory, x->graph, x->kernel, reads.ops[i], type, &o) &&
        takes_less(x->memory, &o)) {
      convert_operand(x, &o, number, better, reason);
      return;
    }
}

static MlirType operand_type(const inserter *x, intptr_t number) {
  return mlirValueGetType(mlirBlockGetArgument(op_block(x->kernel, 0), number));
}

static void convert_looked_up(const inserter *x, intptr_t number) {
  convert_if(x, number, placed_type(x, number, operand_type(x, number)), looked_up_again,
             "since coordinates of its first level are looked up again and again; stored so, it "
             "need not be");
}

static void convert_located(const inserter *x, intptr_t number) {
  MlirType type = operand_type(x, number);
  const tensor_format *format =
      tensor_format_get(x->memory, type, mlirOperationGetLocation(x->kernel));
  if (format)
    convert_if(x, number, type_in_order(x->memory, type, format), located_too_often,
               "since so many coordinates are located in it; stored so, it need not be");
}

/* All operands but those through whose positions loops go, which are of what is stored. */
static void convert_operands(const inserter *x, void (*convert)(const inserter *x, intptr_t n)) {
  for (intptr_t n = 0; n < mlirOperationGetNumOperands(x->kernel); ++n) {
    MlirValue argument = mlirBlockGetArgument(op_block(x->kernel, 0), n);
    if (mlirTypeIsARankedTensor(mlirValueGetType(argument)) && !has_positions(x, argument))
      convert(x, n);
  }
}

/* ---- the result ----------------------------------------------------------------------------- */

/* Whether the foralls build the result in some way that its type allows, or it is a copy. */
static bool is_built(const inserter *x) {
  const kernel_statement *s = kernel_statement_read(x->memory, x->kernel);
  provenance *graph = s ? provenance_create(x->memory, x->kernel) : NULL;
  *x->failed |= !graph;
  return !graph || assembly_is_possible(s, graph, result_is_recorded(x->kernel)) ||
         copied_operand(x->memory, graph, s);
}

static void set_result_type(const inserter *x, MlirType type) {
  mlirValueSetType(cin_kernel_result(x->kernel), type);
  mlirValueSetType(mlirOperationGetResult(x->kernel, 0), type);
}

/* Whether it is built as `type`, which it is left with then. */
static bool is_built_as(const inserter *x, MlirType type) {
  MlirType before = mlirValueGetType(cin_kernel_result(x->kernel));
  if (mlirTypeIsNull(type))
    return false;
  set_result_type(x, type);
  bool built = is_built(x);
  if (!built)
    set_result_type(x, before);
  return built;
}

static void convert_after(const inserter *x, MlirType wanted) {
  MlirValue result = mlirOperationGetResult(x->kernel, 0);
  builder *b =
      builder_create(mlirOperationGetContext(x->kernel), mlirOperationGetLocation(x->kernel));
  builder_before(b, mlirOperationGetNextInBlock(x->kernel));
  MlirValue converted =
      convert_make(b, result, wanted, fill_of(x, mlirOperationGetNumOperands(x->kernel)));
  MlirOperation convert = mlirOpResultGetOwner(converted);
  mlirValueReplaceAllUsesExcept(result, converted, 1, &convert);
  builder_free(b);
}

/* The only assignment to the result; null where there are several. */
static MlirOperation only_assignment(const inserter *x) {
  op_list assigns = ops_below(x->memory, x->kernel, cin_is_assign);
  MlirOperation only = {NULL};
  for (int i = 0; i < assigns.count; ++i) {
    if (!mlirValueEqual(cin_access_tensor(assigns.ops[i]), cin_kernel_result(x->kernel)))
      continue;
    if (!mlirOperationIsNull(only))
      return (MlirOperation){NULL};
    only = assigns.ops[i];
  }
  return only;
}

/* Whether what is assigned may be entries that are added up afterwards. */
static bool adds_up(const inserter *x, MlirOperation assign) {
  tin_reduction kind = cin_assign_kind(assign);
  bool sums = kind == TIN_NO_REDUCTION ||
              (kind == TIN_ADD && mlirAttributeIsNull(cin_assign_identity(assign)));
  return sums && mlirAttributeIsNull(cin_kernel_result_fill(x->kernel)) &&
         !op_has(x->kernel, "drop_zeros");
}

/* The place in the path from which all coordinates are known. */
static int known_at(const access_order *o) {
  int last = 0;
  for (int l = 0; l < o->format->level_count; ++l)
    last = o->known_at[l] > last ? o->known_at[l] : last;
  return last;
}

static bool reduces_at(const inserter *x, const access_order *o, int place) {
  return cin_access_reduces(x->graph, o->access, cin_forall_variable(o->path.ops[place]));
}

/* Why entries come one by one, to be added up. */
static const char *reason_of_entries(const inserter *x, const access_order *o) {
  for (int i = 0; i < known_at(o); ++i)
    if (reduces_at(x, o, i))
      return arena_format(x->memory, "since the sum over '%.*s' goes on outside of its entries",
                          TEXT(provenance_name(cin_forall_variable(o->path.ops[i]))));
  return "since the loops come to its entries in another order";
}

/* Why the result is built in the order of the foralls. */
static const char *reason_of_result(const inserter *x, const access_order *o) {
  conflict c = {.order = *o};
  for (c.level = 0; c.level < o->format->level_count; ++c.level)
    for (c.above = 0; c.above < c.level; ++c.above)
      if (o->known_at[c.level] >= 0 && o->known_at[c.above] > o->known_at[c.level])
        return reason_for(x, &c);
  return reason_of_entries(x, o);
}

/* Whether part of the reduction goes on inside of the entries, so that each is a sum. */
static bool are_sums(const inserter *x, const access_order *o) {
  for (int i = known_at(o); i < o->path.count; ++i)
    if (reduces_at(x, o, i))
      return true;
  return false;
}

/* A list takes entries as they come. */
static bool lists_entries(const inserter *x, MlirOperation assign, const access_order *o) {
  if (!assembly_lists(o->format) || are_sums(x, o))
    return false;
  cin_assign_set_plain(assign);
  return true;
}

static bool record_entries(const inserter *x, MlirOperation assign, const access_order *o) {
  cin_assembly told;
  if (!tensor_format_builds_by(o->format, CIN_RECORD) || o->format->position_width < 32 ||
      cin_op_assembly(x->kernel, &told))
    return false;
  if (!are_sums(x, o))
    cin_assign_set_plain(assign);
  cin_op_set_assembly(x->kernel, CIN_RECORD);
  say(x, arena_format(x->memory, "recorded the entries of %s and ordered them afterwards, %s",
                      cin_tensor_name(x->memory, x->kernel, cin_access_tensor(assign)),
                      reason_of_entries(x, o)));
  return true;
}

/* A list that takes entries as they come. */
static MlirType list_of_entries(const inserter *x, const access_order *o, MlirType type) {
  int count = o->format->level_count, *dimensions = ARENA_ARRAY(x->memory, int, count + 1);
  if (!tensor_format_is_plain(o->format))
    return (MlirType){NULL};
  for (int l = 0; l < count; ++l)
    dimensions[l] = o->format->levels[l].dimension;
  return unordered_list_type(x->memory, type, dimensions);
}

static void say_computed(const inserter *x, MlirOperation assign, MlirType type,
                         const char *reason) {
  statistic_add(STATISTIC_ORDER_CONVERSIONS, 1);
  say(x, arena_format(x->memory, "computed %s as %s and converted it, %s",
                      cin_tensor_name(x->memory, x->kernel, cin_access_tensor(assign)),
                      format_text(x->memory, type), reason));
}

static bool compute_as(const inserter *x, MlirOperation assign, MlirType type,
                       const access_order *o) {
  MlirType wanted = mlirValueGetType(cin_kernel_result(x->kernel));
  const char *reason = reason_of_result(x, o);
  if (!is_built_as(x, type))
    return false;
  say_computed(x, assign, type, reason);
  convert_after(x, wanted);
  return true;
}

/* The entries of the result in a list, whatever it is. */
static void list_entries(const inserter *x, MlirOperation assign, const access_order *o) {
  MlirType type = mlirValueGetType(cin_kernel_result(x->kernel)),
           list = list_of_entries(x, o, type);
  if (mlirTypeIsNull(list))
    return;
  set_result_type(x, list);
  if (are_sums(x, o))
    cin_op_set_assembly(x->kernel, CIN_RECORD);
  else
    cin_assign_set_plain(assign);
  say_computed(x, assign, list, reason_of_entries(x, o));
  convert_after(x, type);
}

/* Whether threads are to have temporaries of their own. */
static bool is_gathered_by_threads(const inserter *x) {
  op_list foralls = ops_below(x->memory, x->kernel, cin_is_forall);
  for (int i = 0; i < foralls.count; ++i)
    if (cin_op_unit(foralls.ops[i]) == CIN_CPU_THREAD &&
        cin_op_race(foralls.ops[i]) == CIN_TEMPORARY)
      return true;
  return false;
}

/* Whether entries that a sum goes on around are to be gathered in a workspace instead. */
static bool is_gathered(const inserter *x, MlirOperation assign, const access_order *o) {
  workspace_policy said = workspace_policy_said(x->policies, (MlirStringRef){NULL, 0});
  const level_format *policy = said.policy.length
                                   ? workspace_policy_format(x->memory, &said)
                                   : held_policy_of_result(x->memory, x->kernel, x->bytes);
  if (!policy && !said.policy.length && is_gathered_by_threads(x))
    policy = level_format_usual_workspace(true);
  cin_assembly told;
  return policy && policy->entry && cin_assign_kind(assign) &&
         tensor_format_builds_by(o->format, CIN_APPEND) && !cin_op_assembly(x->kernel, &told);
}

/* What cannot be built at all stays as it is: cin-insert-workspaces gathers it, or
 * cin-choose-assembly says why not. */
static void convert_result(const inserter *x) {
  MlirOperation assign = only_assignment(x);
  MlirType type = mlirValueGetType(cin_kernel_result(x->kernel));
  access_order o;
  if (mlirOperationIsNull(assign) || is_built(x) ||
      !access_order_read(x->memory, x->graph, x->kernel, assign, type, &o) ||
      compute_as(x, assign, type_following_foralls(x, &o, type), &o) || !adds_up(x, assign) ||
      is_gathered(x, assign, &o) || lists_entries(x, assign, &o) || record_entries(x, assign, &o))
    return;
  list_entries(x, assign, &o);
}

/* ---- the pass ------------------------------------------------------------------------------- */

static bool insert_conversions(MlirOperation kernel, arena *memory,
                               const struct cin_insert_conversions_options *options) {
  bool failed = false;
  inserter x = {memory, kernel, options->policies, options->bytes, NULL, &failed};
  x.graph = provenance_create(memory, kernel);
  if (!x.graph)
    return false;
  convert_operands(&x, convert_conflicting);
  convert_operands(&x, convert_looked_up);
  convert_operands(&x, convert_located);
  convert_result(&x);
  return !failed;
}

int cin_insert_conversions_run(MlirOperation module,
                               const struct cin_insert_conversions_options *options) {
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  bool all = true;
  for (int i = 0; i < kernels.count; ++i)
    all &= insert_conversions(kernels.ops[i], memory, options);
  arena_free(memory);
  return !all;
}
