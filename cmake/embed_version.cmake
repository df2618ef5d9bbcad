# pecann_embed_version(target): the version and the commit of the sources, in the target.
function(pecann_embed_version target)
  set(folder ${PROJECT_BINARY_DIR}/embedded)
  file(MAKE_DIRECTORY ${folder})
  # The commit is asked at every build; the file changes only when the answer does.
  add_custom_target(pecann_version
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${folder}/version.cc
            -P ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake
    BYPRODUCTS ${folder}/version.cc VERBATIM)
  target_sources(${target} PRIVATE ${folder}/version.cc)
  add_dependencies(${target} pecann_version)
endfunction()
