# pecann_live_view(target): the HTTP library behind `pecann run --live`. Debian builds it with TLS and compression, which change its
# types: pkg-config knows the definitions that its users must share.
function(pecann_live_view target)
  find_package(PkgConfig REQUIRED)
  find_package(Threads REQUIRED)
  pkg_check_modules(PECANN_HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
  target_link_libraries(${target} PRIVATE PkgConfig::PECANN_HTTPLIB Threads::Threads)
endfunction()
