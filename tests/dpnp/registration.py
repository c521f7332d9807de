"""registration.py SITE [LIBRARY]: opens dpnp's libraries, which register their images: with SYCL's
runtime, or with LIBRARY, built from images.c, in its place. For registration.sh."""
import ctypes
import glob
import os
import sys

if len(sys.argv) > 2:
    ctypes.CDLL(sys.argv[2], mode=ctypes.RTLD_GLOBAL)
for path in glob.glob(sys.argv[1] + "/dpnp/**/*.so", recursive=True):
    try:
        ctypes.CDLL(path, mode=os.RTLD_LAZY | os.RTLD_GLOBAL)
    except OSError:  # some need libraries that are not fetched
        pass
os._exit(0)
