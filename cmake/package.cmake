# cpack: a .deb whose dependencies dpkg-shlibdeps finds, and a .tar.gz that brings its libraries along and runs anywhere.
set(CPACK_PACKAGE_NAME pecann)
set(CPACK_PACKAGE_VENDOR "The pecann authors")
set(CPACK_PACKAGE_CONTACT "the pecann authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_FILE_NAME pecann-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION math)

# The Python package is a .deb of its own, with the engine inside: it does not need the other one.
if(PECANN_PYTHON)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-pecann)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${PECANN_PYTHON_DEPENDS}")
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME pecann)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "${PROJECT_DESCRIPTION}: the Python package")
endif()

# The archive's extra part: every shared library of the program but the C library, which belongs to the system.
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)  # unpacks into one folder
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package_options.cmake)
install(CODE "set(program \"$<TARGET_FILE:pecann_program>\")
set(target \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pecann\")" COMPONENT bundle EXCLUDE_FROM_ALL)
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/bundle_libraries.cmake COMPONENT bundle EXCLUDE_FROM_ALL)
include(CPack)
