# lit's configuration: a test is one file, .mlir, .test or .c, with its RUN lines.
#
# Tools by name: sparse-*, FileCheck, not, split-file, mlir-opt, mlir-translate, mlir-runner.
# Substitutions:
#   %cc, %cxx      compilers as C17 and C++17, with this build's sanitizers and every warning an error
#   %includes      the rooms' headers and MLIR's
#   %runtime       flags to compile and link against the runtime
#   %dialects      flags to link the dialects' room, builder included, with MLIR's C API
#   %passes        the same for the passes, with the dialects
#   %lower         the same for the lowering, level formats included, with the passes
#   %compile       the same for the compiler in a process, with the runtime
#   %lacuna        flags to link liblacuna and the runtime
#   %runtime_lib   the path of liblacuna_runtime.so, %libomp that of OpenMP's
#   %refused       says that a command is refused as it should be (test/Inputs/refused.sh)
#   %undefined     says that objects need no library of a compiler (test/Inputs/undefined.sh)
#   %root, %bin   the folders of the project and of its tools
#   %data          the folder of real tensors (LACUNA_DATA); tests on it need `REQUIRES: data`
import glob
import os
import platform
import shutil

import lit.formats

config.name = "Lacuna"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".c"]
config.excludes = ["Inputs", "differential", "fuzz"]
config.test_source_root = os.path.join(config.source_root, "test")
config.test_exec_root = os.path.join(config.build_root, "test")

# `tools` is a folder of tools that stand for those of the same names (make check-gpu).
path = [os.path.join(config.build_root, "bin"), config.llvm_tools, os.environ["PATH"]]
if "tools" in lit_config.params:
    path.insert(0, lit_config.params["tools"])
config.environment["PATH"] = os.pathsep.join(path)

libraries = os.path.join(config.build_root, "lib")
runtime = os.path.join(libraries, "liblacuna_runtime.so")
capi = " ".join(sorted(glob.glob(os.path.join(config.llvm_libraries, "libMLIRCAPI*.a"))))
llvm = " ".join(os.path.join(config.llvm_libraries, name) for name in ("libMLIR.so", "libLLVM.so"))
dialects = (f"{libraries}/liblacuna_dialects.a -Wl,--start-group {capi} -Wl,--end-group {llvm} "
            f"-Wl,-rpath,{config.llvm_libraries} -lstdc++ -lm")
sanitize = " -fsanitize=" + config.sanitize if config.sanitize else ""
config.substitutions += [
    ("%cc", config.cc + " -std=c17 -Wall -Wextra -Werror" + sanitize),
    ("%cxx", config.cxx + " -std=c++17 -Wall -Wextra -Werror -fno-rtti" + sanitize),
    ("%includes", config.include_flags),
    ("%dialects", dialects),
    ("%lower", f"-Wl,--whole-archive {libraries}/liblacuna_lower.a -Wl,--no-whole-archive "
               f"{libraries}/liblacuna_passes.a {dialects}"),
    ("%passes", f"{libraries}/liblacuna_passes.a {dialects}"),
    ("%compile", f"{libraries}/liblacuna_compile.a -Wl,--whole-archive {libraries}/liblacuna_lower.a "
                 f"-Wl,--no-whole-archive {libraries}/liblacuna_passes.a {dialects} {runtime} -Wl,-rpath,{libraries}"),
    ("%lacuna", f"-L{libraries} -llacuna -llacuna_runtime -Wl,-rpath,{libraries} "
                f"-Wl,-rpath-link,{config.llvm_libraries} -lm"),
    ("%runtime_lib", runtime),
    ("%runtime", f"-I{config.source_root}/runtime {runtime} -Wl,-rpath,{libraries} -lm"),
    ("%libomp", os.path.join(config.llvm_libraries, "libomp.so")),
    ("%refused", f"bash {config.source_root}/test/Inputs/refused.sh"),
    ("%undefined", f"{config.source_root}/test/Inputs/undefined.sh"),
    ("%root", config.source_root),
    ("%bin", os.path.join(config.build_root, "bin")),
]

if shutil.which("localedef", path=config.environment["PATH"]):
    config.available_features.add("localedef")
ptxas = shutil.which("ptxas", path=os.pathsep.join(path + sorted(glob.glob("/usr/local/cuda*/bin"))))
if ptxas:
    config.available_features.add("ptxas")
    config.environment["PATH"] += os.pathsep + os.path.dirname(ptxas)
if glob.glob("/usr/local/cuda/nvvm/libdevice/*.bc") + glob.glob("/usr/lib/cuda/nvvm/libdevice/*.bc"):
    config.available_features.add("libdevice")
if platform.machine() == "x86_64":
    config.available_features.add("x86-64")

# Tensors of tests are small, and what runs on threads is tested with them.
config.environment["LACUNA_THREADS_FROM"] = "0"
config.environment["LACUNA_STREAM_FROM"] = "0"
config.environment["OMP_WAIT_POLICY"] = "passive"  # teams are larger than the machine
config.environment["MALLOC_PERTURB_"] = "165"  # nothing is zero by chance

data = os.environ.get("LACUNA_DATA", "")
if os.path.isdir(data):
    config.available_features.add("data")
    config.environment["LACUNA_DATA"] = data
    config.substitutions.append(("%data", data))

# What takes minutes is for `make check-long`, as are each of several numbers of threads, each of the
# allocations that may fail, and all of the code as fast as LLVM makes it: that which it has not optimized
# is made in a third of the time.  Variants have it fast, and the differential tester some of its cases.
if "long" in lit_config.params:
    config.available_features.add("long")
else:
    config.environment.update(THREADS="3", EVERY="3")
    if "variant" not in lit_config.params:
        config.environment["LACUNA_OPTIMIZE"] = "0"

# The executed tests are run once more for each variant of cmake/setup.sh: what it sets is for the
# tools, its name and `variant` are features, and `gpu` where kernels run on one, emulated or not.
if "variant" in lit_config.params:
    config.available_features.update(("variant", lit_config.params["variant"]))
    config.environment.update((name, value) for name, value in os.environ.items() if name.startswith("LACUNA_"))
    if os.environ.get("LACUNA_TARGET", "cpu") != "cpu":
        config.available_features.add("gpu")
        # What is printed instead of being run is the CPU's, which the tests expect.
        config.substitutions.append(
            (r"((?<=sparse-run)|(?<=sparse-cc))(?= [^|]*--(emit (?!so|obj)|explain|print-schedule))",
             " --target cpu"))

# mlir-runner is not ours: in a build with sanitizers it loads the runtime, which is, after theirs.
if config.sanitize:
    config.available_features.add("sanitizer")
    kind = "tsan" if "thread" in config.sanitize else "asan"
    preload = glob.glob(f"{config.llvm_libraries}/clang/*/lib/linux/libclang_rt.{kind}-x86_64.so")
    config.substitutions.append(
        (r"(?<![\w/-])mlir-runner", f"env LD_PRELOAD={preload[0]} ASAN_OPTIONS=detect_leaks=0 "
                                   f"{config.llvm_tools}/mlir-runner"))
sanitizers = os.path.join(config.source_root, "test", "sanitizers")
config.environment["ASAN_OPTIONS"] = "detect_leaks=1:allow_user_poisoning=0:allocator_may_return_null=1"
config.environment["LSAN_OPTIONS"] = f"print_suppressions=0:suppressions={sanitizers}/lsan.supp"
config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
config.environment["TSAN_OPTIONS"] = f"ignore_noninstrumented_modules=1:suppressions={sanitizers}/tsan.supp"
for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "OMP_NUM_THREADS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
