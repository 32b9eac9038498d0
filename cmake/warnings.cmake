# SPDX-License-Identifier: BSD-2-Clause
# One set for the libraries, the tests and the fuzzers alike.
option(WERROR "warnings are errors" OFF)
add_library(warnings INTERFACE)
target_compile_options(warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef
    -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wcast-qual
    -Wformat=2 -Wswitch $<$<BOOL:${WERROR}>:-Werror>)

# assert() is part of the program: keep it in every build type.
foreach(type RELEASE RELWITHDEBINFO MINSIZEREL)
    string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_${type} "${CMAKE_C_FLAGS_${type}}")
endforeach()
