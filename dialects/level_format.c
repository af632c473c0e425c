/* level_format.c - the registry of level formats: a list in the order of registration. */
#include "level_format.h"

#include <stdio.h>

enum { MOST_FORMATS = 64 };

static const level_format *formats[MOST_FORMATS];
static int format_count;

static int place_of(MlirStringRef name) {
  int i = 0;
  while (i < format_count &&
         !mlirStringRefEqual(mlirStringRefCreateFromCString(formats[i]->name), name))
    i++;
  return i;
}

void level_format_register(const level_format *format) {
  int i = place_of(mlirStringRefCreateFromCString(format->name));
  if (i == MOST_FORMATS) {
    fprintf(stderr, "warning: level format '%s' is left out: expected at most %d, found one more\n",
            format->name, (int)MOST_FORMATS);
    return;
  }
  formats[i] = format;
  if (i == format_count)
    format_count++;
}

const level_format *level_format_find(MlirStringRef name) {
  int i = place_of(name);
  return i < format_count ? formats[i] : NULL;
}

int level_format_count(void) {
  return format_count;
}

const level_format *level_format_at(int i) {
  return i >= 0 && i < format_count ? formats[i] : NULL;
}

const level_format *level_format_workspace(void) {
  for (int i = 0; i < format_count; i++)
    if (formats[i]->capabilities & LEVEL_WORKSPACE)
      return formats[i];
  return NULL;
}

static bool lists_coordinates(const level_format *format, bool first) {
  const unsigned needed = LEVEL_POSITION_ITERATION | LEVEL_APPEND;
  bool is_branchless = format->properties & LEVEL_BRANCHLESS;
  return (format->capabilities & needed) == needed && is_branchless != first &&
         (format->configurable & LEVEL_UNIQUE);
}

const level_format *level_format_coordinate_list(bool first) {
  for (int i = 0; i < format_count; i++)
    if (lists_coordinates(formats[i], first))
      return formats[i];
  return NULL;
}
