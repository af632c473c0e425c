"""Tables of the figures: ratios to the fastest peer, to the plain loop, and to the bound; and those
that compare formats, as in Chou, Kjolstad, Amarasinghe: Format Abstraction, 2018, section 5.4."""

import math

from plan import FORMATS, LACUNA, PLAIN

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


def of_kernels(results):
    return [r for r in results["cases"] if not r["of_formats"]]


def of_formats(results):
    return [r for r in results["cases"] if r["of_formats"]]


def means(results):
    """Of our speed over the fastest peer's, for each number of threads, and for sparse results."""
    table = {}
    for threads in results["threads"]:
        records = [r for r in of_kernels(results) if r["threads"] == threads]
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


def rows(results, records):
    for r in records:
        mine, (name, seconds) = ours(r), best(r)
        share = ratio(bound(r, results["bandwidth"]), mine)
        yield (r["name"], r["data"], str(r["threads"]), milliseconds(mine), name or "-",
               milliseconds(seconds), text(ratio(mine, seconds), "{:.2f}"),
               text(ratio(mine, plain(r)), "{:.2f}"), text(share and 100 * share, "{:.0f} %"))


def plain_table(results):
    lines = [HEADINGS, *rows(results, results["cases"])]
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


def program_names(records):
    return [LACUNA] + sorted({n for r in records for n in r["programs"]} - {LACUNA})


def all_times(results, records):
    """Every program's milliseconds and the bound's."""
    names = program_names(records)
    for r in records:
        cells = []
        for name in names:
            figures = r["programs"].get(name, {})
            mark = "\\*" if figures.get("verdict") in ("unsorted", "another result") else ""
            cells.append(milliseconds(figures["median"]) + mark if "median" in figures else "")
        limit = milliseconds(bound(r, results["bandwidth"]))
        yield [r["name"], r["data"], str(r["threads"]), *cells, limit]


def times_table(results, records):
    headings = ("kernel", "data", "threads", *program_names(records), "bound")
    return markdown_table(headings, all_times(results, records), 3)


# The formats ------------------------------------------------------------------------------------


def find(results, kernel, form, data, columns=0):
    """The record of a case on one thread, or None."""
    return next((r for r in results["cases"]
                 if (r["kernel"], r["form"], r["data"], r["columns"], r["threads"]) ==
                 (kernel, form, data, columns, 1)), None)


def our_time(results, kernel, form, data, columns=0):
    record = find(results, kernel, form, data, columns)
    return ours(record) if record else None


def theirs_time(results, kernel, form, data, columns=0):
    record = find(results, kernel, form, data, columns)
    return best(record) if record else (None, None)


def once_rows(results):
    """Figure 14: COO used where it is, CSR, and CSR made of it first."""
    for r in of_formats(results):
        if (r["kernel"], r["threads"]) != ("once", 1):
            continue
        coo, csr = (our_time(results, "spmv", form, r["data"]) for form in ("coo", ""))
        both, gain = ours(r), coo and csr and coo - csr
        uses = math.ceil((both - csr) / gain) if both and gain and gain > 0 else None
        yield (r["data"], *map(milliseconds, (coo, csr, both)), text(ratio(csr, coo), "{:.2f}"),
               text(ratio(both, coo), "{:.2f}"), text(uses, "{}"))


def layout_rows(results):
    """Figure 15: the formats that a matrix's shape invites, beside CSR."""
    for r in of_formats(results):
        if (r["kernel"], r["threads"]) != ("spmv", 1):
            continue
        csr, mine = our_time(results, "spmv", "", r["data"]), ours(r)
        name, library = theirs_time(results, "spmv", "", r["data"])
        yield (r["data"], r["form"].upper(), milliseconds(mine), milliseconds(csr),
               text(ratio(mine, csr), "{:.2f}"), f"{milliseconds(library)} {name or ''}",
               text(ratio(mine, library), "{:.2f}"))


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
               f"{milliseconds(seconds)} {name}", text(ratio(least, seconds), "{:.2f}"))


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
     "hash table; and x and z as entries.\nSparse vectors are left out where each row would walk too much of them. "
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
                "### All times, in milliseconds", "", *times_table(results, records), "",
                "### What the formats are", "",
                *markdown_table(("name", "levels"), ((n, f"`{t}`") for n, t in FORMATS.items()), 2))


def markdown(results, requests):
    """docs/performance.md."""
    made_by = ((name, f"`sparse-gen {request}`") for name, request in requests.items())
    preface = PREFACE.format(command=results["command"], machine=results["machine"],
                             bandwidth=bandwidth_text(results))
    lines = [preface + "\n".join(f"- {line}." for line in summary(results)), "", "## Ratios", "",
             *markdown_table(HEADINGS, rows(results, of_kernels(results)), 5), "",
             "## All times, in milliseconds", "", *times_table(results, of_kernels(results)), "",
             *format_sections(results), "", "## The operands", "",
             *markdown_table(("name", "made by"), made_by, 2), "",
             "## What does not count", "", *(f"- {line}" for line in remarks(results))]
    return "\n".join(lines) + "\n"
