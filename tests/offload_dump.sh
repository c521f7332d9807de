#!/bin/sh
# offload_dump.sh PROGRAM: the output of offload_dump for files of each kind.
program=$1 passed=0 failed=0

# shows FILE LINE...: each line is printed for the file, and the program succeeds.
shows() {
  file=$1
  shift
  output=$(timeout 900 "$program" "$file") || missing="exit code $?"
  for line; do
    printf '%s\n' "$output" | grep -qxF -- "$line" || missing="$missing '$line'"
  done
  if [ -z "$missing" ]; then
    passed=$((passed + 1))
    echo "pass offload_dump: $file"
  else
    failed=$((failed + 1))
    echo "FAIL offload_dump: $file: $missing"
  fi
  missing=
}

cd tests/offload/samples || exit 1
case $program in /*) ;; *) program=../../../$program ;; esac
shows pack22.ob 'image 0, in file: SPIR-V, 2820 bytes' '    arch "generic"' '    kernel lsum' \
  'image 1, in file: SPIR-V, 1056 bytes' '    foo "bar"' '    kernel scale'
shows fsycl22.exe 'image 0, in .llvm.offloading: SPIR-V, 1096 bytes' '    kernel _ZTS2K2'
shows two.ocloc.dg2_pvc.ar 'image 0, in file: fat archive, 26440 bytes' \
  '    member 64.dg2, 11624 bytes' '    kernel axpy'
if timeout 900 "$program" MANIFEST.md >/dev/null 2>&1; then
  failed=$((failed + 1))
  echo "FAIL offload_dump: text is taken for a device image"
else
  passed=$((passed + 1))
  echo "pass offload_dump: text is no device image"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
