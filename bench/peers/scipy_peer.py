"""SciPy, by the same protocol as the C programs (harness.h), the type of values before the rest:
matrices in several formats times vectors, dense and sparse, CSR times a dense matrix, sums and products
of CSR, conversions.  It runs on one thread.  `spgemm` leaves the columns of its result unsorted;
`spgemm-sorted` sorts them."""

import ctypes
import json
import resource
import signal
import statistics
import sys
import time

try:
    import numpy
    import scipy.sparse
except ImportError as error:
    sys.exit(f"missing: {error}")

BLOCK = (3, 3)
SHORT_RUN, TINY_RUN, TINY_RUNS = 0.02, 1e-4, 31
TYPES = {"f64": "f8", "f32": "f4"}
PR_SET_PDEATHSIG = 1
M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD, M_MMAP_MAX, M_ARENA_MAX = -1, -2, -3, -4, -8

libc = ctypes.CDLL(None)
value = "f8"


def load(folder):
    """The CSR matrix in a folder, and the rows of its entries."""
    _, rows, columns, _, _ = map(int, open(f"{folder}/shape").read().split())
    read = lambda name, kind: numpy.fromfile(f"{folder}/{name}", dtype=kind)
    parts = (read("values", "f8").astype(value), read("coordinates1", "i4"), read("positions1", "i4"))
    return scipy.sparse.csr_matrix(parts, shape=(rows, columns)), read("coordinates0", "i4")


def dense(count, slot):
    """bench_dense of harness.c."""
    places = (numpy.arange(count, dtype="u8") + numpy.uint64(slot + 1)) * numpy.uint64(2654435761)
    return (0.5 + (places & numpy.uint64(0xFFFFFFFF)).astype("f8") * 2.0 ** -32).astype(value)


def hashes(places):
    """fingerprint_hash of fingerprint.c"""
    with numpy.errstate(over="ignore"):
        h = (places.astype("u8") + numpy.uint64(1)) * numpy.uint64(0x9E3779B97F4A7C15)
        h = (h ^ (h >> numpy.uint64(29))) * numpy.uint64(0xBF58476D1CE4E5B9)
        return h ^ (h >> numpy.uint64(32))


def scattered(count, share):
    """bench_scattered_vector of harness.c."""
    chance = numpy.uint64(share * (1 << 24) // 1000000)
    return numpy.where(hashes(numpy.arange(count)) >> numpy.uint64(40) < chance,
                       dense(count, 0), numpy.dtype(value).type(0))


def shuffled_list(matrix, rows):
    """The entries of a matrix, in an order without order."""
    order = numpy.random.default_rng(1).permutation(rows.size)
    parts = (matrix.data[order], (rows[order], matrix.indices[order]))
    return scipy.sparse.coo_matrix(parts, shape=matrix.shape)


def fingerprint(places, values):
    """fingerprint.c, on numbered places."""
    h, values = hashes(places), values.astype("f8")
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
    if numpy.isscalar(result):
        return fingerprint(numpy.zeros(1, dtype="i8"), numpy.array([result])) | {"sorted": True}
    if not isinstance(result, numpy.ndarray) and 1 in result.shape:
        result = result.toarray()
    if not isinstance(result, numpy.ndarray) and result.format not in ("csr", "csc"):
        result = result.tocsr()
        result.eliminate_zeros()
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


def sorted_list(a, rows):
    entries = scipy.sparse.coo_matrix((a.data, (rows, a.indices)), shape=a.shape)
    entries.has_canonical_format = True  # sorted, no duplicates: none are looked for
    return entries


def vector_kernel(name, share, a):
    """A times a vector, or a vector times A; as a sparse matrix with one column, or row."""
    x = scattered(a.shape[1 if name.startswith("mxv") else 0], share)
    if name == "mxv-dense":
        return lambda: a @ x
    if name == "vxm-dense":
        return lambda: a.T @ x
    row = scipy.sparse.csr_matrix(x)
    column = scipy.sparse.csr_matrix(row.T) if name == "mxv-sparse" else None
    return (lambda: a @ column) if name == "mxv-sparse" else (lambda: row @ a)


def masked(mask, a, b):
    """The product is made as a whole: SciPy has no masks."""
    c = (a @ b).multiply(mask).tocsr()
    c.sort_indices()
    return c


def kernel(name, columns, a, rows, b, c):
    """The function that a run calls."""
    if name.startswith(("mxv", "vxm")):
        return vector_kernel(name, columns, a)
    if name == "coo-to-csr":
        entries = shuffled_list(a, rows)
        return entries.tocsr
    if name == "once-csr":
        entries, x = sorted_list(a, rows), dense(a.shape[1], 0)
        return lambda: entries.tocsr() @ x
    if name.startswith("spmv"):
        x = dense(a.shape[1], 0)
        matrix = {"spmv": lambda: a, "spmv-coo": lambda: sorted_list(a, rows),
                  "spmv-dia": a.todia, "spmv-bcsr": lambda: a.tobsr(BLOCK)}[name]()
        return lambda: matrix @ x
    if name == "spmm":
        x = dense(a.shape[1] * columns, 0).reshape(a.shape[1], columns)
        return lambda: a @ x
    return {"add": lambda: a + b, "add3": lambda: a + b + c, "tri": lambda: masked(a, a, a),
            "masked": lambda: masked(a, b, c), "tri-count": lambda: (a @ a).multiply(a).sum(),
            "tri-lower": lambda: (a @ a).multiply(a).sum(), "spgemm": lambda: a @ b,
            "spgemm-sorted": lambda: sorted_product(a, b), "to-csc": lambda: a.tocsc(),
            "to-dia": lambda: a.todia(), "to-bcsr": lambda: a.tobsr(BLOCK)}.get(name)


def begin_memory():
    """begin_memory of harness.c."""
    for option, setting in ((M_ARENA_MAX, 1), (M_TRIM_THRESHOLD, -1), (M_TOP_PAD, 64 << 20),
                            (M_MMAP_THRESHOLD, 128 << 10), (M_MMAP_MAX, 0)):
        libc.mallopt(option, setting)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def usage():
    """Page faults, and seconds in the system."""
    of = resource.getrusage(resource.RUSAGE_SELF)
    return of.ru_minflt + of.ru_majflt, of.ru_stime


def peak():
    """resident_peak of harness.c."""
    with open("/proc/self/status") as status:
        return next((int(l.split()[1]) * 1024 for l in status if l.startswith("VmHWM")), None)


def forget_peak():
    """The peak from now on; None where the system does not tell."""
    try:
        with open("/proc/self/clear_refs", "w") as refs:
            refs.write("5")
        return peak()
    except OSError:
        return None


class Turns:
    """What a program does when it is told."""

    def __init__(self, run):
        self.run_kernel, self.result = run, run()

    def time_run(self):
        self.result = None
        start = time.perf_counter()
        self.result = self.run_kernel()
        return time.perf_counter() - start

    def run(self, memory):
        libc.mallopt(M_MMAP_MAX, 0 if memory == "warm" else 1 << 16)
        self.result = None
        if memory == "cold":
            libc.malloc_trim(0)
        resident = forget_peak()
        (faults, system), processor = usage(), time.process_time()
        seconds = self.time_run()
        return {"seconds": seconds, "processor": time.process_time() - processor,
                "system": usage()[1] - system, "faults": usage()[0] - faults,
                "peak": None if resident is None else peak() - resident}

    def obey(self, order):
        if order == "show":
            return describe(self.result)
        figures = self.run(order)
        if figures["seconds"] < SHORT_RUN:
            figures = self.run(order)
        if order == "warm" and figures["seconds"] < TINY_RUN:
            figures["seconds"] = statistics.median(self.time_run() for _ in range(TINY_RUNS))
        return figures


def say(figures):
    print(json.dumps(figures), flush=True)


def main(kind, name, columns, *folders):
    global value
    value = TYPES[kind]
    a, rows = load(folders[0])
    b, c = (load(folders[n])[0] if len(folders) > n else a for n in (1, 2))
    begin_memory()
    run = kernel(name, int(columns), a, rows, b, c)
    if not run:
        sys.exit(3)
    turns = Turns(run)
    say({"first": 0})
    for line in sys.stdin:
        say(turns.obey(line.strip()))


if __name__ == "__main__":
    main(*sys.argv[1:])
