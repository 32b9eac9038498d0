# SPDX-License-Identifier: BSD-2-Clause
# The Lua dissector of bench/ is the one that the wire tables make today.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE now RESULT_VARIABLE failed)
file(READ ${WANTED} was)
if(failed OR NOT now STREQUAL was)
    message(FATAL_ERROR "The tables have changed: bench_lua > bench/uet.lua")
endif()
