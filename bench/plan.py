"""What is measured: operands, kernels, and who takes part."""

from dataclasses import dataclass

# The operands: what sparse-gen is asked for, at each of three sizes.
DATA = {
    "uniform": {
        "full": "uniform --rows 1000000 --nnz 21000000",
        "quick": "uniform --rows 200000 --nnz 2000000",
        "tiny": "uniform --rows 500 --nnz 4000"},
    "uniform-b": {
        "full": "uniform --rows 1000000 --nnz 21000000 --seed 2",
        "quick": "uniform --rows 200000 --nnz 2000000 --seed 2",
        "tiny": "uniform --rows 500 --nnz 4000 --seed 2"},
    "rmat": {
        "full": "rmat --rows 262144 --nnz 8000000",
        "quick": "rmat --rows 65536 --nnz 1000000",
        "tiny": "rmat --rows 512 --nnz 4000"},
    "rmat-b": {
        "full": "rmat --rows 262144 --nnz 8000000 --seed 2",
        "quick": "rmat --rows 65536 --nnz 1000000 --seed 2",
        "tiny": "rmat --rows 512 --nnz 4000 --seed 2"},
    "stencil2d": {
        "full": "stencil2d --rows 4000000",
        "quick": "stencil2d --rows 250000",
        "tiny": "stencil2d --rows 400"},
    "stencil3d": {
        "full": "stencil3d --rows 2985984",
        "quick": "stencil3d --rows 216000",
        "tiny": "stencil3d --rows 512"},
    "blocked": {
        "full": "blocked --rows 768000 --block 3 --nnz 20736000",
        "quick": "blocked --rows 90000 --block 3 --nnz 2430000",
        "tiny": "blocked --rows 300 --block 3 --nnz 2700"},
    "blocked-b": {
        "full": "blocked --rows 768000 --block 3 --nnz 20736000 --seed 2",
        "quick": "blocked --rows 90000 --block 3 --nnz 2430000 --seed 2",
        "tiny": "blocked --rows 300 --block 3 --nnz 2700 --seed 2"},
    # Smaller ones, for results much larger than the operands.
    "grid": {
        "full": "stencil3d --rows 1000000",
        "quick": "stencil3d --rows 125000",
        "tiny": "stencil3d --rows 216"},
    "short": {
        "full": "uniform --rows 1000000 --nnz 4000000",
        "quick": "uniform --rows 100000 --nnz 400000",
        "tiny": "uniform --rows 500 --nnz 2000"},
    "rmat-small": {
        "full": "rmat --rows 32768 --nnz 277000",
        "quick": "rmat --rows 8192 --nnz 50000",
        "tiny": "rmat --rows 256 --nnz 1000"},
    "blocked-small": {
        "full": "blocked --rows 96000 --block 3 --nnz 2592000",
        "quick": "blocked --rows 15000 --block 3 --nnz 405000",
        "tiny": "blocked --rows 150 --block 3 --nnz 1350"},
    "t-uniform": {
        "full": "tensor-uniform --dims 4000x1200x5000 --nnz 12000000",
        "quick": "tensor-uniform --dims 800x500x2000 --nnz 1000000",
        "tiny": "tensor-uniform --dims 40x30x50 --nnz 3000"},
    "t-uniform-b": {
        "full": "tensor-uniform --dims 4000x1200x5000 --nnz 12000000 --seed 2",
        "quick": "tensor-uniform --dims 800x500x2000 --nnz 1000000 --seed 2",
        "tiny": "tensor-uniform --dims 40x30x50 --nnz 3000 --seed 2"},
    "t-skewed": {
        "full": "tensor-skewed --dims 20000x20000x20000 --nnz 12000000",
        "quick": "tensor-skewed --dims 3000x3000x3000 --nnz 1000000",
        "tiny": "tensor-skewed --dims 60x60x60 --nnz 3000"},
    "t-skewed-b": {
        "full": "tensor-skewed --dims 20000x20000x20000 --nnz 12000000 --seed 2",
        "quick": "tensor-skewed --dims 3000x3000x3000 --nnz 1000000 --seed 2",
        "tiny": "tensor-skewed --dims 60x60x60 --nnz 3000 --seed 2"},
}


@dataclass(frozen=True)
class Case:
    """A kernel on operands."""
    kernel: str
    a: str
    b: str = ""
    columns: int = 0

    @property
    def name(self):
        return f"{TITLES[self.kernel]}{f' {self.columns}' if self.columns else ''}"


TITLES = {
    "spmv": "SpMV, CSR", "spmv-coo": "SpMV, COO", "spmm": "SpMM", "sddmm": "SDDMM",
    "add": "CSR + CSR", "spgemm": "SpGEMM", "to-csc": "CSR to CSC", "ttv": "TTV", "ttm": "TTM",
    "mttkrp": "MTTKRP", "inner": "inner product",
}

CASES = (
    [Case("spmv", a) for a in ("uniform", "rmat", "stencil2d", "stencil3d", "blocked")] +
    [Case("spmv-coo", a) for a in ("uniform", "rmat", "stencil3d")] +
    [Case("spmm", a, columns=c) for c in (32, 128) for a in ("rmat", "grid")] +
    [Case("sddmm", a, columns=128) for a in ("rmat", "grid")] +
    [Case("add", a, a + "-b") for a in ("uniform", "rmat", "blocked")] +
    [Case("spgemm", a) for a in ("grid", "rmat-small", "blocked-small", "short")] +
    [Case("ttv", a) for a in ("t-uniform", "t-skewed")] +
    [Case("ttm", a, columns=32) for a in ("t-uniform", "t-skewed")] +
    [Case("mttkrp", a, columns=32) for a in ("t-uniform", "t-skewed")] +
    [Case("inner", a, a + "-b") for a in ("t-uniform", "t-skewed")] +
    [Case("to-csc", a) for a in ("uniform", "rmat", "stencil3d")]
)


@dataclass(frozen=True)
class Peer:
    """Somebody who takes part.  `source` stands in bench/peers; `kernels` maps the benchmark's
    kernels to those that the program is asked for."""
    name: str
    source: str
    kernels: tuple
    package: str = ""
    flags: tuple = ()
    libraries: tuple = ()
    threaded: bool = True
    counted: bool = True  # among those whose fastest is the measure


LACUNA = "Lacuna"
PLAIN = "plain C"

PEERS = (
    Peer(PLAIN, "plain.c", tuple(TITLES), flags=("-ffast-math", "-fopenmp"), counted=False),
    Peer("Eigen", "eigen.cpp", ("spmv", "spmm", "add", "spgemm", "to-csc"), "libeigen3-dev",
         flags=("-DNDEBUG", "-fopenmp", "-isystem", "/usr/include/eigen3")),
    Peer("GraphBLAS", "graphblas.c", ("spmv", "spmm", "sddmm", "add", "spgemm", "to-csc"),
         "libgraphblas-dev", flags=("-I/usr/include/suitesparse",), libraries=("-lgraphblas",)),
    Peer("SciPy", "scipy_peer.py", ("spmv", "spmv-coo", "spmm", "add", "spgemm", "to-csc"),
         "python3-scipy", threaded=False),
    Peer("SciPy, sorted", "scipy_peer.py", ("spgemm-sorted",), "python3-scipy", threaded=False),
    Peer("librsb", "librsb.c", ("spmv", "spmm"), "librsb-dev", libraries=("-lrsb",)),
    Peer("MLIR", "mlir/driver.c", tuple(TITLES), "mlir-22-tools", threaded=False),
)
