#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the pictures of docs/wireshark.md: Wireshark with the plugin and the
# colour rules, on a screen that nobody sees.  Needs wireshark, xvfb, xdotool and
# imagemagick; no part of tools/check.sh.
#
# Usage: sh tools/screenshots.sh [BUILD_DIR]
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

mkdir -p "$temp/home/.config/wireshark" "$temp/run" docs/img
chmod 700 "$temp/run"
cp dissector/colorfilters "$temp/home/.config/wireshark/"
cp -r "$build/plugins" "$temp/"
cp dissector/golden/repair.pcap dissector/golden/wqe_bitmap.pcap \
    dissector/golden/roce_repair.pcap "$temp/"
"$build/bin/rung" run --dut virtual --mutant cack-over-uncleared --quiet \
    --out "$temp/out" uet/rud/send-gtd@target >"$temp/run.log" || true
cp "$temp/out/cases/uet/rud/send-gtd@target/capture.pcapng" \
    "$temp/send-gtd.pcapng"

# shot CAPTURE FRAME Y: the packet, with the tree at height Y opened.  RPCoRDMA,
# of Wireshark, stumbles over a send of which a part is lost.
cat >"$temp/shot" <<'END'
Xvfb :78 -screen 0 1280x800x24 >/dev/null 2>&1 &
screen=$!
export DISPLAY=:78 QT_QPA_PLATFORM=xcb
sleep 1
wireshark --disable-protocol rpcordma -r "$1" -g "$2" \
    >"$PWD/wireshark.log" 2>&1 &
shark=$!
until id=$(xdotool search --name "$(basename "$1")"); do sleep 1; done
sleep 5
id=$(echo "$id" | tail -n 1)
xdotool windowsize "$id" 1280 800 windowmove "$id" 0 0
sleep 3
xdotool mousemove 11 "$3" click 1
sleep 2
import -window root shot.png
kill $shark $screen
wait
END

shot() {
    set -- "$1" "$2" "$3" "$4" env HOME="$temp/home" \
        XDG_RUNTIME_DIR="$temp/run" WIRESHARK_PLUGIN_DIR="$temp/plugins"
    name=$1 capture=$2 frame=$3 y=$4
    shift 4
    # Root's Wireshark loads no plugin from a folder: be nobody.
    if [ "$(id -u)" = 0 ]; then
        chown -R 65534:65534 "$temp"
        set -- setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    fi
    (cd "$temp" && "$@" sh shot "$temp/$capture" "$frame" "$y")
    convert "$temp/shot.png" +dither -colors 96 "PNG8:docs/img/$name.png"
    rm -f "$temp/shot.png"
}

shot wireshark-repair repair.pcap 8 514
shot wireshark-finding send-gtd.pcapng 4 531
shot wireshark-wqe wqe_bitmap.pcap 5 514
shot wireshark-roce roce_repair.pcap 7 548
ls -l docs/img
