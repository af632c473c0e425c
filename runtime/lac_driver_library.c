/* lac_driver_library.c - the CUDA driver's library, opened when it is needed first. */
#include "lac_driver_library.h"

#include "lac_error.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

lac_cuda_functions lac_cuda;
static bool is_open;

static const struct {
  const char *name;
  size_t at;
} functions[] = {
#define LAC_CUDA_FUNCTION(name, parameters) {#name, offsetof(lac_cuda_functions, name)},
    LAC_CUDA_FUNCTIONS(LAC_CUDA_FUNCTION)
#undef LAC_CUDA_FUNCTION
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* The first name that the library does not have; NULL where it has all. */
static const char *find_functions(void *library) {
  for (int i = 0; i < FUNCTIONS; i++) {
    void *found = dlsym(library, functions[i].name);
    if (!found)
      return functions[i].name;
    memcpy((char *)&lac_cuda + functions[i].at, &found, sizeof found);
  }
  return NULL;
}

int32_t lac_driver_library_open(void) {
  if (is_open)
    return LAC_OK;
  const char *said = getenv("LACUNA_CUDA"), *name = said && *said ? said : "libcuda.so.1";
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return lac_error_set(LAC_ERROR_DEVICE, "expected a CUDA driver (%s), found none: %s", name,
                         dlerror());
  const char *missing = find_functions(library);
  is_open = !missing;
  if (is_open)
    return LAC_OK;
  dlclose(library);
  return lac_error_set(LAC_ERROR_DEVICE, "expected a CUDA driver (%s), found one without %s", name,
                       missing);
}

int32_t lac_driver_check(const char *function, int result) {
  if (result == LAC_CUDA_SUCCESS)
    return LAC_OK;
  const char *name = NULL, *text = NULL;
  if (lac_cuda.cuGetErrorName(result, &name) != LAC_CUDA_SUCCESS || !name)
    name = "an error unknown to it";
  if (lac_cuda.cuGetErrorString(result, &text) != LAC_CUDA_SUCCESS || !text)
    text = "no description";
  return lac_error_set(result == LAC_CUDA_OUT_OF_MEMORY ? LAC_ERROR_MEMORY : LAC_ERROR_DEVICE,
                       "%s of the CUDA driver gave %s (%d): %s", function, name, result, text);
}
