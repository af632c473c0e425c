#!/usr/bin/env bash
# setup.sh COMMAND [PRESET [ARGUMENT...]] - from a fresh Debian 12 to the thing wanted.
#
#   build   install what is missing, configure, build
#   install PRESET PREFIX    build, then install below $DESTDIR$PREFIX
#   uninstall PRESET PREFIX  remove from there what install puts there
#   demo    build, then run examples/demo.sh
#   check   build, then the formatting, lit, some of lit's executed tests with code for other processors and on
#           the emulated GPU, the differential tester and what fuzzers have found, once more;
#           the last line is "N passed, N failed"
#   long    build, then what takes hours: all executed tests so, lit with code as fast as it gets and what it
#           leaves out else, the differential tester on CASES (20000), and a quarter as many through
#           workspaces alone, each fuzzer for FUZZ_SECONDS, all tests in the builds of SANITIZERS ("asan tsan")
#   gpu     build, then lit's executed tests on the GPU of this machine, and some of them in compute-sanitizer
#           where there is one
#   fuzz    build the fuzzers, then run each for FUZZ_SECONDS (600)
#   bench   build, then run bench/run.sh with the ARGUMENTs (--quick, ...)
#   bench-gpu  build, then run bench/device_times.py with the ARGUMENTs: kernels on the GPU of this machine, timed
#   bundle  build, then run bench/bundle.py with the ARGUMENTs: kernels for a GPU, compiled, with a runner, for a
#           machine that has one and nothing of Lacuna
#   counts  build, then run bench/device_counts.py with the ARGUMENTs: kernels for a GPU, counted
#   docs    build, then make the pages of docs/ that are made: ladder.md, passes.md, dialects.md
#   lint    clang-format and clang-tidy
#   format  format the sources in place
#
# PRESET is one of CMakePresets.json: release (the default), debug, asan, tsan, fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."

command=${1:-build}
preset=${2:-release}
build=build
[ "$preset" = release ] || build=build-$preset
llvm=/usr/lib/llvm-22
jobs=$(nproc)
rooms=(dialects passes lower compile runtime tools test bench examples)

say() { printf '%s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

#--- Packages ------------------------------------------------------------------------------------

wanted_packages() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' cmake/packages.txt; }

missing_packages() {
  local there
  there=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $(wanted_packages) 2>/dev/null |
          sed -n 's/ installed$//p' | sort -u || true)
  wanted_packages | sort -u | comm -23 - <(printf '%s\n' "$there")
}

apt_install() {
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

install_packages() {
  command -v dpkg-query >/dev/null || { say "Not Debian: packages are not checked."; return; }
  local missing
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    say "These packages are missing, and installing them needs root:"
    say "    apt-get install ${missing[*]}"
    say "Going on with what is there."
    return
  fi
  say "Installing ${missing[*]}"
  mkdir -p build
  { apt_install "${missing[@]}" || { apt-get update && apt_install "${missing[@]}"; }; } \
    >build/apt.log 2>&1 ||
    { tail -n 20 build/apt.log >&2; die "apt could not install the packages (build/apt.log)"; }
}

#--- Build ---------------------------------------------------------------------------------------

need() {
  command -v "$1" >/dev/null || die "$1 is missing; install the packages in cmake/packages.txt"
}

configure() {
  [ ! -f "$build/build.ninja" ] || return 0
  need cmake; need ninja; need clang-22
  mkdir -p "$build"
  say "Configuring ($preset)"
  cmake --preset "$preset" >"$build/configure.log" 2>&1 ||
    { cat "$build/configure.log" >&2; die "the configuration failed"; }
}

compile() {
  local how=--quiet
  [ ! -t 1 ] || how=
  ninja -C "$build" -j "$jobs" $how "$@" || die "the build failed"
}

set_up() {
  install_packages
  configure
  compile
}

#--- Formatting and lint -------------------------------------------------------------------------

sources() {
  local there=() room
  for room in "${rooms[@]}"; do [ ! -d "$room" ] || there+=("$room"); done
  find "${there[@]}" \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.hpp' \) -print0
}

# Comments are as their authors broke them, since there are pictures in them; only their width counts.
formatted() {
  need clang-format-22
  sources | xargs -0 -r -n 8 -P "$jobs" clang-format-22 --dry-run -Werror || return
  ! sources | xargs -0 -r grep -HnE '^( \*|/\*).{99,}$'
}

# clang-tidy over the sources with the given ending; more arguments are its own.  Clang's analyzer
# is asked of C alone: in C++ it stumbles over MLIR's headers.
tidy() {
  local pattern
  pattern="^$PWD/($(IFS='|'; echo "${rooms[*]}"))/.*\\.$1\$"
  run-clang-tidy-22 -quiet -p "$build" -j "$jobs" "${@:2}" "$pattern"
}

lint() {
  local failed=0
  need run-clang-tidy-22
  formatted || failed=1
  tidy c || failed=1
  tidy cpp -checks='-clang-analyzer-*,-bugprone-unchecked-optional-access' || failed=1
  [ "$failed" = 0 ] || die "lint found something (above)"
  say "No complaints from clang-format and clang-tidy."
}

#--- Tests ---------------------------------------------------------------------------------------

passed=0
failed=0
count() { passed=$((passed + $1)); failed=$((failed + $2)); }

check_format() {
  if formatted; then count 1 0; else say "Not formatted; 'make format' does it."; count 0 1; fi
}

# How many tests of lit's results have one of the given codes.
results() {
  local codes
  codes=$(IFS='|'; echo "$*")
  grep -cE "\"code\": \"($codes)\"" "$build/test/results.json" || true
}

# lit on the given tests, with the arguments before them.
run_lit() {
  local how=-qv
  [ ! -t 1 ] || how=-sv
  rm -f "$build/test/results.json"
  "$llvm/bin/lit" $how -j "$jobs" -o "$build/test/results.json" "$@" || true
  if [ -f "$build/test/results.json" ]; then
    count "$(results PASS FLAKYPASS XFAIL)" "$(results FAIL XPASS UNRESOLVED TIMEOUT)"
  else
    count 0 1
  fi
}

check_lit() { run_lit "$build/test"; }

# The tests that run what was compiled, once more for each variant: its name (a feature in lit) and
# what it sets in the environment.
variants=(
  'interleaved LACUNA_INTERLEAVE=canonicalize,cse,loop-invariant-code-motion,sccp,control-flow-sink,symbol-dce'
  'x86-64 LACUNA_CPU=x86-64'
  'x86-64-v3 LACUNA_CPU=x86-64-v3' # no gathers; the differential tester draws skylake, which has
)
executed=(run examples cc/library.test cc/outputs.test lower/*-run.mlir compile/library*.c compile/narrow-floats.c)

# Whether a machine runs what it makes for a variant: its processor may be another.
runs_here() { env "${1#* }" "$build/bin/sparse-run" 's = x(i)' -g x:1 -d i:3 >/dev/null; }

# The same tests on another target.
emulated='emulated LACUNA_TARGET=gpu-emulated'
on_gpu='gpu LACUNA_TARGET=gpu'

# `make check` runs those that say most of kernels, on processors those of their vectors too: what else
# a variant changes the differential tester draws.
executed_briefly=(run/{blocks,collected,convolution-pattern,forms,spmv}.test)
executed_on_vectors=(run/{convolutions,integers,lanes,merge,terms,unions}.test 'lower/*-run.mlir')

# The given tests as a variant has them, with lit's arguments before them.
check_variant() {
  local name=${1%% *} setting=${1#* }
  shift
  say "The executed tests, $name"
  export "$setting"
  run_lit --param variant="$name" "$@"
  unset "${setting%%=*}"
}

paths_of() { (cd test && printf "$build/test/%s " $*); }

# Tests in each variant that the machine runs.
check_variants() {
  local variant
  for variant in "${variants[@]}"; do
    if runs_here "$variant"; then
      check_variant "$variant" $(paths_of "$*")
    else
      say "The executed tests, ${variant%% *}: not on this machine"
    fi
  done
}

# sparse-run in compute-sanitizer, by that name in a folder of its own.
make_sanitized() {
  local sanitizer=$1 folder=$build/sanitized
  rm -rf "$folder"; mkdir -p "$folder"
  printf '#!/bin/sh\nexec %s --error-exitcode 99 --log-file %s/%%p.log %s/sparse-run "$@"\n' \
    "$sanitizer" "$PWD/$folder" "$PWD/$build/bin" >"$folder/sparse-run"
  chmod +x "$folder/sparse-run"
}

find_sanitizer() {
  local folder
  command -v compute-sanitizer && return
  for folder in /usr/local/cuda*/bin; do
    [ ! -x "$folder/compute-sanitizer" ] || { say "$folder/compute-sanitizer"; return; }
  done
}

check_gpu() {
  local sanitizer why
  why=$(env "${on_gpu#* }" "$build/bin/sparse-run" 's = x(i)' -g x:1 -d i:3 2>&1 >/dev/null) ||
    die "no GPU to run the tests on: ${why#error: }"
  check_variant "$on_gpu" $(paths_of "${executed[*]}")
  sanitizer=$(find_sanitizer)
  if [ -n "$sanitizer" ]; then
    make_sanitized "$sanitizer"
    check_variant "$on_gpu" --param tools="$PWD/$build/sanitized" $(paths_of "${executed_briefly[*]}")
  else
    say "compute-sanitizer: not on this machine"
  fi
  tell_counts
}

# What the differential tester runs under; lit's tests say it themselves.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:allow_user_poisoning=0:allocator_may_return_null=1}
export LSAN_OPTIONS=${LSAN_OPTIONS:-print_suppressions=0:suppressions=$PWD/test/sanitizers/lsan.supp}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-ignore_noninstrumented_modules=1:suppressions=$PWD/test/sanitizers/tsan.supp}

# The differential tester on so many cases, with flags; its last line is "N passed, N failed".
check_differential() {
  local tester=$build/bin/differential cases=$1 last
  [ -d test/differential ] && [ -x "$tester" ] || return 0
  "$tester" "${@:2}" --cases "$cases" | tee "$build/test/differential.log" || true
  last=$(tail -n 1 "$build/test/differential.log")
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
  else
    say "The differential tester did not come to its end."
    count 0 1
  fi
}

fuzzers=(files expression format schedule program)

# The modules of the tests, without comments, seed the fuzzer of programs.
seed_programs() {
  local seeds=$build/seeds
  rm -rf "$seeds"; mkdir -p "$seeds"
  awk -v seeds="$seeds" '
    FNR == 1 || /^\/\/ -----/ { part++ }
    /^[ ]*\/\// { next }
    { print > (seeds "/" part ".mlir") }' test/*/*.mlir
  find "$seeds" -type f -size +3k -delete
}

seeds_of() { [ "$1" != program ] || echo "$build/seeds"; }

# What fuzzers have found, and the seeds, once more in this build.
replay() {
  local log=$build/test/fuzz-$1.log
  "$build/bin/fuzz-$1" test/fuzz/corpus/"$1" $(seeds_of "$1") >"$log" 2>&1 && return
  say "The fuzzer $1 found something:"
  tail -n 5 "$log"
  return 1
}

check_fuzzers() {
  local one
  seed_programs
  for one in "${fuzzers[@]}"; do
    if replay "$one"; then count 1 0; else count 0 1; fi
  done
}

# Each fuzzer for FUZZ_SECONDS.  False where they found something.
fuzz() {
  local seconds=${FUZZ_SECONDS:-600} found=build-fuzz/found one
  configure
  compile fuzzers
  seed_programs
  mkdir -p "$found"
  for one in "${fuzzers[@]}"; do
    mkdir -p "$found/$one"
    say "$one: $seconds s"
    build-fuzz/bin/fuzz-"$one" -fork="$jobs" -ignore_crashes=1 -max_total_time="$seconds" -timeout=30 \
      -artifact_prefix="$found/$one-" "$found/$one" test/fuzz/corpus/"$one" \
      $(seeds_of "$one") \
      >"$found/$one.log" 2>&1 || true
  done
  if compgen -G "$found/*-crash-*" >/dev/null || compgen -G "$found/*-timeout-*" >/dev/null ||
     compgen -G "$found/*-leak-*" >/dev/null || compgen -G "$found/*-oom-*" >/dev/null; then
    ls "$found"/*-*-*
    say "The fuzzers found something: build-fuzz/bin/fuzz-NAME FILE repeats it"
    return 1
  fi
  say "No findings."
}

tell_counts() {
  say "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

check() {
  local cases=200
  [ "$preset" != release ] || { check_format; cases=5500; }
  check_lit
  if [ "$preset" = release ]; then
    check_variants "${executed_briefly[@]}" "${executed_on_vectors[@]}"
    check_variant "$emulated" $(paths_of "${executed_briefly[*]}")
  fi
  check_differential "$cases"
  check_differential "$((cases / 20))" --emulated yes
  check_fuzzers
  tell_counts
}

# `make check-SANITIZER`, whose output is in its build folder.
check_sanitizer() {
  say "make check-$1"
  mkdir -p "build-$1"
  if "cmake/setup.sh" check "$1" >"build-$1/check.log" 2>&1; then
    count 1 0
  else
    tail -n 40 "build-$1/check.log"
    count 0 1
  fi
}

check_long() {
  local one
  check_variants "${executed[@]}"
  check_variant "$emulated" $(paths_of "${executed[*]}")
  run_lit --param long=1 "$build/test"
  check_differential "${CASES:-20000}"
  check_differential "$((${CASES:-20000} / 4))" --workspaces yes
  check_differential "$((${CASES:-20000} / 4))" --emulated yes
  if build=build-fuzz preset=fuzz fuzz; then count 1 0; else count 0 1; fi
  for one in ${SANITIZERS-asan tsan}; do
    check_sanitizer "$one"
  done
  tell_counts
}

#--- Commands ------------------------------------------------------------------------------------

# Runs the script $1 with the tools on the path and its arguments, or says that there is none.
run_script() {
  [ -x "$1" ] || die "there is no $1"
  PATH="$PWD/$build/bin:$PATH" "$@"
}

make_docs() {
  docs/ladder.sh "$build/bin" >"$build/ladder.md"
  mv "$build/ladder.md" docs/ladder.md
  python3 -B docs/reference.py
  say "Made docs/ladder.md, docs/passes.md and docs/dialects.md."
}

case $command in
  build)  set_up; say "Built: the tools are in $build/bin." ;;
  install) set_up; cmake/install.sh install "$build" "${3:-/usr/local}" ;;
  uninstall) cmake/install.sh uninstall "$build" "${3:-/usr/local}" ;;
  demo)   set_up; run_script examples/demo.sh ;;
  check)  set_up; check ;;
  long)   set_up; check_long ;;
  gpu)    set_up; check_gpu ;;
  fuzz)   install_packages; fuzz ;;
  bench-gpu) set_up; run_script bench/device_times.py --build "$build" "${@:3}" ;;
  bundle) set_up; run_script bench/bundle.py --build "$build" "${@:3}" ;;
  counts) set_up; run_script bench/device_counts.py --build "$build" "${@:3}" ;;
  bench)  set_up; run_script bench/run.sh --build "$build" "${@:3}" ;;
  docs)   set_up; make_docs ;;
  lint)   set_up; lint ;;
  format) install_packages; need clang-format-22; sources | xargs -0 -r clang-format-22 -i ;;
  *)      die "unknown command '$command'" ;;
esac
