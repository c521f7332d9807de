#!/bin/sh
# tests/windows/msvc.sh FOLDER: makes what clang needs to compile for MSVC where Microsoft's headers are not
# had: FOLDER/include has those of MinGW but for POSIX threads and files, which MSVC does not have, and Level
# Zero's. Each compilation includes FOLDER/begin.h first: MinGW's headers take a compiler without __GNUC__
# for one without attributes, so they are read with it, and the rest of the source without. Prints the
# compiler's options; nothing where there is no MinGW.
from=/usr/x86_64-w64-mingw32/include
[ -f "$from/stdlib.h" ] || exit 0
rm -rf "$1/include" && mkdir -p "$1/include" || exit 1
ln -s "$from"/* "$1/include"
(cd "$1/include" && rm -f pthread* sched.h semaphore.h unistd.h dirent.h utime.h sys c++ && mkdir sys &&
  ln -s "$from"/sys/stat.h "$from"/sys/types.h "$from"/sys/timeb.h sys && : >pthread_time.h)
ln -s "$(dirname "$(echo '#include <level_zero/ze_api.h>' | "${CC:-cc}" -M -E - | grep -o '/[^ ]*/ze_api.h')")" \
  "$1/include/level_zero"
{
  echo '#define _UCRT 1'
  echo '#define __GNUC__ 12'
  echo '#define __GNUC_MINOR__ 2'
  for header in stdlib stdio string time errno stdbool stdint stddef stdarg sys/stat fcntl process io direct; do
    echo "#include <$header.h>"
  done
  echo '#undef __GNUC__'
  echo '#undef __GNUC_MINOR__'
} >"$1/begin.h"
echo "--target=x86_64-pc-windows-msvc -include $1/begin.h -isystem $1/include"
