"""Measures Lacuna's kernels beside those of its peers; see plan.py for what is measured.

The programs (harness.h tells their protocol) and the operands are made in build/bench.  Results go
to build/bench/results.json, and with --publish to docs/performance.md and docs/performance*.svg.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import convolution
import machine
import plot
import report
import threads
import workspaces
from data import DATA, Sizes
from figures import group_means, of_formats, of_kernels, wrong
from measure import Session, is_of
from peers import Missing, named_peers
from plan import CASES, F32, NAMED_GROUPS, REAL, SERIAL, real_cases
from programs import Workshop

ROOT = Path(__file__).resolve().parent.parent


def read_options(words):
    parser = argparse.ArgumentParser(prog="bench/run.sh", description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", dest="size", action="store_const", const="quick", default="full",
                      help="small operands")
    size.add_argument("--tiny", dest="size", action="store_const", const="tiny",
                      help="operands that show only that everything runs")
    parser.add_argument("--only", metavar="KERNELS",
                        help="kernels, as in spmv,spmm,add/uniform,spmv-f32, or groups: "
                             "workspaces,masks,convolution,real")
    parser.add_argument("--peers", metavar="NAMES", help="peers by name; '' for none (all)")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="beside one thread")
    parser.add_argument("--runs", type=int, default=15, help="of each program, at most")
    parser.add_argument("--seconds", type=float, default=3,
                        help="of each program and kind of memory, if 3 runs fit")
    parser.add_argument("--minutes", type=float,
                        help="of all together, about: smaller operands and fewer runs")
    parser.add_argument("--cache", type=float, metavar="MIB",
                        help="size of the last cache (what the system tells)")
    parser.add_argument("--build", default=ROOT / "build", help="folder of the build")
    parser.add_argument("--folder", help="where operands and results are kept (BUILD/bench)")
    parser.add_argument("--publish", action="store_true", help="write docs/performance*.{md,svg}")
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--again", action="store_true", help="no measuring: the results kept")
    kept.add_argument("--resume", action="store_true",
                      help="measures what a run that was stopped did not come to")
    options = parser.parse_args(words)
    options.folder = Path(options.folder or Path(options.build) / "bench")
    return options


def wanted(case, only):
    """`only` has kernels, kernel/data, the kernel's columns (spmm32), types other than f64
    (spmv-f32), or groups: `workspaces`, `masks`, `convolution`, `real`."""
    kind = f"-{case.type}" * (case.type != "f64")
    names = {f"{case.key}{columns}{kind}{data}" for columns in ("", case.columns)
             for data in ("", f"/{case.a}")}
    groups = {case.group if case.group in NAMED_GROUPS else "", "real" * case.real}
    return only is None or bool((names | groups - {""}) & set(only.split(",")))


def real(workshop):
    """Cases on the files in LACUNA_DATA."""
    for name in workshop.real:
        try:
            order, *sizes = workshop.shape(name)
            yield from real_cases(name, order, len(set(sizes)) == 1)
        except Missing as problem:
            print(f"left out: {name}: {problem}", file=sys.stderr)


def told(words):
    """The options without those that name folders of this machine, and --resume."""
    places = [n for n, word in enumerate(words) if word in ("--folder", "--build")]
    return [word for n, word in enumerate(words)
            if n not in places and n - 1 not in places and word != "--resume"]


def requests(workshop, cases):
    """How the operands of some cases are made."""
    used = {name for case in cases for name in case.operands}
    return {name: workshop.sizes.request(name) for name in DATA if name in used} | \
        {name: f"LACUNA_DATA: {file.name}" for name, file in workshop.real.items() if name in used}


def begin(options, workshop, session, cases):
    """The results without a case."""
    return {"command": " ".join(["bench/run.sh", *told(sys.argv[1:])]),
            "machine": machine.words(workshop.sizes.cache), "size": options.size,
            "cache": workshop.sizes.cache, "minutes": options.minutes,
            "most": workshop.sizes.most() if options.minutes else None,
            "threads": session.threads, "missing": session.missing,
            "compile_times": session.compile_times, "requests": requests(workshop, cases),
            "bandwidth": {str(t): workshop.bandwidth(t) for t in session.threads}, "cases": []}


def resumed(results, kept):
    """What a run that was stopped came to, as the beginning of this one."""
    for name in ("machine", "size", "cache", "minutes", "threads", "requests"):
        if kept[name] != results[name]:
            sys.exit(f"error: --resume: the results kept are of other {name}: "
                     f"{kept[name]}, not {results[name]}")
    for name in ("missing", "compile_times"):
        results[name].update(kept[name])
    for threads, bandwidth in kept["bandwidth"].items():
        results["bandwidth"][threads] = max(bandwidth, results["bandwidth"][threads])
    return results | {"cases": kept["cases"]}


def measure(options, keep, kept=None):
    """Measures every case but those that are in `kept`; what is there so far is kept after each."""
    cache = int(options.cache * (1 << 20)) if options.cache else machine.last_cache()
    sizes = Sizes(options.size, cache, machine.memory(), options.minutes)
    workshop = Workshop(options.build, options.folder, sizes)
    session = Session(workshop, named_peers(options.peers), sorted({1, options.threads}),
                      options.runs, options.seconds)
    end = time.monotonic() + options.minutes * 60 if options.minutes else None
    cases = [c for c in [*CASES, *real(workshop)] if wanted(c, options.only)]
    if not cases:
        sys.exit(f"error: --only names no kernel of the benchmark: {options.only}")
    results = begin(options, workshop, session, cases)
    if kept:
        results = resumed(results, kept)
        cases = [c for c in cases if not any(is_of(r, c) for r in results["cases"])]
    for n, case in enumerate(cases):
        threads = 1 if case.kernel in SERIAL else session.threads[-1]
        print(f"[{n + 1}/{len(cases)}] {case.name}, {case.a}, {report.threads_text(threads)}",
              file=sys.stderr, flush=True)
        results["cases"] += session.run(case, share_of_time(end, len(cases) - n))
        keep(results)
    again = {str(t): workshop.bandwidth(t) for t in session.threads}
    results["bandwidth"] = {t: max(b, again[t]) for t, b in results["bandwidth"].items()}
    keep(results)
    return results


def share_of_time(end, left):
    """When a case has had its share of the time that is left."""
    if end is None:
        return float("inf")
    now = time.monotonic()
    return now + max(end - now, 0) / left


def page(results):
    return report.markdown(results, [*workspaces.section(results), *convolution.section(results)])


def publish(results):
    published = ROOT / "docs/performance.md"
    published.write_text(threads.with_section_of(page(results), published.read_text()))
    draw(results, ROOT / "docs")
    print("Wrote docs/performance.md, docs/performance.svg and docs/performance-formats.svg.")


def draw(results, folder):
    """Rows of f32 and of somebody's data stand in the tables alone."""
    kernels = [r for r in of_kernels(results) if r["group"] not in (F32, REAL)]
    for name, records in (("performance.svg", kernels),
                          ("performance-formats.svg", of_formats(results))):
        (folder / name).write_text(plot.svg(results, records))


def show(results):
    print(report.plain_table(results))
    print()
    for table in (*workspaces.plain_tables(results), *convolution.plain_tables(results)):
        print(table)
        print()
    print(report.aligned(report.MEAN_HEADINGS, report.mean_rows(results), (0,)))
    print()
    print(report.aligned(report.COMPILE_HEADINGS, report.compile_rows(results), (0,)))
    print()
    print(f"Bandwidth (triad): {report.bandwidth_text(results)}.")
    for line in (*(f"apart: {case}" for case in report.weak_cases(results)),
                 *report.remarks(results), *workspaces.left_out(results)):
        print(line)


def main(words):
    options = read_options(words)
    kept = options.folder / "results.json"
    if options.again:
        results = json.loads(kept.read_text())
    else:
        options.folder.mkdir(parents=True, exist_ok=True)
        means = lambda r: {str(t): dict(group_means(r, t)) for t in r["threads"]}
        keep = lambda r: kept.write_text(json.dumps(r | {"means": means(r)}, indent=1))
        results = measure(options, keep, json.loads(kept.read_text()) if options.resume else None)
    show(results)
    draw(results, options.folder)
    (options.folder / "performance.md").write_text(page(results))
    if options.publish:
        publish(results)
    return 1 if wrong(results) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Missing, OSError) as problem:
        sys.exit(f"error: {problem}")
