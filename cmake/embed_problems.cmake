# Included by CMakeLists.txt: adds to pecann_problem a source that holds problems/*.toml and problems/gallery/*.toml as text.
# Run as a script (cmake -DROOT=… -DOUTPUT=… -P embed_problems.cmake): writes that source.
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB problems RELATIVE ${ROOT} ${ROOT}/*.toml ${ROOT}/gallery/*.toml)
  set(rows "")
  foreach(problem ${problems})
    file(READ ${ROOT}/${problem} text)
    string(REGEX REPLACE "\\.toml$" "" name ${problem})
    string(APPEND rows "    {\"${name}\", R\"problem(${text})problem\"},\n")
  endforeach()
  file(WRITE ${OUTPUT} "#include \"pecann/problem/embedded_problems.h\"

namespace pecann::problem {
namespace {

constexpr EmbeddedProblem kProblems[] = {
${rows}};

}  // namespace

std::span<const EmbeddedProblem> embedded_problems() { return kProblems; }

}  // namespace pecann::problem
")
  return()
endif()

file(GLOB embedded_problems CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/problems/*.toml
     ${PROJECT_SOURCE_DIR}/problems/gallery/*.toml)
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/embedded_problems.cc
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}/problems -DOUTPUT=${PROJECT_BINARY_DIR}/embedded_problems.cc
          -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${embedded_problems} ${CMAKE_CURRENT_LIST_FILE}
  VERBATIM)
target_sources(pecann_problem PRIVATE ${PROJECT_BINARY_DIR}/embedded_problems.cc)
