# SPDX-License-Identifier: BSD-2-Clause
# mutants()
#
# One module mutants/NAME.so per cases/mutants/NAME.mut: the file it names
# recompiled with its lines replaced, everything else linked in as it is.  It
# exports orc_api_get alone, and its own symbols bind to itself, so that it
# shares nothing with the reference in the program that loads it.  Variants,
# variants/NAME.so from cases/variants/NAME.var, are built in the same way, if
# they have a file line; the others need no code.
#
# Sets MUTANTS_LIST to the .mut files, VARIANTS_LIST to the .var files.
set(MUTATE ${PROJECT_SOURCE_DIR}/tools/mutate.py)

# Writes generated/FOLDER/NAME.c for each of |files|, all of which change
# |victim|: one start of Python for a dozen of them.  A source that stays as it
# was is not written, so that it is not compiled again.
function(mutant_sources folder victim files)
    set(dir ${PROJECT_BINARY_DIR}/generated/${folder})
    set(outs "")
    foreach(file ${files})
        get_filename_component(name ${file} NAME_WE)
        list(APPEND outs ${dir}/${name}.c)
    endforeach()
    add_custom_command(OUTPUT ${outs}
        COMMAND ${Python3_EXECUTABLE} ${MUTATE} ${files}
                --root ${PROJECT_SOURCE_DIR} --folder ${dir}
        DEPENDS ${PROJECT_SOURCE_DIR}/${victim} ${files} ${MUTATE}
        COMMENT "Sources of ${folder} of ${victim}" VERBATIM)
endfunction()

# |folder| is also the target of all: "mutants" or "variants".
function(mutant folder name)
    # The rest of the oracle comes from its library: the linker takes the
    # mutated object first and never looks for the original.
    add_library(mutant_${name} MODULE $<TARGET_OBJECTS:mutant_entry>
                ${PROJECT_BINARY_DIR}/generated/${folder}/${name}.c)
    # There are hundreds of them, and none is measured or debugged.
    # Most warnings are off, as a bug may leave a variable unused.
    target_compile_options(mutant_${name} PRIVATE -O1 -g0
                           -Werror=implicit-function-declaration)
    target_include_directories(mutant_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(mutant_${name} PRIVATE oracle)
    target_link_options(mutant_${name} PRIVATE -Wl,-Bsymbolic
        -Wl,--exclude-libs,ALL -Wl,--no-undefined -Wl,--strip-debug)
    set_target_properties(mutant_${name} PROPERTIES PREFIX ""
        OUTPUT_NAME ${name}
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
    add_dependencies(${folder} mutant_${name})
endfunction()

# All of |files| that name a file of the oracle.
function(mutants_of folder files)
    add_custom_target(${folder} ALL)
    get_target_property(oracle oracle SOURCES)
    set(victims "")
    foreach(file ${files})
        file(STRINGS ${file} line REGEX "^file " LIMIT_COUNT 1)
        if(NOT line)
            continue()
        endif()
        string(REGEX REPLACE "^file +" "" victim "${line}")
        if(NOT ${PROJECT_SOURCE_DIR}/${victim} IN_LIST oracle)
            message(FATAL_ERROR "${file}: ${victim} is no file of the oracle")
        endif()
        list(APPEND victims ${victim})
        list(APPEND of_${victim} ${file})
        get_filename_component(name ${file} NAME_WE)
        mutant(${folder} ${name})
    endforeach()
    list(REMOVE_DUPLICATES victims)
    foreach(victim ${victims})
        mutant_sources(${folder} ${victim} "${of_${victim}}")
    endforeach()
endfunction()

function(mutants)
    set(cases ${PROJECT_SOURCE_DIR}/cases)
    file(GLOB files CONFIGURE_DEPENDS ${cases}/mutants/*.mut)
    file(GLOB variants CONFIGURE_DEPENDS ${cases}/variants/*.var)
    add_library(mutant_entry OBJECT ${PROJECT_SOURCE_DIR}/oracle/core/mutant_entry.c)
    target_include_directories(mutant_entry PRIVATE ${PROJECT_SOURCE_DIR})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                 ${files} ${variants})
    mutants_of(mutants "${files}")
    mutants_of(variants "${variants}")
    # Those that no case finds, but a fabric does (tests/fabric/mutants.py).
    file(GLOB fabrics CONFIGURE_DEPENDS
         ${PROJECT_SOURCE_DIR}/tests/fabric/*.mut)
    mutants_of(fabric-mutants "${fabrics}")
    set(MUTANTS_LIST ${files} PARENT_SCOPE)
    set(VARIANTS_LIST ${variants} PARENT_SCOPE)
endfunction()
