#!/usr/bin/env bash
# Simulations of a program: equal seeds give equal runs whatever the machine does, any change gives
# another run, and a job ends as a real one does.
#
#   simulation_test.sh ACTOR JOB
set -uo pipefail
actor=$(realpath -- "$1") job=$(realpath -- "$2")
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"
cd "$scratch" || exit 1

simulate() { timeout 60 "$job" --simulate="$1" "$actor" "${@:2}" </dev/null; }

# The same run.
cluster=4x3,seed=5,faults
simulate $cluster,processors=1 exchange 1000 --report_json=first.json >first.out 2>first.err || fail "exchange: $(cat first.err)"
[[ $(cat first.out) == 'sum 12000 of 12000' ]] || fail "a wrong sum: $(cat first.out)"
grep -qE '^simulation: hash [0-9a-f]{16}, [0-9]+ events, [0-9]+ virtual ns$' first.err ||
  fail "no hash: $(cat first.err)"
same() {
  local how=$1
  cmp -s first.out next.out || fail "$how: other output: $(cat next.out)"
  cmp -s first.err next.err || fail "$how: $(tail -n 1 first.err) and $(tail -n 1 next.err)"
}
simulate $cluster,processors=2 exchange 1000 --report_json=first.json >next.out 2>next.err
same 'with two processors'
mkdir -p folder/of/other/name
(cd folder/of/other/name && LONG=$(printf '%05000d' 7) TZ=Asia/Tokyo LC_ALL=C.UTF-8 GRAPPA_TERMINAL=1 \
  simulate $cluster exchange 1000 --report_json=first.json) >next.out 2>next.err
same 'with another environment in another folder'
(ulimit -v 200000000 && ulimit -s 16384 && ulimit -c 0 && simulate $cluster exchange 1000 --report_json=first.json) >next.out 2>next.err
same 'with other limits'
if setarch -R true 2>/dev/null; then
  setarch -R timeout 60 "$job" --simulate=$cluster "$actor" exchange 1000 --report_json=first.json >next.out 2>next.err </dev/null
  same 'without random addresses'
fi
simulate $cluster exchange 1000 --report_json=first.json 2>next.err | cat >next.out
same 'into a pipe'
(for k in 1 2 3; do timeout 20 sh -c 'while :; do :; done' & done; simulate $cluster exchange 1000 --report_json=first.json; kill $(jobs -p)) >next.out 2>next.err
same 'beside busy processes'
GRAPPA_SIMULATE=$cluster timeout 60 "$actor" exchange 1000 --report_json=first.json >next.out 2>next.err </dev/null
same 'without the launcher'

# Another run.
printf 'far.latency_ns = 1000\n' >base.network
printf 'far.latency_ns = 1001  # a nanosecond more\n' >other.network
hash_of() { simulate "$@" 2>&1 >/dev/null | sed -n 's/^simulation: hash \([^,]*\),.*/\1/p'; }
base=$(hash_of 4x3,network=base.network exchange 1000)
[[ $base && $base == "$(hash_of 4x3 exchange 1000)" ]] || fail 'the default latency is not 1000 ns'
[[ $base != "$(hash_of 4x3,network=other.network exchange 1000)" ]] || fail 'a nanosecond changes nothing'
[[ $base != "$(hash_of 4x3 exchange 1001)" ]] || fail 'an iteration changes nothing'
[[ $base != "$(hash_of 3x4 exchange 1000)" ]] || fail 'the shape of the cluster changes nothing'
hashes=$(for seed in {1..20}; do hash_of 2x2,faults,seed="$seed" exchange 10; done | sort -u | wc -l)
((hashes == 20)) || fail "20 seeds with faults give $hashes different runs"

# Virtual time.
expect 0 '3600\.00[0-9]+ seconds' simulate 2x2 sleep
expect 0 '1\.0[0-9]+ seconds' simulate 2x2 charge
expect 0 '0\.001[0-9]+ seconds' simulate 2x2 spin

# Output: whole lines in the order of the virtual time.
simulate 2x3 say >said 2>errors || fail "say: $(cat errors)"
(($(wc -l <said) == 18)) || fail "lines are missing: $(cat said)"
[[ $(grep -c '^rest of core [0-5]$' errors) == 6 ]] || fail "parts of lines: $(cat errors)"
[[ $(grep -n 'core 5, line 2' said | cut -d: -f1) -lt $(grep -n 'core 0, line 1' said | cut -d: -f1) ]] ||
  fail "the lines are not in the order of the virtual time: $(cat said)"

# Ends of a job.
expect 3 'grappa: deadlock: every task waits' simulate 3x2 deadlock
expect 134 'core 1 of 6: .*core 1 failed' simulate 3x2 fail
for k in 1 2; do simulate 3x2,processors=$k fail 2>&1 | grep -v '^    ' >"failure$k"; done
grep -q '^simulation: hash' failure1 || fail 'no hash after a failure'
cmp -s failure1 failure2 || fail "a failure is not repeated: $(diff failure1 failure2)"
expect 7 'core 1 exited with status 7 without Grappa::finalize' simulate 1x2 exit
expect 137 'grappa: core 2 was killed by signal 9' simulate 3x2,kill=2@1000000 sleep
gone() {
  for ((k = 0; k < 50; ++k)); do
    pgrep -f "$actor forever" >/dev/null || return 0
    sleep 0.1
  done
  fail "after $1, processes are left: $(pgrep -fa "$actor forever")"
  pkill -KILL -f "$actor forever"
}
for victim in launcher conductor core; do
  "$job" --simulate=8x8 "$actor" forever >/dev/null 2>&1 </dev/null &
  launcher=$!
  for ((k = 0; k < 100; ++k)); do
    (($(pgrep -fc "$actor forever") >= 66)) && break
    sleep 0.1
  done
  conductor=$(pgrep -P "$launcher")
  case $victim in
    launcher) kill -KILL "$launcher" ;;
    conductor) kill -KILL "$conductor" ;;
    core) pkill -KILL -P "$conductor" -n ;;
  esac
  gone "SIGKILL of the $victim"
  wait "$launcher" 2>/dev/null
done

# Wrong use.
refuses() { expect 2 "$1" timeout 30 "$job" "${@:2}"; }
for cluster in 3 0x2 2x0 x 3x 3x2x1 400x400 -1x2; do
  refuses ': --simulate: "[^"]*" is not LOCALESxCORES' --simulate=$cluster "$actor"
done
refuses 'expected seed=N' --simulate=2x2,sed=1 "$actor"
refuses 'seed must be a number' --simulate=2x2,seed=x "$actor"
refuses 'kill must be CORE@NANOSECONDS' --simulate=2x2,kill=4@1 "$actor"
refuses 'absent" cannot be read' --simulate=2x2,network=absent "$actor"
echo 'far.latency = 3' >wrong.network
refuses 'wrong.network:1: unknown parameter far.latency' --simulate=2x2,network=wrong.network "$actor"
echo 'far.latency_ns 3' >wrong.network
refuses 'wrong.network:1: expected NAME = NUMBER' --simulate=2x2,network=wrong.network "$actor"
echo 'near.latency_ns = 0' >wrong.network
refuses 'near.latency_ns must be at least 1' --simulate=2x2,network=wrong.network "$actor"
refuses 'a simulation needs a program without threads' --simulate=2x2 "$actor" thread
refuses "remove -n, --hosts" --simulate=2x2 "$actor" --cores-per-locale=1
for option in '-n 2' '--hosts=a' '--world=mpi'; do
  # shellcheck disable=SC2086
  refuses 'remove -n, --hosts' $option --simulate=2x2 "$actor"
done
exit $((failures > 0))
