# PECANN_SANITIZE=address (with undefined behaviour) or thread, and PECANN_FUZZ: every finding ends the process, so that a test fails.
# One build with `address` and PECANN_FUZZ serves the tests and the fuzz targets (tools/sanitize, tools/fuzz).
set(PECANN_SANITIZE "" CACHE STRING "address: AddressSanitizer and UndefinedBehaviorSanitizer; thread: ThreadSanitizer")
option(PECANN_FUZZ "libFuzzer programs from fuzz/ (clang with PECANN_SANITIZE=address; packages-fuzz.txt)" OFF)

if(PECANN_SANITIZE STREQUAL "address")
  # float-cast-overflow is not part of `undefined`, but a number from a file that becomes an int is what we look for.
  set(flags -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(PECANN_SANITIZE STREQUAL "thread")
  set(flags -fsanitize=thread)
elseif(PECANN_SANITIZE)
  message(FATAL_ERROR "PECANN_SANITIZE is '${PECANN_SANITIZE}'; it may be address or thread")
endif()
add_compile_options(${flags})
add_link_options(${flags})

# Of the code whose branches libFuzzer counts. It could watch comparisons as well (-fsanitize=fuzzer-no-link), which would take a
# third of its time; dictionaries and seeds give it the words that it would find that way.
set(fuzzed_flags "")
if(PECANN_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT PECANN_SANITIZE STREQUAL "address")
    message(FATAL_ERROR "PECANN_FUZZ needs clang and PECANN_SANITIZE=address: tools/fuzz configures with them")
  endif()
  set(fuzzed_flags -fsanitize-coverage=inline-8bit-counters,pc-table)
endif()
