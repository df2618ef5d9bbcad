# What keeps a build from nothing short (./pecann, ./run-tests, the sanitizers; two cores take minutes):
#
# - CMAKE_UNITY_BUILD=ON compiles the files of a module a dozen at a time, so that the headers and the templates that all of them
#   use are compiled once. Names at the scope of a file are therefore unique within a module; files that keep their own are listed
#   behind ALONE. A build for development (cmake's default) compiles every file by itself.
# - Modules that write texts and serve commands, and tests, are optimised little: a third less time to build, and nobody waits for them.
#   The code under test keeps its own optimisation.
# - Under the sanitizers only the modules that compute or are fuzzed are optimised: to optimise instrumented code takes longer than
#   to compile it.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)

# pecann_compile_as(target engine|text|tests): text are the modules that write texts and serve commands.
function(pecann_compile_as target kind)
  if(NOT kind STREQUAL "tests")
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                           -Wno-missing-field-initializers
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-maybe-uninitialized>)  # false alarms of g++ 12
    if(CMAKE_UNITY_BUILD)  # another false alarm of g++ 12; a file's own types used in its classes; -O1 does not vectorise
      target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-subobject-linkage>
                             $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
    endif()
  endif()
  if(kind STREQUAL "engine")
    target_compile_options(${target} PRIVATE ${fuzzed_flags})
  elseif(PECANN_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()
