# SPDX-License-Identifier: BSD-2-Clause
# Case files inside the program: generated/embedded.c holds every cases/**/*.lad,
# *.mut and *.var, compressed, with its path below cases/ as name, sorted.
#
# The list is looked up again when a file comes or goes, the C file is written
# again when one of them changes.
set(EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed.py)

# embed_cases(TARGET) adds that file to the sources of a target.
function(embed_cases target)
    set(dir ${PROJECT_SOURCE_DIR}/cases)
    set(out ${PROJECT_BINARY_DIR}/generated/embedded.c)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${dir}/*.lad ${dir}/*.mut
         ${dir}/*.var)
    list(SORT files)
    file(CONFIGURE OUTPUT ${out}.list CONTENT "${files}" @ONLY)
    add_custom_command(OUTPUT ${out}
        COMMAND ${Python3_EXECUTABLE} ${EMBED_SCRIPT} ${dir} ${out}.list ${out}
        DEPENDS ${files} ${out}.list ${EMBED_SCRIPT}
        COMMENT "Embedding case files" VERBATIM)
    target_sources(${target} PRIVATE ${out})
endfunction()
