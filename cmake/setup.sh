# Sourced by ./run and ./test: says what it does, installs what is missing, configures and builds.

say() { printf '== %s\n' "$*"; }
stop() { printf 'driftless: %s\n' "$*" >&2; exit 1; }

packages=(g++ cmake ninja-build ccache git libeigen3-dev libfmt-dev libasmjit-dev libboost-dev libsuitesparse-dev libnanoflann-dev
  libgtest-dev nlohmann-json3-dev libhdf5-dev gnuplot-nox python3 python3-dev python3-numpy pybind11-dev)
test_packages=(python3-h5py python3-pandas python3-scipy python3-sympy python3-matplotlib python3-pytest python3-nbconvert python3-ipykernel
  python3-pip python3-venv chromium chromium-driver)  # ./test adds them
CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(nproc)}
export CMAKE_BUILD_PARALLEL_LEVEL CTEST_PARALLEL_LEVEL

install_missing_packages() {
  local missing=() package as_root=()
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    for tool in c++ cmake ninja; do
      command -v "$tool" >/dev/null ||
        stop "no $tool, and this is not a Debian-like system; please install what Debian calls: ${packages[*]}"
    done
    return 0
  fi
  for package in "${packages[@]}"; do
    grep -qx installed <<<"$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null)" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null || stop "need root or sudo once, for: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq || say "apt-get update had trouble; trying anyway"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure PRESET: only if it never was, if the presets changed, or if the whole tree was moved. The rest Ninja notices by itself.
configure() {
  local build=build/$1
  local stamp=$build/.configured
  if [[ -f $stamp && -f $build/build.ninja && ! CMakePresets.json -nt $stamp ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$build/CMakeCache.txt"; then
    return 0
  fi
  say "configuring $build"
  cmake --fresh --preset "$1" --log-level=NOTICE >/dev/null
  touch "$stamp"
}

# build PRESET [cmake --build options]
build() {
  say "building build/$1"
  cmake --build --preset "$@"
}
