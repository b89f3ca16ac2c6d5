# The Python package (docs/python.md): the module cairn._core, its classes and its stubs. scikit-build-core asks for it
# (pyproject.toml); by hand: -DCAIRN_PYTHON=ON -Dnanobind_DIR=$(python -m nanobind --cmake_dir), then the target
# cairn_python makes a package in BUILD/python that PYTHONPATH can name.

# what a wheel is built for is where the files of Python are looked for
set(python_parts Interpreter Development.Module)
if(SKBUILD_SABI_VERSION)
  list(APPEND python_parts Development.SABIModule)
endif()
find_package(Python 3.11 REQUIRED COMPONENTS ${python_parts})
find_package(nanobind CONFIG REQUIRED)

file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/cairn/*.h)
set(structs ${PROJECT_BINARY_DIR}/python/include/cairn_structs.h)
add_custom_command(OUTPUT ${structs}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/python/include
  COMMAND ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/python/structs.py ${structs} ${public_headers}
  DEPENDS ${PROJECT_SOURCE_DIR}/python/structs.py ${public_headers}
  COMMENT "List of cairn's structs")

set(package ${PROJECT_BINARY_DIR}/python/cairn)
file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/src/*.cpp)
# STABLE_ABI does nothing before Python 3.12
nanobind_add_module(cairn_python_core STABLE_ABI NB_STATIC NB_DOMAIN cairn ${python_sources} ${structs})
# as cairn_unity does it, which leaves files alone that lie in a folder src
set_target_properties(cairn_python_core PROPERTIES UNITY_BUILD ${CAIRN_UNITY} UNITY_BUILD_BATCH_SIZE 5)
set_target_properties(cairn_python_core PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${package})
target_include_directories(cairn_python_core PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/python/include)
target_link_libraries(cairn_python_core PRIVATE cairn cairn_numerics)
# nothing of the library is seen from outside
target_link_options(cairn_python_core PRIVATE LINKER:--exclude-libs,ALL)
# calls cost nanoseconds here; the simulation is in the library
target_compile_options(cairn_python_core PRIVATE $<$<CONFIG:Release>:-O1>)

# ---- classes of structs and enums, from the lists of members ----
set(python_folder ${PROJECT_SOURCE_DIR}/python/cairn)
file(GLOB_RECURSE python_files CONFIGURE_DEPENDS ${python_folder}/*.py ${python_folder}/py.typed)
add_custom_command(OUTPUT ${package}/_structs.py ${package}/__init__.py
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${python_folder} ${package}
  COMMAND ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/python/generate.py ${package} ${PROJECT_SOURCE_DIR}/include/cairn
  DEPENDS cairn_python_core ${python_files} ${public_headers}
    ${PROJECT_SOURCE_DIR}/python/generate.py
  COMMENT "Python classes of cairn's structs")
nanobind_add_stub(cairn_python_stub MODULE cairn._core OUTPUT ${package}/_core.pyi PYTHON_PATH ${PROJECT_BINARY_DIR}/python
  DEPENDS cairn_python_core ${package}/_structs.py)
add_custom_target(cairn_python ALL DEPENDS ${package}/_structs.py cairn_python_stub)

if(CAIRN_TESTS AND CAIRN_TOOLS)
  # not from python/, where the sources would be taken for the package
  add_test(NAME python COMMAND ${Python_EXECUTABLE} -m pytest -q -rs -p no:cacheprovider ${PROJECT_SOURCE_DIR}/python/tests
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  set_tests_properties(python PROPERTIES TIMEOUT 1500 COST 500 LABELS python
    ENVIRONMENT "PYTHONPATH=${PROJECT_BINARY_DIR}/python;MYPYPATH=${PROJECT_BINARY_DIR}/python;CAIRN_CLI=$<TARGET_FILE:cairn_cli>")
endif()

# by name alone (pyproject.toml): no part of what cmake --install takes to a prefix
install(TARGETS cairn_python_core LIBRARY DESTINATION cairn COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${package}/_structs.py ${package}/_core.pyi DESTINATION cairn COMPONENT python EXCLUDE_FROM_ALL)
install(DIRECTORY ${python_folder}/ DESTINATION cairn COMPONENT python EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")
