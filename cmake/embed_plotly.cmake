# pecann_embed_page(target): the files of the HTML report and plotly.js become read-only bytes of the target.
#
# plotly.js comes from its npm package at build time, checked against a fixed hash. Without a network the page shows tables
# and says how to get the plots; -DPECANN_PLOTLY=FILE takes a copy that is already on the machine.
set(PECANN_PLOTLY "" CACHE FILEPATH "plotly-cartesian.min.js to embed instead of the npm package; empty: npm")
set(PECANN_PLOTLY_PACKAGE plotly.js-cartesian-dist-min)
set(PECANN_PLOTLY_VERSION 4.1.1)
set(PECANN_PLOTLY_SHA256 c5f9a84666b97e571a04de689e09319869e60900e265c89eac2f71d0b5a0de88)

function(pecann_embed_page target)
  set(folder ${PROJECT_BINARY_DIR}/embedded)
  set(page ${PROJECT_SOURCE_DIR}/src/pecann/page/assets)
  file(MAKE_DIRECTORY ${folder})

  set(plotly ${folder}/plotly.js)
  add_custom_command(
    OUTPUT ${plotly}
    COMMAND ${CMAKE_COMMAND} -DPLOTLY=${PECANN_PLOTLY} -DNAME=${PECANN_PLOTLY_PACKAGE} -DVERSION=${PECANN_PLOTLY_VERSION}
            -DSHA256=${PECANN_PLOTLY_SHA256} -DFOLDER=${folder} -DOUTPUT=${plotly} -P ${PROJECT_SOURCE_DIR}/cmake/fetch_plotly.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/cmake/fetch_plotly.cmake ${PROJECT_SOURCE_DIR}/cmake/npm_package.cmake ${PECANN_PLOTLY}
    COMMENT "Getting plotly.js for the HTML report" VERBATIM)

  # Scripts and styles in the order of their names: 1-….js defines what 2-….js uses.
  file(GLOB scripts CONFIGURE_DEPENDS ${page}/*.js)
  file(GLOB styles CONFIGURE_DEPENDS ${page}/*.css)
  set(joined ${folder}/page.js ${folder}/page.css)
  foreach(kind scripts styles)
    list(POP_FRONT joined output)
    add_custom_command(OUTPUT ${output} COMMAND ${CMAKE_COMMAND} -E cat ${${kind}} > ${output} DEPENDS ${${kind}} VERBATIM)
  endforeach()

  set(source ${folder}/embedded_files.cc)
  set(symbols "")
  foreach(entry page_html:${page}/page.html page_js:${folder}/page.js page_css:${folder}/page.css plotly_js:${plotly})
    string(REGEX MATCH "^([a-z_]+):(.*)$" unused ${entry})
    string(APPEND symbols "PECANN_EMBED(${CMAKE_MATCH_1}, \"${CMAKE_MATCH_2}\")\n")
    list(APPEND files ${CMAKE_MATCH_2})
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded_files.cc.in ${source} @ONLY)
  # On its own also in a unity build, where a source has no dependencies: a changed script would not reach the program.
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}" SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${source})
endfunction()
