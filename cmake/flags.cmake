# build/PRESET/driftless.flags: what g++ has to know for a program of one file, `g++ -std=c++20 mine.cpp @FILE`.

function(driftless_flags_file)
  set(libraries fmt::fmt SuiteSparse::klu SuiteSparse::cholmod)
  if(DRIFTLESS_MACHINE_CODE)
    list(APPEND libraries asmjit::asmjit)
  endif()
  set(lines -Wno-psabi "\"-I${PROJECT_SOURCE_DIR}/src\"" "\"-I${PROJECT_SOURCE_DIR}\""
    -include "\"${DRIFTLESS_FRONT_DOOR}\"" "\"$<TARGET_FILE:driftless_testset>\"" "\"$<TARGET_FILE:driftless>\"")
  foreach(library IN LISTS libraries)
    list(APPEND lines "\"$<TARGET_FILE:${library}>\"")
  endforeach()
  list(APPEND lines -pthread)
  list(JOIN lines "\n" text)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/driftless.flags" CONTENT "${text}\n")
endfunction()

# The front door, precompiled, which is read in a quarter of the time. g++ takes what is precompiled
# only before anything else, hence the -include above. With other options than -O2 (-O0, -march=native) it reads the
# headers as they are.
set(DRIFTLESS_FRONT_DOOR "${PROJECT_BINARY_DIR}/front_door.h")
function(driftless_front_door)
  file(CONFIGURE OUTPUT "${DRIFTLESS_FRONT_DOOR}" CONTENT "#include \"driftless/driftless.h\"\n")
  add_custom_target(driftless_front_door ALL)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
  endif()
  set(precompiled "${DRIFTLESS_FRONT_DOOR}.gch")
  add_custom_command(OUTPUT "${precompiled}"
    COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 -O2 -pthread "-I${PROJECT_SOURCE_DIR}/src" "-I${PROJECT_SOURCE_DIR}"
      -MD -MF "${precompiled}.d" -MT "${precompiled}" -x c++-header "${DRIFTLESS_FRONT_DOOR}" -o "${precompiled}"
    DEPENDS "${DRIFTLESS_FRONT_DOOR}" DEPFILE "${precompiled}.d" COMMENT "Precompiling driftless.h" VERBATIM)
  add_custom_target(driftless_precompiled DEPENDS "${precompiled}")
  add_dependencies(driftless_front_door driftless_precompiled)
endfunction()

driftless_front_door()
driftless_flags_file()
