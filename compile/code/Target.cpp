// Target.cpp - processors and their features, asked of LLVM's tables.

#include "target.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <mutex>
#include <string>

void target_initialize(void) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  });
}

void target_initialize_all(void) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
  });
}

bool target_is_supported(const char *triple) {
  std::string error;
  const llvm::Triple machine(triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(machine, error);
  return target && target->hasTargetMachine() && machine.isArch64Bit() && !machine.isGPU();
}

const char *target_plain_cpu(const char *triple) {
  return llvm::Triple(triple).isX86() ? "x86-64" : "generic";
}

static std::unique_ptr<llvm::MCSubtargetInfo> subtarget(const char *triple, const char *cpu,
                                                        const char *features) {
  target_initialize();
  std::string error;
  const llvm::Triple machine(triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(machine, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(machine, cpu, features));
}

bool target_knows_cpu(const char *triple, const char *cpu) {
  auto known = subtarget(triple, "", "");
  return known && known->isCPUStringValid(cpu);
}

bool target_has_feature(const char *triple, const char *cpu, const char *features,
                        const char *feature) {
  auto machine = subtarget(triple, cpu, features);
  return machine && machine->checkFeatures(feature);
}
