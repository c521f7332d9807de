#!/bin/sh
# bench/sycl/cost.sh PROGRAM RUNTIME NATIVE: times each operation of cost.cpp on both adapters of the
# runtime (tests/sycl/get.sh), then counts instructions under callgrind (count.py).
set -eu
program=$1 runtime=$2 native=$3
start=$(dirname "$0")/../../tests/sycl/start.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for adapter in v1-immediate v2; do
  "$start" "$runtime" $adapter "$program" "$native" >"$work/$adapter"
done
echo '| nanoseconds, the Level Zero driver included | DPC++ v1 | DPC++ v2 | syclze | its own queue |'
echo '|---|---|---|---|---|'
awk -F'|' '
  FNR == 1 { file++ }
  !($3 in seen) { seen[$3] = 1; names[++count] = $3 }
  { value = $4 ~ /^refused/ ? "refused" : $4
    if ($1 == "dpcpp") peer[file, $3] = value
    else if (!(($1, $3) in own) || value + 0 < own[$1, $3]) own[$1, $3] = value + 0 }
  END { for (i = 1; i <= count; i++) {
    name = names[i]
    printf "| %s | %s | %s | %s | %s |\n", name, peer[1, name], peer[2, name], own["syclze", name],
      ("created", name) in own ? own["created", name] : "-" } }
' "$work/v1-immediate" "$work/v2"

if ! command -v valgrind >/dev/null; then
  echo 'skip: valgrind is not installed, so no instructions were counted'
  exit 0
fi
for adapter in v1-immediate v2; do
  under="valgrind -q --tool=callgrind --combine-dumps=yes --compress-strings=no --compress-pos=no
    --dump-line=no --callgrind-out-file=$work/$adapter.out"
  SYCLZE_UNDER=$under LD_BIND_NOW=1 "$start" "$runtime" $adapter "$program" "$native" \
    >"$work/log" 2>&1 || { tail -n 5 "$work/log" && exit 1; }
done
echo
python3 "$(dirname "$0")/count.py" "$work/v1-immediate.out" "$work/v2.out"
