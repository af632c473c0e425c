/* listed.c - pairs of words in the scratch memory of a workspace (listed.h). */
#include "listed.h"

enum { MOST_ROOM = 1 << 30 };

const level_option listed_options[] = {{"size", MOST_ROOM}, {NULL, 0}};

static MlirValue first_word(level *l, MlirValue i) {
  return mul(level_builder(l), i, level_constant(l, LISTED_WORDS));
}

static MlirValue second_word(level *l, MlirValue i) {
  return level_plus_one(l, first_word(l, i));
}

MlirValue listed_first(level *l, int n, MlirValue i) {
  return level_scratch_load(l, n, first_word(l, i));
}

MlirValue listed_second(level *l, int n, MlirValue i) {
  return level_scratch_load(l, n, second_word(l, i));
}

void listed_store(level *l, int n, MlirValue i, MlirValue first, MlirValue second) {
  level_scratch_store(l, n, first_word(l, i), first);
  level_scratch_store(l, n, second_word(l, i), second);
}

MlirValue listed_insert_size(level *l, MlirValue parent_size) {
  (void)parent_size;
  return level_constant(l, level_option_said(l, 0, LISTED_FIRST_ROOM));
}

void listed_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  (void)parent;
  *begin = level_constant(l, 0);
  *end = level_get(l, LISTED_COUNT);
}

void listed_entry(level *l, MlirValue place, MlirValue *key, MlirValue *position) {
  *key = listed_first(l, LISTED, place);
  *position = listed_second(l, LISTED, place);
}

void listed_sort(level *l) {
  builder *b = level_builder(l);
  MlirType i64 = type_i(b, 64);
  MlirValue arguments[] = {level_scratch_pointer(l, LISTED),
                           index_cast(b, level_get(l, LISTED_COUNT), i64),
                           index_cast(b, level_get(l, LISTED_ROOM), i64)};
  call(b, "lac_kernel_sort_pairs", (MlirType){NULL}, 3, arguments);
}
