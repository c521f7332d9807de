#!/bin/sh
# tests/build/install_manual.sh FROM TO: installs the man pages of public names, and those of headers as
# syclze_NAME.h. Pages of members of structures, whose names are anybody's, are left out.
install -d "$2" && cd "$1" || exit 1
install -m 644 syclze_*.3 SYCLZE_*.3 "$2" || exit 1
for page in *.h.3; do install -m 644 "$page" "$2/syclze_$page" || exit 1; done
cd "$2" && sed -i 's|^\.so man3/\([a-z0-9_]*\.h\.3\)$|.so man3/syclze_\1|' syclze_*.3 SYCLZE_*.3 || exit 1
# Doxygen's names of unnamed things.
grep -l '^\.so man3/[^sS]' syclze_*.3 SYCLZE_*.3 | xargs -r rm -f
