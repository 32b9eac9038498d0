#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Puts the Wireshark plugin where the user's Wireshark finds it: root's into the
# folder of all users (Wireshark loads none from root's home), other people's
# into their home.  "rung doctor" then says whether it is found.
#
# Usage: sh tools/install-plugin.sh [BUILD_DIR]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}

set -- "$build"/plugins/*/epan/rung.so
if [ ! -f "$1" ]; then
    echo "There is no plugin in $build/plugins: install libwireshark-dev and" \
        'libglib2.0-dev, then build.' >&2
    exit 1
fi
for plugin in "$@"; do
    release=$(basename "$(dirname "$(dirname "$plugin")")")
    if [ "$(id -u)" = 0 ]; then
        dir=$(pkg-config --variable=plugindir wireshark)
        [ "$(basename "$dir")" = "$release" ] || {
            echo "The plugin is for Wireshark $release, not for $dir" >&2
            exit 1
        }
    else
        dir=$HOME/.local/lib/wireshark/plugins/$release
    fi
    mkdir -p "$dir/epan"
    install -m 644 "$plugin" "$dir/epan/rung.so"
    echo "$dir/epan/rung.so"
done
echo 'Colours: import dissector/colorfilters in View > Coloring Rules.'
