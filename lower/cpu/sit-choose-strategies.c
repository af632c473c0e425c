/* sit-choose-strategies.c - Choose what a CPU does with the loops of each walk.
 *
 *     sit.coiterate %B level 1 under %pB, %C level 1 under %pC {
 *     case (0, 1) ...
 *                                                        -->
 *     sit.coiterate %B level 1 under %pB, %C level 1 under %pC strategies {blocks, search} {
 *     case (0, 1) ...
 */
#include "bridge.h"

#include "op_list.h"
#include "sit.h"
#include "statistics.h"
#include "strategy.h"

#include <string.h>

typedef struct choices {
  uint64_t off; /* bit i being strategy_at(i) */
} choices;

/* The names in a text, separated by spaces or commas. */
static bool read_names(MlirOperation root, const char *text, uint64_t *set) {
  for (const char *at = text; *at;) {
    size_t length = strcspn(at, " ,");
    MlirStringRef name = mlirStringRefCreate(at, length);
    const strategy *found = strategy_find(name);
    if (length && !found)
      return error_at(root, "expected strategies of the CPU, found '%.*s'", TEXT(name));
    for (int i = 0; length && strategy_at(i); i++)
      *set |= (uint64_t)(strategy_at(i) == found) << i;
    at += length + (at[length] != 0);
  }
  return true;
}

/* A walk that says already what is done with it keeps that. */
static bool choose(const choices *c, walked_kernel *k, MlirOperation op) {
  walked w;
  if (!mlirAttributeIsNull(sit_coiterate_strategies(op)))
    return true;
  if (!walked_read(&w, k, op))
    return false;
  for (int i = 0; strategy_at(i); i++) {
    int64_t number = 0;
    if (c->off >> i & 1 || !strategy_at(i)->choose(&w, &number))
      continue;
    strategy_take(op, strategy_at(i), number);
    statistic_add(STATISTIC_STRATEGIES, 1);
  }
  return true;
}

static bool choose_in_kernel(const choices *c, walked_kernel k) {
  op_list walks = ops_below(k.memory, k.op, sit_is_coiterate);
  bool good = true;
  for (int i = 0; good && i < walks.count; i++)
    good = choose(c, &k, walks.ops[i]);
  return good;
}

int sit_choose_strategies_run(MlirOperation root,
                              const struct sit_choose_strategies_options *options) {
  choices c = {0};
  if (!read_names(root, options->off, &c.off))
    return 1;
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, root, sit_is_kernel);
  bool good = true;
  for (int i = 0; good && i < kernels.count; i++)
    good = choose_in_kernel(&c, (walked_kernel){.memory = memory,
                                                .op = kernels.ops[i],
                                                .strict = options->strict,
                                                .vector_bits = options->bits,
                                                .gathers = options->gathers});
  arena_free(memory);
  return good ? 0 : 1;
}
