# Writes OUTPUT with the version and the commit of the sources, if they changed. Uncommitted changes show as a "+".
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=10 HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
else()
  execute_process(COMMAND git -C ${SOURCE} diff-index --quiet HEAD -- src cmake problems RESULT_VARIABLE changed ERROR_QUIET)
  if(changed)
    string(APPEND commit "+")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Made by cmake/write_version.cmake.
#include "pecann/results/run_facts.h"

namespace pecann::results {
const char* const kVersion = "@VERSION@";
const char* const kCommit = "@commit@";
}  // namespace pecann::results
]])
