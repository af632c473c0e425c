/* tin-convert-remapped.c - operands and results in blocks and diagonals, where no loops go through
 * them, by way of coordinate lists.
 *
 *     C(i,j) = A(i,j) * B(i,j), A and C by rows, B in blocks of rows and columns
 *
 *     B' = convert B to a list of coordinates
 *     C(i,j) = A(i,j) * B'(i,j)
 *
 * Which statements are computed as they stand, statement_remap.h and, for sums, statement_terms.h
 * say; a copy whose entries come in
 * no order may also have them ordered in its result (result_format.h).
 */
#include "bridge.h"
#include "converted_result.h"
#include "diagnostic.h"
#include "format_order.h"
#include "ir.h"
#include "statement_direct.h"
#include "statement_rebuild.h"
#include "statement_remap.h"
#include "statement_terms.h"
#include "statistics.h"
#include "tin.h"
#include "tin_ops.h"

static bool convert_operand(const statement *s, int number, builder *b) {
  const access *a = &s->accesses[number];
  MlirType list = access_plain_type(s->memory, a);
  if (mlirTypeIsNull(list))
    return false;
  remark_at(s->op,
            "converted operand '%s' to %s, since no loops go through %s in this statement; stored "
            "so, it need not be",
            a->name, format_text(s->memory, list), format_text(s->memory, a->type));
  statistic_add(STATISTIC_REMAPPED_CONVERTED, 1);
  builder_before(b, s->op);
  mlirOperationSetOperand(s->op, number, convert_make(b, a->operand, list, access_fill(s, number)));
  return true;
}

static bool convert_result(const statement *s, builder *b) {
  const access *a = statement_result(s);
  MlirType list = access_plain_type(s->memory, a);
  if (mlirTypeIsNull(list))
    return false;
  result_convert(s, b, list,
                 arena_format(s->memory, "no loops go through %s in this statement",
                              format_text(s->memory, a->type)));
  return true;
}

static bool convert_remapped(const statement *s, builder *b) {
  for (int i = 0; i < s->operand_count; i++)
    if (access_has_remaps(&s->accesses[i]) && !convert_operand(s, i, b))
      return false;
  return !access_has_remaps(statement_result(s)) || convert_result(s, b);
}

static bool convert(MlirOperation op, arena *memory) {
  const statement *s = statement_create(memory, op);
  if (!s || !statement_has_remaps(s))
    return s != NULL;
  const statement *remapped = statement_remapped(s);
  bool is_direct = remapped && !remapped->searches && statement_is_direct(remapped);
  if (is_direct || statement_terms_find(s))
    return true;
  if (!s->nests[0].kind && statement_reorders(memory, op))
    return true;
  if (remapped && statement_is_walked(remapped))
    return true;
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  bool converted = convert_remapped(s, b);
  builder_free(b);
  return converted || error_at(op, "expected level formats for a coordinate list to be registered");
}

int tin_convert_remapped_run(MlirOperation module,
                             const struct tin_convert_remapped_options *options) {
  (void)options;
  return !change_operations(module, tin_is_compute, convert);
}
