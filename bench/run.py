"""Measures Lacuna's kernels beside those of its peers; see plan.py for what is measured.

The programs (harness.h tells their protocol) and the operands are made in build/bench.  Results go
to build/bench/results.json, and with --publish to docs/performance.md and docs/performance*.svg.
"""

import argparse
import json
import os
import sys
from itertools import product
from pathlib import Path

import plot
import report
from measure import Session, named_peers
from plan import CASES, DATA, SERIAL
from programs import Missing, Workshop

ROOT = Path(__file__).resolve().parent.parent


def read_options(words):
    parser = argparse.ArgumentParser(prog="bench/run.sh", description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", dest="size", action="store_const", const="quick", default="full",
                      help="small operands")
    size.add_argument("--tiny", dest="size", action="store_const", const="tiny",
                      help="operands that show only that everything runs")
    parser.add_argument("--only", metavar="KERNELS", help="kernels, as in spmv,spmm,add/uniform")
    parser.add_argument("--peers", metavar="NAMES", help="peers by name; '' for none (all)")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="beside one thread")
    parser.add_argument("--runs", type=int, default=15, help="of each program, at most")
    parser.add_argument("--seconds", type=float, default=3, help="of each program, if 3 runs fit")
    parser.add_argument("--build", default=ROOT / "build", help="folder of the build")
    parser.add_argument("--folder", help="where operands and results are kept (BUILD/bench)")
    parser.add_argument("--publish", action="store_true", help="write docs/performance*.{md,svg}")
    parser.add_argument("--least", action="store_true",
                        help="the fastest run instead of the median: for a machine that is busy")
    parser.add_argument("--again", action="store_true", help="no measuring: the results kept")
    options = parser.parse_args(words)
    options.folder = Path(options.folder or Path(options.build) / "bench")
    return options


def wanted(case, only):
    """`only` has kernels, kernel/data, or the kernel's columns: spmm32."""
    names = {f"{case.key}{columns}{data}" for columns in ("", case.columns)
             for data in ("", f"/{case.a}")}
    return only is None or bool(names & set(only.split(",")))


def machine():
    """The processor and its caches, in words."""
    info = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    field = lambda name: next((l.split(":", 1)[1].strip() for l in info if l.startswith(name)), "")
    caches = [field("cache size")] if field("cache size") else []
    vector = next((w for f, w in (("avx512f", "AVX-512"), ("avx2", "AVX2"))
                   if f in field("flags").split()), "")
    cores = f"{os.cpu_count()} core{'s' * (os.cpu_count() != 1)}"
    return ", ".join([cores + " of " + (field("model name") or "an unnamed processor"),
                      *([vector] if vector else []), *(f"last cache {c}" for c in caches)])


def told(words):
    """The options without those that name folders of this machine."""
    places = [n for n, word in enumerate(words) if word in ("--folder", "--build")]
    return [word for n, word in enumerate(words) if n not in places and n - 1 not in places]


def measure(options, keep):
    """Measures every case; what is there so far is kept after each."""
    workshop = Workshop(options.build, options.folder, options.size)
    session = Session(workshop, named_peers(options.peers), options.runs, options.seconds)
    threads = sorted({1, options.threads})
    cases = [c for c in CASES if wanted(c, options.only)]
    if not cases:
        sys.exit(f"error: --only names no kernel of the benchmark: {options.only}")
    results = {"command": " ".join(["bench/run.sh", *told(sys.argv[1:])]), "machine": machine(),
               "size": options.size, "threads": threads, "missing": session.missing,
               "bandwidth": {str(t): workshop.bandwidth(t) for t in threads}, "cases": []}
    plan = [(case, count) for case, count in product(cases, threads)
            if count == 1 or case.kernel not in SERIAL]
    for n, (case, count) in enumerate(plan):
        print(f"[{n + 1}/{len(plan)}] {case.name}, {case.a}, "
              f"{report.threads_text(count)}", file=sys.stderr, flush=True)
        results["cases"].append(session.run(case, count))
        keep(results)
    return results


def take_least(results):
    for record in results["cases"]:
        for figures in record["programs"].values():
            if "least" in figures:
                figures["median"] = figures["least"]


def publish(results):
    requests = {name: sizes[results["size"]] for name, sizes in DATA.items()}
    (ROOT / "docs/performance.md").write_text(report.markdown(results, requests))
    draw(results, ROOT / "docs")
    print("Wrote docs/performance.md, docs/performance.svg and docs/performance-formats.svg.")


def draw(results, folder):
    for name, records in (("performance.svg", report.of_kernels(results)),
                          ("performance-formats.svg", report.of_formats(results))):
        (folder / name).write_text(plot.svg(results, records))


def show(results):
    print(report.plain_table(results))
    print()
    print(f"Bandwidth (triad): {report.bandwidth_text(results)}.")
    for line in (*report.summary(results), *report.remarks(results)):
        print(line)


def main(words):
    options = read_options(words)
    kept = options.folder / "results.json"
    if options.again:
        results = json.loads(kept.read_text())
    else:
        keep = lambda r: kept.write_text(json.dumps(r | {"means": report.means(r)}, indent=1))
        results = measure(options, keep)
    if options.least:
        take_least(results)
    show(results)
    draw(results, options.folder)
    if options.publish:
        publish(results)
    return 1 if report.wrong(results) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Missing, OSError) as problem:
        sys.exit(f"error: {problem}")
