/* sparsify_checks.c - what must hold of a kernel before code is made for it, beyond what its
 * verifier says (dialects/verify_kernel.c): what asks for relations, level formats and ways of
 * assembly.  Each forall's variable is there to be bound, threads do not race, the loops assemble
 * the result in an order that its levels allow.
 *
 * Levels that append want their coordinates in ascending order, each under one parent at a time:
 *
 *     A : (i : insert, j : append)
 *     forall i { forall k { forall j { A(i,j) .. } } }      no: row i is visited for each k
 *     forall i { forall j { forall k { A(i,j) .. } } }      yes
 *
 * and so the coordinates of the levels above them too, where they cannot be scattered into
 * (assembly.h).
 */
#include "copied_operand.h"
#include "parallel_safety.h"
#include "sparsify_state.h"

static const MlirValue none = {NULL};

/* ---- the result's levels ------------------------------------------------------------------ */

static bool check_levels(const sparsifier *p) {
  MlirOperation op = p->s->result->assignments[0]->op;
  for (int l = 0; l < result_level_count(p); ++l)
    if (mlirValueIsNull(result_variable(p, l)))
      return error_at(op, "expected a cin.remap to the expression that level %d of %s holds", l,
                      p->s->result->name);
  return true;
}

static bool check_subscripts_agree(const sparsifier *p) {
  const tensor *result = p->s->result;
  for (int n = 1; n < result->assignment_count; ++n)
    for (intptr_t d = 0; d < result->assignments[n]->rank; ++d)
      if (!subscript_equal(&result->assignments[n]->subscripts[d],
                           &result->assignments[0]->subscripts[d]))
        return error_at(result->assignments[n]->op,
                        "expected the subscripts of the other assignments to %s", result->name);
  return true;
}

static bool check_distinct(const assignment *a) {
  for (intptr_t d = 0; d < a->rank; ++d)
    for (intptr_t e = 0; e < d; ++e)
      if (subscript_equal(&a->subscripts[d], &a->subscripts[e]))
        return error_at(a->op,
                        "expected each index variable once among the subscripts of what is "
                        "assigned, found '%.*s' twice",
                        TEXT(provenance_name(subscript_variable(&a->subscripts[d]))));
  return true;
}

/* ---- foralls ------------------------------------------------------------------------------ */

static bool check_variable(const sparsifier *p, const index_statement *forall) {
  MlirStringRef name = provenance_name(forall->variable);
  if (provenance_is_consumed(p->graph, forall->variable))
    return error_at(forall->op,
                    "expected foralls over the variables derived from '%.*s', found one "
                    "over itself",
                    TEXT(name));
  if (provenance_is_known(p->graph, forall->variable))
    return error_at(
        forall->op,
        "expected a forall over a variable that is not known yet, found one over '%.*s', which "
        "follows from those around",
        TEXT(name));
  MlirValue counted = provenance_unrecovered(p->graph, forall->variable);
  if (!mlirValueIsNull(counted))
    return error_at(forall->op,
                    "not supported yet: expected foralls that count up positions in the place of "
                    "'%.*s', inside of those over the levels above, found one over '%.*s'",
                    TEXT(provenance_name(counted)), TEXT(name));
  MlirValue left = provenance_left_over(p->graph, forall->variable);
  if (!mlirValueIsNull(left))
    return error_at(forall->op,
                    "not supported yet: a forall over '%.*s' inside of one over '%.*s', which "
                    "follows from it",
                    TEXT(name), TEXT(provenance_name(left)));
  return true;
}

static bool check_unit(const sparsifier *p, const index_statement *forall) {
  cin_unit unit = cin_op_unit(forall->op);
  cin_race race = cin_op_race(forall->op);
  if (!cin_unit_is_concurrent(unit))
    return true;
  const char *hazard = parallel_hazard(p->memory, p->graph, p->s->kernel, forall->op, unit, race);
  return !hazard || error_at(forall->op, "cannot run on %s: %s",
                             unit == CIN_CPU_THREAD ? "threads" : cin_unit_name(unit), hazard);
}

/* The foralls of a block and below it, while none of their variables is bound. */
static bool check_units(const sparsifier *p, const block *code) {
  for (int n = 0; n < code->count; ++n) {
    const index_statement *at = code->statements[n];
    if ((at->kind == STATEMENT_FORALL && !check_unit(p, at)) || !check_units(p, &at->producer) ||
        !check_units(p, &at->body))
      return false;
  }
  return true;
}

/* ---- blocks ------------------------------------------------------------------------------- */

static bool check_block(const sparsifier *p, const block *code);

static bool check_forall(const sparsifier *p, const index_statement *forall) {
  if (!check_variable(p, forall))
    return false;
  provenance_bind(p->graph, forall->variable, none);
  bool legal = check_block(p, &forall->body);
  provenance_unbind(p->graph, forall->variable);
  return legal;
}

static bool check_where(const sparsifier *p, const index_statement *where) {
  const tensor_format *format = where->workspace->format;
  if (block_assigns(&where->producer, p->s->result))
    return error_at(where->op, "expected a producer that assigns to its workspace, found one that "
                               "assigns to the result");
  if (format->order > 0 && !tensor_format_is_workspace(format))
    return error_at(where->op,
                    "expected a workspace whose level is dense, or can be filled in any order, "
                    "sorted and cleared, found %s",
                    format->levels[0].format->name);
  return check_block(p, &where->producer) && check_block(p, &where->body);
}

static bool check_assignment(const sparsifier *p, const assignment *a) {
  for (intptr_t d = 0; d < a->rank; ++d)
    if (!subscript_is_known(&a->subscripts[d], p->graph))
      return error_at(a->op, "expected a forall over '%.*s' around the assignment, found none",
                      TEXT(provenance_name(subscript_variable(&a->subscripts[d]))));
  return check_distinct(a);
}

static bool check_statement(const sparsifier *p, const index_statement *at) {
  switch (at->kind) {
  case STATEMENT_FORALL:
    return check_forall(p, at);
  case STATEMENT_WHERE:
    return check_where(p, at);
  case STATEMENT_ASSIGNMENT:
    return check_assignment(p, at->assignment);
  }
  return false;
}

static bool check_block(const sparsifier *p, const block *code) {
  for (int n = 0; n < code->count; ++n)
    if (!check_statement(p, code->statements[n]))
      return false;
  return true;
}

/* Entries are numbered as they come, each once. */
static bool check_numbered(const sparsifier *p) {
  const assignment *a = p->s->result->assignments[0];
  if (!result_is_numbered(p) || p->copied)
    return true;
  if (p->built.how.way != ASSEMBLY_COLLECT)
    return error_at(a->op, "expected a counter of %s in a level that can be collected",
                    p->s->result->name);
  return !a->kind || error_at(a->op,
                              "expected a plain assignment to %s, whose entries are numbered, "
                              "found a reduction",
                              p->s->result->name);
}

/* The way that cin-choose-assembly has written down. */
static bool read_assembly(sparsifier *p) {
  cin_assembly way;
  const tensor_format *format = p->s->result->format;
  if (!cin_op_assembly(p->s->kernel, &way))
    return error_at(p->s->kernel, "expected how the result is built, as 'by append' "
                                  "(cin-choose-assembly says it), found nothing");
  if (!assembly_as_told(format, way, &p->built.how))
    return error_at(p->s->kernel, "expected a format that can be built by '%s', found that of %s",
                    cin_assembly_name(way), p->s->result->name);
  p->copied = way == CIN_COPY ? copied_operand(p->memory, p->graph, p->s) : NULL;
  return way != CIN_COPY || p->copied ||
         error_at(p->s->kernel,
                  "expected an operand whose entries %s has one for one, in the order of its "
                  "levels, as it is built by copy; found none",
                  p->s->result->name);
}

bool check_kernel(sparsifier *p) {
  if (!p->s->result->assignment_count)
    return error_at(p->s->kernel, "expected an assignment to the result, found none");
  if (!check_subscripts_agree(p) || !check_levels(p) || !check_spaces(p) ||
      !check_units(p, &p->s->body))
    return false;
  return read_assembly(p) && check_numbered(p) && check_block(p, &p->s->body) &&
         assembly_verify(&p->built);
}
