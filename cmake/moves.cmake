# SPDX-License-Identifier: BSD-2-Clause
# The moves of rung explore: generated/moves.c holds a table for each
# suite/explore/script/*.moves.
set(MOVES_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/moves.py)

# embed_moves(TARGET) adds that file to the sources of a target.
function(embed_moves target)
    set(out ${PROJECT_BINARY_DIR}/generated/moves.c)
    file(GLOB files CONFIGURE_DEPENDS
         ${PROJECT_SOURCE_DIR}/suite/explore/script/*.moves)
    add_custom_command(OUTPUT ${out}
        COMMAND ${Python3_EXECUTABLE} ${MOVES_SCRIPT} ${out} ${files}
        DEPENDS ${files} ${MOVES_SCRIPT}
        COMMENT "Embedding moves" VERBATIM)
    target_sources(${target} PRIVATE ${out})
endfunction()
