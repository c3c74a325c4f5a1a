# build/PRESET/driftless.flags: what g++ has to know for a program of one file, `g++ -std=c++20 mine.cpp @FILE`.

function(driftless_flags_file)
  set(libraries fmt::fmt SuiteSparse::klu SuiteSparse::cholmod)
  if(DRIFTLESS_MACHINE_CODE)
    list(APPEND libraries asmjit::asmjit)
  endif()
  set(lines -Wno-psabi "\"-I${PROJECT_SOURCE_DIR}/src\"" "\"-I${PROJECT_SOURCE_DIR}\""
    "\"$<TARGET_FILE:driftless_testset>\"" "\"$<TARGET_FILE:driftless>\"")
  foreach(library IN LISTS libraries)
    list(APPEND lines "\"$<TARGET_FILE:${library}>\"")
  endforeach()
  list(APPEND lines -pthread)
  list(JOIN lines "\n" text)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/driftless.flags" CONTENT "${text}\n")
endfunction()

driftless_flags_file()
