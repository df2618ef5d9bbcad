# Third-party libraries, all from the package manager (packages.txt).
find_package(fmt REQUIRED)
find_package(Boost REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig QUIET)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)

find_library(HWY_LIBRARY hwy REQUIRED)
add_library(hwy INTERFACE)
target_link_libraries(hwy INTERFACE ${HWY_LIBRARY})
if(PECANN_SCALAR)
  target_compile_definitions(hwy INTERFACE HWY_COMPILE_ONLY_SCALAR)
elseif(PECANN_SANITIZE)  # AVX2 and what every machine has: a check for each vector costs less than one for each number
  target_compile_definitions(hwy INTERFACE
    "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
else()
  # AVX-512, AVX2, SSE4 and one lane are enough; every further target costs build time. The kernels keep arrays of vectors,
  # which the sizeless vectors of SVE forbid: ARM runs NEON.
  target_compile_definitions(hwy INTERFACE
    "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3_DL|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
endif()

find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
add_library(tomlplusplus INTERFACE)
target_include_directories(tomlplusplus SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE})

find_library(OPENBLAS_LIBRARY openblas REQUIRED)
find_library(LAPACKE_LIBRARY lapacke REQUIRED)
find_path(CBLAS_INCLUDE cblas.h PATH_SUFFIXES x86_64-linux-gnu openblas REQUIRED)
add_library(pecann_dense_algebra INTERFACE)
target_link_libraries(pecann_dense_algebra INTERFACE ${LAPACKE_LIBRARY} ${OPENBLAS_LIBRARY})
target_include_directories(pecann_dense_algebra SYSTEM INTERFACE ${CBLAS_INCLUDE})
