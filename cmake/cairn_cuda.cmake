# CAIRN_CUDA: on where a toolkit that knows C++20 is found, never required.

find_program(CAIRN_NVCC NAMES nvcc
  HINTS ENV CUDACXX ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin
  DOC "The CUDA compiler")
mark_as_advanced(CAIRN_NVCC)

set(cuda_found OFF)
set(cuda_reason "no nvcc found")
if(CAIRN_NVCC)
  execute_process(COMMAND ${CAIRN_NVCC} --version OUTPUT_VARIABLE nvcc_says ERROR_QUIET)
  string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" unused "${nvcc_says}")
  set(nvcc_version "${CMAKE_MATCH_1}")
  if(nvcc_version VERSION_GREATER_EQUAL 12.0)
    set(cuda_found ON)
  else()
    set(cuda_reason "${CAIRN_NVCC} is version '${nvcc_version}', and C++20 needs 12.0")
  endif()
endif()

option(CAIRN_CUDA "Build the CUDA backend" ${cuda_found})
if(CAIRN_CUDA AND NOT cuda_found)
  message(FATAL_ERROR "CAIRN_CUDA is ON, but ${cuda_reason}. Install a CUDA toolkit, put its bin folder on the PATH, "
    "or build without it: -DCAIRN_CUDA=OFF")
elseif(NOT CAIRN_CUDA AND NOT cuda_found)
  message(STATUS "Cairn: no CUDA backend (${cuda_reason})")
endif()

option(CAIRN_PTX_DEVICE "Run CUDA code on tools/ptx_device, which interprets it on the CPU, for tests without a GPU" OFF)
if(CAIRN_PTX_DEVICE AND NOT CAIRN_CUDA)
  message(FATAL_ERROR "CAIRN_PTX_DEVICE is ON, and needs a CUDA toolkit (CAIRN_CUDA)")
endif()

# read here, so that a script may give it with or without a toolkit and CMake doesn't call it unused
set(requested_architectures "${CAIRN_CUDA_ARCHITECTURES}")

if(CAIRN_CUDA)
  # by default, those architectures of our list that this toolkit knows
  set(architectures 75 80 86 89 90 100 120)
  execute_process(COMMAND ${CAIRN_NVCC} --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
  set(known_architectures "")
  foreach(architecture IN LISTS architectures)
    if(known MATCHES "compute_${architecture}[^0-9]")
      list(APPEND known_architectures ${architecture})
    endif()
  endforeach()
  if(DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(known_architectures ${CMAKE_CUDA_ARCHITECTURES})  # a parent project has chosen
  endif()
  if(CAIRN_PTX_DEVICE)
    # no runtime library but the interpreter
    set(CMAKE_CUDA_RUNTIME_LIBRARY None)
  endif()
  set(CAIRN_CUDA_ARCHITECTURES "${known_architectures}" CACHE STRING "CUDA architectures to build for")
  set(CMAKE_CUDA_ARCHITECTURES "${CAIRN_CUDA_ARCHITECTURES}")
  if(CAIRN_PTX_DEVICE)
    set(CMAKE_CUDA_ARCHITECTURES 90-virtual)
  endif()

  # one compiler for the host code of .cpp and .cu: the linker may take an inline function from either
  if(NOT DEFINED CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER "${CAIRN_NVCC}")
  endif()
  if(NOT DEFINED CMAKE_CUDA_HOST_COMPILER)
    set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  message(STATUS "Cairn: CUDA ${CUDAToolkit_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}")
  if(CAIRN_PTX_DEVICE)
    add_subdirectory(tools/ptx_device)
    set(cairn_cuda_runtime ptx_device)
  else()
    set(cairn_cuda_runtime CUDA::cudart_static)
  endif()
endif()
