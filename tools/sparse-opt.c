/* sparse-opt - mlir-opt with the dialects, passes and pipelines of Lacuna. */
#include "bridge.h"
#include "pipeline.h"

int main(int argc, char **argv) {
  lacuna_register_passes();
  lacuna_register_pipeline("sparse-cpu", "Lower sparse tensor algebra to the LLVM dialect",
                           sparse_cpu_pipeline);
  lacuna_register_pipeline("sit-to-llvm", "Lower sparse iteration to the LLVM dialect",
                           sparse_cpu_pipeline_from_sit);
  return lacuna_opt_main(argc, argv, "Lacuna's optimizer driver\n");
}
