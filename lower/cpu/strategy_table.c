/* strategy_table.c - the strategies of the CPU, and what a sit.coiterate says of them. */
#include "strategy.h"

#include "ir.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>

/* What is done instead of something else comes before that. */
enum { MOST = 64 };
static const strategy *table[MOST + 1] = {
    &flat_strategy,      &lanes_strategy,     &fours_strategy,      &jam_strategy,
    &write_out_strategy, &look_up_strategy,   &blocks_strategy,     &select_strategy,
    &search_strategy,    &reserve_strategy,   &read_ahead_strategy, &static_strategy,
    &dynamic_strategy,   &long_rows_strategy, &cursor_strategy,     &cursors_strategy,
    &stream_strategy,
};

void strategy_register(const strategy *s) {
  int count = 0;
  while (table[count])
    count++;
  if (count < MOST)
    table[count] = s;
}

const strategy *strategy_at(int i) {
  return table[i];
}

const strategy *strategy_find(MlirStringRef name) {
  int i = 0;
  while (table[i] && !text_is(name, table[i]->name))
    i++;
  return table[i];
}

const char *strategy_words(MlirStringRef name) {
  const strategy *s = strategy_find(name);
  return s ? s->words : NULL;
}

bool strategy_is_taken(MlirOperation op, const strategy *s) {
  return !mlirAttributeIsNull(sit_coiterate_strategy(op, s->name));
}

int64_t strategy_number(MlirOperation op, const strategy *s) {
  MlirAttribute number = sit_coiterate_strategy(op, s->name);
  return mlirAttributeIsNull(number) ? 0 : mlirIntegerAttrGetValueInt(number);
}

void strategy_take(MlirOperation op, const strategy *s, int64_t number) {
  MlirContext context = mlirOperationGetContext(op);
  sit_coiterate_add_strategy(
      op, s->name, s->has_number ? integer_attribute(context, number) : mlirUnitAttrGet(context));
}

static bool verify(MlirOperation op, MlirNamedAttribute said) {
  MlirStringRef name = mlirIdentifierStr(said.name);
  const strategy *s = strategy_find(name);
  bool number = mlirAttributeIsAInteger(said.attribute);
  if (!s)
    return error_at(op, "expected strategies of the CPU, found '%.*s'", TEXT(name));
  if (s->has_number && (!number || mlirIntegerAttrGetValueInt(said.attribute) < 1))
    return error_at(op, "expected a positive number for '%s', found %s", s->name,
                    mlirAttributeIsAUnit(said.attribute) ? "none"
                                                         : attribute_words(said.attribute).text);
  return s->has_number || mlirAttributeIsAUnit(said.attribute) ||
         error_at(op, "expected no value for '%s', found %s", s->name,
                  attribute_words(said.attribute).text);
}

bool strategies_verify(MlirOperation op) {
  MlirAttribute all = sit_coiterate_strategies(op);
  if (mlirAttributeIsNull(all))
    return true;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(all); i++)
    if (!verify(op, mlirDictionaryAttrGetElement(all, i)))
      return false;
  return true;
}
