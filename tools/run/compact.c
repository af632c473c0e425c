/* Widths by the largest number that they must hold.  A level of a listed format holds a dimension's
 * coordinates, and no level has more entries than the tensor. */
#include "compact.h"

#include "tensor_levels.h"
#include "tin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_WIDTH = 64 };

static unsigned width_of(int64_t most) {
  return most <= UINT8_MAX ? 8 : most <= UINT16_MAX ? 16 : most <= UINT32_MAX ? 32 : OWN_WIDTH;
}

static void append(MlirStringRef part, void *data) {
  fwrite(part.data, 1, part.length, data);
}

/* The text of an attribute; the caller frees it, NULL when memory runs out. */
static char *text_of(MlirAttribute attribute) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  mlirAttributePrint(attribute, append, out);
  return fclose(out) ? NULL : text;
}

static MlirAttribute with_widths(MlirAttribute format, unsigned positions, unsigned coordinates) {
  intptr_t count = tinFormatAttrGetNumLevels(format);
  MlirAttribute levels[count + 1];
  for (intptr_t l = 0; l < count; l++)
    levels[l] = tinFormatAttrGetLevel(format, l);
  return tinFormatAttrGet(mlirAttributeGetContext(format), tinFormatAttrGetMap(format), count,
                          levels, positions, coordinates);
}

static void compact(run_tensor *t, compiler *c, int64_t largest, int64_t entries) {
  if (!t->format || !tensor_is_listed(c, t->format))
    return;
  MlirAttribute format = compiler_attribute(c, t->format);
  if (tinFormatAttrGetPositionWidth(format) != OWN_WIDTH ||
      tinFormatAttrGetCoordinateWidth(format) != OWN_WIDTH)
    return;
  char *text = text_of(with_widths(format, width_of(entries), width_of(largest)));
  if (!text)
    return;
  free(t->format);
  t->format = text;
}

static int64_t largest_dimension(const lac_tensor *t) {
  int64_t largest = 0;
  for (int64_t d = 0; d < t->order; d++)
    largest = t->dimensions[d] > largest ? t->dimensions[d] : largest;
  return largest;
}

/* The largest extent of the result's dimensions, INT64_MAX where one is not known. */
static int64_t largest_extent(const inputs *in) {
  int64_t largest = 0;
  for (int d = 0; d < in->result.order; d++) {
    int v = in->result.variables[d];
    int64_t extent = v < 0 || in->extents[v] < 0 ? INT64_MAX : in->extents[v];
    largest = extent > largest ? extent : largest;
  }
  return largest;
}

void compact_formats(inputs *in, compiler *c) {
  for (int i = 0; i < in->statement->tensor_count; i++) {
    run_tensor *t = &in->operands[i];
    compact(t, c, largest_dimension(&t->read) - 1, t->read.values.length);
  }
  compact(&in->result, c, largest_extent(in) - 1, INT64_MAX);
}
