#!/bin/sh
# The source archive: reproducible, whole, and built again from itself.
# shows promises 76
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS
begin_checks dist

# archive_of FOLDER NAME: the archive that its make makes.
archive_of() { make -s -C "$1" dist dist="$work/$2.tar.gz"; }

again() { (umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 archive_of . again) && cmp "$work/first.tar.gz" "$work/again.tar.gz"; }

# Options of the user, of tar and of git: GIT_CONFIG_* stand for a file of the user's.
with_options() {
  (export TAR_OPTIONS=--exclude=README.md GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.autocrlf GIT_CONFIG_VALUE_0=true &&
    archive_of . options) && cmp "$work/first.tar.gz" "$work/options.tar.gz"
}

unpacked() {
  mkdir "$work/unpacked" && tar -xzf "$work/first.tar.gz" -C "$work/unpacked" &&
    tree=$(echo "$work/unpacked"/syclze-[0-9]*.[0-9]*.[0-9]*) && [ -d "$tree" ]
}

from_itself() { archive_of "$tree" itself && cmp "$work/first.tar.gz" "$work/itself.tar.gz"; }

# Files of an editor or of a build are none of the commit's.
from_itself_with_others() {
  mkdir -p "$tree/build" && touch "$tree/build/object.o" "$tree/notes" && archive_of "$tree" others &&
    cmp "$work/first.tar.gz" "$work/others.tar.gz"
}

# Links stay, and lead to files.
is_whole() {
  (cd "$tree" && find . -type f -o -type l | sed 's|^\./||' | LC_ALL=C sort) >"$work/there" &&
    sed '/^date /d' "$tree/MANIFEST" | cmp - "$work/there" && [ -L "$tree/tests/kernels" ] &&
    [ -z "$(find "$tree" -xtype l)" ]
}

builds() { make -s -C "$tree" CFLAGS=-O0 CXXFLAGS=-O0 build/debug/examples/adopt; }

# Changed files that are not committed.
of_the_commit() {
  git clone -q . "$work/clone" && archive_of "$work/clone" clone && echo change >>"$work/clone/README.md" &&
    touch "$work/clone/new" && archive_of "$work/clone" changed && cmp "$work/clone.tar.gz" "$work/changed.tar.gz"
}

a_missing_file_is_an_error() { rm "$tree/LICENSE" && ! archive_of "$tree" less && [ ! -e "$work/less.tar.gz" ]; }

if [ -f MANIFEST ] || git rev-parse -q --verify HEAD >/dev/null 2>&1; then
  check "make dist" archive_of . first
  check "the same bytes, whatever mask, zone and locale" again
  check "the same bytes, whatever options tar and git are given" with_options
  check "it is unpacked to a folder with the version" unpacked
  check "it has each file that it lists" is_whole
  check "the same bytes from itself" from_itself
  check "the same bytes beside other files" from_itself_with_others
  if [ -f MANIFEST ]; then skip "there is no commit"; else check "it is of the commit" of_the_commit; fi
  check "an example builds from it" builds
  check "a missing file is an error" a_missing_file_is_an_error
else
  skip "neither a commit nor a list of files is here"
fi
end_checks
