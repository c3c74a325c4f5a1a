# The front door: src/driftless/*.h, and of the reference problems these two. What they include is installed with them,
# and nothing else.

# The headers named and all that they include, by the paths that includes give them; and where each file is. A header is
# a configure dependency, so that what it includes tomorrow is installed tomorrow.
function(driftless_headers_included_by result)
  set(pending ${ARGN})
  set(found "")
  while(pending)
    list(POP_FRONT pending header)
    if(header IN_LIST found)
      continue()
    endif()
    list(APPEND found ${header})
    driftless_header_file(file ${header})
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(STRINGS "${file}" includes REGEX "^#include \"(driftless|testset)/")
    list(TRANSFORM includes REPLACE "^#include \"([^\"]*)\".*" "\\1")
    list(APPEND pending ${includes})
  endwhile()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

function(driftless_header_file result header)
  set(file "${PROJECT_SOURCE_DIR}/src/${header}")
  if(header MATCHES "^testset/")
    set(file "${PROJECT_SOURCE_DIR}/${header}")
  endif()
  set(${result} "${file}" PARENT_SCOPE)
endfunction()

file(GLOB DRIFTLESS_PUBLIC_HEADERS CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/src"
  "${PROJECT_SOURCE_DIR}/src/driftless/*.h")
if(EXISTS "${PROJECT_SOURCE_DIR}/testset/problem.h")
  list(APPEND DRIFTLESS_PUBLIC_HEADERS testset/problem.h testset/generators.h)
endif()
driftless_headers_included_by(DRIFTLESS_INSTALLED_HEADERS ${DRIFTLESS_PUBLIC_HEADERS})
