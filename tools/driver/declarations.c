/* Looks up names of the statement among the flags. */
#include "declarations.h"

#include "complain.h"
#include "format_names.h"
#include "lac_tensor.h"
#include "nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So that sums of a few sizes stay inside 64 bits. */
#define LARGEST_SIZE (INT64_C(1) << 60)

static const char *hint_at_tensor(nearest *near, const einsum *e, bool with_result) {
  for (int t = 0; t < e->tensor_count; t++)
    nearest_offer(near, e->tensors[t].name);
  if (with_result)
    nearest_offer(near, e->result);
  return nearest_hint(near);
}

static const char *hint_at_variable(nearest *near, const einsum *e) {
  for (int v = 0; v < e->variable_count; v++)
    nearest_offer(near, e->variables[v]);
  return nearest_hint(near);
}

bool declared_names_are_known(const binding *list, const einsum *e) {
  for (const binding *b = list; b; b = b->next) {
    bool is_result = !strcmp(b->name, e->result);
    if (!*b->name)
      continue;
    bool is_operand = einsum_find_tensor(e, b->name) >= 0;
    nearest near = nearest_to(b->name);
    if (!strcmp(b->flag, "-d") && einsum_find_variable(e, b->name) < 0)
      return complain("-d names '%s', which is no index variable of the expression%s", b->name,
                      hint_at_variable(&near, e));
    if ((!strcmp(b->flag, "-i") || !strcmp(b->flag, "-g")) && !is_operand)
      return complain("%s names '%s', which is no operand of the expression%s", b->flag, b->name,
                      hint_at_tensor(&near, e, false));
    if (!strcmp(b->flag, "-o") && !is_result)
      return complain("-o names '%s'; the result is '%s'", b->name, e->result);
    if ((!strcmp(b->flag, "-f") || !strcmp(b->flag, "-t")) && !is_operand && !is_result)
      return complain("%s names '%s', which is no tensor of the expression%s", b->flag, b->name,
                      hint_at_tensor(&near, e, true));
  }
  return true;
}

bool declared_sizes(const binding *list, const einsum *e, int64_t *sizes) {
  for (int v = 0; v < e->variable_count; v++) {
    const char *text = binding_value(list, "-d", e->variables[v]);
    sizes[v] = -1;
    if (text && !flags_integer(text, 0, LARGEST_SIZE, &sizes[v]))
      return complain("-d expects a size from 0 to %lld for '%s', found '%s'",
                      (long long)LARGEST_SIZE, e->variables[v], text);
  }
  return true;
}

bool declared_type(const binding *list, const char *tensor, int32_t fallback, int32_t *type) {
  static const char types[] = "f64 f32 f16 bf16 i8 i16 i32 i64 c64 c128";
  const char *text = binding_value(list, "-t", tensor);
  *type = text ? lac_type_from_name(text) : fallback;
  if (*type >= 0)
    return true;
  nearest near = nearest_to(text);
  nearest_offer_words(&near, types);
  return complain("unknown element type '%s' of '%s'; expected %s%s", text, tensor, types,
                  nearest_hint(&near));
}

bool declared_format(const binding *list, const char *tensor, int order, const char *fallback,
                     char **format) {
  const char *spec = binding_value(list, "-f", tensor);
  char *error = NULL;
  if (order == 0)
    return true;
  *format = format_from_name(spec ? spec : fallback, order, &error);
  if (!*format)
    complain("format of '%s': %s", tensor, error);
  free(error);
  return *format != NULL;
}

int32_t promoted_type(int32_t a, int32_t b) {
  static const int32_t order[] = {LAC_I8,   LAC_I16, LAC_I32, LAC_I64, LAC_F16,
                                  LAC_BF16, LAC_F32, LAC_F64, LAC_C64, LAC_C128};
  for (int i = (int)(sizeof order / sizeof order[0]) - 1; i >= 0; i--)
    if (order[i] == a || order[i] == b)
      return order[i];
  return a;
}

static int *bare_variables(arena *memory, const einsum_access *access) {
  int *variables = ARENA_ARRAY(memory, int, access->order + 1);
  for (int d = 0; d < access->order; d++)
    variables[d] = einsum_subscript_is_bare(&access->subscripts[d])
                       ? access->subscripts[d].terms[0].variable
                       : -1;
  return variables;
}

int **subscript_variables(arena *memory, const einsum *e) {
  int **variables = ARENA_ARRAY(memory, int *, e->tensor_count + 1);
  variables[e->tensor_count] = bare_variables(memory, &e->result_access);
  if (e->accumulate)
    variables[0] = variables[e->tensor_count];
  for (int a = 0; a < e->access_count; a++)
    if (!variables[e->accesses[a]->tensor])
      variables[e->accesses[a]->tensor] = bare_variables(memory, e->accesses[a]);
  return variables;
}

bool operands_tell(const einsum *e, int *const *variables, int variable) {
  for (int t = 0; t < e->tensor_count; t++)
    for (int d = 0; d < e->tensors[t].order; d++)
      if (variables[t][d] == variable)
        return true;
  return false;
}

static bool result_has(const einsum *e, int *const *variables, int variable) {
  for (int d = 0; d < e->result_access.order; d++)
    if (variables[e->tensor_count][d] == variable)
      return true;
  return false;
}

int64_t *stated_extents(arena *memory, const einsum *e, const int64_t *sizes) {
  int64_t *stated = ARENA_ARRAY(memory, int64_t, e->variable_count + 1);
  int **variables = subscript_variables(memory, e);
  for (int v = 0; v < e->variable_count; v++)
    stated[v] = operands_tell(e, variables, v) || result_has(e, variables, v) ? -1 : sizes[v];
  return stated;
}

/* ---- The sizes that subscripts need ------------------------------------------------------- */

typedef struct reach {
  int tensor, dimension;
  const int64_t *extents;
  int64_t size;
  int unknown; /* a variable without an extent, or -1 */
} reach;

static void take_subscript(reach *r, const einsum_subscript *s) {
  int64_t last = s->constant, part;
  for (int t = 0; t < s->term_count; t++) {
    int64_t extent = r->extents[s->terms[t].variable], coefficient = s->terms[t].coefficient;
    if (extent < 0)
      r->unknown = s->terms[t].variable;
    if (coefficient > 0 && extent > 0 &&
        (__builtin_mul_overflow(coefficient, extent - 1, &part) ||
         __builtin_add_overflow(last, part, &last)))
      last = INT64_MAX - 1;
  }
  if (last >= r->size)
    r->size = last < INT64_MAX ? last + 1 : last;
}

bool subscript_reach(const einsum *e, int tensor, int dimension, const int64_t *extents,
                     int64_t *size, int *unknown) {
  reach r = {tensor, dimension, extents, 0, -1};
  if (e->accumulate && tensor == 0)
    take_subscript(&r, &e->result_access.subscripts[dimension]);
  for (int a = 0; a < e->access_count; a++)
    if (e->accesses[a]->tensor == tensor && dimension < e->accesses[a]->order)
      take_subscript(&r, &e->accesses[a]->subscripts[dimension]);
  *size = r.size;
  *unknown = r.unknown;
  return r.unknown < 0;
}
