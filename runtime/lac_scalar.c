/* lac_scalar.c - values of order 0 from a text (lac_file.h). */
#include "lac_coo.h"
#include "lac_error.h"
#include "lac_file.h"
#include "lac_value.h"

#include <string.h>

static const char *skip_spaces(const char *text) {
  return text + strspn(text, " \t");
}

static bool is_value(const char *text, int32_t type, bool pair, void *element) {
  const char *end = lac_read_value(text, type, pair, element);
  return end && !*skip_spaces(end);
}

bool lac_is_scalar(const char *text) {
  char element[LAC_VALUE_WIDTH];
  if (!text)
    return false;
  return is_value(skip_spaces(text), LAC_F64, false, element) ||
         is_value(skip_spaces(text), LAC_C128, true, element);
}

static int32_t make(lac_tensor *out, int32_t type, const void *element) {
  int32_t status = lac_coo_create(out, type, 0, NULL, 1);
  if (status == LAC_OK)
    memcpy(out->values.data, element, (size_t)out->values.width);
  return status;
}

int32_t lac_scalar_read(const char *text, int32_t type, lac_tensor *out) {
  char element[LAC_VALUE_WIDTH];
  if (!text || !out)
    return lac_error_missing(out ? "a number" : "a tensor to make of a number");
  if (lac_type_width(type) == 0)
    return lac_error_set(LAC_ERROR_FORMAT, "expected an element type, found number %d", type);
  const char *first = skip_spaces(text);
  memset(out, 0, sizeof *out);
  if (is_value(first, type, false, element) ||
      (lac_type_is_complex(type) && is_value(first, type, true, element)))
    return make(out, type, element);
  return lac_error_set(LAC_ERROR_INPUT, "expected %s %s, found '%s'",
                       lac_type_is_integer(type) ? "an integer that fits" : "a number for",
                       lac_type_name(type), text);
}
