# Configures, builds and runs this folder's project in WORK with the package in PREFIX. Compiles SOURCE or, without it, the first
# ```cpp block of README.

if(NOT SOURCE)
  set(SOURCE "${WORK}/readme.cpp")
  set(fence "```")
  file(READ "${README}" text)
  string(FIND "${text}" "${fence}cpp\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "${README} has no ${fence}cpp block")
  endif()
  math(EXPR begin "${begin} + 7")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "\n${fence}" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  set(old "")
  if(EXISTS "${SOURCE}")
    file(READ "${SOURCE}" old)
  endif()
  if(NOT "${old}" STREQUAL "${text}\n")
    file(WRITE "${SOURCE}" "${text}\n")
  endif()
endif()

set(build "${WORK}/build")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${build}" -G "${GENERATOR}"
  -D "CMAKE_PREFIX_PATH=${PREFIX}" -D "CONSUMER_SOURCE=${SOURCE}" -D "CMAKE_CXX_COMPILER=${CXX}"
  -D "CMAKE_BUILD_TYPE=${BUILD_TYPE}" -D "CMAKE_CXX_FLAGS=${FLAGS}" -D "CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${build}/consumer" WORKING_DIRECTORY "${WORK}" COMMAND_ERROR_IS_FATAL ANY)
