# The model files of examples/models/ as strings of the program `driftless`: reference problems take their drawings from them.
# Run as a script it writes OUTPUT from MODELS; included, it makes that a step of the build.

if(CMAKE_SCRIPT_MODE_FILE)
  include("${CMAKE_CURRENT_LIST_DIR}/literals.cmake")
  set(table "")
  foreach(model IN LISTS MODELS)
    get_filename_component(name "${model}" NAME)
    # Brackets and semicolons mean something to CMake's lists, which a text is not.
    file(READ "${model}" text)
    driftless_literals(literals "${text}")
    string(APPEND table "    {\"${name}\",\n${literals}},\n")
  endforeach()
  file(WRITE "${OUTPUT}" "// Made by cmake/shipped_models.cmake from examples/models/.\n#include \"apps/driftless/model/shipped_models.h\"\n\n"
    "namespace driftless::cli {\n\nconst std::vector<ShippedModel>& shipped_models() {\n"
    "  static const std::vector<ShippedModel> all = {\n${table}  };\n  return all;\n}\n\n}  // namespace driftless::cli\n")
  return()
endif()

function(driftless_shipped_models target)
  set(output "${PROJECT_BINARY_DIR}/shipped_models.cpp")
  file(GLOB models CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/models/*.mo")
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DMODELS=${models}" "-DOUTPUT=${output}" -P "${PROJECT_SOURCE_DIR}/cmake/shipped_models.cmake"
    DEPENDS ${models} "${PROJECT_SOURCE_DIR}/cmake/shipped_models.cmake" "${PROJECT_SOURCE_DIR}/cmake/literals.cmake" VERBATIM)
  set_source_files_properties("${output}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE "${output}")
endfunction()
