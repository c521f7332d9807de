#!/bin/sh
# tests/dpnp/get.sh FOLDER: lets pip fetch dpnp, numpy and the libraries that they link with (wheels.txt),
# and unpacks them into FOLDER.
here=$(dirname "$0")
exec "$here/../wheels.sh" dpnp "$1" "$here/wheels.txt" \
  'lib/lib(sycl|ur_loader|umf|hwloc|xptifw|svml|irng|imf|intlc|tcm)\.so[.0-9]*$|dpnp/|dpctl/|numpy(\.libs)?/' \
  lib/libsycl.so.9 dpnp/tensor/__init__.py numpy/__init__.py
