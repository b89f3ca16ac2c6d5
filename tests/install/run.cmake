# cmake -DWAY=find_package|add_subdirectory|readme -DSOURCE= -DBUILD= -DCONFIG= -DGENERATOR= -DCXX= -DDEPS= -DC_API= -P run.cmake
# Builds and runs the consumer against the installed library, or with the sources as a folder of its own project (with
# CAIRN_LONG=1; else it is configured alone, since all of Cairn is compiled); `readme` builds README's first program
# against the installed library and compares what it prints with what README says it prints.

include(${SOURCE}/cmake/cairn_doc_block.cmake)

set(work ${BUILD}/install_test/${WAY})
file(REMOVE_RECURSE ${work})
set(consumer ${SOURCE}/tests/install/consumer)
set(program consumer)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(WAY STREQUAL "readme")
  set(consumer ${work}/source)
  set(program first)
  cairn_doc_block(${SOURCE}/README.md cpp main)
  cairn_doc_block(${SOURCE}/README.md cmake lists)
  file(WRITE ${consumer}/main.cpp "${main}")
  file(WRITE ${consumer}/CMakeLists.txt "${lists}")
endif()

set(configure ${CMAKE_COMMAND} -S ${consumer} -B ${work}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DWAY=${WAY}
  --no-warn-unused-cli)
if(WAY STREQUAL "add_subdirectory")
  # as fast as it compiles: the question is whether it builds and links
  run(${configure} -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCAIRN_SOURCE=${SOURCE} -DCAIRN_CUDA=OFF
    -DCAIRN_DEPS=${DEPS})
else()
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix --config ${CONFIG})
  if(NOT WAY STREQUAL "find_package")
    set(C_API OFF)
  endif()
  run(${configure} -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${work}/prefix -DC_API=${C_API})
endif()
if(WAY STREQUAL "add_subdirectory" AND NOT DEFINED ENV{CAIRN_LONG})
  return()
endif()
run(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG} --parallel 2)
find_program(built ${program} PATHS ${work}/build ${work}/build/${CONFIG} NO_DEFAULT_PATH REQUIRED)
execute_process(COMMAND ${built} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
message("${printed}")
if(EXISTS ${work}/build/consumer_cpp_pc)
  run(${work}/build/consumer_cpp_pc)
endif()
if(C_API AND WAY STREQUAL "find_package")
  file(GLOB programs_in_c ${work}/build/consumer_c ${work}/build/consumer_pc ${work}/build/${CONFIG}/consumer_c)
  foreach(program_in_c IN LISTS programs_in_c)
    run(${program_in_c})
  endforeach()
  if(NOT programs_in_c)
    message(FATAL_ERROR "the programs in C weren't built")
  endif()
endif()

if(WAY STREQUAL "readme")
  cairn_doc_block(${SOURCE}/README.md text expected)
  if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "README.md says that its first program prints\n${expected}")
  endif()
endif()
