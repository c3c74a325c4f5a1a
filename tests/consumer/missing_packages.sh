#!/usr/bin/env bash
# What ./run and ./test install: packages that are not there, whether dpkg has heard of them or not, and no others.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/dpkg-query" <<'END'
#!/bin/sh
for package; do :; done
case $package in
  there) echo installed ;;
  twice) printf 'installed\ninstalled\n' ;;
  heard-of) echo not-installed ;;
  removed) echo config-files ;;
  *) exit 1 ;;
esac
END
printf '#!/bin/sh\necho "$@" >>"%s/asked"\n' "$scratch" >"$scratch/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$scratch/sudo"
chmod +x "$scratch"/{dpkg-query,apt-get,sudo}

source cmake/setup.sh
packages=(there twice heard-of removed unknown)
PATH=$scratch:$PATH install_missing_packages
asked=$(grep -o 'recommends .*' "$scratch/asked")
[[ $asked == "recommends heard-of removed unknown" ]] || { echo "asked for: $asked" >&2; exit 1; }
