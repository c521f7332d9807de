#!/bin/sh
# tests/fuzz/pack.sh FOLDER FUZZER...: a folder with the fuzz targets (TARGET.fuzzer each), their seeds, and
# the shared libraries that they need, the C library included, to run on another machine by
# FOLDER/run.sh.
set -eu
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib" "$folder/seeds"
for fuzzer; do
  target=$(basename "$fuzzer" .fuzzer)
  strip --strip-debug -o "$folder/bin/$target" "$fuzzer"
  if [ -d "tests/fuzz/corpus/$target" ]; then cp -r "tests/fuzz/corpus/$target" "$folder/seeds/"; fi
  ldd "$fuzzer" | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*\/ld-linux/ { print $1 }'
done | sort -u | while read -r library; do cp -L "$library" "$folder/lib/"; done
cp -r tests/offload/samples "$folder/seeds/samples"
mkdir -p "$folder/seeds/zecl_spirv"
cp tests/kernels/*.spv "$folder/seeds/zecl_spirv/"
cp tests/fuzz/pack_run.sh "$folder/run.sh"
chmod +x "$folder/run.sh"
du -sh "$folder"
