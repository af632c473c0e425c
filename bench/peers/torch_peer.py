"""PyTorch on a GPU, by its sparse tensors in CSR, which cuSPARSE multiplies and adds: a list of cases as
JSON on standard input, each with a `kernel` of device_kernels.py, a Matrix Market `file`, a `type`
and how many `columns`; on standard output a list of `seconds`, or of what is `missing`."""

import json
import statistics
import sys

try:
    import scipy.io
    import torch
except ImportError as error:
    sys.exit(f"error: missing: {error}")

SAMPLES, LEAST_SECONDS = 7, 0.01
TYPES = {"f64": torch.float64, "f32": torch.float32}
GPU = torch.device("cuda")


def load(file, kind):
    """The matrix in the three arrays of CSR on the GPU."""
    matrix = scipy.io.mmread(file).tocsr()
    matrix.sort_indices()
    values = torch.from_numpy(matrix.data).to(GPU, TYPES[kind])
    indices = torch.from_numpy(matrix.indices).to(GPU, torch.int32)
    starts = torch.from_numpy(matrix.indptr).to(GPU, torch.int32)
    return torch.sparse_csr_tensor(starts, indices, values, size=matrix.shape)


def job(kernel, rows, columns, kind):
    """What is to be timed."""
    made = lambda *shape: torch.rand(*shape, dtype=TYPES[kind], device=GPU)
    m, n = rows.shape
    if kernel == "spmv":
        x = made(n)
        return lambda: rows @ x
    if kernel.startswith("spmm"):
        x = made(n, columns)
        return lambda: rows @ x
    if kernel == "sddmm":
        c, d = made(m, columns), made(columns, n)
        return lambda: torch.sparse.sampled_addmm(rows, c, d, beta=0.0)
    if kernel == "spgemm":
        return lambda: rows @ rows
    if kernel == "add":
        return lambda: rows + rows
    if kernel == "convert":
        entries = rows.to_sparse_coo().coalesce()
        return lambda: entries.to_sparse_csr()
    return None


def seconds(work):
    """The median of samples, each of as many runs as last LEAST_SECONDS."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def sample(runs):
        begin.record()
        for _ in range(runs):
            work()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e-3 / runs

    sample(2)
    runs = max(1, int(LEAST_SECONDS / max(sample(2), 1e-6)))
    return statistics.median(sample(runs) for _ in range(SAMPLES))


def measure(case, kept):
    key = (case["file"], case["type"])
    if key not in kept:
        kept.clear()
        kept[key] = load(*key)
    work = job(case["kernel"], kept[key], case["columns"], case["type"])
    if not work:
        return {"missing": "no such kernel"}
    try:
        return {"seconds": seconds(work)}
    except RuntimeError as problem:
        return {"missing": str(problem).splitlines()[0]}


kept = {}
json.dump([measure(case, kept) for case in json.load(sys.stdin)], sys.stdout)
