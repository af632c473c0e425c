"""Makes the programs that are measured, and the operands."""

import hashlib
import os
import shutil
import string
import subprocess
import sys
from pathlib import Path

from plan import DATA, LACUNA

HERE = Path(__file__).resolve().parent
LLVM = Path("/usr/lib/llvm-22")
HARNESS = ("harness.c", "fingerprint.c")
FLAGS = ("-O3", "-march=native", "-I", str(HERE), "-I", str(HERE / "peers"))
SPARSIFIER = "--sparsifier=enable-runtime-library=false enable-index-optimizations=true " \
             "reassociate-fp-reductions=true vl={}"


# How a file is compiled, by its ending.
COMPILERS = {".c": ("clang", "-std=gnu17"), ".cpp": ("clang++", "-std=c++17"),
             ".ll": ("clang", "-Wno-override-module")}


class Missing(Exception):
    """Something is not there that a peer needs."""


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
    sources."""

    def __init__(self, build, folder, size):
        self.bin, self.folder, self.size = Path(build) / "bin", Path(folder), size

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
        return [HERE / name for name in HARNESS] + [HERE / "harness.h", HERE / "peers/made.h"]

    def program(self, peer, case):
        """The command that runs a peer on a case."""
        source = HERE / "peers" / peer.source
        if peer.source.endswith(".py"):
            return [self.python_with("scipy"), source]
        if peer.source.startswith("mlir/"):
            return [self.mlir_program(source, case)]
        target = self.folder / "bin" / source.stem
        return [self.compile(target, [source, *self.harness()], peer.flags, peer.libraries)]

    def python_with(self, module):
        for python in (sys.executable, "/usr/bin/python3"):
            tried = subprocess.run([python, "-c", f"import {module}"], capture_output=True)
            if not tried.returncode:
                return python
        raise Missing(f"the Python module {module}")

    def mlir_program(self, driver, case):
        """mlir-opt --sparsifier on the kernel with the sizes of the operands; with SIMD where it
        can."""
        sizes = dict(zip("mnp", [*self.shape(case.a)[1:], 1]), r=case.columns)
        template = (driver.parent / f"{case.peers_kernel}.mlir").read_text()
        text = string.Template(template).substitute(sizes)
        name = f"{case.peers_kernel}-{hashlib.sha1(text.encode()).hexdigest()[:12]}"
        code = self.folder / "mlir" / f"{name}.ll"
        if not code.exists():
            code.parent.mkdir(parents=True, exist_ok=True)
            code.write_text(self.sparsify(text))
        return self.compile(code.with_suffix(""), [driver, code, *self.harness()])

    def sparsify(self, text):
        for vector_length in (8, 0):
            try:
                lowered = call([tool("mlir-opt"), SPARSIFIER.format(vector_length)], input=text)
                return call([tool("mlir-translate"), "--mlir-to-llvmir"], input=lowered)
            except Missing as problem:
                last = problem
        raise last

    # Operands ------------------------------------------------------------------------------------

    def shape(self, name):
        """The order and the dimensions."""
        numbers = [int(n) for n in (self.operand(name) / "shape").read_text().split()]
        return numbers[:numbers[0] + 1]

    def operand(self, name):
        """The folder of an operand, made by sparse-gen."""
        folder = self.folder / "data" / self.size / name
        if (folder / "shape").exists():
            return folder
        folder.mkdir(parents=True, exist_ok=True)
        request = DATA[name][self.size].split()
        is_tensor = "--dims" in request
        sizes = request[request.index("--dims") + 1].split("x") if is_tensor else []
        file = folder / ("tensor.tns" if is_tensor else "matrix.mtx")
        call([self.bin / "sparse-gen", *request, "-o", file])
        call([self.bin / "bench-pack", file, folder, *sizes])
        file.unlink()
        return folder

    # The bound -----------------------------------------------------------------------------------

    def bandwidth(self, threads):
        """Bytes a second, by a triad."""
        sources = [HERE / "triad.c", *self.harness()]
        triad = self.compile(self.folder / "bin/triad", sources, ("-fopenmp",))
        megabytes = {"full": 400, "quick": 400, "tiny": 1}[self.size]
        return float(call([triad, megabytes], env=environment(threads)))

    def lacuna(self):
        program = self.bin / f"bench-{LACUNA.lower()}"
        if not program.exists():
            sys.exit(f"error: there is no {program}; build first")
        return [program]


def environment(threads):
    return os.environ | {"OMP_NUM_THREADS": str(threads)}
