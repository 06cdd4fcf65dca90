#!/usr/bin/env bash
# Invalid flags and files of bfs: on any number of cores, the only output is one line on stderr that
# names the error, and the exit status is 2.
#
#   bad_input_test.sh BFS JOB
set -uo pipefail
# shellcheck source=tests/harness/program.sh
source "$(dirname "$0")/../../harness/program.sh"

# graph NAME FORMAT [ARGUMENT...]: writes a file with printf and prints its path.
graph() {
  local path=$scratch/$1
  shift
  # shellcheck disable=SC2059
  printf "$@" >"$path"
  printf '%s' "$path"
}

banner='%%%%MatrixMarket matrix coordinate pattern general\n'

refused '--scale=0 is out of range' --scale=0
refused '--scale=41 is out of range' --scale=41
refused '--scale=-3 is out of range' --scale=-3
refused '--edgefactor=0 is out of range' --scale=4 --edgefactor=0
refused '--nbfs=0 is out of range' --scale=4 --nbfs=0
refused '--root=16 is out of range' --scale=4 --root=16
refused '--root=-1 is out of range' --scale=4 --root=-1
refused '--root=-1 is out of range' --graph=/nowhere/graph.el --root=-1
refused '--scale=40 --edgefactor=16 needs' --scale=40
refused '--json=/nowhere/at/all.json cannot be written: No such file or directory' \
  --scale=4 --json=/nowhere/at/all.json
refused '--json=/nowhere\x0a/x cannot be written' --scale=4 --json=$'/nowhere\n/x'
refused "--json=$scratch cannot be written: Is a directory" --scale=4 --json="$scratch"
refused '--algorithm=best is unknown; give queue, direction or tuned' --scale=4 --algorithm=best
refused '--combining: invalid value "all", expected none, centralized or distributed' \
  --scale=4 --algorithm=queue --combining=all
refused '--alpha=-1 is out of range' --scale=4 --alpha=-1
refused '--verify=some is unknown; give none, sampled or full' --scale=4 --verify=some
refused '--generator=star is unknown; give kronecker, uniform, grid, road or web' --scale=4 --generator=star
refused '--rows requires --generator=grid or --generator=road' --scale=4 --rows=3
refused '--columns requires --generator=grid or --generator=road' --generator=web --columns=3
refused '--columns=0 is out of range' --generator=grid --rows=3 --columns=0
refused '--rows=-1 is out of range' --generator=road --rows=-1
refused 'has more than 2^40 vertices' --generator=grid --rows=1000000000000 --columns=1000
refused '--kept requires --generator=road' --generator=grid --kept=0.5
refused '--kept=1.5 is out of range; give 0 to 1' --generator=road --kept=1.5
refused '--kept=nan is out of range' --generator=road --kept=nan
refused '--layout=blocks is unknown; give automatic, interleaved or ranges' --layout=blocks
refused 'a road graph of 1000000 rows and 1000000 columns, edges kept 0.9, seed 1 needs' \
  --generator=road --rows=1000000 --columns=1000000
refused 'the largest scale that fits is' --generator=web --scale=40
refused '--parents needs one search: give --root or --nbfs=1' --scale=4 --parents="$scratch/parents.el"
refused '--levels=/nowhere/levels.el cannot be written' --scale=4 --nbfs=1 --levels=/nowhere/levels.el
refused 'the largest scale that fits is' --scale=40
refused '--save=/nowhere/graph: ' --scale=4 --save=/nowhere/graph
refused '--save cannot store the numbers of --relabel' --scale=4 --relabel --save="$scratch/graph.csr"
refused "--save=$scratch/a.wsg: a .wsg file needs weights" --scale=4 --save="$scratch/a.wsg"
refused "--save=$scratch/a.el.gz: a compressed file cannot be written" --scale=4 --save="$scratch/a.el.gz"
refused "--load=a.sg: the suffix selects a format that only --graph reads" --load=a.sg
refused "--levels=$scratch/a.sg: the format sg cannot hold a value for each vertex" \
  --scale=4 --nbfs=1 --levels="$scratch/a.sg"
refused "--parents=$scratch/a.tsv.gz: a compressed file cannot be written" \
  --scale=4 --nbfs=1 --parents="$scratch/a.tsv.gz"
refused '--load cannot be combined with --graph' --load=a --graph=b
refused '/nowhere/graph.csr: cannot be opened' --load=/nowhere/graph.csr
refused 'no.csr: ' --load="$(graph no.csr '0 1\n')"
refused '"surplus" is not a flag' --scale=4 surplus
refused 'needs' --scale=16 --heap_bytes=1000000
refused 'heap.el:1: vertex id 1000000 needs 15.3 MiB' --heap_bytes=1000000 --graph="$(graph heap.el '0 1000000\n')"

refused '/nowhere/graph.el: cannot be opened: No such file or directory' --graph=/nowhere/graph.el
refused '/nowhere/graph: cannot be opened: No such file or directory' --graph=/nowhere/graph
refused ': is a directory, expected a file' --graph="$scratch" --graph_format=el
refused ': unknown suffix' --graph="$(graph graph.bin '1 2\n')"
refused 'format "dot" is unknown' --graph="$(graph graph.el '1 2\n')" --graph_format=dot
if ((EUID != 0)); then # the superuser can read any file
  unreadable=$(graph unreadable.el '1 2\n')
  chmod 000 "$unreadable"
  refused ': cannot be opened: Permission denied' --graph="$unreadable"
fi

refused 'empty.el: is empty' --graph="$(graph empty.el '')"
refused 'comments.el: the graph is empty' --graph="$(graph comments.el '# no edge\n\n')"
refused 'word.el:2: "two" is not a vertex id' --graph="$(graph word.el '0 1\n1 two\n2 3\nbad\n')"
refused 'alone.el:1: only one vertex id' --graph="$(graph alone.el '7\n')"
refused 'negative.el:3: vertex id "-1" is negative' \
  --graph="$(graph negative.el '# c\n0 1\n-1 0\n')"
refused 'wide.el:1: vertex id "9223372036854775808" does not fit in 64 bits' \
  --graph="$(graph wide.el '9223372036854775808 1\n')"
refused 'large.el:2: vertex id 4611686018427387904 needs 64.0 EiB' \
  --graph="$(graph large.el '0 1\n4611686018427387904 1\n')"
refused 'control.el:2: "\x1b[31m\x00\xff" is not a vertex id' \
  --graph="$(graph control.el '0 1\n\033[31m\000\377 2\n')"
refused 'long.el:1: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..." is not a vertex id' \
  --graph="$(graph long.el '%0.sx' {1..5000})"
refused 'out of range' --graph="$(graph two.el '0 1\n')" --root=2
refused 'no vertex of the graph has a neighbour' --graph="$(graph loop.el '1 1\n')"

# The error is the first bad line of the file, regardless of the core that finds it first.
{ yes '1 2' | head -n 4999; echo 'x 1'; yes 'y 1' | head -n 5000; } >"$scratch/many.el"
refused 'many.el:5000: "x" is not a vertex id' --graph="$scratch/many.el"

refused 'banner.mtx:1: a Matrix Market file starts with' --graph="$(graph banner.mtx '3 3 1\n1 1\n')"
refused 'array.mtx:1: matrix format "array" is not supported' \
  --graph="$(graph array.mtx '%%%%MatrixMarket matrix array real general\n1 1\n1\n')"
refused 'complex.mtx:1: matrix field "complex" is not supported' \
  --graph="$(graph complex.mtx '%%%%MatrixMarket matrix coordinate complex general\n1 1 0\n')"
refused 'skew.mtx:1: matrix symmetry "skew-symmetric" is not supported' \
  --graph="$(graph skew.mtx '%%%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 0\n')"
refused 'size.mtx:3: the size line contains "x"' --graph="$(graph size.mtx "$banner%% c\n3 x 1\n")"
refused 'square.mtx:2: the matrix has 3 rows and 4 columns' \
  --graph="$(graph square.mtx "${banner}3 4 1\n1 1\n")"
refused 'few.mtx:2: the size line declares 3 entries, but the file has 1' \
  --graph="$(graph few.mtx "${banner}3 3 3\n1 2\n")"
refused 'surplus.mtx:2: the size line declares 1 entries, but the file has 2' \
  --graph="$(graph surplus.mtx "${banner}3 3 1\n1 2\n2 3\n")"
refused 'outside.mtx:4: row or column 4 is outside the matrix: expected 1 to 3' \
  --graph="$(graph outside.mtx "${banner}3 3 2\n1 2\n4 1\n")"

# Lists of other programs, and compressed files.
refused 'short.sg: has 3 bytes, but the header of a GAP graph has 17' --graph="$(graph short.sg '0 1')"
refused 'text.sg: byte 0: the first byte is 37, expected 0' --graph="$(graph text.sg '%% no serialized graph\n')"
refused 'far.graph:3: vertex 2 has the neighbour 7, expected 1 to 2' --graph="$(graph far.graph '2 1\n2\n7\n')"
refused 'one.metis: the graph is undirected, but an edge is in the list of only one of its vertices' \
  --graph="$(graph one.metis '2 1\n2\n\n')"
graph bad.el '0 1\n1 x\n' >/dev/null
gzip -n "$scratch/bad.el"
refused 'bad.el.gz:2: "x" is not a vertex id' --graph="$scratch/bad.el.gz"
head -c 20 "$scratch/bad.el.gz" >"$scratch/cut.el.gz"
refused 'cut.el.gz: the gzip data are truncated: the file ends at byte 20' --graph="$scratch/cut.el.gz"
refused 'plain.el.gz: is not a gzip file' --graph="$(graph plain.el.gz '0 1\n')"

# Several paths of the same file. The file is not written.
echo old >"$scratch/out.json"
ln -s out.json "$scratch/soft"
ln "$scratch/out.json" "$scratch/hard"
mkdir "$scratch/sub"
for other in out.json ./out.json sub/../out.json soft hard; do
  refused 'use two different files' --scale=4 --trace="$scratch/out.json" --report_json="$scratch/$other"
  refused 'use two different files' --scale=4 --metrics_json="$scratch/out.json" --trace_file="$scratch/$other"
  [[ $(<"$scratch/out.json") == old ]] || fail "a rejected file has changed"
  refused '/out.json is also the output file of --report_json: use two different files' \
    --scale=4 --json="$scratch/out.json" --report_json="$scratch/$other"
  echo old >"$scratch/out.json"
done
refused 'is also the output file of --parents: use two different files' \
  --scale=4 --nbfs=1 --parents="$scratch/new.el" --levels="$scratch/./new.el"
refused 'flag --flagfile: "/dev/zero" is not a regular file' --flagfile=/dev/zero
refused 'flag --buffers_per_core: 1048576 message buffers take ' \
  --buffers_per_core=1048576 --buffer_bytes=16777216

refused 'directed.saved: the graph is directed, but this program works on undirected graphs' \
  --load="$(dirname "$0")/../data/directed.saved"

((failures == 0)) && echo 'all refused'
exit $((failures > 0))
