"""bench/threads.py [--publish] [KERNEL ...] - whether threads that nobody asked a schedule for slow a kernel down.

Each statement, with its tensors in each format, is compiled twice by sparse-cc, with --threads 1 and with
--threads 2, and both run in this process by turns on operands of several sizes.  A line has for each size
the time on one thread and the ratio of the medians, two threads to one.  With --publish the table becomes
the section of docs/performance.md.
"""

import argparse
import ctypes
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZES = (3_000, 50_000, 1_000_000)  # entries of the first operand
COLUMNS = 16
ROUNDS, LEAST_SECONDS, MOST_SECONDS = 9, 3e-4, 2.0
F64 = 0
TENSOR_BYTES = 1 << 12  # more than a lac_tensor has

UNORDERED = "(i, j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))"
MATRICES = ("csr", "csc", "coo", UNORDERED, "dcsr", "bcsr:4x4", "ell", "sell:8", "csb:1024x1024", "hash", "dia", "bitmap",
            "dense,run_length", "dense")
CROWDED, BANDED = ("bitmap", "dense"), ("dia",)  # what is in them is close together
TENSORS = ("csf", "coo", "dense,compressed,compressed", "compressed,dense,compressed", "mode-generic:2x2x2")


@dataclass(frozen=True)
class Kernel:
    """`takes` are the tensors stored in a row's format; `others` the formats of the rest that is not dense."""
    expression: str
    takes: str
    formats: tuple = MATRICES
    others: tuple = ()


KERNELS = {
    "SpMV": Kernel("y(i) = A(i,j) * x(j)", "A"),
    "SpMV, transposed": Kernel("y(i) = A(j,i) * x(j)", "A"),
    "SpMM": Kernel("Y(i,k) = A(i,j) * X(j,k)", "A"),
    "SDDMM": Kernel("R(i,j) = A(i,j) * X(i,k) * Z(j,k)", "AR"),
    "addition": Kernel("R(i,j) = A(i,j) + B(i,j)", "ABR"),
    "elementwise product": Kernel("R(i,j) = A(i,j) * B(i,j)", "ABR"),
    "SpGEMM": Kernel("R(i,j) = A(i,k) * B(k,j)", "AR", others=("B:csr",)),
    "from CSR": Kernel("R(i,j) = A(i,j)", "R", others=("A:csr",)),
    "to CSR": Kernel("R(i,j) = A(i,j)", "A", others=("R:csr",)),
    "TTV": Kernel("R(i,j) = A(i,j,k) * x(k)", "A", TENSORS, ("R:dcsr",)),
    "TTM": Kernel("R(i,j,l) = A(i,j,k) * X(k,l)", "A", TENSORS, ("R:compressed,compressed,dense",)),
    "MTTKRP": Kernel("R(i,l) = A(i,j,k) * X(j,l) * Z(k,l)", "A", TENSORS),
    "MTTKRP, mode 2": Kernel("R(j,l) = A(i,j,k) * X(i,l) * Z(k,l)", "A", TENSORS),
    "addition of tensors": Kernel("R(i,j,k) = A(i,j,k) + B(i,j,k)", "ABR", TENSORS),
    "inner product": Kernel("s = A(i,j,k) * B(i,j,k)", "AB", TENSORS),
}


def accesses(expression):
    """The tensors of a statement and how many subscripts each has, the result first."""
    found = {}
    for name, subscripts in re.findall(r"(\w+)\(([^)]*)\)", expression):
        found.setdefault(name, len(subscripts.split(",")))
    result = expression.split("=")[0].strip()
    return {result.split("(")[0]: 0, **found} if "(" not in result else found


# Code ---------------------------------------------------------------------------------------------


class Workshop:
    """Compiles statements into libraries, each once."""

    def __init__(self, build, folder):
        self.build, self.folder, self.made = build, Path(folder), {}
        self.runtime = ctypes.CDLL(str(build / "lib" / "liblacuna_runtime.so"), ctypes.RTLD_GLOBAL)
        self.runtime.lac_error_message.restype = ctypes.c_char_p

    def code(self, expression, formats, threads):
        key = (expression, tuple(sorted(formats.items())), threads)
        if key not in self.made:
            library = self.folder / f"k{len(self.made)}.so"
            words = [word for name, form in formats.items() for word in ("-f", f"{name}:{form}")]
            run = subprocess.run([self.build / "bin" / "sparse-cc", expression, *words, "--threads", str(threads),
                                  "--name", "kernel", "-o", library], capture_output=True, text=True)
            if run.returncode:
                raise ValueError(run.stderr.strip().splitlines()[-1])
            self.made[key] = ctypes.CDLL(str(library)).kernel
        return self.made[key]

    def call(self, code, *tensors):
        if code(*tensors):
            raise ValueError(self.runtime.lac_error_message().decode())

    def free(self, tensor):
        self.runtime.lac_tensor_free(tensor)


# Operands -----------------------------------------------------------------------------------------


def tensor():
    return ctypes.create_string_buffer(TENSOR_BYTES)


def sizes_of(order, entries, form):
    """The sizes of a tensor with so many entries: few in a row, or one place of eight."""
    if order == 3:
        side = max(8, round((entries * 50) ** (1 / 3)))
        return (side, side, side)
    side = max(16, round((entries * 8) ** 0.5) if form in CROWDED else entries // 8)
    return (side, side)


def generate(workshop, order, sizes, entries, form, seed):
    """A coordinate list."""
    made, wide = tensor(), (ctypes.c_int64 * order)(*sizes)
    runtime = workshop.runtime
    if form in BANDED:
        status = runtime.lac_generate_banded(*map(ctypes.c_int64, (sizes[0], sizes[1], 3)), ctypes.c_uint64(seed), F64,
                                             made)
    else:
        status = runtime.lac_generate_uniform(ctypes.c_int64(order), wide, ctypes.c_int64(entries),
                                              ctypes.c_uint64(seed), F64, made)
    if status:
        raise ValueError(runtime.lac_error_message().decode())
    return made


def pack(workshop, order, listed, form):
    """The list in a format; takes the list."""
    subscripts = ",".join("ijkl"[:order])
    packed = tensor()
    code = workshop.code(f"P({subscripts}) = L({subscripts})", {"L": "coo", "P": form}, 1)
    workshop.call(code, packed, listed)
    workshop.free(listed)
    return packed


class Operands:
    """Those of a statement, of one size: what has no format is dense."""

    def __init__(self, workshop, kernel, formats, form, entries):
        orders = accesses(kernel.expression)
        names = list(orders)[1:]
        self.workshop = workshop
        sizes = sizes_of(orders[names[0]], entries, form)
        self.tensors = [self.make(name, orders[name], formats, form, entries, sizes, seed)
                        for seed, name in enumerate(names, 1)]

    def make(self, name, order, formats, form, entries, sizes, seed):
        if name in formats:
            listed = generate(self.workshop, order, sizes, entries, form, seed)
            return pack(self.workshop, order, listed, formats[name])
        wide = (sizes[0], COLUMNS)[:order]
        listed = generate(self.workshop, order, wide, wide[0] * COLUMNS ** (order - 1), "", seed)
        return pack(self.workshop, order, listed, ",".join(["dense"] * order))

    def free(self):
        for t in self.tensors:
            self.workshop.free(t)


# Measuring ----------------------------------------------------------------------------------------


def seconds(workshop, code, result, operands, times):
    start = time.perf_counter()
    for _ in range(times):
        workshop.call(code, result, *operands)
    return (time.perf_counter() - start) / times


def by_turns(workshop, codes, operands):
    """The seconds of each code, in rounds; who is first in a round changes."""
    results = [tensor() for _ in codes]
    once = [seconds(workshop, code, result, operands, 1) for code, result in zip(codes, results)]
    once = [seconds(workshop, code, result, operands, 1) for code, result in zip(codes, results)]
    times = max(1, round(LEAST_SECONDS / min(once)))
    taken = [[] for _ in codes]
    started = time.monotonic()
    for number in range(ROUNDS):
        for n in sorted(range(len(codes)), reverse=number % 2 == 1):
            taken[n].append(seconds(workshop, codes[n], results[n], operands, times))
        if number >= 2 and time.monotonic() - started > MOST_SECONDS:
            break
    for result in results:
        workshop.free(result)
    return taken


@dataclass(frozen=True)
class Figure:
    one: float    # seconds on one thread, the median
    ratio: float  # two threads to one, of the medians
    least: float  # the same of the fastest runs


def figure(workshop, kernel, codes, formats, form, entries):
    operands = Operands(workshop, kernel, formats, form, entries)
    try:
        one, two = by_turns(workshop, codes, operands.tensors)
    finally:
        operands.free()
    return Figure(statistics.median(one), statistics.median(two) / statistics.median(one), min(two) / min(one))


def row(workshop, kernel, form, sizes):
    """The figures of a kernel in a format, of each size; or why there are none."""
    formats = dict(other.split(":", 1) for other in kernel.others)
    formats.update({name: form for name in kernel.takes})
    try:
        codes = [workshop.code(kernel.expression, formats, threads) for threads in (1, 2)]
        return [figure(workshop, kernel, codes, formats, form, entries) for entries in sizes]
    except ValueError as problem:
        return str(problem)


# Tables -------------------------------------------------------------------------------------------


def size_text(entries):
    return f"{entries:,}"


def figure_text(f):
    return f"{f.one * 1e3:.3g} | {f.ratio:.2f}"


def form_text(form):
    return "coo, unordered" if form == UNORDERED else form


def table(rows, sizes):
    heads = " | ".join(f"{size_text(entries)} entries: ms | 2 threads / 1" for entries in sizes)
    yield f"| kernel | format | {heads} |"
    yield "| --- | --- |" + " ---: |" * (2 * len(sizes))
    for name, form, figures in rows:
        if not isinstance(figures, str):
            yield f"| {name} | {form_text(form)} | " + " | ".join(map(figure_text, figures)) + " |"


HEADING = "## Threads without a schedule"
PREFACE = f"""\
{HEADING}

`bench/threads.py --publish` ([measuring.md](measuring.md#threads-without-a-schedule)).  Each statement without a schedule, compiled with `--threads 1` and
with `--threads 2`, both by turns in one process: milliseconds on one thread, and the ratio of the medians of
up to {ROUNDS} rounds.  Below 1 two threads are faster; 1 is one thread, which small work stays on.
"""


def cut(page):
    """What stands before the section in a page, the section itself ("" for none), and what stands behind."""
    start = page.find(HEADING)
    if start < 0:
        return page.rstrip("\n") + "\n\n", "", ""
    end = page.find("\n## ", start) + 1 or len(page)
    return page[:start], page[start:end], page[end:]


def with_section_of(page, other):
    """A page with the section that another one has, at its end."""
    section = cut(other)[1].rstrip("\n")
    return cut(page)[0] + section + "\n" if section else page


def publish(rows, sizes):
    """Puts the section in the place of the one before, or at the end."""
    path = ROOT / "docs" / "performance.md"
    before, _, behind = cut(path.read_text())
    section = PREFACE + "\n" + "\n".join(table(rows, sizes)) + "\n"
    path.write_text(before + section + ("\n" + behind if behind else ""))


def arguments():
    parser = argparse.ArgumentParser(prog="bench/threads.py", description=__doc__.split("\n\n")[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="of the table; all without")
    parser.add_argument("--formats", help="some formats, as in csr;coo")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="entries of operands")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="folder of the build")
    parser.add_argument("--publish", action="store_true", help="write the section of docs/performance.md")
    return parser.parse_args()


def main():
    options = arguments()
    sizes = [int(size) for size in options.sizes.split(",")]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(options.build.resolve(), folder)
        workshop.runtime.lac_threads_set(2)
        for name in options.kernels or KERNELS:
            formats = options.formats.split(";") if options.formats else KERNELS[name].formats
            for form in formats:
                figures = row(workshop, KERNELS[name], form, sizes)
                rows.append((name, form, figures))
                words = figures if isinstance(figures, str) else "   ".join(
                    f"{f.one * 1e3:9.3g} ms {f.ratio:5.2f} ({f.least:.2f})" for f in figures)
                print(f"{name:20} {form_text(form):28} {words}", flush=True)
    if options.publish:
        publish(rows, sizes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
