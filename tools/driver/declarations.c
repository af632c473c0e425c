/* Looks up names of the statement among the flags. */
#include "declarations.h"

#include "complain.h"
#include "format_names.h"
#include "lac_tensor.h"
#include "nearest.h"
#include "statement_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void offer_operands(nearest *near, const program *p) {
  for (int i = 0; i < p->operand_count; i++)
    nearest_offer(near, p->operands[i].name);
}

static void offer_results(nearest *near, const program *p) {
  for (int s = 0; s < p->statement_count; s++)
    nearest_offer(near, p->statements[s].e->result);
}

static void offer_variables(nearest *near, const program *p) {
  for (int s = 0; s < p->statement_count; s++)
    for (int v = 0; v < p->statements[s].e->variable_count; v++)
      nearest_offer(near, p->statements[s].e->variables[v]);
}

static bool has_variable(const program *p, const char *name) {
  for (int s = 0; s < p->statement_count; s++)
    if (einsum_find_variable(p->statements[s].e, name) >= 0)
      return true;
  return false;
}

static bool refuse_variable(const program *p, const binding *b) {
  nearest near = nearest_to(b->name);
  offer_variables(&near, p);
  return complain("-d names '%s', which is no index variable of the expression%s", b->name,
                  nearest_hint(&near));
}

static bool refuse_operand(const program *p, const binding *b) {
  nearest near = nearest_to(b->name);
  offer_operands(&near, p);
  if (program_find_result(p, b->name) >= 0 && p->statement_count > 1)
    return complain("%s names '%s', which a statement before its use makes", b->flag, b->name);
  return complain("%s names '%s', which is no operand of the expression%s", b->flag, b->name,
                  nearest_hint(&near));
}

static bool refuse_result(const program *p, const binding *b) {
  nearest near = nearest_to(b->name);
  offer_results(&near, p);
  if (p->statement_count == 1)
    return complain("-o names '%s'; the result is '%s'", b->name, p->statements[0].e->result);
  return complain("-o names '%s', which is no result of the statements%s", b->name,
                  nearest_hint(&near));
}

static bool refuse_tensor(const program *p, const binding *b) {
  nearest near = nearest_to(b->name);
  offer_operands(&near, p);
  offer_results(&near, p);
  return complain("%s names '%s', which is no tensor of the expression%s", b->flag, b->name,
                  nearest_hint(&near));
}

bool declared_names_are_known(const binding *list, const program *p) {
  for (const binding *b = list; b; b = b->next) {
    bool is_operand = program_find_operand(p, b->name) >= 0;
    bool is_result = program_find_result(p, b->name) >= 0;
    if (!*b->name)
      continue;
    if (!strcmp(b->flag, "-d") && !has_variable(p, b->name))
      return refuse_variable(p, b);
    bool says_operand =
        !strcmp(b->flag, "-i") || !strcmp(b->flag, "-g") || !strcmp(b->flag, "--expect");
    if (says_operand && !is_operand)
      return refuse_operand(p, b);
    if (!strcmp(b->flag, "-o") && !is_result)
      return refuse_result(p, b);
    if ((!strcmp(b->flag, "-f") || !strcmp(b->flag, "-t")) && !is_operand && !is_result)
      return refuse_tensor(p, b);
  }
  return true;
}

bool declared_holds(arena *memory, const binding *list, const char *tensor, int order,
                    const int64_t **holds) {
  const char *text = binding_value(list, "--expect", tensor), *at = text;
  int64_t *numbers = ARENA_ARRAY(memory, int64_t, STATEMENT_HOLDS(order));
  int count = 0;
  bool good = true;
  for (bool more = text; more && good; count++) {
    size_t length = strcspn(at, ",");
    const char *number = arena_format(memory, "%.*s", (int)length, at);
    good = count <= order && flags_integer(number, 0, LAC_LARGEST_SIZE, &numbers[count]);
    more = at[length];
    at += length + more;
  }
  *holds = text ? numbers : NULL;
  return !text || (good && count == order + 1) ||
         complain("--expect %s: expected its number of entries and %d sizes, found '%s'", tensor,
                  order, text);
}

bool declared_sizes(const binding *list, const einsum *e, int64_t *sizes) {
  for (int v = 0; v < e->variable_count; v++) {
    const char *text = binding_value(list, "-d", e->variables[v]);
    sizes[v] = -1;
    if (text && !flags_integer(text, 0, LAC_LARGEST_SIZE, &sizes[v]))
      return complain("-d expects a size from 0 to %lld for '%s', found '%s'",
                      (long long)LAC_LARGEST_SIZE, e->variables[v], text);
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

static int32_t promoted_type(int32_t a, int32_t b) {
  static const int32_t order[] = {LAC_I8,   LAC_I16, LAC_I32, LAC_I64, LAC_F16,
                                  LAC_BF16, LAC_F32, LAC_F64, LAC_C64, LAC_C128};
  for (int i = (int)(sizeof order / sizeof order[0]) - 1; i >= 0; i--)
    if (order[i] == a || order[i] == b)
      return order[i];
  return a;
}

bool declared_result_type(const binding *list, const char *result, const int32_t *types, int count,
                          int32_t *type) {
  int32_t widest = count ? types[0] : LAC_F64;
  for (int i = 1; i < count; i++)
    widest = promoted_type(widest, types[i]);
  return declared_type(list, result, widest, type);
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

/* The last coordinate (`sign` 1), or -1 times the first (-1), that a subscript reaches. */
static int64_t end_of(const reach *r, const einsum_subscript *s, int sign) {
  int64_t last = sign * s->constant, part;
  for (int t = 0; t < s->term_count; t++) {
    int64_t extent = r->extents[s->terms[t].variable];
    int64_t coefficient = sign * s->terms[t].coefficient;
    if (coefficient > 0 && extent > 0 &&
        (__builtin_mul_overflow(coefficient, extent - 1, &part) ||
         __builtin_add_overflow(last, part, &last)))
      return INT64_MAX - 1;
  }
  return last;
}

/* A padded subscript reaches beyond its dimension as far as it begins before it. */
static void take_subscript(reach *r, const einsum_subscript *s, bool padded) {
  int64_t last = end_of(r, s, 1), before = padded ? end_of(r, s, -1) : 0;
  for (int t = 0; t < s->term_count; t++)
    if (r->extents[s->terms[t].variable] < 0)
      r->unknown = s->terms[t].variable;
  last -= before > 0 ? before : 0;
  if (last >= r->size)
    r->size = last < INT64_MAX ? last + 1 : last;
}

/* The accesses of a dimension that are padded, or those that are not; how many there are. */
static int take_accesses(reach *r, const einsum *e, bool padded) {
  int count = 0;
  for (int a = 0; a < e->access_count; a++) {
    const einsum_access *access = e->accesses[a];
    bool taken = access->tensor == r->tensor && r->dimension < access->order;
    if (!taken || access->padded != padded)
      continue;
    take_subscript(r, &access->subscripts[r->dimension], padded);
    count++;
  }
  return count;
}

bool result_reach(const einsum *e, int dimension, const int64_t *extents, int64_t *size) {
  reach r = {-1, dimension, extents, 0, -1};
  take_subscript(&r, &e->result_access.subscripts[dimension], false);
  *size = r.size;
  return r.unknown < 0;
}

/* What is read without padding too is as large as that needs. */
bool subscript_reach(const einsum *e, int tensor, int dimension, const int64_t *extents,
                     int64_t *size, int *unknown) {
  reach r = {tensor, dimension, extents, 0, -1};
  bool accumulates = e->accumulate && tensor == 0;
  if (accumulates)
    take_subscript(&r, &e->result_access.subscripts[dimension], false);
  if (!take_accesses(&r, e, false) && !accumulates)
    take_accesses(&r, e, true);
  *size = r.size;
  *unknown = r.unknown;
  return r.unknown < 0;
}
