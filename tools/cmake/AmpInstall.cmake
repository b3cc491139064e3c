# What `cmake --install` puts under a prefix that may be moved: the library, its headers, the tools, the CMake package and
# the pkg-config file. amp_install_tool() is called by tools/CMakeLists.txt.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(AMP_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/amp)

# amp_install_tool(NAME...): programs for bin, known to strangers as amp::NAME. The folders of shared libraries that a tool
# was linked from stay in its search path: LLVM's is none of the system's.
function(amp_install_tool)
  install(TARGETS ${ARGN} EXPORT ampTools RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set_target_properties(${ARGN} PROPERTIES INSTALL_RPATH_USE_LINK_PATH TRUE)
endfunction()

function(amp_install_library)
  install(TARGETS amp_runtime EXPORT ampTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/runtime/include/amp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()

function(amp_install_package)
  set(generated ${CMAKE_BINARY_DIR}/package)
  configure_package_config_file(${CMAKE_SOURCE_DIR}/tools/cmake/ampConfig.cmake.in ${generated}/ampConfig.cmake
    INSTALL_DESTINATION ${AMP_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
  # Before 1.0 a minor version may change the ABI.
  write_basic_package_version_file(${generated}/ampConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${generated}/ampConfig.cmake ${generated}/ampConfigVersion.cmake DESTINATION ${AMP_PACKAGE_DIR})
  install(EXPORT ampTargets NAMESPACE amp:: DESTINATION ${AMP_PACKAGE_DIR})
  install(EXPORT ampTools NAMESPACE amp:: DESTINATION ${AMP_PACKAGE_DIR})

  file(RELATIVE_PATH toPrefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" toPrefix ${toPrefix})
  configure_file(${CMAKE_SOURCE_DIR}/tools/cmake/amp.pc.in ${generated}/amp.pc @ONLY)
  install(FILES ${generated}/amp.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# The pages keep their places to each other, so that their links lead somewhere.
function(amp_install_pages)
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
endfunction()

function(amp_install)
  amp_install_library()
  amp_install_package()
  amp_install_pages()
endfunction()
