/* dot_lattice.c - merge lattices (merge_lattice.h) as pictures: of each sit.coiterate that walks
 * levels, its cases as points, the sets of tensors that have an entry, and an edge from each down
 * to the largest ones inside it.
 *
 *     A(i,j) + B(i,j)           {A, B} -> {A}
 *                               {A, B} -> {B}
 */
#include "dot.h"

#include "kernel_words.h"
#include "sit.h"

static bool has_member(MlirOperation op, intptr_t number, int64_t member) {
  for (intptr_t i = 0; i < sit_coiterate_case_size(op, number); i++)
    if (sit_coiterate_case_member(op, number, i) == member)
      return true;
  return false;
}

/* Whether each member of a case is one of another, and not the other way round. */
static bool is_inside(MlirOperation op, intptr_t smaller, intptr_t larger) {
  if (sit_coiterate_case_size(op, smaller) >= sit_coiterate_case_size(op, larger))
    return false;
  for (intptr_t i = 0; i < sit_coiterate_case_size(op, smaller); i++)
    if (!has_member(op, larger, sit_coiterate_case_member(op, smaller, i)))
      return false;
  return true;
}

static bool is_directly_inside(MlirOperation op, intptr_t smaller, intptr_t larger) {
  if (!is_inside(op, smaller, larger))
    return false;
  for (intptr_t between = 0; between < sit_coiterate_case_count(op); between++)
    if (is_inside(op, smaller, between) && is_inside(op, between, larger))
      return false;
  return true;
}

/* "{A, B}" */
static const char *point_text(arena *memory, MlirOperation kernel, MlirOperation op,
                              intptr_t number) {
  const char *text = "{";
  for (intptr_t i = 0; i < sit_coiterate_case_size(op, number); i++) {
    MlirValue tensor = sit_coiterate_tensor(op, sit_coiterate_case_member(op, number, i));
    text = arena_format(memory, "%s%s%s", text, i ? ", " : "",
                        cin_tensor_bare_name(memory, kernel, tensor));
  }
  return arena_format(memory, "%s}", text);
}

static void write_lattice(arena *memory, MlirOperation kernel, MlirOperation op, FILE *out) {
  MlirStringRef variable = op_text(op, "variable");
  const char *title =
      arena_format(memory, "%.*s in %s%s", TEXT(variable), kernel_title(memory, kernel),
                   sit_coiterate_takes_any(op) ? " (any of them at once)" : "");
  dot_begin(memory, out, "merge lattice", title);
  for (intptr_t c = 0; c < sit_coiterate_case_count(op); c++)
    fprintf(out, "  p%ld [label = %s];\n", (long)c,
            dot_text(memory, mlirStringRefCreateFromCString(point_text(memory, kernel, op, c))));
  for (intptr_t larger = 0; larger < sit_coiterate_case_count(op); larger++)
    for (intptr_t smaller = 0; smaller < sit_coiterate_case_count(op); smaller++)
      if (is_directly_inside(op, smaller, larger))
        fprintf(out, "  p%ld -> p%ld;\n", (long)larger, (long)smaller);
  dot_end(out);
}

void dot_merge_lattices(arena *memory, MlirOperation module, FILE *out) {
  op_list kernels = ops_below(memory, module, sit_is_kernel);
  for (int k = 0; k < kernels.count; k++) {
    op_list loops = ops_below(memory, kernels.ops[k], sit_is_coiterate);
    for (int c = 0; c < loops.count && !statement_op_is_conversion(kernels.ops[k]); c++)
      if (sit_coiterate_count(loops.ops[c]) > 0)
        write_lattice(memory, kernels.ops[k], loops.ops[c], out);
  }
}
