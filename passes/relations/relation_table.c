/* relation_table.c - the rows. */
#include "relation.h"

#include "ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const relation_rule *const built_in[] = {
    &split_relation, &split_up_relation, &block_relation, &linear_relation, &counter_relation,
    &pos_relation,   &collapse_relation, &coord_relation, &bound_relation,  &window_relation,
};

/* Rows that were registered, the last one first; they stay as long as the process does. */
typedef struct registered {
  const relation_rule *rule;
  const struct registered *next;
} registered;
static const registered *others;

void relation_register(const relation_rule *rule) {
  registered *added = malloc(sizeof *added);
  if (!added) {
    fputs("error: out of memory for a relation\n", stderr);
    exit(1);
  }
  *added = (registered){rule, others};
  others = added;
}

static bool has_name(const relation_rule *rule, MlirStringRef name) {
  return rule->name && text_is(name, rule->name);
}

const relation_rule *relation_rule_named(MlirStringRef name) {
  for (size_t n = 0; n < sizeof built_in / sizeof *built_in; ++n)
    if (has_name(built_in[n], name))
      return built_in[n];
  for (const registered *r = others; r; r = r->next)
    if (has_name(r->rule, name))
      return r->rule;
  return NULL;
}

const relation_rule *relation_rule_of(remap_kind kind) {
  switch (kind) {
  case REMAP_QUOTIENT:
  case REMAP_REMAINDER:
    return &block_relation;
  case REMAP_LINEAR:
    return &linear_relation;
  case REMAP_CONSTANT:
    return &constant_relation;
  case REMAP_COUNTER:
    return &counter_relation;
  case REMAP_NONE:
    break;
  }
  return NULL;
}
