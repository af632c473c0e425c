/* sit-choose-strategies.c - Choose what a CPU does with the loops of each walk.
 *
 *     sit.coiterate %B level 1 under %pB, %C level 1 under %pC {
 *     case (0, 1) ...
 *                                                        -->
 *     sit.coiterate %B level 1 under %pB, %C level 1 under %pC strategies {blocks, search} {
 *     case (0, 1) ...
 */
#include "bridge.h"
#include "cin.h"

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

/* How much a strategy is wanted. */
typedef struct wanted {
  int walks, levels;
} wanted;

/* The walks that a strategy is worth it for, with its number at each, -1 for the others. */
static wanted find_wanting(const strategy *s, const walked *walks, int count, int64_t *numbers) {
  wanted all = {0, 0};
  for (int n = 0; n < count; n++) {
    int64_t number = 0;
    bool wants = s->choose(&walks[n], &number);
    numbers[n] = wants ? number : -1;
    all.walks += wants;
    all.levels += wants ? walks[n].level_count : 0;
  }
  return all;
}

/* All walks take one strategy before they are asked for the next. */
static void choose(const choices *c, arena *memory, const walked *walks, int count) {
  int64_t *numbers = ARENA_ARRAY(memory, int64_t, count + 1);
  for (int i = 0; strategy_at(i); i++) {
    const strategy *s = strategy_at(i);
    if (c->off >> i & 1)
      continue;
    wanted all = find_wanting(s, walks, count, numbers);
    if (s->most_levels && all.levels > s->most_levels)
      continue;
    for (int n = 0; n < count; n++)
      if (numbers[n] >= 0)
        strategy_take(walks[n].op, s, numbers[n]);
    statistic_add(STATISTIC_STRATEGIES, all.walks);
  }
}

static bool is_on_gpu(MlirOperation op) {
  for (; !sit_is_kernel(op); op = mlirOperationGetParentOperation(op))
    if (sit_is_coiterate(op) && cin_unit_is_gpu(cin_op_unit(op)))
      return true;
  return false;
}

/* A walk that says already what is done with it keeps that; for one to one coordinate none pays. */
static bool choose_in_kernel(const choices *c, walked_kernel k) {
  op_list all = ops_below(k.memory, k.op, sit_is_coiterate);
  walked *walks = ARENA_ARRAY(k.memory, walked, all.count + 1);
  int count = 0;
  for (int i = 0; i < all.count; i++) {
    if (!mlirAttributeIsNull(sit_coiterate_strategies(all.ops[i])) || is_on_gpu(all.ops[i]))
      continue;
    if (!walked_read(&walks[count], &k, all.ops[i]))
      return false;
    count += !walks[count].point;
  }
  choose(c, k.memory, walks, count);
  return true;
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
                                                .gathers = options->gathers,
                                                .slow_gathers = options->slow_gathers});
  arena_free(memory);
  return good ? 0 : 1;
}
