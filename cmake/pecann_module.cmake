# pecann_module(name [USES module…] [LINK target…]): the library of src/pecann/<name> (all its .cc but tests) and one
# test program from its *_test.cc. Files are found by their names, so that adding one needs no edit here.
find_package(GTest QUIET)
include(GoogleTest)

function(pecann_module name)
  cmake_parse_arguments(arg "" "" "USES;LINK" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/src/pecann/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc)
  file(GLOB tests CONFIGURE_DEPENDS ${folder}/*_test.cc)
  list(REMOVE_ITEM sources ${tests} ${folder}/main.cc)
  list(TRANSFORM arg_USES PREPEND pecann_ OUTPUT_VARIABLE modules)

  if(sources)
    add_library(pecann_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_compile_options(pecann_${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                           -Wno-missing-field-initializers
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-maybe-uninitialized>)  # false alarms of g++ 12
  else()
    add_library(pecann_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(pecann_${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(pecann_${name} ${scope} ${modules} ${arg_LINK})

  if(PECANN_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_compile_options(${name}_test PRIVATE -O1)  # a third less time to build; the code under test keeps its own
    target_link_libraries(${name}_test PRIVATE pecann_${name} GTest::gtest_main GTest::gmock)
    target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60
                         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endif()
endfunction()
