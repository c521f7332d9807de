#!/bin/sh
# tests/xpti/get.sh FOLDER: lets pip fetch the wheels of wheels.txt, and unpacks what is needed of them
# into FOLDER: SYCL's tracing framework and PTI (tests/wheels.sh).
exec "$(dirname "$0")/../wheels.sh" xpti "$1" "$(dirname "$0")/wheels.txt" \
  'lib/(pti/)?lib(xptifw|pti|pti_view|svml|irng|imf|intlc|sycl_ur_trace_collector)\.so[.0-9]*$|include/(unified-runtime|xpti)/' \
  lib/libxptifw.so lib/libpti_view.so lib/pti/libpti.so lib/libsycl_ur_trace_collector.so \
  include/unified-runtime/ur_print.hpp
