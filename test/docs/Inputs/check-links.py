#!/usr/bin/env python3
"""check-links.py ROOT - every link in the pages of documentation leads to a file, and to a heading
of it; every page has its place in docs/README.md, and its test where it shows commands; every path
of a room's file that stands as code is one."""
import pathlib
import re
import sys


def anchor(heading):
    """A heading as GitHub names it in links."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def without_code(text):
    """Nor comments."""
    return re.sub(r"^```.*?^```$|<!--.*?-->", "", text, flags=re.M | re.S)


def anchors(page):
    return {anchor(words) for words in re.findall(r"^#+ (.*)$", without_code(page.read_text()), re.M)}


def without_words_of_code(text):
    """`x[pad](i+1)` is no link; [`name`](file) is one."""
    return re.sub(r"`[^`\n]*\]\([^`\n]*`", "", text)


def broken_links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_words_of_code(without_code(page.read_text()))):
        name, _, heading = target.partition("#")
        file = page.parent / name if name else page
        if target.startswith(("https:", "http:")):
            continue
        if not file.exists():
            yield f"{page}: {target}: no such file"
        elif heading and heading not in anchors(file):
            yield f"{page}: {target}: no such heading"


ROOMS = ("bench", "cmake", "compile", "dialects", "docs", "examples", "lower", "passes", "runtime",
         "test", "tools")


def missing_paths(root, page):
    """Of `room/folder/file.c`, with * for anything; not of names in capitals, which stand for others."""
    for path in re.findall(rf"`((?:{'|'.join(ROOMS)})/[\w./*+-]*)`", without_code(page.read_text())):
        if not re.search(r"[A-Z]{3,}\b", path) and not any(root.glob(path)):
            yield f"{page}: {path}: no such file"


def missing_files(page):
    """Of `folder/file.c` in the README of a room."""
    for path in re.findall(r"`([\w./*+-]*(?:\.(?:c|h|td|cpp)|/))`", without_code(page.read_text())):
        if not any(page.parent.glob(path)) and not any(page.parents[1].glob(path)):
            yield f"{page}: {path}: no such file"


def unlisted(root, page):
    index = (root / "docs/README.md").read_text()
    if page.name not in ("README.md", "performance.md") and f"({page.name})" not in index:
        yield f"{page}: not in docs/README.md"
    test = root / "test/docs" / f"{page.stem.lower()}.test"
    if "\n```console" in page.read_text() and not test.exists():
        yield f"{page}: no {test}"


def main():
    root = pathlib.Path(sys.argv[1])
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    rooms = [page for room in ROOMS for page in (root / room).glob("README.md") if room != "docs"]
    found = [line for page in pages for line in (*missing_paths(root, page), *unlisted(root, page))]
    found += [line for page in rooms for line in missing_files(page)]
    found += [line for page in pages + rooms for line in broken_links(page)]
    print("\n".join(found), end="\n" * bool(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
