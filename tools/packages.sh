# SPDX-License-Identifier: BSD-2-Clause
# Sourced: need_packages NAME... installs what of it is missing, and asks the
# package lists again only then.
need_packages() {
    missing=
    for package in "$@"; do
        if ! dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null |
            grep -q '^install ok installed'; then
            missing="$missing $package"
        fi
    done
    [ -z "$missing" ] && return 0
    as_root=
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "These packages are missing, and there is no sudo to install" \
                "them with:$missing" >&2
            return 1
        fi
        as_root=sudo
    fi
    echo "Installing:$missing"
    # shellcheck disable=SC2086 # a list of words is meant
    $as_root env DEBIAN_FRONTEND=noninteractive sh -c '
        apt-get update -qq &&
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    ' sh $missing
}

# What the program, its mutants and its unit tests are built with.
BUILD_PACKAGES="gcc libc6-dev cmake ninja-build pkg-config python3
    libjansson-dev libisal-dev libpcap-dev libnet1-dev libxdp-dev
    libbpf-dev zlib1g-dev libzstd-dev libssl-dev libyaml-dev libsqlite3-dev libcmocka-dev libwireshark-dev libglib2.0-dev"
# What the checks need besides.
CHECK_PACKAGES="clang libclang-rt-14-dev clang-format chromium
    libxml2-utils groff tshark binutils zsh fish iproute2 libcap2-bin
    libfabric-dev libibverbs-dev golang-go dpkg-dev debootstrap lintian
    python3-markdown libjs-lunr"
# What --nightly needs besides: the window of Wireshark, a Slurm cluster.
NIGHTLY_PACKAGES="wireshark xvfb slurm-wlm munge"
