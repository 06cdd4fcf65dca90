#!/usr/bin/env bash
# Equal seeds give equal runs, whatever the machine does: the same output, report, file and hash. Any change
# gives another run.
#
#   determinism_test.sh ACTOR JOB RUNS
#
# Compares RUNS runs, in all ways in turn, and the hashes of RUNS seeds, at least 20.
set -uo pipefail
actor=$(realpath -- "$1") job=$(realpath -- "$2") runs=$3
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"
cd "$scratch" || exit 1
mkdir -p folder/of/other/name

simulate() { timeout 60 "$job" --simulate="$1" "$actor" "${@:2}" </dev/null; }
cluster=4x3,seed=5,faults
report=$scratch/report.json
exchange() { simulate "$1" exchange 1000 --report_json="$report"; }

# The memory of a process in the report depends on this machine.
without_memory_of_processes() {
  awk '/"(resident_bytes|own_bytes|malloc_bytes|rest_bytes|runtime\.resident|runtime\.own|runtime\.malloc)[a-z_]*": [[{]$/ {
         match($0, /^ */); end = "^" substr($0, 1, RLENGTH) "[]}]"; next
       }
       end == "" { print }
       end != "" && $0 ~ end { end = "" }' "$report"
}

# Each way runs exchange() with its output in FILE.out and FILE.err.
on_one_processor() { exchange $cluster,processors=1 >"$1.out" 2>"$1.err"; }
on_two_processors() { exchange $cluster,processors=2 >"$1.out" 2>"$1.err"; }
with_other_environment() {
  (cd folder/of/other/name && LONG=$(printf '%05000d' 7) TZ=Asia/Tokyo LC_ALL=C.UTF-8 GRAPPA_TERMINAL=1 \
    exchange $cluster) >"$1.out" 2>"$1.err"
}
with_other_limits() {
  (ulimit -v 200000000 && ulimit -s 16384 && ulimit -c 0 && exchange $cluster) >"$1.out" 2>"$1.err"
}
without_random_addresses() {
  setarch -R timeout 60 "$job" --simulate=$cluster "$actor" exchange 1000 --report_json="$report" \
    >"$1.out" 2>"$1.err" </dev/null
}
on_another_host() {
  unshare -u sh -c 'hostname another; exec "$@"' sh timeout 60 "$job" --simulate=$cluster "$actor" exchange \
    1000 --report_json="$report" >"$1.out" 2>"$1.err" </dev/null
}
into_a_pipe() { exchange $cluster 2>"$1.err" | cat >"$1.out"; }
beside_busy_processes() {
  local busy=()
  for _ in 1 2 3; do
    timeout 20 sh -c 'while :; do :; done' &
    busy+=($!)
  done
  exchange $cluster >"$1.out" 2>"$1.err"
  kill "${busy[@]}"
  wait "${busy[@]}" 2>/dev/null
}
without_the_launcher() {
  GRAPPA_SIMULATE=$cluster timeout 60 "$actor" exchange 1000 --report_json="$report" >"$1.out" 2>"$1.err" </dev/null
}
ways=(on_two_processors with_other_environment with_other_limits into_a_pipe beside_busy_processes
  without_the_launcher)
setarch -R true 2>/dev/null && ways+=(without_random_addresses)
unshare -u hostname another 2>/dev/null && ways+=(on_another_host)

on_one_processor first
without_memory_of_processes >first.json
[[ $(cat first.out) == 'sum 12000 of 12000' ]] || fail "a wrong sum: $(cat first.out first.err)"
grep -qE '^simulation: hash [0-9a-f]{16}, [0-9]+ events, [0-9]+ virtual ns$' first.err ||
  fail "no hash: $(cat first.err)"
grep -q '"net.buffers_by_mpi"' first.json || fail "no report: $(head first.json)"
equal=0
for ((run = 0; run < runs; ++run)); do
  way=${ways[run % ${#ways[@]}]}
  before=$failures
  rm -f report.json
  $way next
  without_memory_of_processes >next.json
  cmp -s first.out next.out || fail "$way: other output: $(cat next.out)"
  cmp -s first.err next.err || fail "$way: $(tail -n 1 first.err) and $(tail -n 1 next.err)"
  cmp -s first.json next.json || fail "$way: other report: $(diff first.json next.json | head)"
  equal=$((equal + (failures == before)))
done
echo "$equal of $runs runs are equal"

# Another run.
printf 'far.latency_ns = 1000\n' >base.network
printf 'far.latency_ns = 1001  # a nanosecond more\n' >other.network
hash_of() { simulate "$@" 2>&1 >/dev/null | sed -n 's/^simulation: hash \([^,]*\),.*/\1/p'; }
base=$(hash_of 4x3,network=base.network exchange 1000)
[[ $base && $base == "$(hash_of 4x3 exchange 1000)" ]] || fail 'the default latency is not 1000 ns'
[[ $base != "$(hash_of 4x3,network=other.network exchange 1000)" ]] || fail 'a nanosecond changes nothing'
[[ $base != "$(hash_of 4x3 exchange 1001)" ]] || fail 'an iteration changes nothing'
[[ $base != "$(hash_of 4x3 exchange 1000 1001)" ]] || fail 'a message changes nothing'
[[ $base != "$(hash_of 3x4 exchange 1000)" ]] || fail 'the shape of the cluster changes nothing'
seeds=$((runs < 20 ? 20 : runs))
hashes=$(for ((seed = 0; seed < seeds; ++seed)); do hash_of 2x2,faults,seed=$seed exchange 10; done | sort -u | wc -l)
((hashes * 100 >= seeds * 99)) || fail "$seeds seeds with faults give $hashes different runs"
echo "$hashes hashes of $seeds seeds"
exit $((failures > 0))
