# Two interface targets:
#   cairn_numerics  the flags that decide what a float operation yields; every target that compiles kernels/ has them
#   cairn_build     cairn_numerics, warnings and sanitizers: what every target of this repository links

set(CAIRN_OPTIMIZE "" CACHE STRING "Optimisation level of Release instead of 3: 1 or 2 (scripts/hashes.sh)")
if(CAIRN_OPTIMIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O${CAIRN_OPTIMIZE} -DNDEBUG")
  set(CMAKE_CUDA_FLAGS_RELEASE "-O${CAIRN_OPTIMIZE} -DNDEBUG")
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(default_arch x86-64-v3)
else()
  set(default_arch none)
endif()
set(CAIRN_ARCH ${default_arch} CACHE STRING "x86-64-v3, x86-64 (baseline, fma in software) or none")
set_property(CACHE CAIRN_ARCH PROPERTY STRINGS x86-64-v3 x86-64 none)
if(NOT CAIRN_ARCH MATCHES "^(x86-64-v3|x86-64|none)$")
  message(FATAL_ERROR "CAIRN_ARCH is '${CAIRN_ARCH}'; it must be x86-64-v3, x86-64 or none")
endif()

if("${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE} ${CMAKE_CUDA_FLAGS}" MATCHES
    "-Ofast|-ffast-math|-funsafe-math|-fassociative-math|-freciprocal-math|--?use_fast_math|-ffp-contract=(fast|on)")
  message(FATAL_ERROR "Cairn gives the same bits everywhere and can't be built with '${CMAKE_MATCH_0}'")
endif()

# ---- numerics ----
set(host_flags -ffp-contract=off -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 with FMA makes vfmaddsub in its SLP vectoriser in spite of -ffp-contract=off
  list(APPEND host_flags -fno-tree-slp-vectorize -fno-trapping-math)
elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(WARNING "Cairn's bits are checked with g++ and clang; ${CMAKE_CXX_COMPILER_ID} may give others")
endif()
if(NOT CAIRN_ARCH STREQUAL "none")
  list(APPEND host_flags -march=${CAIRN_ARCH})
endif()
list(JOIN host_flags "," host_flags_for_nvcc)
# CMake 3.25 knows no CUDA standard 20, so the flag is given by hand
set(cuda_flags -std=c++20 --fmad=false -prec-div=true -prec-sqrt=true -ftz=false --expt-relaxed-constexpr
  --extended-lambda -Xcompiler=${host_flags_for_nvcc})
# for where no GPU runs device code, as in CI: less than half the time
option(CAIRN_CUDA_QUICK "Compile CUDA code in a hurry (the step's device code with CUDA 13)" OFF)
if(CAIRN_CUDA_QUICK)
  # of the host's code in *.cu
  set(CMAKE_CUDA_FLAGS_RELEASE "-O1 -DNDEBUG")
endif()

if(CAIRN_PTX_DEVICE)
  # the interpreter reads it as text
  list(APPEND cuda_flags --no-compress)
endif()

add_library(cairn_numerics INTERFACE)
target_compile_options(cairn_numerics INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${host_flags}>" "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_flags}>")

# ---- warnings ----
# a designated initialiser may leave members at their defaults
set(warnings -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Wextra-semi -Wcast-align -Wfloat-conversion -Wvla -Wundef
  -Wno-missing-field-initializers)
# clang's: numbers may be given without the braces of the vectors that they are of (kernels/articulations/spatial.h)
list(APPEND warnings -Wno-missing-braces)
set(cuda_warnings -Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers)
# a local variable may have the name of a member, or of something in another file; clang can't tell these apart
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND warnings -Wshadow=local)
  string(APPEND cuda_warnings ",-Wshadow=local")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees an overlap in its own std::string (its bug 105329)
  list(APPEND warnings -Wno-restrict)
  string(APPEND cuda_warnings ",-Wno-restrict")
endif()
if(CAIRN_DEVELOPER)
  list(APPEND warnings -Werror)
  list(APPEND cuda_warnings --Werror=all-warnings -Xcompiler=-Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 gives these for correct code of its own headers when it optimises or sanitises: shown, but no errors
    list(APPEND warnings -Wno-error=maybe-uninitialized -Wno-error=array-bounds -Wno-error=stringop-overflow
      -Wno-error=free-nonheap-object)
  endif()
endif()

# g++ frees its own memory as often as a small machine would need, for an eighth of its time; so it takes up to 1.5 GB
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND PROJECT_IS_TOP_LEVEL)
  set(compiler_heap --param=ggc-min-heapsize=1048576)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${compiler_heap}>" "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${compiler_heap}>")
endif()

add_library(cairn_build INTERFACE)
target_link_libraries(cairn_build INTERFACE cairn_numerics)
target_compile_features(cairn_build INTERFACE cxx_std_20)
target_compile_options(cairn_build INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>" "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_warnings}>")
list(LENGTH CMAKE_CUDA_ARCHITECTURES architecture_count)
if(CAIRN_CUDA AND architecture_count GREATER 1)
  target_compile_options(cairn_build INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:--threads=4>")
endif()

# ---- sanitizers ----
set(sanitizers ${CAIRN_SANITIZE})
if(CAIRN_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "CAIRN_FUZZ needs clang++ (libFuzzer): -DCMAKE_CXX_COMPILER=clang++")
  endif()
  set(sanitizers fuzzer-no-link,address,undefined)
endif()
if(sanitizers)
  # an out-of-range float-to-int conversion differs between processors, and `undefined` alone lets it pass
  if(sanitizers MATCHES "undefined")
    string(APPEND sanitizers ",float-cast-overflow")
  endif()
  set(sanitize_flags -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  list(JOIN sanitize_flags "," sanitize_flags_for_nvcc)
  target_compile_options(cairn_build INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${sanitize_flags}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler \"${sanitize_flags_for_nvcc}\">")
  target_link_options(cairn_build INTERFACE -fsanitize=${sanitizers})
endif()
