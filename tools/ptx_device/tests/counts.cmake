# cmake -DPROGRAM= -DFILE= -P counts.cmake: what the device counts of basics.cu's `add`, a[i] + b[i] scale of 1,000 floats in
# 8 blocks of 128 threads, is what one counts by hand, and stands in the range in which it was launched.

execute_process(COMMAND ${CMAKE_COMMAND} -E env PTX_DEVICE_PROFILE=${FILE} ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
file(READ ${FILE} profile)
string(JSON kernels LENGTH ${profile} kernels)
math(EXPR last "${kernels} - 1")
# three arrays of 4,000 bytes in 125 sectors of 32, by the 32 warps of which some lane is below 1,000; all lanes of all warps
# go through the same instructions, but for those that are past the end
set(wanted range inner launches 1 blocks 8 threads 1024 bytes 12000 sectors 375 atomics 0 shared 0 conflicts 0 local 0)
foreach(i RANGE ${last})
  string(JSON name GET ${profile} kernels ${i} name)
  if(NOT name MATCHES "^add\\(")
    continue()
  endif()
  while(wanted)
    list(POP_FRONT wanted key value)
    string(JSON counted GET ${profile} kernels ${i} ${key})
    if(NOT counted STREQUAL value)
      message(FATAL_ERROR "add: ${key} is ${counted}, not ${value}")
    endif()
  endwhile()
  message(STATUS "counts: ok")
  return()
endforeach()
message(FATAL_ERROR "no kernel is called add")
