# Shell functions of ./pecann and ./run-tests: packages, configuration, build. `top` is the root of the source tree.

say() { printf 'pecann: %s\n' "$*" >&2; }

# Installs what packages.txt lists and the machine lacks: install_packages program|tests. Only `tests` needs what stands below
# the line "# tests". A stamp keeps the check out of later starts.
install_packages() {
  local list="$top/packages.txt" stamp="$top/build/.packages-$1"
  [ -e "$stamp" ] && [ ! "$list" -nt "$stamp" ] && return 0
  local package missing=()
  while read -r package; do
    case "$package" in '# tests'*) [ "$1" = tests ] || break ;; esac
    case "$package" in ''|'#'*) continue ;; esac
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done < "$list"
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
  mkdir -p "$top/build" && touch "$stamp"
}

configure() {
  [ -e "$top/build/build.ninja" ] && [ -z "${installed:-}" ] && return 0  # new packages may bring new tests
  say "configuring (Release, build/)"
  cmake -S "$top" -B "$top/build" -G Ninja -DCMAKE_BUILD_TYPE=Release >"$top/build/configure.log" 2>&1 \
    || { cat "$top/build/configure.log" >&2; exit 2; }
}

# Is any source newer than the last build? Cheaper than asking the build tool.
up_to_date() {
  local stamp="$top/build/.built-$1"
  [ -e "$stamp" ] || return 1
  [ -z "$(find "$top/src" "$top/problems" "$top/cmake" "$top/CMakeLists.txt" "$top/tests" -newer "$stamp" -print -quit 2>/dev/null)" ]
}

build() {  # name of the stamp, targets…
  local stamp="$top/build/.built-$1"; shift
  : > "$stamp.new"
  say "building (a few minutes the first time)"
  if [ -t 2 ]; then ninja -C "$top/build" "$@" >&2
  else ninja -C "$top/build" "$@" >"$top/build/build.log" 2>&1 || { tail -n 60 "$top/build/build.log" >&2; exit 2; }
  fi
  mv "$stamp.new" "$stamp"
}

prepare_program() {
  install_packages program
  configure
  up_to_date program || build program pecann_program
}

prepare_tests() {
  install_packages tests
  configure
  up_to_date tests || build tests all
}
