#!/bin/sh
# Make .venv if it is not there, then install one pinned list and Pageloom itself into it.
# Usage: requirements/install.sh LIST     (dev or bench; run from the top of the project)
set -eu
list="requirements/$1.txt"

fail() {
    printf '%s\n' "" "$@" >&2
    exit 1
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    for name in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        if command -v "$name" >/dev/null 2>&1 && is_new_enough "$name"; then
            command -v "$name"
            return
        fi
    done
    fail "Pageloom needs Python 3.11 or newer, and none was found." \
        "  Debian, Ubuntu:  apt-get install python3 python3-venv" \
        "  macOS:           brew install python" \
        "Or name one:       make setup PYTHON=/path/to/python3"
}

# Debian ships Python without ensurepip; its venv module then fails half-way.
make_venv() {
    python=$1
    "$python" -m venv .venv >/dev/null 2>&1 && return
    rm -rf .venv
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if lacks_debian_package "$python"; then
        echo "Installing python$version-venv, which Debian keeps apart from Python ..."
        { apt-get -qq update && apt-get -qq install -y --no-install-recommends --no-upgrade \
            "python$version-venv"; } >/dev/null 2>&1 || true
        "$python" -m venv .venv >/dev/null 2>&1 && return
        rm -rf .venv
    fi
    fail "$python cannot make a virtual environment." \
        "  Debian, Ubuntu:  sudo apt-get install python$version-venv" \
        "Then run make again."
}

# Only then is it ours to install: the system's own Python, without ensurepip, and we may.
lacks_debian_package() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 &&
        "$1" -c 'import sys; sys.exit(sys.base_prefix != "/usr")' &&
        ! "$1" -c 'import ensurepip' >/dev/null 2>&1
}

# uv is several times faster; pip does the same where uv cannot (no wheel, an index only pip knows).
install() {
    if [ ! -x .venv/bin/uv ]; then
        .venv/bin/python -m pip install --quiet "$(grep '^uv==' requirements/dev.txt)" 2>/dev/null || true
    fi
    if [ -x .venv/bin/uv ] && .venv/bin/uv pip install --quiet --python .venv/bin/python "$@" 2>.venv/uv.log; then
        return
    fi
    .venv/bin/python -m pip --version >/dev/null 2>&1 || .venv/bin/python -m ensurepip >/dev/null
    .venv/bin/python -m pip install --quiet "$@" || fail "The packages of $list could not be installed." \
        "Is there a network, and an index that pip can reach?"
}

if [ ! -x .venv/bin/python ]; then
    make_venv "$(find_python)"
fi
echo "Installing $list into .venv ..."
install -r "$list"
install --no-deps --no-build-isolation -e .
# Start-up is several times slower without compiled modules, and some machines never write them.
.venv/bin/python -m compileall -q -x '/(tests?|node_modules)/' \
    src "$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" >/dev/null 2>&1 || true
