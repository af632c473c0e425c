"""What is measured: kernels, formats, and cases of both on data."""

from dataclasses import dataclass
from pathlib import Path

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
    "dcsr": "(i, j) -> (i : compressed, j : compressed)" + WIDTHS,
    "csf": "(i, j, k) -> (i : compressed, j : compressed, k : compressed)" + WIDTHS,
    "ddc": "(i, j, k) -> (i : dense, j : dense, k : compressed)" + WIDTHS,
    "coo3": "(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton)" +
            WIDTHS,
    "dccc": "(n, y, x, c) -> (n : dense, y : compressed, x : compressed, c : compressed)" + WIDTHS,
    "dddc": "(n, y, x, c) -> (n : dense, y : dense, x : dense, c : compressed)" + WIDTHS,
    "coo4": "(n, y, x, c) -> (n : compressed(nonunique), y : singleton(nonunique), "
            "x : singleton(nonunique), c : singleton)" + WIDTHS,
    "matrix": "(i, j) -> (i : dense, j : dense)",
    "dense": "(i) -> (i : dense)",
    "sparse": "(i) -> (i : compressed)" + WIDTHS,
    "hash": "(i) -> (i : hashed)" + WIDTHS,
}


@dataclass(frozen=True)
class Kernel:
    """What is computed.  `takes` is the tensor that is stored in a case's format."""
    title: str
    group: str
    takes: str = ""
    policies: tuple = ()  # of its workspace, that are measured beside the one that is chosen


# The policies of a workspace of a row, and of one of several dimensions, in the order of the tables. One
# that the compiler refuses is named and left out.
ROW_POLICIES = ("dense", "hash", "map")
POLICIES = ("dense", "hash", "coord", "map", "vector")
ARRAY = "array"  # no workspace: the result as an array, that is then compressed
NO_WORKSPACE = "none"  # the same products added up to one number: a lower bound

FORMATS_GROUP, VECTORS_GROUP, F32, REAL = "formats", "sparse vectors", "f32", "real data"
SCHEDULES_GROUP, WORKSPACES_GROUP, MASKS_GROUP = "schedules", "workspaces", "masks"
CONVOLUTION_GROUP = "convolution"
NAMED_GROUPS = (WORKSPACES_GROUP, MASKS_GROUP, CONVOLUTION_GROUP)  # that --only takes

KERNELS = {
    "spmv": Kernel("SpMV, {FORM}", "SpMV", "A"),
    "spmm": Kernel("SpMM {columns}", "dense results"),
    "sddmm-spmm": Kernel("SDDMM, then SpMM {columns}", "dense results"),
    "sddmm-spmm-one": Kernel("SDDMM and SpMM {columns}, one statement", "dense results"),
    "sddmm": Kernel("SDDMM {columns}", "sparse results"),
    "add": Kernel("CSR + CSR", "sparse results"),
    "add3": Kernel("CSR + CSR + CSR", "sparse results"),
    "spgemm": Kernel("SpGEMM", "sparse results"),
    "tri": Kernel("triangles of an edge", "sparse results"),
    "tri-count": Kernel("triangles in all", "dense results"),
    "spgemm-rows": Kernel("SpGEMM by rows", WORKSPACES_GROUP, policies=ROW_POLICIES),
    "spgemm-outer": Kernel("SpGEMM by outer products", WORKSPACES_GROUP, policies=(ARRAY, *POLICIES)),
    "spmttkrp": Kernel("SpMTTKRP, J = {long}", WORKSPACES_GROUP, policies=POLICIES),
    "spttm": Kernel("SpTTM, L = {long}", WORKSPACES_GROUP, policies=POLICIES),
    "spttm-i": Kernel("SpTTM-I, L = {long}", WORKSPACES_GROUP, policies=POLICIES),
    "masked": Kernel("SpGEMM under a mask", MASKS_GROUP),
    "tri-lower": Kernel("triangles of an undirected graph", MASKS_GROUP),
    "conv1": Kernel("1-D", CONVOLUTION_GROUP, "A"),
    "conv2": Kernel("2-D, {FORM}", CONVOLUTION_GROUP, "A"),
    "conv3": Kernel("3-D, {FORM}", CONVOLUTION_GROUP, "A"),
    "conv-nhwc": Kernel("NHWC, {FORM}", CONVOLUTION_GROUP, "A"),
    "ttv": Kernel("TTV", "tensors", "A"),
    "ttm": Kernel("TTM {columns}", "tensors"),
    "mttkrp": Kernel("MTTKRP {columns}", "tensors"),
    "mttkrp4": Kernel("MTTKRP {columns}, order 4", "tensors"),
    "inner": Kernel("inner product", "tensors"),
    "to": Kernel("CSR to {FORM}", "conversions", "B"),
    "coo-to": Kernel("COO, unsorted, to {FORM}", "conversions", "B"),
    "once": Kernel("COO to {FORM}, then SpMV", "conversions", "A"),
    "mxv": Kernel("A x, x {form}, {share}", "sparse vectors", "x"),
    "vxm": Kernel("x A, x {form}, {share}", "sparse vectors", "x"),
    "vxs": Kernel("x A, x {form}, sparse result, {share}", "sparse vectors", "x"),
}

SERIAL = ("coo-to", "once", "mxv", "vxm", "vxs")  # measured on one thread

# The formats of what is convolved; peers have it in the one that they take.
CONVOLUTION_FORMS = (("conv1", ("",)), ("conv2", ("csr", "dcsr", "coo")), ("conv3", ("ddc", "csf", "coo3")),
                     ("conv-nhwc", ("dccc", "dddc", "coo4")))

# Formats that no peer has, results in the format that peers choose, and a statement that others
# compute as two: measured beside what the peers have.
STAND_INS = {**{f"{kernel}-{form}": kernel for kernel, forms in CONVOLUTION_FORMS for form in forms},
             "spmv-csb": "spmv", "spmv-ell": "spmv", "spmv-sell": "spmv",
             "mxv-hash": "mxv-sparse", "vxm-hash": "vxm-sparse", "vxs-sparse": "vxm-sparse",
             "sddmm-spmm-one": "sddmm-spmm", "spgemm-rows": "spgemm", "spgemm-outer": "spgemm"}

SCHEDULES = Path(__file__).resolve().parent.parent / "examples" / "schedules"


@dataclass(frozen=True)
class Case:
    """A kernel on operands, one of its tensors stored in a format (of FORMATS; none: CSR, CSF).
    `columns` are those of dense matrices, or a sparse vector's entries in a million places;
    `schedule` is a file of examples/schedules, that Lacuna is told."""
    kernel: str
    a: str
    b: str = ""
    c: str = ""
    columns: int = 0
    form: str = ""
    of_formats: bool = False  # among the cases that compare formats
    type: str = "f64"
    real: bool = False
    schedule: str = ""

    @property
    def name(self):
        kernel = KERNELS[self.kernel]
        title = kernel.title.format(
            FORM=(self.form or "csr").upper(), form=self.form, columns=self.columns,
            share=f"{self.columns / 1e4:g} %", long=size_text(self.columns))
        if self.form and "form}" not in kernel.title.lower():
            title += f", into a {self.form}"
        return title + f", {self.type}" * (self.type != "f64") + \
            f", by {self.schedule}.txt" * bool(self.schedule)

    @property
    def key(self):
        """The name of the kernel in this format, or by this schedule."""
        return "-by-".join(name for name in (self.formed, self.schedule) if name)

    @property
    def formed(self):
        return f"{self.kernel}-{self.form}" if self.form else self.kernel

    @property
    def peers_kernel(self):
        return STAND_INS.get(self.formed, self.formed)

    @property
    def operands(self):
        return [name for name in (self.a, self.b, self.c) if name]

    @property
    def group(self):
        """The cases whose mean it goes into."""
        if self.policies:
            return WORKSPACES_GROUP
        if self.real:
            return REAL
        if KERNELS[self.kernel].group == CONVOLUTION_GROUP:
            return CONVOLUTION_GROUP
        if self.type != "f64":
            return F32
        if self.schedule:
            return SCHEDULES_GROUP
        group = KERNELS[self.kernel].group
        return FORMATS_GROUP if self.of_formats and group == "SpMV" else group

    @property
    def policies(self):
        return KERNELS[self.kernel].policies

    def request(self, policy=""):
        """What Lacuna's program is asked for; by a policy of workspaces."""
        takes = KERNELS[self.kernel].takes
        commands = (SCHEDULES / f"{self.schedule}.txt").read_text().strip() if self.schedule else ""
        return self.kernel + f":{policy}" * bool(policy) + \
            f" {takes}=#tin.format<{FORMATS.get(self.form)}>" * bool(self.form) + \
            f"; {commands}" * bool(commands)


def size_text(size):
    """A power of two beyond thousands as such."""
    return f"2^{size.bit_length() - 1}" if size > 1 << 16 and size & (size - 1) == 0 else str(size)


# Sparse vectors, by how many of a million places have entries.  Where each row would walk too many of
# them there are none in order.
VECTORS = [("mxv", "few-rows", (10, 1000, 1000000)), ("mxv", "wide", (10, 1000, 100000)),
           ("vxm", "short", (10, 1000, 1000000))]
MOST_WALKED = 1000

# Workspaces, as in Zhang et al. 2024: B has so many columns with entries, C as many rows (figures 15 and
# 16); a tensor's factors of a tenth of all places (figure 19), and the same with columns that move apart
# (figure 20).
BY_ROWS, BY_OUTER = (4, 16, 64, 250, 1000, 4000), (1, 4, 16, 64, 250)
FACTORS = {"spmttkrp": (16, 64, 256, 1024), "spttm": (4, 16, 64), "spttm-i": (4, 16, 64)}
APART = tuple(1 << n for n in (20, 30, 40))
LEAST_FACTOR = 16  # columns of those that move apart


# What a filter of three is taken over, and the share of zeros in it, in percent (Liu et al. 2024, section
# 6.3).
LINES = (0, 50, 70, 75, 80, 90, 95, 99, 99.9)
IMAGES = (0, 50, 60, 80, 90, 99, 99.9)
CHANNELS = 64
CONVOLVED = {"conv1": ("line", LINES, 0, "f64"), "conv2": ("square", LINES, 0, "f64"),
             "conv3": ("cube", LINES, 0, "f64"), "conv-nhwc": ("image", IMAGES, CHANNELS, F32)}


def convolution_cases():
    for kernel, forms in CONVOLUTION_FORMS:
        data, shares, columns, kind = CONVOLVED[kernel]
        for form in forms:
            for zeros in shares:
                yield Case(kernel, f"{data}-{zeros}", columns=columns, form=form, type=kind)


def factor_case(kernel, columns, data):
    second = f"factor-{data}-b" if kernel == "spmttkrp" else ""
    return Case(kernel, "t-million", f"factor-{data}", second, columns=columns)


CASES = (
    [Case("spmv", a) for a in ("uniform", "exponential", "rmat", "stencil2d", "stencil3d", "blocked")] +
    [Case("spmv", a, form="coo") for a in ("uniform", "rmat", "stencil3d")] +
    [Case("spmm", a, columns=c) for c in (32, 128) for a in ("rmat-half", "grid")] +
    [Case("sddmm", a, columns=128) for a in ("rmat-half", "grid")] +
    [Case(kernel, a, columns=64) for kernel in ("sddmm-spmm", "sddmm-spmm-one")
     for a in ("rmat-half", "grid")] +
    [Case("add", a, a + "-b") for a in ("uniform", "rmat", "blocked")] +
    [Case("add3", a, a + "-b", a + "-c") for a in ("uniform", "rmat")] +
    [Case("spgemm", a) for a in ("grid", "rmat-small", "blocked-small", "short")] +
    [Case(kernel, a) for kernel in ("tri", "tri-count") for a in ("rmat-small", "blocked-small")] +
    [Case("ttv", a) for a in ("t-uniform", "t-skewed")] +
    [Case("ttm", a, columns=32) for a in ("t-uniform-small", "t-skewed-small")] +
    [Case("mttkrp", a, columns=32) for a in ("t-uniform", "t-skewed")] +
    [Case("mttkrp4", "t4-uniform", columns=32)] +
    [Case("inner", a, a + "-b") for a in ("t-uniform", "t-skewed")] +
    [Case("to", a, form="csc") for a in ("uniform", "rmat", "stencil3d")] +
    [Case(*case, columns=columns, type=F32) for *case, columns in (
        ("spmv", "uniform", 0), ("spmv", "stencil3d", 0), ("spmm", "rmat-half", 32),
        ("sddmm", "grid", 128), ("add", "uniform", "uniform-b", 0), ("spgemm", "grid", 0),
        ("mttkrp", "t-uniform", 32))] +
    [Case(kernel, a, columns=columns, schedule=schedule, form=form)
     for kernel, a, columns, schedule, form in (
        ("spmv", "exponential", 0, "spmv-rows", ""), ("spmv", "exponential", 0, "spmv-nonzeros", ""),
        ("spmv", "exponential", 0, "spmv-tiles", ""), ("spmv", "exponential", 0, "spmv-workspace", ""),
        ("spmm", "rmat-half", 32, "spmm", ""),
        ("sddmm", "grid", 128, "sddmm", ""), ("sddmm", "few", 128, "sddmm-row", ""),
        ("sddmm-spmm-one", "rmat-half", 64, "sddmm-spmm", ""),
        ("sddmm-spmm-one", "grid", 64, "sddmm-spmm", ""), ("spgemm", "grid", 0, "spgemm", ""),
        ("ttv", "t-uniform", 0, "ttv", "matrix"), ("ttm", "t-uniform-small", 32, "ttm", ""),
        ("mttkrp", "t-uniform", 32, "mttkrp", ""), ("mttkrp", "t-uniform", 32, "mttkrp-workspace", ""))] +
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
     for kernel, a, shares in VECTORS for share in shares if kernel == "vxm"] +
    [Case("spgemm-rows", f"columns-{count}", f"rows-{count}") for count in BY_ROWS] +
    [Case("spgemm-outer", f"columns-{count}", f"rows-{count}") for count in BY_OUTER] +
    [factor_case(kernel, columns, columns) for kernel in FACTORS for columns in FACTORS[kernel]] +
    [factor_case(kernel, columns, LEAST_FACTOR) for kernel in FACTORS for columns in APART] +
    [Case("masked", mask, a, a) for mask, a in (
        ("rmat-mask", "rmat-small"), ("uniform-mask", "rmat-small"), ("blocked-mask", "blocked-small"))] +
    [Case("tri-lower", a) for a in ("rmat-lower", "uniform-lower", "blocked-lower")] +
    list(convolution_cases())
)


def real_cases(name, order, square):
    """What is measured on a matrix or tensor of somebody's."""
    if order == 2:
        products = [("spgemm", 0), ("spgemm-outer", 0), ("tri-lower", 0)] if square else []
        kernels = [("spmv", 0), ("spmm", 32), *products]
        return [Case(kernel, name + "-lower" * (kernel == "tri-lower"), columns=c, real=True)
                for kernel, c in kernels] + \
            [Case("to", name, form="csc", real=True)]
    return [Case("mttkrp" if order == 3 else "mttkrp4", name, columns=32, real=True)]
