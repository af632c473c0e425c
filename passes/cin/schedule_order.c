/* schedule_order.c - what threads reduce comes to the same bits, however many they are.
 *
 *     forall v on cpu_thread atomics { y[i] add a }   ->   forall v on cpu_thread temporary { ... }
 *
 * Atomics add up floats in any order.  Copies are put together in an order of their own
 * (lower-sit), and where there can be none the forall runs on one thread.  Integers come to the
 * same in any order.
 */
#include "schedule.h"

#include "cin.h"
#include "cin_kernel.h"
#include "diagnostic.h"
#include "parallel_safety.h"

static void settle(arena *memory, provenance *graph, MlirOperation kernel, MlirOperation forall) {
  const char *why =
      cin_unit_is_gpu(cin_op_unit(forall))
          ? "expected threads of a CPU"
          : parallel_hazard(memory, graph, kernel, forall, CIN_CPU_THREAD, CIN_TEMPORARY);
  if (!why) {
    cin_op_set_parallel(forall, CIN_CPU_THREAD, CIN_TEMPORARY);
    return;
  }
  cin_op_set_parallel(forall, CIN_SERIAL, CIN_NO_RACES);
  remark_at(forall,
            "the forall over '%.*s' runs on one thread, since atomics add up in any order: %s",
            TEXT(provenance_name(cin_forall_variable(forall))), why);
}

bool schedule_settle_order(arena *memory, MlirOperation kernel) {
  provenance *graph = provenance_create(memory, kernel);
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  for (int i = 0; graph && i < foralls.count; ++i)
    if (cin_op_race(foralls.ops[i]) == CIN_ATOMICS && cin_rounds_below(memory, foralls.ops[i]))
      settle(memory, graph, kernel, foralls.ops[i]);
  return graph;
}
