# tests/fuzz/<name>.cpp becomes fuzz_<name>; scripts/fuzz.sh runs them.

file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/*.cpp)
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  string(REGEX REPLACE "^fuzz_" "" name ${name})
  add_executable(fuzz_${name} ${source})
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(fuzz_${name} PRIVATE cairn cairn_scenes cairn_build)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endforeach()
