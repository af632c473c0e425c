"""ptx.py KERNELS LEFT --types f64,f32 --architectures sm_80,sm_90 [--only NAME,...] [--stacks]

Makes PTX of the kernels in the table KERNELS, in each of their formats, for elements of each type
and for each architecture, and assembles it where there is a ptxas that knows the architecture.
What is not as it should be is to be what the file LEFT says, no more and no less:

    spgemm A:csr: on the CPU             no loop of it runs on a GPU
    spmv A:dia: a part on the CPU        not all of them do
    spmv A:csr f64 sm_90: a stack        a thread has memory of its own, for what is in no register
    spmv A:csr f64 sm_90: error: ...     what the compiler or ptxas says

With LEFT "-" it prints that.  Stacks are looked for with --stacks, and where the ptxas is the one of
LEFT, since each has its own idea of how many registers are worth one.
"""
import argparse
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PTXAS_OF_LEFT = "release 13.0"
SCHEDULES = os.path.join(os.path.dirname(__file__), "../../../examples/schedules")


def schedule(word):
    """The text of a schedule that `@NAME` stands for."""
    if not word.startswith("@"):
        return word
    with open(os.path.join(SCHEDULES, word[1:])) as file:
        return file.read()


def rows(path):
    """(name, statement, tensor, formats, flags) of each line of the table."""
    with open(path) as table:
        for line in table:
            if line.strip() and not line.startswith("#"):
                name, statement, varied, flags = (part.strip() for part in line.split("|"))
                tensor, *formats = varied.split()
                yield name, statement, tensor, formats, [schedule(word) for word in shlex.split(flags)]


def operands(statement):
    return sorted(set(re.findall(r"[A-Za-z]\w*(?=[(\[])", statement.split("=")[1])) - {"max", "exp"})


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def ptxas_knows(architecture):
    if not shutil.which("ptxas"):
        return False
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as empty:
        empty.write(".version 7.0\n.target sm_50\n.address_size 64\n")
        empty.flush()
        return run("ptxas", "-arch", architecture, empty.name, "-o", os.devnull).returncode == 0


def first_error(text):
    lines = [line for line in text.splitlines() if re.search("error|fatal", line)]
    return "error: " + (lines or text.splitlines() or ["(none)"])[0]


def assemble(path, architecture):
    """What is wrong with the PTX; None where nothing is."""
    done = run("ptxas", "-arch", architecture, "-warn-spills", "-warn-lmem-usage", path, "-o", os.devnull)
    if done.returncode != 0:
        return first_error(done.stderr)
    return "a stack" if "warning" in done.stderr else None


def compile_one(case, element, architecture, known):
    """(where, what is wrong) of one program."""
    statement, tensor, form, flags = case
    types = [word for name in operands(statement) for word in ("-t", f"{name}:{element}")]
    with tempfile.NamedTemporaryFile("r", suffix=".ptx") as ptx:
        done = run("sparse-cc", statement, "-f", f"{tensor}:{form}", *flags, *types, "--target",
                   "gpu:" + architecture, "-o", ptx.name)
        if "nothing runs on one" in done.stderr:
            return "on the CPU", None
        if done.returncode != 0:
            return None, first_error(done.stderr)
        where = "a part on the CPU" if "on the CPU" in done.stderr else None
        if known:
            return where, assemble(ptx.name, architecture)
        return where, None


def lines_of(label, case, types, architectures):
    """Where it runs, for each type where that differs, and what else is wrong."""
    places, lines = {}, []
    for element in types:
        for architecture, known in architectures:
            where, wrong = compile_one(case, element, architecture, known)
            places.setdefault(where, {})[element] = True
            if wrong:
                lines.append(f"{label} {element} {architecture}: {wrong}")
    for where, elements in places.items():
        if where:
            lines.append(label + ("" if len(places) == 1 else " " + ",".join(elements)) + ": " + where)
    return lines


def is_asked(line, asked):
    """Whether a line of LEFT is of the kernels, types and architectures that are asked for."""
    name, _, *others = line.split(": ")[0].split()
    return ((not asked.only or name in asked.only) and
            (not others or any(element in asked.types for element in others[0].split(","))) and
            (len(others) < 2 or others[1] in asked.architectures))


def takes_stacks(asked):
    return asked.stacks and shutil.which("ptxas") and PTXAS_OF_LEFT in run("ptxas", "--version").stdout


def compare(found, asked):
    with open(asked.left) as file:
        expected = [line.rstrip("\n") for line in file if not line.startswith("#")]
    expected = [line for line in expected if is_asked(line, asked)]
    if not takes_stacks(asked):
        found, expected = ([line for line in lines if not line.endswith("a stack")] for lines in (found, expected))
    for line in sorted(set(found) - set(expected)):
        print("not expected:", line)
    for line in sorted(set(expected) - set(found)):
        print(f"no longer so, to be taken out of {os.path.basename(asked.left)}:", line)
    return sorted(found) == sorted(expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernels")
    parser.add_argument("left")
    for flag in ("--types", "--architectures", "--only"):
        parser.add_argument(flag, type=lambda text: text.split(","))
    parser.add_argument("--stacks", action="store_true")
    asked = parser.parse_args()
    architectures = [(name, ptxas_knows(name)) for name in asked.architectures]
    cases = [(f"{name} {tensor}:{form}", (statement, tensor, form, flags))
             for name, statement, tensor, formats, flags in rows(asked.kernels)
             if not asked.only or name in asked.only for form in formats]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = sum(pool.map(lambda c: lines_of(*c, asked.types, architectures), cases), [])
    if asked.left == "-":
        print(*found, sep="\n")
    elif not compare(found, asked):
        sys.exit(1)


if __name__ == "__main__":
    main()
