# The folders below tests/, in a few programs; one ctest test a suite of GoogleTest's (cairn_suites.cmake). A test whose name contains
# `Gpu`, as all of tests/parity_gpu do, carries the label `gpu`.

include(cairn_suites)
include(cairn_doc_block)

# What a test asserts is the library's doing, which is optimised whatever this is; most of the tests' build time went to
# optimising them, and to reading these headers. -Og takes less time, but for programs of which most is kernels, which also run
# longer.
function(cairn_optimise_test target level)
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${level}>)
  if(level STREQUAL "-Og")
    # so compiled, std::regex has variables that g++ takes for uninitialised
    target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-maybe-uninitialized>)
  endif()
endfunction()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tests/precompiled.cpp CONTENT "// for its headers alone\n")
add_library(cairn_test_precompiled OBJECT ${PROJECT_BINARY_DIR}/tests/precompiled.cpp)
target_link_libraries(cairn_test_precompiled PRIVATE cairn cairn_build GTest::gtest_main)
cairn_optimise_test(cairn_test_precompiled -O1)
target_precompile_headers(cairn_test_precompiled PRIVATE <gtest/gtest.h> <cairn/cairn.h>)

function(cairn_build_as_test target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE CAIRN_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE cairn_build GTest::gtest_main cairn_dep_rapidcheck
    cairn_dep_nlohmann_json cairn_dep_xxhash cairn_reference cairn_scenes ${CMAKE_DL_LIBS})
  target_precompile_headers(${target} REUSE_FROM cairn_test_precompiled)
  if(CAIRN_CUDA)
    target_compile_definitions(${target} PRIVATE CAIRN_WITH_CUDA=1)
    target_link_libraries(${target} PRIVATE ${cairn_cuda_runtime})
    target_include_directories(${target} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  endif()
endfunction()

# worlds with something of everything, and every public call of World: compiled once for the programs that share them
set(cairn_with_samples memory parity_gpu)
add_library(cairn_test_samples OBJECT EXCLUDE_FROM_ALL tests/memory/calls.cpp tests/memory/sample_worlds.cpp)
cairn_unity(cairn_test_samples)
cairn_build_as_test(cairn_test_samples)
cairn_optimise_test(cairn_test_samples -Og)

# folders with tests that need a CUDA device, and which of those of parity_gpu are run for each push where it is emulated
set(cairn_gpu_folders parity_gpu articulations fields picture)
set(cairn_gpu_short Gpu/* GpuInterop.* GpuGrains.* GpuParity.watching* GpuParity.*edited* GpuParity.steps_that* Brief/*
  *GpuBatch.steps_in*/gauss_seidel *GpuStages*wall* GpuMemory.* *GpuCapture*/articulated GpuGraph.* GpuStreams.*
  GpuLifetime.*)
list(JOIN cairn_gpu_short ":" cairn_gpu_short)

# cairn_add_test_program(NAME FOLDER...): cairn_test_NAME, of the tests in these folders. What only one folder needs is added
# in here, by the folder's name. Their namespaces differ (scripts/lint.sh), and their suites' names (cairn_suites.cmake).
function(cairn_add_test_program name)
  set(target cairn_test_${name})
  set(all_sources "")
  set(folders "")
  set(with_gpu OFF)
  foreach(folder IN LISTS ARGN)
    if(NOT IS_DIRECTORY ${PROJECT_SOURCE_DIR}/tests/${folder})
      message(FATAL_ERROR "There is no tests/${folder}, of which cmake/cairn_tests.cmake makes a part of ${name}")
    endif()
    set_property(GLOBAL APPEND PROPERTY cairn_test_folders ${folder})
    if(folder IN_LIST cairn_gpu_folders)
      set(with_gpu ON)
    elseif(CAIRN_GPU_TESTS_ONLY)
      continue()
    endif()
    file(GLOB sources CONFIGURE_DEPENDS tests/${folder}/*.cpp)
    if(folder STREQUAL "reference")
      # the rest is a library of its own
      list(FILTER sources INCLUDE REGEX "_test\\.cpp$")
    elseif(folder STREQUAL "memory")
      list(FILTER sources EXCLUDE REGEX "/(calls|sample_worlds)\\.cpp$")
    endif()
    if(CAIRN_CUDA)
      file(GLOB cuda_sources CONFIGURE_DEPENDS tests/${folder}/*.cu)
      list(APPEND sources ${cuda_sources})
    else()
      # they call the CUDA runtime
      list(FILTER sources EXCLUDE REGEX "_cuda_test\\.cpp$")
    endif()
    if(sources)
      list(APPEND folders ${folder})
      list(APPEND all_sources ${sources})
    endif()
  endforeach()
  if(NOT folders)
    return()
  endif()

  add_executable(${target} ${all_sources})
  cairn_unity(${target} 8 5)
  # g++ warns where it sees how the program's operator new is made
  set_source_files_properties(tests/memory/rig.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  cairn_build_as_test(${target})
  if(name MATCHES "^(c_api|determinism|features|files)$")
    cairn_optimise_test(${target} -Og)
  else()
    cairn_optimise_test(${target} -O1)
  endif()
  if(name IN_LIST cairn_with_samples)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:cairn_test_samples>)
  endif()
  if("c_api" IN_LIST folders)
    cairn_build_c_tests(${target})
  endif()
  # what the documents of the same name show
  foreach(folder IN LISTS folders)
    if(folder MATCHES "^(articulations|fields|queries|sensors)$")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS docs/${folder}.md)
      cairn_doc_block(${PROJECT_SOURCE_DIR}/docs/${folder}.md cpp block)
      file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/docs/${folder}.inc CONTENT "${block}" @ONLY)
      target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/docs)
    endif()
  endforeach()
  # the tests of the command line run it
  if("cli" IN_LIST folders AND TARGET cairn_cli)
    target_compile_definitions(${target} PRIVATE CAIRN_CLI="$<TARGET_FILE:cairn_cli>")
    add_dependencies(${target} cairn_cli)
  endif()

  if(NOT CAIRN_PTX_DEVICE)
    cairn_discover_suites(${target} FOLDERS ${folders})
    return()
  endif()
  cairn_discover_suites(${target} NO_GPU FOLDERS ${folders})
  if(name STREQUAL "parity_gpu")
    cairn_add_emulated(${name} short 8 "${cairn_gpu_short}")
    # what is enqueued is done as late as can be
    cairn_add_emulated(${name} short_late 1 "GpuGraph.*:GpuStreams.*:GpuLifetime.*" PTX_DEVICE_LATE=1)
    cairn_add_emulated(${name} full 24 "-${cairn_gpu_short}:Full/*")
    cairn_add_emulated(${name} long 14 "Full/*")
  elseif(with_gpu)
    cairn_add_emulated(${name} short 1 "*Gpu*")
  endif()
endfunction()

# tests that C makes, and the program that docs/interop.md shows
function(cairn_build_c_tests target)
  file(GLOB c_sources CONFIGURE_DEPENDS tests/c_api/*.c)
  set(example ${PROJECT_BINARY_DIR}/docs/interop.c)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS docs/interop.md)
  cairn_doc_block(${PROJECT_SOURCE_DIR}/docs/interop.md c program)
  file(CONFIGURE OUTPUT ${example} CONTENT "${program}" @ONLY)
  add_executable(cairn_docs_example ${example})
  target_link_libraries(cairn_docs_example PRIVATE cairn_c)
  if(CAIRN_SANITIZE)
    # the sanitizer's own part must be in the program before the library brings it along
    target_link_options(cairn_docs_example PRIVATE -fsanitize=${CAIRN_SANITIZE})
  endif()
  set_source_files_properties(${c_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  set_source_files_properties(${c_sources} ${example} PROPERTIES
    COMPILE_OPTIONS "-std=c99;-Wall;-Wextra;-Wpedantic;-Werror")
  target_sources(${target} PRIVATE ${c_sources})
  target_compile_definitions(${target} PRIVATE CAIRN_DOCS_EXAMPLE="$<TARGET_FILE:cairn_docs_example>")
  add_dependencies(${target} cairn_docs_example)
  target_link_libraries(${target} PRIVATE cairn_c)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/c_api)
endfunction()

# The interpreter reads all device code in each process, so one process takes many tests. A push runs those labelled `gpu_short`;
# `gpu_full` is the rest, but for the scenes in full size, `gpu_long`.
function(cairn_add_emulated program name shards filter)  # and variables
  math(EXPR last "${shards} - 1")
  foreach(i RANGE ${last})
    set(test gpu_${name}.${program}.${i})
    # the long ones are there for `ctest -C full` and `ctest -C long` alone
    set(configuration "")
    if(NOT name MATCHES "^short")
      set(configuration CONFIGURATIONS ${name})
    endif()
    add_test(NAME ${test} COMMAND cairn_test_${program} --gtest_filter=${filter} ${configuration})
    string(REPLACE _late "" label ${name})
    set(environment GTEST_TOTAL_SHARDS=${shards} GTEST_SHARD_INDEX=${i} ${ARGN})
    set_tests_properties(${test} PROPERTIES TIMEOUT 3600 LABELS gpu_${label} COST 500
      PASS_REGULAR_EXPRESSION "PASSED  . [1-9]" FAIL_REGULAR_EXPRESSION "FAILED  .;no CUDA device;ptx-device: F"
      ENVIRONMENT "${environment}")
  endforeach()
endfunction()

option(CAIRN_GPU_TESTS_ONLY "Build only the folders with tests that need a CUDA device" OFF)
# these two replace a function of the library, the one that makes the CPU; memory replaces operator new, too
cairn_add_test_program(memory memory contract)
cairn_add_test_program(lanes lanes)
# each process that uses an emulated device reads all device code first
cairn_add_test_program(parity_gpu parity_gpu)
if(TARGET cairn_c)
  enable_language(C)
  cairn_add_test_program(c_api c_api)
endif()
cairn_add_test_program(determinism batch determinism mixed rounding scale)
cairn_add_test_program(files cli interop mesh_file scene scene_file shape snapshot)
cairn_add_test_program(features actuate articulations events fields fluids joints particles picture queries sensors sleep)
cairn_add_test_program(physics avbd ccd collide direct dissipate grains hertz mass quality reference residual verify xpbd)
cairn_add_test_program(world bound color exec filter finish match pair predict prepare world)

file(GLOB tests RELATIVE ${PROJECT_SOURCE_DIR}/tests CONFIGURE_DEPENDS tests/*/*_test.cpp)
get_property(known GLOBAL PROPERTY cairn_test_folders)
foreach(test IN LISTS tests)
  string(REGEX REPLACE "/.*" "" folder ${test})
  if(NOT folder IN_LIST known AND (TARGET cairn_c OR NOT folder STREQUAL "c_api"))
    message(FATAL_ERROR "No program has tests/${folder}: add it to one in cmake/cairn_tests.cmake")
  endif()
endforeach()

if(CAIRN_CUDA)
  # compiled as the tests are, so that it runs wherever they do
  add_executable(cairn_probe tests/probe/probe.cu)
  target_link_libraries(cairn_probe PRIVATE cairn_build ${cairn_cuda_runtime})
endif()

# each public header compiles alone; those of the C interface as C, too
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS include/cairn/*.h)
set(header_sources "")
foreach(header IN LISTS headers)
  string(MAKE_C_IDENTIFIER ${header} name)
  set(languages cpp)
  if(TARGET cairn_c AND header MATCHES "^cairn/(c/|cairn\\.h|cairn_c\\.h)")
    list(APPEND languages c)
  endif()
  foreach(language IN LISTS languages)
    set(source ${PROJECT_BINARY_DIR}/headers/${name}.${language})
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND header_sources ${source})
  endforeach()
endforeach()
add_library(cairn_test_headers OBJECT ${header_sources})
target_link_libraries(cairn_test_headers PRIVATE cairn cairn_build)

# the library as its users get it; a consumer would need the sanitizer's runtime too, so not in those builds
if(NOT CAIRN_SANITIZE AND NOT CAIRN_FUZZ)
  foreach(way find_package add_subdirectory readme)
    add_test(NAME install.${way} COMMAND ${CMAKE_COMMAND}
      -DWAY=${way} -DSOURCE=${PROJECT_SOURCE_DIR} -DBUILD=${PROJECT_BINARY_DIR} -DCONFIG=$<CONFIG>
      -DGENERATOR=${CMAKE_GENERATOR} -DCXX=${CMAKE_CXX_COMPILER} -DDEPS=${CAIRN_DEPS}
      -DC_API=${CAIRN_C_API}
      -P ${PROJECT_SOURCE_DIR}/tests/install/run.cmake)
    set_tests_properties(install.${way} PROPERTIES TIMEOUT 1800 LABELS install)
  endforeach()
endif()

# what scripts/gpu.sh makes of faults
find_program(CAIRN_BASH bash)
mark_as_advanced(CAIRN_BASH)
if(CAIRN_BASH)
  add_test(NAME scripts.gpu COMMAND ${CAIRN_BASH} ${PROJECT_SOURCE_DIR}/tests/gpu_script/run.sh)
  set_tests_properties(scripts.gpu PROPERTIES LABELS scripts)
endif()

# the library as another language loads it; a sanitizer's runtime would have to be loaded before python
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_Interpreter_FOUND AND TARGET cairn_c AND NOT CAIRN_SANITIZE AND NOT CAIRN_FUZZ)
  add_test(NAME c_api.python COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/c_api/tower.py
    $<TARGET_FILE:cairn_c>)
  set_tests_properties(c_api.python PROPERTIES LABELS c_api)
endif()

# members of the public headers and of the kernels say their units; device code has the same bits on every device
if(Python3_Interpreter_FOUND)
  if(CAIRN_PTX_DEVICE)
    set(check_ptx ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_ptx.py)
    add_test(NAME ptx.is_exact COMMAND ${check_ptx} $<TARGET_FILE:cairn_test_parity_gpu> $<TARGET_FILE:cairn_test_features>)
    # the device's tests hold what must be found
    add_test(NAME ptx.faults_are_found COMMAND ${check_ptx} $<TARGET_FILE:ptx_device_faults>)
    set_tests_properties(ptx.faults_are_found PROPERTIES PASS_REGULAR_EXPRESSION "flushes.*approximate.*2 found")
    set_tests_properties(ptx.is_exact ptx.faults_are_found PROPERTIES LABELS ptx_device)
  endif()
  add_test(NAME docs.units COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_docs.py)
  set_tests_properties(docs.units PROPERTIES LABELS docs)
endif()
