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
# Sets MUTANTS_LIST to the .mut files and VARIANTS_LIST to the .var files.
set(MUTATE ${PROJECT_SOURCE_DIR}/tools/mutate.py)

# |folder| is "mutants" or "variants": the target of all, and the output folder.
function(mutant folder file)
    get_filename_component(name ${file} NAME_WE)
    file(STRINGS ${file} line REGEX "^file " LIMIT_COUNT 1)
    string(REGEX REPLACE "^file +" "" victim "${line}")
    set(out ${PROJECT_BINARY_DIR}/generated/${folder}/${name}.c)
    add_custom_command(OUTPUT ${out}
        COMMAND ${Python3_EXECUTABLE} ${MUTATE} ${file}
                --root ${PROJECT_SOURCE_DIR} -o ${out}
        DEPENDS ${file} ${PROJECT_SOURCE_DIR}/${victim} ${MUTATE}
        COMMENT "Mutant ${name}" VERBATIM)
    get_target_property(floor_sources oracle SOURCES)
    set(sources ${floor_sources})
    list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/${victim})
    if(sources STREQUAL floor_sources)
        message(FATAL_ERROR "${file}: ${victim} is no file of the oracle")
    endif()
    # The rest of the oracle comes from its library: the linker takes the
    # mutated object first and never looks for the original.
    add_library(mutant_${name} MODULE ${out} $<TARGET_OBJECTS:mutant_entry>)
    # There are hundreds of them, and none is measured.
    target_compile_options(mutant_${name} PRIVATE -O1 -g0)
    target_include_directories(mutant_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(mutant_${name} PRIVATE oracle)
    target_link_options(mutant_${name} PRIVATE -Wl,-Bsymbolic
        -Wl,--exclude-libs,ALL -Wl,--no-undefined)
    set_target_properties(mutant_${name} PROPERTIES PREFIX ""
        OUTPUT_NAME ${name}
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
    add_dependencies(${folder} mutant_${name})
endfunction()

function(mutants)
    set(cases ${PROJECT_SOURCE_DIR}/cases)
    file(GLOB files CONFIGURE_DEPENDS ${cases}/mutants/*.mut)
    file(GLOB variants CONFIGURE_DEPENDS ${cases}/variants/*.var)
    add_custom_target(mutants ALL)
    add_custom_target(variants ALL)
    add_library(mutant_entry OBJECT ${PROJECT_SOURCE_DIR}/oracle/core/mutant_entry.c)
    target_include_directories(mutant_entry PRIVATE ${PROJECT_SOURCE_DIR})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                 ${files} ${variants})
    foreach(file ${files})
        mutant(mutants ${file})
    endforeach()
    foreach(file ${variants})
        file(STRINGS ${file} line REGEX "^file " LIMIT_COUNT 1)
        if(line)
            mutant(variants ${file})
        endif()
    endforeach()
    set(MUTANTS_LIST ${files} PARENT_SCOPE)
    set(VARIANTS_LIST ${variants} PARENT_SCOPE)
endfunction()
