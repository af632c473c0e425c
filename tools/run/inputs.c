/* Operands come from files (-i) or at random (-g).  A variable's extent is what -d says, or what
 * the dimensions that it subscripts say, which must agree; a .tns file tells only a lower bound. */
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

static bool complain_status(void) {
  return complain("%s%s", lac_error_message(), "");
}

//--- What the command line says ------------------------------------------------------------------

static bool choose_format(run_tensor *t, const options *o, const char *fallback) {
  return declared_format(o->bindings, t->name, t->order, fallback, &t->format);
}

static const char *default_format(int order, bool sparse) {
  return order < 2 || !sparse ? "dense" : order == 2 ? "csr" : "csf";
}

static void take_statement(inputs *in, arena *memory) {
  const einsum *e = in->statement;
  int **variables = subscript_variables(memory, e);
  in->operands = ARENA_ARRAY(memory, run_tensor, e->tensor_count + 1);
  in->extents = ARENA_ARRAY(memory, int64_t, e->variable_count + 1);
  in->wanted = ARENA_ARRAY(memory, int64_t, e->variable_count + 1);
  for (int i = 0; i < e->tensor_count; i++) {
    in->operands[i].name = e->tensors[i].name;
    in->operands[i].order = e->tensors[i].order;
    in->operands[i].variables = variables[i];
  }
  in->result.name = e->result;
  in->result.order = e->result_access.order;
  in->result.variables = variables[e->tensor_count];
}

//--- Reading -------------------------------------------------------------------------------------

/* The sizes that -d asks for, 0 where it does not. */
static void wanted_dimensions(const inputs *in, const run_tensor *t, int64_t *dimensions) {
  for (int d = 0; d < t->order; d++) {
    int v = t->variables[d];
    dimensions[d] = v >= 0 && in->wanted[v] > 0 ? in->wanted[v] : 0;
  }
}

static char *format_as_read(const run_tensor *t, const int64_t *level_to_dimension) {
  int levels[LAC_FILE_ORDER];
  char modes[256] = "dense", *error = NULL;
  for (int l = 0; l < t->order; l++)
    levels[l] = (int)level_to_dimension[l];
  if (!lac_coo_expect(&t->read))
    return format_of_coordinates(t->order, levels);
  for (int l = 0; l < t->order; l++)
    sprintf(modes + strlen(modes), "%c%d", l ? ',' : ':', levels[l]);
  return format_from_name(modes, t->order, &error);
}

static bool read_operand(inputs *in, run_tensor *t, const options *o, const char *file) {
  int64_t dimensions[LAC_FILE_ORDER], level_to_dimension[LAC_FILE_ORDER];
  if (t->order > LAC_FILE_ORDER)
    return complain("operand '%s' has more dimensions than a file can have%s", t->name, "");
  wanted_dimensions(in, t, dimensions);
  wanted_operand wanted = {t->name, t->order, t->type, dimensions,
                           options_value(o, "-t", t->name) != NULL};
  if (!read_data(&wanted, file, &t->read, level_to_dimension))
    return false;
  if (t->order == 0)
    return true;
  t->source = format_as_read(t, level_to_dimension);
  return choose_format(t, o, default_format(t->order, !lac_coo_expect(&t->read)));
}

static bool is_tns(const char *file) {
  const char *dot = strstr(file, ".tns");
  return dot && (!strcmp(dot, ".tns") || !strcmp(dot, ".tns.gz"));
}

/* Takes the extents of the variables from an operand: `exact` ones must agree, others are lower
 * bounds. */
static bool merge_extents(inputs *in, const run_tensor *t, bool exact, bool *is_exact) {
  for (int d = 0; d < t->order; d++) {
    int v = t->variables[d];
    int64_t size = t->read.dimensions[d];
    if (v < 0)
      continue;
    bool agrees = in->extents[v] == size || (!exact && in->extents[v] > size) ||
                  (!is_exact[v] && in->extents[v] < size);
    if (!agrees) {
      return complain("the dimensions that '%s' subscripts disagree: dimension %d of '%s' is %lld, "
                      "expected %lld",
                      in->statement->variables[v], d + 1, t->name, (long long)size,
                      (long long)in->extents[v]);
    }
    if (in->extents[v] < size)
      in->extents[v] = size;
    is_exact[v] = is_exact[v] || exact;
  }
  return true;
}

/* What the subscripts of a dimension need: the extent of the variable, or as far as compound ones
 * reach. */
static int64_t needed_size(const inputs *in, const run_tensor *t, int d) {
  int v = t->variables[d], unknown;
  int64_t size;
  if (v >= 0)
    return in->extents[v];
  subscript_reach(in->statement, (int)(t - in->operands), d, in->extents, &size, &unknown);
  return size > t->read.dimensions[d] ? size : t->read.dimensions[d];
}

/* A coordinate list whose dimensions are lower bounds takes what its subscripts need.  A dimension
 * that is fixed is held against compound subscripts by the kernel. */
static bool widen(inputs *in, run_tensor *t, bool exact) {
  for (int d = 0; d < t->order; d++) {
    int64_t needed = needed_size(in, t, d);
    if (t->read.dimensions[d] == needed || (exact && t->variables[d] < 0))
      continue;
    if (lac_coo_expect(&t->read)) {
      complain("dimension %d of '%s' is %lld, expected %lld", d + 1, t->name,
               (long long)t->read.dimensions[d], (long long)needed);
      return false;
    }
    t->read.dimensions[d] = t->read.levels[d].size = needed;
  }
  return true;
}

/* A dimension of an operand that has no file: the extent of its variable, or as far as compound
 * subscripts reach. */
static bool settle_dimension(const inputs *in, const run_tensor *t, int d, int64_t *size) {
  int unknown = t->variables[d];
  bool known = unknown >= 0 && in->extents[unknown] >= 0;
  if (known)
    *size = in->extents[unknown];
  else if (unknown < 0)
    known = subscript_reach(in->statement, (int)(t - in->operands), d, in->extents, size, &unknown);
  return known || complain("the size of variable '%s' is not known; give it by -d %s:SIZE",
                           in->statement->variables[unknown], in->statement->variables[unknown]);
}

static bool generate_operand(inputs *in, run_tensor *t, const options *o, const char *text,
                             uint64_t seed) {
  int64_t dimensions[LAC_FILE_ORDER], levels[LAC_FILE_ORDER];
  char *end;
  double density = strtod(text, &end);
  if (end == text || *end || !(density >= 0 && density <= 1))
    return complain("-g expects a density from 0 to 1 for '%s', found '%s'", t->name, text);
  if (t->order > LAC_FILE_ORDER)
    return complain("operand '%s' has too many dimensions%s", t->name, "");
  for (int d = 0; d < t->order; d++) {
    levels[d] = d;
    if (!settle_dimension(in, t, d, &dimensions[d]))
      return false;
  }
  if (lac_generate_random(t->order, dimensions, density, seed, t->type, &t->read))
    return complain_status();
  if (t->order == 0)
    return true;
  t->source = format_as_read(t, levels);
  return choose_format(t, o, default_format(t->order, density < 1));
}

static bool settle_operand(inputs *in, run_tensor *t, const options *o, int number,
                           bool only_types) {
  const char *density = options_value(o, "-g", t->name);
  const char *file = options_value(o, "-i", t->name);
  if (file)
    return widen(in, t, !is_tns(file));
  if (density && !only_types)
    return generate_operand(in, t, o, density, (uint64_t)o->seed + (uint64_t)number);
  if (!only_types)
    return complain("operand '%s' has no data; give it by -i %s:FILE or -g NAME:DENSITY", t->name,
                    t->name);
  return choose_format(t, o, default_format(t->order, density != NULL));
}

/* Files without entries tell no sizes. */
static bool sizes_are_told(const inputs *in, const bool *is_exact) {
  for (int v = 0; v < in->statement->variable_count; v++)
    if (in->extents[v] == 0 && !is_exact[v])
      return complain("nothing tells the size of variable '%s', since its operands have no "
                      "entries; give it by -d %s:SIZE",
                      in->statement->variables[v], in->statement->variables[v]);
  return true;
}

static bool read_all(inputs *in, const options *o, arena *memory) {
  bool *exact = ARENA_ARRAY(memory, bool, in->statement->variable_count + 1);
  for (int v = 0; v < in->statement->variable_count; v++)
    exact[v] = in->extents[v] >= 0;
  for (int i = 0; i < in->statement->tensor_count; i++) {
    run_tensor *t = &in->operands[i];
    const char *file = options_value(o, "-i", t->name);
    if (file && !(read_operand(in, t, o, file) && merge_extents(in, t, !is_tns(file), exact)))
      return false;
  }
  return sizes_are_told(in, exact);
}

/* Names, sizes and types from the command line. */
static bool read_declarations(inputs *in, const options *o) {
  const einsum *e = in->statement;
  int32_t widest = -1;
  if (!declared_names_are_known(o->bindings, e) || !declared_sizes(o->bindings, e, in->wanted))
    return false;
  for (int v = 0; v < e->variable_count; v++)
    in->extents[v] = in->wanted[v];
  for (int i = 0; i < e->tensor_count; i++) {
    run_tensor *t = &in->operands[i];
    if (!declared_type(o->bindings, t->name, LAC_F64, &t->type))
      return false;
    widest = widest < 0 ? t->type : promoted_type(widest, t->type);
  }
  return declared_type(o->bindings, in->result.name, widest < 0 ? LAC_F64 : widest,
                       &in->result.type);
}

bool inputs_gather(inputs *in, const einsum *statement, const options *o, arena *memory,
                   bool only_types) {
  *in = (inputs){.statement = statement};
  take_statement(in, memory);
  if (!read_declarations(in, o) || !choose_format(&in->result, o, "dense") ||
      !read_all(in, o, memory))
    return false;
  for (int i = 0; i < statement->tensor_count; i++)
    if (!settle_operand(in, &in->operands[i], o, i, only_types))
      return false;
  return true;
}

static void free_tensor(run_tensor *t) {
  lac_tensor_free(&t->read);
  lac_tensor_free(&t->stored);
  free(t->format);
  free(t->source);
}

void inputs_free(inputs *in) {
  for (int i = 0; in->operands && i < in->statement->tensor_count; i++)
    free_tensor(&in->operands[i]);
  free_tensor(&in->result);
}

int64_t stored_bytes(const lac_tensor *t) {
  int64_t bytes = t->values.length * t->values.width;
  for (int64_t l = 0; l < t->level_count; l++)
    for (int a = 0; a < LAC_ARRAYS; a++)
      bytes += t->levels[l].array[a].length * t->levels[l].array[a].width;
  return bytes;
}

int64_t stored_values(const lac_tensor *t) {
  return t->values.length;
}
