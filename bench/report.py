"""Tables of the figures: ratios to the fastest peer, to the plain loop, and to the bound."""

import math

from plan import LACUNA, PLAIN

SPARSE_RESULTS = ("add", "spgemm", "ttv")


def ours(record):
    figures = record["programs"][LACUNA]
    return figures.get("median") if figures["verdict"] == "ours" else None


def best(record):
    """The fastest peer that counts, and its seconds; (None, None) where there is none."""
    counted = [(p["median"], name) for name, p in record["programs"].items()
               if p["verdict"] == "counted"]
    seconds, name = min(counted, default=(None, None))
    return name, seconds


def plain(record):
    figures = record["programs"].get(PLAIN)
    return figures["median"] if figures and figures["verdict"] == "for orientation" else None


def bound(record, bandwidth):
    """Seconds that moving the operands and the result takes."""
    return record["bytes"] / bandwidth[str(record["threads"])]


def ratio(mine, theirs):
    return mine / theirs if mine and theirs else None


def mean(ratios):
    """The geometric mean of how many times faster."""
    logs = [-math.log(r) for r in ratios if r]
    return math.exp(sum(logs) / len(logs)) if logs else None


def means(results):
    """Of our speed over the fastest peer's, for each number of threads, and for sparse results."""
    table = {}
    for threads in results["threads"]:
        records = [r for r in results["cases"] if r["threads"] == threads]
        sparse = [r for r in records if r["kernel"] in SPARSE_RESULTS]
        table[str(threads)] = {
            "fastest peer": mean(ratio(ours(r), best(r)[1]) for r in records),
            "fastest peer, sparse results": mean(ratio(ours(r), best(r)[1]) for r in sparse),
            PLAIN: mean(ratio(ours(r), plain(r)) for r in records)}
    return table


def text(value, form):
    return form.format(value) if value is not None else "-"


def milliseconds(seconds):
    return text(seconds and seconds * 1e3, "{:.3g}" if seconds and seconds < 1 else "{:.0f}")


HEADINGS = ("kernel", "data", "threads", "Lacuna ms", "fastest peer", "ms", "ours/theirs",
            "ours/plain C", "of the bound")


def rows(results):
    for r in results["cases"]:
        mine, (name, seconds) = ours(r), best(r)
        share = ratio(bound(r, results["bandwidth"]), mine)
        yield (r["name"], r["data"], str(r["threads"]), milliseconds(mine), name or "-",
               milliseconds(seconds), text(ratio(mine, seconds), "{:.2f}"),
               text(ratio(mine, plain(r)), "{:.2f}"), text(share and 100 * share, "{:.0f} %"))


def plain_table(results):
    lines = [HEADINGS, *rows(results)]
    widths = [max(len(line[c]) for line in lines) for c in range(len(HEADINGS))]
    align = lambda c, cell: cell.ljust(widths[c]) if c in (0, 1, 4) else cell.rjust(widths[c])
    return "\n".join("  ".join(align(*cell) for cell in enumerate(line)).rstrip() for line in lines)


def threads_text(count):
    return "1 thread" if int(count) == 1 else f"{count} threads"


def summary(results):
    for threads, table in means(results).items():
        for whom, times in table.items():
            if times:
                yield f"{threads_text(threads)}: {times:.2f} times the speed of " \
                      f"{'the ' * (whom != PLAIN)}{whom} (geometric mean)"


def remarks(results):
    """What was not counted, and who was missing."""
    for r in results["cases"]:
        for name, figures in r["programs"].items():
            if figures["verdict"] not in ("ours", "counted", "for orientation"):
                took = f" ({milliseconds(figures['median'])} ms)" if "median" in figures else ""
                case = f"{r['name']} {r['data']}, {threads_text(r['threads'])}"
                yield f"{case}: {name} not counted: {figures['verdict']}{took}"
    for name, why in results["missing"].items():
        yield f"missing: {name}: {why}"


def bandwidth_text(results):
    return ", ".join(f"{b * 1e-9:.1f} GB/s on {threads_text(t)}"
                     for t, b in results["bandwidth"].items())


def wrong(results):
    """Whether something of ours failed, or disagrees with a peer."""
    verdicts = [f["verdict"] for r in results["cases"] for f in r["programs"].values()]
    failed = any(r["programs"][LACUNA]["verdict"] != "ours" for r in results["cases"])
    return failed or "another result" in verdicts


PREFACE = """\
# Performance

Lacuna's kernels beside those of other libraries, measured in one run on one machine.  This page is
made by `{command}`; only ratios of one run mean anything.

![Speed of each kernel beside its peers and the bound](performance.svg)

- Machine: {machine}.
- Bandwidth (a triad, in the same run): {bandwidth}.
- The bound of a kernel is the time in which every array of its operands and of its result moves
  once, at that bandwidth.  Operands that fit the last cache can beat it.
- Every program makes its result anew in each run.  Lacuna's runtime keeps the memory of results that
  are gone for the next ones, as it does for its users ([measuring.md](measuring.md)); the others'
  allocators give large blocks back.  The time is the median of at least three runs
  after one to warm up; values are f64, positions and coordinates have 32 bits (GraphBLAS: 64).
- Every result is compared with ours, by the places of its entries and by weighted sums of its
  values, before its time counts.  One whose columns are not sorted where ours are does not (\\*).
- "plain C" is the loop that anybody would write, by the same compiler; it is no peer.  Programs
  without threads stand everywhere with their time on one thread.
"""


def markdown_table(headings, table, numbers):
    """Rows of cells; the columns from `numbers` on are numbers."""
    yield "| " + " | ".join(headings) + " |"
    yield "|" + "".join(" ---: |" if c >= numbers else " --- |" for c in range(len(headings)))
    for row in table:
        yield "| " + " | ".join(row) + " |"


def all_times(results, names):
    """Every program's milliseconds and the bound's."""
    for r in results["cases"]:
        cells = []
        for name in names:
            figures = r["programs"].get(name, {})
            mark = "\\*" if figures.get("verdict") in ("unsorted", "another result") else ""
            cells.append(milliseconds(figures["median"]) + mark if "median" in figures else "")
        limit = milliseconds(bound(r, results["bandwidth"]))
        yield [r["name"], r["data"], str(r["threads"]), *cells, limit]


def markdown(results, requests):
    """docs/performance.md."""
    names = [LACUNA] + sorted({n for r in results["cases"] for n in r["programs"]} - {LACUNA})
    times = all_times(results, names)
    made_by = ((name, f"`sparse-gen {request}`") for name, request in requests.items())
    preface = PREFACE.format(command=results["command"], machine=results["machine"],
                             bandwidth=bandwidth_text(results))
    lines = [preface + "\n".join(f"- {line}." for line in summary(results)), "", "## Ratios", "",
             *markdown_table(HEADINGS, rows(results), 5), "", "## All times, in milliseconds", "",
             *markdown_table(("kernel", "data", "threads", *names, "bound"), times, 3), "",
             "## The operands", "", *markdown_table(("name", "made by"), made_by, 2), "",
             "## What does not count", "", *(f"- {line}" for line in remarks(results))]
    return "\n".join(lines) + "\n"
