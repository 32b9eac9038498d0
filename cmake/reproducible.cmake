# SPDX-License-Identifier: BSD-2-Clause
# The same sources give the same bytes in any folder: the compiler writes no
# name of a folder into a program or its debug information.  gcc takes the last
# option that fits, so the build folder, often inside the sources, comes last.
include(CheckCCompilerFlag)
check_c_compiler_flag(-ffile-prefix-map=/a=b HAVE_FILE_PREFIX_MAP)
if(HAVE_FILE_PREFIX_MAP)
    add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.
                        -ffile-prefix-map=${PROJECT_BINARY_DIR}=./build)
endif()
