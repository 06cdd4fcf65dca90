#!/usr/bin/env bash
# Jobs on several hosts: network namespaces of this machine, connected by a switch like machines, each
# with its own name and /dev/shm. They reach each other by TCP only. The cores find out which cores
# share their host. Programs compute the same results as on one host. A job waits for a link that is
# down for a second. If a link stays down, the job ends on all hosts. Skipped (status 77) where network
# namespaces cannot be created.
#
#   hosts_test.sh HOSTS JOB HOSTS-PROGRAM BFS CC {JOBS FILE}...
set -uo pipefail
hosts=$1 job=$2 program=$3 bfs=$4 cc=$5
job_tests=("${@:6}")  # programs of job tests, each followed by the file to run
# shellcheck source=tests/harness/checks.sh
source "${BASH_SOURCE[0]%/*}/../harness/checks.sh"

# shellcheck source=tests/harness/hosts.sh
source "${BASH_SOURCE[0]%/*}/../harness/hosts.sh"

make_hosts "$hosts"
{ ip netns add "$prefix-switch" && ip -n "$prefix-switch" link add switch type bridge; } \
  2>"$scratch/err" || skip "a switch cannot be created: $(head -n 1 "$scratch/err")"
ip -n "$prefix-switch" link set switch up
slots=h1:2
for ((k = 1; k <= hosts; ++k)); do
  # With two hosts, each has two cores: messages go through shared memory and through the network.
  ((k == 1)) || slots+=,h$k:$((hosts == 2 ? 2 : 1))
  ip link add eth0 netns "$prefix-h$k" type veth peer name "port$k" netns "$prefix-switch"
  ip -n "$prefix-switch" link set "port$k" master switch up
  give_address "$k"
done
mkdir "$scratch/slurm"
# A replacement for srun: the command runs on each host of --nodelist, with the environment and its index.
cat >"$scratch/slurm/srun" <<END
#!/bin/bash
echo "\$*" >>"$scratch/srun.log"
while [[ \$1 == -* ]]; do
  [[ \$1 != --nodelist=* ]] || nodes=\${1#*=}
  shift
done
node=0
for host in \${nodes//,/ }; do
  SLURM_NODEID=\$node SLURMD_NODENAME=\$host "$scratch/on" "\$host" "\$@" &
  ((node += 1))
done
wait
END
chmod +x "$scratch/slurm/srun"

# The link between a host and the switch.
unplug() {
  ip -n "$prefix-switch" link set "port${1#h}" down
  touch "$scratch/$1.unplugged"
}
plug_in() {
  ip -n "$prefix-switch" link set "port${1#h}" up
  rm "$scratch/$1.unplugged"
}

# start PROGRAM FLAG...: starts a job on all hosts from the first one.
start() {
  # Emptied here, because a check may come before the job has started.
  : >"$scratch/out" && : >"$scratch/err"
  PATH="$scratch/ssh:$PATH" "$scratch/on" h1 "$job" --hosts "$slots" --shared "$@" \
    >>"$scratch/out" 2>>"$scratch/err" </dev/null &
  job_pid=$!
}

# finish [SECONDS]: expects that the job ends within this time; default: a minute. Otherwise the cores
# print where they wait; they print nothing if they wait in MPI_Init.
finish() {
  comes_true "${1-60}" job_has_ended || {
    kill -USR1 "$job_pid"
    sleep 5
    fail "the job still runs after ${1-60} seconds: $(cat "$scratch/out" "$scratch/err")"
    kill -KILL "$job_pid"
  }
  status=0
  wait "$job_pid" || status=$?
}

# succeeded WHAT: expects that the last job has ended with status 0 and printed nothing on stderr.
succeeded() {
  ((status == 0)) ||
    fail "$1 on $hosts hosts ended with status $status: $(cat "$scratch/out" "$scratch/err")"
  [[ ! -s $scratch/err ]] || fail "$1 on $hosts hosts printed on stderr: $(cat "$scratch/err")"
}

says() { grep -qE -- "$2" "$scratch/$1" || fail "no line matches '$2' in: $(cat "$scratch/$1")"; }

# comes_true SECONDS CONDITION...: true if the condition holds within this time.
comes_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.05
  done
}
rounds() { grep -c '^round' "$scratch/out"; }
more_rounds_than() { (($(rounds) > $1)); }
stands_still() {
  local before
  before=$(rounds)
  sleep 0.5
  (($(rounds) == before))
}
begins() {
  comes_true 20 more_rounds_than 0 ||
    fail "no round in 20 seconds: $(cat "$scratch/out" "$scratch/err")"
}
job_has_ended() { ! kill -0 "$job_pid" 2>/dev/null; }
nothing_runs_on() { [[ -z $(ip netns pids "$prefix-$1") ]]; }

# nobody_left SECONDS: expects that no process of the job is left on any host after this time.
nobody_left() {
  local k
  for ((k = 1; k <= hosts; ++k)); do
    comes_true "$1" nothing_runs_on "h$k" || {
      # shellcheck disable=SC2046
      fail "still runs on h$k: $(ps -o pid=,args= -p $(ip netns pids "$prefix-h$k" | paste -sd ,))"
    }
  done
}

start "$program" --hosts="$hosts"
finish
succeeded 'a job'
says out "^[0-9]+ cores on $hosts hosts agree$"
nobody_left 5

for ((k = 0; k < ${#job_tests[@]}; k += 2)); do
  start "${job_tests[k]}" --only="${job_tests[k + 1]}" --gtest_brief=1
  finish
  succeeded "${job_tests[k + 1]}"
done
start "$bfs" --scale=8 --nbfs=4
finish
succeeded bfs
says out '^4 searches validated$'
start "$cc" --scale=8 --trials=1
finish
succeeded cc

# Under Slurm, if Open MPI supports it: the launcher uses the allocated hosts without a list of hosts.
# Slurm may also start the program itself, but only through PMIx.
if ompi_info | grep -q 'MCA schizo: slurm'; then
  allocated=$( ((hosts == 2)) && echo '2(x2)' || echo "2,1(x$((hosts - 1)))")
  slurm=(SLURM_JOB_ID=7 SLURM_JOBID=7 SLURM_JOB_NUM_NODES="$hosts" SLURM_NODELIST="h[1-$hosts]"
    SLURM_TASKS_PER_NODE="$allocated")
  : >"$scratch/out" && : >"$scratch/err"
  status=0
  "$scratch/on" h1 env PATH="$scratch/slurm:$PATH" "${slurm[@]}" "$job" "$program" \
    --hosts="$hosts" >>"$scratch/out" 2>>"$scratch/err" </dev/null || status=$?
  succeeded 'a job under Slurm'
  says out "^$((hosts == 2 ? 4 : hosts + 1)) cores on $hosts hosts agree$"
  says srun.log 'orted'
  nobody_left 5
  "$scratch/on" h1 env "${slurm[@]}" SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=2 "$program" \
    >"$scratch/out" 2>"$scratch/err" </dev/null &&
    fail 'a program started by srun runs without PMIx'
  says err 'direct launched using "srun"'
fi

# A link that is down for a second: the job waits for it, and ends correctly.
start "$program" --hosts="$hosts" --until="$scratch/enough"
begins
unplug "h$hosts"
sleep 0.5  # for lines in transit
comes_true 5 stands_still || fail 'the job continues without the link'
before=$(rounds)
plug_in "h$hosts"
comes_true 20 more_rounds_than "$((before + 2))" || fail 'the job does not continue after the link is up again'
touch "$scratch/enough"
finish
succeeded 'a job whose link was gone for a second'
says out "cores on $hosts hosts agree$"
nobody_left 5

# If a core is killed, the job stops on all hosts.
start "$program" --hosts="$hosts" --until="$scratch/never"
begins
for process in $(ip netns pids "$prefix-h$hosts"); do
  if [[ /proc/$process/exe -ef $program ]]; then break; fi
done
kill -KILL "$process"
finish 10
((status == 137)) || fail "a job whose core was killed ended with status $status"
says err "^grappa: core [0-9]+ on h$hosts was killed by signal 9"
nobody_left 5

# A link that stays down: the job ends within half a minute (docs/cluster.md), names the host, and
# leaves no process on any host. Two hosts wait as long as the launcher does. Four hosts wait less,
# because the other hosts may report the lost one.
limit=30
if ((hosts > 2)); then
  export OMPI_MCA_oob_tcp_keepalive_{time,intvl,probes}=2
  limit=12
fi
start "$program" --hosts="$hosts" --until="$scratch/never"
begins
since=$SECONDS
unplug "h$hosts"
finish "$limit"
ended=$((SECONDS - since))
((status != 0)) || fail 'a job that has lost a host ended with status 0'
says err "^grappa: host h$hosts is lost"
(($(wc -l <"$scratch/err") == 1)) || fail "a job that has lost a host printed: $(cat "$scratch/err")"
nobody_left $((limit > ended ? limit - ended : 1))
echo "$hosts hosts: status $status $ended s after a link was cut, no process left after $((SECONDS - since)) s"

exit $((failures != 0))
