#!/usr/bin/env python3
"""check-flags.py ROOT BIN - every flag that a tool's --help lists stands in the tool's page."""
import pathlib
import re
import subprocess
import sys

PAGES = {"sparse-run": "sparse-run.md", "sparse-cc": "c-interface.md", "sparse-gen": "sparse-run.md"}


def missing(tool, page):
    told = subprocess.run([tool, "--help"], check=True, capture_output=True, text=True).stdout
    flags = set(re.findall(r"^  (--?[a-z][\w-]*) ", told, re.M)) - {"--help"}
    shown = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", page.read_text()))
    return sorted(flags - shown) if flags else ["no flags at all"]


def main():
    root, folder = (pathlib.Path(p) for p in sys.argv[1:])
    found = [f"{tool} {flag}: not in docs/{name}" for tool, name in PAGES.items()
             for flag in missing(folder / tool, root / "docs" / name)]
    print("\n".join(found), end="\n" * bool(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
