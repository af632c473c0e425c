"""Tables of the figures: ratios to the fastest peer, to the plain loop, and to the bound; and those
that compare formats, as in Chou, Kjolstad, Amarasinghe: Format Abstraction, 2018, section 5.4."""

import math
import statistics

from figures import (BEYOND, MEMORIES, WEAK, best, bound, cores, group_means, is_beyond, is_serial,
                     is_weak, of_formats, of_kernels, ours, over, plain, ratio, spread)
from peers import LACUNA, PLAIN
from plan import FORMATS
from programs import FLAGS


def text(value, form):
    return form.format(value) if value is not None else "-"


def milliseconds(seconds):
    return text(seconds and seconds * 1e3, "{:.3g}" if seconds and seconds < 1 else "{:.0f}")


def median(times):
    return milliseconds(times and times.median)


def threads_text(count):
    return "1 thread" if int(count) == 1 else f"{count} threads"


# Ratios -----------------------------------------------------------------------------------------

HEADINGS = ("kernel", "data", "threads", "Lacuna ms", "fastest peer", "ms", "ours/theirs", "spread",
            "to a threaded peer", "ours/plain C", "of the bound", "cold: Lacuna ms",
            "fastest peer, cold", "ms", "ours/theirs")
WORDS = (0, 1, 4, 12)  # the columns that hold words


def peer_name(record, name, memory):
    """With a word about one that has no threads where others have them."""
    return name + " (serial)" * is_serial(record, name, memory) if name else "-"


def share_of_bound(results, record):
    """In parentheses where operands and result come from the cache."""
    share = text(ours(record) and 100 * bound(record, results["bandwidth"]) / ours(record).median,
                 "{:.0f} %")
    return share if share == "-" or is_beyond(record, results["cache"]) else f"({share})"


def spread_text(mine, theirs):
    if not mine or not theirs:
        return "-"
    _, low, high = mine.over(theirs)
    return f"{low:.2f}-{high:.2f}"


def threaded_text(record):
    """The ratio to the fastest peer with threads, where the fastest has none."""
    name, _ = best(record)
    if not name or not is_serial(record, name):
        return "-"
    other, times = best(record, threaded=True)
    return text(ratio(ours(record), times), "{:.2f} " + str(other))


def rows(results, records):
    for r in records:
        name, theirs = best(r)
        cold_name, cold_theirs = best(r, "cold")
        yield (r["name"], r["data"], str(r["threads"]), median(ours(r)),
               peer_name(r, name, "warm"), median(theirs), text(ratio(ours(r), theirs), "{:.2f}"),
               spread_text(ours(r), theirs), threaded_text(r),
               text(ratio(ours(r), plain(r)), "{:.2f}"), share_of_bound(results, r),
               median(ours(r, "cold")), peer_name(r, cold_name, "cold"), median(cold_theirs),
               text(ratio(ours(r, "cold"), cold_theirs), "{:.2f}"))


def aligned(headings, table, words):
    lines = [headings, *table]
    widths = [max(len(line[c]) for line in lines) for c in range(len(headings))]
    align = lambda c, cell: cell.ljust(widths[c]) if c in words else cell.rjust(widths[c])
    return "\n".join("  ".join(align(*cell) for cell in enumerate(line)).rstrip() for line in lines)


def plain_table(results):
    return aligned(HEADINGS, rows(results, results["cases"]), WORDS)


# Means ------------------------------------------------------------------------------------------

MEAN_HEADINGS = ("group", "threads", "fastest peer", "cases", "fastest peer, cold",
                 "fastest threaded peer", "cases", "plain C", "apart: one weak peer", "cases")


def times_text(of):
    return text(of[0], "{:.2f}")


def mean_rows(results):
    """How many times the speed of others, of each group."""
    for threads in results["threads"]:
        for group, of in group_means(results, threads):
            several = of["threaded"] if threads > 1 else (None, 0)
            yield (group, str(threads), times_text(of["warm"]), str(of["warm"][1]),
                   times_text(of["cold"]), times_text(several), str(several[1]),
                   times_text(of[PLAIN]), times_text(of["apart"]), str(of["apart"][1]))


def weak_cases(results):
    """Cases that are counted apart, and why."""
    for r in results["cases"]:
        if is_weak(r):
            name, theirs = best(r)
            yield f"{r['name']}, {r['data']}, {threads_text(r['threads'])}: only {name} takes " \
                  f"part, {theirs.median / plain(r).median:.1f} times the time of the plain loop"


# Compile times, page faults ------------------------------------------------------------------------

COMPILE_HEADINGS = ("kernel", "Lacuna, first", "Lacuna, again", "MLIR and clang", "TACO")


def compile_rows(results):
    for kernel, times in results.get("compile_times", {}).items():
        mine = times[LACUNA]
        first = lambda name: milliseconds(times.get(name, {}).get("first"))
        yield (kernel, milliseconds(mine["first"]), milliseconds(mine.get("again")), first("MLIR"),
               first("TACO"))


def program_names(records):
    return [LACUNA] + sorted({n for r in records for n in r["programs"]} - {LACUNA})


def faults_text(record, name):
    """The page faults of a run with warm memory, and of one with cold, and the milliseconds that each
    spent in the system."""
    programs = record["programs"].get(name, {})
    each = lambda key: [statistics.median(programs[m][key]) for m in MEMORIES if programs.get(m)]
    spent = " / ".join(f"{1e3 * s:.0f}" for s in each("system"))
    return " / ".join(f"{f:.0f}" for f in each("faults")) + (f" ({spent})" if spent else "")


def fault_rows(records):
    names = program_names(records)
    for r in records:
        if r["threads"] == 1:
            yield (r["name"], r["data"], *(faults_text(r, name) for name in names))


def cores_rows(records):
    """How many cores each program kept busy where it had several."""
    names = program_names(records)
    for r in records:
        if r["threads"] > 1:
            yield (r["name"], r["data"], *(
                f"{cores(r, n):.1f}" if r["programs"].get(n, {}).get("warm") else "" for n in names))


# In words ---------------------------------------------------------------------------------------


def remarks(results):
    """What was not counted, and who was missing."""
    for r in results["cases"]:
        for name, figures in r["programs"].items():
            if name not in r.get("policies", ()) and \
                    figures["verdict"] not in ("ours", "counted", "for orientation"):
                times = spread(r, name, "warm")
                took = f" ({milliseconds(times.median)} ms)" if times else ""
                case = f"{r['name']} {r['data']}, {threads_text(r['threads'])}"
                yield f"{case}: {name} not counted: {figures['verdict']}{took}"
    for name, why in results["missing"].items():
        yield f"missing: {name}: {why}"


def runs_text(results):
    """How many runs a median is of."""
    counts = [len(p["warm"]["seconds"]) for r in results["cases"] for p in r["programs"].values()
              if p.get("warm")]
    return f"{min(counts)} to {max(counts)}" if counts else "none"


def bandwidth_text(results):
    return ", ".join(f"{b * 1e-9:.1f} GB/s on {threads_text(t)}"
                     for t, b in results["bandwidth"].items())


def within_cache(results):
    """The cases whose arrays are not beyond the cache."""
    return dict.fromkeys(f"{r['name']} {r['data']}" for r in results["cases"]
                         if not is_beyond(r, results["cache"]))


PREFACE = """\
# Performance

Lacuna's kernels beside those of other libraries, measured in one run on one machine.  This page is
made by `{command}`; only ratios of one run mean anything.  [measuring.md](measuring.md) says how it
is measured.

![Speed of each kernel beside its peers and the bound](performance.svg)

- Machine: {machine}.
- Bandwidth (a triad, in the same run, its four words an element counted): {bandwidth}.
- The programs of a case take turns, a run each; times are medians of {runs} runs after one to warm
  up.  *ours/theirs* is the ratio of the medians, *spread* what it is from quartile to quartile.
- *Warm* is a run into the memory of the result before it, for everyone; *cold* one into pages that
  the system makes anew, for everyone.  Tables say warm where they say nothing.
- The bound of a kernel is the time in which every array of its operands moves once and every array
  of its result twice (a processor reads a line before it writes to it, unless it is told not to), at
  that bandwidth.  In parentheses: arrays with fewer bytes than {beyond} times the last cache.
- All C and C++, ours and the peers', is for `{flags}`; libraries are as they are packaged.
- Values are f64 unless f32 is said; positions and coordinates have 32 bits (GraphBLAS: 64).
- Every result is compared with ours, by the places of its entries and by weighted sums of its
  values, before its time counts.  One whose columns are not sorted where ours are does not (\\*).
- "plain C" is the loop that anybody would write, by the same compiler; it is no peer.  Programs
  without threads stand everywhere with their time on one thread, as *serial*.
{reduced}
"""

REDUCED = "- Made to fit {minutes:g} minutes, as far as each program's fewest runs do: operands have at " \
          "most {entries:.1f} million entries, and slow programs fewer runs.\n"


def markdown_table(headings, table, numbers):
    """Rows of cells; the columns from `numbers` on are numbers."""
    yield "| " + " | ".join(headings) + " |"
    yield "|" + "".join(" ---: |" if c >= numbers else " --- |" for c in range(len(headings)))
    for row in table:
        yield "| " + " | ".join(row) + " |"


def all_times(results, records, memory):
    """Every program's milliseconds and the bound's."""
    names = program_names(records)
    for r in records:
        cells = []
        for name in names:
            times = spread(r, name, memory)
            verdict = r["programs"].get(name, {}).get("verdict")
            mark = "\\*" if verdict in ("unsorted", "another result") else ""
            cells.append(milliseconds(times.median) + mark if times else "")
        limit = milliseconds(bound(r, results["bandwidth"]))
        yield [r["name"], r["data"], str(r["threads"]), *cells, limit]


def times_tables(results, records, level):
    """With warm memory, and with cold."""
    headings = ("kernel", "data", "threads", *program_names(records), "bound")
    for memory in MEMORIES:
        yield from (f"{level} All times with {memory} memory, in milliseconds", "",
                    *markdown_table(headings, all_times(results, records, memory), 3), "")


# The formats ------------------------------------------------------------------------------------


def find(results, kernel, form, data, columns=0):
    """The record of a case on one thread, or None."""
    return next((r for r in results["cases"]
                 if (r["kernel"], r["form"], r["data"], r["columns"], r["threads"], r["type"]) ==
                 (kernel, form, data, columns, 1, "f64")), None)


def seconds_of(times):
    return times and times.median


def our_time(results, kernel, form, data, columns=0):
    record = find(results, kernel, form, data, columns)
    return seconds_of(record and ours(record))


def theirs_time(results, kernel, form, data, columns=0):
    record = find(results, kernel, form, data, columns)
    name, times = best(record) if record else (None, None)
    return name, seconds_of(times)


def once_rows(results):
    """Figure 14: COO used where it is, CSR, and CSR made of it first."""
    for r in of_formats(results):
        if (r["kernel"], r["threads"]) != ("once", 1):
            continue
        coo, csr = (our_time(results, "spmv", form, r["data"]) for form in ("coo", ""))
        both, gain = seconds_of(ours(r)), coo and csr and coo - csr
        uses = math.ceil((both - csr) / gain) if both and gain and gain > 0 else None
        yield (r["data"], *map(milliseconds, (coo, csr, both)), text(over(csr, coo), "{:.2f}"),
               text(over(both, coo), "{:.2f}"), text(uses, "{}"))


def layout_rows(results):
    """Figure 15: the formats that a matrix's shape invites, beside CSR."""
    for r in of_formats(results):
        if (r["kernel"], r["threads"]) != ("spmv", 1):
            continue
        csr, mine = our_time(results, "spmv", "", r["data"]), seconds_of(ours(r))
        name, library = theirs_time(results, "spmv", "", r["data"])
        yield (r["data"], r["form"].upper(), milliseconds(mine), milliseconds(csr),
               text(over(mine, csr), "{:.2f}"), f"{milliseconds(library)} {name or ''}",
               text(over(mine, library), "{:.2f}"))


VECTORS = ("dense", "sparse", "hash")
SPARSE_RESULT = {"vxm": "vxs"}  # the kernel whose result is sparse, from sparse vectors


def vector_rows(results):
    """Figure 16: the vector's format by its density; the fastest stands in bold."""
    seen = dict.fromkeys((r["kernel"], r["data"], r["columns"]) for r in of_formats(results)
                         if r["kernel"] in ("mxv", "vxm"))
    for kernel, data, share in seen:
        times = [our_time(results, kernel, form, data, share) for form in VECTORS]
        times.append(our_time(results, SPARSE_RESULT.get(kernel), "sparse", data, share))
        least = min((t for t in times if t), default=None)
        cells = [f"**{milliseconds(t)}**" if t and t == least else milliseconds(t) for t in times]
        peers = [theirs_time(results, kernel, form, data, share) for form in VECTORS]
        seconds, name = min(((s, n) for n, s in peers if s), default=(None, ""))
        yield ("y = A x" if kernel == "mxv" else "z = x A", data, f"{share / 1e4:g} %", *cells,
               f"{milliseconds(seconds)} {name}", text(over(least, seconds), "{:.2f}"))


FORMATS_PREFACE = """\
## Formats

What a format is worth depends on the data (Chou, Kjolstad, Amarasinghe: Format Abstraction for
Sparse Tensor Algebra Compilers, 2018, section 5.4).  Times in milliseconds on one thread, from the
same run; `{command}` with `--only {only}` measures these alone.

![Speed in each format beside peers and the bound](performance-formats.svg)
"""

SECTIONS = (
    ("A coordinate list used once", once_rows, 1,
     ("data", "SpMV, COO", "SpMV, CSR", "COO to CSR, then SpMV", "CSR/COO", "with making CSR/COO",
      "uses that pay for CSR"),
     "As the paper's figure 14: a list is best used as it is, unless it is used often."),
    ("Diagonals, tables and blocks", layout_rows, 2,
     ("data", "format", "Lacuna ms", "CSR ms", "format/CSR", "fastest library's CSR",
      "ours/theirs"),
     "As the paper's figure 15, y = A x where the matrix has the shape of the format."),
    ("Vectors by density", vector_rows, 3,
     ("kernel", "data", "x has", "dense", "sparse", "hash", "sparse, and z",
      "fastest peer", "ours/theirs"),
     "As the paper's figure 16: A in CSR, x stored as an array, as its entries in order, and as a "
     "hash table; and x and z as entries.\n"
     "Sparse vectors are left out where each row would walk too much of them. "
     "`few-rows` is 1 % dense,\n`wide` has rows of 1,000 entries in 64 million columns. The peers "
     "take x as an array or as entries,\nwhat is faster; ours/theirs is our best format over it."),
)


def format_sections(results):
    records = of_formats(results)
    only = ",".join(dict.fromkeys(f"{r['kernel']}-{r['form']}" for r in records))
    yield from (FORMATS_PREFACE.format(command="bench/run.sh", only=only), "")
    for title, make, numbers, headings, words in SECTIONS:
        table = list(make(results))
        if table:
            yield from (f"### {title}", "", words, "",
                        *markdown_table(headings, table, numbers), "")
    yield from ("### Ratios", "", *markdown_table(HEADINGS, rows(results, records), 5), "",
                *times_tables(results, records, "###"), "### What the formats are", "",
                *markdown_table(("name", "levels"), ((n, f"`{t}`") for n, t in FORMATS.items()), 2))


def means_section(results):
    yield from ("## Means", "", "How many times the speed of the others: geometric means over the "
                "cases of a group.  A case in which one peer",
                f"takes part alone, and takes more than {WEAK:g} times the time of the plain loop, is "
                "counted apart.  For sparse vectors", "the best format on either side counts.", "",
                *markdown_table(MEAN_HEADINGS, mean_rows(results), 2), "")
    apart = [f"- {case}." for case in weak_cases(results)]
    yield from ([*("Apart:", ""), *apart, ""] if apart else [])
    inside = list(within_cache(results))
    yield from ([f"Not beyond the last cache: {', '.join(inside)}.", ""] if inside else [])


def details(results):
    records = of_kernels(results)
    names = program_names(records)
    compiling = list(compile_rows(results))
    if compiling:
        yield from ("## Compiling", "", "Milliseconds until the kernel can be called. *First*: the "
                    "first kernel of a process; *again*: one more in the", "same process, nothing "
                    "kept of the first.", "",
                    *markdown_table(COMPILE_HEADINGS, compiling, 1), "")
    yield from ("## Page faults", "", "Of a run with warm memory / with cold, on one thread, and in "
                "parentheses the milliseconds that it spent in the", "system. A huge page counts once.",
                "",
                *markdown_table(("kernel", "data", *names), fault_rows(records), 2), "")
    busy = list(cores_rows(records))
    if busy:
        yield from ("## Cores", "", "Processor time over time: how many cores a program kept busy "
                    "where it had several. What waits for work may", "count too.", "",
                    *markdown_table(("kernel", "data", *names), busy, 2), "")


def preface(results):
    minutes = results.get("minutes")
    reduced = REDUCED.format(minutes=minutes, entries=results["most"] / 1e6) if minutes else ""
    return PREFACE.format(command=results["command"], machine=results["machine"],
                          bandwidth=bandwidth_text(results), runs=runs_text(results),
                          beyond=BEYOND, reduced=reduced,
                          flags=" ".join(f for f in FLAGS if f.startswith(("-m", "-O"))))


def markdown(results, sections=()):
    """docs/performance.md, with the lines of more sections."""
    made_by = ((name, f"`sparse-gen {request}`") for name, request in results["requests"].items())
    lines = [preface(results), *means_section(results), "## Ratios", "",
             *markdown_table(HEADINGS, rows(results, of_kernels(results)), 5), "",
             *times_tables(results, of_kernels(results), "##"),
             *(format_sections(results) if of_formats(results) else []), "", *sections,
             *details(results),
             "## The operands", "", *markdown_table(("name", "made by"), made_by, 2), "",
             "## What does not count", "", *(f"- {line}" for line in remarks(results))]
    return "\n".join(lines) + "\n"
