#!/bin/sh
# Get the programs that tests need: Chromium, RabbitMQ, a C compiler. (PostgreSQL comes as a Python
# package.)
# What is there already is used; what cannot be had is told, and its tests say so themselves.
set -u

has_chromium() {
    [ -n "${PAGELOOM_CHROMIUM:-}" ] && return
    for name in chromium chromium-browser chromium-headless-shell google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null 2>&1 && return
    done
    [ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ] ||
        [ -x "/Applications/Chromium.app/Contents/MacOS/Chromium" ]
}

has_rabbitmq() {
    for place in /usr/lib/rabbitmq/bin /opt/homebrew/opt/rabbitmq/sbin /usr/local/opt/rabbitmq/sbin; do
        [ -x "$place/rabbitmq-server" ] && return
    done
    return 1
}

has_compiler() {
    headers=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("include"))')
    command -v "${CC:-cc}" >/dev/null 2>&1 && [ -e "$headers/Python.h" ]
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_use_apt() {
    command -v apt-get >/dev/null 2>&1 && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }
}

# A package that starts itself would take the default ports; tests start their own, elsewhere.
apt_install() {
    as_root sh -c 'export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
        apt-get -qq update; apt-get -qq install -y --no-install-recommends "$@"' sh "$@" >/dev/null 2>&1
}

get() {
    echo "Installing $*, which the tests need ..."
    if may_use_apt; then
        apt_install "$@"
    elif command -v brew >/dev/null 2>&1 && [ "$1" = rabbitmq-server ]; then
        brew install --quiet rabbitmq >/dev/null 2>&1
    fi || true
}

has_chromium || get chromium
has_rabbitmq || get rabbitmq-server
has_compiler || get gcc libc6-dev python3-dev
has_chromium || echo "Chromium could not be installed here: tests of rendering will not run." >&2
has_rabbitmq || echo "RabbitMQ could not be installed here: tests of the agents will not run." >&2
has_compiler || echo "A C compiler could not be installed here: tests of the compiled wheel will not run." >&2
exit 0
