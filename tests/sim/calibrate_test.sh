#!/usr/bin/env bash
# A calibration writes a network file with which simulations take the measured times.
#
#   calibrate_test.sh CALIBRATE CALIBRATE_JOB JOB
set -uo pipefail
calibrate=$(realpath -- "$1") program=$(realpath -- "$2") job=$(realpath -- "$3")
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"
cd "$scratch" || exit 1

# close WHAT A B: two times differ by at most a tenth.
close() {
  awk -v a="$2" -v b="$3" 'BEGIN { exit !(a > 0 && b > 0.9 * a && b < 1.1 * a) }' || fail "$1: $2 ns and $3 ns"
}

must 'a calibration' "$calibrate" --quick --network_file=charged.network
(($(grep -cE '^(core|near|far)\.[a-z_]+_ns = [0-9.e+-]+  #' charged.network) == 19)) ||
  fail "parameters are missing: $(cat charged.network)"
measured=$(sed -nE 's/^core.message_ns .*message: measured ([^ ]+) ns.*/\1/p' charged.network)
simulated=$("$job" --simulate=1x2,network=charged.network "$program" --kernel=message --operations=2000000 2>/dev/null)
value=$(sed -nE 's/^core.message_ns = ([^ ]+).*/\1/p' charged.network)
[[ $value == 0 ]] || close 'the message program' "$measured" "${simulated#message: }"
for name in clock switch; do
  read -r measured simulated < <(sed -nE "s/^core.${name}_ns .*measured ([^ ]+) ns .*simulated ([^ ]+) ns/\\1 \\2/p" charged.network)
  close "$name" "$measured" "$simulated"
done
read -r value measured simulated < <(
  sed -nE "s/^core.task_ns = ([^ ]+) .*measured ([^ ]+) ns .*simulated ([^ ]+) ns/\\1 \\2 \\3/p" charged.network)
if [[ $value == 0 ]]; then  # the end of a task costs a switch, which alone takes longer than a spawned task
  awk "BEGIN { exit !($simulated > 0.9 * $measured && $simulated < 1.5 * $measured) }" ||
    fail "task: $measured ns and $simulated ns"
else
  close task "$measured" "$simulated"
fi

must 'a calibration of recorded time' "$calibrate" --quick --recorded --network_file=recorded.network
! grep -q '^core.clock_ns' recorded.network || fail "core.* was fitted: $(cat recorded.network)"
expect 0 'clock: ' "$job" --simulate=1x2,network=recorded.network,record=times "$program"
expect 2 'too-many is not an integer|invalid|illegal' "$calibrate" --quick --recorded=too-many
exit $((failures > 0))
