# Shell functions of ./pecann, ./run-tests, tools/sanitize and tools/fuzz: packages, configuration, build. `top` is the root of the source tree.
# PECANN_MPI=ON makes a program with the ranks of mpirun, in build-mpi/ (docs/scaling.md).
case "${PECANN_MPI:-OFF}" in
  ON) folder="$top/build-mpi" lists=("$top/packages-mpi.txt" "$top/packages.txt") ;;
  *) folder="$top/build" lists=("$top/packages.txt") ;;
esac

say() { printf 'pecann: %s\n' "$*" >&2; }

# Installs what packages.txt lists and the machine lacks: install_packages program|tests. Only `tests` needs what stands below
# the line "# tests". A stamp keeps the check out of later starts.
install_packages() {
  local stamp="$folder/.$(basename "${lists[0]}" .txt)-$1"
  [ -e "$stamp" ] && [ -z "$(find "${lists[@]}" -newer "$stamp")" ] && return 0
  local package missing=()
  while read -r package; do
    case "$package" in '# tests'*) [ "$1" = tests ] || break ;; esac
    case "$package" in ''|'#'*) continue ;; esac
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done < <(cat "${lists[@]}")
  if [ ${#missing[@]} -gt 0 ]; then
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
      command -v sudo >/dev/null || { say "needs the Debian packages: ${missing[*]}; install them as root"; exit 2; }
      as_root=(sudo)
    fi
    say "installing Debian packages: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq >&2 || say "apt-get update failed; trying with the lists that are there"
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 \
      || { say "the packages could not be installed"; exit 2; }
    installed=yes
  fi
  mkdir -p "$folder" && touch "$stamp"
}

configure() {  # options for cmake…
  [ -e "$folder/build.ninja" ] && [ -z "${installed:-}" ] && return 0  # new packages may bring new tests
  say "configuring (${folder##*/}/)"
  cmake -S "$top" -B "$folder" -G Ninja -DCMAKE_UNITY_BUILD=ON "$@" >"$folder/configure.log" 2>&1 \
    || { cat "$folder/configure.log" >&2; exit 2; }
}

# Adds the Python module to the build in $folder, whose objects serve it as they are.
configure_python() {
  grep -q '^PECANN_PYTHON:BOOL=ON$' "$folder/CMakeCache.txt" && return 0
  say "adding the Python module (${folder##*/}/python/)"
  cmake -S "$top" -B "$folder" -DPECANN_PYTHON=ON >"$folder/configure.log" 2>&1 || { cat "$folder/configure.log" >&2; exit 2; }
}

configure_release() { configure -DCMAKE_BUILD_TYPE=Release -DPECANN_MPI="${PECANN_MPI:-OFF}"; }

# Of builds that watch themselves, with names in their stack traces.
export ASAN_SYMBOLIZER_PATH=/usr/lib/llvm-16/bin/llvm-symbolizer TSAN_SYMBOLIZER_PATH=/usr/lib/llvm-16/bin/llvm-symbolizer
clang_options=(-DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_CXX_FLAGS="-O1 -gline-tables-only -DNDEBUG")

# The one build of tools/sanitize and tools/fuzz with AddressSanitizer and UndefinedBehaviorSanitizer.
configure_sanitized() {
  folder="$top/build-sanitized" lists=("$top/packages-fuzz.txt" "$top/packages.txt")
  install_packages tests
  configure "${clang_options[@]}" -DPECANN_SANITIZE=address -DPECANN_FUZZ=ON
}

# Is any source newer than the last build? Cheaper than asking the build tool.
up_to_date() {
  local stamp="$folder/.built-$1"
  [ -e "$stamp" ] || return 1
  [ -z "$(find "$top/src" "$top/problems" "$top/reproduce" "$top/cmake" "$top/CMakeLists.txt" "$top/include" "$top/examples" "$top/tests" "$top/fuzz" "$top/python" -newer "$stamp" -print -quit 2>/dev/null)" ]
}

build() {  # name of the stamp, targets…
  local stamp="$folder/.built-$1"; shift
  : > "$stamp.new"
  build_targets "$@"
  mv "$stamp.new" "$stamp"
}

build_targets() {
  say "building in ${folder##*/}/ (a few minutes the first time)"
  if [ -t 2 ]; then ninja -C "$folder" "$@" >&2
  else ninja -C "$folder" "$@" >"$folder/build.log" 2>&1 || { tail -n 60 "$folder/build.log" >&2; exit 2; }
  fi
}

prepare_program() {
  install_packages program
  configure_release
  up_to_date program || build program pecann_program
}

prepare_python() {
  local lists=("$top/packages-python.txt" "${lists[@]}")
  install_packages program
  configure_release
  configure_python
  up_to_date python || build python pecann_python
}

prepare_tests() {
  install_packages tests
  configure_release
  configure_python
  up_to_date tests || build tests all
}
