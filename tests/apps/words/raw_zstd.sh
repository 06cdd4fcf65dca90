# raw_zstd FILE: prints a Zstandard frame (RFC 8878) of the file. Its blocks are not compressed, so the
# tests do not need the program zstd.
# shellcheck shell=bash

raw_zstd() {
  local at n bytes block=131072
  bytes=$(wc -c <"$1")
  printf '\x28\xb5\x2f\xfd\x00\x38'  # a window of one block
  for ((at = 0; at < bytes; at += block)); do
    n=$((bytes - at < block ? bytes - at : block))
    # shellcheck disable=SC2059  # the format has the three bytes of the header
    printf "$(printf '\\x%02x' $((n << 3 & 255)) $((n >> 5 & 255)) $((n >> 13)))"
    tail -c +$((at + 1)) "$1" | head -c $n
  done
  printf '\x01\x00\x00'  # the last block is empty
}
