// Plugin.cpp - liblacuna as a plug-in of other tools on MLIR:
//
//     mlir-opt --load-dialect-plugin=liblacuna.so --load-pass-plugin=liblacuna.so
//              --pass-pipeline="builtin.module(sparse-cpu)"

#include "lac_version.h"
#include "lacuna.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Lacuna", LACUNA_VERSION_STRING,
          [](mlir::DialectRegistry *registry) { lacuna_register_dialects(wrap(registry)); }};
}

mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Lacuna", LACUNA_VERSION_STRING, lacuna_register_all_passes};
}
