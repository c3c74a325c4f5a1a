# What the layers and folders are made into: the library, the reference problems, the programs.

function(driftless_library_from_layers target)
  get_property(objects GLOBAL PROPERTY DRIFTLESS_LAYER_OBJECTS)
  add_library(${target})
  add_library(driftless::${target} ALIAS ${target})
  foreach(object IN LISTS objects)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
  endforeach()
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE fmt::fmt Threads::Threads SuiteSparse::klu SuiteSparse::cholmod)
  set_target_properties(${target} PROPERTIES
    LINKER_LANGUAGE CXX INSTALL_RPATH "$ORIGIN"
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

# The reference problems, from testset/, included as "testset/x.h".
function(driftless_testset_library target)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/testset/*.cpp")
  set(scope INTERFACE)
  if(sources)
    set(scope PUBLIC)
    add_library(${target} ${sources})
    target_link_libraries(${target} PRIVATE fmt::fmt)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN" POSITION_INDEPENDENT_CODE ON
      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    target_precompile_headers(${target} REUSE_FROM driftless_headers)
    driftless_compile_options(${target})
    driftless_compile_together(${target})
  else()
    add_library(${target} INTERFACE)
  endif()
  add_library(driftless::testset ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME testset)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} ${scope} driftless::driftless)
endfunction()

# Each folder apps/NAME is one program NAME; its target is app_NAME, since `driftless` is the library.
function(driftless_apps)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/apps" "${PROJECT_SOURCE_DIR}/apps/*/*.cpp")
  foreach(file IN LISTS files)
    string(REGEX REPLACE "/.*" "" name "${file}")
    if(NOT TARGET app_${name})
      add_executable(app_${name})
      set_target_properties(app_${name} PROPERTIES
        OUTPUT_NAME ${name} INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
      target_include_directories(app_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
      target_link_libraries(app_${name} PRIVATE driftless::driftless driftless::testset fmt::fmt)
      driftless_compile_options(app_${name})
      install(TARGETS app_${name} RUNTIME)
    endif()
    target_sources(app_${name} PRIVATE "${PROJECT_SOURCE_DIR}/apps/${file}")
  endforeach()
endfunction()
