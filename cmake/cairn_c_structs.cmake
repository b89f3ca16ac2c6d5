# The members of the structs of the C interface, taken from the headers themselves: which sizes a caller's struct may
# have follows from them (src/c_api/structs.h), and copies from and to C++ (src/c_api/twins.h). And its functions, each
# of which tests/c_api/null_test.cpp calls.

# cairn_c_structs(FOLDER FILE): writes a line CAIRN_STRUCT(name, CAIRN_MEMBER(name, member), ...) for each that begins
# with struct_size, and CAIRN_PART(...) for each other, which never grows; and beside it functions.inc, with a line
# CAIRN_FUNCTION(name) for each that has a result.
function(cairn_c_structs folder output)
  file(GLOB headers CONFIGURE_DEPENDS ${folder}/*.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  set(lines "")
  set(all_functions "")
  foreach(header IN LISTS headers)
    file(READ ${header} text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    # a semicolon would split the list of matches
    string(REPLACE ";" "!" text "${text}")
    string(REGEX MATCHALL "CAIRN_API cairn_result [a-z_]+" functions "${text}")
    list(TRANSFORM functions REPLACE ".* (.+)" "CAIRN_FUNCTION(\\1)\n")
    string(APPEND all_functions ${functions})
    string(REGEX MATCHALL "typedef struct cairn_[a-z_]+ {[^}]*}" structs "${text}")
    foreach(struct IN LISTS structs)
      string(REGEX MATCH "struct (cairn_[a-z_]+) {(.*)}" whole "${struct}")
      set(name ${CMAKE_MATCH_1})
      string(REGEX MATCHALL "[a-z_0-9]+(\\[[0-9A-Z_]+\\])*[,!]" declared "${CMAKE_MATCH_2}")
      set(members "")
      foreach(member IN LISTS declared)
        string(REGEX REPLACE "(\\[.*)?[,!]$" "" member "${member}")
        list(APPEND members ${member})
      endforeach()
      list(GET members 0 first)
      list(TRANSFORM members REPLACE "(.+)" "CAIRN_MEMBER(${name}, \\1)")
      list(JOIN members ", " members)
      if(first STREQUAL "struct_size")
        string(APPEND lines "CAIRN_STRUCT(${name}, ${members})\n")
      else()
        string(APPEND lines "CAIRN_PART(${name}, ${members})\n")
      endif()
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${lines}" @ONLY)
  cmake_path(GET output PARENT_PATH beside)
  file(CONFIGURE OUTPUT ${beside}/functions.inc CONTENT "${all_functions}" @ONLY)
endfunction()
