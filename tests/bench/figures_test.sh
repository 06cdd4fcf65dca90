#!/usr/bin/env bash
# The program that draws the figures of the paper, with a complete artificial result and with
# incomplete results.
#
#   figures_test.sh PLOT RESULT
set -uo pipefail
plot=$1 result=$2
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

# refused TEXT RESULT [FOLDER]: status 2, one line with TEXT, and no output file.
refused() {
  local text=$1 from=$2 folder=${3-$scratch/refused} status=0
  mkdir -p "$scratch/refused"
  "$plot" "$from" "$folder" >"$scratch/out" 2>&1 </dev/null || status=$?
  ((status == 2)) || fail "status $status instead of 2, expected the message '$text'"
  (($(wc -l <"$scratch/out") == 1)) || fail "expected one line: $(cat "$scratch/out")"
  grep -qF -- "$text" "$scratch/out" || fail "expected the message '$text': $(cat "$scratch/out")"
  [[ ! $(ls -A "$scratch/refused") ]] || fail "files despite '$text': $(ls "$scratch/refused")"
}

# A complete result: three pictures, each in two formats, and their data.
mkdir "$scratch/a folder"
said=$("$plot" "$result" "$scratch/a folder" 2>&1 </dev/null) || fail "ended with status $?"
[[ ! $said ]] || fail "unexpected output: $said"
for name in figure6 figure7 figure8; do
  base="$scratch/a folder/$name"
  head -c 5 "$base.svg" | grep -qF '<?xml' || fail "$name.svg is not XML"
  tail -n 3 "$base.svg" | grep -qF '</svg>' || fail "$name.svg is incomplete"
  [[ $(head -c 8 "$base.png" | od -An -tx1 | tr -d ' ') == 89504e470d0a1a0a ]] ||
    fail "$name.png is not a PNG file"
  [[ $(tail -c 8 "$base.png" | od -An -tx1 | tr -d ' ') == 49454e44ae426082 ]] ||
    fail "$name.png is incomplete"
done
files=("$scratch/a folder"/*)
((${#files[@]} == 9)) || fail "unexpected files: ${files[*]}"

# The data of the pictures equal the numbers of the result.
cell() { awk -F, -v x="$2" -v column="$3" '
    /^#/ { next }
    !head { head = 1; for (k = 1; k <= NF; ++k) if ($k == column) at = k; next }
    $1 == x { print $at }' "$scratch/a folder/$1.csv"; }
[[ $(cell figure6 4 'queue mixed none') == 0.682 ]] || fail "operations without combining"
[[ $(cell figure6 8 'stack push centralized') == 4.87 ]] || fail "operations combined at the master"
[[ $(cell figure6 2 'stack mixed distributed') == 170 ]] || fail "operations combined on each core"
[[ $(cell figure6 8 'queue append') == 19 ]] || fail "operations without a global structure"
[[ $(cell figure7 4 mixed) == 1940 ]] || fail "operations for each message"
[[ $(cell figure8 16 'map 80 distributed') == 50.9 ]] || fail "operations of the map"
head -n 1 "$scratch/a folder/figure6.csv" | grep -qF 'structures, commit abc' ||
  fail "the data should name their source"
for text in 'stack, only pushes' 'queue, pushes and pops' 'combining at the master' \
  'reservation and write'; do
  grep -qF "$text" "$scratch/a folder/figure6.svg" || fail "figure6.svg should show '$text'"
done

# A quick run has the same figures, with different ids.
sed 's/"quick": false/"quick": true/; s/{"id": "[^"]*/&.quick/' "$result" >"$scratch/quick.json"
mkdir "$scratch/quick"
"$plot" "$scratch/quick.json" "$scratch/quick" || fail "a quick result ended with status $?"
cmp -s "$scratch/quick/figure8.csv" "$scratch/a folder/figure8.csv" ||
  fail "a quick result gives different numbers"
sed 's/"quick": false/"quick": true/' "$result" >"$scratch/mixed.json"
refused 'mixed.json: has no figure fig6.stack.push.distributed.1.quick' "$scratch/mixed.json"

# The other figures need results of other benchmarks, which are derived here from the first result.
head_of_result() { sed -n '1,/"figures"/p' "$result" | sed "1s/structures/$1/"; }

# made_up BENCHMARK PREFIX FORM...: ids PREFIX.FORM.CORES; 6.0 against 11.5, 12.5, 14.5 and 18.5.
made_up() {
  local benchmark=$1 prefix=$2 line separator='' cores form
  shift 2
  head_of_result "$benchmark"
  line=$(grep -m 1 '"fig6.stack.push.centralized.1"' "$result")
  line=${line%,}
  for cores in 1 2 4 8; do
    for form; do
      printf '%s' "$separator"
      sed "s/fig6.stack.push.centralized.1/$prefix.$form.$cores/; s/0\.9/1$cores.5/" <<<"$line"
      separator=,
    done
  done
  printf '\n], "omitted": []}\n'
}

# drawn BENCHMARK FIGURE: plot draws only FIGURE from $scratch/BENCHMARK.json.
drawn() {
  local files
  mkdir "$scratch/$1"
  said=$("$plot" "$scratch/$1.json" "$scratch/$1" 2>&1 </dev/null) ||
    fail "$1 ended with status $?: $said"
  files=("$scratch/$1"/*)
  ((${#files[@]} == 3)) || fail "unexpected files: ${files[*]}"
  mv "$scratch/$1/$2.csv" "$scratch/a folder"
}
made_up graph fig9a queue.none queue.distributed direction.none direction.distributed \
  >"$scratch/graph.json"
drawn graph figure9a
[[ $(cell figure9a 4 tuned) == 14.5 ]] || fail "the tuned search"
[[ $(cell figure9a 8 queue.distributed) == 6 ]] || fail "the search by a queue"
made_up cc fig9b kahan.none kahan.uncached kahan.distributed >"$scratch/cc.json"
drawn cc figure9b
[[ $(cell figure9b 2 tuned) == 12.5 ]] || fail "the tuned components"
[[ $(cell figure9b 4 kahan.uncached) == 6 ]] || fail "the components without a cache"
[[ $(cell figure9b 1 kahan.none) == 6 ]] || fail "the components without combining"
for text in 'kahan, combining' 'kahan, combining and cache' 'kahan, none' 'tuned' 'million edges a second'; do
  grep -qF "$text" "$scratch/cc/figure9b.svg" || fail "figure9b.svg should show '$text'"
done

# A figure of a simulation is drawn if it has points.
made_up simulated sim.fig9a queue.none queue.distributed direction.none direction.distributed \
  >"$scratch/simulated.json"
drawn simulated simulated9a
[[ $(cell simulated9a 4 tuned) == 14.5 ]] || fail "the simulated tuned search"
grep -qF '>locales<' "$scratch/simulated/simulated9a.svg" || fail 'the x axis should show locales'

head_of_result gups | sed '$s/$/], "omitted": []}/' >"$scratch/gups.json"
refused 'no figure is drawn from the benchmark gups' "$scratch/gups.json"

# Incomplete results.
grep -v '"fig8.map.50.20"' "$result" >"$scratch/lacks.json"
refused 'lacks.json: has no figure fig8.map.50.20' "$scratch/lacks.json"
sed '/"fig8.map.50.20"/d; s/"omitted": \[/&{"id": "fig8.map.50.20", "why": "no room"}/' \
  "$result" >"$scratch/omits.json"
refused 'has no figure fig8.map.50.20: no room' "$scratch/omits.json"
sed '/"fig7.push.2"/s/"verified": true/"verified": false/' "$result" >"$scratch/wrong.json"
refused 'the figure fig7.push.2 was not verified' "$scratch/wrong.json"
sed '/"fig7.push.2"/s/"baseline": "[^"]*"/"baseline": null/' "$result" >"$scratch/count.json"
refused 'the figure fig7.push.2 has no baseline' "$scratch/count.json"
echo '{}' >"$scratch/empty.json"
refused 'is not a benchmark result' "$scratch/empty.json"
refused 'absent.json: cannot be read' "$scratch/absent.json"
refused 'cannot be written' "$result" "$scratch/absent"

# Without gnuplot.
mkdir "$scratch/data"
status=0
said=$(PATH=$scratch/absent "$plot" "$result" "$scratch/data" 2>&1) || status=$?
((status == 2)) || fail "status $status instead of 2 without gnuplot"
[[ $said == *'gnuplot was not found'* && $said != *$'\n'* ]] ||
  fail "wrong message without gnuplot: $said"

((failures == 0)) || { echo "$failures failures"; exit 1; }
