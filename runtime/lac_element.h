/* lac_element.h - one element of an array, by its width in bytes; where that is a constant, one
 * instruction. */
#ifndef LAC_ELEMENT_H
#define LAC_ELEMENT_H

#include <stdint.h>
#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

/* Unsigned integers of 1, 2, 4 or 8 bytes. */
ALWAYS uint64_t lac_element_get(const void *at, int32_t width) {
  switch (width) {
  case 1:
    return *(const uint8_t *)at;
  case 2:
    return *(const uint16_t *)at;
  case 4:
    return *(const uint32_t *)at;
  default:
    return *(const uint64_t *)at;
  }
}

ALWAYS void lac_element_set(void *at, int32_t width, uint64_t element) {
  switch (width) {
  case 1:
    *(uint8_t *)at = (uint8_t)element;
    break;
  case 2:
    *(uint16_t *)at = (uint16_t)element;
    break;
  case 4:
    *(uint32_t *)at = (uint32_t)element;
    break;
  default:
    *(uint64_t *)at = element;
  }
}

/* Also of other widths. */
ALWAYS void lac_element_copy(void *to, const void *from, int32_t width) {
  switch (width) {
  case 1:
    memcpy(to, from, 1);
    break;
  case 2:
    memcpy(to, from, 2);
    break;
  case 4:
    memcpy(to, from, 4);
    break;
  case 8:
    memcpy(to, from, 8);
    break;
  default:
    memcpy(to, from, (size_t)width);
  }
}

#endif
