# The sparse solvers KLU and CHOLMOD as the targets SuiteSparse::klu and SuiteSparse::cholmod. Debian's packages bring no CMake
# files of their own.

include(FindPackageHandleStandardArgs)
find_path(SuiteSparse_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
foreach(name klu cholmod)
  find_library(SuiteSparse_${name}_LIBRARY ${name})
endforeach()
find_package_handle_standard_args(SuiteSparse
  REQUIRED_VARS SuiteSparse_klu_LIBRARY SuiteSparse_cholmod_LIBRARY SuiteSparse_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Debian calls the package libsuitesparse-dev")
mark_as_advanced(SuiteSparse_INCLUDE_DIR SuiteSparse_klu_LIBRARY SuiteSparse_cholmod_LIBRARY)

if(SuiteSparse_FOUND)
  foreach(name klu cholmod)
    if(NOT TARGET SuiteSparse::${name})
      add_library(SuiteSparse::${name} UNKNOWN IMPORTED)
      set_target_properties(SuiteSparse::${name} PROPERTIES
        IMPORTED_LOCATION "${SuiteSparse_${name}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${SuiteSparse_INCLUDE_DIR}")
    endif()
  endforeach()
endif()
