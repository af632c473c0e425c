/* lac_version.c - which Lacuna this is. */
#include "lac_version.h"

const char *lac_version(void) {
  return LACUNA_VERSION_STRING;
}
