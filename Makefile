# Lacuna.  `make demo` and `make check` do all the set-up first; the work is in cmake/setup.sh.
# `make install prefix=/usr/local DESTDIR=` and `make uninstall` of the same.
# `make bench ARGS=--quick` measures on small operands; `make fuzz FUZZ_SECONDS=60` gives each fuzzer a
# minute instead of ten, and `make check-long CASES=1000 SANITIZERS=asan` less than hours.

setup := cmake/setup.sh
prefix ?= /usr/local
export DESTDIR

.PHONY: all install uninstall demo check check-long check-gpu check-debug check-asan check-tsan fuzz bench bench-gpu gpu-bundle gpu-counts docs lint format clean

all:         ; @$(setup) build
install:     ; @$(setup) install release "$(prefix)"
uninstall:   ; @$(setup) uninstall release "$(prefix)"
demo:        ; @$(setup) demo
check:       ; @$(setup) check
check-long:  ; @$(setup) long
check-gpu:   ; @$(setup) gpu
check-debug: ; @$(setup) check debug
check-asan:  ; @$(setup) check asan
check-tsan:  ; @$(setup) check tsan
fuzz:        ; @$(setup) fuzz fuzz
bench:       ; @$(setup) bench release $(ARGS)
bench-gpu:   ; @$(setup) bench-gpu release $(ARGS)
gpu-bundle:  ; @$(setup) bundle release $(ARGS)
gpu-counts:  ; @$(setup) counts release $(ARGS)
docs:        ; @$(setup) docs
lint:        ; @$(setup) lint
format:      ; @$(setup) format
clean:       ; rm -rf build build-debug build-asan build-tsan build-fuzz
