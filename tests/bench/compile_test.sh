#!/usr/bin/env bash
# The sources of benchmarks that the build does not contain compile. The compiler checks them with the options of the
# build, but generates no code, which would take most of the time. Skipped (status 77) if the generator is not Ninja.
#
#   compile_test.sh BUILD
set -uo pipefail
cd "$1" || exit 1
[[ -f build.ninja ]] || { echo "skipped: no build.ninja in $1"; exit 77; }

steps=$(ninja -n -v all) || { echo "FAILED: $steps"; exit 1; }
[[ $steps != *--regenerate-during-build* ]] || { echo "FAILED: the build is out of date: run ninja"; exit 1; }

# Prints the commands that would make the object files of benchmarks, without their options for files.
commands() {
  sed -nE 's/^\[[0-9/]+\] (.*) -MD -MT [^ ]+ -MF [^ ]+ -o bench\/[^ ]+[.]o -c (.*)$/\1 \2/p' <<<"$steps"
}

check() { eval "$1 -fsyntax-only" || { echo "FAILED: ${1##* }"; return 1; }; }
export -f check

sources=$(commands | wc -l)
commands | tr '\n' '\0' | xargs -r -0 -n 1 -P "$(nproc)" bash -c 'check "$1"' _ || exit 1
echo "$sources sources"
