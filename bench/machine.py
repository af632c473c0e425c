"""The machine: its processor, its caches and its memory; what its vectors are."""

import os
from pathlib import Path

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def processor(field):
    """A line of /proc/cpuinfo, by its name."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((l.split(":", 1)[1].strip() for l in lines if l.startswith(field)), "")


def size_of(text):
    """Bytes, of a text such as 32768K."""
    return int(text[:-1]) * UNITS[text[-1]] if text[-1:] in UNITS else int(text or 0)


def last_cache():
    """Bytes of the largest cache that a core sees; 0 where nothing tells."""
    told = [size_of(f.read_text().strip()) for f in CACHES.glob("index*/size")]
    return max([*told, 1024 * int((processor("cache size") or "0").split()[0])])


def memory():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def vector_bits():
    """What Lacuna's kernels use: all that the processor has."""
    flags = processor("flags").split()
    return 512 if "avx512f" in flags else 256 if "avx2" in flags else 128


def vector_flags():
    """What makes clang use the same vectors as Lacuna's kernels do."""
    return ("-march=native", f"-mprefer-vector-width={vector_bits()}")


def words(cache):
    """The machine, in words."""
    cores = f"{os.cpu_count()} core{'s' * (os.cpu_count() != 1)}"
    return f"{cores} of {processor('model name') or 'an unnamed processor'}, vectors of " \
           f"{vector_bits()} bits, last cache {cache / (1 << 20):.0f} MiB, " \
           f"memory {memory() / (1 << 30):.0f} GiB"
