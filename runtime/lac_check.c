/* lac_check.c - whether the storage of a tensor is what its levels' kinds promise.
 *
 * Below p parent positions a level has arrays of certain lengths, positions of its own, and, below
 * each parent, coordinates in a certain order (Chou et al. 2018, section 3.1); lac_check_kinds.h
 * has a table of what that is for each kind.  The values are as many as the last level's positions.
 * Of other kinds only that their arrays are there is known.
 */
#include "lac_check_kinds.h"
#include "lac_error.h"
#include "lac_storage.h"

/* ---- Lengths ------------------------------------------------------------------------------ */

static bool check_lent_data(const lac_place *at) {
  for (int slot = 0; slot < LAC_ARRAYS; slot++) {
    const lac_array *array = &lac_level_at(at)->array[slot];
    if (array->length < 0 || (array->length > 0 && !array->data))
      return lac_level_wrong_length(at, "elements in an array with no data", 0, array->length);
  }
  return true;
}

/* Below a kind of which nothing is known, a compressed level still ends where its own positions
 * end. */
static int64_t parents_of(const lac_place *at, const lac_kind_check *check, int64_t parents) {
  if (parents != LAC_UNKNOWN_COUNT || !check || !check->own_parents)
    return parents;
  int64_t own = check->own_parents(at);
  return own < 0 ? LAC_UNKNOWN_COUNT : own;
}

bool lac_level_positions(const lac_tensor *tensor, int64_t l, int64_t parents, const char *name,
                         int64_t *positions) {
  lac_place at = {tensor, name, l};
  const lac_kind_check *check = lac_kind_check_find(tensor->levels[l].kind);
  *positions = LAC_UNKNOWN_COUNT;
  if (!check_lent_data(&at))
    return false;
  parents = parents_of(&at, check, parents);
  if (!check || parents == LAC_UNKNOWN_COUNT)
    return true;
  return check->lengths(&at, parents, positions);
}

static bool check_values(const lac_tensor *tensor, const char *name, int64_t positions) {
  int64_t found = tensor->values.data ? tensor->values.length : 0;
  if (found >= positions && tensor->values.length >= 0)
    return true;
  lac_error_set(LAC_ERROR_FORMAT, "%s: expected %lld values, found %lld", name,
                (long long)(positions < 0 ? 0 : positions), (long long)found);
  return false;
}

bool lac_storage_lengths(const lac_tensor *tensor, const char *name) {
  int64_t positions = 1;
  for (int64_t l = 0; l < tensor->level_count; l++)
    if (!lac_level_positions(tensor, l, positions, name, &positions))
      return false;
  return check_values(tensor, name, positions);
}

static bool check_fields(const lac_tensor *tensor, const char *name) {
  bool sound = tensor->order >= 0 && tensor->level_count >= 0 &&
               (tensor->order == 0 || tensor->dimensions) &&
               (tensor->level_count == 0 || tensor->levels) && lac_type_width(tensor->type) > 0 &&
               tensor->values.width == lac_type_width(tensor->type);
  for (int64_t d = 0; d < tensor->order && sound; d++)
    sound = tensor->dimensions[d] >= 0;
  for (int64_t l = 0; l < tensor->level_count && sound; l++)
    sound = tensor->levels[l].kind && tensor->levels[l].size >= 0;
  if (!sound)
    lac_error_set(LAC_ERROR_FORMAT,
                  "%s: expected an element type with values of its width, and for each dimension "
                  "and level a size that is not negative",
                  name);
  return sound;
}

/* ---- Order -------------------------------------------------------------------------------- */

/* The levels from `l` on whose coordinates make one entry: itself and those that continue it. */
static int64_t end_of_chain(const lac_tensor *tensor, int64_t l) {
  for (l++; l < tensor->level_count; l++) {
    const lac_kind_check *check = lac_kind_check_find(tensor->levels[l].kind);
    if (!check || !check->continues)
      return l;
  }
  return l;
}

static int64_t coordinate_of(const lac_place *at, int64_t position) {
  return lac_kind_check_find(lac_level_at(at)->kind)->coordinate(at, position);
}

/* Compares entry p of a level, and of those that continue it, with the entry before: the level
 * where they are out of order, or -1. */
static int64_t misplaced_level(const lac_place *at, int64_t end, const uint8_t *flags, int64_t p) {
  for (lac_place here = *at; here.l < end; here.l++) {
    int64_t before = coordinate_of(&here, p - 1), coordinate = coordinate_of(&here, p);
    int flag = flags ? flags[here.l] : 0;
    if (coordinate < before)
      return flag & LAC_UNORDERED ? -1 : here.l;
    if (coordinate > before)
      return -1;
    if (!(flag & LAC_NONUNIQUE))
      return here.l;
  }
  return -1;
}

static bool check_segment(const lac_place *at, int64_t end, const uint8_t *flags, int64_t first,
                          int64_t last) {
  for (int64_t p = first + 1; p < last; p++) {
    int64_t l = misplaced_level(at, end, flags, p);
    if (l < 0)
      continue;
    lac_place wrong = {at->tensor, at->name, l};
    return lac_level_wrong(
        &wrong, "expected ascending coordinates, found %lld after %lld at position %lld",
        (long long)coordinate_of(&wrong, p), (long long)coordinate_of(&wrong, p - 1), (long long)p);
  }
  return true;
}

static bool check_order(const lac_place *at, const lac_kind_check *check, int64_t parents,
                        const uint8_t *flags) {
  int64_t end = end_of_chain(at->tensor, at->l);
  for (int64_t p = 0; p < parents; p++) {
    int64_t first, last;
    check->segment(at, p, &first, &last);
    if (!check_segment(at, end, flags, first, last))
      return false;
  }
  return true;
}

/* ---- All ---------------------------------------------------------------------------------- */

static bool check_contents(const lac_tensor *tensor, const uint8_t *flags, const char *name) {
  int64_t parents = 1, positions;
  for (int64_t l = 0; l < tensor->level_count; l++, parents = positions) {
    lac_place at = {tensor, name, l};
    const lac_kind_check *check = lac_kind_check_find(tensor->levels[l].kind);
    lac_level_positions(tensor, l, parents, name, &positions);
    parents = parents_of(&at, check, parents);
    if (!check || parents == LAC_UNKNOWN_COUNT)
      continue;
    if (check->content && !check->content(&at, parents, positions))
      return false;
    if (check->segment && !check_order(&at, check, parents, flags))
      return false;
  }
  return true;
}

/* The lengths first: they make every access of the second pass safe. */
int32_t lac_tensor_check_named(const lac_tensor *tensor, const uint8_t *level_flags,
                               const char *name) {
  if (!tensor)
    return lac_error_missing("a tensor to check");
  name = name ? name : "tensor";
  bool sound = check_fields(tensor, name) && lac_storage_lengths(tensor, name) &&
               check_contents(tensor, level_flags, name);
  return sound ? LAC_OK : LAC_ERROR_FORMAT;
}

int32_t lac_tensor_check(const lac_tensor *tensor, const uint8_t *level_flags) {
  return lac_tensor_check_named(tensor, level_flags, "tensor");
}
