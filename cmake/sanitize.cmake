# SPDX-License-Identifier: BSD-2-Clause
# -DSANITIZE=address,undefined
#
# What gcc's UBSan adds to an addition or a shift makes gcc warn of conversions
# that the source does not have; the builds without it keep those warnings.
set(SANITIZE "" CACHE STRING "sanitizers to build with, comma separated")
add_library(sanitize INTERFACE)
if(SANITIZE)
    target_compile_options(sanitize INTERFACE
        -fsanitize=${SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
        $<$<C_COMPILER_ID:GNU>:-Wno-conversion;-Wno-sign-conversion>)
    target_link_options(sanitize INTERFACE -fsanitize=${SANITIZE})
endif()
