"""Prints how each pair of formats is converted: conversions.py PATH-OF-sparse-opt

    =  the same    .  one copy    o  one copy, recorded: ordered and appended afterwards
    t  two copies  S  two, by a coordinate list that is recorded
"""
import re
import subprocess
import sys

MATRICES = {
    "dense": "i : dense, j : dense",
    "csr": "i : dense, j : compressed",
    "csc": "j : dense, i : compressed",
    "dcsr": "i : compressed, j : compressed",
    "dcsc": "j : compressed, i : compressed",
    "coo": "i : compressed(nonunique), j : singleton",
    "any": "i : compressed(nonunique, unordered), j : singleton(nonunique, unordered)",
    "aos": "i : tuples(2, nonunique), j : element(1)",
    "bitmap": "i : dense, j : bitmap",
    "hash": "i : dense, j : hashed",
    "band": "i : dense, j : banded",
    "bcsr": "i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense",
    "csb": "j floordiv 4 : dense, i floordiv 4 : dense, i mod 4 : compressed(nonunique), "
           "j mod 4 : singleton",
    "bcoo": "i floordiv 4 : compressed(nonunique), j floordiv 4 : singleton, i mod 4 : dense, "
            "j mod 4 : dense",
    "dia": "j - i : compressed, i : range, j : offset",
    "ell": "#i : sliced, i : dense, j : padded",
    "sell": "i floordiv 4 : dense, #i : sliced, i mod 4 : dense, j : padded",
    "nm": "i : dense, j floordiv 4 : dense, j mod 4 : nm(2)",
}
TENSORS = {
    "ijk": "i : compressed, j : compressed, k : compressed",
    "kij": "k : compressed, i : compressed, j : compressed",
    "rows": "i : dense, j : dense, k : compressed",
    "columns": "k : dense, j : dense, i : compressed",
    "hash": "i : dense, j : dense, k : hashed",
    "blocks": "i floordiv 2 : compressed(nonunique), j floordiv 2 : singleton(nonunique), "
              "k floordiv 2 : singleton, i mod 2 : dense, j mod 2 : dense, k mod 2 : dense",
}


def module_of(formats, dimensions):
    size = "x".join("?" for _ in dimensions)
    text = ""
    for number, levels in enumerate(formats.values()):
        text += f"#F{number} = #tin.format<({', '.join(dimensions)}) -> ({levels})>\n"
    for a in range(len(formats)):
        for b in range(len(formats)):
            source, target = f"tensor<{size}xf64, #F{a}>", f"tensor<{size}xf64, #F{b}>"
            text += (f"func.func @from_{a}_{b}(%A: {source}) -> {target} {{\n"
                     f"  %B = tin.convert %A : {source} to {target}\n"
                     f"  return %B : {target}\n}}\n")
    return text


def way(code):
    copies = code.count("tin.compute")
    if copies != 1:
        return ("S" if "record}" in code else "t") if copies else "="
    return "o" if "record}" in code else "."


def print_census(formats, dimensions):
    run = subprocess.run([sys.argv[1], "--tin-lower-conversions"], text=True, check=True,
                         input=module_of(formats, dimensions), stdout=subprocess.PIPE)
    found = {(int(a), int(b)): way(code) for a, b, code in
             re.findall(r"func\.func @from_(\d+)_(\d+)(.*?\n  \}\n)", run.stdout, re.S)}
    widths = [len(name) for name in formats]
    print(" " * 8 + " ".join(formats))
    for a, name in enumerate(formats):
        row = " ".join(found[a, b].ljust(width) for b, width in enumerate(widths))
        print(f"{name:8}{row}".rstrip())


print_census(MATRICES, "ij")
print_census(TENSORS, "ijk")
