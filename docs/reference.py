#!/usr/bin/env python3
"""Writes passes.md and dialects.md into FOLDER (default: docs).

    passes/bridge/Passes.td, dialects/{Tin,Cin,Sit}.td  --mlir-tblgen-->  a page each  --tidied-->  two pages

Passes stand in the order of Passes.td, under its headings. Of an operation the pages keep the
description, the syntax, and one table of its attributes, operands and results.
"""
import argparse
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LLVM = "/usr/lib/llvm-22"
DIALECTS = ("Tin", "Cin", "Sit")
MADE = "<!-- Made by `make docs` from {}; edit those. -->\n\n"

PASSES = MADE.format("passes/bridge/Passes.td") + """\
# Passes

Every pass of Lacuna, by its name in `sparse-opt` and in pipelines. All run on a module.
`compile/pipeline.c` has them in the order of `--sparse-cpu`; [adding-a-pass.md](adding-a-pass.md)
says how one is added.

"""

TEXT = MADE.format("dialects/*.td") + """\
# Dialects

The operations, attributes and types of the three rungs: [tin](#tin), [cin](#cin), [sit](#sit).
[tutorial.md](tutorial.md#the-rungs) goes down them with one example.

"""


def generated(td, *flags):
    """The page that mlir-tblgen makes of a definition."""
    command = [f"{LLVM}/bin/mlir-tblgen", *flags, "-I", os.path.join(ROOT, "dialects"),
               "-I", f"{LLVM}/include", os.path.join(ROOT, td)]
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return re.sub(r"\bdocs/([\w-]+\.md)", r"[\1](\1)", made)


def sections(text, level):
    """The parts of a page that a heading of the level begins: its words, and what follows."""
    parts = re.split(rf"^{'#' * level} (.*)\n", text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


#--- Passes ----------------------------------------------------------------------------------------

def options_table(match):
    rows = re.findall(r"^-(\S+)\s*: (.*)$", match.group(1), flags=re.M)
    return "\n".join(["| option | |", "| --- | --- |", *(f"| `{n}` | {w} |" for n, w in rows)]) + "\n"


def passes_page():
    pages = {words.strip("`-"): body for words, body
             in sections(generated("passes/bridge/Passes.td", "-gen-pass-doc"), 3)}
    page = PASSES
    with open(os.path.join(ROOT, "passes/bridge/Passes.td"), encoding="utf-8") as file:
        for heading, name in re.findall(r'^//===-- (.*?) -*===//$|^def \w+ : Pass<"([^"]+)"',
                                        file.read(), flags=re.M):
            if heading:
                page += f"## {heading}\n\n"
                continue
            body = re.sub(r"#### Options\n\n```\n(.*?)```\n", options_table, pages[name],
                          flags=re.S)
            page += f"### `{name}`\n\n{body.strip()}\n\n"
    return page


#--- Dialects --------------------------------------------------------------------------------------

def rows_of(kind, body):
    """Rows of the table that mlir-tblgen makes of an operation's attributes, operands, results."""
    if kind == "attribute":
        found = re.findall(r"<tr><td><code>(.*?)</code></td><td>.*?</td><td>(.*?)</td></tr>", body)
    else:
        found = re.findall(r"^\| `(.*?)` \| (.*?) \|$", body, flags=re.M)
    return [f"| {kind} `{name}` | {words} |" for name, words in found]


def operation(body):
    """An operation without what concerns C++ alone."""
    text, *parts = re.split(r"^#### (Attribute|Operand|Result|Region|Successor)s:\n", body, flags=re.M)
    text = re.sub(r"^(Traits|Interfaces|Effects): .*\n\n?", "", text, flags=re.M)
    rows = [row for kind, part in zip(parts[::2], parts[1::2])
            for row in rows_of(kind.lower(), part)]
    table = ["| | |", "| --- | --- |", *rows] if rows else []
    return text.strip() + "\n\n" + "".join(row + "\n" for row in table) + "\n" * bool(table)


def attribute(body):
    """An attribute, type or enum; its parameters' and cases' types are C++."""
    return re.split(r"^#### ", body, flags=re.M)[0].strip() + "\n\n"


def other(kind, name, body, seen):
    if (kind, name) in seen:
        return ""
    seen.update({(kind, name)} if kind == "enum" else ())
    title = re.sub(r"(Attr|Type)$", "", name)
    return f"### {title} ({kind})\n\n{attribute(body)}{cases(body)}"


def cases(body):
    """The cases of an enum, as they stand in the text of a program."""
    names = re.findall(r"^\| \w+ \| `\d+` \| (\S+) \|$", body, flags=re.M)
    return "`" + " ".join(names) + "`\n\n" if names else ""


def dialect(name, seen):
    text = generated(f"dialects/{name}.td", "-gen-dialect-doc", f"-dialect={name.lower()}")
    text = re.sub(r"^<!--.*-->\n\n|^\[TOC\]\n\n", "", text, flags=re.M)
    head, *parts = re.split(r"^## (\w+)\n", text, flags=re.M)
    page = re.sub(r"^# '(\w+)' Dialect", r"## \1", head).strip() + "\n\n"
    for kind, part in zip(parts[::2], parts[1::2]):
        for words, body in sections(part, 3):
            if kind == "Operations":
                page += f"### {words.split(' (')[0]}\n\n{operation(body)}"
            else:
                page += other(kind.rstrip("s").lower(), words, body, seen)
    return page


def dialects_page():
    """An enum that several dialects see stands where it is first seen."""
    seen = set()
    return TEXT + "".join(dialect(name, seen) for name in DIALECTS)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER", nargs="?", default=os.path.join(ROOT, "docs"))
    folder = parser.parse_args().folder
    os.makedirs(folder, exist_ok=True)
    for name, page in (("passes.md", passes_page()), ("dialects.md", dialects_page())):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(page.rstrip() + "\n")


if __name__ == "__main__":
    main()
