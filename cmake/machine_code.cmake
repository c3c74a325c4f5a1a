# Formulas of model files become machine code by asmjit, on x86-64 with the System V calling convention. Elsewhere they are
# interpreted, and asmjit is not needed.

set(can_make_code OFF)
if(UNIX AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(can_make_code ON)
endif()
option(DRIFTLESS_MACHINE_CODE "Make machine code of formulas, with asmjit; otherwise interpret them" ${can_make_code})

if(DRIFTLESS_MACHINE_CODE)
  find_package(asmjit REQUIRED)
else()
  add_compile_definitions(DRIFTLESS_NO_MACHINE_CODE)
endif()

function(driftless_machine_code library)
  if(DRIFTLESS_MACHINE_CODE)
    target_link_libraries(driftless_expression PRIVATE asmjit::asmjit)
    target_link_libraries(${library} PRIVATE asmjit::asmjit)
  else()
    file(GLOB sources "${PROJECT_SOURCE_DIR}/src/driftless/expression/x86/*.cpp")
    set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
  endif()
endfunction()
