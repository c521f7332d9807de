#!/bin/sh
# tests/wheels.sh NAME FOLDER LIST PATTERN [FILE...]: lets pip fetch the wheels of LIST, with their
# checksums, and unpacks into FOLDER the parts of their data whose path matches PATTERN, a regular
# expression of Python. FOLDER/versions then says which. Does nothing where that is done already.
# If that fails, or a FILE is then missing, the last line is `skip NAME:` with the reason, and
# the exit code is 3.
set -u
name=$1 folder=$2 wheels=$3 pattern=$4
shift 4

cannot() {
  echo "skip $name: $1"
  exit 3
}

! cmp -s "$wheels" "$folder/versions" || exit 0
[ "$(uname -s) $(uname -m)" = 'Linux x86_64' ] || cannot 'the wheels are there for x86-64 Linux only'
python3 -m pip --version >/dev/null 2>&1 || cannot 'python3 has no pip'

rm -rf "$folder" && mkdir -p "$folder/wheels" || exit 1
echo "$name: asking pip for $(cut -d' ' -f1 "$wheels" | paste -sd' ')"
if ! python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --timeout 20 \
  --retries 1 --no-deps --only-binary=:all: --require-hashes -r "$wheels" -d "$folder/wheels" \
  >"$folder/log" 2>&1; then
  tail -n 5 "$folder/log"
  cannot 'pip could not fetch the wheels'
fi
python3 - "$folder" "$pattern" <<'UNPACK' || cannot 'the wheels could not be unpacked'
import glob, os, re, shutil, sys, zipfile
folder, pattern = sys.argv[1:]
for wheel in glob.glob(folder + "/wheels/*.whl"):
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            path = re.sub(r"^[^/]*\.data/data/", "", name)
            if path.endswith("/") or not re.match(pattern, path):
                continue
            path = os.path.join(folder, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with files.open(name) as source, open(path, "wb") as target:
                shutil.copyfileobj(source, target)
UNPACK
for file; do
  [ -s "$folder/$file" ] || cannot "the wheels have no $file"
done
rm -rf "$folder/wheels" "$folder/log"
cp "$wheels" "$folder/versions"
