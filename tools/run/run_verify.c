/* Which coordinates of a result are compared with the plain evaluation, and what is said about
 * them.
 *
 *     at most a hundred thousand coordinates    all of them
 *     more                                      thousands of each: stored in the result;
 *                                               reached from what the operands store; any
 */
#include "run_verify.h"

#include "complain.h"
#include "lac_coo.h"
#include "lac_error.h"
#include "lac_value.h"
#include "progress.h"
#include "tensor_levels.h"
#include "verify_evaluate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_UP_TO = 100000, SAMPLES = 10000, STEPS_OF_ONE = 200000000, STEPS_OF_ALL = 20000000 };

struct verification {
  const run_statement *statement;
  evaluation e;
  compiler *c;
  arena *memory;
  entries result;
  int64_t compared, undecided, steps; /* coordinates, where zeros meet infinities */
  double largest_error, allowed;
  int64_t worst[LAC_FILE_ORDER];
  number expected, found;
  bool is_wrong;
};

//--- Operands ------------------------------------------------------------------------------------

/* Without a format, level l holds dimension l. */
static bool take(verification *v, entries *e, const lac_tensor *tensor, const char *format) {
  int64_t *levels = ARENA_ARRAY(v->memory, int64_t, tensor->order + 1);
  for (int l = 0; l < tensor->order; l++)
    levels[l] = l;
  if (format && tensor->order)
    levels = tensor_level_order(v->c, v->memory, format, (int)tensor->order);
  if (!levels)
    return complain("%s", compiler_error(v->c));
  return !entries_take(e, tensor, levels) || complain("--verify: %s", lac_error_message());
}

/* Of an operand that a statement before makes there is nothing yet. */
static bool take_operands(verification *v) {
  const run_statement *s = v->statement;
  for (int i = 0; i < s->e->tensor_count; i++) {
    const run_tensor *t = s->operands[i];
    bool is_list = t->order > 0 && !lac_coo_expect(&t->read);
    if (s->makers[i] < 0 && !take(v, &v->e.tensors[i], &t->read,
                                  is_list     ? NULL
                                  : t->source ? t->source
                                              : t->format))
      return false;
  }
  return true;
}

static bool take_made_operands(verification *v) {
  const run_statement *s = v->statement;
  for (int i = 0; i < s->e->tensor_count; i++) {
    const run_tensor *t = s->operands[i];
    if (s->makers[i] >= 0 &&
        !take(v, &v->e.tensors[i], run_tensor_listed(t), run_tensor_listed_format(t)))
      return false;
  }
  return true;
}

verification *verify_begin(const run_statement *statement, compiler *c, const options *o) {
  verification *v = calloc(1, sizeof *v);
  const einsum *e = statement->e;
  if (!v) {
    complain("no memory");
    return NULL;
  }
  v->statement = statement;
  v->c = c;
  v->memory = arena_create();
  v->e.statement = e;
  v->e.tensors = ARENA_ARRAY(v->memory, entries, e->tensor_count + 1);
  v->e.full = ARENA_ARRAY(v->memory, bool, e->tensor_count + 1);
  v->e.step_limit = STEPS_OF_ONE;
  v->e.memory = v->memory;
  v->e.extents = ARENA_ARRAY(v->memory, int64_t, e->variable_count + 1);
  v->e.at = ARENA_ARRAY(v->memory, int64_t, e->variable_count + 1);
  bool done = e->expression->depth <= EVALUATION_DEPTH ||
              complain("--verify takes expressions of at most %d operations one inside the "
                       "other, found %d",
                       EVALUATION_DEPTH, e->expression->depth);
  done = done && (number_kind_make(&v->e.kind, statement->result->type, o->semiring) ||
                  complain("unknown semiring '%s'", o->semiring));
  for (int i = 0; done && i < e->tensor_count; i++)
    v->e.kind.is_complex |= lac_type_is_complex(statement->operands[i]->type);
  if (done && take_operands(v))
    return v;
  verify_end(v);
  return NULL;
}

void verify_end(verification *v) {
  if (!v)
    return;
  for (int i = 0; i < v->e.statement->tensor_count; i++)
    entries_free(&v->e.tensors[i]);
  entries_free(&v->result);
  arena_free(v->memory);
  free(v);
}

//--- Sizes ---------------------------------------------------------------------------------------

static void learn_extent(evaluation *e, const einsum_subscript *s, int64_t size, bool padded) {
  (void)padded;
  if (einsum_subscript_is_bare(s))
    e->extents[s->terms[0].variable] = size;
}

/* What is known of a subscript but for one variable, number `unknown`: its least and its greatest
 * value where that is 0. */
typedef struct compound {
  int unknown;
  int64_t coefficient, low, high;
} compound;

static bool add_part(int64_t *sum, int64_t coefficient, int64_t extent) {
  int64_t part;
  return extent < 2 || (!__builtin_mul_overflow(coefficient, extent - 1, &part) &&
                        !__builtin_add_overflow(*sum, part, sum));
}

/* False where more is unknown, or the variable goes down. */
static bool take_compound(const evaluation *e, const einsum_subscript *s, compound *c) {
  *c = (compound){.unknown = -1, .low = s->constant, .high = s->constant};
  for (int t = 0; t < s->term_count; t++) {
    int64_t extent = e->extents[s->terms[t].variable], coefficient = s->terms[t].coefficient;
    if (extent < 0 && (c->unknown >= 0 || coefficient < 0))
      return false;
    if (extent < 0) {
      c->unknown = s->terms[t].variable;
      c->coefficient = coefficient;
    } else if (!add_part(coefficient > 0 ? &c->high : &c->low, coefficient, extent)) {
      return false;
    }
  }
  return c->unknown >= 0;
}

/* Below a size, with as much padding behind it as before: the variable goes as far as it fits. */
static void learn_compound(evaluation *e, const einsum_subscript *s, int64_t size, bool padded) {
  compound c;
  if (!take_compound(e, s, &c))
    return;
  int64_t padding = padded && c.low < 0 ? -c.low : 0, left = size - 1 + padding - c.high;
  e->extents[c.unknown] = left < 0 ? 0 : left / c.coefficient + 1;
}

typedef void learn(evaluation *e, const einsum_subscript *s, int64_t size, bool padded);

static void learn_accesses(evaluation *e, learn *how) {
  for (int a = 0; a < e->statement->access_count; a++) {
    const einsum_access *access = e->statement->accesses[a];
    for (int d = 0; d < access->order; d++)
      how(e, &access->subscripts[d], e->tensors[access->tensor].dimensions[d], access->padded);
  }
}

static void learn_extents(evaluation *e, const entries *result, const int64_t *wanted) {
  for (int v = 0; v < e->statement->variable_count; v++)
    e->extents[v] = wanted[v];
  learn_accesses(e, learn_extent);
  for (int d = 0; d < result->order; d++)
    learn_extent(e, &e->statement->result_access.subscripts[d], result->dimensions[d], false);
  learn_accesses(e, learn_compound);
}

static bool is_dense(const lac_tensor *t) {
  for (int64_t l = 0; l < t->level_count; l++)
    if (strcmp(t->levels[l].kind, "dense"))
      return false;
  return true;
}

static void learn_storage(verification *v) {
  for (int i = 0; i < v->e.statement->tensor_count; i++)
    v->e.full[i] = is_dense(&v->statement->operands[i]->stored);
}

//--- Comparing -----------------------------------------------------------------------------------

static number found_at(verification *v, const int64_t *coordinates) {
  entries *r = &v->result;
  int64_t begin, end;
  if (r->is_dense)
    return number_load(&v->e.kind, r->tensor.type, r->tensor.values.data,
                       entries_position(r, coordinates));
  uint32_t all = (uint32_t)((UINT64_C(1) << r->order) - 1);
  const entry_index *index = entries_find(r, all, -1, coordinates, &begin, &end);
  number found = number_fill(&v->e.kind);
  if (!index) {
    v->e.problem = "memory runs out";
    return found;
  }
  if (begin < end)
    found = number_load(&v->e.kind, r->tensor.type, index->list.values.data, begin);
  for (int64_t p = begin + 1; p < end; p++)
    number_apply(&v->e.kind, v->e.kind.plus, found,
                 number_load(&v->e.kind, r->tensor.type, index->list.values.data, p), &found);
  return found;
}

static void keep_worst(verification *v, const int64_t *coordinates, number expected, number found,
                       double error, double allowed) {
  bool wrong = error > allowed;
  if (v->compared > 1 &&
      (v->is_wrong > wrong || (v->is_wrong == wrong && error <= v->largest_error)))
    return;
  v->is_wrong = wrong;
  v->largest_error = error;
  v->allowed = allowed;
  v->expected = expected;
  v->found = found;
  memcpy(v->worst, coordinates, (size_t)v->result.order * sizeof *coordinates);
}

/* Whether what was found is one of the values that there may be, where zeros meet infinities.  What
 * takes too long to tell may be so. */
static bool may_be(verification *v, const int64_t *coordinates, number found) {
  v->e.steps = 0;
  v->e.kind.zero_annihilates = true;
  number literal = evaluate_at(&v->e, coordinates);
  v->e.kind.zero_annihilates = false;
  v->steps += v->e.steps;
  if (v->e.problem) {
    v->e.problem = NULL;
    return true;
  }
  if (literal.how == CERTAIN)
    return false;
  double error = number_distance(&v->e.kind, literal, found);
  return literal.how == ANYTHING || !number_is_finite(&v->e.kind, found) ||
         error <= number_epsilon(&v->e.kind) * (64 + 2 * (double)v->e.steps);
}

/* False where the evaluation gives up. */
static bool compare(verification *v, const int64_t *coordinates) {
  v->e.steps = 0;
  number expected = evaluate_at(&v->e, coordinates);
  number found = found_at(v, coordinates);
  v->steps += v->e.steps;
  if (v->e.problem)
    return false;
  double error = number_distance(&v->e.kind, expected, found);
  double allowed = number_epsilon(&v->e.kind) * (64 + 2 * (double)v->e.steps);
  if (error > allowed && !v->e.kind.is_integer && may_be(v, coordinates, found)) {
    v->undecided++;
    return true;
  }
  v->compared++;
  keep_worst(v, coordinates, expected, found, error, allowed);
  return true;
}

//--- Coordinates ---------------------------------------------------------------------------------

/* The number of coordinates; infinity and more are one. */
static double volume(const entries *r) {
  double all = 1;
  for (int d = 0; d < r->order; d++)
    all *= (double)r->dimensions[d];
  return all;
}

static void from_number(const entries *r, int64_t number, int64_t *coordinates) {
  for (int d = r->order - 1; d >= 0; d--) {
    coordinates[d] = number % r->dimensions[d];
    number /= r->dimensions[d];
  }
}

static bool has_time(const verification *v) {
  return v->steps < STEPS_OF_ALL;
}

static bool compare_all(verification *v) {
  int64_t coordinates[LAC_FILE_ORDER], all = (int64_t)volume(&v->result);
  for (int64_t i = 0; i < all && has_time(v); i++) {
    from_number(&v->result, i, coordinates);
    if (!compare(v, coordinates))
      return false;
  }
  return true;
}

static bool compare_stored(verification *v) {
  const lac_tensor *t = &v->result.tensor;
  int64_t coordinates[LAC_FILE_ORDER], count = entries_count(&v->result);
  int64_t step = count / SAMPLES + 1;
  for (int64_t p = 0; !v->result.is_dense && p < count && has_time(v); p += step) {
    for (int d = 0; d < v->result.order; d++)
      coordinates[d] = lac_array_get(&t->levels[d].array[LAC_COORDINATES], p);
    if (!compare(v, coordinates))
      return false;
  }
  return true;
}

static bool compare_reached(verification *v) {
  int64_t coordinates[LAC_FILE_ORDER];
  uint64_t random = 1;
  for (int i = 0; i < SAMPLES && has_time(v); i++)
    if (evaluate_choose(&v->e, &random, coordinates) && !compare(v, coordinates))
      return false;
  return true;
}

static bool compare_any(verification *v) {
  int64_t coordinates[LAC_FILE_ORDER];
  uint64_t random = 7;
  for (int i = 0; i < SAMPLES && has_time(v); i++) {
    for (int d = 0; d < v->result.order; d++) {
      random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      coordinates[d] = (int64_t)((random >> 11) % (uint64_t)v->result.dimensions[d]);
    }
    if (!compare(v, coordinates))
      return false;
  }
  return true;
}

/* Each kind of coordinates gets its own time. */
static bool compare_some(verification *v) {
  bool (*const ways[])(verification *) = {compare_stored, compare_reached, compare_any};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    v->steps = 0;
    if (!ways[i](v))
      return false;
  }
  return true;
}

//--- What is said --------------------------------------------------------------------------------

static void print_place(const verification *v, char *text, size_t size) {
  size_t length = (size_t)snprintf(text, size, "(");
  for (int d = 0; d < v->result.order && length < size; d++)
    length += (size_t)snprintf(text + length, size - length, "%s%lld", d ? ", " : "",
                               (long long)v->worst[d] + 1);
  if (length < size)
    snprintf(text + length, size - length, ")");
}

static bool report(const verification *v, const char *name, bool is_named) {
  char place[800], expected[64], found[64];
  double all = volume(&v->result);
  if (v->compared == 0 && v->undecided == 0 && all > 0)
    return complain("--verify could compare nothing: %s",
                    v->e.problem ? v->e.problem : "it takes too long");
  fprintf(stderr, "verify: %s%slargest relative error %.3g, at %lld of %.0f coordinates",
          is_named ? name : "", is_named ? ": " : "", v->largest_error, (long long)v->compared,
          all);
  if (v->undecided)
    fprintf(stderr, "; at %lld a zero meets an infinity", (long long)v->undecided);
  fprintf(stderr, "\n");
  if (!v->is_wrong)
    return true;
  print_place(v, place, sizeof place);
  number_print(&v->e.kind, v->expected, expected);
  number_print(&v->e.kind, v->found, found);
  return complain(
      "--verify: expected %s%s to be %s, found %s: relative error %.3g, of which rounding "
      "explains %.3g",
      name, v->result.order ? place : "", expected, found, v->largest_error, v->allowed);
}

bool verify_result(verification *v, bool is_named) {
  const run_tensor *result = v->statement->result;
  if (!take_made_operands(v) ||
      !take(v, &v->result, run_tensor_listed(result), run_tensor_listed_format(result)))
    return false;
  learn_extents(&v->e, &v->result, v->statement->wanted);
  learn_storage(v);
  progress_begin("verifying");
  bool done = volume(&v->result) <= ALL_UP_TO ? compare_all(v) : compare_some(v);
  progress_end();
  if (!done && !(v->e.step_limit < v->e.steps))
    return complain("--verify: %s", v->e.problem);
  return report(v, result->name, is_named);
}
