/* sparsify_guards.c - when what blocks make known must be tested to be in bounds.
 *
 *     i = s q + r, q a block and r a place in it, below the end N of the dimension?
 *
 *     r walked below q        what is stored is in bounds: no test (q may follow from what the
 *                             levels above hold of it: blocks of blocks)
 *     nobody asks for i       neither: what lies beyond the end goes to places of its own, that are
 *                             never read
 *     i is in a linear form   a test, of what follows from that too: stored is what the operand
 *                             has, not what the others leave of it
 *     r counted               if s (q + 1) <= N, tested once for the block
 *                               all of the block, with no test in it
 *                             else
 *                               the block with a test at each place
 *
 * A block of blocks is known once its place in the greater one is: the body of the innermost forall
 * that makes a block known, i floordiv 4 by (i floordiv 4) mod 4, has the test.
 */
#include "sparsify_guards.h"

#include <stdio.h>
#include <string.h>

/* ---- what is stored ----------------------------------------------------------------------- */

/* Whether what the levels above hold tells the variable. */
static bool is_told_above(const sparsifier *p, const iterator *i, MlirValue variable) {
  MlirValue *held = ARENA_ARRAY(p->memory, MlirValue, i->level + 1);
  intptr_t count = 0;
  while ((i = i->parent)) {
    MlirValue at = subscript_variable(&i->at);
    if (!mlirValueIsNull(at))
      held[count++] = at;
  }
  return provenance_follows(p->graph, variable, count, held);
}

bool guard_is_promised(const sparsifier *p, MlirValue known, const merge_lattice *lattice,
                       bit_set point) {
  provenance_part part;
  if (!provenance_part_of(p->graph, known, &part) || mlirValueIsNull(part.other) ||
      provenance_is_in_form(p->graph, part.whole))
    return false;
  for (int n = 0; n < lattice->iterator_count; ++n)
    if (set_has(point, n) && !iterator_is_full(lattice->iterators[n]) &&
        is_told_above(p, lattice->iterators[n], part.other))
      return true;
  return false;
}

/* ---- what nobody asks for ----------------------------------------------------------------- */

/* The place `known` in a block of the variable `whole`, in the code of a forall over it. */
typedef struct place {
  const expression_table *expressions;
  MlirValue known, whole;
} place;

static bool access_asks(const tensor_read *a, const place *at) {
  for (int k = 0; k < a->tensor->format->level_count; ++k)
    if (subscript_mentions(&a->iterators[k]->at, at->whole))
      return true;
  return false;
}

/* Whether the operation ends the program for some operands. */
static bool can_trap(const expression *e) {
  if (e->kind != EXPRESSION_OPERATION || mlirOperationIsNull(e->op) || type_is_float(e->type))
    return false;
  MlirStringRef name = op_name(e->op);
  char text[64];
  snprintf(text, sizeof text, "%.*s", TEXT(name));
  return strstr(text, "div") || strstr(text, "rem");
}

static bool expression_asks(const expression *e, void *data) {
  return (e->kind == EXPRESSION_ACCESS && access_asks(e->access, data)) || can_trap(e);
}

/* Whether other places of the block write to other elements of a workspace, and other blocks to
 * another workspace. */
static bool is_written_apart(const assignment *a, const place *at) {
  for (intptr_t d = 0; d < a->rank; ++d)
    if (a->target->stands_apart && mlirValueEqual(subscript_variable(&a->subscripts[d]), at->known))
      return true;
  return false;
}

static bool block_asks(const block *code, const place *at, const tensor *inner);

static bool statement_asks(const index_statement *n, const place *at, const tensor *inner) {
  switch (n->kind) {
  case STATEMENT_FORALL:
    return block_asks(&n->body, at, inner);
  case STATEMENT_WHERE:
    return block_asks(&n->producer, at, n->workspace) || block_asks(&n->body, at, inner);
  case STATEMENT_ASSIGNMENT:
    return expression_any(at->expressions, n->assignment->value, expression_asks, (void *)at) ||
           !(n->assignment->target == inner || is_written_apart(n->assignment, at));
  }
  return true;
}

/* Whether it matters to the code that the variable is in bounds; `inner` is a workspace that is
 * made inside of it. */
static bool block_asks(const block *code, const place *at, const tensor *inner) {
  for (int n = 0; n < code->count; ++n)
    if (statement_asks(code->statements[n], at, inner))
      return true;
  return false;
}

static bool forall_asks(const sparsifier *p, const index_statement *forall) {
  provenance_part part;
  if (!provenance_part_of(p->graph, forall->variable, &part) || part.is_quotient ||
      provenance_is_in_form(p->graph, part.whole))
    return true;
  place at = {p->s->expressions, forall->variable, part.whole};
  return block_asks(&forall->body, &at, NULL);
}

MlirValue emit_block_guard(sparsifier *p, const index_statement *forall, MlirValue known) {
  return mlirValueEqual(known, forall->variable) && !forall_asks(p, forall)
             ? (MlirValue){NULL}
             : provenance_guard(p->graph, p->b, known);
}

void note_stands_apart(const sparsifier *p, tensor *workspace) {
  provenance_part part;
  workspace->stands_apart = true;
  for (intptr_t n = 0; n < cin_workspace_variable_count(workspace->op); ++n)
    workspace->stands_apart &=
        provenance_part_of(p->graph, cin_workspace_variable(workspace->op, n), &part) &&
        !part.is_quotient && !mlirValueIsNull(part.other) &&
        provenance_is_known(p->graph, part.other);
}

/* ---- whole blocks ------------------------------------------------------------------------- */

typedef bool forall_test(const sparsifier *p, const index_statement *forall);

static int count_foralls(const sparsifier *p, const block *code, forall_test *test) {
  int count = 0;
  for (int n = 0; n < code->count; ++n) {
    const index_statement *at = code->statements[n];
    count += at->kind == STATEMENT_FORALL && test(p, at);
    count += count_foralls(p, &at->body, test) + count_foralls(p, &at->producer, test);
  }
  return count;
}

static bool is_quotient(const sparsifier *p, MlirValue variable) {
  provenance_part part;
  return provenance_part_of(p->graph, variable, &part) && part.is_quotient;
}

/* Of blocks, or of the place of one in a greater one. */
static bool is_over_blocks(const sparsifier *p, const index_statement *forall) {
  provenance_part part;
  return provenance_part_of(p->graph, forall->variable, &part) &&
         (part.is_quotient || is_quotient(p, part.whole));
}

static bool walks_stored(const sparsifier *p, const index_statement *forall) {
  effects all = block_effects(p->memory, &forall->body);
  usage used = usage_of(p, &all);
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    if (used.iterators[n] && !iterator_is_full(i) &&
        mlirValueEqual(subscript_variable(&i->at), forall->variable))
      return true;
  }
  return false;
}

/* Whether the forall counts the places of a block that is known, and has to test each. */
static bool is_tested(const sparsifier *p, const index_statement *forall) {
  provenance_part part;
  return provenance_part_of(p->graph, forall->variable, &part) && !part.is_quotient &&
         !mlirValueIsNull(part.other) && provenance_is_known(p->graph, part.other) &&
         !provenance_is_whole(p->graph, &part) && !walks_stored(p, forall) &&
         forall_asks(p, forall);
}

static void take_tested(sparsifier *p, const block *code, whole_blocks *all) {
  provenance_part part;
  builder *b = p->b;
  for (int n = 0; n < code->count; ++n) {
    const index_statement *at = code->statements[n];
    if (at->kind == STATEMENT_FORALL && all->count < WHOLE_BLOCKS && is_tested(p, at)) {
      provenance_part_of(p->graph, at->variable, &part);
      MlirValue next = add(b, provenance_coordinate(p->graph, b, part.other), constant_index(b, 1));
      MlirValue end = mul(b, next, constant_index(b, part.size));
      MlirValue inside = less_equal(b, end, provenance_extent(p->graph, b, part.whole));
      all->condition = all->count ? and_i(b, all->condition, inside) : inside;
      all->variables[all->count++] = part.whole;
      provenance_tell_whole(p->graph, part.whole, true);
    }
    take_tested(p, &at->body, all);
    take_tested(p, &at->producer, all);
  }
}

whole_blocks emit_whole_blocks(sparsifier *p, const index_statement *forall) {
  whole_blocks all = {0};
  if (is_over_blocks(p, forall) && !count_foralls(p, &forall->body, is_over_blocks) &&
      count_foralls(p, &forall->body, is_tested))
    take_tested(p, &forall->body, &all);
  p->made.hoisted_guards += all.count;
  return all;
}

void whole_blocks_end(sparsifier *p, const whole_blocks *all) {
  for (int n = 0; n < all->count; ++n)
    provenance_tell_whole(p->graph, all->variables[n], false);
}
