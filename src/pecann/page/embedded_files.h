// The files of the HTML page, embedded into the program by the build (cmake/embed_plotly.cmake).
#pragma once

#include <string_view>

namespace pecann::page {

std::string_view page_html();
std::string_view page_js();  // page/assets/*.js, joined in the order of their names
std::string_view page_css();
std::string_view plotly_js();  // empty in a build without npm

}  // namespace pecann::page
