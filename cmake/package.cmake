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
            ${PROJECT_SOURCE_DIR}/packaging/changelog
    COMMENT "Manual and completions" VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual}/bash/rung)

# Packages must not depend on the umask of whoever builds them.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(modes FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

# ---- rung: the program, its manual, its documents ----
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME rung)
set(components rung)
install(TARGETS rung)
install(DIRECTORY ${manual}/packed/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} ${modes})
install(FILES ${manual}/bash/rung
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/zsh/_rung
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${manual}/fish/rung.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/editors/vim/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/vim/vimfiles ${modes})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/editors/vscode
        DESTINATION ${CMAKE_INSTALL_DATADIR}/rung ${modes})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/
        DESTINATION ${CMAKE_INSTALL_DOCDIR} ${modes}
        FILES_MATCHING PATTERN *.md PATTERN *.json PATTERN *.py PATTERN *.c
                       PATTERN *.yml PATTERN Jenkinsfile)

# ---- rung-mutants: wrong endpoints and variants, loaded by --mutant ----
if(MUTANTS)
    list(APPEND components mutants)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/mutants
                      ${PROJECT_BINARY_DIR}/variants
            DESTINATION lib/rung COMPONENT mutants ${modes}
            FILES_MATCHING PATTERN *.so PATTERN kills.json PATTERN passes.json)
    # Files that are no targets are not stripped by themselves.
    install(CODE "
        set(dir \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/rung\")
        file(GLOB modules \${dir}/mutants/*.so \${dir}/variants/*.so)
        execute_process(COMMAND ${CMAKE_STRIP} --strip-unneeded
                        --remove-section=.comment \${modules}
                        COMMAND_ERROR_IS_FATAL ANY)" COMPONENT mutants)
endif()

# ---- rung-wireshark: the plugin, colours, a profile with columns ----
if(TARGET plugin)
    list(APPEND components wireshark)
    pkg_get_variable(wireshark_plugins wireshark plugindir)
    set(share ${CMAKE_INSTALL_DATADIR}/wireshark)
    install(TARGETS plugin DESTINATION ${wireshark_plugins}/epan
            COMPONENT wireshark)
    install(FILES ${PROJECT_SOURCE_DIR}/dissector/profile/preferences
                  ${PROJECT_SOURCE_DIR}/dissector/colorfilters
            DESTINATION ${share}/profiles/rung COMPONENT wireshark)
    install(FILES ${PROJECT_SOURCE_DIR}/docs/wireshark.md
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/rung-wireshark
            COMPONENT wireshark)
endif()

# ---- librung0 and librung-dev: the library; lib/CMakeLists.txt installs it ----
if(TARGET librung)
    list(APPEND components lib dev)
    file(READ ${PROJECT_SOURCE_DIR}/lib/rung.map map)
    string(REGEX MATCHALL "rung_[a-z_]+" symbols "${map}")
    list(SORT symbols)
    set(list "librung.so.0 librung0 #MINVER#\n RUNG_0.1@RUNG_0.1 0.1.0\n")
    foreach(symbol ${symbols})
        string(APPEND list " ${symbol}@RUNG_0.1 0.1.0\n")
    endforeach()
    set(control ${PROJECT_BINARY_DIR}/librung0)
    file(WRITE ${control}/symbols "${list}")
    file(WRITE ${control}/shlibs "librung 0 librung0 (>= 0.1.0)\n")
    file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
    set(CPACK_DEBIAN_LIB_PACKAGE_CONTROL_EXTRA
        ${control}/symbols ${control}/shlibs ${control}/triggers)
endif()

# What Debian wants to find in the folder of each package.
set(package_of_rung rung)
set(package_of_mutants rung-mutants)
set(package_of_wireshark rung-wireshark)
set(package_of_lib librung0)
set(package_of_dev librung-dev)
foreach(component ${components})
    set(package ${package_of_${component}})
    list(APPEND package_names ${package})
    set(doc ${CMAKE_INSTALL_DATADIR}/doc/${package})
    install(FILES ${PROJECT_SOURCE_DIR}/packaging/copyright
            DESTINATION ${doc} COMPONENT ${component})
    install(FILES ${manual}/packed/changelog.gz
            DESTINATION ${doc} COMPONENT ${component})
    install(FILES ${PROJECT_SOURCE_DIR}/packaging/${package}.lintian-overrides
            DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
            RENAME ${package} COMPONENT ${component} OPTIONAL)
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rung)
set(CPACK_PACKAGE_CONTACT "the rung authors <rung@rung.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_RUNG_PACKAGE_NAME rung)
set(CPACK_DEBIAN_RUNG_PACKAGE_SUGGESTS "rung-wireshark, rung-mutants")
set(CPACK_COMPONENT_RUNG_DESCRIPTION
"conformance tests of reliable datagram transports
rung tests one end of Ultra Ethernet's packet delivery sublayer, SRD, RoCEv2
or RoCEv2 with WQE headers, one packet at a time, and says requirement by
requirement whether the device behaved. It also judges captures.")
set(CPACK_COMPONENT_MUTANTS_DESCRIPTION
"wrong endpoints that show what a test of rung finds
Each module is the reference endpoint of rung with one bug in it, or another
correct endpoint. \"rung run --mutant NAME\" tests it.")
set(CPACK_COMPONENT_WIRESHARK_DESCRIPTION
"Wireshark plugin for reliable datagram transports
The plugin decodes Ultra Ethernet's packet delivery sublayer, SRD and RoCEv2,
links requests, answers and retransmissions, and names the requirement that a
packet breaks. A profile with columns and colours is included.")
set(CPACK_COMPONENT_LIB_DESCRIPTION
"library that judges reliable datagram transports
librung decodes packets of Ultra Ethernet's packet delivery sublayer, SRD and
RoCEv2, judges them, and runs test cases of rung against a device that is a set
of callbacks, without sockets.")
set(CPACK_COMPONENT_DEV_DESCRIPTION
"header and examples of librung
librung decodes and judges packets of reliable datagram transports, and runs
test cases of rung against a device that is a set of callbacks. This package
has what a program needs to be built with it.")
set(CPACK_DEBIAN_LIB_PACKAGE_NAME librung0)
set(CPACK_DEBIAN_LIB_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME librung-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "librung0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MUTANTS_PACKAGE_NAME rung-mutants)
set(CPACK_DEBIAN_MUTANTS_PACKAGE_DEPENDS "rung (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_NAME rung-wireshark)
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_DEPENDS "wireshark-common | tshark")
include(CPack)
