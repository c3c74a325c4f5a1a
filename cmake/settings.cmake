# How everything here is compiled. No -march and no -ffast-math: the numbers must be the same on every machine.

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Relative paths, and no folder of the build where there is debug information, so that a second clone finds what the
    # first one compiled; sloppiness, for the precompiled headers.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
  endif()
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Warnings for our own targets; never handed on to those who link with us.
function(driftless_compile_options target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wno-psabi -Wno-maybe-uninitialized)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # lets ccache work with precompiled headers
    # g++ looks for memory to use again as soon as it has taken a few hundred megabytes: a twelfth of its time.
    target_compile_options(${target} PRIVATE "SHELL:--param ggc-min-heapsize=1000000")
    # g++ 12 finds these in std::string and std::vector where there is nothing to be found.
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-restrict -Wno-array-bounds)
  endif()
endfunction()

# Whole folders at once, which read their headers once: a first build takes a third of the processor time. An edit then
# rebuilds a folder instead of a file; -D DRIFTLESS_UNITY=OFF for those who edit much. Names of one folder are unique for
# it, also those that only one file sees. A source with options of its own (#pragma GCC optimize) stays by itself.
option(DRIFTLESS_UNITY "Compile the sources of a folder at once" ON)
set(DRIFTLESS_APART "" CACHE STRING "Sources, with their folders, that are compiled by themselves all the same")
function(driftless_compile_together target)
  if(NOT DRIFTLESS_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME group)
    file(STRINGS "${source}" own_options REGEX "^#pragma GCC optimize")
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
    if(NOT own_options AND NOT name IN_LIST DRIFTLESS_APART)
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Sources that are included are taken for headers, and what one of them keeps to itself is seen by the next.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage -Wno-shadow -Wshadow=local)
  endif()
endfunction()

# For code without loops over numbers: it is compiled quicker. Level 1 where it only prints.
function(driftless_optimise target level)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O${level}>)
  endif()
endfunction()

# What most sources include, compiled once: it saves a second or two per file. Only headers of others, so
# that an edit of ours rebuilds no more than it must. Sources still include what they use; check with
# -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON.
function(driftless_precompiled_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 pch "" "" "HEADERS;LINK")
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp" CONTENT "")
  add_library(${name} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  target_precompile_headers(${name} PRIVATE ${pch_HEADERS})
  target_link_libraries(${name} PRIVATE ${pch_LINK})
  driftless_compile_options(${name})
endfunction()
