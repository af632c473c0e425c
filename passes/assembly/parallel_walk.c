/* parallel_walk.c - what a forall walks, and whether its iterations can be dealt out. */
#include "parallel_check.h"
#include "parallel_safety.h"

#include "cin.h"

#include <mlir-c/BuiltinTypes.h>

/* Whether a level of what is accessed holds coordinates that follow from `known`, that of the last
 * forall of `path`: those of i + k follow from k where that is inside of i. */
static bool is_walked_at(const safety_check *c, op_list path, MlirOperation access,
                         const format_level *level, MlirValue known) {
  MlirValue variable = cin_access_level(c->kernel, access, level);
  if (!mlirValueIsNull(variable))
    return mlirValueEqual(variable, known);
  return level->dimension >= 0 && cin_subscript_uses(access, level->dimension, known) &&
         cin_subscript_known_at(c->graph, path, access, level->dimension) == path.count - 1;
}

/* Whether foralls of `path` tell the coordinates of `level` in what is accessed. */
static bool is_told(const safety_check *c, op_list path, MlirOperation access,
                    const format_level *level) {
  MlirValue variable = cin_access_level(c->kernel, access, level);
  if (!mlirValueIsNull(variable))
    return cin_known_at(c->graph, path, variable, NULL) >= 0;
  return level->dimension < 0 ||
         cin_subscript_known_at(c->graph, path, access, level->dimension) >= 0;
}

/* The levels of `access` that the forall, the last of `path`, walks to reach the coordinates of
 * `known`: those that are below one of a forall further in are walked or located there. */
static void add_walked_levels(const safety_check *c, op_list path, MlirOperation access,
                              MlirValue known, forall_walk *found) {
  MlirType type = mlirValueGetType(cin_access_tensor(access));
  const tensor_format *format =
      mlirTypeIsARankedTensor(type)
          ? tensor_format_get(c->memory, type, mlirOperationGetLocation(access))
          : NULL;
  bool told = true;
  for (int i = 0; format && told && i < format->level_count; ++i) {
    const format_level *level = &format->levels[i];
    told = is_told(c, path, access, level);
    if (!is_walked_at(c, path, access, level, known) || level->properties & LEVEL_FULL)
      continue;
    ++found->stored;
    found->partial += !(level->format->capabilities & LEVEL_LOCATE);
    found->branches |= tensor_format_level_repeats(format, i);
    if (!(level->properties & LEVEL_ORDERED)) {
      found->strays = cin_tensor_name(c->memory, c->kernel, cin_access_tensor(access));
      found->cuts = i == 0 && format_level_is_cut_by_places(level);
    }
    if (!(level->properties & LEVEL_UNIQUE))
      found->repeats = cin_tensor_name(c->memory, c->kernel, cin_access_tensor(access));
  }
}

forall_walk safety_walk(const safety_check *c) {
  forall_walk found = {0};
  op_list path = cin_path(c->memory, c->forall);
  op_list_add(c->memory, &path, c->forall);
  const MlirValue *bases;
  intptr_t count = provenance_bases(c->graph, cin_forall_variable(c->forall), &bases);
  op_list reads = ops_below(c->memory, c->forall, cin_is_read);
  for (intptr_t n = 0; n < count; ++n) {
    provenance_kind kind = PROVENANCE_COUNT;
    int at = cin_known_at(c->graph, path, bases[n], &kind);
    if (at != path.count - 1 || kind != PROVENANCE_WALK)
      continue;
    found.walks = true;
    for (int i = 0; i < reads.count; ++i)
      add_walked_levels(c, path, reads.ops[i], bases[n], &found);
  }
  return found;
}

/* Whether what is around the forall tells the positions above `i`: nothing walks it before. */
static bool is_reached(const safety_check *c, op_list around, const iterator *i) {
  bool reached = true;
  for (const iterator *above = i->parent; reached && above; above = above->parent)
    for (intptr_t v = 0; reached && v < above->at.count; ++v)
      reached = !subscript_mentions(&above->at, above->at.variables[v]) ||
                cin_known_at(c->graph, around, above->at.variables[v], NULL) >= 0;
  return reached;
}

/* The iterators that are walked at `variable`; their number. */
static int find_walked(const safety_check *c, const kernel_statement *s, MlirValue variable,
                       const iterator **walked) {
  int count = 0;
  op_list around = cin_path(c->memory, c->forall);
  for (int n = 0; n < s->iterators.count; ++n) {
    const iterator *i = s->iterators.iterators[n];
    if (!iterator_is_located(i) && mlirValueEqual(subscript_variable(&i->at), variable) &&
        is_reached(c, around, i))
      walked[count++] = i;
  }
  return count;
}

static const index_statement *find_forall(const block *code, MlirOperation forall) {
  const index_statement *found = NULL;
  for (int n = 0; n < code->count && !found; ++n) {
    const index_statement *at = code->statements[n];
    if (mlirOperationEqual(at->op, forall))
      return at;
    found = find_forall(&at->producer, forall);
    if (!found)
      found = find_forall(&at->body, forall);
  }
  return found;
}

/* What a forall visits where nothing around it is absent; NULL where it cannot be told. */
const merge_lattice *safety_lattice(safety_check *c) {
  const kernel_statement *s = safety_statement(c);
  const index_statement *forall = s ? find_forall(&s->body, c->forall) : NULL;
  const MlirValue *bases;
  if (!forall || provenance_bases(c->graph, forall->variable, &bases) != 1)
    return NULL;
  const iterator **walked = ARENA_ARRAY(c->memory, const iterator *, s->iterators.count + 1);
  int count = find_walked(c, s, bases[0], walked);
  absence nothing = absence_of_nothing(c->memory, s);
  effects all = block_effects(c->memory, &forall->body);
  const merge_lattice *points =
      merge_lattice_build(&nothing, &all, count, walked, MERGE_LATTICE_MOST_POINTS);
  return points ? points : merge_lattice_of_any(&nothing, &all, count, walked);
}

const merge_lattice *parallel_lattice(arena *memory, provenance *graph, MlirOperation kernel,
                                      MlirOperation forall) {
  safety_check c = safety_check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  return safety_lattice(&c);
}

/* Why the iterations cannot be dealt out: several levels are walked, or one and all coordinates. */
static const char *hazard_of_merge(safety_check *c, const forall_walk *found) {
  const merge_lattice *lattice = found->walks ? safety_lattice(c) : NULL;
  if (!lattice)
    return NULL;
  int merged =
      lattice->iterator_count - set_size(merge_lattice_located(c->memory, lattice, set_empty()));
  if (merged > 1)
    return arena_format(c->memory,
                        "expected at most one operand to walk at '%.*s', found %d that are merged "
                        "(split it first)",
                        TEXT(safety_variable(c)), merged);
  if (merged && lattice->whole)
    return arena_format(c->memory,
                        "expected one operand to walk at '%.*s', found one that is merged with all "
                        "of its coordinates (split it first)",
                        TEXT(safety_variable(c)));
  return NULL;
}

/* Whether the forall walks one level alone, and nothing remains to be computed where that has no
 * entry. */
bool safety_walks_alone(safety_check *c) {
  const merge_lattice *lattice = safety_lattice(c);
  return lattice && !lattice->whole && lattice->iterator_count == 1 && lattice->point_count == 1;
}

/* Whether ranges may be of places, as entries are counted and placed in whichever order. */
static bool is_cut_by_places(safety_check *c, const forall_walk *found) {
  assembly how;
  return c->unit == CIN_CPU_THREAD && found->stored == 1 && found->cuts &&
         safety_assembly(c, &how) && assembly_is_in_shares(how.way) && safety_walks_alone(c);
}

/* A range of coordinates is found in what is in order. */
static const char *hazard_of_ranges(safety_check *c, const forall_walk *found) {
  return found->strays && !is_cut_by_places(c, found)
             ? arena_format(c->memory,
                            "expected ordered coordinates at '%.*s', found that those of "
                            "%s are in no order",
                            TEXT(safety_variable(c)), found->strays)
             : NULL;
}

/* Whether what the forall goes over can be dealt out in ranges of coordinates. */
static bool has_ranges(const safety_check *c) {
  return c->unit == CIN_CPU_THREAD || c->unit == CIN_GPU_THREAD;
}

/* Whether an outermost forall merges levels, or walks one that may repeat coordinates, in order. */
bool safety_is_cut(safety_check *c, const forall_walk *found) {
  bool privately = cin_race_is_private(c->race) && c->unit == CIN_CPU_THREAD;
  bool separate = c->race == CIN_NO_RACES || privately;
  bool outermost = !cin_path(c->memory, c->forall).count && !safety_walks_to_constants(c);
  return separate && outermost && found->walks && !found->strays &&
         (found->repeats || found->partial > 1 || hazard_of_merge(c, found));
}

static bool is_of_positions(const safety_check *c) {
  return provenance_space(c->graph, cin_forall_variable(c->forall)).is_positions;
}

const char *safety_hazard_of_walk(safety_check *c) {
  forall_walk found = safety_walk(c);
  if (has_ranges(c) && (safety_is_in_pieces(c) || safety_is_cut(c, &found)))
    return hazard_of_ranges(c, &found);
  if (found.partial > 1)
    return arena_format(c->memory,
                        "expected at most one operand to walk at '%.*s', found %d that are merged "
                        "(split it first)",
                        TEXT(safety_variable(c)), found.partial);
  const char *hazard = hazard_of_merge(c, &found);
  if (hazard)
    return hazard;
  if (found.repeats &&
      (c->race == CIN_NO_RACES || (cin_unit_is_gpu(c->unit) && !is_of_positions(c))))
    return arena_format(c->memory,
                        "expected unique coordinates at '%.*s', found that %s may repeat them "
                        "(split it first, or use atomics)",
                        TEXT(safety_variable(c)), found.repeats);
  return NULL;
}
