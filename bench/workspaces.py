"""The tables of workspaces: what each policy takes in time and in memory, beside the policy that is
chosen and the lower bound, as in Zhang et al.: Compilation of Modular and General Sparse Workspaces,
2024, sections 7.2 to 7.5."""

import re

from figures import best, of_workspaces, ours, over, peak, spread
from peers import LACUNA, LOWER_BOUND, POLICY, policy_program
from plan import ARRAY, NO_WORKSPACE, POLICIES, ROW_POLICIES
from report import (HEADINGS, aligned, markdown_table, median, milliseconds, rows, text, times_tables)

ALL_POLICIES = tuple(dict.fromkeys((ARRAY, *ROW_POLICIES, *POLICIES)))
BOUND = policy_program(NO_WORKSPACE)


def policies_of(records):
    """Those that are there, in the order of the tables."""
    there = {n for r in records for n, p in r["programs"].items() if p["verdict"] == POLICY}
    return [p for p in ALL_POLICIES if policy_program(p) in there]


def time_of(record, name):
    """The median of a program of ours that counts."""
    verdict = record["programs"].get(name, {}).get("verdict")
    times = spread(record, name, "warm") if verdict in ("ours", POLICY, LOWER_BOUND) else None
    return times and times.median


def head(record):
    return record["name"], record["data"], str(record["threads"])


def time_rows(records):
    """Milliseconds by each policy; the fastest stands in asterisks."""
    policies = policies_of(records)
    for r in records:
        times = [time_of(r, policy_program(p)) for p in policies]
        least = min((t for t in times if t), default=None)
        cells = [f"**{milliseconds(t)}**" if t and t == least else milliseconds(t) for t in times]
        chosen, bound, (peer, theirs) = time_of(r, LACUNA), time_of(r, BOUND), best(r)
        yield (*head(r), milliseconds(chosen), *cells, text(over(chosen, least), "{:.2f}"),
               milliseconds(bound), f"{median(theirs)} {peer or ''}".strip(),
               text(over(chosen, theirs and theirs.median), "{:.2f}"))


def time_headings(records):
    return ("kernel", "data", "threads", "chosen ms", *policies_of(records), "chosen/best",
            "no workspace", "fastest peer", "ours/theirs")


def share(record, name):
    most = peak(record, name)
    return text(over(most, record["written"]), "{:.1f}") if time_of(record, name) else "-"


def memory_rows(records):
    for r in records:
        peer, _ = best(r, "cold")
        theirs = text(peer and over(peak(r, peer), r["written"]), "{:.1f}")
        yield (*head(r), f"{r['written'] / 1e6:.3g}", share(r, LACUNA),
               *(share(r, policy_program(p)) for p in policies_of(records)),
               f"{theirs} {peer or ''}".strip())


def memory_headings(records):
    return ("kernel", "data", "threads", "result MB", "chosen", *policies_of(records), "fastest peer")


def left_out(results):
    """The policies without a time, and why."""
    kernels = {}
    for r in of_workspaces(results):
        for name in r["policies"]:
            verdict = r["programs"].get(name, {}).get("verdict", "")
            if verdict not in (POLICY, LOWER_BOUND):
                kernels.setdefault((name, re.sub(r"\d{4,}", "N", verdict)), {})[r["kernel"]] = True
    for (name, verdict), where in kernels.items():
        yield f"{', '.join(where)}: {name} not counted: {verdict}"


WORDS = (0, 1)
PREFACE = """\
## Workspaces

Results that are scattered into, by each policy of the workspace
([workspaces.md](workspaces.md)), as in figures 15 to 20 of Zhang et al.: Compilation of Modular and
General Sparse Workspaces, 2024. `columns-N` has entries in N columns, at a tenth of the rows of each.
*Chosen* is what the compiler takes when it is told nothing, *no workspace* the sum of the same
products, a lower bound.
"""


def plain_tables(results):
    """For a terminal."""
    records = of_workspaces(results)
    if records:
        yield aligned(time_headings(records), list(time_rows(records)), WORDS)
        yield "Peak memory of a cold run, times the size of the result:"
        yield aligned(memory_headings(records), list(memory_rows(records)), WORDS)


def section(results):
    """For performance.md."""
    records = of_workspaces(results)
    if records:
        yield from (PREFACE, "### Policies", "",
                    *markdown_table(time_headings(records), time_rows(records), 3), "",
                    *(f"- {line}" for line in left_out(results)), "",
                    "### Peak memory", "",
                    "The most that a cold run has beyond what was there before it, times the size of the "
                    "result.", "",
                    *markdown_table(memory_headings(records), memory_rows(records), 3), "",
                    "### Ratios", "", *markdown_table(HEADINGS, rows(results, records), 5), "",
                    *times_tables(results, records, "###"))
