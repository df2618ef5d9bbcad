# Writes OUTPUT: plotly.js from the file PLOTLY, or from the npm package NAME VERSION, or nothing at all.
include(${CMAKE_CURRENT_LIST_DIR}/npm_package.cmake)

if(PLOTLY)
  file(COPY_FILE ${PLOTLY} ${OUTPUT})
  return()
endif()
fetch_npm_package(${NAME} ${VERSION} ${SHA256} ${FOLDER})
if(FETCH_FAILED)
  message("The HTML report will show tables instead of plots: ${FETCH_FAILED}\n"
          "  Remove ${OUTPUT} and build again with a network, or give -DPECANN_PLOTLY=FILE (plotly-cartesian.min.js) to cmake.")
  file(WRITE ${OUTPUT} "")
  return()
endif()
file(COPY_FILE ${FOLDER}/package/plotly-cartesian.min.js ${OUTPUT})
file(TOUCH_NOCREATE ${OUTPUT})
