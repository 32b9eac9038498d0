# SPDX-License-Identifier: BSD-2-Clause
# -DSANITIZE=address,undefined
#
# What gcc's sanitizers add to an addition, a shift or a call makes gcc warn of
# conversions, lengths and unset variables that the source does not have; the
# builds without them keep those warnings.
set(SANITIZE "" CACHE STRING "sanitizers to build with, comma separated")
add_library(sanitize INTERFACE)
if(SANITIZE)
    set(quiet conversion sign-conversion array-bounds format-overflow
        format-truncation maybe-uninitialized nonnull restrict stringop-overflow
        stringop-overread stringop-truncation)
    list(TRANSFORM quiet PREPEND -Wno-)
    target_compile_options(sanitize INTERFACE
        -fsanitize=${SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
        "$<$<C_COMPILER_ID:GNU>:${quiet}>")
    target_link_options(sanitize INTERFACE -fsanitize=${SANITIZE})
endif()

# faster_sanitizers(TARGET): without optimisation, sanitizers make a call of each
# access to memory.
function(faster_sanitizers target)
    if(SANITIZE)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O1>)
    endif()
endfunction()
