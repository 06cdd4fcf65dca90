#!/usr/bin/env bash
# Checks a model exhaustively with Spin.
#
#   model_test.sh holds|ends|fails SPIN COMPILER MODEL FOLDER [NAME[=VALUE]...]
#
# holds: no execution violates an assertion or deadlocks. ends: in addition, every execution
# terminates; this check takes longer. fails: some execution violates an assertion or deadlocks (for
# mutants). FOLDER is recreated for the generated files. The other arguments are macros for the
# model.
set -euo pipefail
wanted=$1 spin=$2 compiler=$3 model=$4 folder=$5
shift 5
memory_mib=1000  # memory limit of a search
depth=100000     # path limit; executions end after some hundred steps
# With -O2, the compiler takes longer than the search of the models in the default set becomes shorter.
options=(-O1 -DSAFETY) search=()
case $wanted in
  # An endless execution is a non-progress cycle, because no step has a progress label.
  ends) options=(-O1 -DNP) search=(-l) ;;
  # Spin finds an error faster than the compiler optimizes.
  fails) options=(-O0 -DSAFETY) ;;
esac

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$spin" -P"$compiler -E -x c" "${@/#/-D}" -a "$model"
"$compiler" -x c -w "${options[@]}" -DCOLLAPSE -DMEMLIM=$memory_mib -o pan pan.c
./pan -m$depth ${search[@]+"${search[@]}"} | tee result

# Only these lines are a verdict. Other output may mean that the search was incomplete.
case $wanted in
  holds | ends) grep -q 'errors: 0$' result && ! grep -Eq 'not completed|too small|out of memory' result ;;
  fails) grep -Eq '^pan:1: (assertion violated|invalid end state)' result ;;
esac || {
  echo "FAILED: the expected result of the model is '$wanted'"
  if [[ -f ${model##*/}.trail ]]; then
    echo "to print the execution: cd $folder && $spin ${*/#/-D} -t -p $model"
  fi
  exit 1
}
