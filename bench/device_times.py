#!/usr/bin/env python3
"""Times kernels on the GPU of this machine, by Lacuna's own schedule, by those of plain kernels, and
by PyTorch, whose kernels are cuSPARSE's, where a `python3` has it.

Lacuna's time is that of its kernels, by the driver's events, with operands on the device; PyTorch's is
that of a call, the same way.  Results go to build/bench/device-times.json, and with --publish to
docs/performance-gpu.md.
"""

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

from device_kernels import KERNELS, ROOT, Bench, folder_of, is_wanted, option_parser, pairs
from programs import call, Missing
from report import aligned, markdown_table

PAGE = "performance-gpu.md"
PEER = ROOT / "bench" / "peers" / "torch_peer.py"
PATIENCE = 30  # seconds for a case, reading it included
RUNS = 20

DATA = {
    "stencil2d": "stencil2d --rows 4000000",
    "stencil3d": "stencil3d --rows 3000000",
    "blocked": "blocked --rows 900000 --nnz-per-row 27 --block 3",
    "uniform": "uniform --rows 2000000 --nnz-per-row 10",
    "rmat": "rmat --rows 2000000 --nnz-per-row 10",
    "stencil2d-small": "stencil2d --rows 250000",
    "rmat-small": "rmat --rows 250000 --nnz-per-row 8",
    "stencil2d-tiny": "stencil2d --rows 40000",  # for workspaces, of which each thread has one
    "rmat-tiny": "rmat --rows 16384 --nnz-per-row 8",
    "image": "uniform --rows 4096 --nnz-per-row 40",
    "tensor": "tensor-uniform --dims 3000x2000x2000 --nnz 4000000",
    "tensor-skewed": "tensor-skewed --dims 3000x2000x2000 --nnz 4000000",
}

MATRICES = ("stencil2d", "stencil3d", "blocked", "uniform", "rmat")
SMALL = ("stencil2d-small", "rmat-small")
CASES = (
    [("spmv", data, kind) for data in MATRICES for kind in ("f64", "f32")] +
    [(kernel, data, kind) for data in SMALL for kernel in ("spmm32", "spmm128")
     for kind in ("f64", "f32")] +
    [(kernel, data, "f64") for kernel in ("sddmm", "add", "convert") for data in SMALL] +
    [("convolution", "image", "f64")] +
    [("spgemm", data, "f64") for data in ("stencil2d-tiny", "rmat-tiny")] +
    [(kernel, data, "f64") for kernel in ("ttv", "mttkrp") for data in ("tensor", "tensor-skewed")]
)

OWN, BY_THREAD, BY_WARP, TORCH = "chosen", "a row a thread", "a row a warp", "PyTorch"
COPY = "y(i) = x(i)", "100000000"  # what the bandwidth is of


# Timing -------------------------------------------------------------------------------------------

class Timing(Bench):
    def figures(self, command):
        file = self.folder / "device-time-of-one.json"
        try:
            call([*command, "--time", str(RUNS), "--json", file], timeout=PATIENCE)
        except Missing as problem:
            return {"problem": str(problem)}
        except subprocess.TimeoutExpired:
            return {"problem": f"more than {PATIENCE} s"}
        told = json.loads(file.read_text())
        if not told["device_median_s"]:
            return {"problem": "runs on the CPU"}
        return {"seconds": told["device_median_s"], "whole": told["median_s"],
                "bytes": told["operand_bytes"] + told["result_bytes"]}

    def bandwidth(self):
        """Bytes a second, of a copy of a dense vector."""
        expression, size = COPY
        copied = self.figures([self.bin / "sparse-run", expression, "--target", "gpu", "-g", "x:1",
                               "-d", f"i:{size}"])
        if "problem" in copied:
            raise Missing(copied["problem"])
        return copied["bytes"] / copied["seconds"]

    def schedules(self, kernel, kind):
        """By name, of plain kernels on the wider type."""
        k = KERNELS[kernel]
        plain = {BY_THREAD: k.by_thread, BY_WARP: k.by_warp} if kind == "f64" else {}
        return {OWN: ""} | {name: text for name, text in plain.items() if text}

    def run(self, kernel, data, kind):
        record = {"kernel": kernel, "data": data, "type": kind}
        for name, schedule in self.schedules(kernel, kind).items():
            record[name] = self.figures(self.command(kernel, data, kind, schedule, "gpu"))
        return record

    def peer(self, records):
        """PyTorch on all cases, in one process."""
        of_matrices = [r for r in records if not r["data"].startswith("tensor")]
        cases = [{"kernel": r["kernel"].rstrip("0123456789"), "file": str(self.data(r["data"])),
                  "type": r["type"], "columns": columns(r["kernel"])} for r in of_matrices]
        done = subprocess.run([shutil.which("python3"), "-B", PEER], input=json.dumps(cases),
                              capture_output=True, text=True)
        if done.returncode:
            print(done.stderr.strip(), file=sys.stderr)
            return
        for record, told in zip(of_matrices, json.loads(done.stdout)):
            if "seconds" in told:
                record[TORCH] = told


def columns(kernel):
    """Of the dense operands; 0 where they have none."""
    sizes = pairs(KERNELS[kernel].sizes)
    return int(sizes.get("k", 0))


def gpu_name():
    try:
        told = call(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    except (Missing, OSError):
        return "a GPU"
    name, driver = told.splitlines()[0].split(", ")
    return f"{name}, driver {driver}"


# Figures ------------------------------------------------------------------------------------------

HEADINGS = ("kernel", "data", "ms", "of the bound", "a row a thread", "a row a warp", "PyTorch",
            "ours/theirs", "with the result's way back, ms")


def milliseconds(told):
    return f"{1e3 * told['seconds']:.3g}" if told and "seconds" in told else "-"


def ratio(record):
    own, peer = record[OWN].get("seconds"), record.get(TORCH, {}).get("seconds")
    return own / peer if own and peer else None


def row(record, bandwidth):
    own = record[OWN]
    title = KERNELS[record["kernel"]].title + ", f32" * (record["type"] == "f32")
    rest = [milliseconds(record.get(name)) for name in (BY_THREAD, BY_WARP, TORCH)]
    compared = ratio(record)
    if "problem" in own:
        return [title, record["data"], own["problem"], "-", *rest, "-", "-"]
    return [title, record["data"], milliseconds(own),
            f"{100 * own['bytes'] / bandwidth / own['seconds']:.0f} %", *rest,
            f"{compared:.2f}" if compared else "-", f"{1e3 * own['whole']:.3g}"]


def rows(results):
    return [row(record, results["bandwidth"]) for record in results["cases"]]


MEAN_HEADINGS = ("kernel", "cases", "ours/theirs, geometric mean")


def means(results):
    """Of each kernel that PyTorch has."""
    ratios = {}
    for record in results["cases"]:
        if ratio(record):
            ratios.setdefault(KERNELS[record["kernel"]].title, []).append(ratio(record))
    return [[title, str(len(found)), f"{math.exp(sum(map(math.log, found)) / len(found)):.2f}"]
            for title, found in ratios.items()]


def table(headings, cells, numbers):
    return "\n".join(markdown_table(headings, cells, numbers))


def page(results):
    made = "\n".join(f"| {name} | `sparse-gen {words}` |" for name, words in DATA.items())
    return f"""# Kernels on a GPU, timed

On {results['gpu']}, which copies {results['bandwidth'] * 1e-9:.0f} GB/s, read and written. Made there by

```sh
make bench-gpu ARGS=--publish
```

The time is that of the kernels, with the operands on the device, the median of {RUNS} runs by the driver's
events. *Of the bound* is the share that it would take to move every array of the operands and of the result
once, at the speed of a copy. Beside Lacuna's own choice stand two kernels that anybody would write, as
schedules: a row a thread (CSR scalar), and a row a warp (CSR vector); and PyTorch, whose kernels are
cuSPARSE's, with 32-bit indices as well. What kernels do to memory, counted without a GPU, is in
[performance-gpu-counts.md](performance-gpu-counts.md).

{table(MEAN_HEADINGS, means(results), 1)}

{table(HEADINGS, rows(results), 2)}

## Data

| data | made by |
| --- | --- |
{made}
"""


def main(words):
    parser = option_parser(__doc__.splitlines()[0], PAGE)
    parser.add_argument("--from", dest="kept", help="figures of another run, instead of measuring")
    options = parser.parse_args(words)
    folder = folder_of(options)
    if options.kept:
        results = json.loads(Path(options.kept).read_text())
    else:
        bench = Timing(options.build, folder, DATA)
        results = {"gpu": gpu_name(), "bandwidth": bench.bandwidth(), "cases": []}
        for kernel, data, kind in CASES:
            if is_wanted(options, kernel, data):
                results["cases"].append(bench.run(kernel, data, kind))
                print("  ".join(row(results["cases"][-1], results["bandwidth"])), file=sys.stderr,
                      flush=True)
        kept = folder / "device-times.json"
        kept.write_text(json.dumps(results, indent=1))
        bench.peer(results["cases"])
        kept.write_text(json.dumps(results, indent=1))
    if options.publish:
        (ROOT / "docs" / PAGE).write_text(page(results))
    print(f"{results['gpu']}: {results['bandwidth'] * 1e-9:.0f} GB/s")
    print(aligned(HEADINGS, rows(results), (0, 1)))
    print()
    print(aligned(MEAN_HEADINGS, means(results), (0,)))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Missing, OSError) as problem:
        sys.exit(f"error: {problem}")
