#!/bin/sh
# Renews the locked versions: for the image with hashes, and for `make setup` without. `make lock` calls it.
set -eu
cd "$(dirname -- "$0")/.."
uv=${UV:-uv}

locked() {
    "$uv" pip compile --quiet --universal --python-version 3.11 --custom-compile-command "make lock" --no-annotate "$@"
}

locked pyproject.toml --generate-hashes --output-file docker/requirements.lock
echo "hatchling>=1.27" | locked - --generate-hashes --output-file docker/build.lock
locked pyproject.toml --all-extras --output-file docker/constraints.txt
