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
    # Few rows, for sparse vectors.
    "few-rows": {
        "full": "uniform --rows 1000 --cols 1000000 --nnz 10000000",
        "quick": "uniform --rows 100 --cols 1000000 --nnz 1000000",
        "tiny": "uniform --rows 10 --cols 5000 --nnz 1000"},
    "wide": {
        "full": "uniform --rows 1000 --cols 64000000 --nnz 1000000",
        "quick": "uniform --rows 100 --cols 16000000 --nnz 100000",
        "tiny": "uniform --rows 10 --cols 20000 --nnz 200"},
}


# The formats, as Lacuna is told them.  Dimensions are called as in bench/lacuna/kernels.c.
WIDTHS = ", pos = 32, crd = 32"
FORMATS = {
    "coo": "(i, j) -> (i : compressed(nonunique), j : singleton)" + WIDTHS,
    "csr": "(i, j) -> (i : dense, j : compressed)" + WIDTHS,
    "csc": "(i, j) -> (j : dense, i : compressed)" + WIDTHS,
    "dia": "(i, j) -> (j - i : compressed, i : range, j : offset)" + WIDTHS,
    "ell": "(i, j) -> (#i : sliced, i : dense, j : padded)" + WIDTHS,
    "sell": "(i, j) -> (i floordiv 8 : dense, #i : sliced, i mod 8 : dense, j : padded)" + WIDTHS,
    "bcsr": "(i, j) -> (i floordiv 3 : dense, j floordiv 3 : compressed, i mod 3 : dense, "
            "j mod 3 : dense)" + WIDTHS,
    "csb": "(i, j) -> (j floordiv 65536 : dense, i floordiv 32768 : dense, "
           "i mod 32768 : compressed(nonunique), j mod 65536 : singleton), pos = 32, crd = 16",
    "dense": "(i) -> (i : dense)",
    "sparse": "(i) -> (i : compressed)" + WIDTHS,
    "hash": "(i) -> (i : hashed)" + WIDTHS,
}


@dataclass(frozen=True)
class Kernel:
    """What is computed.  `takes` is the tensor that is stored in a case's format."""
    title: str
    takes: str = ""


KERNELS = {
    "spmv": Kernel("SpMV, {FORM}", "A"), "spmm": Kernel("SpMM {columns}"),
    "sddmm": Kernel("SDDMM {columns}"), "add": Kernel("CSR + CSR"), "spgemm": Kernel("SpGEMM"),
    "ttv": Kernel("TTV"), "ttm": Kernel("TTM {columns}"), "mttkrp": Kernel("MTTKRP {columns}"),
    "inner": Kernel("inner product"), "to": Kernel("CSR to {FORM}", "B"),
    "coo-to": Kernel("COO, unsorted, to {FORM}", "B"),
    "once": Kernel("COO to {FORM}, then SpMV", "A"),
    "mxv": Kernel("A x, x {form}, {share}", "x"), "vxm": Kernel("x A, x {form}, {share}", "x"),
    "vxs": Kernel("x A, x {form}, sparse result, {share}", "x"),
}

SERIAL = ("coo-to", "once", "mxv", "vxm", "vxs")  # measured on one thread

# Formats that no peer has, and results in the format that peers choose: measured beside what the
# peers have.
STAND_INS = {"spmv-csb": "spmv", "spmv-ell": "spmv", "spmv-sell": "spmv",
             "mxv-hash": "mxv-sparse", "vxm-hash": "vxm-sparse",
             "vxs-sparse": "vxm-sparse"}


@dataclass(frozen=True)
class Case:
    """A kernel on operands, one of its tensors stored in a format (of FORMATS; none: CSR, CSF).
    `columns` are those of dense matrices, or a sparse vector's entries in a million places."""
    kernel: str
    a: str
    b: str = ""
    columns: int = 0
    form: str = ""
    of_formats: bool = False  # among the cases that compare formats

    @property
    def name(self):
        return KERNELS[self.kernel].title.format(
            FORM=(self.form or "csr").upper(), form=self.form, columns=self.columns,
            share=f"{self.columns / 1e4:g} %")

    @property
    def key(self):
        """The name of the kernel in this format."""
        return f"{self.kernel}-{self.form}" if self.form else self.kernel

    @property
    def peers_kernel(self):
        return STAND_INS.get(self.key, self.key)

    @property
    def request(self):
        """What Lacuna's program is asked for."""
        takes = KERNELS[self.kernel].takes
        return f"{self.kernel} {takes}=#tin.format<{FORMATS[self.form]}>" if self.form \
            else self.kernel


# Sparse vectors, by how many of a million places have entries.  Where each row would walk too many of
# them there are none in order.
VECTORS = [("mxv", "few-rows", (10, 1000, 1000000)), ("mxv", "wide", (10, 1000, 100000)),
           ("vxm", "short", (10, 1000, 1000000))]
MOST_WALKED = 1000

CASES = (
    [Case("spmv", a) for a in ("uniform", "rmat", "stencil2d", "stencil3d", "blocked")] +
    [Case("spmv", a, form="coo") for a in ("uniform", "rmat", "stencil3d")] +
    [Case("spmm", a, columns=c) for c in (32, 128) for a in ("rmat", "grid")] +
    [Case("sddmm", a, columns=128) for a in ("rmat", "grid")] +
    [Case("add", a, a + "-b") for a in ("uniform", "rmat", "blocked")] +
    [Case("spgemm", a) for a in ("grid", "rmat-small", "blocked-small", "short")] +
    [Case("ttv", a) for a in ("t-uniform", "t-skewed")] +
    [Case("ttm", a, columns=32) for a in ("t-uniform", "t-skewed")] +
    [Case("mttkrp", a, columns=32) for a in ("t-uniform", "t-skewed")] +
    [Case("inner", a, a + "-b") for a in ("t-uniform", "t-skewed")] +
    [Case("to", a, form="csc") for a in ("uniform", "rmat", "stencil3d")] +
    [Case(*case, form=form, of_formats=True) for *case, form in (
        ("spmv", "stencil2d", "dia"), ("spmv", "stencil3d", "dia"), ("spmv", "stencil2d", "ell"),
        ("spmv", "stencil3d", "ell"), ("spmv", "stencil3d", "sell"), ("spmv", "blocked", "bcsr"),
        ("spmv", "uniform", "csb"), ("once", "uniform", "csr"), ("once", "rmat", "csr"),
        ("once", "stencil3d", "csr"), ("coo-to", "uniform", "csr"), ("coo-to", "rmat", "csr"),
        ("coo-to", "stencil3d", "csr"), ("to", "stencil2d", "dia"), ("to", "stencil3d", "dia"),
        ("to", "stencil3d", "ell"), ("to", "blocked", "bcsr"))] +
    [Case(kernel, a, columns=share, form=form, of_formats=True)
     for kernel, a, shares in VECTORS for share in shares for form in ("dense", "sparse", "hash")
     if (form, kernel) != ("sparse", "mxv") or share <= MOST_WALKED] +
    [Case("vxs", a, columns=share, form="sparse", of_formats=True)
     for kernel, a, shares in VECTORS for share in shares if kernel == "vxm"]
)


@dataclass(frozen=True)
class Peer:
    """Somebody who takes part.  `source` stands in bench/peers; `kernels` are those of the
    benchmark's that it has."""
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

EVERY = ("spmv", "spmv-coo", "spmm", "sddmm", "add", "spgemm", "to-csc", "ttv", "ttm", "mttkrp",
         "inner")
VECTOR_KERNELS = ("mxv-dense", "mxv-sparse", "vxm-dense", "vxm-sparse")

PEERS = (
    Peer(PLAIN, "plain.c", EVERY, flags=("-ffast-math", "-fopenmp"), counted=False),
    Peer(PLAIN, "plain_formats.c", ("once-csr", "coo-to-csr", "to-dia", "to-ell", "to-bcsr"),
         flags=("-ffast-math",), threaded=False, counted=False),
    Peer("Eigen", "eigen.cpp", ("spmv", "spmm", "add", "spgemm", "to-csc", "once-csr",
                                "coo-to-csr", "mxv-dense", "vxm-dense"), "libeigen3-dev",
         flags=("-DNDEBUG", "-fopenmp", "-isystem", "/usr/include/eigen3")),
    Peer("GraphBLAS", "graphblas.c", ("spmv", "spmm", "sddmm", "add", "spgemm", "to-csc",
                                      "coo-to-csr", *VECTOR_KERNELS),
         "libgraphblas-dev", flags=("-I/usr/include/suitesparse",), libraries=("-lgraphblas",)),
    Peer("SciPy", "scipy_peer.py", ("spmv", "spmv-coo", "spmm", "add", "spgemm", "to-csc",
                                    "spmv-dia", "spmv-bcsr", "once-csr", "coo-to-csr", "to-dia",
                                    "to-bcsr", *VECTOR_KERNELS),
         "python3-scipy", threaded=False),
    Peer("SciPy, sorted", "scipy_peer.py", ("spgemm-sorted",), "python3-scipy", threaded=False),
    Peer("librsb", "librsb.c", ("spmv", "spmm"), "librsb-dev", libraries=("-lrsb",)),
    Peer("MLIR", "mlir/driver.c", EVERY, "mlir-22-tools", threaded=False),
)
