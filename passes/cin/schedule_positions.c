/* schedule_positions.c - which level pos(j, p, A) numbers: that of the one access of A that is at
 * j, below levels at variables (Senanayake et al. 2020, section 4, preconditions of pos). */
#include "schedule_positions.h"

#include "cin_kernel.h"
#include "cin_ops.h"
#include "tensor_format.h"

#include <mlir-c/BuiltinTypes.h>
#include <string.h>

typedef struct search {
  arena *memory;
  MlirOperation kernel;
  MlirValue variable, operand;
  const tensor_format *format;
  int level;        /* -1 while none is found */
  MlirValue *above; /* its levels' variables */
  bool several;
} search;

static bool is_at(const search *s, MlirOperation read, int level) {
  MlirValue found = cin_access_level(s->kernel, read, &s->format->levels[level]);
  return !mlirValueIsNull(found) && mlirValueEqual(found, s->variable);
}

static MlirValue *variables_above(const search *s, MlirOperation read, int level) {
  MlirValue *above = ARENA_ARRAY(s->memory, MlirValue, level + 1);
  for (int l = 0; l < level; ++l)
    above[l] = cin_access_level(s->kernel, read, &s->format->levels[l]);
  return above;
}

static bool same(int count, const MlirValue *x, const MlirValue *y) {
  for (int n = 0; n < count; ++n)
    if (!mlirValueEqual(x[n], y[n]))
      return false;
  return true;
}

static void take_read(search *s, MlirOperation read) {
  for (int level = 0; level < s->format->level_count; ++level) {
    if (!is_at(s, read, level))
      continue;
    MlirValue *above = variables_above(s, read, level);
    s->several |= s->level >= 0 && (s->level != level || !same(level, above, s->above));
    s->level = level;
    s->above = above;
  }
}

static void take_reads(search *s) {
  op_list reads = ops_below(s->memory, s->kernel, cin_is_read);
  for (int i = 0; i < reads.count; ++i)
    if (mlirValueEqual(cin_access_tensor(reads.ops[i]), s->operand))
      take_read(s, reads.ops[i]);
}

/* The operand of that name; null, and those that there are, for none. */
static MlirValue find_operand(const search *s, const char *name, const char **known) {
  MlirBlock body = op_block(s->kernel, 0);
  const char *quoted = arena_format(s->memory, "'%s'", name);
  *known = "";
  for (intptr_t n = 0; n + 1 < mlirBlockGetNumArguments(body); ++n) {
    MlirValue operand = mlirBlockGetArgument(body, n);
    const char *its = cin_tensor_name(s->memory, s->kernel, operand);
    if (!strcmp(its, quoted))
      return operand;
    *known = arena_format(s->memory, "%s%s%s", *known, **known ? ", " : "", its);
  }
  return (MlirValue){NULL};
}

static bool is_in(MlirOperation remap, MlirValue variable) {
  for (intptr_t n = 0; n < cin_remap_variable_count(remap); ++n)
    if (mlirValueEqual(cin_remap_variable(remap, n), variable))
      return true;
  return false;
}

/* Whether a variable that no forall goes through follows from the one that gets positions, and from
 * a form of both, as i from k and i + k: it is known inside of that alone. */
static bool follows_inside(const search *s, MlirValue above) {
  bool follows = false;
  for (OPERATIONS(op, op_block(s->kernel, 0)))
    follows |= cin_is_remap(op) && is_in(op, above) && is_in(op, s->variable);
  return follows && cin_foralls_over(s->memory, s->kernel, above) == 0;
}

static const char *why_not(const search *s, const char *tensor) {
  MlirStringRef name = provenance_name(s->variable);
  if (s->level < 0)
    return arena_format(s->memory, "expected an access of '%s' with a level at '%.*s', found none",
                        tensor, TEXT(name));
  if (s->several)
    return arena_format(s->memory,
                        "expected one access of '%s' with a level at '%.*s', found several", tensor,
                        TEXT(name));
  for (int l = 0; l < s->level; ++l)
    if (mlirValueIsNull(s->above[l]))
      return arena_format(s->memory, "expected a variable at level %d of '%s', found none", l,
                          tensor);
    else if (follows_inside(s, s->above[l]))
      return arena_format(s->memory,
                          "expected a forall over '%.*s', below which '%s' has '%.*s', found none",
                          TEXT(provenance_name(s->above[l])), tensor, TEXT(name));
  return NULL;
}

MlirOperation schedule_positions(arena *memory, MlirOperation kernel, MlirValue variable,
                                 const char *tensor, const char *made, const char **why) {
  const MlirOperation none = {NULL};
  search s = {.memory = memory, .kernel = kernel, .variable = variable, .level = -1};
  const char *known;
  s.operand = find_operand(&s, tensor, &known);
  if (mlirValueIsNull(s.operand)) {
    *why = arena_format(memory, "expected one of %s, found '%s'", known, tensor);
    return none;
  }
  MlirLocation location = mlirOperationGetLocation(kernel);
  MlirType type = mlirValueGetType(s.operand);
  s.format = mlirTypeIsARankedTensor(type) ? tensor_format_get(memory, type, location) : NULL;
  if (s.format)
    take_reads(&s);
  *why = why_not(&s, tensor);
  return *why ? none : cin_pos_create(location, variable, s.operand, s.level, s.above, made);
}
