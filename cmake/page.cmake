# The page of reports: style and script of web/, and uPlot (web/vendor), as strings of the program `driftless`.
# Run as a script it writes OUTPUT from the files of STYLES and SCRIPTS; included, it makes that a step of the build.

if(CMAKE_SCRIPT_MODE_FILE)
  include("${CMAKE_CURRENT_LIST_DIR}/literals.cmake")
  function(as_literals variable)
    set(text "")
    foreach(file IN LISTS ARGN)
      file(READ "${file}" content)
      string(APPEND text "${content}\n")
    endforeach()
    driftless_literals(literals "${text}")
    set(${variable} "${literals}" PARENT_SCOPE)
  endfunction()
  as_literals(style ${STYLES})
  as_literals(script ${SCRIPTS})
  file(READ "${LICENCE}" licence)
  string(PREPEND script "R\"text~(/* uPlot:\n${licence}*/\n)text~\"\n")
  file(WRITE "${OUTPUT}" "// Made by cmake/page.cmake from web/.\n#include \"apps/driftless/report/page.h\"\n\n"
    "namespace driftless::cli {\n\nconst char* const page_style =\n${style};\n\nconst char* const page_script =\n${script};\n\n"
    "}  // namespace driftless::cli\n")
  return()
endif()

function(driftless_page target)
  set(web "${PROJECT_SOURCE_DIR}/web")
  set(output "${PROJECT_BINARY_DIR}/page.cpp")
  file(GLOB own CONFIGURE_DEPENDS "${web}/report/*.js")  # in the order of their names
  set(styles "${web}/vendor/uPlot.min.css" "${web}/report/report.css")
  set(scripts "${web}/vendor/uPlot.iife.min.js" ${own})
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DSTYLES=${styles}" "-DSCRIPTS=${scripts}" "-DOUTPUT=${output}" "-DLICENCE=${web}/vendor/uPlot.LICENSE"
      -P "${PROJECT_SOURCE_DIR}/cmake/page.cmake"
    DEPENDS ${styles} ${scripts} "${PROJECT_SOURCE_DIR}/cmake/page.cmake" "${PROJECT_SOURCE_DIR}/cmake/literals.cmake" VERBATIM)
  set_source_files_properties("${output}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE "${output}")
endfunction()
