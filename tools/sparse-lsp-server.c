/* sparse-lsp-server - mlir-lsp-server with the dialects of Lacuna: an editor starts it and speaks
 * the Language Server Protocol with it on standard input and output. */
#include "bridge.h"
#include "complain.h"
#include "version.h"

#include <llvm/Config/llvm-config.h>

int main(int argc, char **argv) {
  if (version_asked(argc, argv)) {
    version_print("sparse-lsp-server", LLVM_VERSION_STRING);
    return !output_is_written();
  }
  return lacuna_lsp_main(argc, argv);
}
