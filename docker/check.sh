#!/bin/sh
# What can be tried of the image without a container engine: its files are linted, its steps are run in a folder of
# their own, and what they made is run as the image would run it. `make docker-check` calls it, with the linters on PATH.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/dogear-image-XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work" # the embedded database's user must get in

echo "Linting ..."
hadolint "$here/Dockerfile"
shellcheck "$here"/*.sh
check-jsonschema --quiet --builtin-schema vendor.compose-spec "$here/compose.yaml" "$here/compose.local-model.yaml"
if command -v systemd-analyze >/dev/null; then
    for unit in "$here"/systemd/*.service; do
        sed 's#/opt/dogear/bin/dogear#/bin/true#' "$unit" >"$work/$(basename "$unit")"
    done
    systemd-analyze verify "$work/dogear.service" "$work/dogear-worker@.service"
fi

echo "Building, as the image does ..."
sh "$here/build.sh" dependencies "$work/dogear"
sh "$here/build.sh" program "$work/dogear"
if [ -e "$work/dogear/bin/pip" ]; then
    echo "There is a pip in what is shipped." >&2
    exit 1
fi

if command -v ldd >/dev/null; then
    echo "Looking for libraries that a slim base would lack ..."
    # glibc, and what Debian's slim images have for apt: everything else must come in the wheels
    allowed='lib(c|m|dl|pthread|rt|util|resolv|stdc\+\+|gcc_s|z)\.so|ld-linux|linux-vdso'
    find "$work/dogear" -name '*.so*' -type f -exec ldd {} + 2>/dev/null | awk '/=>/ && $3 !~ /dogear-image/ {print $1}' |
        sort -u | grep -Ev "$allowed" >"$work/lacking" || true
    if [ -s "$work/lacking" ]; then
        cat "$work/lacking" >&2
        exit 1
    fi
fi

echo "Running it ..."
cd "$work" # away from the sources: what runs is what was built
run() {
    env -i PATH="$work/dogear/bin:/usr/bin:/bin" DOGEAR_HOME="$work/home" DOGEAR_EMBEDDER=minilm dogear "$@"
}
run --version
run db upgrade
run doctor
run try --tour </dev/null | tail -n 3
DOGEAR_HEALTH=127.0.0.1:18642
env -i PATH="$work/dogear/bin:/usr/bin:/bin" DOGEAR_HOME="$work/home" DOGEAR_HEALTH=$DOGEAR_HEALTH dogear run --no-worker &
running=$!
tries=0
until env -i PATH="$work/dogear/bin:/usr/bin:/bin" DOGEAR_HEALTH=$DOGEAR_HEALTH dogear health 2>/dev/null; do
    tries=$((tries + 1))
    if [ "$tries" -gt 60 ]; then
        echo "It never became ready." >&2
        kill "$running"
        exit 1
    fi
    sleep 1
done
kill -TERM "$running"
wait "$running"
echo "All of it works here. What is left for a real engine stands in docs/manual-check.md."
