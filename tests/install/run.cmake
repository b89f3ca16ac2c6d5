# cmake -DWAY=find_package|add_subdirectory -DSOURCE= -DBUILD= -DCONFIG= -DGENERATOR= -DCXX= -DDEPS= -P run.cmake
# Builds and runs the consumer against the installed library, or with the sources as a folder of its own project.

set(work ${BUILD}/install_test/${WAY})
file(REMOVE_RECURSE ${work}/prefix ${work}/build)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(configure ${CMAKE_COMMAND} -S ${SOURCE}/tests/install/consumer -B ${work}/build -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${CXX} -DWAY=${WAY})
if(WAY STREQUAL "find_package")
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix --config ${CONFIG})
  run(${configure} -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${work}/prefix)
else()
  # as fast as it compiles: the question is whether it builds and links
  run(${configure} -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DCAIRN_SOURCE=${SOURCE} -DCAIRN_CUDA=OFF
    -DCAIRN_DEPS=${DEPS})
endif()
run(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG} --parallel 2)
find_program(consumer consumer PATHS ${work}/build ${work}/build/${CONFIG} NO_DEFAULT_PATH REQUIRED)
run(${consumer})
