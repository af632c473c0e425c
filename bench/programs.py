"""Makes the programs that are measured, and the operands."""

import hashlib
import json
import os
import shutil
import string
import subprocess
import sys
import time
from pathlib import Path

from data import real_files
from machine import vector_bits, vector_flags
from peers import LACUNA, Missing, flags_and_libraries

HERE = Path(__file__).resolve().parent
LLVM = Path("/usr/lib/llvm-22")
HARNESS = ("harness.c", "operands.c", "fingerprint.c")
HEADERS = ("harness.h", "operands.h", "fingerprint.h", "peers/made.h")
FLAGS = ("-O3", *vector_flags(), "-I", str(HERE), "-I", str(HERE / "peers"))
OF_TYPE = {"f64": (), "f32": ("-DBENCH_F32",)}
BITS = {"f64": 64, "f32": 32}
LOWER = "-lower"
TAPS = 3  # of a filter, as BENCH_TAPS

# MLIR's pipeline for sparse tensors, and the same with its outermost loop in parallel: the pipeline
# lowers parallel loops to serial ones, so it is given pass by pass, with OpenMP in between.
SPARSIFIER = ("--sparsifier=enable-runtime-library=false enable-index-optimizations=true "
              "reassociate-fp-reductions=true vl={}")
VECTORS_TO_LLVM = "convert-vector-to-llvm{{force-32bit-vector-indices=true " \
                  "reassociate-fp-reductions=true}}"
PARALLEL_SPARSIFIER = (
    "--pass-pipeline=builtin.module(func.func(linalg-generalize-named-ops),"
    "func.func(linalg-fuse-elementwise-ops),sparsification-and-bufferization{{"
    "enable-simd-index32=true parallelization-strategy=any-storage-outer-loop vl={}}},"
    "sparse-storage-specifier-to-llvm,func.func(canonicalize),func.func(convert-linalg-to-loops),"
    "func.func(convert-vector-to-scf),func.func(expand-realloc),convert-scf-to-openmp,"
    "canonicalize,func.func(convert-scf-to-cf),expand-strided-metadata,lower-affine,"
    f"convert-openmp-to-llvm,{VECTORS_TO_LLVM},func.func(arith-expand),"
    f"func.func(convert-math-to-llvm),convert-math-to-libm,{VECTORS_TO_LLVM},convert-to-llvm,"
    "reconcile-unrealized-casts)")

# How a file is compiled, by its ending.
COMPILERS = {".c": ("clang", "-std=gnu17"), ".cpp": ("clang++", "-std=c++17"),
             ".ll": ("clang", "-Wno-override-module")}


def tool(name):
    """The path of a tool of LLVM 22, under Debian's name or LLVM's own."""
    path = shutil.which(f"{name}-22") or shutil.which(name, path=LLVM / "bin")
    if not path:
        raise Missing(f"{name}-22")
    return path


def call(command, **options):
    """Runs a command; its complaint is the exception's text."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if "error" in line]
        raise Missing(lines[0][:200] if lines else f"{command[0]} failed")
    return done.stdout


class Workshop:
    """The programs and operands in a folder, made where they are missing or older than their
    sources; operands of certain sizes (data.py)."""

    def __init__(self, build, folder, sizes):
        self.bin, self.folder, self.sizes = Path(build) / "bin", Path(folder), sizes
        self.real = real_files()

    # Programs ------------------------------------------------------------------------------------

    def compile(self, target, sources, flags=(), libraries=()):
        """Compiles sources and links them; the headers among them only tell whether to."""
        if target.exists() and all(target.stat().st_mtime > s.stat().st_mtime for s in sources):
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        objects = [self.compile_one(target, s, flags) for s in sources if s.suffix in COMPILERS]
        libraries = [*libraries, *(f for f in flags if f == "-fopenmp")]
        call([tool("clang++"), *objects, "-o", target, *libraries, "-lm",
              f"-Wl,-rpath,{LLVM / 'lib'}"])
        return target

    def compile_one(self, target, source, flags):
        made = target.with_name(f"{target.name}-{source.stem}.o")
        compiler, *language = COMPILERS[source.suffix]
        call([tool(compiler), *language, *FLAGS, *flags, "-c", source, "-o", made])
        return made

    def harness(self):
        return [HERE / name for name in (*HARNESS, *HEADERS)]

    def program(self, peer, case):
        """The command that runs a peer on a case."""
        source = HERE / "peers" / peer.source
        if peer.source.endswith(".py"):
            return [self.python_with("scipy"), source, case.type]
        if peer.source.startswith("mlir/"):
            return [self.mlir_program(peer, source, case)]
        target = self.folder / "bin" / f"{source.stem}-{case.type}"
        flags, libraries = flags_and_libraries(peer)
        return [self.compile(target, [source, *self.harness()], (*flags, *OF_TYPE[case.type]),
                             libraries)]

    def python_with(self, module):
        for python in (sys.executable, "/usr/bin/python3"):
            tried = subprocess.run([python, "-c", f"import {module}"], capture_output=True)
            if not tried.returncode:
                return python
        raise Missing(f"the Python module {module}")

    def mlir_program(self, peer, driver, case):
        """MLIR's sparsifier on the kernel with the sizes of the operands; with SIMD where it can."""
        sizes = dict(zip("mnpq", [*self.shape(case.a)[1:], 1, 1, 1]), r=case.columns,
                     s=self.shape(case.b or case.a)[-1])
        sizes |= {f"{letter}_out": sizes[letter] - (TAPS - 1) for letter in "mnp"}
        template = (driver.parent / f"{case.peers_kernel}.mlir").read_text()
        text = string.Template(template).substitute(sizes).replace("f64", case.type)
        pipeline = PARALLEL_SPARSIFIER if peer.only_threaded else SPARSIFIER
        key = hashlib.sha1((text + pipeline).encode()).hexdigest()[:12]
        code = self.folder / "mlir" / f"{case.peers_kernel}-{key}.ll"
        if not code.exists():
            code.parent.mkdir(parents=True, exist_ok=True)
            self.sparsify(code, text, pipeline, BITS[case.type])
        return self.compile(code.with_suffix(""), [driver, code, *self.harness()],
                            (*peer.flags, *OF_TYPE[case.type]))

    def sparsify(self, code, text, pipeline, bits):
        """Writes LLVM IR, and beside it how long that and compiling it take (mlir_seconds)."""
        for vector_length in (vector_bits() // bits, 0):
            try:
                start = time.monotonic()
                lowered = call([tool("mlir-opt"), pipeline.format(vector_length)], input=text)
                code.write_text(call([tool("mlir-translate"), "--mlir-to-llvmir"], input=lowered))
                call([tool("clang"), "-Wno-override-module", *FLAGS, "-c", code, "-o", os.devnull])
                seconds = time.monotonic() - start
                return code.with_suffix(".json").write_text(json.dumps({"seconds": seconds}))
            except Missing as problem:
                last = problem
        raise last

    def mlir_seconds(self, command):
        """How long MLIR took to make a program, as sparsify saw."""
        told = Path(command[0]).with_suffix(".json")
        return json.loads(told.read_text())["seconds"] if told.exists() else None

    # Operands ------------------------------------------------------------------------------------

    def shape(self, name):
        """The order and the dimensions."""
        numbers = [int(n) for n in (self.operand(name) / "shape").read_text().split()]
        return numbers[:numbers[0] + 1]

    def operand(self, name):
        """The folder of an operand, made by sparse-gen, or of a file of somebody's."""
        request = self.real_request(name) or self.sizes.request(name)
        key = hashlib.sha1(request.encode()).hexdigest()[:12]
        folder = self.folder / "data" / f"{name}-{key}"
        if not (folder / "shape").exists():
            folder.mkdir(parents=True, exist_ok=True)
            self.make_operand(name, request, folder)
        return folder

    def real_request(self, name):
        """A file of somebody's, "NAME-lower" its entries below the diagonal; None for other names."""
        file = self.real.get(name.removesuffix(LOWER))
        return f"{file}; lower ones" if file and name.endswith(LOWER) else file and str(file)

    def make_operand(self, name, request, folder):
        made, _, how = request.partition("; ")
        if self.real_request(name):
            call([self.bin / "bench-pack", made, folder, *how.split()])
            return
        words = made.split()
        is_tensor = "--dims" in words
        sizes = words[words.index("--dims") + 1].split("x") if is_tensor else []
        file = folder / ("tensor.tns" if is_tensor else "matrix.mtx")
        call([self.bin / "sparse-gen", *words, "-o", file])
        call([self.bin / "bench-pack", file, folder, *how.split(), *sizes])
        file.unlink()

    # The bound -----------------------------------------------------------------------------------

    def bandwidth(self, threads):
        """Bytes a second, by a triad on arrays that are beyond the caches."""
        sources = [HERE / "triad.c", *self.harness()]
        triad = self.compile(self.folder / "bin/triad", sources, ("-fopenmp",))
        megabytes = max(400, min(4 * self.sizes.cache, self.sizes.memory // 8) // 1000000)
        return float(call([triad, megabytes if self.sizes.size != "tiny" else 1],
                          env=environment(threads)))

    def lacuna(self, case):
        program = self.bin / ("bench-lacuna" + "-f32" * (case.type == "f32"))
        if not program.exists():
            sys.exit(f"error: there is no {program}; build first")
        return [program]


def environment(threads):
    """Everyone's memory is asked for in huge pages, as Lacuna asks for its own; and TACO compiles as
    everyone is compiled."""
    flags = ("-O3", "-ffast-math", "-std=c99", *vector_flags())
    return os.environ | {"OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads),
                         "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
                         "TACO_CC": tool("clang"), "TACO_CFLAGS": " ".join(flags)}
