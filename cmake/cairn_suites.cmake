# One ctest test a suite of GoogleTest: one process takes its tests, up to `kSuiteTests` of them, in their order; a suite of
# more is split into as many parts as that takes. Their names are FOLDER.SUITE and FOLDER.SUITE.PART; those of tests whose name
# contains `Gpu` end in `.gpu`, and carry that label. Suites are read from the program when ctest starts; with CAIRN_LONG it
# may have others.
#
#   cairn_discover_suites(TARGET FOLDER [NO_GPU])     NO_GPU: tests of the GPU are left out, something else runs them

set(cairn_suites_script ${CMAKE_CURRENT_LIST_FILE})

function(cairn_discover_suites target folder)
  set(gpu ON)
  if("NO_GPU" IN_LIST ARGN)
    set(gpu OFF)
  endif()
  set(include ${PROJECT_BINARY_DIR}/tests/${target}_suites.cmake)
  file(GENERATE OUTPUT ${include} CONTENT "set(program \"$<TARGET_FILE:${target}>\")
set(folder ${folder})
set(with_gpu ${gpu})
set(list \"${PROJECT_BINARY_DIR}/tests/${target}_list\$ENV{CAIRN_LONG}.cmake\")
include(\"${cairn_suites_script}\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()

# ---- what follows is run by ctest ----
if(NOT DEFINED program)
  return()
endif()

cmake_policy(VERSION 3.25)
# whole pairs of tests/contract, which has 8 tests each: others only take longer
set(kSuiteTests 24)
# the longest begin first, which only saves time; of the others those of most tests
set(kLongSuites "(^|/)(Mixed.*|BatchWorlds|Lanes|DeterminismGolden|FailingHeap.*)$")

# A suite of which all tests were skipped is skipped; none may have failed, which would stand below those.
string(CONCAT all_skipped "PASSED  . 0 tests\\.\n(.  SKIPPED [^\n]*\n?)+[ \n]*$")

macro(cairn_write_suite suite tests gpu)
  list(LENGTH ${tests} count)
  if(count GREATER 0)
    set(name ${folder}.${suite})
    set(labels ${folder})
    if(${gpu})
      set(name ${name}.gpu)
      set(labels gpu)
    endif()
    set(cost ${count})
    if("${suite}" MATCHES "${kLongSuites}")
      set(cost 500)
    endif()
    math(EXPR parts "(${count} + ${kSuiteTests} - 1) / ${kSuiteTests}")
    math(EXPR last "${parts} - 1")
    foreach(i RANGE ${last})
      set(test ${name})
      if(parts GREATER 1)
        set(test ${name}.${i})
      endif()
      math(EXPR first "${i} * ${kSuiteTests}")
      list(SUBLIST ${tests} ${first} ${kSuiteTests} part)
      list(JOIN part ":" filter)
      string(APPEND script "add_test([==[${test}]==] [==[${program}]==] [==[--gtest_filter=${filter}]==])\n"
        "set_tests_properties([==[${test}]==] PROPERTIES TIMEOUT 1200 LABELS ${labels} COST ${cost} "
        "SKIP_REGULAR_EXPRESSION [==[${all_skipped}]==] FAIL_REGULAR_EXPRESSION \"Running 0 tests\")\n")
    endforeach()
  endif()
endmacro()

macro(cairn_write_suites suite)
  if(NOT "${suite}" STREQUAL "")
    cairn_write_suite("${suite}" tests OFF)
    if(with_gpu)
      cairn_write_suite("${suite}" gpu_tests ON)
    endif()
  endif()
  set(tests "")
  set(gpu_tests "")
endmacro()

if(NOT EXISTS "${program}")
  add_test(${folder}_NOT_BUILT ${folder}_NOT_BUILT)
  return()
endif()
if(NOT EXISTS "${list}" OR "${program}" IS_NEWER_THAN "${list}" OR "${CMAKE_CURRENT_LIST_FILE}" IS_NEWER_THAN "${list}")
  execute_process(COMMAND "${program}" --gtest_list_tests OUTPUT_VARIABLE output RESULT_VARIABLE failed TIMEOUT 120)
  if(failed)
    message(FATAL_ERROR "${program} doesn't list its tests: ${output}")
  endif()
  # brackets and semicolons in the values of parameters would be taken for lists
  string(REGEX REPLACE " +# [^\n]*" "" output "${output}")
  string(REPLACE "\n" ";" lines "${output}")
  set(script "")
  set(suite "")
  cairn_write_suites("")
  foreach(line IN LISTS lines)
    if(line MATCHES "^  (.+)$")
      set(test "${suite}.${CMAKE_MATCH_1}")
      if(test MATCHES "GpuMemory")
        continue()  # memory runs out on demand on the emulated device alone
      elseif(test MATCHES "Gpu")
        list(APPEND gpu_tests "${test}")
      else()
        list(APPEND tests "${test}")
      endif()
    elseif(line MATCHES "^([^ ]+)\\.$")
      set(next "${CMAKE_MATCH_1}")
      cairn_write_suites("${suite}")
      set(suite "${next}")
    endif()
  endforeach()
  cairn_write_suites("${suite}")
  file(WRITE "${list}" "${script}")
endif()
include("${list}")
