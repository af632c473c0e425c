/* Operands come from files (-i) or at random (-g).  A variable's extent is what -d says, or what
 * the dimensions that it subscripts say, which must agree; a .tns file tells only a lower bound.
 *
 * Sizes go back and forth until none changes:
 *
 *     dimensions of files  ->  extents of a statement's variables  ->  dimensions of its result, of
 *                              operands that are made or may be larger  ->  the next statement
 */
#include "inputs.h"

#include "complain.h"
#include "data.h"
#include "declarations.h"
#include "format_names.h"
#include "lac_coo.h"
#include "lac_error.h"
#include "lac_file.h"
#include "lac_generate.h"
#include "tin.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/BuiltinAttributes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//--- What the command line says ------------------------------------------------------------------

static bool choose_format(run_tensor *t, const options *o, const char *fallback) {
  return declared_format(o->bindings, t->name, t->order, fallback, &t->format);
}

static const char *default_format(int order, bool sparse) {
  return order < 2 || !sparse ? "dense" : order == 2 ? "csr" : "csf";
}

static void name_tensor(run_tensor *t, arena *memory, const char *name, int order) {
  t->name = name;
  t->order = order;
  t->dimensions = ARENA_ARRAY(memory, int64_t, order + 1);
  t->exact = ARENA_ARRAY(memory, bool, order + 1);
  for (int d = 0; d < order; d++)
    t->dimensions[d] = -1;
}

static void take_statement(inputs *in, int number, const program_statement *from, arena *memory) {
  run_statement *s = &in->statements[number];
  const einsum *e = from->e;
  *s = (run_statement){.text = from->text,
                       .e = e,
                       .operands = ARENA_ARRAY(memory, run_tensor *, e->tensor_count + 1),
                       .makers = from->makers,
                       .result = &in->results[number],
                       .variables = subscript_variables(memory, e),
                       .wanted = ARENA_ARRAY(memory, int64_t, e->variable_count + 1),
                       .extents = ARENA_ARRAY(memory, int64_t, e->variable_count + 1),
                       .exact = ARENA_ARRAY(memory, bool, e->variable_count + 1)};
  for (int i = 0; i < e->tensor_count; i++)
    s->operands[i] =
        from->makers[i] >= 0 ? &in->results[from->makers[i]] : &in->operands[from->operands[i]];
  name_tensor(s->result, memory, e->result, e->result_access.order);
}

static void take_program(inputs *in, const program *p, arena *memory) {
  *in = (inputs){p->statement_count, p->operand_count,
                 ARENA_ARRAY(memory, run_statement, p->statement_count + 1),
                 ARENA_ARRAY(memory, run_tensor, p->operand_count + 1),
                 ARENA_ARRAY(memory, run_tensor, p->statement_count + 1)};
  for (int i = 0; i < p->operand_count; i++)
    name_tensor(&in->operands[i], memory, p->operands[i].name, p->operands[i].order);
  for (int s = 0; s < p->statement_count; s++)
    take_statement(in, s, &p->statements[s], memory);
}

static bool declare_result(run_statement *s, const options *o, arena *memory) {
  int32_t *types = ARENA_ARRAY(memory, int32_t, s->e->tensor_count + 1);
  for (int i = 0; i < s->e->tensor_count; i++)
    types[i] = s->operands[i]->type;
  return declared_result_type(o->bindings, s->result->name, types, s->e->tensor_count,
                              &s->result->type) &&
         choose_format(s->result, o, "dense");
}

/* Names, sizes and types from the command line. */
static bool read_declarations(inputs *in, const program *p, const options *o, arena *memory) {
  if (!declared_names_are_known(o->bindings, p))
    return false;
  for (int i = 0; i < in->operand_count; i++)
    if (!declared_type(o->bindings, in->operands[i].name, LAC_F64, &in->operands[i].type))
      return false;
  for (int n = 0; n < in->statement_count; n++) {
    run_statement *s = &in->statements[n];
    if (!declare_result(s, o, memory) || !declared_sizes(o->bindings, s->e, s->wanted))
      return false;
    for (int v = 0; v < s->e->variable_count; v++) {
      s->extents[v] = s->wanted[v];
      s->exact[v] = s->wanted[v] >= 0;
    }
  }
  return true;
}

//--- Reading -------------------------------------------------------------------------------------

/* The sizes that -d asks for, 0 where it does not. */
static void wanted_dimensions(const inputs *in, const run_tensor *t, int64_t *wanted) {
  memset(wanted, 0, (size_t)t->order * sizeof *wanted);
  for (int n = 0; n < in->statement_count; n++) {
    const run_statement *s = &in->statements[n];
    for (int i = 0; i < s->e->tensor_count; i++)
      for (int d = 0; s->operands[i] == t && d < t->order; d++) {
        int v = s->variables[i][d];
        if (v >= 0 && s->wanted[v] > wanted[d])
          wanted[d] = s->wanted[v];
      }
  }
}

static char *format_as_read(const run_tensor *t) {
  int levels[LAC_FILE_ORDER];
  char modes[256] = "dense", *error = NULL;
  for (int l = 0; l < t->order; l++)
    levels[l] = (int)t->read_dimensions[l];
  if (!lac_coo_expect(&t->read))
    return format_of_coordinates(t->order, levels);
  for (int l = 0; l < t->order; l++)
    sprintf(modes + strlen(modes), "%c%d", l ? ',' : ':', levels[l]);
  return format_from_name(modes, t->order, &error);
}

static bool read_operand(inputs *in, run_tensor *t, const options *o, const char *file) {
  int64_t wanted_sizes[LAC_FILE_ORDER];
  if (t->order > LAC_FILE_ORDER)
    return complain("operand '%s' has more dimensions than a file can have", t->name);
  wanted_dimensions(in, t, wanted_sizes);
  wanted_operand wanted = {t->name, t->order, t->type, wanted_sizes,
                           options_value(o, "-t", t->name) != NULL};
  if (!read_data(&wanted, file, &t->read, t->read_dimensions))
    return false;
  for (int d = 0; d < t->order; d++) {
    t->dimensions[d] = t->read.dimensions[d];
    t->exact[d] = data_tells_sizes(file);
  }
  if (t->order == 0)
    return true;
  t->source = format_as_read(t);
  return choose_format(t, o, default_format(t->order, !lac_coo_expect(&t->read)));
}

static bool read_all(inputs *in, const options *o) {
  for (int i = 0; i < in->operand_count; i++) {
    const char *file = options_value(o, "-i", in->operands[i].name);
    if (file && !read_operand(in, &in->operands[i], o, file))
      return false;
  }
  return true;
}

//--- Sizes ---------------------------------------------------------------------------------------

/* A variable learns from a dimension that it subscripts: exact sizes must agree, others are lower
 * bounds. */
static bool learn_extent(run_statement *s, int v, const run_tensor *t, int d) {
  int64_t size = t->dimensions[d];
  bool agrees = size < 0 || s->extents[v] == size || (!t->exact[d] && s->extents[v] > size) ||
                (!s->exact[v] && s->extents[v] < size);
  if (!agrees)
    return complain("the dimensions that '%s' subscripts disagree: dimension %d of '%s' is %lld, "
                    "expected %lld",
                    s->e->variables[v], d, t->name, (long long)size, (long long)s->extents[v]);
  if (s->extents[v] < size)
    s->extents[v] = size;
  s->exact[v] = s->exact[v] || (size >= 0 && t->exact[d]);
  return true;
}

static bool learn_extents(run_statement *s) {
  for (int i = 0; i < s->e->tensor_count; i++)
    for (int d = 0; d < s->operands[i]->order; d++) {
      int v = s->variables[i][d];
      if (v >= 0 && !learn_extent(s, v, s->operands[i], d))
        return false;
    }
  return true;
}

/* A dimension that is not exact learns what is needed of it; whether that changes anything. */
static bool learn_dimension(run_tensor *t, int d, int64_t size, bool exact) {
  if (t->exact[d] || size < t->dimensions[d] || (size == t->dimensions[d] && !exact))
    return false;
  t->dimensions[d] = size;
  t->exact[d] = exact;
  return true;
}

/* From the variable that subscripts it bare, or as far as compound subscripts reach: what has a
 * file takes that as if variables without an extent had one of 1. */
static bool learn_operand(run_statement *s, int i, int d) {
  run_tensor *t = s->operands[i];
  int v = s->variables[i][d], unknown;
  int64_t size;
  if (v >= 0)
    return learn_dimension(t, d, s->extents[v], s->exact[v]);
  bool known = subscript_reach(s->e, i, d, s->extents, &size, &unknown);
  return (known || t->dimensions[d] >= 0) && learn_dimension(t, d, size, false);
}

/* From the variable that subscripts it bare; else as its previous value, or as far as its subscript
 * reaches. */
static bool learn_result(run_statement *s, int d) {
  int v = s->variables[s->e->tensor_count][d];
  const einsum_subscript *subscript = &s->e->result_access.subscripts[d];
  const run_tensor *previous = s->e->accumulate ? s->operands[0] : NULL;
  bool exact = true;
  int64_t size;
  if (v >= 0)
    return learn_dimension(s->result, d, s->extents[v], s->exact[v]);
  if (previous)
    return learn_dimension(s->result, d, previous->dimensions[d], previous->exact[d]);
  for (int t = 0; t < subscript->term_count; t++)
    exact = exact && s->exact[subscript->terms[t].variable];
  return result_reach(s->e, d, s->extents, &size) && learn_dimension(s->result, d, size, exact);
}

static bool learn_dimensions(run_statement *s) {
  bool changed = false;
  for (int d = 0; d < s->result->order; d++)
    changed |= learn_result(s, d);
  for (int i = 0; i < s->e->tensor_count; i++)
    for (int d = 0; s->makers[i] < 0 && d < s->operands[i]->order; d++)
      changed |= learn_operand(s, i, d);
  return changed;
}

/* Subscripts such as x(i) and x(i+1) of a tensor without a size could make it larger without end.
 */
static bool settle_sizes(inputs *in) {
  bool changed = true;
  for (int round = 0; changed && round < in->statement_count + 2; round++) {
    changed = false;
    for (int n = 0; n < in->statement_count; n++) {
      if (!learn_extents(&in->statements[n]))
        return false;
      changed |= learn_dimensions(&in->statements[n]);
    }
  }
  return true;
}

/* Files without entries tell no sizes. */
static bool sizes_are_told(const run_statement *s) {
  for (int v = 0; v < s->e->variable_count; v++)
    if (s->extents[v] == 0 && !s->exact[v])
      return complain("nothing tells the size of variable '%s', since its operands have no "
                      "entries; give it by -d %s:SIZE",
                      s->e->variables[v], s->e->variables[v]);
  return true;
}

/* A coordinate list takes the dimensions that its subscripts need. */
static bool widen(run_tensor *t) {
  for (int d = 0; d < t->order; d++) {
    if (t->dimensions[d] > LAC_LARGEST_SIZE)
      return complain("dimension %d of '%s' is %lld, expected at most %lld", d, t->name,
                      (long long)t->dimensions[d], (long long)LAC_LARGEST_SIZE);
    if (t->read.dimensions[d] == t->dimensions[d])
      continue;
    if (lac_coo_expect(&t->read))
      return complain("dimension %d of '%s' is %lld, expected %lld", d, t->name,
                      (long long)t->read.dimensions[d], (long long)t->dimensions[d]);
    t->read.dimensions[d] = t->read.levels[d].size = t->dimensions[d];
  }
  return true;
}

/* The variable that leaves a dimension of an operand unknown. */
static bool refuse_unknown(const inputs *in, const run_tensor *t, int d) {
  for (int n = 0; n < in->statement_count; n++) {
    const run_statement *s = &in->statements[n];
    for (int i = 0; i < s->e->tensor_count; i++) {
      int unknown = s->operands[i] == t ? s->variables[i][d] : -1;
      int64_t size;
      if (s->operands[i] == t && unknown < 0)
        subscript_reach(s->e, i, d, s->extents, &size, &unknown);
      if (s->operands[i] == t && unknown >= 0)
        return complain("the size of variable '%s' is not known; give it by -d %s:SIZE",
                        s->e->variables[unknown], s->e->variables[unknown]);
    }
  }
  return complain("dimension %d of '%s' is not known", d, t->name);
}

//--- Making --------------------------------------------------------------------------------------

/* Of -g; 1 where it is not said. */
static bool read_density(const run_tensor *t, const char *text, double *density) {
  char *end;
  *density = 1;
  if (!text)
    return true;
  *density = strtod(text, &end);
  return (end != text && !*end && *density >= 0 && *density <= 1) ||
         complain("-g expects a density from 0 to 1 for '%s', found '%s'", t->name, text);
}

static bool generate_operand(const inputs *in, run_tensor *t, const options *o, double density,
                             uint64_t seed) {
  if (t->order > LAC_FILE_ORDER)
    return complain("operand '%s' has too many dimensions", t->name);
  for (int d = 0; d < t->order; d++) {
    t->read_dimensions[d] = d;
    if (t->dimensions[d] < 0)
      return refuse_unknown(in, t, d);
  }
  if (lac_generate_random(t->order, t->dimensions, density, seed, t->type, &t->read))
    return complain("%s", lac_error_message());
  if (t->order == 0)
    return true;
  t->source = format_as_read(t);
  return choose_format(t, o, default_format(t->order, density < 1));
}

static bool settle_operand(const inputs *in, run_tensor *t, const options *o, int number,
                           bool only_types) {
  const char *made = options_value(o, "-g", t->name);
  double density;
  if (options_value(o, "-i", t->name))
    return widen(t);
  if (!read_density(t, made, &density))
    return false;
  if (made && !only_types)
    return generate_operand(in, t, o, density, (uint64_t)o->seed + (uint64_t)number);
  if (!only_types)
    return complain("operand '%s' has no data; give it by -i %s:FILE or -g NAME:DENSITY", t->name,
                    t->name);
  return choose_format(t, o, default_format(t->order, density < 1));
}

bool inputs_gather(inputs *in, const program *p, const options *o, arena *memory, bool only_types) {
  take_program(in, p, memory);
  if (!read_declarations(in, p, o, memory) || !read_all(in, o) || !settle_sizes(in))
    return false;
  for (int s = 0; s < in->statement_count; s++)
    if (!sizes_are_told(&in->statements[s]))
      return false;
  for (int i = 0; i < in->operand_count; i++)
    if (!settle_operand(in, &in->operands[i], o, i, only_types))
      return false;
  return true;
}

//--- What was gathered ---------------------------------------------------------------------------

static void free_tensor(run_tensor *t) {
  lac_tensor_free(&t->read);
  lac_tensor_free(&t->stored);
  lac_tensor_free(&t->listed);
  free(t->format);
  free(t->source);
}

void inputs_free(inputs *in) {
  for (int i = 0; i < in->operand_count; i++)
    free_tensor(&in->operands[i]);
  for (int s = 0; s < in->statement_count; s++)
    free_tensor(&in->results[s]);
}

const lac_tensor *run_tensor_listed(const run_tensor *t) {
  return t->source ? &t->listed : &t->stored;
}

const char *run_tensor_listed_format(const run_tensor *t) {
  return t->source ? t->source : t->format;
}

int64_t stored_values(const lac_tensor *t) {
  return t->values.length;
}
