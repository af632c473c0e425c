"""Runs every program on every case, in turns, and compares the results.

The programs of a case all live at the same time.  In each round each of them has its turn, once for
each number of threads: what the machine does meanwhile falls on all alike.  First come the rounds with
warm memory, then those with cold (harness.h).  Who has no turn is stopped.
"""

import json
import os
import selectors
import signal
import subprocess
import tempfile
import time

from peers import LACUNA, LOWER_BOUND, POLICY, WAYS, Missing, policy_program
from plan import NO_WORKSPACE, SERIAL
from programs import environment

TOLERANCE = {"f64": 1e-10, "f32": 1e-5}  # of a sum's size; rounding stays below
PROGRAM_LIMIT = 300  # seconds that a program may take for an answer
LEAST_ROUNDS = 3
MEMORIES = ("warm", "cold")
COMPILATIONS = 3
LATE = 8  # how many times less is slow when the time of a case is over
PATIENCE, SLOW_POLICY = 3, 4  # seconds, and times those of the one chosen, until a policy has run once


class Failed(Exception):
    """A program that does not answer."""


class Program:
    """A program of the benchmark, started on a case; stopped between two questions."""

    def __init__(self, name, command, kernel, case, workshop, threaded):
        words = [*command, kernel, case.columns, *(workshop.operand(o) for o in case.operands)]
        self.name, self.threaded, self.threads = name, threaded, 1
        self.complaints = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([str(w) for w in words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.complaints, text=True,
                                        env=environment(1))
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.runs = {}  # of each number of threads and kind of memory
        self.spent = dict.fromkeys(MEMORIES, 0.0)  # seconds

    def answer(self, limit=PROGRAM_LIMIT):
        """Its next line."""
        if not self.selector.select(limit):
            raise Failed("no answer in time")
        line = self.process.stdout.readline()
        if not line:
            raise Failed(self.complaint())
        return json.loads(line)

    def complaint(self):
        status = self.process.wait()
        self.complaints.seek(0)
        lines = self.complaints.read().strip().splitlines()
        errors = [line for line in lines if line.startswith("error")]
        return (errors or lines[-1:] or [f"status {status}"])[0][:200]

    def ask(self, order):
        os.kill(self.process.pid, signal.SIGCONT)
        try:
            self.process.stdin.write(order + "\n")
            self.process.stdin.flush()
            return self.answer()
        except BrokenPipeError:
            raise Failed(self.complaint()) from None

    def rest(self):
        os.kill(self.process.pid, signal.SIGSTOP)

    def turn(self, threads, memory):
        """One run that counts."""
        start = time.monotonic()
        if threads != self.threads:
            self.ask(f"threads {threads}")
            self.threads = threads
        self.runs.setdefault((threads, memory), []).append(self.ask(memory))
        self.rest()
        self.spent[memory] += time.monotonic() - start

    def rounds(self, memory):
        return min((len(r) for (_, m), r in self.runs.items() if m == memory), default=0)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.selector.close()
        self.complaints.close()


def agree(one, other, tolerance):
    """Whether two fingerprints are those of the same tensor."""
    near = lambda key: abs(one[key] - other[key]) <= tolerance * max(one["size"], other["size"])
    same = all(one[key] == other[key] for key in ("entries", "places"))
    return same and near("sum") and near("size")


def judge(ours, theirs, counted, tolerance):
    """What a peer's figures are worth: "counted", or why they are not."""
    if ours is None:
        return "not compared"
    if not agree(ours, theirs, tolerance):
        return "another result"
    if ours["sorted"] and not theirs["sorted"]:
        return "unsorted"
    return "counted" if counted else "for orientation"


def takes_part(peer, case):
    """The kernel that a peer is asked for, or none."""
    kernels = [case.peers_kernel + way for way in WAYS]
    return case.type in peer.types and next((k for k in peer.kernels if k in kernels), None)


class Round:
    """The programs of one case: ours, ours by each policy of workspaces, the peers'."""

    def __init__(self, session, case, counts):
        self.session, self.case, self.counts = session, case, counts
        self.programs, self.verdicts, self.shown = {}, {}, {}
        self.compiled = {}  # seconds: ours at first and then, others'
        self.patience = PROGRAM_LIMIT
        self.policies = {policy_program(p): p for p in (*case.policies, NO_WORKSPACE) if case.policies}
        self.requests = {LACUNA: case.request(),
                         **{name: case.request(p) for name, p in self.policies.items()}}

    # Starting ------------------------------------------------------------------------------------

    def start(self):
        commands = self.commands()
        alone = [n for n, (_, peer) in commands.items() if peer is None or peer.alone]
        for name in [*alone, *(n for n in commands if n not in alone)]:
            command, peer = commands[name]
            kernel = takes_part(peer, self.case) if peer else self.requests[name]
            threaded = peer is None or peer.threaded
            self.programs[name] = Program(name, command, kernel, self.case, self.session.workshop,
                                          threaded)
            if name in alone:
                self.attempt(name, self.begin)
        for name in [n for n in self.programs if n not in alone]:
            self.attempt(name, lambda p: p.answer())
        for name in list(self.programs):
            self.attempt(name, self.compare)

    def commands(self):
        """What each program is started with, and the peer; compiled where that is missing."""
        found = {name: (self.session.workshop.lacuna(self.case), None) for name in self.requests}
        for peer in self.session.peers:
            kernel = takes_part(peer, self.case)
            if not kernel or (peer.only_threaded and self.counts == [1]):
                continue
            try:
                found[peer.name] = (self.session.workshop.program(peer, self.case), peer)
            except Missing as problem:
                self.session.missing[peer.name] = f"{peer.package or peer.source} ({problem})"
        return found

    def attempt(self, name, what):
        """Does something with a program, which leaves where it fails."""
        try:
            what(self.programs[name])
        except (Failed, ValueError) as problem:
            self.programs.pop(name).end()
            self.verdicts[name] = f"failed: {problem}"

    def begin(self, program):
        """Ours comes first, and tells how long the policies may take."""
        start = time.monotonic()
        program.answer(self.patience if program.name in self.policies else PROGRAM_LIMIT)
        if program.name == LACUNA:
            self.patience = PATIENCE + SLOW_POLICY * (time.monotonic() - start)

    def compare(self, program):
        """Judges what a program's last result came to."""
        shown = self.shown[program.name] = program.ask("show")
        program.rest()
        if shown.get("compiled"):
            self.compiled[program.name] = {"first": shown["compiled"]}
        if program.name == LACUNA:
            self.verdicts[LACUNA] = "ours"
            return
        verdict = self.verdict_of(program, shown)
        if self.verdicts.get(program.name) != "another result":
            self.verdicts[program.name] = verdict

    def verdict_of(self, program, shown):
        mine = self.shown.get(LACUNA)
        if self.policies.get(program.name) == NO_WORKSPACE:
            return LOWER_BOUND
        peer = next((p for p in self.session.peers if p.name == program.name), None)
        verdict = judge(mine, shown, peer is None or peer.counted, TOLERANCE[self.case.type])
        return POLICY if peer is None and verdict == "counted" else verdict

    # Taking turns --------------------------------------------------------------------------------

    def measure(self, deadline):
        for n, memory in enumerate(MEMORIES):
            now = time.monotonic()
            self.take_rounds(memory, now + (deadline - now) / (len(MEMORIES) - n))
        for name in list(self.programs):
            self.attempt(name, self.compare)
        if LACUNA in self.programs and self.session.compiles(self.case):
            self.attempt(LACUNA, self.compile)

    def take_rounds(self, memory, deadline):
        while any(self.may_go_on(p, memory, deadline) for p in self.programs.values()):
            for name in list(self.programs):
                if self.may_go_on(self.programs[name], memory, deadline):
                    self.attempt(name, lambda p: self.take_turns(p, memory))

    def may_go_on(self, program, memory, deadline):
        """Whether a program has another round: at least three, or one of a very slow one."""
        done, session, spent = program.rounds(memory), self.session, program.spent[memory]
        if done >= session.runs or not done:
            return not done
        late = time.monotonic() > deadline
        slow = spent / done > session.seconds / (LATE if late else 1)
        if done < LEAST_ROUNDS and not (slow and program.name != LACUNA):
            return True
        return not late and spent < session.seconds * len(self.counts)

    def take_turns(self, program, memory):
        for threads in self.counts:
            if threads == 1 or program.threaded:
                program.turn(threads, memory)

    def compile(self, program):
        times = [program.ask("compile")["seconds"] for _ in range(COMPILATIONS)]
        self.compiled[LACUNA]["again"] = min(times)

    def end(self):
        for program in self.programs.values():
            program.end()

    # What came of it -----------------------------------------------------------------------------

    def figures(self, name, threads):
        """A program's runs on a number of threads; those on one where it has no threads."""
        program = self.programs.get(name)
        count = threads if program and program.threaded else 1
        runs = {} if not program else {m: columns(program.runs[count, m]) for m in MEMORIES
                                       if (count, m) in program.runs}
        return {"verdict": self.verdicts[name], "threads": count} | runs

    def records(self):
        case, shown = self.case, self.shown.get(LACUNA, {})
        only_threaded = {p.name for p in self.session.peers if p.only_threaded}
        for threads in self.counts:
            names = [n for n in self.verdicts if threads > 1 or n not in only_threaded]
            yield identity(case) | {
                "threads": threads, "read": shown.get("read", 0), "written": shown.get("written", 0),
                "policies": list(self.policies),
                "programs": {n: self.figures(n, threads) for n in names}}


def identity(case):
    """What a case's records begin with."""
    return {"kernel": case.kernel, "form": case.form, "of_formats": case.of_formats,
            "type": case.type, "group": case.group, "name": case.name, "data": case.a,
            "columns": case.columns}


def is_of(record, case):
    return identity(case).items() <= record.items()


def columns(runs):
    """Lists of seconds, of those in the system, of page faults, of peaks of memory in bytes, and of
    busy cores."""
    return {**{key: [r[key] for r in runs] for key in ("seconds", "system", "faults", "peak")},
            "cores": [r["processor"] / r["seconds"] for r in runs]}


class Session:
    """The figures of one run of the benchmark."""

    def __init__(self, workshop, peers, threads, runs, seconds):
        self.workshop, self.peers, self.threads = workshop, peers, threads
        self.runs, self.seconds = runs, seconds
        self.missing, self.compile_times = {}, {}

    def compiles(self, case):
        """Whether compile times are measured on a case: the first of its kernel."""
        apart = case.of_formats or case.policies or case.type != "f64"
        return not apart and case.name not in self.compile_times

    def run(self, case, deadline):
        """The records of a case, one for each number of threads."""
        counts = [1] if case.kernel in SERIAL else self.threads
        turns = Round(self, case, counts)
        try:
            turns.start()
            turns.measure(deadline)
            self.keep_compile_times(case, turns)
            return list(turns.records())
        finally:
            turns.end()

    def keep_compile_times(self, case, turns):
        if not self.compiles(case) or LACUNA not in turns.compiled:
            return
        times = dict(turns.compiled)
        mlir = next((p for p in self.peers if p.name == "MLIR" and takes_part(p, case)), None)
        if mlir and "MLIR" in turns.programs:
            seconds = self.workshop.mlir_seconds(self.workshop.program(mlir, case))
            times |= {"MLIR": {"first": seconds}} if seconds else {}
        self.compile_times[case.name] = times
