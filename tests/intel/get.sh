#!/bin/sh
# tests/intel/get.sh FOLDER: unpacks Intel's driver, its compiler and the loader of Debian sid, with
# every library that they need, into FOLDER/root, as tests/unpack.sh does.
exec tests/unpack.sh intel "$1" sid libze-intel-gpu1 libigc2 libigdfcl2 libigdgmm12 libze1 intel-ocloc
