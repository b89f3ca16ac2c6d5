# cairn_unity(TARGET): C++ files of one folder are compiled together, eight at a time. Most of what a file costs is reading its
# headers and making their templates. Files that lie in src/ itself, the parts of the step, stay alone: they take longest.

option(CAIRN_UNITY "Compile the files of a folder together; OFF shows that each file includes what it needs" ON)

function(cairn_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CAIRN_UNITY} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    if(NOT folder STREQUAL "src")
      list(APPEND in_${folder} ${source})
      list(LENGTH in_${folder} count)
      math(EXPR group "(${count} - 1) / 8")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
    endif()
  endforeach()
endfunction()
