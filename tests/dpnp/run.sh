#!/bin/sh
# tests/dpnp/run.sh LIBRARY SITE [intel=SETTING:FOLDER] [OPTION...]: check.py with the libraries that dpnp
# links with; on Intel's driver without a GPU where a setting of tests/intel is given.
set -u
library=$1 site=$(cd "$2" && pwd) here=$(dirname "$0")
shift 2
libraries=$site/lib:$site/dpctl
# The interpreter itself, not a script that looks for it.
python=$(python3 -c 'import sys; print(sys.executable)') || exit 1
case ${1:-} in
intel=*)
  setting=${1#intel=} folder=${1#*:}
  setting=${setting%%:*}
  shift
  . "$here/../intel/device.sh"
  # Python's C library is newer than the system's here: the whole process runs with that of the driver.
  "$SYCLZE_INTEL_LIBRARIES/ld-linux-x86-64.so.2" --library-path "$SYCLZE_INTEL_LIBRARIES:$libraries" \
    "$python" "$here/check.py" "$library" "$site" "$@"
  ;;
*) LD_LIBRARY_PATH=$libraries "$python" "$here/check.py" "$library" "$site" "$@" ;;
esac
