# SPDX-License-Identifier: BSD-2-Clause
# -DPROFILE=count builds a program that counts how often each branch is taken,
# in a .gcda file beside each object.  -DPROFILE=use optimises the same objects
# by these counts.  tools/optimised.sh does both, with the runs between them.
set(PROFILE "" CACHE STRING "count: the program counts branches; use: they optimise it")
set_property(CACHE PROFILE PROPERTY STRINGS "" count use)
if(PROFILE AND NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
    message(FATAL_ERROR "PROFILE needs gcc")
endif()
if(PROFILE STREQUAL "count")
    add_compile_options(-fprofile-generate)
    add_link_options(-fprofile-generate)
elseif(PROFILE STREQUAL "use")
    # Code that the counted runs do not reach is optimised as without counts.
    # The library and the plugin have files that the program lacks.  Commands
    # with threads lose some counts, which -fprofile-correction allows.
    add_compile_options(-fprofile-use -fprofile-correction
                        -fprofile-partial-training -Wno-missing-profile)
    add_link_options(-fprofile-use)
elseif(PROFILE)
    message(FATAL_ERROR "PROFILE is neither count nor use: ${PROFILE}")
endif()
