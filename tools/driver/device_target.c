/* device_target.c - see device_target.h. */
#include "device_target.h"

#include "complain.h"
#include "lac_device.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char without_gpu[] = "sm_90";

/* "sm_90", "sm_90a" */
static bool is_architecture(const char *text) {
  if (strncmp(text, "sm_", 3) != 0)
    return false;
  size_t digits = strspn(text + 3, "0123456789");
  const char *rest = text + 3 + digits;
  return digits >= 2 && digits <= 3 && (!*rest || (islower((unsigned char)*rest) && !rest[1]));
}

bool is_device_target(const char *target) {
  return !strcmp(target, "cpu") || !strcmp(target, "auto") || !strcmp(target, "gpu-emulated") ||
         !strcmp(target, "gpu") || !strncmp(target, "gpu:", 4);
}

static const char *architecture_here(void) {
  static char name[16];
  snprintf(name, sizeof name, "sm_%d", (int)lac_device_architecture());
  return name;
}

static bool gpu_here(bool runs, const char **device) {
  const char *why;
  if (lac_device_is_there(&why)) {
    *device = architecture_here();
    return true;
  }
  *device = without_gpu;
  return !runs || complain("--target gpu: %s (gpu-emulated runs the same kernels on the CPU)", why);
}

static bool gpu_named(const char *architecture, bool runs, const char **device) {
  if (!is_architecture(architecture))
    return complain("--target gpu: expected an architecture as in gpu:sm_90, found '%s'",
                    architecture);
  bool here = !runs || gpu_here(runs, device);
  *device = architecture;
  return here;
}

bool device_target(const char *target, bool runs, const char **device) {
  *device = NULL;
  if (!target || !strcmp(target, "cpu"))
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
    return gpu_here(runs, device);
  if (!strncmp(target, "gpu:", 4))
    return gpu_named(target + 4, runs, device);
  return complain("--target expects cpu, gpu, gpu:sm_90, gpu-emulated or auto, found '%s'", target);
}
