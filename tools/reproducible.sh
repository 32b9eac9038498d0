#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds the packages of the last commit twice, in two folders of other names
# and depths, without a compiler cache, and compares them byte for byte.
#
# Usage: tools/reproducible.sh            all but rung-mutants: 4 minutes
#        tools/reproducible.sh --mutants  all packages: half an hour
#        tools/reproducible.sh MUTANT...  rung-mutants with these alone
# Exit status: 0 if they are the same.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d /var/tmp/rung-twice.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1
unset CMAKE_C_COMPILER_LAUNCHER

mutants=OFF targets='rung plugin librung manual'
case ${1-} in
'') ;;
--mutants) mutants=ON targets="$targets mutants variants" ;;
*)
    mutants=ON
    for name in "$@"; do
        targets="$targets mutant_$name"
    done
    ;;
esac

# make_in SOURCE BUILD UMASK
make_in() {
    umask "$3"
    mkdir -p "$1"
    git archive "$commit" | tar -x -C "$1"
    cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DBUILD_TESTING=OFF -DMUTANTS=$mutants >"$work/log"
    # shellcheck disable=SC2086
    cmake --build "$2" --target $targets >"$work/log"
    umask 022 # CPack writes it into the archive
    (cd "$2" && cpack -B "$2/packages" >"$work/log")
}

(make_in "$work/one" "$work/one/build" 022) || { cat "$work/log"; exit 1; }
(make_in "$work/another/name/for/it" "$work/elsewhere/b" 077) || {
    cat "$work/log"
    exit 1
}
different=0
for one in "$work"/one/build/packages/*.deb; do
    two=$work/elsewhere/b/packages/$(basename "$one")
    if cmp "$one" "$two"; then
        (cd "$(dirname "$one")" && sha256sum "$(basename "$one")")
    else
        different=1
        rm -rf "$work/x" "$work/y"
        dpkg-deb -R "$one" "$work/x"
        dpkg-deb -R "$two" "$work/y"
        diff -rq "$work/x" "$work/y" || true
        dpkg-deb -c "$one" >"$work/x.list"
        dpkg-deb -c "$two" | diff "$work/x.list" - || true
    fi
done
if grep -rl "$work" "$work"/one/build/bin "$work"/one/build/plugins; then
    echo 'These hold the name of the folder.'
    different=1
fi
[ $different = 0 ] && echo 'The same bytes.'
exit $different
