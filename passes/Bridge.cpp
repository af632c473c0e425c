// Bridge.cpp - joins the passes declared in Passes.td to the C functions of bridge.h.
//
//     Passes.td: name, summary, options --mlir-tblgen--> impl::<Pass>Base --FORWARD--> <pass>_run

#include "bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

namespace lacuna {
#define GEN_PASS_DECL
#define GEN_PASS_DEF_TINEXPANDEINSUM
#define GEN_PASS_DEF_TINSPLITTERMS
#define GEN_PASS_DEF_TININSERTCONVERSIONS
#define GEN_PASS_DEF_TINLOWERCONVERSIONS
#define GEN_PASS_DEF_TINTOCIN
#define GEN_PASS_DEF_CINSCHEDULE
#define GEN_PASS_DEF_CININSERTWORKSPACES
#define GEN_PASS_DEF_CINPARALLELIZE
#define GEN_PASS_DEF_SPARSIFY
#define GEN_PASS_DEF_LOWERSIT
#define GEN_PASS_DEF_LOWERHANDLES
#include "Passes.h.inc"

// FORWARD(Class, function): a pass without options.
#define FORWARD(Class, function)                                                                   \
  struct Class : impl::Class##Base<Class> {                                                        \
    using Class##Base::Class##Base;                                                                \
    void runOnOperation() override {                                                               \
      if (function##_run(wrap(getOperation().getOperation()), nullptr))                            \
        signalPassFailure();                                                                       \
    }                                                                                              \
  };

// FORWARD_WITH(Class, function, field...): the fields of the options struct, in its order.
#define FORWARD_WITH(Class, function, ...)                                                         \
  struct Class : impl::Class##Base<Class> {                                                        \
    using Class##Base::Class##Base;                                                                \
    void runOnOperation() override {                                                               \
      const function##_options options = {__VA_ARGS__};                                            \
      if (function##_run(wrap(getOperation().getOperation()), &options))                           \
        signalPassFailure();                                                                       \
    }                                                                                              \
  };

namespace {
FORWARD(TinExpandEinsum, tin_expand_einsum)
FORWARD(TinSplitTerms, tin_split_terms)
FORWARD(TinInsertConversions, tin_insert_conversions)
FORWARD(TinLowerConversions, tin_lower_conversions)
FORWARD(TinToCin, tin_to_cin)
FORWARD_WITH(CinSchedule, cin_schedule, schedule.c_str())
FORWARD(CinInsertWorkspaces, cin_insert_workspaces)
FORWARD_WITH(CinParallelize, cin_parallelize, threads)
FORWARD(Sparsify, sparsify)
FORWARD(LowerSit, lower_sit)
FORWARD(LowerHandles, lower_handles)
} // namespace

#define GEN_PASS_REGISTRATION
#include "Passes.h.inc"
} // namespace lacuna

void lacuna_register_passes(void) {
  lacuna::registerLacunaPasses();
}
