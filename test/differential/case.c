/* Makes a random case: the statement, the tensors' formats and entries, and how it is run. */
#include "case.h"

#include "lac_tensor.h"
#include "maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t tensor_volume(const tensor *t) {
  int64_t volume = 1;
  for (int d = 0; d < t->order; d++)
    volume *= t->dimensions[d];
  return volume;
}

element test_case_fill(const test_case *c) {
  return ring_fill(c->ring, c->type);
}

//--- Kinds ---------------------------------------------------------------------------------------

static void choose_type(maker *m) {
  static const int32_t types[] = {LAC_F64, LAC_F64, LAC_F64, LAC_F64, LAC_F64,  LAC_F64,
                                  LAC_F64, LAC_F32, LAC_F32, LAC_F16, LAC_BF16, LAC_I8,
                                  LAC_I16, LAC_I32, LAC_I64, LAC_C64, LAC_C128};
  m->c->type = types[pick(m, 17)];
  m->c->exact = true;
}

static void choose_ring(maker *m) {
  const ring *r = &rings[pick(m, RING_COUNT)];
  if (chance(m, 85) || holds_complex(m->c->type))
    return;
  if (holds_integers(m->c->type) ? r->of_integers : r->of_floats)
    m->c->ring = r;
}

/* Few large extents, so that the plain evaluation of all variables stays short. */
static void choose_extents(maker *m) {
  static const int extents[] = {0, 1, 1, 2, 3, 4, 5, 6, 7, 9};
  test_case *c = m->c;
  bool large = !m->wide && chance(m, 6), square = !large && chance(m, 35);
  c->variable_count = 1 + pick(m, large ? 2 : m->wide ? 3 : chance(m, 15) ? 5 : 4);
  for (int v = 0; v < c->variable_count; v++) {
    c->extents[v] = extents[pick(m, 10) | (chance(m, 70) ? 1 : 0)];
    if (large && bits_of_precision(c->type) > 11)
      c->extents[v] = 20 + pick(m, c->variable_count > 1 ? 300 : 3000);
    if (square && v > 0)
      c->extents[v] = c->extents[0];
  }
}

/* Half of the cases run as this machine would have them.  skylake gathers, x86-64-v3 does not. */
static void choose_processor(test_case *c) {
  static const char *const others[] = {NULL, "x86-64", NULL, "x86-64-v3", NULL, "skylake"};
  c->cpu = others[c->seed / 3 % 6];
}

/* One tensor in two formats. */
static void choose_conversion(maker *m) {
  test_case *c = m->c;
  choose_type(m);
  choose_extents(m);
  c->conversion = true;
  c->threads = chance(m, 30) ? 2 + pick(m, 6) : 1;
  c->level = chance(m, 15) ? 3 : 0;
  choose_processor(c);
}

static const char *interleave_always;

void interleave(const char *passes) {
  interleave_always = passes;
}

/* One case of eight runs MLIR's own passes between Lacuna's, and takes twice as long.  Not
 * remove-dead-values: in MLIR 22.1 it ends by SIGSEGV as it clones the body of an scf.parallel of
 * one iteration, 0 to 1; mlir-opt does so too on MLIR's own operations alone, and does not where
 * the bound is unknown. */
static void choose_interleaved(test_case *c) {
  static const char *const passes[] = {
      "canonicalize,cse",
      "canonicalize,cse,loop-invariant-code-motion",
      "loop-invariant-code-motion,cse",
      "sccp,canonicalize,control-flow-sink,symbol-dce",
      "canonicalize{region-simplify=aggressive},cse",
      "sccp,cse,canonicalize",
      "func.func(buffer-hoisting,buffer-loop-hoisting),mem2reg,sroa",
      "int-range-optimizations,canonicalize,loop-invariant-code-motion"};
  uint64_t number = c->seed >> 32;
  c->interleave = interleave_always ? interleave_always : number % 8 ? "" : passes[number / 8 % 8];
}

static void choose_kind(maker *m) {
  test_case *c = m->c;
  m->extremes = chance(m, 12);
  m->scatters = is_scattering(c->seed);
  if (!m->scatters && chance(m, 7)) {
    choose_conversion(m);
    return;
  }
  choose_type(m);
  choose_ring(m);
  m->wide = !m->scatters && chance(m, 2);
  if (m->scatters)
    choose_scatter_extents(m);
  else
    choose_extents(m);
  c->threads = chance(m, 25) ? 2 + pick(m, 6) : 1;
  c->level = chance(m, 15) ? 3 : chance(m, 6) ? 1 : 0;
  c->strict = chance(m, 10);
  c->deterministic = chance(m, 10);
  c->cache = (int)(c->seed % 3) - 1;
  c->beyond = (int)(c->seed / 3 % 2);
  choose_any_policy(c);
  choose_processor(c);
  c->converts = !c->ring && chance(m, 15);
  c->accumulate = chance(m, 12);
  m->pads = !m->scatters && is_padding(c->seed);
  m->compound = !m->scatters && has_compound_result(c->seed);
  m->slack = chance(m, 40);
  m->accesses_left = 1 + pick(m, chance(m, 5) ? 8 : chance(m, 20) ? 6 : 4);
  if (m->wide)
    m->accesses_left = 6 + pick(m, 9);
  if (m->scatters)
    choose_scatter_run(m);
}

/* An operand of a narrower type, whose elements are cast to the result's. */
static void choose_operand_type(maker *m, tensor *t) {
  static const int32_t narrower[] = {LAC_F32, LAC_I32, LAC_I8, LAC_F16, LAC_I16};
  static const int32_t integers[] = {LAC_I8, LAC_I16, LAC_I32, LAC_I64};
  bool of_integers = holds_integers(m->c->type);
  if (m->c->conversion || (m->c->type != LAC_F64 && !of_integers) || chance(m, 96))
    return;
  t->type = of_integers ? integers[pick(m, 4)] : narrower[pick(m, 5)];
}

//--- Entries -------------------------------------------------------------------------------------

static void add_entry(maker *m, tensor *t, int64_t at) {
  entry *e = &t->entries[t->count];
  e->number = t->count++;
  for (int d = t->order - 1; d >= 0; d--) {
    e->coordinates[d] = at % t->dimensions[d];
    at /= t->dimensions[d];
  }
  e->value = entry_value(m, t);
}

static int choose_density(maker *m, const tensor *t) {
  static const int densities[] = {0, 1, 5, 10, 20, 30, 50, 80, 100};
  int density = densities[pick(m, 9)];
  if (t->order == 0 || t->must_be_full)
    return 100;
  return t->order > 1 && tensor_volume(t) > 2000 && density > 5 && chance(m, 80) ? 3 : density;
}

static void fill_entries(maker *m, tensor *t) {
  int density = choose_density(m, t);
  int64_t volume = tensor_volume(t);
  t->entries = calloc((size_t)(2 * volume + 1), sizeof *t->entries);
  for (int64_t at = 0; at < volume; at++) {
    if (!random_chance(&m->random, density))
      continue;
    add_entry(m, t, at);
    if (t->duplicates && !t->must_be_full && chance(m, 25))
      add_entry(m, t, at);
  }
}

static int64_t place_of(const tensor *t, const int64_t *coordinates) {
  int64_t at = 0;
  for (int d = 0; d < t->order; d++)
    at = at * t->dimensions[d] + coordinates[d];
  return at;
}

/* Entries above the diagonal become those below it. */
static void mirror_entries(tensor *t) {
  int64_t volume = tensor_volume(t), count = 0;
  const entry **below = calloc((size_t)(volume + 1), sizeof *below);
  entry *entries = calloc((size_t)(2 * volume + 1), sizeof *entries);
  for (int64_t i = 0; i < t->count; i++)
    below[place_of(t, t->entries[i].coordinates)] = &t->entries[i];
  for (int64_t at = 0; at < volume; at++) {
    entry e = {.number = count};
    int64_t rest = at;
    for (int d = t->order - 1; d >= 0; rest /= t->dimensions[d--])
      e.coordinates[d] = rest % t->dimensions[d];
    int64_t mirrored[MAX_TENSOR_ORDER];
    memcpy(mirrored, e.coordinates, sizeof mirrored);
    if (mirrored[0] < mirrored[1]) {
      mirrored[0] = e.coordinates[1];
      mirrored[1] = e.coordinates[0];
    }
    const entry *from = below[place_of(t, mirrored)];
    if (!from)
      continue;
    e.value = from->value;
    entries[count++] = e;
  }
  free(below);
  free(t->entries);
  t->entries = entries;
  t->count = count;
}

/* A level may hold 2*i - 3*j + 1. */
enum { MOST_FACTOR = 4 };

int64_t tensor_coordinates(const tensor *t) {
  int64_t greatest = 0, sum = 0;
  for (int d = 0; d < t->order; d++) {
    greatest = t->dimensions[d] > greatest ? t->dimensions[d] : greatest;
    sum += t->dimensions[d];
  }
  return t->exotic ? MOST_FACTOR * (sum + 1) : greatest;
}

/* Widths that hold the operand's coordinates and positions; the result's may turn out too small. */
static void choose_widths(maker *m, tensor *t, int64_t greatest_position) {
  static const int bits[] = {8, 16, 32, 64};
  int64_t greatest = tensor_coordinates(t);
  if (t->order == 0 || chance(m, 65))
    return;
  int position = pick(m, 4), coordinate = pick(m, 4);
  if (t->exotic) /* there may be room for all, and tables may be as roomy */
    greatest_position = 4 * (tensor_volume(t) + greatest_position);
  while (position < 3 && greatest_position >= INT64_C(1) << bits[position])
    position++;
  while (coordinate < 3 && greatest > INT64_C(1) << bits[coordinate])
    coordinate++;
  t->position_bits = bits[position];
  t->coordinate_bits = bits[coordinate];
}

//--- Shapes that do not agree --------------------------------------------------------------------

static int count_accesses(const test_case *c, int tensor) {
  int count = 0;
  for (int n = 0; n < c->node_count; n++)
    count += c->nodes[n].kind == NODE_ACCESS && c->nodes[n].tensor == tensor;
  return count;
}

static bool stands_alone_elsewhere(const test_case *c, int variable, int tensor) {
  for (int n = 0; n < c->node_count; n++) {
    const node *access = &c->nodes[n];
    if (access->kind != NODE_ACCESS || access->tensor == tensor)
      continue;
    for (int d = 0; d < c->tensors[access->tensor].order; d++)
      if (subscript_bare(&access->subscripts[d]) == variable)
        return true;
  }
  return false;
}

/* Makes one dimension too large for its variable, which another operand has as well. */
static void spoil_shape(test_case *c) {
  for (int n = 0; n < c->node_count && !c->misfit; n++) {
    const node *access = &c->nodes[n];
    if (access->kind != NODE_ACCESS || count_accesses(c, access->tensor) != 1)
      continue;
    tensor *t = &c->tensors[access->tensor];
    for (int d = 0; d < t->order && !c->misfit; d++) {
      int variable = subscript_bare(&access->subscripts[d]);
      if (variable < 0 || !stands_alone_elsewhere(c, variable, access->tensor))
        continue;
      t->dimensions[d]++;
      c->misfit = true;
    }
  }
}

/* Makes one dimension too small for its compound subscript. */
static void spoil_range(test_case *c) {
  for (int n = 0; n < c->node_count && !c->misfit; n++) {
    const node *access = &c->nodes[n];
    if (access->kind != NODE_ACCESS || access->padded)
      continue;
    tensor *t = &c->tensors[access->tensor];
    for (int d = 0; d < t->order && !c->misfit; d++) {
      const subscript *s = &access->subscripts[d];
      bool checked = subscript_bare(s) < 0;
      for (int v = 0; v < c->variable_count; v++)
        checked &=
            !s->factors[v] || (c->extents[v] > 0 && stands_alone_elsewhere(c, v, access->tensor));
      if (!checked)
        continue;
      t->dimensions[d] = subscript_greatest(c, s);
      c->misfit = true;
    }
  }
}

/* The size that is stated is the one that shapes tell, whether they need it or not. */
static void state_extents(maker *m) {
  unsigned used = m->c->root ? m->c->root->variables : 0;
  for (int v = 0; v < m->c->variable_count; v++)
    if (used >> v & 1 && chance(m, 50))
      m->c->stated |= 1u << v;
}

//--- The case ------------------------------------------------------------------------------------

void test_case_make(test_case *c, uint64_t seed) {
  maker m = {.c = c, .random = seed};
  memset(c, 0, sizeof *c);
  c->seed = seed;
  choose_interleaved(c);
  choose_kind(&m);
  make_statement(&m);
  write_statement(c);
  if (chance(&m, 3))
    spoil_shape(c);
  if (chance(&m, 20))
    spoil_range(c);
  choose_format(&m, &c->result, true);
  choose_widths(&m, &c->result, chance(&m, 5) ? 0 : tensor_volume(&c->result));
  write_format(&c->result);
  for (int t = 0; t < c->tensor_count; t++) {
    tensor *operand = &c->tensors[t];
    choose_operand_type(&m, operand);
    choose_format(&m, operand, false);
    fill_entries(&m, operand);
    choose_symmetry(&m, operand);
    if (operand->symmetric)
      mirror_entries(operand);
    choose_widths(&m, operand, operand->count);
    write_format(operand);
  }
  if (m.scatters)
    choose_scatter_schedule(&m);
  else if (!c->conversion)
    choose_schedule(&m);
  if (!c->conversion && chance(&m, 15))
    state_extents(&m);
}

void test_case_free(test_case *c) {
  for (int t = 0; t < c->tensor_count; t++)
    free(c->tensors[t].entries);
}

static void print_tensor(const tensor *t) {
  printf("  %s: %s ", t->name, lac_type_name(t->type));
  for (int d = 0; d < t->order; d++)
    printf("%s%lld%s", d ? "x" : "", (long long)t->dimensions[d], t->is_static[d] ? "!" : "");
  printf(" %s, %lld entries\n", t->format[0] ? t->format : "plain", (long long)t->count);
}

void test_case_print(const test_case *c) {
  printf("  %s\n  %s %s, threads %d, level %d%s%s%s%s%s%s%s%s%s\n", c->expression,
         lac_type_name(c->type), c->ring ? c->ring->name : "", c->threads, c->level,
         c->policies[0] ? ", workspaces by " : "", c->policies, c->strict ? ", strict" : "",
         c->deterministic ? ", deterministic" : "", c->conversion ? ", conversion" : "",
         c->converts ? ", converts" : "", c->misfit ? ", shapes do not agree" : "",
         c->cpu ? ", for " : "", c->cpu ? c->cpu : "");
  if (c->schedule[0])
    printf("  schedule: %s\n", c->schedule);
  if (c->interleave[0])
    printf("  between the passes: %s\n", c->interleave);
  print_tensor(&c->result);
  for (int t = 0; t < c->tensor_count; t++)
    print_tensor(&c->tensors[t]);
}
