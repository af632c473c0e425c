/* A library of one level format, NAME, that says of itself to be of VERSION. */
#include "level_format.h"

#ifndef VERSION
#define VERSION LEVEL_FORMAT_VERSION
#endif

static void locate(level *l, MlirValue parent, const MlirValue *coordinates, MlirValue *position,
                   MlirValue *found) {
  (void)found;
  *position = level_place_of(l, parent, coordinates);
}

static const level_format format = {.name = NAME, .capabilities = LEVEL_LOCATE, .locate = locate};

__attribute__((constructor)) static void start(void) {
  level_format_register_table(&format, VERSION, sizeof format);
}
