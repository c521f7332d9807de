#!/bin/sh
# make_dist.sh NAME ARCHIVE: packs the files of the last commit, or of an unpacked archive, in which
# MANIFEST lists them, as NAME/... The bytes depend on the files alone: sorted names, the commit's
# date, no owner.
set -e
name=$1 archive=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C TZ=UTC
unset TAR_OPTIONS

if [ -f MANIFEST ]; then
  tree=.
else
  tree=$work/tree
  mkdir "$tree"
  git -c core.autocrlf=false archive --format=tar -o "$work/tree.tar" HEAD
  tar -xf "$work/tree.tar" -C "$tree"
  { echo "date $(git log -1 --format=%ct)" && git ls-tree -r --name-only HEAD && echo MANIFEST; } |
    sort >"$tree/MANIFEST"
fi
date=$(sed -n 's/^date //p' "$tree/MANIFEST")
sed '/^date /d' "$tree/MANIFEST" >"$work/files"

mkdir -p "$(dirname "$archive")"
tar -C "$tree" --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$date" \
  --no-recursion --transform="s|^|$name/|rSH" -T "$work/files" -cf "$work/archive"
gzip -9 -n <"$work/archive" >"$archive.new"
mv "$archive.new" "$archive"
