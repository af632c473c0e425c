/* deal.c - which thread runs which iterations of a loop on threads.
 *
 *     static           each thread has its share, all of one size, before the loop begins
 *     dynamic = 16     a thread that is free takes the next 16
 *     (neither)        a thread that is free takes the next of some 256 parts
 *
 * Shares of one size are as good as any where all iterations do the same: what a thread wrote is in
 * its caches when it reads that in the next loop, and nothing is asked for while the loop runs.
 * Rows of sparse tensors differ in length.  Where ranges of coordinates are cut by the work in them
 * (pieces.c), that has been dealt out, and neither word says anything.  Ranges that a thread goes
 * through so that windows begin near the last ones (cursor.c) are given up for `dynamic`.
 *
 * The words stand on the scf.parallel that becomes of the loop, for `lower-parallel`.
 */
#include "coiterate.h"
#include "strategy.h"

#include "cin.h"
#include "ir.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>

typedef struct steadiness {
  walked_kernel *k;
  bool steady;
} steadiness;

/* Whether a walk has as many steps whenever it is reached: it goes through all coordinates of what
 * is located at them. */
static bool is_steady(const walked *w) {
  return w->whole && !w->bounded && set_size(w->located) == w->level_count;
}

static bool see(MlirOperation op, void *data) {
  steadiness *u = data;
  walked inside;
  if (sit_is_coiterate(op))
    u->steady = walked_read(&inside, u->k, op) && is_steady(&inside);
  return u->steady;
}

static bool choose_static(const walked *w, int64_t *number) {
  (void)number;
  if (!w->parallel || !is_steady(w) || cin_op_race(w->op) != CIN_NO_RACES)
    return false;
  steadiness u = {w->k, true};
  visit_below(w->op, see, &u);
  return u.steady;
}

/* How long the rows are that make other sizes better is for a schedule to say. */
static bool choose_dynamic(const walked *w, int64_t *number) {
  (void)w;
  (void)number;
  return false;
}

int64_t dealt_at_once(const coiteration *c) {
  return strategy_number(c->op, &dynamic_strategy);
}

void deal_out(const coiteration *c, MlirOperation parallel, int64_t at_once) {
  MlirContext context = mlirOperationGetContext(parallel);
  if (strategy_is_taken(c->op, &static_strategy))
    mlirOperationSetAttributeByName(parallel, mlirStringRefCreateFromCString("static"),
                                    mlirUnitAttrGet(context));
  else if (dealt_at_once(c))
    mlirOperationSetAttributeByName(parallel, mlirStringRefCreateFromCString("dynamic"),
                                    integer_attribute(context, at_once));
}

const strategy static_strategy = {
    .name = "static",
    .words = "gives each thread its share before it begins",
    .choose = choose_static,
};

const strategy dynamic_strategy = {
    .name = "dynamic",
    .words = "hands so many steps at a time to the thread that is free",
    .choose = choose_dynamic,
    .has_number = true,
};
