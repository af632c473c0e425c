#!/usr/bin/env python3
"""Counts what kernels for a GPU do to memory, on the device that the CPU emulates, by Lacuna's own
schedule and by those of plain kernels: docs/gpu.md tells what is counted.

No GPU is measured, and no time.  Results go to build/bench/device-counts.json, and with --publish
to docs/performance-gpu-counts.md.
"""

import json
import subprocess
import sys

from device_kernels import KERNELS, ROOT, Bench, folder_of, is_wanted, option_parser
from programs import call, Missing
from report import aligned, markdown_table

PAGE = "performance-gpu-counts.md"

# What sparse-gen makes each of: small, since a thread of the emulated device is a fibre.
DATA = {
    "stencil2d": "stencil2d --rows 16384",
    "stencil3d": "stencil3d --rows 8000",
    "blocked": "blocked --rows 6000 --nnz-per-row 27 --block 3",
    "rmat": "rmat --rows 8192 --nnz-per-row 8",
    "stencil2d-small": "stencil2d --rows 4096",
    "rmat-small": "rmat --rows 2048 --nnz-per-row 8",
    "stencil2d-tiny": "stencil2d --rows 1024",  # for workspaces, of which each thread has one
    "rmat-tiny": "rmat --rows 512 --nnz-per-row 8",
    "tensor": "tensor-uniform --dims 300x200x200 --nnz 40000",
    "tensor-skewed": "tensor-skewed --dims 300x200x200 --nnz 40000",
}

MATRICES = ("stencil2d", "stencil3d", "blocked", "rmat")
CASES = (
    [("spmv", data, kind) for kind in ("f64", "f32") for data in MATRICES] +
    [(kernel, data, kind) for kernel in ("spmm32", "spmm128") for kind in ("f64", "f32")
     for data in ("stencil2d-small", "rmat-small")] +
    [(kernel, data, "f64") for kernel in ("sddmm", "add", "convert", "convolution")
     for data in ("stencil2d-small", "rmat-small")] +
    [("spgemm", data, "f64") for data in ("stencil2d-tiny", "rmat-tiny")] +
    [(kernel, data, "f64") for kernel in ("ttv", "mttkrp") for data in ("tensor", "tensor-skewed")]
)

OWN, BY_THREAD, BY_WARP = "chosen", "a row a thread", "a row a warp"

# What the default schedule is to reach: of SpMV and SpMM on stencils sectors over the least, of
# requests and past a block's cache; of SpMV on R-MAT the longest warp over the mean.
MOST_SECTORS, MOST_IMBALANCE = 1.15, 1.2


# Counting -----------------------------------------------------------------------------------------

class Counting(Bench):
    def count(self, kernel, data, kind, schedule):
        """The launches of a kernel, its schedule, or why there are none."""
        figures = self.folder / "device-counts-of-one.json"
        command = self.command(kernel, data, kind, schedule, "gpu-emulated")
        try:
            call([*command, "--counts", "--json", figures])
        except Missing as problem:
            return {"problem": str(problem)}
        launches = json.loads(figures.read_text())["counts"]
        if not launches:
            return {"problem": "runs on the CPU"}
        told = subprocess.run([str(c) for c in command] + ["--print-schedule"], capture_output=True,
                              text=True)
        return {"launches": launches, "schedule": told.stdout.strip()}

    def run(self, kernel, data, kind):
        k = KERNELS[kernel]
        record = {"kernel": kernel, "data": data, "type": kind,
                  OWN: self.count(kernel, data, kind, "")}
        for name, schedule in ((BY_THREAD, k.by_thread), (BY_WARP, k.by_warp)):
            if schedule and "launches" in record[OWN]:
                record[name] = self.count(kernel, data, kind, schedule)
        return record


# Figures ------------------------------------------------------------------------------------------

def total(counted, field):
    return sum(launch[field] for launch in counted["launches"])


def over_requests(counted):
    return total(counted, "sectors") / total(counted, "least_sectors")


def over_asked(counted):
    return 32 * total(counted, "sectors") / total(counted, "asked_bytes")


def over_least(counted, field):
    return total(counted, field) / total(counted, "sectors_of_launch")


def imbalance(counted):
    """Of the launch with most steps."""
    longest = max(counted["launches"], key=lambda launch: launch["steps"])
    return longest["longest"] * longest["warps"] / max(longest["steps"], 1)


HEADINGS = ("kernel", "data", "schedule", "of requests", "of bytes", "by warps / least", "by blocks / least",
            "least", "longest warp / mean", "steps of a warp", "atomics")


def row(record, name):
    k, counted = KERNELS[record["kernel"]], record[name]
    of_f32 = ", f32" * (record["type"] == "f32")
    begin = [k.title + of_f32, record["data"], name]
    if "problem" in counted:
        return [*begin, counted["problem"], *[""] * (len(HEADINGS) - 4)]
    return [*begin, f"{over_requests(counted):.2f}", f"{over_asked(counted):.2f}",
            f"{over_least(counted, 'sectors'):.2f}", f"{over_least(counted, 'sectors_of_blocks'):.2f}",
            str(total(counted, "sectors_of_launch")), f"{imbalance(counted):.2f}",
            f"{total(counted, 'steps') / max(total(counted, 'warps'), 1):.4g}",
            str(total(counted, "atomics"))]


def rows(records):
    return [row(record, name) for record in records for name in (OWN, BY_THREAD, BY_WARP)
            if name in record]


def targets(records):
    """What is to be reached, as rows: the case, what it comes to, what it is to come to."""
    found = []
    for record in records:
        counted = record[OWN]
        name = f"{KERNELS[record['kernel']].title}, {record['data']}, {record['type']}"
        if "launches" not in counted or not record["kernel"].startswith("spm"):
            continue
        if record["data"].startswith("stencil"):
            found.append([name, "sectors of requests", over_requests(counted), MOST_SECTORS])
            found.append([name, "sectors by blocks", over_least(counted, "sectors_of_blocks"),
                          MOST_SECTORS])
        elif record["data"].startswith("rmat") and record["kernel"] == "spmv":
            found.append([name, "longest warp / mean", imbalance(counted), MOST_IMBALANCE])
    return [[*words, f"{value:.2f}", f"{most}", "yes" if value <= most else "no"]
            for *words, value, most in found]


TARGET_HEADINGS = ("case", "figure", "comes to", "at most", "reached")


def schedules(records):
    """What was chosen, each once."""
    seen = {}
    for record in records:
        told = record[OWN].get("schedule", "")
        if told:
            seen.setdefault((KERNELS[record["kernel"]].title, told), []).append(record["data"])
    return [[title, ", ".join(dict.fromkeys(data)), f"`{told}`"]
            for (title, told), data in seen.items()]


def table(headings, cells, numbers):
    return "\n".join(markdown_table(headings, cells, numbers))


def page(results):
    records = results["cases"]
    made = "\n".join(f"| {name} | `sparse-gen {words}` |" for name, words in DATA.items())
    return f"""# Kernels for a GPU, counted

**These figures are of a model, not of a GPU.** No GPU was measured. They are counts of the device that
the CPU emulates ([gpu.md](gpu.md#counts)): which sectors of memory, of 32 bytes, warps touch, and how
even their work is. They know no time and no real cache: what takes time is in [performance-gpu.md](performance-gpu.md),
where a row a thread is the fastest on stencils, since a cache keeps what the rows of a warp hold. Made by

```sh
make gpu-counts ARGS=--publish
```

Beside Lacuna's own choice stand two kernels that anybody would write, as schedules: a row a thread (CSR
scalar), and a row a warp (CSR vector). Positions and coordinates have 32 bits.

- *of requests*: sectors that requests of warps touch, over as few as hold the bytes of each request
- *of bytes*: the same over the bytes asked for, a thirty-second each: few lanes at work, and one number for all
  lanes, tell here as well
- *by warps / least*: the same over the sectors that the launches touch at all, each place once: what there is
  without any cache
- *by blocks / least*: sectors that blocks touch, over those: what a cache of each block leaves
- *longest warp / mean*: in steps, requests and meetings, of the launch that has most of them

## To be reached

{table(TARGET_HEADINGS, targets(records), 2)}

## All

{table(HEADINGS, rows(records), 3)}

## Chosen

{table(("kernel", "data", "schedule"), schedules(records), 3)}

## Data

| data | made by |
| --- | --- |
{made}
"""


def main(words):
    options = option_parser(__doc__.splitlines()[0], PAGE).parse_args(words)
    folder = folder_of(options)
    bench = Counting(options.build, folder, DATA)
    results = {"cases": []}
    for kernel, data, kind in CASES:
        if is_wanted(options, kernel, data):
            print(f"{kernel}, {data}, {kind}", file=sys.stderr, flush=True)
            results["cases"].append(bench.run(kernel, data, kind))
    (folder / "device-counts.json").write_text(json.dumps(results, indent=1))
    if options.publish:
        (ROOT / "docs" / PAGE).write_text(page(results))
    print(aligned(HEADINGS, rows(results["cases"]), (0, 1, 2)))
    print()
    print(aligned(TARGET_HEADINGS, targets(results["cases"]), (0, 1)))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Missing, OSError) as problem:
        sys.exit(f"error: {problem}")
