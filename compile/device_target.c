/* device_target.c - see device_target.h. */
#include "device_target.h"

#include "failure.h"
#include "lac_device.h"
#include "pipeline.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "gpu:";

/* "sm_90", "sm_90a" */
static bool is_architecture(const char *text) {
  if (strncmp(text, "sm_", 3) != 0)
    return false;
  size_t digits = strspn(text + 3, "0123456789");
  const char *rest = text + 3 + digits;
  return digits >= 2 && digits <= 3 && (!*rest || (islower((unsigned char)*rest) && !rest[1]));
}

bool is_device_target(const char *target) {
  static const char *const words[] = {"cpu", "auto", "gpu", "gpu-emulated"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(target, words[i]))
      return true;
  return !strncmp(target, prefix, sizeof prefix - 1);
}

static const char *architecture_here(void) {
  static char name[16];
  snprintf(name, sizeof name, "sm_%d", (int)lac_device_architecture());
  return name;
}

static bool gpu_here(bool runs, const char **device, char **error) {
  const char *why;
  if (lac_device_is_there(&why)) {
    *device = architecture_here();
    return true;
  }
  *device = pipeline_usual_gpu;
  return !runs ||
         failure_tell(error, "%s (the target gpu-emulated runs the same kernels on the CPU)", why);
}

static bool gpu_named(const char *architecture, bool runs, const char **device, char **error) {
  if (!is_architecture(architecture))
    return failure_tell(error, "expected an architecture as in gpu:sm_90, found '%s'",
                        architecture);
  bool here = !runs || gpu_here(runs, device, error);
  *device = architecture;
  return here;
}

static bool find_device(const char *target, bool runs, const char **device, char **error) {
  if (!strcmp(target, "cpu"))
    return true;
  if (!strcmp(target, "auto")) {
    if (lac_device_is_there(NULL))
      *device = architecture_here();
    return true;
  }
  if (!strcmp(target, "gpu-emulated")) {
    *device = "emulated";
    return true;
  }
  if (!strcmp(target, "gpu"))
    return gpu_here(runs, device, error);
  if (!strncmp(target, prefix, sizeof prefix - 1))
    return gpu_named(target + sizeof prefix - 1, runs, device, error);
  return failure_tell(
      error, "expected a target, cpu, gpu, gpu:sm_90, gpu-emulated or auto, found '%s'", target);
}

/* What the environment says is told as such where it is wrong. */
static bool find_usual_device(bool runs, const char **device, char **error) {
  const char *target = getenv("LACUNA_TARGET");
  if (!target || !*target || find_device(target, runs, device, error))
    return true;
  char *problem = *error;
  failure_tell(error, "LACUNA_TARGET: %s", problem ? problem : "no memory");
  free(problem);
  return false;
}

bool device_target_is_optional(const char *target) {
  return !target || !strcmp(target, "auto");
}

bool device_target(const char *target, bool runs, const char **device, char **error) {
  *device = *error = NULL;
  return target ? find_device(target, runs, device, error) : find_usual_device(runs, device, error);
}
