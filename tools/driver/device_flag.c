/* device_flag.c - see device_flag.h. */
#include "device_flag.h"

#include "complain.h"
#include "device_target.h"

#include <stdlib.h>

bool device_flag_find(const char *target, bool runs, const char **device) {
  char *error;
  bool found = device_target(target, runs, device, &error);
  if (!found)
    complain("%s%s", target ? "--target: " : "", error ? error : "no memory");
  free(error);
  return found;
}
