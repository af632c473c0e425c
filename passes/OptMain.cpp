// OptMain.cpp - a tool like mlir-opt that also knows Lacuna's dialects, passes and pipelines.

#include "bridge.h"
#include "register.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include <cstdlib>

namespace {
struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<std::string> schedule{*this, "schedule", llvm::cl::init(""),
                               llvm::cl::desc("Schedule commands, applied in their order")};
  Option<int64_t> threads{*this, "threads", llvm::cl::init(1),
                          llvm::cl::desc("Number of threads; 0 takes what OpenMP gives")};
  Option<bool> strict{*this, "strict", llvm::cl::init(false),
                      llvm::cl::desc("Keep the program's order in floating-point sums")};
};

mlir::LogicalResult append(mlir::OpPassManager &manager, lacuna_pipeline_text *text,
                           const lacuna_pipeline_options &options) {
  char *pipeline = text(&options);
  if (!pipeline)
    return mlir::failure();
  mlir::LogicalResult parsed = mlir::parsePassPipeline(pipeline, manager);
  std::free(pipeline);
  return parsed;
}
} // namespace

void lacuna_register_pipeline(const char *name, const char *description,
                              lacuna_pipeline_text *text) {
  mlir::PassPipelineRegistration<PipelineOptions>(
      name, description, [text](mlir::OpPassManager &manager, const PipelineOptions &given) {
        const lacuna_pipeline_options options = {given.schedule.c_str(), given.threads,
                                                 given.strict};
        if (failed(append(manager, text, options)))
          llvm::errs() << "error: the pipeline's text does not parse\n";
      });
}

int lacuna_opt_main(int argc, char **argv, const char *tool_name) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::registerAllToLLVMIRTranslations(registry);
  lacuna_register_dialects(wrap(&registry));
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, tool_name, registry));
}
