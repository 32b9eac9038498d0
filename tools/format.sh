#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Formats the C files of the tree in place, or those that are named.
set -eu
cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then
    exec clang-format -i "$@"
fi
for floor in base wire oracle judge gen suite fabric reports cli dissector fuzz bench tests; do
    find "$floor" -name '*.[ch]' -exec clang-format -i {} +
done
