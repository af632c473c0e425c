/* How many iterations loops have (density.h). */
#include "density.h"

#include "access_order.h"
#include "algebra.h"
#include "extent.h"
#include "ir.h"
#include "level_entries.h"
#include "statement_rebuild.h"
#include "tin.h"
#include "tin_ops.h"
#include "value_map.h"

#include <mlir-c/BuiltinAttributes.h>

#include <math.h>

enum { OPERAND_LIMIT = 4 };

/*--- Values along a variable -------------------------------------------------------------------*/

typedef struct spread {
  double entries;
  bool is_known; /* the background */
  bool counts;   /* as what nothing stored has, or exactly: a literal of the text does not */
  scalar background;
} spread;

typedef struct estimation {
  const statement *s;
  int variable;
  double extent;
  bit_set located;   /* accesses whose entries are not gone through */
  const int *absent; /* the one access that has no entry, if this is what is asked; else NULL */
  value_map numbers; /* what was estimated before, by its place */
  spread *spreads;
} estimation;

static spread estimate_of(const estimation *e, MlirValue value) {
  return e->spreads[value_map_place(&e->numbers, value)];
}

static scalar fill_of(const statement *s, int access_number, MlirType type) {
  scalar fill = scalar_zero(type);
  MlirAttribute attribute =
      access_number == s->replaced_access ? (MlirAttribute){0} : access_fill(s, access_number);
  if (!mlirAttributeIsNull(attribute))
    scalar_from_attribute(attribute, type, &fill);
  return fill;
}

static spread background_of(const estimation *e, int number, double entries) {
  return (spread){.entries = entries,
                  .is_known = true,
                  .counts = true,
                  .background = fill_of(e->s, number, e->s->accesses[number].format->element)};
}

static spread estimate_access(const estimation *e, int number) {
  const access *a = &e->s->accesses[number];
  if (e->absent)
    return number == *e->absent && !tin_pad_is_value(a->pad) ? background_of(e, number, 0)
                                                             : (spread){.entries = e->extent};
  if (!set_has(a->variables, e->variable))
    return (spread){0};
  if (set_has(e->located, number) || tin_pad_is_value(a->pad))
    return (spread){.entries = e->extent};
  for (int l = 0; l < a->level_count; l++)
    if (a->levels[l].bare == e->variable && !(a->levels[l].level->properties & LEVEL_FULL))
      return background_of(e, number, level_entries(e->s, a, l));
  return (spread){.entries = e->extent};
}

static spread estimate_constant(MlirOperation op, MlirValue value) {
  spread s = {.counts = type_is_integer(mlirValueGetType(value))};
  s.is_known =
      scalar_from_attribute(op_attribute(op, "value"), mlirValueGetType(value), &s.background);
  return s;
}

/* Where an operand that annihilates has its background, the others do not count. */
static spread annihilated(const algebra_operator *op, const spread *operands, int count,
                          spread whole) {
  for (int i = 0; i < count; i++) {
    const spread *x = &operands[i];
    if (!x->is_known || !x->counts || !algebra_operator_annihilates(op, i, &x->background))
      continue;
    whole.entries = fmin(whole.entries, x->entries);
    whole.is_known = whole.counts = true;
    whole.background = x->background;
  }
  return whole;
}

/* Where the condition has its background one of the two values is chosen, and the other does not
 * count. */
static spread selected(const spread *operands, spread whole) {
  const spread *condition = &operands[0];
  if (!condition->is_known)
    return whole;
  const spread *chosen = &operands[condition->background.integer ? 1 : 2];
  return (spread){.entries = fmin(whole.entries, condition->entries + chosen->entries),
                  .is_known = chosen->is_known,
                  .counts = chosen->counts || condition->counts,
                  .background = chosen->background};
}

static spread estimate_operation(estimation *e, MlirOperation operation, MlirValue value) {
  intptr_t count = mlirOperationGetNumOperands(operation);
  const algebra_operator *op = algebra_operator_find(op_name(operation));
  if (!op || count > OPERAND_LIMIT)
    return (spread){.entries = e->extent};
  spread operands[OPERAND_LIMIT], whole = {.is_known = true};
  scalar backgrounds[OPERAND_LIMIT];
  for (intptr_t i = 0; i < count; i++) {
    operands[i] = estimate_of(e, mlirOperationGetOperand(operation, i));
    backgrounds[i] = operands[i].background;
    whole.entries = fmin(e->extent, whole.entries + operands[i].entries);
    whole.is_known &= operands[i].is_known;
    whole.counts |= operands[i].counts;
  }
  if (whole.is_known)
    whole.is_known = algebra_operator_fold(op, operation, backgrounds, mlirValueGetType(value),
                                           &whole.background);
  return algebra_operator_selects(op) ? selected(operands, whole)
                                      : annihilated(op, operands, (int)count, whole);
}

static bool is_replaced(MlirValue value, void *data) {
  const estimation *e = data;
  return !mlirValueIsNull(e->s->replaced) && mlirValueEqual(value, e->s->replaced);
}

static spread estimate_new(estimation *e, MlirValue value) {
  if (is_replaced(value, e))
    return estimate_access(e, e->s->replaced_access);
  if (mlirValueIsABlockArgument(value))
    return estimate_access(e, (int)mlirBlockArgumentGetArgNumber(value));
  MlirOperation op = mlirOpResultGetOwner(value);
  if (tin_is_reduce(op))
    return estimate_of(e, tin_reduce_value(op));
  if (op_is(op, "arith.constant") || op_is(op, "complex.constant"))
    return estimate_constant(op, value);
  return estimate_operation(e, op, value);
}

static spread estimate(estimation *e, MlirValue value) {
  value_list parts = values_in_order(e->s->memory, value, is_replaced, e);
  e->numbers = (value_map){.memory = e->s->memory};
  e->spreads = ARENA_ARRAY(e->s->memory, spread, parts.count + 1);
  for (int i = 0; i < parts.count; i++) {
    e->spreads[i] = estimate_new(e, parts.values[i]);
    value_map_set(&e->numbers, parts.values[i], parts.values[i]);
  }
  return e->spreads[parts.count - 1];
}

/*--- Loops -------------------------------------------------------------------------------------*/

/* What a nest's result has where its loops do not go. */
static scalar nest_background(const statement *s, const nest *n) {
  MlirType type = mlirValueGetType(n->term);
  scalar background = scalar_zero(type);
  if (!n->kind) {
    MlirAttribute fill = access_fill(s, (int)mlirOperationGetNumOperands(s->op));
    if (!mlirAttributeIsNull(fill))
      scalar_from_attribute(fill, type, &background);
    return background;
  }
  builder *b = builder_create(mlirOperationGetContext(s->op), mlirOperationGetLocation(s->op));
  MlirAttribute identity =
      mlirAttributeIsNull(n->identity) ? combine_identity(b, n->kind, type) : n->identity;
  scalar_from_attribute(identity, type, &background);
  builder_free(b);
  return background;
}

static bool skips_background(const statement *s, const nest *n, const spread *along) {
  scalar background = nest_background(s, n);
  return along->is_known && scalar_equal(&along->background, &background);
}

bool nest_skips_background(const statement *s, const nest *n, int variable) {
  return nest_skips_without(s, n, variable, set_empty());
}

bool nest_skips_without(const statement *s, const nest *n, int variable, bit_set located) {
  estimation e = {
      .s = s, .variable = variable, .extent = estimated_extent(s, variable), .located = located};
  spread along = estimate(&e, n->term);
  return skips_background(s, n, &along);
}

bool nest_skips_absent(const statement *s, const nest *n, int access_number) {
  estimation e = {.s = s, .variable = -1, .extent = 1, .absent = &access_number};
  spread there = estimate(&e, n->term);
  return skips_background(s, n, &there);
}

bool root_skips_absent(const statement *s, int access_number) {
  char *known = &s->absences[access_number];
  if (!*known)
    *known = nest_skips_absent(s, &s->nests[0], access_number) ? 1 : 2;
  return *known == 1;
}

/* The operands in whose levels coordinates of the variable are searched for: the loop does not walk
 * them. */
static bit_set searched_along(const statement *s, int variable) {
  bit_set searched = set_empty();
  for (int a = 0; a < s->operand_count; a++)
    for (int l = 0; l < s->accesses[a].level_count; l++)
      if (s->accesses[a].levels[l].bare == variable && access_level_is_known(&s->accesses[a], l))
        set_insert(s->memory, &searched, a);
  return searched;
}

/* Of an operand without which there is nothing to be computed, how many of the variable's
 * coordinates have an entry; all of them where it walks none. */
static double needed_entries(const statement *s, int number, int variable) {
  const access *a = &s->accesses[number];
  for (int l = 0; l < a->level_count; l++)
    if (a->levels[l].bare == variable && level_is_walked(&a->levels[l]) &&
        root_skips_absent(s, number))
      return level_entries(s, a, l);
  return estimated_extent(s, variable);
}

/* In how many coordinates of a variable all that has entries may have them. */
static double spread_of(const statement *s, int variable) {
  double spread = estimated_extent(s, variable);
  for (int a = 0; a < s->operand_count; a++) {
    int dimension = access_dimension_of(&s->accesses[a], variable);
    if (dimension >= 0 && !mlirAttributeIsNull(s->accesses[a].holds))
      spread = fmin(spread, access_spread(&s->accesses[a], dimension));
  }
  return spread;
}

double share_that_meets(const statement *s, int variable) {
  double extent = spread_of(s, variable), least = extent, all = extent;
  for (int a = 0; s->nest_count == 1 && extent > 0 && a < s->operand_count; a++) {
    double entries = fmin(extent, needed_entries(s, a, variable));
    least = fmin(least, entries);
    all *= entries / extent;
  }
  return least > 0 ? all / least : 1;
}

static double estimate_trips(const statement *s, int variable) {
  estimation e = {.s = s,
                  .variable = variable,
                  .extent = estimated_extent(s, variable),
                  .located = searched_along(s, variable)};
  for (int i = 0; i < s->nest_count; i++) {
    const nest *n = &s->nests[i];
    if (!set_has(n->own, variable))
      continue;
    spread along = estimate(&e, n->term);
    bool fewer = skips_background(s, n, &along) && along.entries < e.extent;
    return fewer ? along.entries : e.extent;
  }
  return e.extent;
}

double trip_count(const statement *s, int variable) {
  if (s->trip_counts[variable] == 0)
    s->trip_counts[variable] = 1 + estimate_trips(s, variable);
  return s->trip_counts[variable] - 1;
}

/*--- Loops that others bound -------------------------------------------------------------------*/

static int place_in(const int *path, int length, int variable) {
  int place = 0;
  while (place < length && path[place] != variable)
    place++;
  return place < length ? place : -1;
}

/* The loop over a variable of the maps; -1 where it follows from others. */
static int loop_over(const statement *s, int variable) {
  for (int v = 0; v < s->variable_count; v++)
    if (s->loops[v].variable == variable)
      return v;
  return -1;
}

/* How far the variable goes that follows from a form and its other variables, once the loop at
 * `place` is entered; negative where it does not follow there. */
static double window_of(const statement *s, const access_level *level, const int *path, int place) {
  remap form;
  int last = place_in(path, place + 1, level->bare), follows = -1;
  remap_of(level->form, &form);
  for (int n = 0; n < form.count && last >= 0; n++) {
    int variable = (int)mlirAffineDimExprGetPosition(remap_part(&form, n));
    int loop = loop_over(s, variable), at = loop < 0 ? 0 : place_in(path, place + 1, loop);
    if (at < 0 || (loop < 0 && follows >= 0))
      return -1;
    follows = loop < 0 ? variable : follows;
    last = at > last ? at : last;
  }
  if (last != place || follows < 0)
    return -1;
  return followed_extent(s->unmapped, follows);
}

/* Whether the variables of a set stand before a place of a path. */
static bool stand_before(variable_set set, const int *path, int place) {
  for (int v = set_first(set); v >= 0; v = set_next(set, v + 1))
    if (place_in(path, place, v) < 0)
      return false;
  return true;
}

bool level_walks_at(const access *a, int l, const int *path, int place) {
  const access_level *level = &a->levels[l];
  unsigned properties = level->level->properties;
  int dimension = level->level->dimension;
  if (level->bare >= 0 || level->recovered || dimension < 0 || (properties & LEVEL_FULL) ||
      !(properties & (LEVEL_ORDERED | LEVEL_BRANCHLESS)) || !format_level_can_walk(level->level) ||
      !set_has(level->variables, path[place]))
    return false;
  for (int above = 0; above < l; above++)
    if (!stand_before(a->levels[above].variables, path, place + 1))
      return false;
  MlirAffineExpr subscript = remap_canonical(mlirAffineMapGetResult(a->map, dimension));
  for (int v = set_first(level->variables); v >= 0; v = set_next(level->variables, v + 1))
    if (v != path[place] && place_in(path, place, v) < 0)
      return false;
  return subscript_factor(subscript, path[place]) == 1;
}

/* The same loop, where it walks levels that are some offset away; what some of them have, where
 * nothing is to be computed without. */
static bool walks_with_offset(const statement *s, const int *path, int place, double *trips) {
  bool walks = false;
  for (int i = 0; !s->unmapped && s->nest_count == 1 && i < s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++) {
      if (!level_walks_at(&s->accesses[i], l, path, place))
        continue;
      double share = estimated_extent(s, path[place]) / compound_extent(s, &s->accesses[i], l);
      walks = true;
      if (root_skips_absent(s, i))
        *trips = fmin(*trips, share * level_entries(s, &s->accesses[i], l));
    }
  return walks;
}

loop_entry trip_count_inside(const statement *s, const int *path, int place, double *trips) {
  loop_entry entered = ENTERED_WHOLE;
  *trips = trip_count(s, path[place]);
  if (walks_with_offset(s, path, place, trips) && place > 0)
    entered = ENTERED_BY_SEARCH;
  for (int i = 0; s->loops && i < s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++) {
      const access_level *level = &s->accesses[i].levels[l];
      double window = -1, all = *trips;
      if (!mlirAffineExprIsNull(level->form) && level->bare >= 0)
        window = window_of(s, level, path, place);
      if (window < 0)
        continue;
      bool is_walked = level->bare == path[place];
      double share =
          is_walked ? all * window / fmax(window, estimated_extent(s, path[place])) : window;
      *trips = fmin(all, share);
      if (place > 0 && entered != ENTERED_BY_SEARCH)
        entered = is_walked ? ENTERED_BY_SEARCH : ENTERED_IN_WINDOW;
    }
  return entered;
}

/* Whether the loop over a variable tells where the window of a level that is walked begins. */
static bool moves_window(const statement *s, const access_level *level, int variable) {
  if (mlirAffineExprIsNull(level->form))
    return set_has(level->variables, variable);
  int of_maps = s->loops[variable].variable;
  return of_maps >= 0 && mlirAffineExprIsFunctionOfDim(level->form, of_maps);
}

/* Whether the loop at a place walks a level, in a window or not. */
static bool walks_at(const statement *s, const access *a, int l, const int *path, int place) {
  const access_level *level = &a->levels[l];
  return level->bare == path[place] ? level_is_walked(level)
                                    : !s->unmapped && level_walks_at(a, l, path, place);
}

double entries_in_run(const statement *s, const int *path, int place) {
  double most = 0;
  for (int i = 0; i < s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++) {
      const access *a = &s->accesses[i];
      double entries = 1;
      if ((a->levels[l].level->properties & LEVEL_UNIQUE) || !walks_at(s, a, l, path, place))
        continue;
      for (int below = l + 1; below < a->level_count; below++)
        entries *= level_entries(s, a, below);
      most = fmax(most, entries);
    }
  return most;
}

bool window_is_next(const statement *s, const int *path, int place, double *entries) {
  bool next = true;
  *entries = 0;
  for (int i = 0; i < s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++) {
      const access *a = &s->accesses[i];
      const access_level *level = &a->levels[l];
      bool in_window = level->bare < 0 || !mlirAffineExprIsNull(level->form);
      if (!in_window || !walks_at(s, a, l, path, place))
        continue;
      next &= place > 0 && moves_window(s, level, path[place - 1]);
      *entries = fmax(*entries, level_entries(s, a, l));
    }
  return next;
}
