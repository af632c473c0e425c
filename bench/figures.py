"""What the runs come to: medians with their spread, ratios, bounds, means of groups."""

import math
import statistics

from peers import LACUNA, PLAIN
from plan import CONVOLUTION_GROUP, FORMATS_GROUP, VECTORS_GROUP

WEAK = 1.25  # times the plain loop's, from which a peer that takes part alone is weak
THREADED = 1.3  # cores, from which a run was on several
BEYOND = 4  # times the last cache, that is beyond it
MEMORIES = ("warm", "cold")


class Spread:
    """The least, the median and the quartiles of some runs, in seconds."""

    def __init__(self, seconds):
        self.count, self.least, self.median = len(seconds), min(seconds), statistics.median(seconds)
        self.low, self.high = self.median, self.median
        if len(seconds) > 1:
            self.low, _, self.high = statistics.quantiles(seconds, n=4, method="inclusive")

    def over(self, other):
        """The ratio of the medians, and how far the quartiles let it be less or more."""
        return (self.median / other.median, self.low / other.high, self.high / other.low)


def spread(record, name, memory):
    """A program's Spread; None where it has no time."""
    runs = record["programs"].get(name, {}).get(memory)
    return Spread(runs["seconds"]) if runs and runs["seconds"] else None


def ours(record, memory="warm"):
    return spread(record, LACUNA, memory) if record["programs"][LACUNA]["verdict"] == "ours" else None


def plain(record, memory="warm"):
    figures = record["programs"].get(PLAIN, {})
    return spread(record, PLAIN, memory) if figures.get("verdict") == "for orientation" else None


def peak(record, name):
    """The most bytes that a cold run of a program took beyond what was there before; None where that
    is not known."""
    runs = record["programs"].get(name, {}).get("cold", {})
    known = [p for p in runs.get("peak", ()) if p is not None]
    return statistics.median(known) if known else None


def cores(record, name, memory="warm"):
    return statistics.median(record["programs"][name][memory]["cores"])


def is_serial(record, name, memory="warm"):
    """Whether a program ran on one core where there were several."""
    return record["threads"] > 1 and cores(record, name, memory) < THREADED


def counted(record, memory="warm"):
    """The peers that count, the fastest first."""
    names = [n for n, p in record["programs"].items() if p["verdict"] == "counted" and p.get(memory)]
    return sorted(names, key=lambda n: spread(record, n, memory).median)


def best(record, memory="warm", threaded=False):
    """The fastest peer that counts, and its Spread; (None, None) where there is none.  With
    `threaded` only those that ran on several threads are asked."""
    names = [n for n in counted(record, memory) if not threaded or not is_serial(record, n, memory)]
    return (names[0], spread(record, names[0], memory)) if names else (None, None)


def is_weak(record):
    """Whether one peer takes part, alone and slower than a plain loop."""
    names = counted(record)
    loop = plain(record)
    makers = {n.split(",")[0] for n in names}  # MLIR is one peer, in parallel or not
    return len(makers) == 1 and loop is not None and \
        spread(record, names[0], "warm").median > WEAK * loop.median


def over(one, other):
    return one / other if one and other else None


def ratio(one, other):
    return one.median / other.median if one and other else None


def ratio_to_best(record, memory="warm", threaded=False):
    return ratio(ours(record, memory), best(record, memory, threaded)[1])


def moved(record):
    """Bytes that must move: each array once, and what is written once more, since the processor
    reads a line before it writes to it."""
    return record["read"] + 2 * record["written"]


def bound(record, bandwidth):
    return moved(record) / bandwidth[str(record["threads"])]


def is_beyond(record, cache):
    """Whether the operands and the result do not come from the last cache."""
    return record["read"] + record["written"] >= BEYOND * cache


def mean(ratios):
    """The geometric mean of how many times faster, and of how many."""
    logs = [-math.log(r) for r in ratios if r]
    return (math.exp(sum(logs) / len(logs)), len(logs)) if logs else (None, 0)


def of_kernels(results):
    return [r for r in results["cases"]
            if not r["of_formats"] and not r.get("policies") and r["group"] != CONVOLUTION_GROUP]


def of_convolution(results):
    return [r for r in results["cases"] if r["group"] == CONVOLUTION_GROUP]


def of_workspaces(results):
    return [r for r in results["cases"] if r.get("policies")]


def of_formats(results):
    return [r for r in results["cases"] if r["of_formats"]]


# Groups -----------------------------------------------------------------------------------------


def best_of_formats(records, memory, threaded):
    """The ratio of our best format for a vector to the peers' best."""
    mine = min((ours(r, memory).median for r in records if ours(r, memory)), default=None)
    theirs = [best(r, memory, threaded)[1] for r in records]
    theirs = min((s.median for s in theirs if s), default=None)
    return mine / theirs if mine and theirs else None


def vector_cases(records):
    """The records of each kernel, data and density of vectors, whatever the formats."""
    cases = {}
    for r in records:
        kernel = "vxm" if r["kernel"] == "vxs" else r["kernel"]
        cases.setdefault((kernel, r["data"], r["columns"]), []).append(r)
    return cases.values()


def group_ratios(group, records, memory, threaded):
    if group == VECTORS_GROUP:
        return [best_of_formats(rs, memory, threaded) for rs in vector_cases(records)]
    return [ratio_to_best(r, memory, threaded) for r in records]


def groups(results):
    """The groups, in their order; those of formats after the others."""
    names = dict.fromkeys(r["group"] for r in results["cases"])
    return sorted(names, key=lambda g: (g in (FORMATS_GROUP, VECTORS_GROUP)))


def group_means(results, threads):
    """Of each group the means that stand in the tables, as (mean, count): to the fastest peer with
    warm and with cold memory, to the fastest with several threads, to the plain loop; and those of
    the cases with a weak peer alone, apart."""
    for group in groups(results):
        all_of = [r for r in results["cases"] if (r["group"], r["threads"]) == (group, threads)]
        records = [r for r in all_of if not is_weak(r)]
        if all_of:
            yield group, {
                **{m: mean(group_ratios(group, records, m, False)) for m in MEMORIES},
                "threaded": mean(group_ratios(group, records, "warm", True)),
                PLAIN: mean(ratio(ours(r), plain(r)) for r in all_of),
                "apart": mean(ratio_to_best(r) for r in all_of if is_weak(r))}


def wrong(results):
    """Whether something of ours failed, or disagrees with a peer."""
    verdicts = [f["verdict"] for r in results["cases"] for f in r["programs"].values()]
    failed = any(r["programs"][LACUNA]["verdict"] != "ours" for r in results["cases"])
    return failed or "another result" in verdicts
