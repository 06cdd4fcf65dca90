#!/usr/bin/env bash
# Builds outside/, which README.md shows, and original/, a program for the original Grappa, against an
# installed Grappa, and runs both on two cores.
#
#   outside_test.sh cmake|pkg_config PREFIX WORK COMPILER JOB
#
# pkg_config: builds by one call of the compiler, like docs/installing.md, once as C++11 and once with the
# default standard of the compiler. Skipped (status 77) without pkg-config.
set -euo pipefail
how=$1 prefix=$2 work=$3 compiler=$4 job=$5
here=$(dirname "$0")

rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT

# counts PROGRAM: checks that the program runs on two cores.
counts() {
  local output
  output=$("$job" -n 2 --shared "$1" 2>&1) || { echo "FAILED: $1: $output"; exit 1; }
  [[ $output == '2 cores count 2' ]] || { echo "FAILED: $1 printed: $output"; exit 1; }
}

case $how in
  cmake)
    for program in outside original; do
      cmake -G Ninja -S "$here/$program" -B "$work/$program" -D CMAKE_CXX_COMPILER="$compiler" \
        -D CMAKE_PREFIX_PATH="$prefix" -D CMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON
      cmake --build "$work/$program"
      counts "$work/$program/$program"
    done
    ;;
  pkg_config)
    type -P pkg-config >/dev/null || { echo "skipped: pkg-config not found"; exit 77; }
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name grappa.pc)")
    export PKG_CONFIG_PATH
    version=$(pkg-config --modversion grappa)
    grep -Fq "PACKAGE_VERSION \"$version\"" "$(find "$prefix" -name GrappaConfigVersion.cmake)" || {
      echo "FAILED: the version of pkg-config, $version, differs from the version of CMake"
      exit 1
    }
    # shellcheck disable=SC2046  # several flags
    for standard in '' -std=c++11; do
      "$compiler" $standard "$here/outside/main.cpp" -o "$work/outside" $(pkg-config --cflags --libs grappa)
      counts "$work/outside"
    done
    # shellcheck disable=SC2046  # several flags
    "$compiler" "$here/original/main.cpp" -o "$work/original" $(pkg-config --cflags --libs grappa-compat)
    counts "$work/original"
    # shellcheck disable=SC2046  # several flags
    if "$compiler" -fsyntax-only "$here/original/main.cpp" $(pkg-config --cflags grappa) 2>/dev/null; then
      echo "FAILED: the package grappa alone offers the headers of the original Grappa"
      exit 1
    fi
    ;;
esac
