#!/usr/bin/env bash
# The listings in docs/NAME.md are parts of the programs in docs/NAME/, and the page shows their output.
#
#   page_test.sh listings PAGE
#       Each block of C++ or CMake is a contiguous part of the file that is named in the comment before the
#       block.
#   page_test.sh output PAGE PROGRAM JOB CORES
#       PROGRAM prints the lines in the page, in any order. The page shows a job of two cores; with another
#       number of cores, lines that contain a core number may differ. After each comment
#       <!-- report: PROGRAM STATUS [OPTION...] -->, with options of JOB, the page shows a report: PROGRAM
#       exits with STATUS, and stderr has each line of the block, except "...".
set -euo pipefail
what=$1 page=$2

# block KIND NAME NUMBER: prints the NUMBERth block, counted from 1, that follows a comment
# <!-- KIND: NAME... -->. The comment may contain several names.
block() {
  awk -v kind="$1:" -v name="$2" -v number="$3" '
    function names_it(k) {
      for (k = 3; k < NF; ++k) if ($k == name) return 1
      return 0
    }
    shown && /^```$/ { exit }
    shown { print }
    $1 == "<!--" && $2 == kind && names_it() { wanted = ++count == number }
    wanted && /^```./ { shown = 1 }' "$page"
}

case $what in
  listings)
    folder=${page%.md}
    failures=0 listings=0
    declare -A seen=()
    while IFS= read -r name; do
      number=$((${seen[$name]-0} + 1))
      seen[$name]=$number
      listing=$(block listing "$name" "$number")
      program=$(<"$folder/$name")
      [[ $listing && $program == *"$listing"* ]] || {
        echo "FAILED: listing $number of $name is not a part of that file:"
        diff <(printf '%s\n' "$listing") "$folder/$name" | grep '^<' || true
        failures=$((failures + 1))
      }
      listings=$((listings + 1))
    done < <(sed -n 's/^<!-- listing: \(.*\) -->$/\1/p' "$page")
    blocks=$(grep -cE '^```(cpp|cmake)$' "$page")
    ((listings == blocks)) || {
      echo "FAILED: $blocks blocks of C++ or CMake, but only $listings with a file name in a comment"
      failures=$((failures + 1))
    }
    for file in "$folder"/*.cpp; do
      [[ ${seen[${file##*/}]-} ]] || {
        echo "FAILED: the page does not show ${file##*/}"
        failures=$((failures + 1))
      }
    done
    ((failures == 0))
    ;;
  output)
    program=$3 job=$4 cores=$5
    number=0
    # Addresses and line numbers differ between builds, and folders between clones.
    same() { sed -E 's/0x[0-9a-f]+/0x/g; s/(\.[ch]pp:)[0-9]+/\1/; s/\[[^] ]*\//[/'; }
    while read -r status options; do
      number=$((number + 1)) result=0
      # shellcheck disable=SC2086  # several options
      printed=$("$job" -n "$cores" --shared $options "$program" 2>&1 >/dev/null | same) || result=$?
      ((result == status)) || { echo "FAILED: status $result, expected $status"; exit 1; }
      while IFS= read -r line; do
        [[ $line == ... ]] || grep -Fxq -- "$line" <<<"$printed" || {
          printf 'FAILED: the page shows:\n%s\nbut the program prints:\n%s\n' "$line" "$printed"
          exit 1
        }
      done < <(block report "${program##*/}" $number | same)
    done < <(sed -nE "s/^<!-- report: ${program##*/} ([0-9]+)( .*)? -->$/\1\2/p" "$page")
    said=$(block output "${program##*/}" 1)
    [[ $said ]] || ((number == 0)) || exit 0
    [[ $said ]] || { echo "FAILED: the page does not show the output of ${program##*/}"; exit 1; }
    printed=$("$job" -n "$cores" --shared "$program" 2>/dev/null)
    if ((cores != 2)); then
      said=$(grep -v 'core [0-9]' <<<"$said" || true)
      printed=$(grep -v 'core [0-9]' <<<"$printed" || true)
    fi
    diff -u --label "$page" --label "on $cores cores" <(sort <<<"$said") <(sort <<<"$printed")
    ;;
esac
