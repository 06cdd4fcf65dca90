#!/usr/bin/env bash
# Checks a model exhaustively with Spin.
#
#   model_test.sh holds|ends|fails SPIN COMPILER MODEL FOLDER [NAME[=VALUE]...]
#
# holds: no execution breaks an assertion or gets stuck. ends: nor does any go on for ever, which takes
# longer to find out. fails: some execution breaks an assertion or gets stuck (for mutants).
# FOLDER is for what is generated, and made anew. The rest is defined in the model.
set -euo pipefail
wanted=$1 spin=$2 compiler=$3 model=$4 folder=$5
shift 5
memory_mib=1000  # what a search may take
depth=100000     # of a path; such models end after some hundred steps
options=(-O2 -DSAFETY) search=()
case $wanted in
  # An execution without an end makes no progress: no step is labelled as any.
  ends) options=(-O2 -DNP) search=(-l) ;;
  # An error is found sooner than the compiler is done.
  fails) options=(-O0 -DSAFETY) ;;
esac

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$spin" -P"$compiler -E -x c" "${@/#/-D}" -a "$model"
"$compiler" -x c -w "${options[@]}" -DCOLLAPSE -DMEMLIM=$memory_mib -o pan pan.c
./pan -m$depth ${search[@]+"${search[@]}"} | tee result

# Where errors were found, or not, Spin says this; what else it says may mean that it has given up.
case $wanted in
  holds | ends) grep -q 'errors: 0$' result && ! grep -Eq 'not completed|too small|out of memory' result ;;
  fails) grep -Eq '^pan:1: (assertion violated|invalid end state)' result ;;
esac || {
  echo "FAILED: the model should be one that $wanted"
  if [[ -f ${model##*/}.trail ]]; then
    echo "to see how: cd $folder && $spin ${*/#/-D} -t -p $model"
  fi
  exit 1
}
