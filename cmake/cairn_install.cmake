include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
install(TARGETS cairn EXPORT cairnTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/cairn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT cairnTargets NAMESPACE cairn:: DESTINATION ${config_folder})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET cairn_c)
  install(TARGETS cairn_c EXPORT cairnTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

# for pkg-config
file(RELATIVE_PATH up_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up_from_pc "${up_from_pc}")
set(cairn_pc_cuda "")
if(CAIRN_PTX_DEVICE)
  set(cairn_pc_cuda "-lptx_device -Wl,-rpath,\${libdir} ")
elseif(CAIRN_CUDA)
  set(cairn_pc_cuda "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt ")
endif()
foreach(library cairn cairn_c)
  if(TARGET ${library})
    configure_file(cmake/${library}.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()

if(CAIRN_PTX_DEVICE)
  # which lies beside what needs it
  foreach(target cairn_c cairn_cli)
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    endif()
  endforeach()
  install(TARGETS ptx_device EXPORT cairnTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET cairn_cli)
  install(TARGETS cairn_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/cairnConfig.cmake.in ${PROJECT_BINARY_DIR}/cairnConfig.cmake
  INSTALL_DESTINATION ${config_folder})
# before 1.0, a minor version may change the interface
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cairnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cairnConfig.cmake ${PROJECT_BINARY_DIR}/cairnConfigVersion.cmake
  DESTINATION ${config_folder})
