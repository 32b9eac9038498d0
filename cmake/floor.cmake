# SPDX-License-Identifier: BSD-2-Clause
include(CheckCCompilerFlag)

# GCC zeroes a struct of some cache lines by "rep stos", which is slow to begin.
set(FLOOR_ZEROES -mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign)
check_c_compiler_flag(${FLOOR_ZEROES} HAVE_FLOOR_ZEROES)

# floor(NAME [FAST] [BELOW target...])
#
# One folder, one static library of the same name: every x.c in it and in its
# rooms, and every x_test.c beside them as an executable and a test NAME.x of
# its own.
# Tests link the floor whole, so nothing is built twice.  A folder without any
# source is an empty floor: FLOORS_EMPTY names it, and what needs it is left
# out of the build.  FAST: what every packet of a capture goes through is
# optimised for speed alone.
function(floor name)
    cmake_parse_arguments(F "FAST" "" "BELOW" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS
         ${PROJECT_SOURCE_DIR}/${name}/*.c)
    file(GLOB_RECURSE tests CONFIGURE_DEPENDS
         ${PROJECT_SOURCE_DIR}/${name}/*_test.c)
    # The entry of a mutant is built into the mutants, not into the floor.
    list(FILTER sources EXCLUDE REGEX "(_test|/mutant_entry)\\.c$")
    if(NOT sources)
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE ${F_BELOW})
        set_property(GLOBAL APPEND PROPERTY FLOORS_EMPTY ${name})
        return()
    endif()
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}
                                              ${PROJECT_BINARY_DIR}/generated)
    target_link_libraries(${name} PUBLIC ${F_BELOW} PRIVATE warnings sanitize)
    if(F_FAST)
        target_compile_options(${name} PRIVATE
            $<$<CONFIG:RelWithDebInfo,Release>:-O3>
            $<$<AND:$<CONFIG:RelWithDebInfo,Release>,$<BOOL:${HAVE_FLOOR_ZEROES}>>:${FLOOR_ZEROES}>)
    endif()
    faster_sanitizers(${name})
    if(NOT BUILD_TESTING)
        return()
    endif()
    foreach(test ${tests})
        get_filename_component(stem ${test} NAME_WE)
        string(REGEX REPLACE "_test$" "" word ${stem})
        add_executable(${name}_${stem} ${test})
        target_link_libraries(${name}_${stem} PRIVATE ${name} PkgConfig::cmocka
                                                      warnings sanitize)
        set_target_properties(${name}_${stem} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
        add_test(NAME ${name}.${word} COMMAND ${name}_${stem}
                 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
        set_tests_properties(${name}.${word} PROPERTIES TIMEOUT 60)
    endforeach()
endfunction()
