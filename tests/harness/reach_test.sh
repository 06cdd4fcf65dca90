#!/usr/bin/env bash
# The reach of a header is the number of headers of this repository that it includes, directly or not.
# Mutexes, delegates and loops are in most files of a program, so their reach is limited. No header may
# include itself, directly or not.
#
#   reach_test.sh REPOSITORY
set -u -o pipefail
cd "$1" || exit 1

limits='system/sync/mutex.hpp 8
system/global/delegate.hpp 30
system/parallel/forall.hpp 36
system/Grappa.hpp 90'

git ls-files 'system/*.hpp' 'structures/*.hpp' | xargs grep -oE '^ *# *include +"[^"]+"' |
  sed -E 's/: *# *include +"/ /; s/"$//' |
  awk -v limits="$limits" '
    { includes[$1] = includes[$1] " " $2; files[$1] }
    # Collects what file includes in reached.
    function collect(file,    n, parts, k) {
      n = split(includes[file], parts, " ")
      for (k = 1; k <= n; ++k) {
        if (parts[k] in reached) continue
        reached[parts[k]]
        collect(parts[k])
      }
    }
    END {
      for (file in files) {
        split("", reached)
        collect(file)
        if (file in reached) { print file " includes itself"; ++failures }
        count[file] = length(reached)
      }
      n = split(limits, limit, "\n")
      for (k = 1; k <= n; ++k) {
        split(limit[k], pair, " ")
        if (!(pair[1] in count)) { print pair[1] " is absent"; ++failures }
        print pair[1] " reaches " count[pair[1]] " headers; the limit is " pair[2]
        if (count[pair[1]] > pair[2]) ++failures
      }
      exit failures != 0
    }'
