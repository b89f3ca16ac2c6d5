# cmake -DWAY=find_package|add_subdirectory|readme -DSOURCE= -DBUILD= -DCONFIG= -DGENERATOR= -DCXX= -DDEPS= -P run.cmake
# Builds and runs the consumer against the installed library, or with the sources as a folder of its own project; `readme`
# builds README's first program against the installed library and compares what it prints with what README says it prints.

set(work ${BUILD}/install_test/${WAY})
file(REMOVE_RECURSE ${work})
set(consumer ${SOURCE}/tests/install/consumer)
set(program consumer)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# the text of README's first block of a language
function(readme_block language result)
  file(READ ${SOURCE}/README.md text)
  string(FIND "${text}" "\n```${language}\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "README.md has no block of ${language}")
  endif()
  string(LENGTH "\n```${language}\n" fence)
  math(EXPR begin "${begin} + ${fence}")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

if(WAY STREQUAL "readme")
  set(consumer ${work}/source)
  set(program first)
  readme_block(cpp main)
  readme_block(cmake lists)
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
  run(${configure} -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${work}/prefix)
endif()
run(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG} --parallel 2)
find_program(built ${program} PATHS ${work}/build ${work}/build/${CONFIG} NO_DEFAULT_PATH REQUIRED)
execute_process(COMMAND ${built} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
message("${printed}")

if(WAY STREQUAL "readme")
  readme_block(text expected)
  if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "README.md says that its first program prints\n${expected}")
  endif()
endif()
