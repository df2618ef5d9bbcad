# pecann_embed_texts(module folder what Type patterns…): adds to pecann_<module> a source that holds the files of folder/ which
# match the patterns, as `embedded_<what>()` of pecann/<module>/embedded_<what>.h gives them.
# Run as a script (cmake -DMODULE=… -DROOT=… -DWHAT=… -DTYPE=… -DPATTERNS=… -DOUTPUT=… -P embed_texts.cmake): writes that source.
if(CMAKE_SCRIPT_MODE_FILE)
  list(TRANSFORM PATTERNS PREPEND ${ROOT}/)
  file(GLOB files RELATIVE ${ROOT} ${PATTERNS})
  set(rows "")
  foreach(file ${files})
    file(READ ${ROOT}/${file} text)
    string(REGEX REPLACE "\\.toml$" "" name ${file})
    string(APPEND rows "    {\"${name}\", R\"text(${text})text\"},\n")
  endforeach()
  file(WRITE ${OUTPUT} "#include \"pecann/${MODULE}/embedded_${WHAT}.h\"

namespace pecann::${MODULE} {
namespace {

constexpr ${TYPE} kTexts[] = {
${rows}};

}  // namespace

std::span<const ${TYPE}> embedded_${WHAT}() { return kTexts; }

}  // namespace pecann::${MODULE}
")
  return()
endif()

function(pecann_embed_texts module folder what type)
  set(root ${PROJECT_SOURCE_DIR}/${folder})
  set(output ${PROJECT_BINARY_DIR}/embedded_${what}.cc)
  list(TRANSFORM ARGN PREPEND ${root}/ OUTPUT_VARIABLE globs)
  file(GLOB files CONFIGURE_DEPENDS ${globs})
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DMODULE=${module} -DROOT=${root} -DWHAT=${what} -DTYPE=${type} "-DPATTERNS=${ARGN}" -DOUTPUT=${output}
            -P ${script}
    DEPENDS ${files} ${script}
    VERBATIM)
  target_sources(pecann_${module} PRIVATE ${output})
endfunction()
