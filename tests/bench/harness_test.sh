#!/usr/bin/env bash
# Flags, files and wrong results of benchmarks, as one process and as a job, and the comparison of
# their result files.
#
#   harness_test.sh ONE_PROCESS JOB_OF_SEVERAL COMPARE JOB
#
# ONE_PROCESS and JOB_OF_SEVERAL are benchmarks from this folder. JOB starts a job: JOB -n CORES
# --shared BENCHMARK FLAG...
set -uo pipefail
one=$1 several=$2 compare=$3 job=$4
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

# ends STATUS COMMAND...: writes the output of the command to $scratch/out and $scratch/err.
ends() {
  local wanted=$1 status=0
  shift
  "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  ((status == wanted)) || fail "'$*' ended with $status, not $wanted: $(cat "$scratch/err")"
}

# refused TEXT COMMAND...: status 2, no measurement, and one line with TEXT.
refused() {
  local text=$1
  shift
  ends 2 "$@"
  (($(wc -l <"$scratch/err") == 1)) || fail "'$*' should print one line: $(cat "$scratch/err")"
  grep -qF -- "$text" "$scratch/err" || fail "'$*' should print '$text': $(cat "$scratch/err")"
  [[ ! -s $scratch/out ]] || fail "'$*' began to measure: $(cat "$scratch/out")"
}

says() { grep -qE -- "$1" "$scratch/out" || fail "no line matches '$1' in: $(cat "$scratch/out")"; }

json() { grep -qE -- "$2" "$1" || fail "no line matches '$2' in $1"; }

# One process: a table, the same figures in a file, and status 0.
ends 0 "$one" --json "$scratch/one.json" --quick --commit=abc
says '^one_process --quick, commit abc, 1 core, '
says '^sum[.]quick .* ns .* sum of 1000 numbers, against the same'
says '^numbers[.]quick +1000 '
says '^moon[.]quick +omitted '
says '^before and after: '
json "$scratch/one.json" '"benchmark": "one_process"'
json "$scratch/one.json" '"commit": "abc"'
json "$scratch/one.json" '"command": "one_process --quick"'
json "$scratch/one.json" '"ranks": 1$'
(($(grep -c '"counted": true' "$scratch/one.json") == 5)) ||  # more repetitions if the regime changes
  fail 'the file should have five counted repetitions'
ends 0 "$one"
says '^one_process, commit unknown,'
says '^sum .* ns .* sum of 1000 numbers, against the same'

# A wrong result.
ends 1 "$one" --quick --wrong --json="$scratch/wrong.json"
says 'NOT VERIFIED: sum of 1000 numbers'
json "$scratch/wrong.json" '"verified": false'

# Running only the operation whose instructions are counted, as under callgrind.
ends 0 "$one" --instructions_of=sum.instructions --iterations=5
[[ ! -s $scratch/out ]] || fail "an operation alone prints: $(cat "$scratch/out")"
ends 0 "$several" --instructions_of=increments.instructions --iterations=5
[[ ! -s $scratch/out ]] || fail "an operation of a job alone prints: $(cat "$scratch/out")"
refused 'is not a figure whose instructions' "$one" --instructions_of=sum

# Jobs.
for cores in 1 2 3; do
  ends 0 "$job" -n $cores --shared "$several" --quick --json="$scratch/job.$cores.json"
  says "^cores[.]quick +$cores "
  (($(grep -c '^before and after: ' "$scratch/out") == 1)) || fail "with $cores cores, not exactly one core reports"
  json "$scratch/job.$cores.json" "\"ranks\": $cores\$"
done

# Errors.
ends 134 "$one" --quick --twice
grep -q 'two figures have the id sum' "$scratch/err" || fail "an id may be used twice"
refused 'one process, not a job of 2' "$job" -n 2 --shared "$one"
for start in "$one" "$several" "$job -n 3 --shared $several"; do
  # shellcheck disable=SC2086
  {
    refused 'unknown flag --no_such' $start --no_such=1
    refused '"surplus" is not a flag' $start surplus
    refused '--json=/nowhere/at/all.json cannot be written: No such file' \
      $start --json=/nowhere/at/all.json
    refused 'Is a directory' $start --json="$scratch"
    refused '--num_workers must be' $start --num_workers=0
    ends 0 $start --help
    (($(grep -c '^  --quick ' "$scratch/out") == 1)) || fail "'$start --help' does not print its help once"
  }
done

# Comparison.
ends 0 "$compare" "$scratch/one.json" "$scratch/one.json"
says '^sum[.]quick .* ns *$'
ends 1 "$compare" "$scratch/job.1.json" "$scratch/job.2.json"
says 'NOT COMPARABLE, different number of cores: 1 | 2'
mkdir "$scratch/a" "$scratch/b" "$scratch/empty"
cp "$scratch/one.json" "$scratch/job.1.json" "$scratch/a"
cp "$scratch/job.1.json" "$scratch/b"
ends 0 "$compare" "$scratch/a" "$scratch/b"
says '^job$'
! grep -q one_process "$scratch/out" || fail 'compares a result that only one folder has'
refused 'expected two result files' "$compare" "$scratch/one.json"
refused "nowhere.json: cannot be read: No such file" "$compare" "$scratch/nowhere.json" "$scratch/a"
refused 'no benchmark in common' "$compare" "$scratch/one.json" "$scratch/b"
refused 'no benchmark in common' "$compare" "$scratch/empty" "$scratch/b"
echo '{"benchmark": "x"' >"$scratch/broken.json"
refused 'broken.json: is not JSON' "$compare" "$scratch/broken.json" "$scratch/a"
echo '{"benchmark": "x"}' >"$scratch/broken.json"
refused "broken.json: is not a benchmark result: key 'commit' not found" \
  "$compare" "$scratch/a" "$scratch/broken.json"
cp "$scratch/one.json" "$scratch/b/one.json"
cp "$scratch/one.json" "$scratch/b/two.json"
refused 'holds one_process too' "$compare" "$scratch/b" "$scratch/one.json"

((failures == 0)) && echo 'all as expected'
exit $((failures > 0))
