#!/bin/sh
# tests/matrix/run.sh FOLDER RELEASE...: builds the library's tests against the ze_api.h of each Debian
# release, and runs them on the Level Zero loader of the same release. The embedded device is built
# once, against the last release's. The last line is the sum of the programs' counts.
#
# A loader that needs a newer C library than the system's runs with the C library of its release.
set -u
folder=$1
shift
passed=0 failed=0 skipped=0
libraries=usr/lib/x86_64-linux-gnu
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# Quiet unless it fails.
build() {
  make -s -j2 CFLAGS="-isystem $include" CXXFLAGS="-isystem $include" "$@" >"$log" 2>&1 && return
  tail -n 20 "$log"
  return 1
}

# An unavailable release is reported, and counted as skipped.
get() {
  timeout 120 tests/unpack.sh matrix "$folder/$1" "$1" libze-dev libze1 </dev/null
  code=$?
  [ "$code" -ne 0 ] || return 0
  [ "$code" -ne 124 ] || echo 'skip matrix: the packages did not come within 120 s'
  echo "skip matrix: nothing of $1 was tested"
  return 1
}

# Sets `start`, the prefix that runs a program with the loader of `root`.
choose_start() {
  mkdir -p "$folder/$1/loader"
  for file in "$root/$libraries"/libze_*.so*; do
    ln -sf "$file" "$folder/$1/loader/"
  done
  start="LD_LIBRARY_PATH=$folder/$1/loader"
  if env "$start" ldd "$folder/$1/loader/libze_loader.so.1" 2>&1 | grep -q 'not found'; then
    start="SYCLZE_INTEL_LIBRARIES=$root/$libraries tests/intel/start.sh"
  fi
}

run() {
  echo "matrix: $1: ze_api.h $(sed -n 's/.*ZE_API_VERSION_CURRENT = ZE_MAKE_VERSION( \([0-9]*\), \([0-9]*\) ).*/\1.\2/p' "$include/level_zero/ze_api.h"), $(sed -n 's/^libze1 /loader /p' "$folder/$1/versions"), ${start%%=*}"
  release=$1
  shift
  for program in "$folder/$release"/build/tests/unit/* "$folder/$release"/build/tests/device/*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    case $program in
    */unit/*) set -- "$@" "ZE_ENABLE_ALT_DRIVERS=none $start $program" ;;
    *) set -- "$@" "ZECL_ENGINE=opencl ZE_ENABLE_ALT_DRIVERS=$driver $start $program" ;;
    esac
  done
  tests/run.sh "$@" >"$log"
  code=$?
  cat "$log"
  read -r p _ f _ s _ <<COUNTS
$(tail -n 1 "$log")
COUNTS
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
  [ "$code" -eq 0 ]
}

folder=$(mkdir -p "$folder" && cd "$folder" && pwd) || exit 1
releases=
for release; do
  if get "$release"; then
    releases="$releases $release"
    include=$folder/$release/root/usr/include
  else
    skipped=$((skipped + 1))
  fi
done
driver=
for release in $releases; do
  if [ -z "$driver" ]; then
    driver=$(make -s build="$folder/zecl" matrix-driver)
    build build="$folder/zecl" zecl || failed=$((failed + 1))
  fi
  root=$folder/$release/root
  include=$root/usr/include
  choose_start "$release"
  # The release's C++ library, which its loader needs, cannot be linked with here.
  if build build="$folder/$release/build" \
    LDFLAGS="-L$folder/$release/loader -Wl,--allow-shlib-undefined" matrix-programs; then
    run "$release"
  else
    failed=$((failed + 1))
    echo "FAIL $release: the tests do not build against its headers"
  fi
done
[ "$skipped" -eq 0 ] || summary=", $skipped skipped"
echo "$passed passed, $failed failed${summary:-}"
[ "$failed" -eq 0 ]
