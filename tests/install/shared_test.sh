#!/usr/bin/env bash
# Builds and installs the library as shared libraries. Programs of independent projects use them by CMake
# and by pkg-config, on cores with and without shared memory, and with all kinds of messages.
#
#   shared_test.sh SOURCE WORK COMPILER
set -uo pipefail
source=$1 work=$2 compiler=$3
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

rm -rf "$work"
mkdir -p "$work"
must "configuration" cmake -S "$source" -B "$work/build" -G Ninja -D BUILD_SHARED_LIBS=ON \
  -D CMAKE_CXX_COMPILER="$compiler" -D CMAKE_BUILD_TYPE=Release -D GRAPPA_WERROR=ON \
  -D GRAPPA_BUILD_APPS=OFF -D GRAPPA_BUILD_TESTS=OFF -D GRAPPA_BUILD_BENCH=OFF
must "build" cmake --build "$work/build"
must "installation" cmake --install "$work/build" --prefix "$work/prefix"
libraries=$(find "$work/prefix" -name 'libgrappa_*.so')
[[ $libraries && ! $(find "$work/prefix" -name '*.a') ]] || fail "the installation has no shared libraries, or has archives"

job=$work/build/launcher/job
for how in cmake pkg_config; do
  LD_LIBRARY_PATH=$work/prefix/lib must "the outside program by $how" \
    "$(dirname "$0")/outside_test.sh" $how "$work/prefix" "$work/$how" "$compiler" "$job"
done

must "configuration of the tutorial" cmake -G Ninja -S "$source/docs/tutorial" -B "$work/tutorial" \
  -D CMAKE_CXX_COMPILER="$compiler" -D CMAKE_PREFIX_PATH="$work/prefix"
must "build of the tutorial" cmake --build "$work/tutorial" --parallel "$(nproc)"
for name in combining delegates graph gups hello loops memory search tasks text word_count; do
  program=$work/tutorial/$name
  expect 0 'libgrappa_runtime.so.*libgrappa_base.so|libgrappa_base.so.*libgrappa_runtime.so' ldd "$program"
  must "the output of $name" "$(dirname "$0")/../docs/page_test.sh" output \
    "$source/docs/tutorial.md" "$program" "$job" 2
  expect 0 '' "$job" -n 4 --shared "$program" --cores_per_locale=2
done
rm -rf "$work"
((failures == 0))
