/* lane_hazard.c - whether the iterations of a forall may run on the lanes of vectors, as a schedule
 * asks it to.
 *
 *     forall k on cpu_vector no_races { forall j { A[i,k] add b } }   across k: k .. k+7
 *     forall j on cpu_vector parallel_reduction { y[i] add a }        along j, put together
 *
 * Across, each access comes to what lane_access.h says; along, the walk may only reduce
 * (lower/cpu/reduction_read.c has the last word on that).
 */
#include "lane_access.h"

#include "cin.h"
#include "parallel_safety.h"

#include <mlir-c/BuiltinTypes.h>

/* ---- Bodies ------------------------------------------------------------------------------- */

/* What has an entry several times is better walked fused with the levels below. */
static bool has_duplicates(arena *memory, MlirOperation access) {
  MlirType type = mlirValueGetType(cin_access_tensor(access));
  const tensor_format *format = tensor_format_get(memory, type, mlirOperationGetLocation(access));
  return format && tensor_format_repeats_entries(format);
}

/* Scalar operations that vectors have as well, and that no idle lane can trap in. */
static bool has_vector_form(MlirOperation op) {
  static const char *const names[] = {
      "arith.constant", "arith.addf",    "arith.subf",    "arith.mulf",   "arith.divf",
      "arith.negf",     "arith.addi",    "arith.subi",    "arith.muli",   "arith.maximumf",
      "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.maxsi",  "arith.minsi",
      "arith.cmpi",     "arith.cmpf",    "arith.select",  "arith.uitofp", "arith.extui",
      "arith.extf",     "arith.truncf",  "arith.extsi",   "arith.trunci", "arith.sitofp"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (op_is(op, names[i]))
      return true;
  return false;
}

static bool is_of_complex(MlirOperation access) {
  return mlirTypeIsAComplex(element_type(mlirValueGetType(cin_access_tensor(access))));
}

static bool can_run_on_lanes(arena *memory, MlirOperation assign, MlirOperation op) {
  if (cin_is_read(op))
    return !has_duplicates(memory, op) && !is_of_complex(op);
  return cin_is_assign(op) ? mlirOperationEqual(op, assign) && !is_of_complex(op)
                           : has_vector_form(op);
}

/* What cannot run on lanes beside the assignment; null for none. */
static MlirOperation first_without_lanes(arena *memory, MlirOperation assign) {
  for (OPERATIONS(op, mlirOperationGetBlock(assign)))
    if (!can_run_on_lanes(memory, assign, op))
      return op;
  return (MlirOperation){NULL};
}

bool lanes_body_fits(arena *memory, MlirOperation assign) {
  return mlirOperationIsNull(first_without_lanes(memory, assign));
}

bool lanes_combine(MlirOperation assign) {
  tin_reduction kind = cin_assign_kind(assign);
  MlirType element = element_type(mlirValueGetType(cin_access_tensor(assign)));
  bool ordered = kind == TIN_ADD || kind == TIN_MUL || kind == TIN_MIN || kind == TIN_MAX;
  return ordered && !is_of_complex(assign) && !mlirTypeIsABF16(element);
}

/* ---- A forall that is asked for ----------------------------------------------------------- */

typedef struct asked {
  arena *memory;
  provenance *graph;
  MlirOperation kernel, forall, assign; /* the only assignment in it */
  op_list path;                         /* of that */
  int place;                            /* of the forall in the path */
} asked;

static MlirStringRef name_of(const asked *a) {
  return provenance_name(cin_forall_variable(a->forall));
}

static bool is_alone(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
         mlirOperationEqual(mlirBlockGetFirstOperation(mlirOperationGetBlock(op)), op);
}

/* Whether those inside stand directly one in the other, down to the assignment. */
static bool is_one_nest(const asked *a) {
  for (int i = a->place + 1; i < a->path.count; i++)
    if (!is_alone(a->path.ops[i]) ||
        !mlirOperationEqual(mlirOperationGetParentOperation(a->path.ops[i]), a->path.ops[i - 1]))
      return false;
  return mlirOperationEqual(mlirOperationGetParentOperation(a->assign),
                            a->path.ops[a->path.count - 1]);
}

static const char *hazard_around(const asked *a) {
  for (int i = 0; i < a->path.count; i++) {
    MlirOperation forall = a->path.ops[i];
    if (i != a->place && cin_op_unit(forall) == CIN_CPU_VECTOR)
      return arena_format(a->memory, "expected one forall on lanes, found '%.*s' on them too",
                          TEXT(provenance_name(cin_forall_variable(forall))));
    if (i > a->place && cin_forall_is_parallel(forall))
      return arena_format(a->memory, "expected serial foralls inside, found '%.*s' on %s",
                          TEXT(provenance_name(cin_forall_variable(forall))),
                          cin_unit_name(cin_op_unit(forall)));
    if (cin_op_race(forall) == CIN_ATOMICS)
      return "expected a result that only this thread writes to, found atomics around";
  }
  return NULL;
}

static const char *hazard_of_body(const asked *a) {
  MlirOperation op = first_without_lanes(a->memory, a->assign);
  if (mlirOperationIsNull(op))
    return NULL;
  if ((cin_is_read(op) || cin_is_assign(op)) && is_of_complex(op))
    return "expected numbers that vectors hold, found complex ones";
  return cin_is_read(op)
             ? arena_format(a->memory,
                            "expected operands that have each coordinate once, found that %s may "
                            "repeat them",
                            cin_tensor_name(a->memory, a->kernel, cin_access_tensor(op)))
             : arena_format(a->memory, "expected operations that vectors have, found %.*s",
                            TEXT(op_name(op)));
}

static const char combining[] = "expected add, mul, min or max of numbers that vectors add up";

/* Lanes across the variable: each writes to a place of its own. */
static const char *hazard_across(const asked *a) {
  int each;
  if (cin_access_reduces(a->graph, a->assign, cin_forall_variable(a->forall)))
    return arena_format(a->memory,
                        "expected lanes that write to places of their own, found a reduction over "
                        "'%.*s' (which needs parallel_reduction)",
                        TEXT(name_of(a)));
  if (cin_assign_kind(a->assign) && !lanes_combine(a->assign))
    return combining;
  return lanes_misfit(a->memory, a->graph, a->assign, a->path, a->place, a->place, LANES_GATHER_ALL,
                      &each);
}

/* Lanes go along one level, or count. */
static const char *hazard_of_merge(const asked *a) {
  const merge_lattice *l = parallel_lattice(a->memory, a->graph, a->kernel, a->forall);
  if (l && l->iterator_count > 1)
    return arena_format(a->memory,
                        "expected one level at most to walk at '%.*s', found %d that are merged",
                        TEXT(name_of(a)), l->iterator_count);
  if (l && l->iterator_count && l->whole)
    return arena_format(a->memory,
                        "expected a level to walk at '%.*s', or all of its coordinates, found that "
                        "they are merged",
                        TEXT(name_of(a)));
  return NULL;
}

/* Lanes along it: what they come to is put together. */
static const char *hazard_along(const asked *a) {
  if (a->place != a->path.count - 1)
    return arena_format(a->memory, "expected an innermost forall, found '%.*s' inside",
                        TEXT(provenance_name(cin_forall_variable(a->path.ops[a->place + 1]))));
  if (!cin_access_reduces(a->graph, a->assign, cin_forall_variable(a->forall)))
    return arena_format(a->memory, "expected a reduction over '%.*s', found none (no_races)",
                        TEXT(name_of(a)));
  return lanes_combine(a->assign) ? hazard_of_merge(a) : combining;
}

const char *lanes_hazard(arena *memory, provenance *graph, MlirOperation kernel,
                         MlirOperation forall, cin_race race) {
  op_list assigns = ops_below(memory, forall, cin_is_assign);
  if (race != CIN_NO_RACES && race != CIN_PARALLEL_REDUCTION)
    return arena_format(memory, "expected no_races or parallel_reduction on lanes, found %s",
                        cin_race_name(race));
  if (assigns.count != 1)
    return arena_format(memory, "expected one assignment on lanes, found %d", assigns.count);
  asked a = {memory, graph, kernel, forall, assigns.ops[0], cin_path(memory, assigns.ops[0]), 0};
  while (!mlirOperationEqual(a.path.ops[a.place], forall))
    a.place++;
  if (!is_one_nest(&a))
    return "expected foralls directly nested in each other around the assignment";
  if (provenance_space(graph, cin_forall_variable(forall)).is_positions)
    return "expected coordinates on lanes, found positions, which are searched in one at a time";
  const char *hazard = hazard_around(&a);
  hazard = hazard ? hazard : hazard_of_body(&a);
  if (hazard)
    return hazard;
  return race == CIN_NO_RACES ? hazard_across(&a) : hazard_along(&a);
}

cin_race lanes_race(arena *memory, const provenance *graph, MlirOperation forall) {
  op_list assigns = ops_below(memory, forall, cin_is_assign);
  for (int i = 0; i < assigns.count; i++)
    if (cin_access_reduces(graph, assigns.ops[i], cin_forall_variable(forall)))
      return CIN_PARALLEL_REDUCTION;
  return CIN_NO_RACES;
}
