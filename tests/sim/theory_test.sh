#!/usr/bin/env bash
# The virtual time of operations whose time theory predicts from the parameters of the network. The work of the
# cores takes next to no time, so that only the network counts.
#
#   theory_test.sh PROGRAM JOB
set -uo pipefail
program=$1 job=$2
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

latency=1300 send=210 receive=330
# run CLUSTER NETWORK OPERATION [FLAG]: sets `ns`, and `bytes` if the program prints them.
run() {
  timeout 60 "$job" --simulate="$1,network=$2" "$program" "${@:3}" >"$scratch/out" 2>"$scratch/err" ||
    fail "${*:3} on $1: $(cat "$scratch/err")"
  ns=$(awk '$1 == "ns" { printf "%d", $2 }' "$scratch/out")
  bytes=$(awk '$1 == "bytes" { print $2 }' "$scratch/out")
}

# simulate CLUSTER BYTE_PICOSECONDS OPERATION [FLAG]: like run, with a network of these parameters.
simulate() {
  cat >"$scratch/network" <<END
far.latency_ns = $latency
far.send_ns = $send
far.receive_ns = $receive
far.gap_ns = 1
far.gap_per_byte_ns = $(awk "BEGIN { print $2 / 1000 }")
core.iteration_ns = 0
core.switch_ns = 0
core.task_ns = 0
core.call_ns = 0
core.miss_ns = 0
core.message_ns = 0
core.message_byte_ns = 0
core.poll_ns = 1
core.clock_ns = 1
core.charged_ns = 0
END
  run "$1" "$scratch/network" "${@:3}"
}

# within LEAST VALUE PERCENT WHAT: fails unless the value is at least LEAST, and at most PERCENT more.
within() {
  (($2 >= $1 && $2 * 100 <= $1 * (100 + $3))) || fail "$4: $2 ns, expected $1 to $1 + $3 %"
}

message=$((latency + send + receive))
for steps in 1 2 4 6; do
  simulate $((1 << steps))x1 1 barrier
  within $((2 * steps * message)) "$ns" 5 "a barrier of $((1 << steps)) locales, 2 log2(P) (L + 2 o)"
done
simulate 3x2 1 call
within $((2 * message)) "$ns" 5 'a delegate call, 2 (L + 2 o)'

# A buffer for one core is sent after --flush_age_us. The two cores of locale 2 share a buffer, which is sent after
# twice that time; the gateway is idle and sends it on at once.
simulate 3x2 1 aged
within 100000 "$ns" 5 'an async call, --flush_age_us'
simulate 3x2 1 aged --routing=three_hop
within 200000 "$ns" 5 'an async call by way of a gateway, 2 --flush_age_us'

# Without combining, the master of a queue is locked until the element is written: a round trip.
simulate 2x1 1 push
within $((2 * message)) "$ns" 10 'a push without combining, 2 (L + 2 o)'

# Random updates: the port of a locale sends what its cores send to other locales.
for byte_ps in 2000 4000; do
  simulate 2x4 $byte_ps updates
  within $((bytes / 2 / 2 * byte_ps / 1000)) "$ns" 10 "updates on 2 locales at $byte_ps ps a byte"
  simulate 4x2 $byte_ps updates
  within $((bytes / 4 * 3 / 4 * byte_ps / 1000)) "$ns" 10 "updates on 4 locales at $byte_ps ps a byte"
done

# The networks of the tree: a delegate call takes at least its messages.
for network in "$(dirname "$0")"/../../bench/networks/*.network; do
  run 2x1 "$network" call
  least=$(awk '/^far\.(latency|send|receive)_ns/ { sum += $3 } END { print 2 * sum }' "$network")
  within "$least" "$ns" 50 "a delegate call with $network"
done
exit $((failures > 0))
