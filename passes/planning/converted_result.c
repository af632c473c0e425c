/* Results that are computed in another format (converted_result.h). */
#include "converted_result.h"

#include "diagnostic.h"
#include "format_order.h"
#include "ir.h"
#include "statement_rebuild.h"
#include "statement_remap.h"
#include "statement_terms.h"
#include "tin.h"
#include "tin_ops.h"

void result_convert(const statement *s, builder *b, MlirType computed, const char *since) {
  MlirValue result = mlirOperationGetResult(s->op, 0);
  const access *a = statement_result(s);
  remark_at(s->op, "computed '%s' as %s and converted it, since %s; stored so, it need not be",
            a->name, format_text(s->memory, computed), since);
  mlirValueSetType(result, computed);
  builder_before(b, mlirOperationGetNextInBlock(s->op));
  MlirValue converted = convert_make(b, result, a->type, access_fill(s, s->operand_count));
  MlirOperation convert = mlirOpResultGetOwner(converted);
  mlirValueReplaceAllUsesExcept(result, converted, 1, &convert);
}

/* Whether loops go through the statement, with its result as it is, or a nest for each of its terms
 * (tin-to-cin). */
static bool is_computed(const statement *s) {
  const statement *looped = statement_remapped(s);
  return (looped && statement_is_supported(looped, false)) || statement_terms_find(s);
}

const statement *result_scatter(const statement *s) {
  if (!statement_scatters(s) || is_computed(s))
    return s;
  MlirType type = scattered_type(s->memory, statement_result(s)->type);
  const statement *scattered =
      mlirTypeIsNull(type) ? NULL : statement_with_type(s, s->operand_count, type);
  if (!scattered || !is_computed(scattered))
    return s;
  builder *b = builder_create(mlirOperationGetContext(s->op), mlirOperationGetLocation(s->op));
  result_convert(s, b, type, "its subscripts come in an order that no loops go through");
  builder_free(b);
  return statement_create(s->memory, s->op);
}
