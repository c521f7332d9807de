#!/bin/sh
# tests/sycl/start.sh FOLDER SETTING PROGRAM [ARGUMENT...]: starts a program on the SYCL runtime and
# the Level Zero loader of FOLDER (get.sh). SETTING is the adapter: v1, v1-immediate, which is v1
# without command queues, or v2; with /newest behind it, on Debian sid's loader in place of Debian
# 13's. SYCLZE_UNDER is a command that runs the program, such as valgrind.
folder=$(cd "$1" && pwd) setting=$2
shift 2
case $setting in
*/newest) release=newest ;;
*) release=debian ;;
esac
libraries=$folder/$release/root/usr/lib/x86_64-linux-gnu
case ${setting%/newest} in
v1) export UR_LOADER_USE_LEVEL_ZERO_V2=0 UR_L0_USE_IMMEDIATE_COMMANDLISTS=0 ;;
v1-immediate) # graphs as on newer devices (README.md)
  export UR_LOADER_USE_LEVEL_ZERO_V2=0 UR_L0_USE_IMMEDIATE_COMMANDLISTS=1 \
    UR_L0_CMD_BUFFER_USE_IMMEDIATE_APPEND_PATH=1
  ;;
v2) export UR_LOADER_USE_LEVEL_ZERO_V2=1 ;;
*) echo "no such adapter: $setting" && exit 1 ;;
esac
export ONEAPI_DEVICE_SELECTOR='level_zero:*'
path=$libraries:$folder/runtime/lib
[ ! -d "$folder/python" ] || path=$path:$folder/python/lib:$folder/python/dpctl
exec ${SYCLZE_UNDER:-} "$libraries/ld-linux-x86-64.so.2" --library-path "$path" "$@"
