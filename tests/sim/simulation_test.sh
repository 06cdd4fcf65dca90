#!/usr/bin/env bash
# Simulations of a program: virtual time, output, and a job that ends as a real one does.
#
#   simulation_test.sh ACTOR JOB
set -uo pipefail
job=$(realpath -- "$2")
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"
cp "$1" "$scratch/actor"
actor=$scratch/actor # its processes are only those of this test
cd "$scratch" || exit 1

simulate() { timeout 60 "$job" --simulate="$1" "$actor" "${@:2}" </dev/null; }

hash_of() { simulate "$@" 2>&1 >/dev/null | sed -n 's/^simulation: hash \([^,]*\),.*/\1/p'; }

# Virtual time.
expect 0 '3600\.00[0-9]+ seconds' simulate 2x2 sleep
expect 0 '1\.0[0-9]+ seconds' simulate 2x2 charge
echo 'core.charged_ns = 2.5' >slow.network
expect 0 '2\.5[0-9]+ seconds' simulate 2x2,network=slow.network charge
echo 'core.miss_ns = 300' >memory.network
expect 0 '0\.30[0-9]+ seconds' simulate 2x2,network=memory.network miss
expect 0 '0\.001[0-9]+ seconds' simulate 2x2 busy
expect 134 'the virtual clock has reached its end' simulate 2x2 sleep_long
expect 0 'core 2: 20000 ns' simulate 2x2 clock
expect 0 'core 2: 2000000 ns' simulate 2x2,faults,seed=0 clock # a slow core

# Recorded time: what the machine does besides does not count, and a replay is the recorded run.
cluster=4x3,seed=5,faults
same() {
  cmp -s first.out next.out || fail "$1: other output: $(cat next.out)"
  cmp -s first.err next.err || fail "$1: $(tail -n 1 first.err) and $(tail -n 1 next.err)"
}
expect 0 '0\.000[0-9]+ seconds' simulate 2x2 compute
(for k in 1 2 3; do timeout 20 sh -c 'while :; do :; done' & done; simulate 2x2,record=times compute; kill $(jobs -p)) >first.out 2>first.err
grep -qE '^0\.02[0-4][0-9]+ seconds$' first.out || fail "20 ms of processor time, recorded: $(cat first.out)"
simulate 2x2,replay=times compute >next.out 2>next.err
same 'replayed computation'
simulate $cluster,record=more exchange 1000 --report_json=first.json >first.out 2>first.err || fail "recorded: $(cat first.err)"
for k in 1 2; do
  simulate $cluster,processors=$k,replay=more exchange 1000 --report_json=first.json >next.out 2>next.err
  same "replayed with $k processors"
done
[[ $(hash_of $cluster,record=again exchange 1000) != "$(hash_of $cluster exchange 1000)" ]] || fail 'recorded times are the charged ones'
expect 134 'the recorded times end before this run' simulate 2x2,replay=times exchange 1000

# Output: whole lines in the order of the virtual time.
simulate 2x3 say >said 2>errors || fail "say: $(cat errors)"
(($(wc -l <said) == 18)) || fail "lines are missing: $(cat said)"
[[ $(grep -c '^rest of core [0-5]$' errors) == 6 ]] || fail "parts of lines: $(cat errors)"
[[ $(grep -n 'core 5, line 2' said | cut -d: -f1) -lt $(grep -n 'core 0, line 1' said | cut -d: -f1) ]] ||
  fail "the lines are not in the order of the virtual time: $(cat said)"

# Names of faults, and their end.
expect 0 'simulation: faults=order' simulate 2x2,faults=order+pause,seed=2 exchange 10
none=$(hash_of 3x2 exchange 100)
[[ $none == "$(hash_of 3x2,faults=delay+demote+full+order+pause+return+slow,seed=9,until=0 exchange 100)" ]] ||
  fail 'faults that end at 0 ns have an effect'
# several_runs KIND COMMAND...: at least 3 of 12 seeds give different output of COMMAND SIMULATION.
several_runs() {
  local seed
  local -A outputs=()
  for seed in {1..12}; do
    outputs[=$("${@:2}" "3x2,faults=$1,seed=$seed" 2>/dev/null)]=1
    ((${#outputs[@]} <= 2)) || return 0
  done
  fail "the fault $1 gives only ${#outputs[@]} runs"
}
hash_of_exchange() { hash_of "$1" exchange 100; }
order_of_tasks() { simulate "$1" tasks | md5sum; }
for kind in delay demote full pause return slow; do several_runs $kind hash_of_exchange; done
several_runs order order_of_tasks

# Errors that the simulation finds.
expect 134 'buffer 0 was changed while it was in transit' simulate 1x2,faults=slow,until=0 change
expect 134 'buffer 0 is sent while it is in transit' simulate 1x2,faults=slow,until=0 resend
expect 4 'cores poll without an effect, and no deadlock is detected' simulate 1x2 spin
expect 4 'a deadlock was reported although a core has work' simulate 1x2 claim
for cluster in 1x2 2x1; do
  expect 4 'the job has ended, but 1 buffers were not received' simulate $cluster lose
done
expect 4 'the job has ended, but 1 buffers were not given back' simulate 1x2 keep

# Ends of a job.
expect 3 'grappa: deadlock: every task waits' simulate 3x2 deadlock
expect 134 'core 1 of 6: .*core 1 failed' simulate 3x2 fail
for k in 1 2; do simulate 3x2,processors=$k fail 2>&1 | grep -v '^    ' >"failure$k"; done
grep -q '^simulation: hash' failure1 || fail 'no hash after a failure'
cmp -s failure1 failure2 || fail "a failure is not repeated: $(diff failure1 failure2)"
expect 7 'core 1 exited with status 7 without Grappa::finalize' simulate 1x2 exit
expect 137 'grappa: core 2 was killed by signal 9' simulate 3x2,kill=2@1000000 sleep

# The table of what the workers wait for.
simulate 3x2 forever >/dev/null 2>table &
for ((k = 0; k < 100; ++k)); do
  (($(pgrep -fc "$actor forever") >= 8)) && break
  sleep 0.1
done
launcher=$(pgrep -f "^$job .*$actor forever")
for ((k = 0; k < 100; ++k)); do
  [[ -s table ]] && break
  kill -USR1 "$launcher"
  sleep 0.2
done
kill "$launcher"
wait
grep -q '^grappa: what the workers wait for$' table || fail "no table after SIGUSR1: $(cat table)"
for core in {0..5}; do
  grep -qE "^ +$core +[0-9]+  " table || fail "core $core is not in the table: $(cat table)"
done

# Wrong use.
refuses() { expect 2 "$1" timeout 30 "$job" "${@:2}"; }
for cluster in 3 0x2 2x0 x 3x 3x2x1 400x400 -1x2; do
  refuses ': --simulate: "[^"]*" is not LOCALESxCORES' --simulate=$cluster "$actor"
done
refuses 'expected seed=N' --simulate=2x2,sed=1 "$actor"
refuses 'seed must be a number' --simulate=2x2,seed=x "$actor"
refuses 'until must be NANOSECONDS' --simulate=2x2,until=x "$actor"
refuses 'unknown disturbance "delays": expected some of .*delay.*num_workers' --simulate=2x2,faults=delays "$actor"
refuses 'kill must be CORE@NANOSECONDS' --simulate=2x2,kill=4@1 "$actor"
refuses 'absent" cannot be read' --simulate=2x2,network=absent "$actor"
refuses 'absent/core0 cannot be read' --simulate=2x2,replay=absent "$actor"
refuses 'the folder "/proc/times" cannot be created' --simulate=2x2,record=/proc/times "$actor"
echo 'far.latency = 3' >wrong.network
refuses 'wrong.network:1: unknown parameter far.latency' --simulate=2x2,network=wrong.network "$actor"
echo 'far.latency_ns 3' >wrong.network
refuses 'wrong.network:1: expected NAME = NUMBER' --simulate=2x2,network=wrong.network "$actor"
echo 'near.latency_ns = 0' >wrong.network
refuses 'near.latency_ns must be at least 1' --simulate=2x2,network=wrong.network "$actor"
refuses 'a simulation needs a program without threads' --simulate=2x2 "$actor" thread
touch locked
as_user=()
((EUID)) || as_user=(setpriv --bounding-set=-dac_override,-dac_read_search)
output=$(exec 5<locked; chmod 000 locked; GRAPPA_SIMULATE=3x2 timeout 30 "${as_user[@]}" "$actor" 2>&1)
[[ $output == *'a file that was opened before Grappa::init cannot be simulated: '* && $(wc -l <<<"$output") == 1 ]] ||
  fail "a file that cannot be opened again: $output"
refuses "remove -n, --hosts" --simulate=2x2 "$actor" --cores-per-locale=1
for option in '-n 2' '--hosts=a' '--world=mpi'; do
  # shellcheck disable=SC2086
  refuses 'remove -n, --hosts' $option --simulate=2x2 "$actor"
done
exit $((failures > 0))
