# tests/fuzz/<name>.cpp becomes fuzz_<name>; scripts/fuzz.sh runs them.

function(cairn_add_fuzz_program name source)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE cairn cairn_scenes cairn_build)
endfunction()

file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/*.cpp)
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  cairn_add_fuzz_program(${name} ${source})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()

# writes the seeds that are of the code's own file formats
cairn_add_fuzz_program(cairn_fuzz_seeds tests/fuzz/seeds/write.cpp)
