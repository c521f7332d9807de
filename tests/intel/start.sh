#!/bin/sh
# tests/intel/start.sh PROGRAM [ARGUMENT...]: starts a program with the C library, the dynamic loader
# and the Level Zero loader in SYCLZE_INTEL_LIBRARIES instead of the system's.
libraries=${SYCLZE_INTEL_LIBRARIES:?}
exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$@"
