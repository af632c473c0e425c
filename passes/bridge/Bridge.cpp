// Bridge.cpp - joins the passes declared in Passes.td to the C functions of bridge.h.
//
//     Passes.td: name, summary, options --mlir-tblgen--> impl::<Pass>Base --FORWARD--> <pass>_run

#include "bridge.h"
#include "register.h"

#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Complex.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/NVVM.h"
#include "mlir-c/Dialect/OpenMP.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/Vector.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

// What the passes may make operations of: each pass loads all of it, so that none forgets one.
static void addDialects(mlir::DialectRegistry &registry) {
  const MlirDialectHandle handles[] = {
      mlirGetDialectHandle__arith__(),  mlirGetDialectHandle__complex__(),
      mlirGetDialectHandle__func__(),   mlirGetDialectHandle__gpu__(),
      mlirGetDialectHandle__llvm__(),   mlirGetDialectHandle__math__(),
      mlirGetDialectHandle__memref__(), mlirGetDialectHandle__nvvm__(),
      mlirGetDialectHandle__omp__(),    mlirGetDialectHandle__scf__(),
      mlirGetDialectHandle__vector__(),
  };
  for (MlirDialectHandle handle : handles)
    mlirDialectHandleInsertDialect(handle, wrap(&registry));
  lacuna_register_dialects(wrap(&registry));
}

namespace lacuna {
#define GEN_PASS_DECL
#define GEN_PASS_DEF_TINEXPANDEINSUM
#define GEN_PASS_DEF_TINEXPANDSYMMETRY
#define GEN_PASS_DEF_TINEXPANDCONSTANTS
#define GEN_PASS_DEF_TINCONVERTREMAPPED
#define GEN_PASS_DEF_TINHOISTCONVERSIONS
#define GEN_PASS_DEF_TINFACTORREDUCTIONS
#define GEN_PASS_DEF_TINSPLITTERMS
#define GEN_PASS_DEF_TININSERTCONVERSIONS
#define GEN_PASS_DEF_TINLOWERCONVERSIONS
#define GEN_PASS_DEF_TINTOCIN
#define GEN_PASS_DEF_CINSCHEDULE
#define GEN_PASS_DEF_CININSERTCONVERSIONS
#define GEN_PASS_DEF_CINVECTORIZE
#define GEN_PASS_DEF_CINSINKREDUCTIONS
#define GEN_PASS_DEF_CINTILE
#define GEN_PASS_DEF_CININSERTWORKSPACES
#define GEN_PASS_DEF_CINCHOOSEASSEMBLY
#define GEN_PASS_DEF_CINPARALLELIZE
#define GEN_PASS_DEF_CINUNROLL
#define GEN_PASS_DEF_PRINTDOT
#define GEN_PASS_DEF_SPARSIFY
#define GEN_PASS_DEF_SITCHOOSESTRATEGIES
#define GEN_PASS_DEF_LOWERSIT
#define GEN_PASS_DEF_LOWERHANDLES
#define GEN_PASS_DEF_LOWERARRAYS
#define GEN_PASS_DEF_LOWERNARROWFLOATS
#define GEN_PASS_DEF_LOWERPARALLEL
#define GEN_PASS_DEF_HOISTLAUNCHARRAYS
#define GEN_PASS_DEF_GATHERKERNELS
#define GEN_PASS_DEF_NARROWLAUNCHES
#define GEN_PASS_DEF_LOWERLAUNCHES
#define GEN_PASS_DEF_MARKSTEPS
#define GEN_PASS_DEF_LINKDEVICEFUNCTIONS
#define GEN_PASS_DEF_LOWERIMAGES
#include "Passes.h.inc"

// FORWARD(Class, call): a pass whose run is `call`, with `root` in it; 0 is success.
#define FORWARD(Class, ...)                                                                        \
  struct Class : impl::Class##Base<Class> {                                                        \
    using Class##Base::Class##Base;                                                                \
    void getDependentDialects(mlir::DialectRegistry &registry) const override {                    \
      addDialects(registry);                                                                       \
    }                                                                                              \
    void runOnOperation() override {                                                               \
      mlir::Operation *op = getOperation();                                                        \
      MlirOperation root = wrap(op);                                                               \
      if (__VA_ARGS__)                                                                             \
        signalPassFailure();                                                                       \
    }                                                                                              \
  };

namespace {
template <typename Options>
bool with(int (*pass)(MlirOperation, const Options *), MlirOperation root, const Options &options) {
  return pass(root, &options);
}

FORWARD(TinExpandEinsum, tin_expand_einsum_run(root, nullptr))
FORWARD(TinExpandSymmetry, tin_expand_symmetry_run(root, nullptr))
FORWARD(TinExpandConstants, tin_expand_constants_run(root, nullptr))
FORWARD(TinConvertRemapped, tin_convert_remapped_run(root, nullptr))
FORWARD(TinHoistConversions, tin_hoist_conversions_run(root, nullptr))
FORWARD(TinFactorReductions, with(tin_factor_reductions_run, root, {strict}))
FORWARD(TinSplitTerms, tin_split_terms_run(root, nullptr))
FORWARD(TinInsertConversions, tin_insert_conversions_run(root, nullptr))
FORWARD(TinLowerConversions, tin_lower_conversions_run(root, nullptr))
FORWARD(TinToCin, tin_to_cin_run(root, nullptr))
FORWARD(CinSchedule,
        with(cin_schedule_run, root, {schedule.c_str(), deterministic, proposals.c_str()}))
FORWARD(CinInsertConversions, with(cin_insert_conversions_run, root, {policies.c_str(), bytes}))
FORWARD(CinVectorize, with(cin_vectorize_run, root, {gathers}))
FORWARD(CinSinkReductions, cin_sink_reductions_run(root, nullptr))
FORWARD(CinTile, with(cin_tile_run, root, {cache, beyond}))
FORWARD(CinInsertWorkspaces,
        with(cin_insert_workspaces_run, root, {strict, policies.c_str(), bytes, remarks}))
FORWARD(CinChooseAssembly, cin_choose_assembly_run(root, nullptr))
FORWARD(CinParallelize,
        with(cin_parallelize_run, root, {threads, strict, gpu, deterministic, remarks}))
FORWARD(CinUnroll, cin_unroll_run(root, nullptr))
FORWARD(PrintDot, print_dot_run(root, nullptr))
FORWARD(Sparsify, with(sparsify_run, root, {strict}))
FORWARD(SitChooseStrategies, with(sit_choose_strategies_run, root,
                                  {strict, vectorBits, gathers, slowGathers, off.c_str()}))
FORWARD(LowerSit, with(lower_sit_run, root, {strict, vectorBits, threads, deterministic, gathers}))
FORWARD(LowerHandles, lower_handles_run(root, nullptr))
FORWARD(LowerArrays, lower_arrays_run(root, nullptr))
FORWARD(LowerNarrowFloats, with(lower_narrow_floats_run, root, {half}))
FORWARD(LowerParallel, lower_parallel_run(root, nullptr))
FORWARD(HoistLaunchArrays, hoist_launch_arrays_run(root, nullptr))
FORWARD(GatherKernels, gather_kernels_run(root, nullptr))
FORWARD(NarrowLaunches, with(narrow_launches_run, root, {limit}))
FORWARD(LowerLaunches, with(lower_launches_run, root, {emulated}))
FORWARD(MarkSteps, mark_steps_run(root, nullptr))
FORWARD(LinkDeviceFunctions, link_device_functions_run(root, nullptr))
FORWARD(LowerImages, lower_images_run(root, nullptr))
} // namespace

#define GEN_PASS_REGISTRATION
#include "Passes.h.inc"
} // namespace lacuna

void lacuna_register_passes(void) {
  lacuna::registerLacunaPasses();
  lacuna_read_texts();
}
