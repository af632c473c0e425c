/* sparse-opt - mlir-opt with the dialects, passes and pipelines of Lacuna. */
#include "bridge.h"
#include "complain.h"
#include "lacuna.h"
#include "version.h"

#include <llvm/Config/llvm-config.h>

int main(int argc, char **argv) {
  if (version_asked(argc, argv)) {
    version_print("sparse-opt", LLVM_VERSION_STRING);
    return !output_is_written();
  }
  lacuna_register_all_passes();
  return lacuna_opt_main(argc, argv, "Lacuna's optimizer driver\n");
}
