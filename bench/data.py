"""The operands: how they are made, and how large.

What a kernel streams through should not come from a cache: sets that are read once have several times
the bytes of the last cache, as far as memory and time allow.  Those whose results are much larger than
the operands have a size of their own, and so have the quick and the tiny ones.
"""

import math
import os
from dataclasses import dataclass
from pathlib import Path

CACHES = 4  # times the last cache, that operands should have
BYTES_OF_ALL = 1000  # that all programs together hold, for an entry of a matrix
ENTRIES_A_MINUTE = 500_000  # that may be measured where time is short
LEAST_ENTRIES = 2_000_000
QUICK, TINY = 8, 1 << 11  # how many times smaller than a full set's usual size


@dataclass(frozen=True)
class Data:
    """`request` is what sparse-gen is asked for, of a number of entries, and behind a semicolon what
    bench-pack is.  `entries` are those of a full set; of one that `streams` only where the cache does
    not tell, with `width` bytes each.  A quick set is `quick` times smaller."""
    request: object
    entries: int
    streams: bool = False
    width: int = 12
    least: int = 1000
    quick: int = QUICK


def power(rows):
    return 1 << max(4, round(math.log2(max(rows, 1))))


def threes(rows):
    return max(30, round(rows / 3) * 3)


def dims(entries, usual, *sizes):
    """Sizes of a tensor of as many entries, alike dense as the usual one."""
    scale = (entries / usual) ** (1 / len(sizes))
    return "x".join(str(max(10, round(s * scale))) for s in sizes)


def uniform(n, seed=1):
    return f"uniform --rows {max(n // 21, 100)} --nnz {n} --seed {seed}"


def rmat(n, seed=1):
    return f"rmat --rows {power(n // 30)} --nnz {n} --seed {seed}"


def exponential(n, seed=1):
    return f"exponential --rows {max(n // 21, 100)} --doublings 24 --nnz {n} --seed {seed}"


def blocked(n, seed=1):
    return f"blocked --rows {threes(n / 27)} --block 3 --nnz {n // 9 * 9} --seed {seed}"


def grid(kind, points):
    return lambda n: f"{kind} --rows {max(n // points, 200)}"


def tensor(kind, usual, *sizes, seed=1):
    return lambda n: f"tensor-{kind} --dims {dims(n, usual, *sizes)} --nnz {n} --seed {seed}"


# The matrices of Zhang et al. 2024, section 7.2: a tenth of the columns of B have entries, and those have
# them at a tenth of the rows; C is like B's transpose.
IN_A_COLUMN, ONE_OF = 400, 10


def columns(count):
    def request(n):
        size = ONE_OF * max(n // count, 4)
        return f"uniform --rows {size} --cols {count} --nnz {size // ONE_OF * count}; " \
               f"spread {size} {ONE_OF * count}"
    return Data(request, IN_A_COLUMN * count, least=0, quick=4)


def rows(count):
    def request(n):
        size = ONE_OF * max(n // count, 4)
        return f"uniform --rows {count} --cols {size} --nnz {size // ONE_OF * count} --seed 2; " \
               f"spread {ONE_OF * count} {size}"
    return Data(request, IN_A_COLUMN * count, least=0, quick=4)


# Its tensors (section 7.4): the first two dimensions are alike, so that a factor fits either.
def factor(count, seed):
    """A matrix with a row for each coordinate of t-million's first dimension, a tenth full."""
    def request(n):
        size = int(dims(n, T_MILLION[0], *T_MILLION[1:]).split("x")[0])
        return f"uniform --rows {size} --cols {count} --nnz {size * count // ONE_OF} --seed {seed}"
    return Data(request, T_MILLION[0])


def with_zeros(zeros, scaled, *sizes):
    """A tensor of which so many percent are zeros.  For fewer entries the dimensions `scaled` shrink."""
    share = 1 - zeros / 100
    usual = round(share * math.prod(sizes))

    def request(n):
        scale = (n / usual) ** (1 / len(scaled))
        made = [max(10, round(s * scale)) if d in scaled else s for d, s in enumerate(sizes)]
        stored = max(1, round(share * math.prod(made)))
        return f"tensor-uniform --dims {'x'.join(map(str, made))} --nnz {stored}"
    return Data(request, usual, least=0)


MILLION = 1_000_000
T_UNIFORM = (12 * MILLION, 4000, 1200, 5000)
T_SKEWED = (12 * MILLION, 20000, 20000, 20000)
T_MILLION = (MILLION, 3000, 3000, 14000)

WORKSPACE_COLUMNS, FACTOR_COLUMNS = (1, 4, 16, 64, 250, 1000, 4000), (4, 16, 64, 256, 1024)

ZEROS = (0, 50, 60, 70, 75, 80, 90, 95, 99, 99.9)

DATA = {
    "uniform": Data(uniform, 21 * MILLION, streams=True),
    "uniform-b": Data(lambda n: uniform(n, 2), 21 * MILLION, streams=True),
    "uniform-c": Data(lambda n: uniform(n, 3), 21 * MILLION, streams=True),
    "exponential": Data(exponential, 21 * MILLION, streams=True),  # the rows of uniform, uneven
    "rmat": Data(rmat, 8 * MILLION, streams=True),
    "rmat-b": Data(lambda n: rmat(n, 2), 8 * MILLION, streams=True),
    "rmat-c": Data(lambda n: rmat(n, 3), 8 * MILLION, streams=True),
    "stencil2d": Data(grid("stencil2d", 5), 20 * MILLION, streams=True),
    "stencil3d": Data(grid("stencil3d", 7), 20 * MILLION, streams=True),
    "blocked": Data(blocked, 20 * MILLION, streams=True),
    "blocked-b": Data(lambda n: blocked(n, 2), 20 * MILLION, streams=True),
    "t-uniform": Data(tensor("uniform", *T_UNIFORM), 12 * MILLION, streams=True),
    "t-uniform-b": Data(tensor("uniform", *T_UNIFORM, seed=2), 12 * MILLION, streams=True),
    "t-skewed": Data(tensor("skewed", *T_SKEWED), 12 * MILLION, streams=True),
    "t-skewed-b": Data(tensor("skewed", *T_SKEWED, seed=2), 12 * MILLION, streams=True),
    "t4-uniform": Data(tensor("uniform", 12 * MILLION, 400, 300, 500, 600), 12 * MILLION,
                       streams=True),
    # Smaller ones, for results much larger than the operands, and for wide dense operands.
    "grid": Data(grid("stencil3d", 7), 3_500_000),
    "rmat-half": Data(rmat, 4 * MILLION),
    "short": Data(lambda n: f"uniform --rows {max(n // 4, 100)} --nnz {n}", 4 * MILLION),
    "rmat-small": Data(lambda n: f"rmat --rows {power(n // 8.5)} --nnz {n}", 277_000),
    "blocked-small": Data(blocked, 2_592_000),
    "t-uniform-small": Data(tensor("uniform", *T_UNIFORM), 3 * MILLION),
    "t-skewed-small": Data(tensor("skewed", *T_SKEWED), 3 * MILLION),
    # As many places in all as entries elsewhere.
    "few": Data(lambda n: f"uniform --rows {max(n // 20, 50)} --nnz {n}", 40_000),
    # Few rows, for sparse vectors.
    "few-rows": Data(lambda n: f"uniform --rows {max(n // 10000, 10)} --cols {max(n // 10, 5000)} "
                               f"--nnz {n}", 10 * MILLION),
    "wide": Data(lambda n: f"uniform --rows {max(n // 1000, 10)} --cols {64 * n} --nnz {n}", MILLION),
    # For workspaces.
    **{f"columns-{count}": columns(count) for count in WORKSPACE_COLUMNS},
    **{f"rows-{count}": rows(count) for count in WORKSPACE_COLUMNS},
    "t-million": Data(tensor("uniform", *T_MILLION), MILLION),
    **{f"factor-{count}": factor(count, 3) for count in FACTOR_COLUMNS},
    **{f"factor-{count}-b": factor(count, 4) for count in FACTOR_COLUMNS},
    # For masks: of the sizes of rmat-small and blocked-small, all ones; graphs without directions.
    "rmat-mask": Data(lambda n: f"rmat --rows {power(n // 8.5)} --nnz {n} --seed 2; ones", 277_000),
    "uniform-mask": Data(lambda n: f"uniform --rows {power(n // 8.5)} --nnz {4 * n}; ones", 277_000),
    "blocked-mask": Data(lambda n: f"uniform --rows {threes(n / 27)} --nnz {n}; ones", 2_592_000),
    "rmat-lower": Data(lambda n: f"rmat --rows {power(n // 16)} --nnz {n}; lower ones", 2 * MILLION),
    "uniform-lower": Data(lambda n: f"{uniform(n)}; lower ones", 4 * MILLION),
    # For convolutions, by their zeros in percent.
    **{f"line-{zeros}": with_zeros(zeros, (0,), 5 * MILLION) for zeros in ZEROS},
    **{f"square-{zeros}": with_zeros(zeros, (0, 1), 999, 999) for zeros in ZEROS},
    **{f"cube-{zeros}": with_zeros(zeros, (0, 1, 2), 99, 99, 99) for zeros in ZEROS},
    **{f"image-{zeros}": with_zeros(zeros, (1, 2), 1, 256, 256, 64) for zeros in ZEROS},
    "blocked-lower": Data(lambda n: f"{blocked(n)}; lower ones", 2_592_000),
}


class Sizes:
    """How large the operands are: of a size (full, quick, tiny), for a cache and a memory, and where
    `minutes` is not None so that all is measured in as many."""

    def __init__(self, size, cache, memory, minutes):
        self.size, self.cache, self.memory, self.minutes = size, cache, memory, minutes

    def most(self):
        """Entries that memory and time allow."""
        time = self.minutes * ENTRIES_A_MINUTE if self.minutes else math.inf
        return min(self.memory // BYTES_OF_ALL, time)

    def entries(self, data):
        if self.size != "full":
            return max(data.entries // (TINY if self.size == "tiny" else data.quick), data.least)
        if not data.streams:
            return data.entries
        wanted = CACHES * self.cache // data.width if self.cache else data.entries
        return int(min(max(wanted, LEAST_ENTRIES), self.most()))

    def request(self, name):
        data = DATA[name]
        return data.request(self.entries(data))


def real_files():
    """The tensors and matrices in the folder that LACUNA_DATA names, by the names of their files."""
    folder = os.environ.get("LACUNA_DATA")
    files = sorted(Path(folder).iterdir()) if folder and Path(folder).is_dir() else []
    kinds = (".mtx", ".mtx.gz", ".tns", ".tns.gz")
    return {f.name.split(".")[0]: f for f in files if f.name.endswith(kinds)}
