"""Runs every program on every case, and compares the results."""

import json
import statistics
import subprocess

from plan import LACUNA, PEERS
from programs import Missing, environment

TOLERANCE = 1e-10  # of a sum's size; rounding stays far below, a wrong entry far above
PROGRAM_LIMIT = 900  # seconds


def start(command, kernel, case, workshop, threads, runs, seconds):
    """What a program prints, or why it does not."""
    folders = [workshop.operand(name) for name in (case.a, case.b) if name]
    words = [*command, kernel, case.columns, runs, seconds, *folders]
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True,
                              env=environment(threads), timeout=PROGRAM_LIMIT)
    except subprocess.TimeoutExpired:
        return {"failed": f"no result in {PROGRAM_LIMIT} s"}
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return {"failed": lines[-1][:200] if lines else f"status {done.returncode}"}
    figures = json.loads(done.stdout.splitlines()[-1])
    return figures | {"median": statistics.median(figures["seconds"]),
                      "least": min(figures["seconds"])}


def agree(one, other):
    """Whether two fingerprints are those of the same tensor."""
    near = lambda key: abs(one[key] - other[key]) <= TOLERANCE * max(one["size"], other["size"])
    same = all(one[key] == other[key] for key in ("entries", "places"))
    return same and near("sum") and near("size")


def judge(ours, theirs, counted):
    """What a peer's figures are worth: "counted", or why they are not."""
    if "failed" in theirs:
        return "failed: " + theirs["failed"]
    if "failed" in ours:
        return "not compared"
    if not agree(ours, theirs):
        return "another result"
    if ours["sorted"] and not theirs["sorted"]:
        return "unsorted"
    return "counted" if counted else "for orientation"


def takes_part(peer, kernel):
    """The kernel that a peer is asked for, or none."""
    return next((k for k in peer.kernels if k in (kernel, kernel + "-sorted")), None)


class Session:
    """The figures of one run of the benchmark."""

    def __init__(self, workshop, peers, runs, seconds):
        self.workshop, self.runs, self.seconds = workshop, runs, seconds
        self.peers, self.missing, self.done = peers, {}, {}

    def run(self, case, threads):
        """The record of a case on a number of threads."""
        ours = start(self.workshop.lacuna(), case.request, case, self.workshop, threads, self.runs,
                     self.seconds)
        programs = {LACUNA: ours | {"verdict": "ours" if "failed" not in ours
                                    else "failed: " + ours["failed"]}}
        for peer in self.peers:
            kernel = takes_part(peer, case.peers_kernel)
            figures = kernel and self.run_peer(peer, kernel, case, threads)
            if figures:
                programs[peer.name] = figures | {"verdict": judge(ours, figures, peer.counted)}
        return {"kernel": case.kernel, "form": case.form, "of_formats": case.of_formats,
                "name": case.name, "data": case.a, "columns": case.columns, "threads": threads,
                "bytes": ours.get("bytes", 0), "programs": programs}

    def run_peer(self, peer, kernel, case, threads):
        """A peer is run once for all formats in which it has the same kernel; and, if it has no
        threads, for all numbers of them."""
        what = (peer, kernel, case.a, case.b, case.columns, threads if peer.threaded else 1)
        if what in self.done:
            return self.done[what]
        try:
            command = self.workshop.program(peer, case)
        except Missing as problem:
            self.missing[peer.name] = f"{peer.package or peer.source} ({problem})"
            return None
        figures = start(command, kernel, case, self.workshop, threads, self.runs, self.seconds)
        self.done[what] = figures
        return figures


def named_peers(names):
    """The peers by their names, all for None."""
    if names is None:
        return list(PEERS)
    wanted = {n.strip().lower() for n in names.split(",") if n.strip()}
    return [p for p in PEERS if p.name.lower() in wanted or p.name.split(",")[0].lower() in wanted]
