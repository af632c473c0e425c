/* lac_version.c - which Lacuna this is, and the symbol that compiled kernels ask for. */
#include "lac_version.h"

#include "lac_tensor.h"

const char *lac_version(void) {
  return LACUNA_VERSION_STRING;
}

/* lac_runtime_abi_<LAC_ABI_VERSION> */
#define NAMED_BY(version) lac_runtime_abi_##version
#define ABI_SYMBOL(version) NAMED_BY(version)
extern const int32_t ABI_SYMBOL(LAC_ABI_VERSION);
const int32_t ABI_SYMBOL(LAC_ABI_VERSION) = LAC_ABI_VERSION;
