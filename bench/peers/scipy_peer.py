"""SciPy, by the same protocol as the C programs (harness.h): CSR and COO times a vector and a
matrix, CSR + CSR, CSR * CSR, CSR to CSC.  It runs on one thread.  `spgemm` leaves the columns of
its result unsorted; `spgemm-sorted` sorts them."""

import json
import sys
import time

try:
    import numpy
    import scipy.sparse
except ImportError as error:
    sys.exit(f"missing: {error}")

LEAST_RUNS = 3


def load(folder):
    """The CSR matrix in a folder, and the rows of its entries."""
    _, rows, columns, _, _ = map(int, open(f"{folder}/shape").read().split())
    read = lambda name, kind: numpy.fromfile(f"{folder}/{name}", dtype=kind)
    parts = (read("values", "f8"), read("coordinates1", "i4"), read("positions1", "i4"))
    return scipy.sparse.csr_matrix(parts, shape=(rows, columns)), read("coordinates0", "i4")


def dense(count, slot):
    """bench_dense of harness.c."""
    places = (numpy.arange(count, dtype="u8") + numpy.uint64(slot + 1)) * numpy.uint64(2654435761)
    return 0.5 + (places & numpy.uint64(0xFFFFFFFF)).astype("f8") * 2.0 ** -32


def fingerprint(places, values):
    """fingerprint.c, on numbered places."""
    with numpy.errstate(over="ignore"):
        h = (places.astype("u8") + numpy.uint64(1)) * numpy.uint64(0x9E3779B97F4A7C15)
        h = (h ^ (h >> numpy.uint64(29))) * numpy.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> numpy.uint64(32)
        total = int(numpy.sum(h, dtype="u8"))
    weights = (h >> numpy.uint64(40)).astype("f8") * 2.0 ** -24
    return {"entries": int(values.size), "places": f"{total:016x}",
            "sum": float(numpy.dot(weights, values)), "size": float(numpy.abs(values).sum())}


def ascends(matrix):
    inner, starts = matrix.indices, matrix.indptr
    rises = numpy.diff(inner) > 0
    ends = starts[1:-1]
    rises[ends[(ends > 0) & (ends < inner.size)] - 1] = True
    return bool(rises.all())


def describe(result):
    if isinstance(result, numpy.ndarray):
        return fingerprint(numpy.arange(result.size), result.ravel()) | {"sorted": True}
    outer = numpy.repeat(numpy.arange(result.indptr.size - 1), numpy.diff(result.indptr))
    row, column = (outer, result.indices) if result.format == "csr" else (result.indices, outer)
    places = row.astype("i8") * result.shape[1] + column
    return fingerprint(places, result.data) | {"sorted": ascends(result)}


def sorted_product(a, b):
    c = a @ b
    c.sort_indices()
    return c


def kernel(name, columns, a, rows, b):
    """The function that a run calls."""
    if name in ("spmv", "spmv-coo"):
        x = dense(a.shape[1], 0)
        matrix = a if name == "spmv" else \
            scipy.sparse.coo_matrix((a.data, (rows, a.indices)), shape=a.shape)
        return lambda: matrix @ x
    if name == "spmm":
        x = dense(a.shape[1] * columns, 0).reshape(a.shape[1], columns)
        return lambda: a @ x
    return {"add": lambda: a + b, "spgemm": lambda: a @ b,
            "spgemm-sorted": lambda: sorted_product(a, b), "to-csc": lambda: a.tocsc()}.get(name)


def main(name, columns, runs, budget, *folders):
    a, rows = load(folders[0])
    b = load(folders[-1])[0] if len(folders) > 1 else a
    run = kernel(name, int(columns), a, rows, b)
    if not run:
        sys.exit(3)
    seconds, result, begin = [], run(), time.perf_counter()
    while len(seconds) < int(runs) and (len(seconds) < LEAST_RUNS or
                                        time.perf_counter() - begin < float(budget)):
        del result
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"seconds": seconds} | describe(result)))


if __name__ == "__main__":
    main(*sys.argv[1:])
