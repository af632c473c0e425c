/* cin-choose-assembly.c - decides how the result of each kernel is built.
 *
 *     A : (i : dense, j : compressed)
 *
 *     cin.kernel(%B) {                                     cin.kernel(%B) by append {
 *       forall i { forall j { A[i, j] = B[i, j] } } }  ->
 *     cin.kernel(%B) {                                     cin.kernel(%B) by scatter {
 *       forall j { forall i { A[i, j] = B[i, j] } } }  ->
 *
 * Of the ways that the levels allow, the first that the foralls go by (assembly_loops.h).  A kernel
 * that says already how its result is built is left as it is, if its foralls go by that.  Where an
 * operand has the entries of the result one for one its levels are copied: that is faster than
 * appending what is known, and any unit may store values.
 */
#include "assembly_loops.h"
#include "bridge.h"
#include "cin_kernel.h"
#include "copied_operand.h"
#include "ir.h"

static void choose(arena *memory, assembly_loops *r, const assembly_list *ways) {
  assembly_choose(r, ways, statement_op_drops_zeros(r->statement->kernel));
  if (r->how.way != ASSEMBLY_INSERT && copied_operand(memory, r->graph, r->statement))
    assembly_as_told(r->how.format, CIN_COPY, &r->how);
}

static bool choose_for_kernel(arena *memory, MlirOperation kernel) {
  const kernel_statement *s = kernel_statement_read(memory, kernel);
  provenance *graph = s ? provenance_create(memory, kernel) : NULL;
  if (!graph)
    return false;
  cin_assembly told;
  const tensor_format *format = s->result->format;
  bool is_told = cin_op_assembly(kernel, &told);
  char *unbuilt = tensor_format_unbuilt(memory, format, s->result->name);
  assembly_list ways = assembly_ways(format, is_told && told == CIN_RECORD);
  assembly_loops r = {s, graph, {.format = format}};
  if (!assembly_can_tell(&r))
    return true; /* what else is wrong with the kernel, sparsify says */
  if (unbuilt)
    return error_at(s->result->assignments[0]->op, "%s", unbuilt);
  if (!is_told || !assembly_as_told(format, told, &r.how))
    choose(memory, &r, &ways);
  cin_op_set_assembly(kernel, (cin_assembly)r.how.way);
  return assembly_verify(&r);
}

int cin_choose_assembly_run(MlirOperation module,
                            const struct cin_choose_assembly_options *options) {
  (void)options;
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  bool chosen = true;
  for (int i = 0; i < kernels.count; ++i)
    chosen = choose_for_kernel(memory, kernels.ops[i]) && chosen;
  arena_free(memory);
  return !chosen;
}
