"""Kernels for a GPU, that are counted (device_counts.py) and timed (device_times.py)."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from programs import call

ROOT = Path(__file__).resolve().parent.parent
SEED = "7"


@dataclass(frozen=True)
class Kernel:
    """An expression on the data `operand`, which is stored so; `dense` operands are made, sizes that
    nothing tells are given.  The plain kernels beside it are schedules: one row a thread, one a
    warp."""
    title: str
    expression: str
    formats: str
    dense: str = ""
    sizes: str = ""
    by_thread: str = "parallelize(i,gpu_thread,no_races)"
    by_warp: str = "parallelize(i,gpu_warp,no_races) parallelize(j,gpu_thread,parallel_reduction)"
    operands: str = "A"


FORMS = {
    "rows": "(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32",
    "list": "(i, j) -> (i : compressed(nonunique), j : singleton), pos = 32, crd = 32",
    "tree": "(i, j, k) -> (i : compressed, j : compressed, k : compressed), pos = 32, crd = 32",
}
BY_WARP_AND_COLUMNS = "reorder(i,j,k) parallelize(i,gpu_warp,no_races) " \
                      "parallelize(k,gpu_thread,no_races)"

KERNELS = {
    "spmv": Kernel("SpMV", "y(i) = A(i,j) * x(j)", "A:rows", "x"),
    "spmm32": Kernel("SpMM, 32 columns", "Y(i,k) = A(i,j) * X(j,k)", "A:rows", "X", "k:32",
                     by_warp=BY_WARP_AND_COLUMNS),
    "spmm128": Kernel("SpMM, 128 columns", "Y(i,k) = A(i,j) * X(j,k)", "A:rows", "X", "k:128",
                      by_warp=BY_WARP_AND_COLUMNS),
    "sddmm": Kernel("SDDMM, 32 columns", "R(i,j) = A(i,j) * C(i,k) * D(j,k)",
                    "A:rows R:rows", "C D", "k:32", by_warp=""),
    "add": Kernel("CSR + CSR", "C(i,j) = A(i,j) + B(i,j)", "A:rows B:rows C:rows",
                  by_warp="", operands="A B"),
    "spgemm": Kernel("SpGEMM", "C(i,k) = A(i,j) * B(j,k)", "A:rows B:rows C:rows",
                     by_warp="", operands="A B"),
    "convert": Kernel("COO to CSR", "C(i,j) = A(i,j)", "A:list C:rows", by_thread="", by_warp=""),
    "ttv": Kernel("TTV", "Y(i,j) = A(i,j,k) * v(k)", "A:tree", "v", by_warp=""),
    "mttkrp": Kernel("MTTKRP, 32 columns", "Y(i,r) = A(i,j,k) * C(j,r) * D(k,r)", "A:tree",
                     "C D", "r:32", by_warp=""),
    "convolution": Kernel("convolution, 3 x 3", "Y(i,j) = A(i+k,j+l) * W(k,l)", "A:rows", "W",
                          "k:3 l:3", by_warp=""),
}


def pairs(text):
    """What follows each name: 'A:rows C:rows'."""
    return dict(pair.split(":") for pair in text.split())


class Bench:
    """The tools, and the folder of the operands, which sparse-gen makes: by name the words for it."""

    def __init__(self, build, folder, made):
        self.bin, self.folder, self.made = Path(build) / "bin", Path(folder), made
        self.folder.mkdir(parents=True, exist_ok=True)

    def data(self, name):
        ending = "tns" if name.startswith("tensor") else "mtx"
        made = self.folder / f"device-{'-'.join(self.made[name].split())}.{ending}"
        if not made.exists():
            call([self.bin / "sparse-gen", *self.made[name].split(), "-o", made])
        return made

    def command(self, kernel, data, kind, schedule, target):
        k = KERNELS[kernel]
        names = [*k.operands.split(), *k.dense.split(), k.expression.split("(")[0]]
        words = [self.bin / "sparse-run", k.expression, "--target", target, "--seed", SEED]
        words += ["-s", schedule] if schedule else []
        for name in k.operands.split():
            words += ["-i", f"{name}:{self.data(data)}"]
        for flag, text in (("-g", " ".join(f"{d}:1" for d in k.dense.split())), ("-d", k.sizes),
                           ("-t", " ".join(f"{name}:{kind}" for name in names))):
            words += [word for value in text.split() for word in (flag, value)]
        for name, form in pairs(k.formats).items():
            words += ["-f", f"{name}:#tin.format<{FORMS[form]}>"]
        return words


# Options ------------------------------------------------------------------------------------------

def option_parser(description, page):
    """The options of those who count and time, with --publish for a page of docs/."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", default=ROOT / "build", help="folder of the build")
    parser.add_argument("--folder", help="where operands and results are kept (BUILD/bench)")
    parser.add_argument("--only", help="kernels, as in spmv,spmm32, or a kernel/data")
    parser.add_argument("--publish", action="store_true", help=f"write docs/{page}")
    return parser


def folder_of(options):
    return Path(options.folder or Path(options.build) / "bench")


def is_wanted(options, kernel, data):
    return options.only is None or bool(set(options.only.split(",")) & {kernel, f"{kernel}/{data}"})
