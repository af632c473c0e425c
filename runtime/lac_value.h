/* lac_value.h - inside the runtime: one element of any type, to and from text. */
#ifndef LAC_VALUE_H
#define LAC_VALUE_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LAC_VALUE_WIDTH = 16, LAC_VALUE_TEXT = 64 };

/* Reads an element of `type`: one number, or with `pair` two, the real and the imaginary part (into
 * a complex type).  An integer type takes a real that is whole.  The place after it; NULL where it
 * is no such number or does not fit. */
const char *lac_read_value(const char *text, int32_t type, bool pair, void *element);

/* Writes an element (at most LAC_VALUE_TEXT bytes): a complex one as two numbers with a space
 * between.  The place after it. */
char *lac_write_value(char *text, int32_t type, const void *element);

bool lac_type_is_complex(int32_t type);
bool lac_type_is_integer(int32_t type);

/* Makes `element` the number real + imaginary i, rounded to its type; a type that is not complex
 * drops the imaginary part, an integer type what follows the point.  The number must be in the
 * type's range. */
void lac_set_value(int32_t type, double real, double imaginary, void *element);

/* Replaces an element by its negative, or by its complex conjugate.  False where the negative of an
 * integer does not fit. */
bool lac_negate_value(int32_t type, void *element);
void lac_conjugate_value(int32_t type, void *element);

#ifdef __cplusplus
}
#endif
#endif
