#!/bin/sh
# tests/intel/on.sh SETTING:FOLDER PROGRAM [ARGUMENT...]: starts a program on Intel's driver, as
# device.sh sets it up.
setting=${1%%:*} folder=${1#*:} here=$(dirname "$0")
shift
. "$here/device.sh"
"$here/start.sh" "$@"
