#!/bin/sh
# tests/unpack.sh NAME FOLDER RELEASE PACKAGE...: unpacks packages of a Debian release, and every
# package that they need, the C library included, into FOLDER/root. FOLDER/versions then says which.
# Does nothing if that was done before. If it is impossible, the last line is `skip NAME:` and the
# reason, and the exit code is 3.
#
# The system's package manager fetches and verifies them from the Debian archives in the system's
# sources, with separate lists, sources and cache in FOLDER. The system's own are unchanged, and no
# privileges are needed.
set -u
name=$1 folder=$2 release=$3
shift 3
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

cannot() {
  echo "skip $name: $1"
  exit 3
}

[ ! -e "$folder/versions" ] || exit 0
[ "$(uname -s) $(uname -m)" = 'Linux x86_64' ] || cannot 'packages are unpacked on x86-64 Linux only'
command -v apt-get >/dev/null || cannot 'this system has no apt-get'
[ -e "$keyring" ] || cannot "there is no $keyring to check Debian's signatures by"

mkdir -p "$folder" && folder=$(cd "$folder" && pwd) || exit 1
apt=$folder/apt log=$folder/apt/log
rm -rf "$apt" "$folder/root"
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$folder/root" || exit 1
: >"$apt/status"

# The hooks of the system's configuration apply to the system's lists and packages only. The release
# file may be past its validity; its signature is checked all the same.
cat >"$apt/conf" <<CONF
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Install-Pkgs;
#clear APT::Default-Release;
APT::Architecture "amd64";
APT::Architectures { "amd64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
Acquire::Retries "1";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
Dir::State "$apt";
Dir::State::Lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
Dir::Cache::archives "$apt/archives";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::Etc::preferences "-";
Dir::Etc::preferencesparts "-";
CONF

# The first of the system's archives that is a Debian archive with the release.
update() {
  for archive in $archives; do
    echo "deb [signed-by=$keyring target=Packages] $archive $release main" >"$apt/sources.list"
    apt-get -q -c "$apt/conf" -o APT::Update::Error-Mode=any update >>"$log" 2>&1 && return
  done
  return 1
}

archives=$(apt-get indextargets --format '$(CREATED_BY) $(COMPONENT) $(REPO_URI)' 2>/dev/null |
  sed -n 's/^Packages main //p' | awk '!/security/ && !seen[$0]++')
[ -n "$archives" ] || cannot "the system's sources name no replicas"
echo "$name: asking the system's replicas for packages of $release"
if ! update; then
  tail -n 5 "$log"
  cannot "no replicas of the system's sources gave the lists of Debian $release"
fi
packages=
for package; do
  for name_of_it in $(echo "$package" | tr '|' ' '); do
    apt-cache -c "$apt/conf" show "$name_of_it" >/dev/null 2>&1 && break
  done
  packages="$packages $name_of_it"
done
set -- $packages
# Against an empty list of installed packages, so that nothing counts as installed.
if ! apt-get -q -y -c "$apt/conf" --download-only install "$@" >>"$log" 2>&1; then
  tail -n 5 "$log"
  cannot "the packages could not be fetched: $*"
fi
for package in "$apt"/archives/*.deb; do
  dpkg-deb -x "$package" "$folder/root" || cannot "$package could not be unpacked"
  dpkg-deb -W --showformat '${Package} ${Version}\n' "$package" >>"$apt/versions" || exit 1
done
mv "$apt/versions" "$folder/versions" || exit 1
rm -rf "$apt"
echo "$name: unpacked $(wc -l <"$folder/versions") packages into $folder/root:"
sed "s/^/$name: /" "$folder/versions"
