/* assembly_loops.c - the ways to build a result, asked of the foralls of a kernel
 * (assembly_loops.h). */
#include "assembly_loops.h"

#include "cin_kernel.h"
#include "ir.h"

static const MlirValue none = {NULL};

static int level_count(const assembly_loops *r) {
  return r->how.format->level_count;
}

static const format_level *level_at(const assembly_loops *r, int l) {
  return &r->how.format->levels[l];
}

static const assignment *first_assignment(const assembly_loops *r) {
  return r->statement->result->assignments[0];
}

/* ---- levels ------------------------------------------------------------------------------- */

MlirValue assembly_variable(const assembly_loops *r, int l) {
  const assignment *first = first_assignment(r);
  return level_variable(r->statement, level_at(r, l), first->rank, first->subscripts);
}

int assembly_level_of(const assembly_loops *r, MlirValue variable) {
  for (int l = 0; l < level_count(r); ++l)
    if (mlirValueEqual(assembly_variable(r, l), variable))
      return l;
  return -1;
}

bool assembly_is_numbered(const assembly_loops *r, int l) {
  return remap_counted(level_at(r, l)->expression) >= 0 &&
         !provenance_is_known(r->graph, assembly_variable(r, l));
}

/* An entry has its number when all of its coordinates are known. */
static bool entry_is_known(const assembly_loops *r) {
  for (int l = 0; l < level_count(r); ++l)
    if (!assembly_is_numbered(r, l) && !provenance_is_known(r->graph, assembly_variable(r, l)))
      return false;
  return true;
}

bool assembly_is_known(const assembly_loops *r, int l) {
  if (assembly_is_numbered(r, l))
    return entry_is_known(r);
  return provenance_is_known(r->graph, assembly_variable(r, l));
}

/* An entry that is numbered comes once. */
static bool is_numbered_again(const assembly_loops *r, MlirValue variable, MlirValue last) {
  bool numbered = false;
  for (int l = 0; l < level_count(r); ++l)
    numbered |= assembly_is_numbered(r, l);
  return numbered && mlirValueEqual(variable, last);
}

bool assembly_come_again(const assembly_loops *r, int count, const MlirValue *variables,
                         MlirValue last) {
  int innermost = assembly_level_along(r, last);
  for (int n = 0; n < count; ++n)
    if (is_numbered_again(r, variables[n], last) ||
        !assembly_comes_again(&r->how, assembly_level_along(r, variables[n]), innermost))
      return false;
  return true;
}

/* ---- one forall ---------------------------------------------------------------------------- */

static bool is_awaited(const assembly_loops *r, int l) {
  return assembly_is_outside(&r->how, l) && !assembly_is_known(r, l);
}

/* The level that must become known before anything is reduced: the next one that is built, or one
 * above it; -1 for none. */
static int next_expected(const assembly_loops *r) {
  int above = -1;
  for (int l = 0; l < level_count(r); ++l) {
    if (is_awaited(r, l) && !assembly_takes(&r->how, l))
      return l;
    if (is_awaited(r, l) && above < 0)
      above = l;
  }
  return above;
}

/* The first level above `l` that has to be known before it; -1 for none. */
static int first_missing(const assembly_loops *r, int l) {
  for (int above = 0; above < l; ++above)
    if (assembly_is_before(&r->how, above, l) && !assembly_is_known(r, above))
      return above;
  return -1;
}

/* Whether what comes along the forall, a sum, may be entries of their own, to be added up later. */
static bool sums_entries(const assembly_loops *r, const index_statement *forall) {
  return (assembly_repeats(r->how.way) || assembly_lists(r->how.format)) &&
         cin_access_reduces(r->graph, first_assignment(r)->op, forall->variable);
}

/* Whether other entries come along the forall, as along a counter, and none of the levels that are
 * still to be known minds that. */
static bool repeats_entries(const assembly_loops *r, const index_statement *forall) {
  bool repeats = provenance_is_counter(r->graph, forall->variable) || sums_entries(r, forall);
  if (!repeats || first_assignment(r)->kind)
    return false;
  for (int l = 0; l < level_count(r); ++l)
    if (is_awaited(r, l) && assembly_is_met_once(&r->how, l))
      return false;
  return true;
}

/* What says that level `l` holds a compound subscript of the result; null where nothing does. */
static MlirOperation subscript_at(const assembly_loops *r, int l) {
  return cin_subscript_of(r->statement->kernel, assembly_variable(r, l));
}

static bool follows_from_others(const assembly_loops *r, int l) {
  return !mlirOperationIsNull(subscript_at(r, l));
}

/* Whether what level `l` holds follows from the variable, or from it and others. */
static bool tells_part(const assembly_loops *r, MlirValue root, int l) {
  MlirOperation subscript = subscript_at(r, l);
  bool told = provenance_has_root(r->graph, assembly_variable(r, l), root);
  for (intptr_t n = 1;
       !mlirOperationIsNull(subscript) && n < mlirOperationGetNumOperands(subscript); ++n)
    told |= mlirValueEqual(mlirOperationGetOperand(subscript, n), root);
  return told;
}

/* The level whose compound subscript follows from the variable alone, each from another one, as
 * 2 * i + 1 does from i; -1. */
static int level_that_follows(const assembly_loops *r, MlirValue root) {
  for (int l = 0; l < level_count(r); ++l) {
    MlirOperation subscript = subscript_at(r, l);
    if (!mlirOperationIsNull(subscript) && mlirOperationGetNumOperands(subscript) == 2 &&
        mlirValueEqual(mlirOperationGetOperand(subscript, 1), root))
      return l;
  }
  return -1;
}

int assembly_level_along(const assembly_loops *r, MlirValue variable) {
  int level = assembly_level_of(r, variable);
  return level >= 0 ? level : level_that_follows(r, variable);
}

/* The level that has coordinates of its own along the variable, or, where entries come in any
 * order, the first that holds what follows from it; -1, also where it tells an entry and what is
 * below it. */
static int level_told_by(const assembly_loops *r, MlirValue root) {
  int level = assembly_level_along(r, root), end = r->how.end;
  if (level >= 0 || !assembly_is_in_any_order(&r->how))
    return level;
  for (int l = 0; l < level_count(r); ++l) {
    bool told = tells_part(r, root, l);
    if (told && level >= 0 && level < end && l >= end)
      return -1;
    level = told && level < 0 ? l : level;
  }
  return level;
}

/* Why a forall may not stand here: `level` should become known first, or wants the coordinates of
 * level `strided` (>= 0), or its own, in ascending order, and they come in strides or descend.
 * `level` is -1 where it may. */
typedef struct assembly_fault {
  int level, strided;
} assembly_fault;

static const assembly_fault no_fault = {-1, -1};

/* The level that is built when `l`, its own or one above it, is known. */
static int built_from(const assembly_loops *r, int l) {
  while (l + 1 < level_count(r) && assembly_takes(&r->how, l))
    ++l;
  return l;
}

/* The variables that come along a forall: of collapsed ones the innermost, as the others have
 * foralls of their own, but all where they come in strides, as those then begin again. */
static intptr_t coordinates_of(const assembly_loops *r, const index_statement *forall,
                               const MlirValue **roots) {
  intptr_t count = provenance_bases(r->graph, forall->variable, roots);
  if (count == 1 && assembly_level_of(r, (*roots)[0]) >= 0 &&
      !provenance_is_strided(r->graph, forall->variable))
    return count;
  return provenance_roots(r->graph, forall->variable, roots);
}

/* A linear form, from which, and others, what it is of follows. */
static bool is_linear_form(MlirValue variable) {
  MlirOperation op = value_owner(variable);
  return cin_is_remap(op) &&
         remap_is_form(remap_canonical(mlirAffineMapGetResult(cin_remap_map(op), 0)));
}

/* Whether what level `l` holds descends along the forall, or along the whole that this goes through
 * a part of. */
static bool descends_along(const assembly_loops *r, MlirValue loop, MlirValue whole, int l) {
  MlirValue held = assembly_variable(r, l);
  return provenance_descends(r->graph, loop, held) ||
         (!is_linear_form(loop) && provenance_descends(r->graph, whole, held));
}

static assembly_fault fault_of(const assembly_loops *r, const index_statement *forall) {
  int next = next_expected(r);
  if (next < 0 || repeats_entries(r, forall))
    return no_fault;
  bool strided = provenance_is_strided(r->graph, forall->variable) ||
                 provenance_next(r->graph, forall->variable).kind == PROVENANCE_RECOVER;
  const MlirValue *roots;
  intptr_t count = coordinates_of(r, forall, &roots);
  for (intptr_t n = 0; n < count; ++n) {
    int l = level_told_by(r, roots[n]), missing = l < 0 ? next : first_missing(r, l);
    if (missing >= 0)
      return (assembly_fault){missing, -1};
    bool in_strides = strided || provenance_strides_through(r->graph, forall->variable, roots[n]);
    bool ascends = (!in_strides || provenance_is_known(r->graph, roots[n])) &&
                   !descends_along(r, forall->variable, roots[n], l);
    if (!ascends && assembly_ascends(&r->how, l))
      return (assembly_fault){built_from(r, l), l};
  }
  return no_fault;
}

static bool refuse_forall(const assembly_loops *r, const index_statement *forall, int next) {
  MlirStringRef found = provenance_name(forall->variable);
  MlirStringRef expected = provenance_name(assembly_variable(r, next));
  bool is_above = assembly_takes(&r->how, next);
  return error_at(forall->op,
                  "%sexpected a forall over '%.*s', as level %d (%s) of %s is %s%s; found one over "
                  "'%.*s' (a workspace or another loop order would help)",
                  follows_from_others(r, next) ? "not supported yet: " : "", TEXT(expected), next,
                  level_at(r, next)->format->name, r->statement->result->name,
                  is_above ? "above one that is " : "", assembly_words(r->how.way), TEXT(found));
}

static bool refuse_strides(const assembly_loops *r, const index_statement *forall,
                           const assembly_fault *f) {
  return error_at(forall->op,
                  "expected ascending coordinates of '%.*s', as level %d (%s) of %s is %s; found "
                  "strides",
                  TEXT(provenance_name(assembly_variable(r, f->strided))), f->level,
                  level_at(r, f->level)->format->name, r->statement->result->name,
                  assembly_words(r->how.way));
}

static bool refuse(const assembly_loops *r, const index_statement *forall,
                   const assembly_fault *f) {
  return f->strided >= 0 ? refuse_strides(r, forall, f) : refuse_forall(r, forall, f->level);
}

/* ---- all of them --------------------------------------------------------------------------- */

static bool builds(const assembly_loops *r, const block *code, bool explain);

/* A variable that is bound already, or from which others are derived, is not the result's concern:
 * what is derived may stand inside. */
static bool forall_builds(const assembly_loops *r, const index_statement *forall, bool explain) {
  if (provenance_is_known(r->graph, forall->variable) ||
      provenance_is_consumed(r->graph, forall->variable))
    return builds(r, &forall->body, explain);
  assembly_fault fault = fault_of(r, forall);
  if (fault.level >= 0)
    return explain && refuse(r, forall, &fault);
  provenance_bind(r->graph, forall->variable, none);
  bool done = builds(r, &forall->body, explain);
  provenance_unbind(r->graph, forall->variable);
  return done;
}

/* Entries whose place is not known yet are built by one statement, unless they may come again. */
static bool is_second(const assembly_loops *r, int before) {
  return before > 0 && !assembly_repeats(r->how.way) && next_expected(r) >= 0;
}

static bool refuse_second(const assembly_loops *r, const index_statement *at) {
  return error_at(at->op, "expected one statement that appends to %s, found a second",
                  r->statement->result->name);
}

static bool builds(const assembly_loops *r, const block *code, bool explain) {
  int before = 0;
  for (int n = 0; n < code->count; ++n) {
    const index_statement *at = code->statements[n];
    block alone = {1, &code->statements[n]};
    if (!block_assigns(&alone, r->statement->result))
      continue;
    if (is_second(r, before++))
      return explain && refuse_second(r, at);
    if (at->kind == STATEMENT_FORALL
            ? !forall_builds(r, at, explain)
            : at->kind == STATEMENT_WHERE && !builds(r, &at->body, explain))
      return false;
  }
  return true;
}

bool assembly_verify(const assembly_loops *r) {
  return builds(r, &r->statement->body, true);
}

/* ---- the choice ---------------------------------------------------------------------------- */

/* Whether coordinates of the levels before `end` come in no order. */
static bool walks_unordered(const assembly_loops *r, int end) {
  const iterator_list *all = &r->statement->iterators;
  for (int n = 0; n < all->count; ++n) {
    const iterator *i = all->iterators[n];
    int l = assembly_level_along(r, subscript_variable(&i->at));
    if (l >= 0 && l < end && !iterator_is_located(i) && !iterator_is_ordered(i))
      return true;
  }
  return false;
}

/* The levels, up to this one, whose coordinates another way takes as they come. */
static int end_of_taken(const assembly_list *ways) {
  assembly other;
  if (assembly_find(ways, ASSEMBLY_COLLECT, &other))
    return other.end;
  return assembly_find(ways, ASSEMBLY_SCATTER, &other) ? other.first : 0;
}

static bool suits(const assembly_loops *r, const assembly_list *ways, bool drops) {
  assembly collect;
  if (drops && r->how.way != ASSEMBLY_COLLECT && assembly_find(ways, ASSEMBLY_COLLECT, &collect))
    return false;
  if (r->how.way == ASSEMBLY_APPEND && walks_unordered(r, end_of_taken(ways)))
    return false;
  return builds(r, &r->statement->body, false);
}

assembly assembly_choose(assembly_loops *r, const assembly_list *ways, bool drops) {
  for (int n = 0; n < ways->count; ++n) {
    r->how = ways->ways[n];
    if (r->how.way != ASSEMBLY_WORKSPACE && suits(r, ways, drops))
      return r->how;
  }
  return r->how = ways->ways[0];
}

bool assembly_can_tell(const assembly_loops *r) {
  if (!r->statement->result->assignment_count)
    return false;
  for (int l = 0; l < level_count(r); ++l)
    if (mlirValueIsNull(assembly_variable(r, l)))
      return false;
  return true;
}

bool assembly_is_possible(const kernel_statement *s, provenance *graph, bool recorded) {
  assembly_list ways = assembly_ways(s->result->format, recorded);
  assembly_loops r = {s, graph, {.format = s->result->format}};
  bool possible = !assembly_can_tell(&r);
  for (int n = 0; n < ways.count && !possible; ++n) {
    r.how = ways.ways[n];
    possible = builds(&r, &s->body, false);
  }
  return possible;
}
