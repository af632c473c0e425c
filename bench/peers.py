"""Who takes part: the peers, and what they have."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

LACUNA = "Lacuna"
PLAIN = "plain C"
POLICY, LOWER_BOUND = "a policy", "a lower bound"  # verdicts on other programs of ours

EVERY = ("spmv", "spmv-coo", "spmm", "sddmm", "sddmm-spmm", "add", "add3", "spgemm", "tri",
         "tri-count", "to-csc", "ttv", "ttm", "mttkrp", "mttkrp4", "inner")
OUTER_LOOPS = ("spmv", "spmm", "sddmm-spmm", "mttkrp", "mttkrp4")  # that MLIR runs in parallel
CONVOLUTIONS = ("conv1", "conv2", "conv3", "conv-nhwc")
WAYS = ("", "-dense", "-densify", "-scatter", "-gather", "-sorted", "-ll", "-uu", "-lut", "-ult")  # in which a peer has a kernel
VECTOR_KERNELS = ("mxv-dense", "mxv-sparse", "vxm-dense", "vxm-sparse")
TYPES = ("f64", "f32")


@dataclass(frozen=True)
class Peer:
    """Somebody who takes part.  `source` stands in bench/peers; `kernels` are those of the
    benchmark's that it has.  `place` are the environment's variables that say where it is installed,
    for who is not in Debian."""
    name: str
    source: str
    kernels: tuple  # an ending of WAYS says by which way
    package: str = ""
    flags: tuple = ()
    libraries: tuple = ()
    place: tuple = ()
    types: tuple = TYPES
    threaded: bool = True
    only_threaded: bool = False  # another peer stands for it on one thread
    counted: bool = True  # among those whose fastest is the measure
    alone: bool = False  # starts while nothing else does, since it is timed then


# The ways to convolve by hand (convolution.c), and where there is none.
HAND_WAYS = ("dense", "densify", "scatter", "gather")
NO_WAYS = (("conv1", "gather"), ("conv-nhwc", "dense"), ("conv-nhwc", "densify"))


def by_hand(way):
    return f"C, {way}"


GRAPHBLAS = ("libgraphblas-dev", ("-I/usr/include/suitesparse",), ("-lgraphblas",))

PEERS = (
    Peer(PLAIN, "plain.c", (*EVERY, "masked", "tri-lower"), flags=("-ffast-math", "-fopenmp"), counted=False),
    Peer(PLAIN, "plain_formats.c", ("once-csr", "coo-to-csr", "to-dia", "to-ell", "to-bcsr"),
         flags=("-ffast-math",), threaded=False, counted=False),
    Peer("Eigen", "eigen.cpp", ("spmv", "spmm", "add", "add3", "spgemm", "masked", "tri",
                                "tri-count", "tri-lower", "to-csc", "once-csr", "coo-to-csr",
                                "mxv-dense", "vxm-dense"),
         "libeigen3-dev", flags=("-DNDEBUG", "-fopenmp", "-isystem", "/usr/include/eigen3")),
    Peer("GraphBLAS", "graphblas.c", ("spmv", "spmm", "sddmm", "sddmm-spmm", "add", "add3",
                                      "spgemm", "masked", "tri", "tri-count", "to-csc",
                                      "coo-to-csr", *VECTOR_KERNELS),
         *GRAPHBLAS),
    *(Peer(f"GraphBLAS, {way.upper()}", "graphblas.c", (f"tri-lower-{way}",), *GRAPHBLAS)
      for way in ("ll", "uu", "lut", "ult")),
    Peer("SciPy", "scipy_peer.py", ("spmv", "spmv-coo", "spmm", "add", "add3", "spgemm", "masked",
                                    "tri", "tri-count", "tri-lower", "to-csc", "spmv-dia",
                                    "spmv-bcsr", "once-csr", "coo-to-csr", "to-dia", "to-bcsr",
                                    *VECTOR_KERNELS),
         "python3-scipy", threaded=False),
    Peer("SciPy, sorted", "scipy_peer.py", ("spgemm-sorted",), "python3-scipy", threaded=False),
    Peer("librsb", "librsb.c", ("spmv", "spmm"), "librsb-dev", libraries=("-lrsb",)),
    Peer("MLIR", "mlir/driver.c", (*EVERY, *CONVOLUTIONS), "mlir-22-tools", threaded=False),
    Peer("MLIR, parallel", "mlir/driver.c", OUTER_LOOPS, "mlir-22-tools", flags=("-fopenmp",),
         only_threaded=True),
    Peer("MKL", "mkl.c", ("spmv", "spmv-coo", "spmm", "add", "add3", "spgemm", "to-csc",
                          "coo-to-csr", "spmv-bcsr", "to-bcsr"), place=("LACUNA_MKL", "MKLROOT")),
    Peer("TACO", "taco.cpp", ("spmv", "spmm", "sddmm", "add", "add3", "spgemm", "ttv", "ttm",
                              "mttkrp", "mttkrp4", "inner"), place=("LACUNA_TACO",),
         types=("f64",), alone=True),
    *(Peer(by_hand(way), "convolution.c", tuple(f"{kernel}-{way}" for kernel in CONVOLUTIONS
                                                if (kernel, way) not in NO_WAYS),
           flags=("-ffast-math", "-fopenmp"), counted=False) for way in HAND_WAYS),
    Peer("oneDNN", "onednn.c", ("conv-nhwc",), "libdnnl-dev", libraries=("-ldnnl", "-lgomp"),
         types=("f32",)),
    Peer("SPLATT", "splatt.c", ("mttkrp", "mttkrp4"), flags=("-fopenmp",),
         place=("LACUNA_SPLATT",), types=("f64",)),
)


def policy_program(policy):
    """The name of Lacuna's program by a policy of workspaces."""
    return f"{LACUNA}, {policy}"


class Missing(Exception):
    """Something is not there that a peer needs."""


def root_of(peer):
    """Where a peer is installed that tells so itself; None for one that Debian has."""
    if not peer.place:
        return None
    told = [os.environ[v] for v in peer.place if os.environ.get(v)]
    if not told and peer.name == "MKL" and shutil.which("pkg-config"):
        asked = subprocess.run(["pkg-config", "--variable=prefix", "mkl-sdl"], capture_output=True,
                               text=True)
        told = [asked.stdout.strip()] if asked.stdout.strip() else []
    if not told:
        raise Missing(f"{peer.place[0]} is not set")
    if not Path(told[0]).is_dir():
        raise Missing(f"{peer.place[0]}: no folder {told[0]}")
    return Path(told[0])


def library(root, name):
    """A library below a folder, and how to link it."""
    found = sorted(p for p in root.rglob(f"{name}*") if ".so" in p.name or p.suffix == ".a")
    if not found:
        raise Missing(f"{name} below {root}")
    shared = [p for p in found if ".so" in p.name]
    path = (shared or found)[0]
    return (str(path), f"-Wl,-rpath,{path.parent}") if shared else (str(path),)


# What is linked of those that are not in Debian: headers' folder, library, more.
PLACED = {"MKL": ("include", "libmkl_rt", ()), "TACO": ("include", "libtaco", ("-ldl",)),
          "SPLATT": ("include", "libsplatt", ("-llapack", "-lblas", "-fopenmp"))}


def flags_and_libraries(peer):
    root = root_of(peer)
    if root is None:
        return peer.flags, peer.libraries
    headers, name, more = PLACED[peer.name]
    return (*peer.flags, "-isystem", str(root / headers)), (*library(root, name), *more)


def named_peers(names):
    """The peers by their names, all for None."""
    if names is None:
        return list(PEERS)
    wanted = {n.strip().lower() for n in names.split(",") if n.strip()}
    return [p for p in PEERS if p.name.lower() in wanted or p.name.split(",")[0].lower() in wanted]
