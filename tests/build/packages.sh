#!/bin/sh
# The recipes of tests/build/packages: each states the tree's version and packages what `make install`
# installs, and is tried with its tool where that is installed.
# shows promises 68
cd "$(dirname "$0")/../.." || exit 1
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS DESTDIR
. tests/checks.sh
begin_checks packages "$(mktemp -u -p "$PWD/build" packages.XXXXXX)"
recipes=tests/build/packages
version=$(sed -n 's/^.define SYCLZE_VERSION_[A-Z]* \([0-9]*\)$/\1/p' syclze/version.h | paste -s -d.)

files_of() { (cd "$1" && find include share -type f ! -path 'share/doc/*' | sort); }
man_pages='' make -s install prefix="$work/installed" >/dev/null
files_of "$work/installed" >"$work/expected"

# same_files FOLDER [EXCEPT]: what `make install` installs, but for paths with the expression.
same_files() {
  grep -vE "${2:-^$}" "$work/expected" >"$work/wanted"
  files_of "$1" | grep -v '^share/man/' | diff "$work/wanted" - &&
    diff -r "$work/installed/include" "$1/include"
}

program=$recipes/conan/test_package/program.c
says_version() { [ "$(ZE_ENABLE_ALT_DRIVERS=none "$1")" = "$version" ]; }

versions() {
  [ "$(sed -n 's/.*"version": "\(.*\)",/\1/p' $recipes/vcpkg/syclze/vcpkg.json)" = "$version" ] &&
    [ "$(sed -n '1s/^syclze (\(.*\)) .*/\1/p' $recipes/debian/changelog)" = "$version" ] &&
    grep -q "version(\"$version\", " $recipes/spack/packages/syclze/package.py
}
check "each recipe has the tree's version" versions

recipes_parse() {
  for file in $recipes/conan/*.py $recipes/conan/*/*.py $recipes/spack/packages/*/*.py; do
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$file" || return 1
  done
  python3 -m json.tool $recipes/vcpkg/syclze/vcpkg.json
}
check "recipes parse" recipes_parse

no_registries() { ! grep -rniE '(https?|git|ssh)://|@git' $recipes; }
check "no recipe names a host" no_registries

# Beside the tree, which it does not change.
debian_package() {
  mkdir -p "$work/debian" && tar -c --exclude=./build --exclude='./.*' . | tar -x -C "$work/debian" &&
    cp -r $recipes/debian "$work/debian/debian" &&
    (cd "$work/debian" && env -u CC -u CXX DEB_BUILD_OPTIONS= dpkg-buildpackage -us -uc --source-option=-Zgzip --source-option=-z1) &&
    dpkg-deb -x "$work/libsyclze-dev_${version}_all.deb" "$work/root" && [ -f "$work/syclze_$version.dsc" ]
}
debian_program() {
  PKG_CONFIG_PATH=$work/root/usr/share/pkgconfig pkg-config --define-prefix --cflags --libs syclze >"$work/flags" &&
    gcc -std=c11 -Wall -Wextra -Werror -o "$work/program" $program $(cat "$work/flags") && says_version "$work/program"
}
debian_manual() {
  pages=$work/root/usr/share/man/man3
  [ -f "$pages/syclze_queue_wait.3.gz" ] && [ -e "$pages/syclze_queue.h.3.gz" ] &&
    for page in "$pages"/*; do
      case $page in
      */syclze_* | */SYCLZE_*) [ -e "$page" ] || return 1 ;;
      *) return 1 ;;
      esac
    done
}
if command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null && command -v doxygen >/dev/null; then
  check "a Debian source package, and the binary one" debian_package
  check "the Debian package has what make install installs" same_files "$work/root/usr"
  check "the Debian package has man pages of public names only" debian_manual
  check "a program with the Debian package" debian_program
else
  skip "Debian: no debhelper or no doxygen"
fi

conan_package() {
  CONAN_HOME=$work/conan && export CONAN_HOME && cp -r $recipes/conan/test_package "$work" &&
    conan profile detect && conan create $recipes/conan -tf "$work/test_package" &&
    same_files "$(conan cache path "$(conan list "syclze/$version:*" --format=compact |
      grep -o "syclze/$version#[^ ]*:[0-9a-f]*" | head -n 1)")" '^share/pkgconfig/'
}
# Conan's class and functions that the recipe uses, in their place.
conan_stand_in() {
  mkdir -p "$work/python/conan/tools" && cat >"$work/python/conan/__init__.py" <<'PYTHON' &&
class ConanFile:
    pass
PYTHON
    : >"$work/python/conan/tools/__init__.py" && cat >"$work/python/conan/tools/files.py" <<'PYTHON' &&
import fnmatch, os, shutil

def load(recipe, path):
    return open(path).read()

def copy(recipe, pattern, src, dst):
    for folder, _, names in os.walk(src):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), src)
            if fnmatch.fnmatch(path, pattern):
                to = os.path.join(dst, path)
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy(os.path.join(src, path), to)
PYTHON
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$work/python:$recipes/conan" python3 - "$work" "$version" <<'PYTHON' &&
import os, sys
import conanfile
recipe = conanfile.Syclze()
recipe.recipe_folder = os.path.abspath("tests/build/packages/conan")
recipe.export_sources_folder = recipe.source_folder = sys.argv[1] + "/conan_source"
recipe.package_folder = sys.argv[1] + "/conan_package"
recipe.set_version()
recipe.export_sources()
recipe.package()
assert recipe.version == sys.argv[2], recipe.version
PYTHON
    same_files "$work/conan_package" '^share/pkgconfig/'
}
if command -v conan >/dev/null; then
  check "Conan packages the tree, and builds a program with it" conan_package
else
  check "Conan's recipe packages what make install installs" conan_stand_in
  skip "conan create: conan is not installed"
fi

spack_package() {
  SPACK_USER_CONFIG_PATH=$work/spack SPACK_USER_CACHE_PATH=$work/spack \
    spack --config "repos:[$PWD/$recipes/spack]" spec syclze
}
if command -v spack >/dev/null; then check "Spack concretises the recipe" spack_package; else skip "spack is not installed"; fi

vcpkg_package() {
  vcpkg install syclze --overlay-ports="$PWD/$recipes/vcpkg" --x-install-root="$work/vcpkg" &&
    for triplet in "$work"/vcpkg/*/include; do same_files "$(dirname "$triplet")" || return 1; done
}
# The port's own commands, in CMake's script mode, with the tree's project in place of vcpkg's.
vcpkg_stand_in() {
  cat >"$work/port.cmake" <<'CMAKE' &&
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${WORK}/port" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_install)
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${WORK}/port" --prefix "${WORK}/port_installed"
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(READ "${arg_FILE_LIST}" license)
endfunction()
include("${PORT}")
CMAKE
    cmake -DWORK="$work" -DPORT="$PWD/$recipes/vcpkg/syclze/portfile.cmake" -P "$work/port.cmake" &&
    same_files "$work/port_installed"
}
if command -v vcpkg >/dev/null; then
  check "vcpkg packages what make install installs" vcpkg_package
elif command -v cmake >/dev/null; then
  check "vcpkg's port packages what make install installs" vcpkg_stand_in
  skip "vcpkg install: vcpkg is not installed"
else
  skip "vcpkg: cmake is not installed"
fi

end_checks
