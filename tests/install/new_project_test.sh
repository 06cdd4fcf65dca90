#!/usr/bin/env bash
# `grappa new` creates a project that `grappa run` builds and runs, and whose tests pass.
#
#   new_project_test.sh installed PREFIX
#   new_project_test.sh sources ROOT BUILD
#
# sources: calls the functions that ROOT/grappa calls, with the package in BUILD, and builds nothing else.
set -uo pipefail
# shellcheck disable=SC2317  # grappa is called by expect
how=$1 place=$2
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

case $how in
  installed) grappa() { "$place/bin/grappa" "$@"; } ;;
  sources)
    export ROOT=$place BUILD=$3
    grappa() {
      bash -euo pipefail -c '
        source "$ROOT/cmake/new_project"
        [[ $1 != new ]] || { shift; project_new "$@"; exit; }
        project_arguments "$BUILD" "${@:2}"
        exec "$BUILD/launcher/job" "${job_arguments[@]}"' grappa "$@"
    }
    ;;
esac
cd "$scratch" || exit 1

expect 2 '^grappa: new: expected one name: grappa new NAME$' grappa new
expect 2 '^grappa: new: expected one name' grappa new one two
for name in 1st 'two words' '' a/ü ../..; do
  expect 2 '^grappa: new: invalid name ' grappa new "$name"
done
expect 2 '^grappa: new: the name "test" is reserved for a build target' grappa new test
expect 2 '^grappa: new: the folder absent does not exist$' grappa new absent/demo
expect 0 'cd demo && grappa run$' grappa new demo
expect 2 '^grappa: new: demo already exists; choose another name$' grappa new demo
ln -s nowhere dangling
expect 2 '^grappa: new: dangling already exists; choose another name$' grappa new dangling

# Runs inside and outside the project folder, and with flags of the program.
(cd demo && expect 0 '2 cores counted 1000000 squares; key 0 occurred 10000 times$' grappa run -n 2 --shared
  exit $failures)
failures=$?
grep -q '^CMAKE_BUILD_TYPE' demo/build/CMakeCache.txt || fail "demo/build is not configured"
# The project is up to date, so only the program prints.
expect 0 '^3 cores counted 5 squares; key 0 occurred 3 times$' \
  grappa run -n3 --shared ./demo/ --n=5 --keys=4
ctest --test-dir demo/build --no-tests=error >ctest.log 2>&1 || fail "$(cat ctest.log)"

finish() {
  ((failures == 0)) || { echo "$failures failures"; exit 1; }
  exit 0
}
# The remaining checks are independent of the package: run them for the installed package only.
[[ $how == installed ]] || finish

# A changed source is rebuilt; a compile error is printed.
sed -i 's/squares; key/numbers; key/' demo/main.cpp
expect 0 'counted 9 numbers;' grappa run -n 1 --shared ./demo --n=9
sed -i 's/return Grappa/return Grape/' demo/main.cpp
expect 1 "main.cpp:.*Grape" grappa run -n 1 --shared ./demo
sed -i 's/return Grape/return Grappa/' demo/main.cpp

# A moved project.
mkdir elsewhere
mv demo elsewhere/renamed
expect 0 'counted 9 numbers;' grappa run -n 1 --shared ./elsewhere/renamed --n=9

# A folder with an empty CMakeLists.txt is not a project.
mkdir plain
touch plain/CMakeLists.txt
(cd plain && expect 2 '^grappa: no program given' grappa run -n 1; exit $failures)
failures=$?
finish
