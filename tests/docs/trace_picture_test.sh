#!/usr/bin/env bash
# The picture of a trace shows the events of the trace: for a synthetic trace and for the trace of a job.
#
#   trace_picture_test.sh ROOT PROGRAM JOB
set -uo pipefail
root=$1 program=$2 job=$3
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

picture() { awk -f "$root/docs/trace_picture.awk" "$@"; }

# shows PICTURE TEXT
shows() { grep -qF -- "$2" "$1" || fail "$1 lacks '$2': $(cat "$1")"; }

# slice PICTURE LEFT TOP WIDTH COLOUR NAME
slice() {
  local place="x=\"$2\" y=\"$3\" width=\"$4\" height=\"15\" fill=\"$5\""
  shows "$1" "<rect $place stroke=\"#888\" stroke-width=\"0.3\"><title>$6</title></rect>"
}

# In this picture, 880 points are 88 microseconds.
cat >"$scratch/trace.json" <<'END'
{"displayTimeUnit":"ms","traceEvents":[
{"ph":"M","name":"process_name","pid":0,"args":{"name":"core 0"}},
{"ph":"X","pid":0,"tid":1,"ts":100.000,"name":"f(A&)::<lambda(\"x\")>","cat":"work","dur":60.000},
{"ph":"X","pid":0,"tid":1,"ts":110.500,"name":"send to 1","cat":"buffer","dur":2.000},
{"ph":"s","pid":0,"tid":1,"ts":110.500,"name":"buffer","cat":"buffer","id":"0x1"},
{"ph":"s","pid":0,"tid":1,"ts":111.000,"name":"commit","cat":"commit","id":"0x2"},
{"ph":"f","pid":0,"tid":1,"ts":112.000,"name":"commit","cat":"commit","id":"0x2","bp":"e"},
{"ph":"X","pid":0,"tid":1,"ts":160.000,"name":"idle","cat":"idle","dur":28.000,"args":{"name":"x"}},
{"ph":"X","pid":0,"tid":1,"ts":900.000,"name":"idle","cat":"idle","dur":100.000,"args":{}},
{"ph":"X","pid":1,"tid":2,"ts":120.000,"name":"buffer from 0","cat":"buffer","dur":20.000},
{"ph":"f","pid":1,"tid":2,"ts":120.000,"name":"buffer","cat":"buffer","id":"0x1","bp":"e"},
{"ph":"X","pid":1,"tid":2,"ts":125.000,"name":"g","cat":"handler","dur":15.000},
{"ph":"X","pid":1,"tid":2,"ts":126.000,"name":"h","cat":"handler","dur":1.000},
{"ph":"X","pid":1,"tid":2,"ts":126.500,"name":"too deep","cat":"handler","dur":0.100}
],"otherData":{"events left out, by core":[0,0]}}
END
picture begin=100 span=88 "$scratch/trace.json" >"$scratch/all.svg" || fail "no picture is drawn"
slice "$scratch/all.svg" 70.0 44 600.0 '#8fb8de' 'f(A&amp;)::&lt;lambda("x")&gt;'
shows "$scratch/all.svg" '<text x="73.0" y="56">f(A&amp;)'
slice "$scratch/all.svg" 175.0 60 20.0 '#d98e73' 'send to 1'
slice "$scratch/all.svg" 670.0 44 280.0 '#eeeeee' idle
slice "$scratch/all.svg" 270.0 118 200.0 '#f2c879' 'buffer from 0'
slice "$scratch/all.svg" 320.0 134 150.0 '#9fce9a' g
slice "$scratch/all.svg" 330.0 150 10.0 '#9fce9a' h
shows "$scratch/all.svg" '<line x1="175.0" y1="52.0" x2="270.0" y2="126.0"'
shows "$scratch/all.svg" '88 microseconds</text></svg>'
! grep -qF 'too deep' "$scratch/all.svg" || fail "a slice nested in three other slices is drawn"
(($(grep -c '<line' "$scratch/all.svg") == 1)) || fail "an arrow that belongs to no buffer is drawn"
(($(grep -c '<title>idle<' "$scratch/all.svg") == 1)) || fail "an event after the end of the picture is drawn"

# Slices that extend beyond the picture are cut. The latest event is at 900 us.
picture begin=-770 span=22 "$scratch/trace.json" >"$scratch/piece.svg" || fail "no picture of a part is drawn"
slice "$scratch/piece.svg" 70.0 44 880.0 '#8fb8de' 'f(A&amp;)::&lt;lambda("x")&gt;'
slice "$scratch/piece.svg" 70.0 118 400.0 '#f2c879' 'buffer from 0'
! grep -qF '<line' "$scratch/piece.svg" || fail "an arrow starts outside the picture"

expect 2 '^trace_picture: takes begin=, span= and a file' picture begin=0 span=9 /dev/null
expect 2 '^trace_picture: takes begin=, span= and a file' picture begin=0 "$scratch/trace.json"
expect 2 '^trace_picture: takes begin=, span= and a file' picture span=9 "$scratch/trace.json"

# The picture of a job's trace has every arrow.
trace=$scratch/job.json
must "a job" "$job" -n 2 --shared "$program" --trace="$trace" --trace_min_ns=0
picture begin=0 span=1e9 "$trace" >"$scratch/job.svg" || fail "a job's trace is not drawn"
arrows=$(grep -c '"ph":"f".*"cat":"buffer"' "$trace")
((arrows > 0)) || fail "the job's trace has no arrows"
drawn=$(grep -c '<line' "$scratch/job.svg")
((drawn == arrows)) || fail "the picture has $drawn of $arrows arrows"
for core in 0 1; do
  shows "$scratch/job.svg" ">core $core<"
  shows "$scratch/job.svg" "<title>send to $core<"
done

((failures == 0)) || { echo "$failures failures"; exit 1; }
