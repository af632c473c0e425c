/* Packs the operands from coordinate lists, runs the kernel, unpacks its result and compares. */
#include "run.h"

#include "compiled.h"
#include "format_names.h"
#include "lac_coo.h"
#include "lac_error.h"
#include "statement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
  const test_case *c;
  char *message;
  compiled *code;
  lac_tensor operands[MAX_TENSORS];
  lac_tensor result, coordinates;
} run;

static outcome say(const run *r, outcome what, const char *format, const char *detail) {
  snprintf(r->message, MESSAGE_SIZE, format, detail);
  return what;
}

//--- The program ---------------------------------------------------------------------------------

static char *source_format(const tensor *t) {
  return t->order == 0 || t->coordinates ? NULL : format_of_coordinates(t->order, t->modes);
}

static char *make_program(const test_case *c) {
  static const int identity[MAX_TENSOR_ORDER] = {0, 1, 2};
  statement_tensor operands[MAX_TENSORS];
  int64_t sizes[MAX_TENSOR_ORDER];
  statement s = {c->expression,
                 c->semiring,
                 c->tensor_count,
                 operands,
                 {c->result.name, c->result.order, c->result.format, NULL, c->type, sizes}};
  for (int d = 0; d < c->result.order; d++)
    sizes[d] = -1;
  for (int t = 0; t < c->tensor_count; t++)
    operands[t] = (statement_tensor){c->tensors[t].name,
                                     c->tensors[t].order,
                                     c->tensors[t].format,
                                     source_format(&c->tensors[t]),
                                     c->type,
                                     NULL};
  if (c->result.order)
    s.result.source = format_of_coordinates(c->result.order, identity);
  char *text = statement_text(&s, true);
  for (int t = 0; t < c->tensor_count; t++)
    free((char *)operands[t].source);
  free((char *)s.result.source);
  return text;
}

//--- Values --------------------------------------------------------------------------------------

static void value_to_bytes(int32_t type, double complex value, void *bytes) {
  switch (type) {
  case LAC_F64:
    memcpy(bytes, &(double){creal(value)}, 8);
    break;
  case LAC_F32:
    memcpy(bytes, &(float){(float)creal(value)}, 4);
    break;
  case LAC_I32:
    memcpy(bytes, &(int32_t){(int32_t)creal(value)}, 4);
    break;
  case LAC_I64:
    memcpy(bytes, &(int64_t){(int64_t)creal(value)}, 8);
    break;
  default:
    memcpy(bytes, &value, sizeof value);
  }
}

static double complex value_from_bytes(int32_t type, const void *array, int64_t i) {
  switch (type) {
  case LAC_F64:
    return ((const double *)array)[i];
  case LAC_F32:
    return ((const float *)array)[i];
  case LAC_I32:
    return ((const int32_t *)array)[i];
  case LAC_I64:
    return (double)((const int64_t *)array)[i];
  default:
    return ((const double complex *)array)[i];
  }
}

//--- Operands ------------------------------------------------------------------------------------

static int32_t make_coordinates(const test_case *c, const tensor *t, lac_tensor *coo) {
  int64_t order[MAX_TENSOR_ORDER];
  int32_t status = lac_coo_create(coo, c->type, t->order, t->dimensions, t->count);
  for (int64_t e = 0; !status && e < t->count; e++) {
    unsigned char bytes[16];
    value_to_bytes(c->type, t->entries[e].value, bytes);
    status = lac_coo_append(coo, t->entries[e].coordinates, bytes);
  }
  for (int l = 0; l < t->order; l++)
    order[l] = t->modes[l];
  return status || t->order == 0 ? status : lac_coo_sort(coo, order);
}

static int32_t make_operand(run *r, int number) {
  const tensor *t = &r->c->tensors[number];
  char function[32];
  if (t->order == 0 || t->coordinates)
    return make_coordinates(r->c, t, &r->operands[number]);
  lac_tensor coo = {0};
  int32_t status = make_coordinates(r->c, t, &coo);
  snprintf(function, sizeof function, "pack_%d", number);
  if (!status)
    status = compiled_call(r->code, function, (void *[]){&r->operands[number], &coo});
  lac_tensor_free(&coo);
  return status;
}

//--- Comparing -----------------------------------------------------------------------------------

static bool agrees(const test_case *c, double complex expected, double complex found) {
  if (!isfinite(creal(expected)))
    return !isfinite(creal(found)) && (!c->semiring || creal(found) == creal(expected));
  if (c->exact && c->type != LAC_F32)
    return expected == found;
  return cabs(expected - found) <= (c->type == LAC_F32 ? 1e-4 : 1e-9) * (1 + cabs(expected));
}

/* The result's entries spread over all coordinates; NULL where one is out of range or there twice.
 */
static double complex *spread_result(const run *r) {
  const tensor *shape = &r->c->result;
  int64_t volume = tensor_volume(shape), count = shape->order ? lac_coo_count(&r->coordinates) : 1;
  double complex *dense = calloc((size_t)(volume ? volume : 1), sizeof *dense);
  bool *seen = calloc((size_t)(volume ? volume : 1), sizeof *seen);
  bool sound = true;
  for (int64_t i = 0; i < volume; i++)
    dense[i] = test_case_fill(r->c);
  for (int64_t e = 0; sound && e < count; e++) {
    int64_t at = 0;
    for (int l = 0; sound && l < shape->order; l++) {
      int64_t coordinate = lac_array_get(&r->coordinates.levels[l].array[LAC_COORDINATES], e);
      sound = coordinate >= 0 && coordinate < shape->dimensions[l];
      at = at * shape->dimensions[l] + coordinate;
    }
    sound = sound && !seen[at];
    if (sound) {
      seen[at] = true;
      dense[at] = value_from_bytes(r->c->type, r->coordinates.values.data, e);
    }
  }
  free(seen);
  if (sound)
    return dense;
  free(dense);
  return NULL;
}

static bool shape_is_right(const run *r) {
  const tensor *shape = &r->c->result;
  bool right = r->coordinates.order == shape->order;
  for (int d = 0; right && d < shape->order; d++)
    right = r->coordinates.dimensions[d] == shape->dimensions[d];
  return right;
}

static outcome compare(const run *r) {
  if (!shape_is_right(r))
    return say(r, OUTCOME_WRONG, "%s", "the result's dimensions are wrong");
  double complex *found = spread_result(r);
  if (!found)
    return say(r, OUTCOME_WRONG, "%s", "a result coordinate is out of range or there twice");
  double complex *expected = test_case_evaluate(r->c);
  outcome what = OUTCOME_RIGHT;
  for (int64_t at = 0; at < tensor_volume(&r->c->result) && what == OUTCOME_RIGHT; at++)
    if (!agrees(r->c, expected[at], found[at])) {
      snprintf(r->message, MESSAGE_SIZE, "at row-major place %lld: expected %g%+gi, found %g%+gi",
               (long long)at, creal(expected[at]), cimag(expected[at]), creal(found[at]),
               cimag(found[at]));
      what = OUTCOME_WRONG;
    }
  free(expected);
  free(found);
  return what;
}

//--- The case ------------------------------------------------------------------------------------

static outcome call_and_compare(run *r) {
  void *arguments[MAX_TENSORS + 1] = {&r->result};
  for (int t = 0; t < r->c->tensor_count; t++) {
    if (make_operand(r, t))
      return say(r, OUTCOME_WRONG, "packing an operand failed: %s", lac_error_message());
    arguments[t + 1] = &r->operands[t];
  }
  if (compiled_call(r->code, "kernel", arguments))
    return say(r, OUTCOME_WRONG, "the kernel failed: %s", lac_error_message());
  if (r->c->result.order == 0) {
    r->coordinates = r->result;
    memset(&r->result, 0, sizeof r->result);
  } else if (compiled_call(r->code, "unpack", (void *[]){&r->coordinates, &r->result}))
    return say(r, OUTCOME_WRONG, "unpacking the result failed: %s", lac_error_message());
  return compare(r);
}

static bool is_refusal(const char *message) {
  return strstr(message, "not supported") != NULL;
}

outcome test_case_run(const test_case *c, compiler *with, char message[MESSAGE_SIZE]) {
  run r = {.c = c, .message = message};
  struct lacuna_pipeline_options pipeline = {c->schedule, c->threads, false};
  machine_options machine = machine_options_default();
  machine.level = 1;
  machine.openmp_library = LACUNA_LIBOMP;
  char *text = make_program(c), *error = NULL;
  message[0] = '\0';
  r.code = compiled_create(with, text, "case", &pipeline, &machine, NULL, &error);
  outcome what = r.code ? call_and_compare(&r)
                        : say(&r, is_refusal(error) ? OUTCOME_REFUSED : OUTCOME_WRONG,
                              "not compiled: %s", error);
  for (int t = 0; t < c->tensor_count; t++)
    lac_tensor_free(&r.operands[t]);
  lac_tensor_free(&r.result);
  lac_tensor_free(&r.coordinates);
  compiled_free(r.code);
  free(error);
  free(text);
  return what;
}
