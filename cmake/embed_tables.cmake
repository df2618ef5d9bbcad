# Included by CMakeLists.txt: adds to pecann_reproduce a source that holds reproduce/*.toml as text.
# Run as a script (cmake -DROOT=… -DOUTPUT=… -P embed_tables.cmake): writes that source.
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB tables RELATIVE ${ROOT} ${ROOT}/*.toml)
  set(rows "")
  foreach(table ${tables})
    file(READ ${ROOT}/${table} text)
    string(REGEX REPLACE "\\.toml$" "" name ${table})
    string(APPEND rows "    {\"${name}\", R\"table(${text})table\"},\n")
  endforeach()
  file(WRITE ${OUTPUT} "#include \"pecann/reproduce/embedded_tables.h\"

namespace pecann::reproduce {
namespace {

constexpr EmbeddedTable kTables[] = {
${rows}};

}  // namespace

std::span<const EmbeddedTable> embedded_tables() { return kTables; }

}  // namespace pecann::reproduce
")
  return()
endif()

file(GLOB embedded_tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/reproduce/*.toml)
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/embedded_tables.cc
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}/reproduce -DOUTPUT=${PROJECT_BINARY_DIR}/embedded_tables.cc
          -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${embedded_tables} ${CMAKE_CURRENT_LIST_FILE}
  VERBATIM)
target_sources(pecann_reproduce PRIVATE ${PROJECT_BINARY_DIR}/embedded_tables.cc)
