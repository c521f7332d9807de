# Read by scripts that run one command for each check: begin_checks, check and skip, end_checks.

# begin_checks [SUITE [FOLDER]]: SUITE stands before each name; $work is FOLDER, which must be new, or
# a temporary one, and goes at the end.
begin_checks() {
  suite=${1:+$1: }
  if [ -n "${2:-}" ]; then work=$2 && mkdir -p "$work"; else work=$(mktemp -d); fi || exit 1
  trap 'rm -rf "$work"' EXIT
  passed=0 failed=0 skipped=0
}

pass() {
  passed=$((passed + 1))
  echo "pass $suite$1"
}

fail() {
  failed=$((failed + 1))
  echo "FAIL $suite$1"
}

# check NAME COMMAND...: of a command that fails, a line with an error is shown, or its last lines.
check() {
  name=$1
  shift
  if "$@" >"$work/output" 2>&1; then
    pass "$name"
  else
    fail "$name: $(grep -m 3 -E 'FAIL|error|warning|undefined|differ|Only in' "$work/output" ||
      tail -n 3 "$work/output")"
  fi
}

skip() {
  skipped=$((skipped + 1))
  echo "skip $suite$1"
}

end_checks() {
  sum="$passed passed, $failed failed"
  [ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
  echo "$sum"
  [ "$failed" -eq 0 ]
}
