/* sparse-lsp-server - mlir-lsp-server with the dialects of Lacuna: an editor starts it and speaks
 * the Language Server Protocol with it on standard input and output. */
#include "bridge.h"

int main(int argc, char **argv) {
  return lacuna_lsp_main(argc, argv);
}
