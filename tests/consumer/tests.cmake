set(prefix "${CMAKE_CURRENT_BINARY_DIR}/installed")

add_test(NAME package/install COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -D PREFIX=${prefix}
  -P ${CMAKE_CURRENT_SOURCE_DIR}/install.cmake)
set_tests_properties(package/install PROPERTIES LABELS package FIXTURES_SETUP installed)

# Builds one source file against the installed package, runs it and expects exit code 0.
function(driftless_consumer_test name)
  add_test(NAME package/${name} COMMAND ${CMAKE_COMMAND} ${ARGN}
    -D WORK=${CMAKE_CURRENT_BINARY_DIR}/${name} -D PREFIX=${prefix} -D GENERATOR=${CMAKE_GENERATOR}
    -D CXX=${CMAKE_CXX_COMPILER} -D BUILD_TYPE=${CMAKE_BUILD_TYPE} "-DFLAGS=${CMAKE_CXX_FLAGS}"
    "-DLAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}" -P ${CMAKE_CURRENT_SOURCE_DIR}/build_and_run.cmake)
  set_tests_properties(package/${name} PROPERTIES LABELS package FIXTURES_REQUIRED installed TIMEOUT 300)
endfunction()

driftless_consumer_test(consumer -D SOURCE=${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)
file(GLOB readme CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/README.md")
if(readme)
  driftless_consumer_test(readme -D README=${readme})
endif()
file(GLOB examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp")
foreach(example IN LISTS examples)
  cmake_path(GET example STEM name)
  driftless_consumer_test(example_${name} -D SOURCE=${example})
endforeach()

# The compiler's line that README.md and an example name, as it stands there, with the libraries of this build.
function(driftless_as_written_test name file)
  add_test(NAME package/as_written_${name} COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/as_written.sh ${file} ${PROJECT_BINARY_DIR})
  set_tests_properties(package/as_written_${name} PROPERTIES LABELS package TIMEOUT 300)
endfunction()

driftless_as_written_test(readme README.md)
driftless_as_written_test(wall_from_text examples/wall_from_text.cpp)  # needs machine code
driftless_as_written_test(many_values examples/many_values.cpp)
driftless_as_written_test(list_problems examples/list_problems.cpp)    # needs the reference problems

add_test(NAME package/missing_packages COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/missing_packages.sh)
set_tests_properties(package/missing_packages PROPERTIES LABELS package)
