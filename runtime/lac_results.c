/* lac_results.c - results apart from the operands of a call (lac_kernel.h).
 *
 * A result shares memory with another tensor of the call where it is that tensor, where both have
 * the same fields, or where the other has lent itself some of an array that the result owns and
 * would free. */
#include "lac_error.h"
#include "lac_kernel.h"

static bool overlap(const lac_array *owner, const lac_array *other) {
  uintptr_t begin = (uintptr_t)owner->data, at = (uintptr_t)other->data;
  return other->data && at < begin + (uintptr_t)(owner->capacity * owner->width) &&
         begin < at + (uintptr_t)(other->length * other->width);
}

static bool overlaps_some(const lac_array *owner, const lac_tensor *other) {
  if (!owner->owned || !owner->data)
    return false;
  bool shared = overlap(owner, &other->values);
  for (int64_t l = 0; l < other->level_count && other->levels && !shared; l++)
    for (int slot = 0; slot < LAC_ARRAYS && !shared; slot++)
      shared = overlap(owner, &other->levels[l].array[slot]);
  return shared;
}

static bool shares_fields(const lac_tensor *result, const lac_tensor *other) {
  return result->owned && ((result->dimensions && result->dimensions == other->dimensions) ||
                           (result->levels && result->levels == other->levels));
}

static bool shares_memory(const lac_tensor *result, const lac_tensor *other) {
  bool shared =
      result == other || shares_fields(result, other) || overlaps_some(&result->values, other);
  for (int64_t l = 0; l < result->level_count && result->levels && !shared; l++)
    for (int slot = 0; slot < LAC_ARRAYS && !shared; slot++)
      shared = overlaps_some(&result->levels[l].array[slot], other);
  return shared;
}

static bool stands_apart(lac_tensor *const *tensors, int64_t count, int64_t i) {
  for (int64_t j = 0; j < count; j++)
    if (j != i && tensors[j] && shares_memory(tensors[i], tensors[j]))
      return false;
  return true;
}

void lac_results_begin(lac_tensor *const *tensors, int64_t results, int64_t count,
                       lac_tensor *spare, lac_tensor **into) {
  for (int64_t i = 0; i < results; i++) {
    spare[i] = (lac_tensor){0};
    into[i] = tensors[i] && stands_apart(tensors, count, i) ? tensors[i] : &spare[i];
  }
}

/* That a tensor is asked to be two results, or none is there to be one. */
static int32_t check_places(lac_tensor *const *tensors, int64_t results) {
  for (int64_t i = 0; i < results; i++) {
    if (!tensors[i])
      return lac_error_set(LAC_ERROR_FORMAT, "expected a tensor for result %lld, found NULL",
                           (long long)i);
    for (int64_t j = 0; j < i; j++)
      if (tensors[i] == tensors[j])
        return lac_error_set(LAC_ERROR_FORMAT,
                             "expected a tensor for each result, found one for results %lld and "
                             "%lld",
                             (long long)j, (long long)i);
  }
  return LAC_OK;
}

int32_t lac_results_end(lac_tensor *const *tensors, int64_t results, lac_tensor *const *into,
                        int32_t status) {
  if (status == LAC_OK)
    status = check_places(tensors, results);
  for (int64_t i = 0; i < results; i++) {
    if (into[i] == tensors[i])
      continue;
    if (status == LAC_OK) {
      lac_tensor_free(tensors[i]);
      *tensors[i] = *into[i];
    } else {
      lac_tensor_free(into[i]);
    }
  }
  return status;
}
