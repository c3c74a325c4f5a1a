#!/usr/bin/env bash
# The commands that README.md and the examples name for a first program, as they stand there: as_written.sh FILE BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
file=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The compiler's line, as far as the program itself is started.
command=$(sed -nE "s,^(// *| +),,; /^g\+\+ /{s, && .*,,; p; q}" "$file")
[[ -n $command ]] || { echo "$file names no command" >&2; exit 1; }
if [[ $file == README.md ]]; then
  awk '/^```cpp/ { inside = 1; next } /^```/ { if (inside) exit } inside' README.md >"$scratch/first.cpp"
fi
command=$(sed -E "s, -o [^ ]+, -o $scratch/program,; s, first\.cpp, $scratch/first.cpp,; s,build/release,$build,g" <<<"$command")
echo "$command"
bash -c "$command"
if [[ -f $build/front_door.h.gch ]] && ! bash -c "$command -H" |& grep '^! .*front_door.h.gch$' >/dev/null; then
  echo "g++ reads driftless.h, although it is precompiled" >&2
  exit 1
fi
"$scratch/program"
