/* expression_table.c - expressions made of the same parts are one (hash-consing).
 *
 * Parts are compared as they stand: operands by identity, constants by their bits, operations by
 * the operation that they are copies of.  An expression whose constants are absent has another one
 * that is alike, with constants that are not told to be, so that both are equal to it.
 */
#include "expression.h"

#include <string.h>

static uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static uint64_t hash_of(const expression *e) {
  uint64_t hash = mixed(e->kind, e->absent);
  hash = mixed(hash, (uintptr_t)e->type.ptr);
  hash = mixed(hash, bits_of(e->constant.re));
  hash = mixed(hash, bits_of(e->constant.im));
  hash = mixed(hash, (uint64_t)e->constant.integer);
  hash = mixed(hash, (uintptr_t)e->tensor);
  hash = mixed(hash, (uintptr_t)e->access);
  hash = mixed(hash, (uintptr_t)e->op.ptr);
  hash = mixed(hash, (uintptr_t)e->rule);
  for (int n = 0; n < e->count; ++n)
    hash = mixed(hash, (uint64_t)e->operands[n]->number);
  return hash;
}

static bool same_constant(const scalar *x, const scalar *y) {
  return bits_of(x->re) == bits_of(y->re) && bits_of(x->im) == bits_of(y->im) &&
         x->integer == y->integer;
}

static bool is_same(const expression *e, const expression *f) {
  return e->kind == f->kind && e->absent == f->absent && mlirTypeEqual(e->type, f->type) &&
         same_constant(&e->constant, &f->constant) && e->tensor == f->tensor &&
         e->access == f->access && e->op.ptr == f->op.ptr && e->rule == f->rule &&
         e->count == f->count &&
         (!e->count || !memcmp(e->operands, f->operands, sizeof *e->operands * (size_t)e->count));
}

/* The slot of the expression, or the free one where it belongs. */
static int *slot_of(const expression_table *t, const expression *e) {
  uint64_t mask = (uint64_t)t->slot_count - 1, at = hash_of(e) & mask;
  while (t->slots[at] && !is_same(t->all[t->slots[at] - 1], e))
    at = (at + 1) & mask;
  return &t->slots[at];
}

static void make_room(expression_table *t) {
  if (2 * t->count < t->slot_count)
    return;
  const expression **all = ARENA_ARRAY(t->memory, const expression *, t->slot_count + 16);
  if (t->count)
    memcpy(all, t->all, sizeof *all * (size_t)t->count);
  t->all = all;
  t->slot_count = t->slot_count ? 2 * t->slot_count : 16;
  t->slots = ARENA_ARRAY(t->memory, int, t->slot_count);
  for (int n = 0; n < t->count; ++n)
    *slot_of(t, t->all[n]) = n + 1;
}

static const expression *alike_of(expression_table *t, const expression *e) {
  expression alike = *e;
  bool differs = e->absent;
  alike.absent = false;
  if (e->count)
    alike.operands = ARENA_ARRAY(t->memory, const expression *, e->count);
  for (int n = 0; n < e->count; ++n) {
    alike.operands[n] = e->operands[n]->alike;
    differs |= alike.operands[n] != e->operands[n];
  }
  return differs ? expression_share(t, &alike) : NULL;
}

const expression *expression_share(expression_table *t, const expression *made) {
  make_room(t);
  int *slot = slot_of(t, made);
  if (*slot)
    return t->all[*slot - 1];
  const expression *alike = alike_of(t, made);
  make_room(t);
  expression *e = ARENA_ARRAY(t->memory, expression, 1);
  *e = *made;
  e->number = t->count;
  e->alike = alike ? alike : e;
  t->all[t->count++] = e;
  *slot_of(t, e) = t->count;
  return e;
}
