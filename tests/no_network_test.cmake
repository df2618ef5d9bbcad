# Without npm and without a network the build goes on: plotly.js is empty, and the message says how to get it.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(ENV{PATH} ${FOLDER})  # no npm
set(ENV{https_proxy} http://127.0.0.1:9)  # nobody listens there
execute_process(COMMAND ${CMAKE_COMMAND} -DNAME=plotly.js-cartesian-dist-min -DVERSION=4.1.1 -DSHA256=0 -DFOLDER=${FOLDER}
                        -DOUTPUT=${FOLDER}/plotly.js -P ${CMAKE_CURRENT_LIST_DIR}/../cmake/fetch_plotly.cmake
                RESULT_VARIABLE failed ERROR_VARIABLE said)
if(failed OR NOT EXISTS ${FOLDER}/plotly.js)
  message(FATAL_ERROR "the build would fail: ${said}")
endif()
file(SIZE ${FOLDER}/plotly.js size)
if(NOT size EQUAL 0)
  message(FATAL_ERROR "plotly.js should be empty")
endif()
if(NOT said MATCHES "tables instead of plots: .*could not be had from npm.*PECANN_PLOTLY")
  message(FATAL_ERROR "the message does not say what is missing and what to do: ${said}")
endif()
