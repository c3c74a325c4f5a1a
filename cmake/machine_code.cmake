# Formulas of model files become machine code by asmjit, on x86-64 with the System V calling convention. Elsewhere they are
# interpreted, and asmjit is not needed.

set(DRIFTLESS_MACHINE_CODE OFF)
if(UNIX AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  find_package(asmjit REQUIRED)
  set(DRIFTLESS_MACHINE_CODE ON)
endif()

function(driftless_machine_code library)
  if(DRIFTLESS_MACHINE_CODE)
    target_compile_definitions(driftless_expression PRIVATE DRIFTLESS_MACHINE_CODE)
    target_link_libraries(driftless_expression PRIVATE asmjit::asmjit)
    target_link_libraries(${library} PRIVATE asmjit::asmjit)
  else()
    file(GLOB sources "${PROJECT_SOURCE_DIR}/src/driftless/expression/x86/*.cpp")
    set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
  endif()
endfunction()
