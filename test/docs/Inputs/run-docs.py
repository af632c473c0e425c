#!/usr/bin/env python3
"""run-docs.py [--update] ROOT BIN FILE... - runs the commands that documentation shows.

    ```mtx x.mtx
    %%MatrixMarket matrix array real general
    3 1
    1
    2
    3
    ```

    ```console
    $ sparse-run 'y(i) = 2 * x(i)' -i x:x.mtx -o y:-
    1 2
    2 4
    3 6
    ```

A block whose opening line has a second word is a file of that name. In a console block each line
after `$ ` is run by bash; it goes on in the next line after a backslash. All blocks of one page
share a folder, empty at first but for links to ROOT's rooms and build, with BIN on the path. What a
command prints, standard error after standard output, must be the lines up to the next `$`.
`...` stands for any text, and alone on a line for any lines. --update writes what is printed into
the page where the text there has no `...`; the rest is for people to mend.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOMS = ("bench", "compile", "dialects", "docs", "examples", "lower", "passes", "runtime", "test",
         "tools")


def blocks(lines):
    """The opening line's words, the first line and the end of each block of code."""
    start = None
    for n, line in enumerate(lines):
        if start is None and line.startswith("```"):
            words, start = line[3:].split(), n + 1
        elif start is not None and line == "```":
            yield words, start, n
            start = None


def commands(lines, start, end):
    """Each command of a console block, the first line and the end of its output."""
    n = start
    while n < end:
        command = lines[n][2:]
        n += 1
        while command.endswith("\\"):
            command += "\n" + lines[n]
            n += 1
        output = n
        while n < end and not lines[n].startswith("$ "):
            n += 1
        yield command, output, n


def pattern(expected):
    return "".join(r"(?:.*\n)*?" if line.strip() == "..."
                   else re.escape(line).replace(r"\.\.\.", ".*?") + "\n" for line in expected)


def run(command, folder, path):
    environment = {name: value for name, value in os.environ.items() if name != "LACUNA_OPTIMIZE"}
    environment.update(PATH=path + os.pathsep + os.environ["PATH"],
                       XDG_CACHE_HOME=os.path.join(folder, "cache"))
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                          capture_output=True, stdin=subprocess.DEVNULL, check=False)
    return [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]


def write(name, lines):
    with open(name, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def check_console(lines, start, end, folder, path):
    """The commands that print something else: command, its output's place, what it prints."""
    for command, first, last in commands(lines, start, end):
        expected = [line.rstrip() for line in lines[first:last]]
        found = run(command, folder, path)
        if not re.fullmatch(pattern(expected), "".join(line + "\n" for line in found)):
            yield command, first, last, found


def check_page(root, path, name, update):
    with open(name, encoding="utf-8") as file:
        lines = file.read().split("\n")
    failures, edits = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for room in ROOMS:
            os.symlink(os.path.join(root, room), os.path.join(folder, room))
        os.symlink(os.path.dirname(path), os.path.join(folder, "build"))
        for words, start, end in blocks(lines):
            if len(words) > 1:
                write(os.path.join(folder, words[1]), lines[start:end] + [""])
            if words != ["console"]:
                continue
            for command, first, last, found in check_console(lines, start, end, folder, path):
                expected = "\n".join(lines[first:last])
                if update and "..." not in expected:
                    edits.append((first, last, found))
                    continue
                failures += 1
                print(f"{name}:{first}: $ {command}\n--- expected\n{expected}\n--- found")
                print("\n".join(found) + "\n")
    for first, last, found in reversed(edits):
        lines[first:last] = found
    if edits:
        write(name, lines)
    return failures


def main():
    arguments = sys.argv[1:]
    update = "--update" in arguments
    root, path, *names = [a for a in arguments if a != "--update"]
    failures = sum(check_page(os.path.abspath(root), os.path.abspath(path), name, update)
                   for name in names)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
