#!/bin/sh
# Sets up what Landfall needs: `sh setup.sh run` for the show, `sh setup.sh test` for its tests as well.
#
# A virtual environment in .venv with the packages of requirements*.txt, and on Debian-like systems the system packages
# below, where they are missing and this user may install them. A second run finds everything and is quick.
set -eu
cd "$(dirname "$0")"

what=${1:-run}
venv=.venv
py=$venv/bin/python
requirements=requirements.txt
[ "$what" = test ] && requirements=requirements-dev.txt
TEST_PACKAGES="xvfb xauth xdotool x11-utils evilwm x11-xserver-utils xscreensaver xscreensaver-gl dbus-daemon dbus-bin cage xwayland g++ osmium-tool osmcoastline gdal-bin tilemaker libxml2-utils patch chromium"

say() { printf 'landfall: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

debian_like() { command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
may_install() { debian_like && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; }
apt_install() { as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >&2; }

install() {
    say "installing the system packages $* with apt-get"
    apt_install "$@" || { as_root apt-get update -q >&2 && apt_install "$@"; }
}

fits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    for name in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        if fits "$name"; then
            echo "$name"
            return
        fi
    done
}

make_venv() {
    python=$(find_python)
    if [ -z "$python" ] && may_install; then
        install python3 python3-venv || true
        python=$(find_python)
    fi
    [ -n "$python" ] || die "no Python 3.11 or newer: install one, or name it as in 'make run PYTHON=/path/to/python3'"
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        may_install || die "$python cannot make a virtual environment: install $package (Debian's name)"
        install "$package" || die "$python cannot make a virtual environment: install its venv module"
    fi
    say "making the virtual environment $venv with $("$python" --version)"
    rm -rf "$venv"
    "$python" -m venv "$venv"
}

install_requirements() {
    stamp=$venv/landfall-$what.stamp
    wanted=$(cat requirements*.txt | cksum)
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && return
    say "installing $requirements into $venv"
    "$py" -m pip install --quiet --disable-pip-version-check -r "$requirements" ||
        die "the packages of $requirements could not be installed: see above"
    echo "$wanted" >"$stamp"
}

loads() { "$py" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$1" >/dev/null 2>&1; }

install_opengl() {
    debian_like || return 0
    missing=
    loads libEGL.so.1 || missing="$missing libegl1"
    loads libGL.so.1 || missing="$missing libgl1"
    [ -n "$missing" ] || return 0
    if may_install; then
        # shellcheck disable=SC2086  # a list of words
        install $missing || die "OpenGL could not be installed: see above"
    else
        say "OpenGL is missing and only root may install it: run 'sudo apt-get install$missing'"
    fi
}

install_test_packages() {
    debian_like || return 0
    missing=
    for package in $TEST_PACKAGES; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if may_install; then
        # shellcheck disable=SC2086
        install $missing || die "the tests' system packages could not be installed: see above"
    else
        say "tests that need$missing are skipped: only root may install them"
    fi
}

"$py" -c '' 2>/dev/null || make_venv
# Beside each other: one unpacks wheels, the other Debian's packages.
install_requirements &
packages=$!
install_opengl
[ "$what" != test ] || install_test_packages
wait "$packages"
