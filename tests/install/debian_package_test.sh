#!/usr/bin/env bash
# Makes the Debian package, installs it with dpkg under a separate root, builds and runs the examples from
# there, and purges the package, which must leave no file. The test writes only inside WORK. Skipped (status
# 77) without dpkg, or without root privileges and fakeroot.
#
#   debian_package_test.sh SOURCE BUILD WORK COMPILER
set -uo pipefail
source=$1 build=$2 work=$3 compiler=$4
# shellcheck source=tests/harness/checks.sh
source "$(dirname "$0")/../harness/checks.sh"

for tool in dpkg dpkg-deb dpkg-shlibdeps file; do
  type -P $tool >/dev/null || { echo "skipped: $tool not found"; exit 77; }
done
as_root=()
if ((EUID != 0)); then
  type -P fakeroot >/dev/null || { echo "skipped: the test needs root privileges or fakeroot"; exit 77; }
  as_root=(fakeroot)
fi
export PATH=$PATH:/usr/sbin:/sbin

rm -rf "$work"
mkdir -p "$work"
# gzip compresses several times faster than the default.
must "cpack" cpack -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip --config "$build/CPackConfig.cmake" -B "$work/made"
package=$(echo "$work"/made/grappa_*.deb)
[[ -f $package ]] || { echo "FAILED: cpack made $package"; exit 1; }

# Dependencies: the first level of the package list, and the libraries that the included programs link.
depends=", $(dpkg-deb -f "$package" Depends),"
while read -r needed; do
  [[ $depends == *", $needed,"* ]] || fail "the package does not depend on $needed"
done < <(awk '/^# programs:/ { exit } !/^#/ && NF { print $1 }' "$source/cmake/packages-debian.txt")
[[ $depends != *", ninja-build,"* ]] || fail "the package depends on ninja-build, which only the build of Grappa needs"
for library in libc6 'libboost-context[0-9.]+' 'libunwind[0-9]'; do
  [[ $depends =~ ", "$library ]] || fail "dpkg-shlibdeps did not find $library: $depends"
done
if type -P apt-get >/dev/null; then
  expect 0 'Inst grappa ' apt-get -s --no-install-recommends install "$package"
fi

# All files belong to root, are readable by everyone, and are in /usr.
dpkg-deb -c "$package" >"$scratch/contents"
while read -r line; do
  fail "a file with an unexpected path, owner or mode: $line"
done < <(awk '$6 !~ "^./(usr/.*)?$" || $2 != "root/root" || $1 !~ "^[d-]rw[x-]r-[x-]r-[x-]$"' \
  "$scratch/contents")
commands=$(awk '$6 ~ "^./usr/bin/." { print $6 }' "$scratch/contents")
[[ $commands == ./usr/bin/grappa ]] || fail "commands in /usr/bin are $commands"

root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
# The dependencies are installed on this machine, but not under the separate root.
in_root() { "${as_root[@]}" dpkg --root="$root" --force-depends --force-not-root "$@"; }
must "installation" in_root -i "$package"
expect 0 '^install ok installed$' dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${Status}\n' grappa
expect 0 '^$' dpkg --root="$root" -V grappa

documents=$root/usr/share/doc/grappa
must "configuration of the example" cmake -G Ninja -S "$documents/examples/first" -B "$work/first" \
  -D CMAKE_CXX_COMPILER="$compiler" -D CMAKE_PREFIX_PATH="$root/usr"
must "build of the example" cmake --build "$work/first"
expect 0 '^2 cores count 2$' "$root/usr/bin/grappa" run -n 2 "$work/first/outside"
must "configuration of the tutorial" cmake -G Ninja -S "$documents/docs/tutorial" -B "$work/tutorial" \
  -D CMAKE_CXX_COMPILER="$compiler" -D CMAKE_PREFIX_PATH="$root/usr"
must "build of the tutorial" cmake --build "$work/tutorial" --target tutorial_hello
expect 0 'hello from core 1 of 2' "$root/usr/bin/grappa" run -n 2 "$work/tutorial/hello"
expect 0 'Hello world from core 1 of 2' "$root/usr/bin/grappa" run -n 2 hello
for page in README.md docs/installing.md docs/reference.md; do
  [[ -s $documents/$page ]] || fail "$page is missing"
done
expect 0 "^grappa .$(dpkg-deb -f "$package" Version)." gzip -cd "$documents/changelog.Debian.gz"
cmp "$source/LICENSE" "$documents/copyright" || fail "the file copyright differs from the license"
must "each link of the pages" "$(dirname "$0")/../docs/links_test.sh" "$documents"

must "removal" in_root -P grappa
left=$(find "$root" -name '*grappa*' ! -path "$root/var/log/*")
[[ ! $left && ! -e $root/usr ]] || fail "files remain after the removal: $left $(find "$root/usr" 2>/dev/null | head)"
rm -rf "$work"
((failures == 0))
