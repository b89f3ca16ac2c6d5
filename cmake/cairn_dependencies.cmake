# Finds what the parts that were asked for need. Of this, threads, zstd and qhull reach the users of the installed library
# (cairnConfig.cmake.in).

if(CAIRN_DEPS)
  get_filename_component(CAIRN_DEPS "${CAIRN_DEPS}" ABSOLUTE BASE_DIR "${PROJECT_SOURCE_DIR}")
  list(PREPEND CMAKE_PREFIX_PATH "${CAIRN_DEPS}")
endif()

function(cairn_missing what package)
  message(FATAL_ERROR "Cairn needs ${what}, which was not found. On Debian or Ubuntu it is in the package ${package}; "
    "scripts/setup.sh installs all that is missing. Elsewhere, name its folder with -DCMAKE_PREFIX_PATH=...")
endfunction()

# cairn_find(name HEADER <file> PACKAGE <debian package> [LIBRARY <name>] [SUFFIX <folder>]) makes the target cairn_dep_<name>
function(cairn_find name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;PACKAGE;LIBRARY;SUFFIX" "")
  find_path(CAIRN_${name}_INCLUDE ${arg_HEADER} PATH_SUFFIXES ${arg_SUFFIX})
  mark_as_advanced(CAIRN_${name}_INCLUDE)
  if(NOT CAIRN_${name}_INCLUDE)
    cairn_missing("the header ${arg_HEADER}" ${arg_PACKAGE})
  endif()
  add_library(cairn_dep_${name} INTERFACE)
  target_include_directories(cairn_dep_${name} SYSTEM INTERFACE ${CAIRN_${name}_INCLUDE})
  if(arg_LIBRARY)
    find_library(CAIRN_${name}_LIBRARY ${arg_LIBRARY})
    mark_as_advanced(CAIRN_${name}_LIBRARY)
    if(NOT CAIRN_${name}_LIBRARY)
      cairn_missing("the library ${arg_LIBRARY}" ${arg_PACKAGE})
    endif()
    target_link_libraries(cairn_dep_${name} INTERFACE ${CAIRN_${name}_LIBRARY} Threads::Threads)
  endif()
endfunction()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
cairn_find(xxhash HEADER xxhash.h PACKAGE libxxhash-dev)
target_compile_definitions(cairn_dep_xxhash INTERFACE XXH_INLINE_ALL)
cairn_find(nlohmann_json HEADER nlohmann/json.hpp PACKAGE nlohmann-json3-dev)
cairn_find(zstd HEADER zstd.h LIBRARY zstd PACKAGE libzstd-dev)
cairn_find(stb HEADER stb_image_write.h PACKAGE libstb-dev SUFFIX stb)
cairn_find(qhull HEADER libqhull_r/libqhull_r.h LIBRARY qhull_r PACKAGE libqhull-dev)

if(CAIRN_TOOLS OR CAIRN_BENCHMARKS)
  cairn_find(cli11 HEADER CLI/CLI.hpp PACKAGE libcli11-dev)
endif()

if(CAIRN_BENCHMARKS)
  cairn_find(benchmark HEADER benchmark/benchmark.h LIBRARY benchmark PACKAGE libbenchmark-dev)
endif()

if(CAIRN_TESTS)
  cairn_find(rapidcheck HEADER rapidcheck.h LIBRARY rapidcheck PACKAGE librapidcheck-dev)
  # the packed one first, as of all libraries
  if(CAIRN_DEPS AND EXISTS ${CAIRN_DEPS}/src/googletest)
    set(INSTALL_GTEST OFF)
    set(BUILD_GMOCK OFF)
    add_subdirectory(${CAIRN_DEPS}/src/googletest ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
  else()
    find_package(GTest QUIET)
  endif()
  if(NOT TARGET GTest::gtest_main)
    cairn_missing("GoogleTest" libgtest-dev)
  endif()
endif()
