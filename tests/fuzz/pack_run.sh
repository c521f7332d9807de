#!/bin/sh
# run.sh PROCESSES SECONDS [FOLDER]: runs the packed fuzz targets, the processes spread over them, and
# prints the executions of each target, their sum, and every finding. Findings are copied into FOLDER.
# FUZZ_TARGETS="NAME..." runs only those. It ends with an error if there is a finding. It needs no network, and no library of this machine.
set -u
here=$(cd "$(dirname "$0")" && pwd)
processes=${1:?the number of processes} seconds=${2:?the seconds} folder=${3:-$here/findings}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder" "$work/seeds" || exit 1

# Address space randomisation of recent kernels leaves the address sanitizer no room.
fixed=
setarch -R true 2>/dev/null && fixed="setarch -R"

# The most bytes of an input: short ones run fast, and the readers of modules need more.
bytes_of() {
  case $1 in
  file) echo 20000 ;;
  selector) echo 200 ;;
  split) echo 6000 ;;
  structure) echo 97 ;;
  zecl_spirv) echo 35016 ;;
  *) echo 1500 ;;
  esac
}

targets=${FUZZ_TARGETS:-$(ls "$here/bin")}
number=0
while [ "$number" -lt "$processes" ]; do
  for target in $targets; do
    [ "$number" -lt "$processes" ] || break
    number=$((number + 1))
    name=$target-$number
    mkdir "$work/$name"
    seeds=
    for seed in "$here/seeds/samples" "$here/seeds/$target"; do
      [ -d "$seed" ] && seeds="$seeds $seed"
    done
    # Word splitting is intended.
    (cd "$work/$name" && $fixed "$here/lib/ld-linux-x86-64.so.2" --library-path "$here/lib" \
      "$here/bin/$target" -max_total_time="$seconds" -max_len="$(bytes_of "$target")" -print_final_stats=1 -timeout=60 \
      -rss_limit_mb=3072 -seed="$number" -verbosity=1 -artifact_prefix="$folder/$name-" \
      . $seeds >"$work/$name.log" 2>&1
    echo $? >"$work/$name.code") &
  done
done
wait

findings=0
for log in "$work"/*.log; do
  name=$(basename "$log" .log)
  [ "$(cat "$work/$name.code")" = 0 ] && continue
  findings=$((findings + 1))
  echo "finding: $name, exit code $(cat "$work/$name.code"):"
  grep -v -E '^#|NEW_FUNC|REDUCE' "$log" | tail -n 40
  cp "$log" "$folder/$name.log"
done
all=0
for target in $targets; do
  sum=$(cat "$work/$target"-*.log 2>/dev/null | awk '/^stat::number_of_executed_units/ { n += $2 } END { printf "%d", n }')
  echo "$target: $sum executions"
  all=$((all + sum))
done
echo "total: $all executions, $findings findings, $processes processes, $seconds s"
[ "$findings" -eq 0 ]
