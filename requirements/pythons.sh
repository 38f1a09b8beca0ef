#!/bin/sh
# Run the fast tests with every supported Python that can be had: found on this machine, or fetched by uv.
# Usage: make pythons [VERSIONS="3.12 3.13"]
set -u
[ $# -gt 0 ] || set -- 3.11 3.12 3.13 3.14
uv=.venv/bin/uv

# pyenv's own commands fail for a version that is not chosen, so its folders are looked into.
find_python() {
    for place in "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin; do
        [ -x "$place/python$1" ] && echo "$place/python$1" && return
    done
    "$uv" python find --quiet --no-python-downloads --no-project "$1" 2>/dev/null && return
    "$uv" python install --quiet "$1" 2>/dev/null && "$uv" python find --quiet --no-project "$1" 2>/dev/null
}

try() {
    python=$(find_python "$1") || return 2
    venv=build/python-$1
    "$uv" venv --quiet --clear --python "$python" "$venv" &&
        "$uv" pip install --quiet --python "$venv/bin/python" -r requirements/dev.txt &&
        "$uv" pip install --quiet --python "$venv/bin/python" --no-deps --no-build-isolation -e . &&
        "$venv/bin/python" -m pytest -q -n auto --dist worksteal $FAST
}

code=0
for version in "$@"; do
    echo "Python $version ..."
    try "$version"
    case $? in
    0) results="${results:-}  $version  passed\n" ;;
    2) results="${results:-}  $version  not tried: it is not on this machine, and uv cannot fetch it\n" ;;
    *) results="${results:-}  $version  FAILED\n" code=1 ;;
    esac
done
printf '\n%b' "$results"
exit "$code"
