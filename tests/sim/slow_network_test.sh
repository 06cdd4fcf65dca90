#!/usr/bin/env bash
# Predictions for two hosts whose link has other delays and rates than the calibrated one. The hosts are
# network namespaces, and the link is the program slow_link. The parameters of the simulation are
# calibrated with a fast link; then the known delay is added to the latency, and the known rate gives the
# time per byte. For each of 12 links, simulated speeds divided by measured ones, medians of five runs, are
# within 20 % for blocking calls, asynchronous updates and a search. The simulation has no congestion control,
# so the windows of TCP are large from the start. Prints all ratios. Skipped (status 77) without namespaces.
#
#   slow_network_test.sh JOB SLOW_LINK CALIBRATE GUPS_JOB BFS
set -uo pipefail
job=$1 slow_link=$2 calibrate=$3 gups=$4 bfs=$5
# shellcheck source=tests/harness/checks.sh
source "${BASH_SOURCE[0]%/*}/../harness/checks.sh"
# shellcheck source=tests/harness/hosts.sh
source "${BASH_SOURCE[0]%/*}/../harness/hosts.sh"
[[ -c /dev/net/tun ]] || skip 'there is no /dev/net/tun'
chrt -f 1 true 2>/dev/null || skip 'the program that forwards packets cannot have priority'
make_hosts 2
for host in 1 2; do
  ip netns exec "$prefix-h$host" sysctl -qw net.ipv4.tcp_slow_start_after_idle=0 \
    net.ipv4.tcp_rmem='4096 6000000 6000000' net.ipv4.tcp_wmem='4096 6000000 6000000'
done

link_pid=''
# connect DELAY-MICROSECONDS MEGABITS-PER-SECOND
connect() {
  [[ -z $link_pid ]] || { kill "$link_pid"; wait "$link_pid" 2>/dev/null; }
  : >"$scratch/link"
  "$slow_link" "$prefix-h1" "$prefix-h2" "$@" >"$scratch/link" 2>&1 &
  link_pid=$!
  until grep -q ready "$scratch/link"; do
    kill -0 "$link_pid" 2>/dev/null || { fail "the link: $(cat "$scratch/link")"; exit 1; }
    sleep 0.05
  done
  local host
  for host in 1 2; do
    give_address $host
    ip -n "$prefix-h$host" route change 10.77.0.0/24 dev eth0 initcwnd 100 initrwnd 100
  done
}

connect 0 10000
printf 'h1 slots=1\nh2 slots=1\n' >"$scratch/hostfile"
must 'a calibration' env PATH="$scratch/ssh:$PATH" "$scratch/on" h1 "$calibrate" --quick \
  --hostfile="$scratch/hostfile" --network_file="$scratch/fast.network"

# network DELAY RATE: the parameters for such a link. 0.6 % of a packet are headers.
network() {
  awk -v delay="$1" -v rate="$2" '
    $1 == "far.latency_ns" { $3 += delay * 1000 }
    $1 == "far.gap_per_byte_ns" && $3 < 8000 / rate { $3 = 8000 / rate * 1.006 }
    { print }
    END { print "far.eager_bytes = 131072" }' "$scratch/fast.network"
}
on_hosts() { PATH="$scratch/ssh:$PATH" "$scratch/on" h1 "$job" --hosts h1:1,h2:1 --shared "$@"; }
# speed LABEL COMMAND...: the number after this label in the output.
speed() { "${@:2}" 2>"$scratch/err" </dev/null | awk -v label="$1" '$1 == label { print $2 }'; }

# 65,536 updates of 2 cores in chunks of 32 are 1,024 tasks of each core, the default --num_workers, so no task
# is queued. With queued tasks, the limit of tasks (WorkerLimit) would double whenever a core makes no progress
# for 10 ms, which would depend on chance at a delay of 10 ms.
programs=("fetch_add: $gups --blocking --log_table=18 --updates=65536 --loop_threshold=32"
  "updates: $gups --log_table=18 --updates=8388608"
  "harmonic_mean_TEPS: $bfs --scale=14 --nbfs=4 --verify=none")
for delay in 2000 5000 10000 20000; do
  for rate in 50 100 200; do
    connect "$delay" "$rate"
    network "$delay" "$rate" >"$scratch/slow.network"
    ratios=()
    for program in "${programs[@]}"; do
      read -ra words <<<"$program"
      measured=$(for _ in 1 2 3 4 5; do speed "${words[0]}" on_hosts "${words[@]:1}"; done | sort -g | sed -n 3p)
      simulated=$(speed "${words[0]}" "$job" --simulate=2x1,network="$scratch/slow.network" "${words[@]:1}")
      ratios+=("$(awk -v s="$simulated" -v m="$measured" 'BEGIN { printf "%.2f", (m > 0 ? s / m : 0) }')")
    done
    printf '%5s us, %3s Mbit/s: calls %s, updates %s, search %s\n' "$delay" "$rate" "${ratios[@]}"
    awk -v calls="${ratios[0]}" -v updates="${ratios[1]}" -v search="${ratios[2]}" 'BEGIN {
      exit !(calls > 0.8 && calls < 1.2 && updates > 0.8 && updates < 1.2 && search > 0.8 && search < 1.2)
    }' || fail "a link of $delay us and $rate Mbit/s"
  done
done
exit $((failures > 0))
