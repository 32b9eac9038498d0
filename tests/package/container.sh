#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds packaging/Dockerfile by podman and runs the image.  The base image is a
# root of debootstrap, so that no image registry is asked.
#
# Usage: tests/package/container.sh DIR      DIR holds rung_*.deb
#        ROOT=FOLDER                         a root that debootstrap made before
# Exit status: 0 all is well, 1 not, 77 podman is missing or cannot run here.
set -u
cd "$(dirname "$0")/../.." || exit 2
debs=${1:?Usage: tests/package/container.sh DIR}
root=${ROOT:?ROOT must name a root that debootstrap made}
skip() {
    echo "container: skipped: $*" >&2
    exit 77
}
command -v podman >/dev/null || skip 'podman is not installed'
work=$(mktemp -d /var/tmp/rung-image.XXXXXX) || exit 2
trap 'podman --root "$work/s" --runroot "$work/r" system reset --force >/dev/null 2>&1
    rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
pod() {
    podman --root "$work/s" --runroot "$work/r" --storage-driver vfs \
        --cgroup-manager cgroupfs "$@"
}
tar -C "$root" -c . | pod import - localhost/base:12 >"$work/log" 2>&1 || {
    cat "$work/log"
    skip 'podman imports no root here'
}
pod build --network host --isolation chroot -f packaging/Dockerfile \
    --build-arg BASE=localhost/base:12 -t localhost/rung "$debs" || exit 1
# A step of a build needs less of the kernel than a container does.
printf 'FROM localhost/rung\nRUN rung run --dut virtual --quiet\n' \
    >"$work/Dockerfile"
pod build --network host --isolation chroot -f "$work/Dockerfile" "$work" ||
    exit 1
# crun refuses hybrid control groups, and limits above those of this shell.
runtime=
command -v runc >/dev/null && runtime='--runtime runc'
# shellcheck disable=SC2086
pod run $runtime --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 --rm \
    --network host localhost/rung run --dut virtual --quiet || {
    echo 'container: rung ran in a step of a build; podman runs no' \
        'containers here' >&2
    exit 77
}
echo 'ok      podman build, podman run'
