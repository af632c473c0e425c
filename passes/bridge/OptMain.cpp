// OptMain.cpp - a tool like mlir-opt that also knows Lacuna's dialects, passes and pipelines.

#include "bridge.h"
#include "level_format.h"
#include "module_text.h"
#include "register.h"
#include "statistics.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/ToolOutputFile.h"

#include <cstdlib>

namespace {
struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<std::string> schedule{*this, "schedule", llvm::cl::init(""),
                               llvm::cl::desc("Schedule commands, applied in their order")};
  Option<int64_t> threads{*this, "threads", llvm::cl::init(1),
                          llvm::cl::desc("Number of threads; 0 takes what OpenMP gives")};
  Option<bool> strict{*this, "strict", llvm::cl::init(false),
                      llvm::cl::desc("Keep the program's order in floating-point sums")};
  Option<bool> deterministic{*this, "deterministic", llvm::cl::init(false),
                             llvm::cl::desc("The same bits on any number of threads")};
  Option<std::string> workspaces{*this, "workspaces", llvm::cl::init(""),
                                 llvm::cl::desc("Policies of workspaces: hash, or w:hash,dense")};
  Option<int64_t> bytes{*this, "bytes", llvm::cl::init(0),
                        llvm::cl::desc("Of memory for entries that are recorded; 0: enough")};
  Option<int64_t> cache{*this, "cache", llvm::cl::init(0),
                        llvm::cl::desc("Bytes that a tile may touch; negative makes no tiles")};
  Option<int64_t> beyond{*this, "beyond", llvm::cl::init(0),
                         llvm::cl::desc("Bytes from which a result is taken to be in no cache")};
  Option<std::string> interleave{*this, "interleave", llvm::cl::init(""),
                                 llvm::cl::desc("Passes to run after each of the pipeline's")};
  Option<int64_t> vectorBits{*this, "vector-bits", llvm::cl::init(0),
                             llvm::cl::desc("Bits of a vector: 128, 256 or 512 (0)")};
  Option<bool> nativeHalf{*this, "native-half", llvm::cl::init(false),
                          llvm::cl::desc("The processor converts f16 from and to f32")};
  Option<bool> gathers{*this, "gathers", llvm::cl::init(true),
                       llvm::cl::desc("The processor has fast gathers")};
  Option<std::string> device{*this, "device", llvm::cl::init(""),
                             llvm::cl::desc("The GPU: sm_90, ..., or emulated")};
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
        const lacuna_pipeline_options options = {
            given.schedule.c_str(),
            given.threads,
            given.strict,
            given.cache,
            given.beyond,
            given.interleave.empty() ? nullptr : given.interleave.c_str(),
            given.vectorBits,
            given.nativeHalf,
            !given.gathers,
            given.deterministic,
            given.workspaces.c_str(),
            given.bytes,
            given.device.c_str(),
            false};
        if (failed(append(manager, text, options)))
          llvm::errs() << "error: the pipeline's text does not parse\n";
      });
}

const char lacuna_bug_report[] =
    "This is a defect of Lacuna or of a level format that was loaded, not of the input. Please "
    "report "
    "it where you have Lacuna from, with the input, the command and the lines below.\n";

namespace {
bool loadLevelFormats(const llvm::cl::list<std::string> &libraries) {
  for (const std::string &library : libraries) {
    const char *problem = nullptr;
    if (level_format_load(library.c_str(), &problem))
      continue;
    llvm::errs() << "error: --load-level-format " << library << ": " << problem << "\n";
    return false;
  }
  return true;
}

std::unique_ptr<llvm::MemoryBuffer> readSound(const std::string &path) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = mlir::openInputFile(path, &error);
  if (!buffer) {
    llvm::errs() << "error: " << error << "\n";
    return nullptr;
  }
  module_text_problem problem;
  if (module_text_is_sound(buffer->getBufferStart(), buffer->getBufferSize(), &problem))
    return buffer;
  llvm::errs() << path << ":" << problem.line << ":" << problem.column
               << ": error: " << problem.message << "\n";
  return nullptr;
}

// Left alone, LLVM ends the process over a stream that it could not write to.
mlir::LogicalResult isWritten(llvm::raw_fd_ostream &stream, const std::string &path) {
  stream.flush();
  if (!stream.has_error())
    return mlir::success();
  llvm::errs() << "error: " << (path == "-" ? "standard output" : path)
               << ": cannot be written: " << stream.error().message() << "\n";
  stream.clear_error();
  return mlir::failure();
}

// Whether MLIR was asked for its report of statistics, which has none in LLVM as it is packaged.
bool isAskedForStatistics() {
  llvm::cl::Option *asked = llvm::cl::getRegisteredOptions().lookup("mlir-pass-statistics");
  return asked && asked->getNumOccurrences() > 0;
}

mlir::LogicalResult optimize(const std::string &from, const std::string &to,
                             mlir::DialectRegistry &registry) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = readSound(from);
  if (!buffer)
    return mlir::failure();
  std::unique_ptr<llvm::ToolOutputFile> output = mlir::openOutputFile(to, &error);
  if (!output) {
    llvm::errs() << "error: " << error << "\n";
    return mlir::failure();
  }
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  mlir::LogicalResult done = mlir::MlirOptMain(output->os(), std::move(buffer), registry, config);
  if (isAskedForStatistics())
    statistics_print(stderr);
  if (failed(done))
    return mlir::failure();
  if (failed(isWritten(output->os(), to)))
    return mlir::failure();
  output->keep();
  return mlir::success();
}

struct Arguments {
  llvm::cl::opt<std::string> from{llvm::cl::Positional, llvm::cl::desc("<input file>"),
                                  llvm::cl::init("-")};
  llvm::cl::opt<std::string> to{"o", llvm::cl::desc("Output filename"),
                                llvm::cl::value_desc("filename"), llvm::cl::init("-")};
  llvm::cl::list<std::string> libraries{"load-level-format", llvm::cl::value_desc("library"),
                                        llvm::cl::desc("Load level formats of your own")};
};

// LLVM's own handling would say `sparse-opt: ...` and end the process.
bool parseArguments(int argc, char **argv, const std::string &overview) {
  std::string text;
  llvm::raw_string_ostream problems(text);
  if (llvm::cl::ParseCommandLineOptions(argc, argv, overview, &problems))
    return true;
  llvm::StringRef line = llvm::StringRef(text).split('\n').first;
  llvm::errs() << "error: " << line.substr(line.find(": ") + 2) << "\n";
  return false;
}
} // namespace

int lacuna_opt_main(int argc, char **argv, const char *tool_name) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::registerAllToLLVMIRTranslations(registry);
  lacuna_register_dialects(wrap(&registry));
  llvm::setBugReportMsg(lacuna_bug_report);
  llvm::InitLLVM init(argc, argv);
  static Arguments arguments;
  if (!parseArguments(argc, argv, mlir::registerCLIOptions(tool_name, registry)) ||
      !loadLevelFormats(arguments.libraries))
    return 1;
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, arguments.from, arguments.to, registry));
  return mlir::asMainReturnCode(optimize(arguments.from, arguments.to, registry));
}
