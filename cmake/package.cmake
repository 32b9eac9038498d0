# SPDX-License-Identifier: BSD-2-Clause
# What is installed, and the Debian package: cmake --build BUILD --target package
#
# The manual is made from the option tables of the program and from docs/.
include(GNUInstallDirs)
# Installing does not build: what is there is installed.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(manual ${PROJECT_BINARY_DIR}/manual)
file(GLOB manual_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
add_custom_command(OUTPUT ${manual}/bash/rung
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/manual.py
            $<TARGET_FILE:rung> ${PROJECT_SOURCE_DIR} ${manual}
    DEPENDS rung ${PROJECT_SOURCE_DIR}/tools/manual.py ${manual_sources}
    COMMENT "Manual and completions" VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual}/bash/rung)

install(TARGETS rung)
install(DIRECTORY ${manual}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${manual}/bash/rung
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/zsh/_rung
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${manual}/fish/rung.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/editors/vim/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/vim/vimfiles)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/editors/vscode
        DESTINATION ${CMAKE_INSTALL_DATADIR}/rung)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/
        DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN *.md PATTERN *.json)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
        DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
if(MUTANTS)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/mutants
                      ${PROJECT_BINARY_DIR}/variants
            DESTINATION lib/rung
            FILES_MATCHING PATTERN *.so PATTERN kills.json)
    # Files that are no targets are not stripped by themselves.
    install(CODE "
        set(dir \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/rung\")
        file(GLOB modules \${dir}/mutants/*.so \${dir}/variants/*.so)
        execute_process(COMMAND ${CMAKE_STRIP} --strip-unneeded \${modules}
                        COMMAND_ERROR_IS_FATAL ANY)")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rung)
set(CPACK_PACKAGE_CONTACT "the rung authors <rung@invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "conformance tests of reliable datagram transports")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.34), libjansson4, libisal2")
include(CPack)
