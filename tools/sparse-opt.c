/* sparse-opt - mlir-opt with the dialects, passes and pipelines of Lacuna. */
#include "bridge.h"

int main(int argc, char **argv) {
  lacuna_register_passes();
  return lacuna_opt_main(argc, argv, "Lacuna's optimizer driver\n");
}
