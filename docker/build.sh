#!/bin/sh
# The steps of the image, apart from it so that they can be tried without a container: see check.sh.
#   build.sh dependencies TARGET    an environment in TARGET with everything that is locked, by hash, without a compiler
#   build.sh program TARGET         Dogear itself, built of the folder above
set -eu
step=$1
target=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
python=${PYTHON:-python3}

locked() {
    "$python" -m pip --python "$1" install --quiet --disable-pip-version-check --root-user-action=ignore --no-cache-dir \
        --only-binary=:all: --require-hashes --requirement "$2"
}

case $step in
dependencies)
    "$python" -m venv --without-pip "$target"
    locked "$target/bin/python" "$here/requirements.lock"
    ;;
program)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    "$python" -m venv --without-pip "$work/build"
    locked "$work/build/bin/python" "$here/build.lock"
    (cd "$here/.." && "$work/build/bin/python" -m hatchling build --target wheel --directory "$work/wheel")
    "$python" -m pip --python "$target/bin/python" install --quiet --disable-pip-version-check \
        --root-user-action=ignore --no-cache-dir --no-index --no-deps "$work"/wheel/dogear-*.whl
    "$target/bin/python" -m compileall -q "$target/lib"
    ;;
*)
    echo "build.sh: dependencies or program, and a folder" >&2
    exit 2
    ;;
esac
