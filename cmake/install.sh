#!/usr/bin/env bash
# install.sh install|uninstall BUILD PREFIX - puts what is built in BUILD below $DESTDIR$PREFIX, or
# removes from there what an installation puts there (cmake/LacunaInstall.cmake lists it).
set -euo pipefail

command=$1 build=$2 prefix=$3
below=${DESTDIR:-}$prefix

die() { printf 'error: %s\n' "$*" >&2; exit 1; }

install_below() {
  cmake --install "$build" --prefix "$prefix" >"$build/install.log" ||
    { tail -n 5 "$build/install.log" >&2; die "the installation failed ($build/install.log)"; }
  echo "Installed below $below."
}

# What an installation makes is what it makes in an empty folder.  A folder goes where nothing else is
# in it.
uninstall_below() {
  local stage path
  stage=$(mktemp -d)
  trap 'rm -rf "$stage"' EXIT
  DESTDIR=$stage cmake --install "$build" --prefix "$prefix" >"$build/install.log"
  (cd "$stage$prefix" && find . ! -type d -print0) |
    while IFS= read -r -d '' path; do rm -f "$below/$path"; done
  (cd "$stage$prefix" && find . -mindepth 1 -depth -type d -print0) |
    while IFS= read -r -d '' path; do
      [ ! -d "$below/$path" ] || rmdir --ignore-fail-on-non-empty "$below/$path"
    done
  rm -rf "$stage"
  trap - EXIT
  echo "Uninstalled from $below."
}

[[ $prefix = /* ]] || die "expected a path from the root as prefix, found '$prefix'"
case $command in
  install)   install_below ;;
  uninstall) uninstall_below ;;
  *)         die "unknown command '$command'" ;;
esac
