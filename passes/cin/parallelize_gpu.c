/* parallelize_gpu.c - see parallelize_gpu.h. */
#include "parallelize_gpu.h"

#include "cin.h"
#include "forall_trips.h"
#include "parallel_safety.h"
#include "statistics.h"

typedef struct choice {
  arena *memory;
  provenance *graph;
  MlirOperation kernel;
  const struct cin_parallelize_options *options;
} choice;

/* Threads have no copies of the result, which workspaces stand for where they can by now. */
static bool writes_result(const choice *c, MlirOperation forall) {
  op_list assigns = ops_below(c->memory, forall, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i)
    if (mlirValueEqual(cin_access_tensor(assigns.ops[i]), cin_kernel_result(c->kernel)))
      return true;
  return false;
}

static const char *hazard_of(const choice *c, MlirOperation forall, cin_unit unit, cin_race race) {
  if (cin_race_is_private(race) && writes_result(c, forall))
    return "expected a reduction into one value, found one into the result";
  return parallel_hazard(c->memory, c->graph, c->kernel, forall, unit, race);
}

static void deal_out(MlirOperation forall, cin_unit unit, cin_race race) {
  cin_op_set_parallel(forall, unit, race);
  statistic_add(STATISTIC_LOOPS_ON_GPU, 1);
}

static bool keeps_order(const choice *c, MlirOperation forall) {
  return c->options->strict && cin_rounds_below(c->memory, forall);
}

/* ---- Inside ------------------------------------------------------------------------------- */

static bool is_innermost(const choice *c, MlirOperation forall) {
  return !ops_below(c->memory, forall, cin_is_forall).count;
}

static bool is_read_by_itself(MlirOperation read, MlirValue variable) {
  for (intptr_t d = 0; d < cin_access_rank(read); d++)
    if (mlirValueEqual(cin_access_bare(read, d), variable))
      return true;
  return false;
}

/* Whether it goes through entries in a window, which each thread would begin to search for. */
static bool is_window(const choice *c, MlirOperation forall) {
  MlirValue variable = cin_forall_variable(forall);
  op_list reads = ops_below(c->memory, forall, cin_is_read);
  bool is_compound = false;
  for (int i = 0; i < reads.count; ++i)
    is_compound |=
        cin_access_uses(reads.ops[i], variable) && !is_read_by_itself(reads.ops[i], variable);
  return is_compound && !parallel_walks_full(c->memory, c->graph, c->kernel, forall);
}

static void give_to_threads(const choice *c, MlirOperation forall) {
  if (cin_op_unit(forall) != CIN_SERIAL || !is_innermost(c, forall) || is_window(c, forall))
    return;
  if (!hazard_of(c, forall, CIN_GPU_THREAD, CIN_NO_RACES))
    deal_out(forall, CIN_GPU_THREAD, CIN_NO_RACES);
  else if (!keeps_order(c, forall) && !hazard_of(c, forall, CIN_GPU_THREAD, CIN_PARALLEL_REDUCTION))
    deal_out(forall, CIN_GPU_THREAD, CIN_PARALLEL_REDUCTION);
}

/* A loop of few iterations is left to one thread where the loop around it, in the outermost one,
 * can be given to threads in its place:
 *
 *     forall j { t = 0; forall k { t add ... }; y[i, j] = t }   of one k for each j, about */
static void give_around_to_threads(const choice *c, MlirOperation forall) {
  enum { FEW = 4 };
  double trips = forall_trips(c->memory, c->kernel, forall);
  op_list path = cin_path(c->memory, forall);
  if (!is_innermost(c, forall) || cin_op_unit(forall) != CIN_SERIAL || trips == 0 || trips >= FEW ||
      path.count < 2)
    return;
  MlirOperation around = path.ops[path.count - 1];
  if (cin_op_unit(around) == CIN_SERIAL && forall_trips(c->memory, c->kernel, around) > trips &&
      !hazard_of(c, around, CIN_GPU_THREAD, CIN_NO_RACES))
    deal_out(around, CIN_GPU_THREAD, CIN_NO_RACES);
}

static void give_coordinates_to_threads(const choice *c, MlirOperation forall) {
  if (cin_op_unit(forall) == CIN_SERIAL &&
      parallel_walks_full(c->memory, c->graph, c->kernel, forall) &&
      !hazard_of(c, forall, CIN_GPU_THREAD, CIN_NO_RACES))
    deal_out(forall, CIN_GPU_THREAD, CIN_NO_RACES);
}

/* ---- Outermost ---------------------------------------------------------------------------- */

/* The first of the ways to share what the iterations write that is safe; false for none, and why
 * the first is not. */
static bool find_race(const choice *c, MlirOperation forall, cin_unit unit, cin_race *race,
                      const char **why) {
  static const cin_race all[] = {CIN_NO_RACES, CIN_PARALLEL_REDUCTION, CIN_ATOMICS};
  *why = NULL;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    bool any_order = all[i] == CIN_ATOMICS && c->options->deterministic;
    if (all[i] != CIN_NO_RACES && (keeps_order(c, forall) || any_order))
      break;
    const char *hazard = hazard_of(c, forall, unit, all[i]);
    *race = all[i];
    if (!hazard)
      return true;
    *why = *why ? *why : hazard;
  }
  return false;
}

/* Lanes that go across so many coordinates: neighbours, as many as have one. */
static int lanes_across(double trips) {
  int lanes = 2;
  while (lanes < CIN_WARP && (trips == 0 || lanes < trips))
    lanes *= 2;
  return lanes;
}

/* Lanes that share a sum over so many terms, `fullest` at most: a cache keeps what the 32 rows of a
 * warp hold, of which each lane reads one, as long as rows are short; in longer ones a lane has to
 * have a few terms, or most of the time goes into adding up lanes; but no lane has to work for much
 * longer than all of the others do, so that all are taken where nothing tells.  (Measured:
 * docs/performance-gpu.md.) */
static int lanes_of_sum(double trips, double fullest) {
  const double short_row = 8, terms_of_lane = 2, most_steps = 128;
  int lanes = 1;
  if (trips == 0 || fullest == 0)
    return lanes_across(trips);
  while (lanes < CIN_WARP && ((trips > short_row && trips >= terms_of_lane * 2 * lanes) ||
                              fullest > most_steps * lanes))
    lanes *= 2;
  return lanes;
}

/* Of the loops on threads inside what the one takes that takes most, a power of two; 1 where there
 * is none, or lanes are of no use. */
static int lanes_wanted(const choice *c, MlirOperation forall) {
  op_list below = ops_below(c->memory, forall, cin_is_forall);
  double fullest = forall_fullest(c->memory, c->kernel, forall);
  int most = 1;
  for (int i = 0; i < below.count; ++i) {
    if (cin_op_unit(below.ops[i]) != CIN_GPU_THREAD)
      continue;
    double trips = forall_trips(c->memory, c->kernel, below.ops[i]);
    bool is_sum = cin_op_race(below.ops[i]) == CIN_PARALLEL_REDUCTION;
    int lanes = is_sum ? lanes_of_sum(trips, fullest) : lanes_across(trips);
    most = lanes > most ? lanes : most;
  }
  return most;
}

static void take_from_threads(const choice *c, MlirOperation forall) {
  op_list below = ops_below(c->memory, forall, cin_is_forall);
  for (int i = 0; i < below.count; ++i)
    if (cin_op_unit(below.ops[i]) == CIN_GPU_THREAD) {
      cin_op_set_parallel(below.ops[i], CIN_SERIAL, CIN_NO_RACES);
      statistic_add(STATISTIC_LOOPS_ON_GPU, -1);
    }
}

/* forall i { s }  ->  forall i_of_warps on gpu_warp { forall i_in_warp on gpu_thread { s }}, of
 * coordinates of full levels, one after the other; false where it is not so. */
static bool share_warps(choice *c, MlirOperation forall, int lanes, cin_race race) {
  MlirValue variable = cin_forall_variable(forall);
  if (lanes == CIN_WARP || !provenance_is_underived(variable) ||
      cin_foralls_over(c->memory, c->kernel, variable) != 1 ||
      !parallel_walks_full(c->memory, c->graph, c->kernel, forall))
    return false;
  const char *warp = cin_new_name(c->memory, c->kernel, variable, "_of_warps");
  const char *group = cin_new_name(c->memory, c->kernel, variable, "_in_warp");
  MlirOperation split = cin_declare_split(c->kernel, variable, CIN_WARP / lanes, warp, group);
  cin_forall_set_variable(forall, cin_split_inner(split));
  cin_forall_enclose(forall, cin_split_outer(split));
  deal_out(forall, CIN_GPU_WARP, race);
  deal_out(mlirBlockGetFirstOperation(cin_forall_body(forall)), CIN_GPU_THREAD, race);
  c->graph = provenance_create(c->memory, c->kernel);
  return true;
}

/* Threads of a warp before the warp, since each is asked for what is around it; neighbouring
 * coordinates of dense arrays before what else is innermost. */
static void share(choice *c, MlirOperation forall, cin_race race) {
  op_list below = ops_below(c->memory, forall, cin_is_forall);
  for (int i = 0; i < below.count; ++i)
    give_coordinates_to_threads(c, below.ops[i]);
  for (int i = 0; i < below.count; ++i)
    give_around_to_threads(c, below.ops[i]);
  for (int i = 0; i < below.count; ++i)
    give_to_threads(c, below.ops[i]);
  int lanes = lanes_wanted(c, forall);
  if (lanes == 1)
    take_from_threads(c, forall);
  if (lanes == 1 || !share_warps(c, forall, lanes, race))
    deal_out(forall, lanes > 1 ? CIN_GPU_WARP : CIN_GPU_THREAD, race);
}

static bool is_outermost(const choice *c, MlirOperation forall) {
  return !cin_path(c->memory, forall).count;
}

const char *parallelize_for_gpu(arena *memory, provenance *graph, MlirOperation kernel,
                                const struct cin_parallelize_options *options) {
  choice c = {memory, graph, kernel, options};
  const char *why = "expected a loop, found none";
  bool shared = false;
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  for (int i = 0; i < foralls.count; ++i) {
    cin_race race;
    const char *hazard;
    if (!is_outermost(&c, foralls.ops[i]))
      continue;
    if (find_race(&c, foralls.ops[i], CIN_GPU_WARP, &race, &hazard)) {
      share(&c, foralls.ops[i], race);
      shared = true;
    } else if (find_race(&c, foralls.ops[i], CIN_GPU_THREAD, &race, &hazard)) {
      deal_out(foralls.ops[i], CIN_GPU_THREAD, race);
      shared = true;
    } else if (!shared) {
      why = hazard;
    }
  }
  return shared ? NULL : why;
}
