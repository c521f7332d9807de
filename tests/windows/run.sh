#!/bin/sh
# tests/windows/run.sh FOLDER PROGRAM: runs a program of Windows under wine, with the DLLs of FOLDER and
# of its compiler. --there: is there wine? --begin makes wine's own folder, once for all programs.
export WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml=" DISPLAY=
wine=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null)
[ "$1" != --there ] || { [ -n "$wine" ]; exit; }
if [ "$1" = --begin ]; then
  exec timeout 300 "$wine" wineboot --init >/dev/null 2>&1
fi
for dll in libwinpthread-1.dll libgcc_s_seh-1.dll libstdc++-6.dll; do
  file=$($(command -v x86_64-w64-mingw32-g++-posix || echo x86_64-w64-mingw32-g++) -print-file-name=$dll)
  [ -f "$file" ] || file=/usr/x86_64-w64-mingw32/lib/$dll
  folders="${folders:-}$(dirname "$file");"
done
WINEPATH="$folders$1" "$wine" "$2" 2>&1 | tr -d '\r'
