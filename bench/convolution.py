"""The table of convolutions: the compiler's choice beside what one writes by hand, a dense convolution and
MLIR's sparsifier, by the share of zeros, as in figure 17 of Liu et al.: Compiling Sparse Convolutions
(2024)."""

from figures import of_convolution, ours, over, spread
from peers import HAND_WAYS, LACUNA, by_hand
from report import aligned, markdown_table, milliseconds, text

WORDS = (0,)
DENSE = (by_hand("dense"), "oneDNN")
OTHERS = ("MLIR", "oneDNN")
HEADINGS = ("convolution", "zeros", "threads", "Lacuna ms", *HAND_WAYS, *OTHERS, "dense/ours",
            "ours/best by hand", "MLIR/ours")


def time_of(record, name):
    """The median of a peer that counts, or that is there for orientation."""
    verdict = record["programs"].get(name, {}).get("verdict")
    times = spread(record, name, "warm") if verdict in ("counted", "for orientation") else None
    return times and times.median


def least(times):
    return min((t for t in times if t), default=None)


def rows(records):
    for r in records:
        mine = ours(r) and ours(r).median
        hand = [time_of(r, by_hand(way)) for way in HAND_WAYS]
        yield (r["name"], r["data"].rsplit("-", 1)[1] + " %", str(r["threads"]), milliseconds(mine),
               *map(milliseconds, hand), *(milliseconds(time_of(r, name)) for name in OTHERS),
               text(over(least(time_of(r, name) for name in DENSE), mine), "{:.2f}"),
               text(over(mine, least(hand)), "{:.2f}"), text(over(time_of(r, "MLIR"), mine), "{:.1f}"))


PREFACE = """\
## Convolutions

Filters of three in every dimension, over operands with more and more zeros, into dense results
([measuring.md](measuring.md#convolutions)).  Milliseconds with warm memory: what the compiler chose, what is
written by hand in the ways of `bench/peers/convolution.c`, and others.  *dense/ours* is how many times faster
than the fastest dense convolution ours is; *ours/best by hand* is beside the fastest of the ways.
"""


def plain_tables(results):
    """For a terminal."""
    records = of_convolution(results)
    if records:
        yield aligned(HEADINGS, list(rows(records)), WORDS)


def section(results):
    """For performance.md."""
    records = of_convolution(results)
    if records:
        yield from (PREFACE, *markdown_table(HEADINGS, rows(records), 1), "")
