// LspMain.cpp - a language server like mlir-lsp-server that also knows Lacuna's dialects.

#include "bridge.h"
#include "register.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/PrettyStackTrace.h"

int lacuna_lsp_main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  llvm::setBugReportMsg(lacuna_bug_report);
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  lacuna_register_dialects(wrap(&registry));
  lacuna_read_texts();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
