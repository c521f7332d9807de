#!/bin/sh
# tests/deps.sh demo|test|windows: installs from the distribution's packages what is missing to build
# and run the example (demo), to run every test (test), or the tests of Windows too (windows). Where nothing is missing it calls no
# package manager and needs no privileges. Without apt it lists what is missing, and fails only where
# nothing can be built.
set -u
need=${1:-test}
cc=${CC:-cc}

has_command() { command -v "$1" >/dev/null; }
has_header() { echo "#include <$1>" | "$cc" -E -o /dev/null - 2>/dev/null; }
has_library() {
  echo 'int main(void) { return 0; }' | "$cc" -x c -o /dev/null - "-l$1" 2>/dev/null
}
has_universal_ctags() { ctags --version 2>/dev/null | grep -q Universal; }
has_libclc() { ls /usr/*/clc/nvptx64--nvidiacl.bc >/dev/null 2>&1; }
has_build_essential() { dpkg-query -W -f '${Status}' build-essential 2>/dev/null | grep -q ' installed'; }
has_pip() { python3 -m pip --version >/dev/null 2>&1; }
has_numpy() { python3 -c 'import numpy' 2>/dev/null || /usr/bin/python3 -c 'import numpy' 2>/dev/null; }
has_windows_headers() { [ -f /usr/x86_64-w64-mingw32/include/stdlib.h ]; }
has_wine() { has_command wine64 || has_command wine || [ -x /usr/lib/wine/wine64 ]; }
has_chromium() {
  has_command chromium-headless-shell || has_command chromium || has_command chromium-browser ||
    has_command google-chrome
}
has_opencl_platform() {
  [ -n "${OCL_ICD_VENDORS:-}${OCL_ICD_FILENAMES:-}" ] ||
    ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1
}

# The version of the LLVM that PoCL is built on: of the installed package, else of the one to install.
# Its SPIR-V translator must be of the same version.
pocl_llvm() {
  if has_opencl_platform; then
    dpkg-query -W -f '${Depends}\n' 'libpocl2*' 2>/dev/null
  else
    apt-cache depends "$(apt-cache depends pocl-opencl-icd 2>/dev/null |
      sed -n 's/.*Depends: \(libpocl[^ ]*\)/\1/p')" 2>/dev/null
  fi | sed -n 's/.*libllvm\([0-9][0-9]*\).*/\1/p' | head -n 1
}

# want PACKAGE TEST...: the package is missing if the test fails.
want() {
  package=$1
  shift
  "$@" && return
  case "$missing " in *" $package "*) ;; *) missing="$missing $package" ;; esac
}

# Wants a package if the distribution has it.
want_offered() {
  apt-cache show "$1" >/dev/null 2>&1 && want "$@"
}

list_missing() {
  missing=
  want gcc has_command "$cc"
  if [ "$need" = windows ]; then
    want_offered gcc-mingw-w64-x86-64-posix has_command x86_64-w64-mingw32-gcc-posix
    want_offered g++-mingw-w64-x86-64-posix has_command x86_64-w64-mingw32-g++-posix
    want_offered wine64 has_wine
    want_offered clang has_command clang
  fi
  want libc6-dev has_header stdio.h
  want libze-dev has_header level_zero/ze_api.h
  want libze-dev has_library ze_loader
  want opencl-headers has_header CL/cl.h
  want ocl-icd-opencl-dev has_library OpenCL
  indispensable=$missing
  want pocl-opencl-icd has_opencl_platform
  want spirv-tools has_command spirv-link
  if [ -z "${ZECL_LLVM_SPIRV:-}" ]; then
    llvm=$(pocl_llvm)
    [ -z "$llvm" ] || want "llvm-spirv-$llvm" has_command "llvm-spirv-$llvm"
  fi
  if [ "$need" = test ]; then
    want g++ has_command "${CXX:-c++}"
    want clang has_command clang++
    want valgrind has_command valgrind
    want pkgconf has_command pkg-config
    want patch has_command patch
    want binutils has_command objcopy
    want procps has_command ps
    want python3 has_command python3
    want spin has_command spin
    want zlib1g-dev has_header zlib.h
    want libzstd-dev has_header zstd.h
    want universal-ctags has_universal_ctags
    want cmake has_command cmake
    want meson has_command meson
    want ninja-build has_command ninja
    want doxygen has_command doxygen
    want python3-pip has_pip
    want_offered debhelper has_command dh
    want_offered build-essential has_build_essential
    want abigail-tools has_command abidiff
    want gfortran has_command gfortran
    want_offered rustc has_command rustc
    want_offered bindgen has_command bindgen
    want_offered python3-numpy has_numpy
    want_offered libopenmpi-dev has_command mpicc
    want_offered openmpi-bin has_command mpirun
    want_offered iproute2 has_command ip
    want_offered libclc-15 has_libclc
    want_offered mingw-w64-x86-64-dev has_windows_headers
    want_offered lld has_command ld.lld
    want_offered chromium-headless-shell has_chromium
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

update() {
  echo "deps: apt-get update"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 update
}

install_missing() {
  echo "deps: apt-get install$missing"
  # Word splitting is intended: each word is a package.
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
    -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 install $missing >"$log" 2>&1
}

give_up() {
  echo "deps: $1" >&2
  echo "deps: missing:$missing" >&2
  [ -n "$indispensable" ] && exit 1
  echo "deps: going on without" >&2
  exit 0
}

list_missing
[ -n "$missing" ] || exit 0
has_command apt-get || give_up "this system has no apt-get; install what these packages hold"
[ "$(id -u)" -eq 0 ] || has_command sudo || give_up "installing packages needs root, or sudo"

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
ls /var/lib/apt/lists/*Packages* >/dev/null 2>&1 || update
list_missing
if ! install_missing && ! { update && install_missing; }; then
  tail -n 20 "$log" >&2
  indispensable=$missing
  give_up "the package manager failed (its output is above)"
fi
list_missing
[ -z "$missing" ] || give_up "installed, and yet not found"
