/* sparsify_starts.c - where the values of an array begin that are added up in it: each part right
 * before anything is added to it, by the thread that adds, instead of all before the first loop.
 *
 *     forall i {                       for i
 *       forall k {                       for j    Y(i,j) = 0
 *         forall j {                     for k
 *           Y(i,j) += ...                  for j    Y(i,j) += ...
 *
 * The part is then in the cache, and the array is not gone through once more.  The foralls around
 * go through coordinates of the result and nothing else, all of them, and outer blocks before inner
 * ones, so that each part comes once.
 */
#include "sparsify_visit.h"

#include "cin_kernel.h"

#include <mlir-c/BuiltinAttributes.h>

/* ---- the nest ------------------------------------------------------------------------------ */

/* Whether values, each of which is there at its coordinates from the start, are only added to. */
static bool adds_to_array(const sparsifier *p) {
  const tensor *result = p->s->result;
  bool adds = !p->drops && !p->counting && result->format->triangle == TIN_WHOLE;
  for (int n = 0; n < result->assignment_count; ++n)
    adds &= result->assignments[n]->kind &&
            result->assignments[n]->kind == result->assignments[0]->kind;
  for (int l = 0; adds && l < result_level_count(p); ++l) {
    MlirValue variable = result_variable(p, l);
    adds = result_fills(p, l) && provenance_is_underived(variable) &&
           variable_comes_to_all(p, variable);
  }
  return adds && result_level_count(p);
}

/* Whether iterations one after the other, or on threads that have nothing in common, go to parts of
 * their own. */
static bool parts(const sparsifier *p, const index_statement *forall) {
  if (forall->kind != STATEMENT_FORALL)
    return false;
  cin_unit unit = cin_op_unit(forall->op);
  bool apart =
      unit == CIN_SERIAL || (unit == CIN_CPU_THREAD && cin_op_race(forall->op) <= CIN_IGNORE_RACES);
  return apart && result_is_gone_through(p, -1, forall->variable) &&
         !provenance_is_strided(p->graph, forall->variable);
}

/* Whether foralls in the block run on threads, whose copies of the result would begin as well. */
static bool has_threads(const block *code) {
  bool some = false;
  for (int n = 0; n < code->count; ++n) {
    const index_statement *s = code->statements[n];
    some |= s->kind == STATEMENT_FORALL && cin_unit_is_concurrent(cin_op_unit(s->op));
    if (s->kind != STATEMENT_ASSIGNMENT)
      some |= has_threads(&s->body);
    if (s->kind == STATEMENT_WHERE)
      some |= has_threads(&s->producer);
  }
  return some;
}

static bool goes_round_once(const sparsifier *p, MlirValue variable) {
  int64_t size = provenance_static_extent(p->graph, variable);
  if (provenance_is_underived(variable))
    value_is_constant_index(variable_extent(p, variable), &size);
  return size == 1;
}

/* Whether a part has more than one value, may not be all there is, and is all that its foralls
 * leave of each dimension. */
static bool is_part(const sparsifier *p, const part_nest *n) {
  bool more = false, several = false, whole = true;
  for (int i = 0; i < n->count; ++i)
    several |= !goes_round_once(p, n->variables[i]);
  for (int l = 0; l < result_level_count(p); ++l) {
    MlirValue variable = result_variable(p, l);
    if (provenance_follows(p->graph, variable, n->count, n->variables))
      continue;
    more = true;
    for (int i = 0; i < n->count; ++i)
      whole &= !provenance_leads_to(p->graph, n->variables[i], variable) ||
               !provenance_is_collapsed(p->graph, n->variables[i]);
  }
  return more && several && whole;
}

/* Whether a level may keep the foralls from some of their coordinates. */
static bool is_left_out(const sparsifier *p, const part_nest *n) {
  bool some = false;
  for (int i = 0; i < p->s->iterators.count; ++i) {
    const iterator *it = p->s->iterators.iterators[i];
    some |= iterator_has_triangle(it) || (subscript_follows(p, &it->at, n->count, n->variables) &&
                                          (it->at.padded || !iterator_is_located(it)));
  }
  return some;
}

/* Whether the code makes a workspace of order 1 or more before all that it does. */
static bool is_made_before(const block *code) {
  const index_statement *only = code->count == 1 ? code->statements[0] : NULL;
  return only && only->kind == STATEMENT_WHERE && only->workspace->format->order > 0 &&
         !has_threads(&only->producer);
}

part_nest find_parts(const sparsifier *p) {
  part_nest none = {0}, n = {0};
  if (!adds_to_array(p))
    return none;
  n.variables = ARENA_ARRAY(p->memory, MlirValue,
                            ops_below(p->memory, p->s->kernel, cin_is_forall).count + 1);
  const block *code = &p->s->body;
  while (is_made_before(code))
    code = &code->statements[0]->body;
  for (; code->count == 1 && parts(p, code->statements[0]); code = &n.innermost->body) {
    n.innermost = code->statements[0];
    provenance_bind(p->graph, n.innermost->variable, (MlirValue){NULL});
    n.variables[n.count++] = n.innermost->variable;
  }
  for (int i = n.count; i-- > 0;)
    provenance_unbind(p->graph, n.variables[i]);
  return is_part(p, &n) && !is_left_out(p, &n) && !has_threads(code) ? n : none;
}

/* ---- code --------------------------------------------------------------------------------- */

/* Whether a part has a block of the variable: foralls around it divide it. */
static bool is_divided(const sparsifier *p, const part_nest *n, MlirValue variable) {
  bool divided = false;
  for (int i = 0; i < n->count; ++i)
    divided |= provenance_leads_to(p->graph, n->variables[i], variable);
  return divided;
}

/* A loop over what is left of a dimension, which LLVM makes memset of; its coordinate. */
static MlirValue begin_loop(sparsifier *p, MlirValue variable) {
  const bit_set empty = set_empty();
  coiteration c = {.case_count = 1, .cases = &empty};
  c.extent = provenance_extent(p->graph, p->b, variable);
  c.variable = mlirStringAttrGet(builder_context(p->b), provenance_name(variable));
  c.strategies = mlirDictionaryAttrGet(builder_context(p->b), 0, NULL);
  if (is_divided(p, &p->parts, variable))
    provenance_bounds(p->graph, p->b, variable, &c.low, &c.high);
  MlirBlock code = op_block(sit_coiterate(p->b, &c), 0);
  builder_at_end(p->b, code);
  return mlirBlockGetArgument(code, 0);
}

void emit_start(sparsifier *p, const index_statement *forall) {
  const tensor *result = p->s->result;
  if (forall != p->parts.innermost)
    return;
  MlirBlock here = builder_block(p->b);
  MlirValue position = {NULL};
  for (int l = 0; l < result_level_count(p); ++l) {
    MlirValue variable = result_variable(p, l);
    MlirValue at = provenance_is_known(p->graph, variable)
                       ? provenance_coordinate(p->graph, p->b, variable)
                       : begin_loop(p, variable);
    position = sit_insert(p->b, result->value, l, at, position);
  }
  sit_store(p->b, scalar_emit(p->b, &result->assignments[0]->identity), result->value, position);
  builder_at_end(p->b, here);
}
