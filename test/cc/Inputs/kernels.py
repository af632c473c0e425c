"""Functions on tensors of every element type: dense with functions, a row of a sparse matrix, a merge, a
product through a workspace, a scatter."""
TYPES = ("f64", "f32", "f16", "bf16", "i8", "i16", "i32", "i64", "complex<f32>", "complex<f64>")
VECTOR, ROWS, COLUMNS = "tensor<?x{0}>", "tensor<?x?x{0}, #CSR>", "tensor<?x?x{0}, #CSC>"

KERNELS = {
    "row": ("y(i) = A(i,j) * x(j) + z(i)", [ROWS, VECTOR, VECTOR], VECTOR),
    "merge": ("C(i,j) = A(i,j) + B(i,j)", [ROWS, ROWS], ROWS),
    "product": ("C(i,j) = A(i,k) * B(k,j)", [ROWS, ROWS], ROWS),
    "scatter": ("y(i) = A(i,j) * x(j)", [COLUMNS, VECTOR], VECTOR),
    "quotient": ("y(i) = (x(i) - z(i)) / (x(i) * z(i) + 1)", [VECTOR, VECTOR], VECTOR),
}
FUNCTIONS = ("y(i) = exp(x(i)) + pow(x(i), 2.5) * sqrt(x(i)) - floor(x(i)) + sin(z(i)) * tanh(x(i)) + "
             "max(x(i), z(i)) - min(x(i), 2) * abs(z(i)) + log(abs(x(i))) + pow(x(i), 3)")
MIXED = {
    "from_f64": ("f64", "y(i) = x(i) * z(i)"),
    "from_i64": ("i64", "y(i) = x(i) + z(i)"),
}


def function(name, text, operands, result):
    names = [f"%a{n}" for n in range(len(operands))]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, operands))
    return (f"func.func @{name}({arguments}) -> {result} {{\n"
            f'  %r = tin.einsum "{text}" ({", ".join(names)}) : ({", ".join(operands)}) -> {result}\n'
            f"  return %r : {result}\n}}")


print("#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>")
print("#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>")
for type in TYPES:
    word = type.translate(str.maketrans("<>", "__"))
    kernels = dict(KERNELS)
    if type[0] in "fb":
        kernels["functions"] = (FUNCTIONS, [VECTOR, VECTOR], VECTOR)
    for name, (text, operands, result) in kernels.items():
        print(function(f"{name}_{word}", text, [o.format(type) for o in operands], result.format(type)))
    for name, (other, text) in MIXED.items():
        if type in ("f16", "bf16", "f32"):
            print(function(f"{name}_{word}", text, [VECTOR.format(type), VECTOR.format(other)],
                           VECTOR.format(type)))
