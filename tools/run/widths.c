/* Widths by the largest number that they must hold: the last coordinate of a level that holds a
 * dimension or an expression of some; and as no level of the formats that are narrowed has more
 * entries than the tensor, the number of those.  Positions are few beside coordinates, and those of
 * an operand and of a result with its entries should be alike: without being asked, they stay.
 */
#include "widths.h"

#include "lac_file.h"
#include "remap.h"
#include "tin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_WIDTH = 64, USUAL_WIDTH = 32 };

static unsigned width_of(int64_t most) {
  return most <= UINT8_MAX ? 8 : most <= UINT16_MAX ? 16 : most <= UINT32_MAX ? 32 : OWN_WIDTH;
}

/* Whether a format's text says a width: "crd = 64". */
static bool says_width(const char *format, const char *word) {
  for (const char *at = strstr(format, word); at; at = strstr(at + 1, word)) {
    const char *behind = at + strlen(word);
    if (behind[strspn(behind, " ")] == '=')
      return true;
  }
  return false;
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
  MlirAttribute levels[TIN_GREATEST_ORDER];
  for (intptr_t l = 0; l < count; l++)
    levels[l] = tinFormatAttrGetLevel(format, l);
  return tinFormatAttrGet(mlirAttributeGetContext(format), tinFormatAttrGetMap(format), count,
                          levels, positions, coordinates);
}

/* The last coordinate of all levels; -1 where a level may have more entries than the tensor. */
static int64_t last_of_levels(MlirAttribute format, const int64_t *last) {
  int64_t largest = 0;
  intptr_t above, below;
  if (tinFormatAttrGetTriangle(format, &above, &below) != TIN_WHOLE)
    return -1;
  for (intptr_t l = 0; l < tinFormatAttrGetNumLevels(format); l++) {
    char kind[64];
    MlirStringRef name = tinLevelAttrGetName(tinFormatAttrGetLevel(format, l));
    snprintf(kind, sizeof kind, "%.*s", (int)name.length, name.data);
    MlirAffineExpr held = mlirAffineMapGetResult(tinFormatAttrGetMap(format), l);
    int64_t own = remap_last(remap_canonical(held), last);
    if (!lac_file_writes(kind))
      return -1;
    largest = own > largest ? own : largest;
  }
  return largest;
}

static void choose(run_tensor *t, compiler *c, int64_t entries, bool fewest) {
  MlirAttribute format = t->format ? compiler_attribute(c, t->format) : (MlirAttribute){NULL};
  if (mlirAttributeIsNull(format) || !tinAttributeIsAFormat(format))
    return;
  int64_t last[TIN_GREATEST_ORDER];
  for (int d = 0; d < t->order; d++) {
    int64_t size = t->dimensions[d];
    last[d] = size < 0 ? INT64_MAX : size == 0 ? 0 : size - 1;
  }
  int64_t largest = last_of_levels(format, last);
  if (largest < 0)
    return;
  unsigned positions = tinFormatAttrGetPositionWidth(format);
  unsigned coordinates = tinFormatAttrGetCoordinateWidth(format);
  if (fewest && !says_width(t->format, "pos"))
    positions = width_of(entries);
  if (!says_width(t->format, "crd"))
    coordinates = fewest || largest > UINT32_MAX ? width_of(largest) : USUAL_WIDTH;
  char *text = text_of(with_widths(format, positions, coordinates));
  if (!text)
    return;
  free(t->format);
  t->format = text;
}

/* What is not read yet may have any number. */
static int64_t entries_of(const run_tensor *t) {
  return t->read.level_count ? t->read.values.length : INT64_MAX;
}

void choose_widths(inputs *in, compiler *c, bool fewest) {
  for (int i = 0; i < in->operand_count; i++)
    choose(&in->operands[i], c, entries_of(&in->operands[i]), fewest);
  for (int s = 0; s < in->statement_count; s++)
    choose(&in->results[s], c, INT64_MAX, fewest);
}
