#!/usr/bin/env python3
"""Makes a bundle of kernels for a GPU, to be carried to a machine that has one and nothing of Lacuna:
compiled, each beside the same kernel for the CPU, with a runner that makes the data, compares what both
compute, and times the GPU's.  There it needs a driver, a C compiler, make and libc:

    tar xf lacuna-gpu-bundle.tar.gz && make -C lacuna-gpu-bundle

The bundle comes to build/lacuna-gpu-bundle.tar.gz.
"""

import argparse
import re
import shutil
import sys
import tarfile
from pathlib import Path

import device_counts
import device_times
from device_kernels import FORMS, KERNELS, ROOT, pairs
from programs import call, Missing

NAME = "lacuna-gpu-bundle"
EMULATED = "gpu-emulated"
MOST_BYTES = 40_000_000
HEADERS = ("lac_tensor.h", "lac_device.h", "lac_error.h", "lac_generate.h", "lac_lend.h")
LISTS = {2: "(i, j) -> (i : compressed(nonunique), j : singleton)",
         3: "(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton)"}

MAKEFILE = """\
# Builds the runner and runs all kernels; `make run ONLY=SpMV` those of one title.

CC ?= cc
CFLAGS ?= -O2

run: runner
\t./runner $(ONLY)

runner: runner.c cases.c $(wildcard kernels/*.o) liblacuna_runtime.a
\t$(CC) $(CFLAGS) -Iinclude -Ikernels -o $@ $^ -lm -lpthread -ldl
"""


# Kernels ------------------------------------------------------------------------------------------

class Bundle:
    """A folder that is filled; what was compiled once is there by name."""

    def __init__(self, build, folder, target):
        self.compiler = Path(build) / "bin" / "sparse-cc"
        self.folder, self.target, self.made = folder, target, set()

    def compile(self, name, expression, types, formats, words):
        """An object of a function that runs on any such processor, and its header."""
        if name in self.made:
            return
        self.made.add(name)
        command = [self.compiler, expression, "--name", name, "-c", "--cpu", "x86-64",
                   "-o", self.folder / "kernels" / f"{name}.o", *words]
        for tensor, kind in types.items():
            command += ["-t", f"{tensor}:{kind}"]
        for tensor, form in formats.items():
            command += ["-f", f"{tensor}:#tin.format<{form}>"]
        call(command)

    def pack(self, form, kind):
        """The function that stores a list so."""
        order = FORMS[form].split("->")[0].count(",") + 1
        subscripts = "i,j,k"[:2 * order - 1]
        name = f"pack_{form}_{kind}"
        self.compile(name, f"B({subscripts}) = A({subscripts})", {"A": kind, "B": kind},
                     {"A": LISTS[order], "B": FORMS[form]}, [])
        return name

    def kernel(self, kernel, kind):
        """The names of its function on the GPU, and on the CPU."""
        k = KERNELS[kernel]
        types = {name: kind for name in set(re.findall(r"[A-Za-z]+(?=\()", k.expression))}
        formats = {tensor: FORMS[form] for tensor, form in pairs(k.formats).items()}
        names = [f"{kernel}_{kind}_on_gpu", f"{kernel}_{kind}_on_cpu"]
        self.compile(names[0], k.expression, types, formats, ["--target", self.target])
        self.compile(names[1], k.expression, types, formats, ["--target", "cpu"])
        return names


# The table of cases -------------------------------------------------------------------------------

def accesses(expression):
    """Tensor and subscripts of each operand, in the order of the function's parameters."""
    found = {}
    for name, subscripts in re.findall(r"([A-Za-z]+)\(([^)]*)\)", expression.split("=")[1]):
        found.setdefault(name, subscripts.split(","))
    return found


def size_of(variable, kernel):
    """A size in C: what is told, or -1 - d for dimension d of the data."""
    k = KERNELS[kernel]
    told = pairs(k.sizes)
    if variable in told:
        return told[variable]
    return str(-1 - accesses(k.expression)[k.operands.split()[0]].index(variable))


def operand(bundle, kernel, tensor, kind):
    k = KERNELS[kernel]
    if tensor in k.operands.split():
        return f"{{.pack = {bundle.pack(pairs(k.formats)[tensor], kind)}}}"
    sizes = [size_of(v, kernel) for v in accesses(k.expression)[tensor]]
    return f"{{.order = {len(sizes)}, .sizes = {{{', '.join(sizes)}}}}}"


def data_of(name, words):
    """The initializer of what sparse-gen makes by these words."""
    kind, *words = words.split()
    fields = {"--rows": "rows", "--nnz-per-row": "nnz_per_row", "--block": "block", "--nnz": "nnz"}
    parts = [f'"{name}"', f'"{kind}"']
    for flag, value in zip(words[::2], words[1::2]):
        parts.append(f".dimensions = {{{value.replace('x', ', ')}}}" if flag == "--dims"
                     else f".{fields[flag]} = {value}")
    return ", ".join(parts)


def caller(function, count):
    operands = ", ".join(f"x[{i}]" for i in range(count))
    return f"static int32_t call_{function}(lac_tensor *result, lac_tensor *const *x) {{\n" \
           f"  return {function}(result, {operands});\n}}\n"


def table(bundle, cases, made):
    """cases.c; compiles what it calls."""
    callers, data, rows = {}, {}, []
    for kernel, name, kind in cases:
        print(f"{kernel}, {name}, {kind}", file=sys.stderr)
        functions = bundle.kernel(kernel, kind)
        tensors = list(accesses(KERNELS[kernel].expression))
        operands = ", ".join(operand(bundle, kernel, tensor, kind) for tensor in tensors)
        for function in functions:
            callers[function] = caller(function, len(tensors))
        data[name] = f"static const bundle_data {variable_of(name)} = {{{data_of(name, made[name])}}};"
        rows.append(f'    {{"{KERNELS[kernel].title}", &{variable_of(name)}, LAC_{kind.upper()}, '
                    f"{len(tensors)}, {{{operands}}},\n     call_{functions[0]}, call_{functions[1]}}},")
    includes = "\n".join(f'#include "{name}.h"' for name in sorted(bundle.made))
    return f"/* cases.c - the kernels, and what they run on. */\n#include \"runner.h\"\n\n{includes}\n\n" \
           + "\n".join(callers.values()) + "\n" + "\n".join(data.values()) + "\n\n" \
           + "const bundle_case bundle_cases[] = {\n" + "\n".join(rows) + "\n    {0}};\n"


def variable_of(name):
    return name.replace("-", "_")


# The bundle ---------------------------------------------------------------------------------------

def fill(bundle, build, cases, made):
    folder = bundle.folder
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "kernels").mkdir(parents=True)
    (folder / "include").mkdir()
    for header in HEADERS:
        shutil.copy(ROOT / "runtime" / header, folder / "include")
    for source in (ROOT / "bench" / "bundle").iterdir():
        shutil.copy(source, folder)
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copy(Path(build) / "lib" / "liblacuna_runtime.a", folder)
    (folder / "cases.c").write_text(table(bundle, cases, made))
    (folder / "Makefile").write_text(MAKEFILE)


def archive(folder):
    path = folder.with_name(f"{folder.name}.tar.gz")
    with tarfile.open(path, "w:gz") as tar:
        tar.add(folder, folder.name)
    if path.stat().st_size > MOST_BYTES:
        raise Missing(f"{path}: expected at most {MOST_BYTES} bytes, found {path.stat().st_size}")
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default=ROOT / "build", help="folder of the build")
    parser.add_argument("--folder", help="where the bundle is made (BUILD)")
    parser.add_argument("--target", default="gpu:sm_80",
                        help="gpu:sm_80, or later; gpu-emulated, to try the bundle without a GPU")
    parser.add_argument("--only", help="kernels, as in spmv,spmm32")
    options = parser.parse_args()
    wanted = options.only.split(",") if options.only else list(KERNELS)
    for name in wanted:
        if name not in KERNELS:
            sys.exit(f"bundle.py: no kernel '{name}'; there are {', '.join(KERNELS)}")
    of = device_counts if options.target == EMULATED else device_times  # small data, or large
    cases = [case for case in of.CASES if case[0] in wanted]
    bundle = Bundle(options.build, Path(options.folder or options.build) / NAME, options.target)
    try:
        fill(bundle, options.build, cases, of.DATA)
        path = archive(bundle.folder)
    except (Missing, OSError) as problem:
        sys.exit(f"bundle.py: {problem}")
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB, {len(cases)} cases")


if __name__ == "__main__":
    main()
