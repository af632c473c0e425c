/* lac_checked.c - a few checks for each thread, found by where the tensor and the text lie; see
 * lac_checked.h. */
#include "lac_checked.h"

enum { REMEMBERED = 16, TEXT = 256, DIMENSIONS = 4, LEVELS = 4, KIND = 24 };

typedef struct checked {
  const lac_tensor *of;
  const char *signature;
  lac_tensor tensor;
  int64_t dimensions[DIMENSIONS];
  lac_level levels[LEVELS];
  lac_layout_reads reads;
  char text[TEXT], kinds[LEVELS][KIND];
} checked;

static _Thread_local checked all[REMEMBERED];

static checked *place_of(const lac_tensor *tensor, const char *signature) {
  uintptr_t mixed = (uintptr_t)tensor / 16 + (uintptr_t)signature / 4;
  return &all[(mixed + mixed / REMEMBERED) % REMEMBERED];
}

/* ---- Asking ------------------------------------------------------------------------------- */

static bool same_bytes(const void *x, const void *y, int64_t count, size_t size) {
  return count == 0 || memcmp(x, y, (size_t)count * size) == 0;
}

static bool same_kinds(const checked *c) {
  for (int64_t l = 0; l < c->tensor.level_count; l++)
    if (strcmp(c->kinds[l], c->levels[l].kind) != 0)
      return false;
  return true;
}

static bool same_elements(const checked *c) {
  for (int n = 0; n < c->reads.count; n++) {
    const lac_layout_element *e = &c->reads.elements[n];
    if (lac_array_get(&c->levels[e->level].array[e->slot], e->index) != e->value)
      return false;
  }
  return true;
}

/* The fields first: they say how much there is of the rest, and where. */
bool lac_checked_before(const lac_tensor *tensor, const char *signature) {
  const checked *c = place_of(tensor, signature);
  return c->of == tensor && c->signature == signature &&
         same_bytes(&c->tensor, tensor, 1, sizeof *tensor) &&
         same_bytes(c->dimensions, tensor->dimensions, tensor->order, sizeof *c->dimensions) &&
         same_bytes(c->levels, tensor->levels, tensor->level_count, sizeof *c->levels) &&
         strcmp(c->text, signature) == 0 && same_kinds(c) && same_elements(c);
}

/* ---- Remembering -------------------------------------------------------------------------- */

static bool kinds_fit(const lac_tensor *tensor) {
  for (int64_t l = 0; l < tensor->level_count; l++)
    if (strlen(tensor->levels[l].kind) >= KIND)
      return false;
  return true;
}

static void keep_levels(checked *c, const lac_tensor *tensor) {
  for (int64_t l = 0; l < tensor->level_count; l++) {
    c->levels[l] = tensor->levels[l];
    strcpy(c->kinds[l], tensor->levels[l].kind);
  }
}

/* What does not fit is looked through each time. */
void lac_checked_remember(const lac_tensor *tensor, const char *signature,
                          const lac_layout_reads *reads) {
  if (reads->are_more || tensor->order > DIMENSIONS || tensor->level_count > LEVELS ||
      strlen(signature) >= TEXT || !kinds_fit(tensor))
    return;
  checked *c = place_of(tensor, signature);
  c->of = tensor;
  c->signature = signature;
  c->tensor = *tensor;
  for (int64_t d = 0; d < tensor->order; d++)
    c->dimensions[d] = tensor->dimensions[d];
  keep_levels(c, tensor);
  c->reads = *reads;
  strcpy(c->text, signature);
}
