#!/usr/bin/env bash
# run.sh [OPTION...] - measures Lacuna's kernels beside those of its peers; --help tells the options.
#
#   bench/run.sh --quick       small operands, minutes
#   bench/run.sh               operands beyond the caches
#   bench/run.sh --publish     the same, and the results into docs/performance.{md,svg}
set -euo pipefail
exec python3 -B "$(dirname "$0")/run.py" "$@"
