# What other programs link: libpecann.a, and with PECANN_SHARED libpecann.so; headers, CMake package and pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(modules base mpi kernel expr network mesh sampling reference optim penalty problem evaluate train check results estimate accuracy verdict page)
set(objects "")
set(archives "")
foreach(module ${modules})
  list(APPEND objects $<TARGET_OBJECTS:pecann_${module}>)
  list(APPEND archives pecann_${module})
endforeach()

# All objects in one archive.
add_library(pecann_static STATIC $<TARGET_OBJECTS:pecann_api> ${objects})
set_target_properties(pecann_static PROPERTIES OUTPUT_NAME pecann EXPORT_NAME static)
set(PECANN_PRIVATE_LIBRARIES -lfmt -lhwy -llapacke -lopenblas -lz -ldl)
target_link_libraries(pecann_static INTERFACE $<INSTALL_INTERFACE:Threads::Threads> "$<INSTALL_INTERFACE:${PECANN_PRIVATE_LIBRARIES}>")
set(installed pecann_static)

if(PECANN_SHARED)
  # The linker takes from the archives what the interface reaches; the version script hides what templates of the standard
  # library would show.
  add_library(pecann_shared SHARED $<TARGET_OBJECTS:pecann_api>)
  target_link_libraries(pecann_shared PRIVATE ${archives})
  target_link_options(pecann_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/pecann.map -Wl,--as-needed)
  set_target_properties(pecann_shared PROPERTIES OUTPUT_NAME pecann EXPORT_NAME shared VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                        LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/pecann.map)
  list(APPEND installed pecann_shared)
endif()
foreach(library ${installed})
  target_compile_features(${library} INTERFACE cxx_std_20)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
add_library(pecann::pecann ALIAS pecann_api)  # for programs that take this project as a subdirectory

# A program finds bundled libraries beside itself (tar.gz), also those that its libraries need: hence the older kind of rpath.
set_target_properties(pecann_program PROPERTIES INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/pecann")
target_link_options(pecann_program PRIVATE -Wl,--disable-new-dtags)

install(TARGETS pecann_program RUNTIME)
install(TARGETS ${installed} EXPORT pecann-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/pecann TYPE INCLUDE FILES_MATCHING PATTERN *.h)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples TYPE DOC)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md TYPE DOC)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/pecann)
install(EXPORT pecann-targets NAMESPACE pecann:: DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pecann-config.cmake.in ${PROJECT_BINARY_DIR}/pecann-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pecann-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pecann-config.cmake ${PROJECT_BINARY_DIR}/pecann-config-version.cmake
        DESTINATION ${package_folder})

list(JOIN PECANN_PRIVATE_LIBRARIES " " PECANN_PC_PRIVATE)
string(APPEND PECANN_PC_PRIVATE " -pthread")
if(PECANN_SHARED)
  set(PECANN_PC_PUBLIC "")
else()  # only the archive is there: everybody links what it needs
  set(PECANN_PC_PUBLIC " ${PECANN_PC_PRIVATE}")
  set(PECANN_PC_PRIVATE "")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/pecann.pc.in ${PROJECT_BINARY_DIR}/pecann.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/pecann.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
