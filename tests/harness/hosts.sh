# shellcheck shell=bash
# Hosts that are network namespaces of this machine, each with its own name and /dev/shm. For scripts
# that have sourced checks.sh. Ends the script with status 77 where namespaces cannot be created, and
# deletes them at its end.

skip() {
  printf 'skipped: %s\n' "$1"
  exit 77
}
((EUID == 0)) || skip 'only root can make network namespaces'
type -P ip >/dev/null || skip 'the command ip is missing (Debian: package iproute2)'

# The namespaces are grappa-PID-h1, grappa-PID-h2 and so on. They are not visible from outside, so their
# addresses may be those of a real network.
prefix=grappa-$$
spaces() { ip netns list | awk -v prefix="$1-" 'index($1, prefix) == 1 { print $1 }'; }

# remove PREFIX: kills the processes in these namespaces, and deletes the namespaces.
remove() {
  local space pids
  while read -r space; do
    pids=$(ip netns pids "$space")
    # shellcheck disable=SC2086
    [[ -z $pids ]] || kill -KILL $pids 2>/dev/null
    ip netns del "$space"
  done < <(spaces "$1")
}

trap 'remove "$prefix"; rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP

# make_hosts HOSTS: makes hosts h1, h2 ... without links. `$scratch/on HOST COMMAND...` runs a command on
# a host, with temporary files in $scratch. $scratch/ssh is a folder with a replacement for ssh.
make_hosts() {
  local k space process
  while read -r process; do  # left over from a killed script
    [[ -d /proc/$process ]] || remove "grappa-$process"
  done < <(ip netns list | sed -nE 's/^grappa-([0-9]+)-.*/\1/p' | sort -u)
  echo '127.0.0.1 localhost' >"$scratch/names"
  for ((k = 1; k <= $1; ++k)); do
    space=$prefix-h$k
    echo "10.77.0.$k h$k" >>"$scratch/names"
    mkdir "$scratch/h$k"
    ip netns add "$space" 2>"$scratch/err" ||
      skip "network namespaces cannot be created: $(head -n 1 "$scratch/err")"
    ip netns exec "$space" sysctl -qw net.ipv6.conf.all.disable_ipv6=1
    ip -n "$space" link set lo up
  done
  cat >"$scratch/on" <<END
#!/bin/bash
exec ip netns exec "$prefix-\$1" unshare --uts --ipc -- env TMPDIR="$scratch/\$1" bash -c '
  hostname "\$0" && mount --bind "$scratch/names" /etc/hosts && mount -t tmpfs none /dev/shm &&
    exec "\$@"' "\$@"
END
  # The command starts without this environment, and its end is not reported while $scratch/HOST.unplugged
  # exists.
  mkdir "$scratch/ssh"
  cat >"$scratch/ssh/ssh" <<END
#!/bin/bash
while [[ \$1 == -* ]]; do shift; done
setsid env -i PATH="$PATH" HOME="\$HOME" "$scratch/on" "\$1" bash -c "\${*:2}" </dev/null &
wait \$!
status=\$?
while [[ -e $scratch/\$1.unplugged ]]; do sleep 0.2; done
exit \$status
END
  chmod +x "$scratch/on" "$scratch/ssh/ssh"
}

# give_address K: starts the interface eth0 of host hK.
give_address() {
  ip -n "$prefix-h$1" address add "10.77.0.$1/24" dev eth0
  ip -n "$prefix-h$1" link set eth0 up
}

# The batch system and the network of this machine must not matter.
# shellcheck disable=SC2046
unset $(compgen -v | grep -E '^(SLURM|PBS|LSB|SGE|OMPI_MCA)_')
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,vader,self
