/* relation_table.c - the rows. */
#include "relation.h"

#include "ir.h"

#include <string.h>

/* Without functions: they parse, and code for them is not made yet. */
static const relation_rule split_up = {.name = "cin.split up"}, collapse = {.name = "cin.collapse"},
                           pos = {.name = "cin.pos"}, coord = {.name = "cin.coord"},
                           bound = {.name = "cin.bound"};

enum { MOST_RULES = 64 };
static const relation_rule *rules[MOST_RULES] = {
    &split_relation,
    &block_relation,
    &linear_relation,
    &counter_relation,
    &split_up,
    &collapse,
    &pos,
    &coord,
    &bound,
};

static int rule_count(void) {
  int count = 0;
  while (count < MOST_RULES && rules[count])
    ++count;
  return count;
}

void relation_register(const relation_rule *rule) {
  int count = rule_count();
  if (count < MOST_RULES)
    rules[count] = rule;
}

const relation_rule *relation_rule_named(MlirStringRef name) {
  for (int n = 0; n < rule_count(); ++n)
    if (rules[n]->name && text_is(name, rules[n]->name))
      return rules[n];
  return NULL;
}

const relation_rule *relation_rule_of(remap_kind kind) {
  switch (kind) {
  case REMAP_QUOTIENT:
  case REMAP_REMAINDER:
    return &block_relation;
  case REMAP_LINEAR:
    return &linear_relation;
  case REMAP_COUNTER:
    return &counter_relation;
  case REMAP_NONE:
    break;
  }
  return NULL;
}
