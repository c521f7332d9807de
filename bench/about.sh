#!/bin/sh
# bench/about.sh [FOLDER...]: two lines about the run that follows: when and on which machine, and
# the versions of what is measured, of fetched runtimes, loaders and drivers by FOLDER/versions.
fetched=$(for folder; do
  sed -n 's/^\(intel-sycl-rt\|libze1\|libze-intel-gpu1\)[= ]*\([^ ]*\).*/, \1 \2/p' "$folder/versions"
done | tr -d '\n')
cd "$(dirname "$0")/.." || exit 1

# The package of a library that the linker finds, or the version in its file's name.
version_of() {
  file=$(ldconfig -p 2>/dev/null | sed -n "s|.*$1.* => ||p" | head -n 1)
  [ -n "$file" ] || { echo none && return; }
  file=$(readlink -f "$file")
  package=$(dpkg-query -S "$file" 2>/dev/null | cut -d ' ' -f 1)
  dpkg-query -W -f '${Version}' "${package%:}" 2>/dev/null || echo "${file##*.so.}"
}

# The last commit of the library and the embedded device, where this is a repository.
commit() {
  git log -1 --format=%h -- syclze 'tests/zecl/*.[ch]' 2>/dev/null || return
  git diff --quiet HEAD -- syclze tests/zecl || echo with changes
}

machine=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1)
echo "Run of $(date -u '+%Y-%m-%d %H:%M') UTC: ${machine:-$(uname -m)}, $(nproc) processors, load" \
  "$(cut -d ' ' -f 1 /proc/loadavg)${gpu:+, $gpu}"
echo "Versions: syclze $(commit | paste -s -d ' ' -)," \
  "$("${CC:-cc}" --version | sed 's/ (.*)//;q'), $(getconf GNU_LIBC_VERSION)," \
  "loader $(version_of libze_loader.so.1), PoCL $(version_of libpocl.so)$fetched"
